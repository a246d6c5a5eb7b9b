/** The form of the page "Your own data": a worker reads the file that is chosen; menus say which column holds what. */
(() => {
  const { make, takeFiles, show, compare } = ownResults;
  const element = (id) => document.getElementById(`own-${id}`);

  const form = element("answers");
  const [truth, answer, choice, results] = ["truth", "answer", "set", "results"].map(element);
  let file; // that is shown, with its text
  let taken; // from it
  let result;

  // ---- menus ---------------------------------------------------------------------------------------------------------

  const inputs = (menu) => [...element(menu).querySelectorAll("input")];
  const ticked = (menu) => inputs(menu).filter(({ checked }) => checked).map(({ value }) => value);
  const words = (field) => element(field).value.split(",").map((word) => word.trim()).filter(Boolean);

  /** Say in a closed menu what is ticked. */
  function sumUp(menu) {
    element(menu).querySelector("span").textContent = ticked(menu).join(", ") || "none";
  }

  /** Offer names to be ticked; some are. */
  function fillTicks(menu, names, chosen) {
    const boxes = names.map((name) => {
      const box = make("input", { type: "checkbox", value: name });
      box.checked = chosen.includes(name);
      return make("label", {}, box, ` ${name}`);
    });
    element(menu).querySelector("div").replaceChildren(...boxes);
    sumUp(menu);
  }

  function fillMenus(header, columns) {
    truth.replaceChildren(...header.map((name) => new Option(name)));
    truth.value = columns.truth;
    answer.replaceChildren(new Option("a column per system", ""), ...header.map((name) => new Option(name)));
    answer.value = columns.answer;
    fillTicks("trial", header, columns.trial);
    fillTicks("system", header, columns.system);
    element("columns").hidden = false;
  }

  function untick(names) {
    for (const box of inputs("system")) box.checked &&= !names.includes(box.value);
    sumUp("system");
  }

  /** What the reader says of the file; before there are menus, nothing of its columns. */
  function named() {
    const more = { where: element("where").value.trim(), classes: words("classes"), missing: words("missing"), notShown: words("notshown"), absentNotShown: element("absent").checked };
    if (!taken) return more;
    const columns = { trial: ticked("trial"), truth: truth.value || "truth", system: ticked("system"), answer: answer.value };
    return { ...columns, person: ticked("person"), ...more };
  }

  // ---- files ---------------------------------------------------------------------------------------------------------

  function say(text, isError = false) {
    const status = element("status");
    status.textContent = text;
    status.classList.toggle("own-error", isError);
  }

  /** What the worker tells before it is done. */
  function hear({ header, columns, doubtful, ...news }) {
    if (header && !taken) fillMenus(header, columns);
    if (header) taken ??= {};
    if (news.taken) {
      taken = { ...news.taken, declared: words("classes").length > 0 };
      fillTicks("person", taken.systems, taken.people);
      // A model that answered the experiment's pictures becomes the guest of the site, also where it is alone.
      const guest = siteGuest.of({ systems: [{ name: taken.systems[0], labels: news.first }], parts: taken.parts }, file.name);
      if (guest) siteGuest.keep(guest);
    }
    if (doubtful) untick(doubtful);
  }

  async function analyse() {
    if (!file) return;
    form.dataset.state = "busy";
    say(`Comparing the systems of ${file.name} …`);
    try {
      file.text ??= await ownText(file.chosen);
      result = await ownAsk({ text: file.text, named: named() }, hear);
      show(results, result, taken);
      compareWithSet();
      const n = result.pairs.length;
      say(`${file.name}: ${n} pair${n === 1 ? "" : "s"} compared.`);
      form.dataset.state = "done";
    } catch (error) {
      results.hidden = true;
      say(`${file.name}: ${error.message}${error.message.includes(":  ") ? "" : "."}`, true); // a stop would be part of a command
      form.dataset.state = "failed";
    }
  }

  function take([chosen]) {
    if (!chosen) return;
    file = { name: chosen.name, chosen };
    taken = undefined;
    element("columns").hidden = true;
    fillTicks("person", [], []);
    analyse();
  }

  // ---- published pairs -----------------------------------------------------------------------------------------------

  function compareWithSet() {
    compare(results, result, ownPublished.sets[choice.value], ownPublished);
  }

  /** Offer the data sets, by paper. */
  function offerSets() {
    const option = ([place, { name, classes }]) => new Option(`${name} (${classes} classes)`, place);
    const papers = Map.groupBy(ownPublished.sets.entries(), ([, { paper }]) => paper);
    choice.append(...[...papers].map(([label, sets]) => make("optgroup", { label }, ...sets.map(option))));
  }

  /** The file that the page shows, beside the pairs of the people and networks that it was made up with. */
  function takeExample() {
    choice.value = ownPublished.sets.findIndex(({ name }) => name === "example/animals");
    take([new File([ownPublished.example], "answers.csv")]);
  }

  function start() {
    offerSets();
    takeFiles(element("file"), form, take);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      analyse();
    });
    element("example").addEventListener("click", takeExample);
    for (const menu of ["trial", "system", "person"]) element(menu).addEventListener("change", () => sumUp(menu));
    answer.addEventListener("change", () => {
      // Systems are other columns then: one that names them, or one for each.
      const header = inputs("system").map(({ value }) => value);
      fillTicks("system", header, answer.value ? ["system"] : []);
    });
    choice.addEventListener("change", () => !results.hidden && compareWithSet());
  }

  start();
})();
