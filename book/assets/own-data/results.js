/** What the page shows of a file: what was read, the accuracy of every system, every pair, and a chart per measure. */
const ownResults = (() => {
  const BLIND = "MA blind";
  const [LARGEST, INDEPENDENT] = ["EC, largest possible", "CLES, independent errors"];
  const BESIDE = { EC: [LARGEST], MA: [BLIND], CLES: [INDEPENDENT] }; // what a value is to be set against
  const { MEASURES, inWords, interval, withoutErrors, draw } = ownFigures;
  const { make } = chartControls;
  const FAR = 0.05; // from 0, a blind value is worth a note
  const MOST_NAMES = 20; // of classes, systems or columns that are listed

  const estimate = ([value, low, high]) =>
    `${inWords(value)}${Number.isFinite(low) ? ` (${interval(low, high)})` : ""}`;
  const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

  /** What was taken of the file, and what was not. */
  function taken({ nRows, nChosen, leftOut, neverTrue, numbered, columns, classes, declared }, { systems, nTrials }) {
    const names = systems.map(({ name, isPerson }) => (isPerson ? `${name} (person)` : name));
    const some = (words) => words.slice(0, MOST_NAMES).join(", ") + (words.length > MOST_NAMES ? ", …" : "");
    const counted = (field) => systems.filter((system) => system[field]).map((system) => `${system.name} ${system[field].toLocaleString("en")}`);
    const sentences = [
      `Taken: ${plural(nChosen, "row")} of ${nRows.toLocaleString("en")}, ${plural(nTrials, "trial")} (${columns.trial.join(", ")})`,
      `${plural(systems.length, "system")}: ${some(names)}`,
      `${plural(classes.length, "class")}: ${some(classes)}`,
    ];
    if (!declared) sentences.push("If there are more classes, name them above: CLES depends on their number");
    const lists = [
      ["Answered, but never true", neverTrue],
      ["Numbers are places in the list of classes", numbered],
      ["Columns left out", leftOut],
      ["No answer, which is wrong", counted("unanswered")],
      ["Not shown, and left out pair by pair", counted("notShown")],
    ];
    for (const [what, words] of lists) {
      if (words.length) sentences.push(`${what}: ${some(words)}`);
    }
    return `${sentences.join(". ")}.`;
  }

  /** The measures that say something about the file. */
  const given = ({ pairs }) => Object.keys(MEASURES).filter((name) => name in pairs[0]);

  /** Where the zero of MA is not chance, or why it is not given; nothing where neither needs saying. */
  function chance({ nClasses, pairs }) {
    if (!("MA" in pairs[0]))
      return "MA and CLES are not given: with fewer than three classes there is one wrong answer, on which any two systems agree.";
    const blind = pairs.map((pair) => pair.blind).filter(Number.isFinite);
    if (!blind.some((value) => Math.abs(value) >= FAR)) return "";
    const [low, high] = [Math.min(...blind), Math.max(...blind)].map(inWords);
    const score = low === high ? low : `${low} to ${high}`;
    return `MA's zero is not chance: with these ${nClasses} classes, systems that share the habits of yours and nothing else would score ${score} (MA blind).`;
  }

  function table(caption, head, rows) {
    const cells = ([name, ...numbers]) => [
      make("th", { scope: "row" }, name),
      ...numbers.map((number) => make("td", { class: "number" }, String(number))),
    ];
    const body = rows.map((row) => make("tr", {}, ...cells(row)));
    const heads = head.map((name, place) => make("th", { scope: "col", ...(place ? { class: "number" } : {}) }, name));
    // It may scroll, and a keyboard must get there.
    const parts = [make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)];
    const scrolls = { class: "cell_output own-table", tabindex: "0", role: "region", "aria-label": caption };
    return make("div", scrolls, make("table", {}, ...parts));
  }

  function systemsTable({ systems, nTrials }) {
    const rows = systems.map(({ name, accuracy, errors, unanswered, notShown }) => [name, estimate(accuracy), nTrials - notShown, errors, unanswered]);
    return table("Your systems", ["system", "accuracy (95 % interval)", "trials", "errors", "of these, no answer"], rows);
  }

  function pairsTable(result) {
    const shown = given(result).flatMap((name) => [name, ...BESIDE[name]]);
    const inCell = (pair, name) => {
      const beside = { [BLIND]: pair.blind, [LARGEST]: pair.largest, [INDEPENDENT]: pair.independent };
      if (name in beside) return inWords(beside[name]);
      return name === "EC" && withoutErrors(pair) ? "makes no error" : estimate(pair[name]);
    };
    const cells = (pair) => shown.map((name) => inCell(pair, name));
    const rows = result.pairs.map((pair) => [`${pair.a} and ${pair.b}`, ...cells(pair), pair.jointErrors, pair.nTrials]);
    return table("Your pairs, with 95 % intervals", ["pair", ...shown, "joint errors", "trials"], rows);
  }

  /** All numbers in full, for a file of the reader's own. */
  function csv(result) {
    const names = given(result);
    const rows = result.pairs.map((pair) => {
      const values = names.map((name) => [name, name === "EC" && withoutErrors(pair) ? [] : pair[name]]);
      const columns = values.map(([name, [value, low, high]]) => ({ [name]: value, [`${name}_low`]: low, [`${name}_high`]: high }));
      const blind = names.includes("MA") ? { MA_blind: pair.blind, CLES_independent: pair.independent } : {};
      return Object.assign({ system_a: pair.a, system_b: pair.b, n_trials: pair.nTrials, n_joint_errors: pair.jointErrors }, ...columns, { EC_largest: pair.largest }, blind);
    });
    return chartControls.csv(chartControls.table(rows));
  }

  /** A link that saves a file which the page has made. */
  function link(name, text, words) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    return make("p", {}, make("a", { href, download: name }, words));
  }

  /** Take files that are chosen in a form, or dropped on an area of the page. */
  function takeFiles(input, area, take) {
    const mark = (isOver) => area.classList.toggle("own-over", isOver);
    input.addEventListener("change", () => take(input.files));
    // Else a file that was mended, and is chosen once more, would be no change.
    input.addEventListener("click", () => (input.value = ""));
    area.addEventListener("dragover", () => mark(true));
    area.addEventListener("dragleave", () => mark(false));
    area.addEventListener("drop", (event) => (mark(false), take(event.dataTransfer.files)));
    // A file that misses the area would be opened in the place of the page.
    for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  }

  /** A <figure> that charts.js draws; it hears of a chart only once that is on the page. */
  function figure(words) {
    const reading = make("p", { class: "reading" }, make("input", { type: "range", min: 0, value: 0 }), make("span", { class: "reading-words" }));
    const menu = make("details", { class: "vl-menu" }, make("summary", { "aria-label": "Save this chart" }, "⋯"), make("div"));
    const parts = [make("figcaption"), make("div", { class: "vl-view" }), reading, menu];
    const element = make("figure", { class: "vl" }, ...parts, make("script", { type: "application/json" }));
    if (words) queueMicrotask(() => fill(element, words));
    return element;
  }

  /** Fill a <figure> as the book's own are filled; charts.js draws it when it hears of it. */
  function fill(element, { title, subtitle, description, spec }) {
    element.setAttribute("aria-label", description);
    element.querySelector("figcaption").replaceChildren(`${title} `, make("span", { class: "subtitle" }, subtitle));
    element.querySelector("script").textContent = JSON.stringify(spec);
    element.dispatchEvent(new Event("new-chart", { bubbles: true }));
  }

  /** Put results in their place; charts are filled by `compare`. */
  function show(place, result, columns) {
    const words = [...result.nearChance, taken(columns, result), chance(result)].filter(Boolean).map((text) => make("p", {}, text));
    const how =
      "Limits of EC come from 10,000 draws per pair, those of CLES from leaving out each trial in turn. The largest possible EC is what the two accuracies allow. " +
      "CLES of independent errors is that of two systems that err as often in each class and give each wrong answer as often, and confuse no classes more than others; " +
      "CLES changes with the number of errors, so compare pairs by it only if their accuracies differ by less than 0.05.";
    const save = link("pairs.csv", csv(result), "Save these pairs as a CSV file");
    const figures = given(result).map(() => figure());
    place.replaceChildren(...words, systemsTable(result), pairsTable(result), make("p", { class: "own-small" }, how), save, ...figures);
    place.hidden = false;
  }

  /** Draw the charts beside the published pairs of a data set. */
  function compare(place, result, set, published) {
    const figures = [...place.querySelectorAll("figure")];
    given(result).forEach((measure, index) => fill(figures[index], draw(measure, result, set, published)));
  }

  return { show, compare, make, figure, estimate, link, takeFiles };
})();
