// A guess that counts (book/erralign_book/building/guess.py): the reader answers, then the folds with the answer open.
// Guesses stay in this browser; the summary shows all of them. A drawn curve is several numbers with spaces between them.
(() => {
  const KEY = "erralign-guesses";
  const { withStore } = siteGuest;
  /** All guesses by lesson; a store may be closed to a page, then they last as long as it. */
  let made = withStore((store) => JSON.parse(store.getItem(KEY))) ?? {};
  function keep(all) {
    made = all;
    withStore((store) => store.setItem(KEY, JSON.stringify(made)));
    document.querySelectorAll(".guesses").forEach(summarise);
  }

  function create(tag, text, attributes = {}) {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...[text].flat());
    return element;
  }

  const numbers = (words) => words.split(" ").map(Number);
  const isCurve = ({ near, answer }) => near && answer.includes(" ");
  /** How far a guess is from the answer, over a curve on average. */
  function off({ guess, answer }) {
    const is = numbers(answer);
    return numbers(guess).reduce((sum, value, at) => sum + Math.abs(value - is[at]), 0) / is.length;
  }
  const isInside = ({ guess, low, high }) => low <= guess && guess <= high;
  const isRight = (each) => (each.near ? off(each) <= each.near || isInside(each) : each.guess === each.answer);
  const isExact = (each) => (each.near ? !off(each) : isRight(each));
  const inShort = (each) => (isCurve(each) ? `On average your curve and theirs are ${Math.round(off(each))} percentage points apart.` : `You guessed ${each.guess}.`);
  const inWord = (each) => (isExact(each) ? "Right: it" : isRight(each) ? "Close: it" : "It");
  const judged = (each) => (isCurve(each) ? "" : `${inWord(each)} is ${each.answer}. `);
  const verdict = (each) => `${inShort(each)} ${judged(each)}${each.because}`;

  /** Bring a question to life; its folds are those between it and the next one. */
  function start(form, folds) {
    const [output, status, curve] = ["output", "[role=status]", ".guess-curve"].map((part) => form.querySelector(part));
    const inputs = [...form.querySelectorAll("input")];
    const asked = JSON.parse(form.dataset.guess);
    const again = create("button", "Forget my guess", { type: "button", className: "guess-again" });
    form.append(again);
    form.elements[0].disabled = false;
    const submit = form.querySelector("button:not([value], .guess-again)");
    const digits = asked.answer.split(" ")[0].split(".")[1]?.length ?? 0;
    const said = () => inputs.map(({ value }) => Number(value).toFixed(digits)).join(" ");

    /** Draw the reader's guess; what nobody has touched is none. */
    function draw() {
      const touched = inputs.some(({ dataset }) => "moved" in dataset);
      form.toggleAttribute("data-touched", touched);
      submit.disabled = !touched;
      if (output) {
        output.value = touched || form.matches("[data-made]") ? said() : "";
        const [{ value, min, max }] = inputs;
        output.parentElement.style.setProperty("--mine", (value - min) / (max - min));
      }
      if (!curve) return;
      inputs.forEach((each) => each.style.setProperty("--up", each.value));
      const all = [curve.querySelector("i").style.getPropertyValue("--up"), ...inputs.map(({ value }) => value)];
      curve.querySelector(".mine").setAttribute("points", all.map((value, at) => `${at},${100 - value}`).join(" "));
    }

    /** Move a point of the curve, and with it those to its right that nobody has moved. */
    function move(at, value = inputs[at].value) {
      inputs.forEach((each, place) => {
        if (place === at || (place > at && !("moved" in each.dataset))) each.value = value;
      });
      inputs[at].dataset.moved = "";
      draw();
    }

    function follow({ clientX, clientY, buttons }) {
      const box = curve.getBoundingClientRect();
      const at = Math.round(((clientX - box.x) / box.width) * inputs.length) - 1;
      if (buttons && at in inputs) move(at, Math.round(100 - ((clientY - box.y) / box.height) * 100));
    }

    function show() {
      const mine = made[asked.lesson]?.question === asked.question && { ...asked, guess: made[asked.lesson].guess };
      form.toggleAttribute("data-made", mine);
      form.querySelector(".guess-controls").inert = mine;
      again.hidden = !mine;
      status.textContent = mine ? verdict(mine) : "Choose first; then read on.";
      if (!mine) inputs.forEach(({ dataset }) => delete dataset.moved);
      else numbers(mine.guess).forEach((value, at) => inputs[at] && (inputs[at].value = value));
      if (inputs.length) draw();
      form.querySelectorAll("[value]:is(button)").forEach((button) => {
        button.setAttribute("aria-pressed", button.value === mine.guess);
        button.toggleAttribute("data-answer", button.value === asked.answer);
      });
      for (const fold of folds) fold.open = mine;
    }

    const touch = (at) => ({ key }) => /Tab|Shift/.test(key) || move(at);
    inputs.forEach((each, at) => ["input", "click", "keydown"].forEach((moved) => each.addEventListener(moved, touch(at))));
    for (const drawn of ["pointerdown", "pointermove"]) curve?.addEventListener(drawn, follow);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      keep({ ...made, [asked.lesson]: { ...asked, guess: event.submitter?.value || said() } });
      show();
    });
    again.addEventListener("click", () => {
      const { [asked.lesson]: _, ...others } = made;
      keep(others);
      show();
    });
    show();
  }

  function summarise(place) {
    const rows = Object.values(made);
    const items = rows.map((each) => create("li", [create("a", each.question, { href: `${each.lesson}.html` }), ` ${inShort(each)} ${judged(each)}`]));
    const forget = create("button", "Forget all my guesses", { type: "button" });
    forget.addEventListener("click", () => keep({}));
    const none = create("p", "You have guessed nothing yet: nearly every lesson asks a question.");
    place.replaceChildren(...(rows.length ? [create("ol", items), forget] : [none]));
  }

  const folds = new Map();
  let form;
  for (const part of document.querySelectorAll("form.guess, details.guessed")) {
    if (part.matches("form")) folds.set((form = part), []);
    else folds.get(form)?.push(part);
  }
  folds.forEach((own, each) => start(each, own));
  document.querySelectorAll(".guesses").forEach(summarise);
})();
