/** The form of the page "Your own data": the file that a reader chooses goes to a worker, what comes back is shown. */
(() => {
  const element = (id) => document.getElementById(id);

  const answers = element("own-answers");
  const [file, classes, choice] = ["own-file", "own-classes", "own-set"].map(element);
  const [status, progress, results] = ["own-status", "own-progress", "own-results"].map(element);
  let text; // of the file that is shown
  let result;

  function say(words, isError = false) {
    status.textContent = words;
    status.classList.toggle("own-error", isError);
  }

  function showProgress(share) {
    progress.value = share;
    progress.hidden = share >= 1;
  }

  const chosenSet = () => ownPublished.sets[choice.value];

  /** Offer the data sets, by paper. */
  function offerSets() {
    const option = ([place, { name, classes: n }]) => new Option(`${name} (${n} classes)`, place);
    const papers = Map.groupBy(ownPublished.sets.entries(), ([, { paper }]) => paper);
    choice.append(...[...papers].map(([label, sets]) => ownResults.make("optgroup", { label }, ...sets.map(option))));
  }

  /** Compare the file that was chosen; without one, wait. */
  async function analyse(name) {
    if (text === undefined) return;
    say(`Comparing the systems of ${name} …`);
    showProgress(0);
    answers.dataset.state = "busy";
    try {
      result = await ownAsk({ text, file: name, classes: classes.value }, showProgress);
      ownResults.show(results, result);
      ownResults.compare(results, result, chosenSet(), ownPublished);
      say(`${name}: ${result.pairs.length} pair${result.pairs.length === 1 ? "" : "s"} compared.`);
      answers.dataset.state = "done";
    } catch (error) {
      fail(error);
    }
    showProgress(1);
  }

  function fail(error) {
    results.hidden = true;
    say(error.message + (error.message.includes(":  ") ? "" : "."), true); // a full stop would be part of a command
    answers.dataset.state = "failed";
  }

  let shown = ""; // the name of the file

  async function take(given) {
    if (!given) return;
    answers.dataset.state = "busy";
    shown = given.name;
    try {
      text = await ownText(given);
    } catch (error) {
      text = undefined;
      return fail(error);
    }
    offerGuest();
    analyse(shown);
  }

  /** A model that answered the experiment's pictures becomes the guest of the site, also where it is alone in its file. */
  function offerGuest() {
    try {
      const wording = ownWording(ownWords);
      const table = ownReading(wording, ownCells(wording), ownChecks(wording));
      const guest = siteGuest.of(table.recognise(table.readCells(text, shown)), shown);
      if (guest) siteGuest.keep(guest);
    } catch {} // what is wrong with the file is said by its analysis
  }

  /** The file that the page shows, beside the pairs of the people and networks that it was made up with. */
  function takeExample() {
    choice.value = ownPublished.sets.findIndex(({ name }) => name === "example/animals");
    take(new File([ownPublished.example], "answers.csv"));
  }

  function startAnswers() {
    offerSets();
    ownResults.takeFiles(file, answers, ([given]) => take(given));
    answers.addEventListener("submit", (event) => event.preventDefault());
    element("own-example").addEventListener("click", takeExample);
    classes.addEventListener("change", () => analyse(shown));
    choice.addEventListener(
      "change",
      () => result && !results.hidden && ownResults.compare(results, result, chosenSet(), ownPublished),
    );
  }

  startAnswers();
})();
