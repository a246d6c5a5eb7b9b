/** The planner's form: a reader's sliders go to a worker, what comes back is said in words. */
(() => {
  const element = (id) => document.getElementById(id);

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
  const roundedDown = (value) => Math.floor(value * 100 + 1e-6) / 100;

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

  startPlanner();
})();
