/** The two forms of the page "Your own data": what a reader chooses goes to a worker, what comes back is shown. */
(() => {
  const element = (id) => document.getElementById(id);

  // ---- answers -----------------------------------------------------------------------------------------------------

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
    const papers = new Map();
    ownPublished.sets.forEach(({ name, paper, classes: n }, place) => {
      if (!papers.has(paper)) papers.set(paper, Object.assign(document.createElement("optgroup"), { label: paper }));
      papers.get(paper).append(new Option(`${name} (${n} classes)`, place));
    });
    choice.append(...papers.values());
  }

  /** Compare the file that was chosen; without one, wait. */
  async function analyse(name) {
    if (text === undefined) return;
    say(`Comparing the systems of ${name} …`);
    showProgress(0);
    answers.dataset.state = "busy";
    try {
      result = await ownAsk("analyse", { text, classes: classes.value }, showProgress);
      ownResults.show(results, result);
      ownResults.compare(results, result, chosenSet(), ownPublished);
      say(`${name}: ${result.pairs.length} pair${result.pairs.length === 1 ? "" : "s"} compared.`);
      answers.dataset.state = "done";
    } catch (error) {
      results.hidden = true;
      say(`${name}: ${error.message}.`, true);
      answers.dataset.state = "failed";
    }
    showProgress(1);
  }

  let shown = ""; // the name of the file

  async function take(given) {
    if (!given) return;
    answers.dataset.state = "busy";
    shown = given.name;
    text = await given.text();
    analyse(shown);
  }

  /** The file that the page shows, beside the pairs of the people and networks that it was made up with. */
  function takeExample() {
    choice.value = ownPublished.sets.findIndex(({ name }) => name === "example/animals");
    take(new File([ownPublished.example], "answers.csv"));
  }

  function followDrops() {
    answers.addEventListener("dragover", (event) => {
      event.preventDefault();
      answers.classList.add("own-over");
    });
    answers.addEventListener("dragleave", () => answers.classList.remove("own-over"));
    answers.addEventListener("drop", (event) => {
      event.preventDefault();
      answers.classList.remove("own-over");
      take(event.dataTransfer.files[0]);
    });
    // A file that misses the form would be opened in the place of the page.
    for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  }

  function startAnswers() {
    offerSets();
    followDrops();
    answers.addEventListener("submit", (event) => event.preventDefault());
    file.addEventListener("change", () => take(file.files[0]));
    // Else a file that was mended, and is chosen once more, would be no change.
    file.addEventListener("click", () => (file.value = ""));
    element("own-example").addEventListener("click", takeExample);
    classes.addEventListener("change", () => analyse(shown));
    choice.addEventListener(
      "change",
      () => result && !results.hidden && ownResults.compare(results, result, chosenSet(), ownPublished),
    );
  }

  // ---- planner -----------------------------------------------------------------------------------------------------

  const planner = element("own-planner");
  const output = element("own-plan");
  const RANGES = { ec: [-1, 1], a: [0, 1], b: [0, 1], width: [0.001, 1.999], trials: [1, 1_000_000] };
  const NAMES = {
    ec: "error consistency",
    a: "the accuracy of A",
    b: "the accuracy of B",
    width: "the width",
    trials: "the number of trials",
  };
  const WAIT = 150; // milliseconds: a slider that moves asks once it rests

  const minus = (number) => String(number).replace("-", "−");
  // Towards what is allowed, so that a reader who types the printed limit is not refused again.
  const roundedDown = (value) => Math.floor(value * 1000 + 1e-6) / 1000;

  /** What is wrong with the reader's numbers, or nothing. */
  function fault(request) {
    for (const [name, [low, high]] of Object.entries(RANGES)) {
      const value = request[name];
      if (value >= low && value <= high && (name !== "trials" || Number.isInteger(value))) continue;
      const kind = name === "trials" ? "a whole number" : "a number";
      return `Please give ${NAMES[name]} as ${kind} from ${minus(low)} to ${high.toLocaleString("en")}.`;
    }
    return "";
  }

  const inFull = (number) => number.toLocaleString("en");

  function planInWords({ ec, a, b, width, trials }, { low, high, needed, jointErrors, expectedWidth }) {
    if (Number.isNaN(low)) {
      return `Both accuracies are ${a}: error consistency is undefined where nobody ever fails, or everybody always.`;
    }
    const range = `${minus(-roundedDown(-low))} to ${minus(roundedDown(high))}`;
    const allowed = `accuracies of ${a} and ${b} allow error consistency from ${range}`;
    if (needed === undefined) return `An error consistency of ${minus(ec)} is impossible here: ${allowed}.`;
    const takes = Number.isFinite(needed)
      ? `about ${inFull(needed)} trials, on about ${inFull(Math.round(needed * jointErrors))} of which both are wrong`
      : "more than a million trials; allow a wider one";
    const expected = `With ${inFull(trials)} trials it is about ${Number(expectedWidth.toPrecision(2))} wide on average.`;
    return `An interval ${width} wide takes ${takes}. ${expected} (These ${allowed}.)`;
  }

  async function plan() {
    const request = Object.fromEntries(Object.keys(RANGES).map((name) => [name, planner.elements[name].valueAsNumber]));
    const message = fault(request);
    output.classList.toggle("own-error", Boolean(message));
    planner.dataset.state = "busy";
    output.textContent = message || planInWords(request, await ownAsk("plan", request));
    planner.dataset.state = message ? "failed" : "done";
  }

  /** Keep each number and its slider together. */
  function link(slider, ask) {
    const number = planner.elements[slider.dataset.for];
    slider.value = number.value;
    slider.addEventListener("input", () => {
      number.value = slider.value;
      ask();
    });
    number.addEventListener("input", () => {
      slider.value = number.value;
      ask();
    });
  }

  function startPlanner() {
    let waiting;
    const ask = () => {
      clearTimeout(waiting);
      planner.dataset.state = "busy";
      waiting = setTimeout(plan, WAIT);
    };
    planner.addEventListener("submit", (event) => event.preventDefault());
    planner.querySelectorAll("[data-for]").forEach((slider) => link(slider, ask));
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      plan();
    });
    seen.observe(planner);
  }

  if (answers) startAnswers();
  if (planner) startPlanner();
})();
