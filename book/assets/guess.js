// A guess that counts (book/erralign_book/building/guess.py): the reader answers, then the folds with the answer open.
// Guesses stay in this browser; the summary shows all of them.
(() => {
  const KEY = "erralign-guesses";
  /** All guesses by lesson; a store may be closed to a page, then they last as long as it. */
  let made = {};
  try {
    made = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {}
  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(made));
    } catch {}
  }

  function create(tag, text, attributes = {}) {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...[text].flat());
    return element;
  }

  const isRight = ({ guess, answer, near }) => (near ? Math.abs(guess - answer) <= near : guess === answer);
  const verdict = (each) => `You guessed ${each.guess}. ${isRight(each) ? "Right" : "No"}: it is ${each.answer}. ${each.because}`;

  /** Bring a question to life; its folds are those between it and the next one. */
  function start(form, folds) {
    const [range, output, status] = ["input", "output", "[role=status]"].map((part) => form.querySelector(part));
    const asked = JSON.parse(form.dataset.guess);
    const again = create("button", "Forget my guess", { type: "button", className: "guess-again" });
    form.append(again);
    form.elements[0].disabled = false;
    const inWords = (value) => Number(value).toFixed(asked.answer.split(".")[1]?.length ?? 0);

    /** A slider says nothing until the reader has moved it. */
    function touch(touched = true) {
      form.toggleAttribute("data-touched", touched);
      form.querySelector(".guess-line ~ button").disabled = !touched;
      output.value = touched ? inWords(range.value) : "?";
    }

    function show() {
      const mine = made[asked.lesson]?.question === asked.question && { ...asked, guess: made[asked.lesson].guess };
      form.toggleAttribute("data-made", mine);
      form.querySelector(".guess-controls").inert = mine;
      again.hidden = !mine;
      status.textContent = mine ? verdict(mine) : "Choose first; then read on.";
      if (mine && range) range.value = mine.guess;
      if (range) touch(Boolean(mine));
      form.querySelectorAll("[value]:is(button)").forEach((button) => {
        button.setAttribute("aria-pressed", button.value === mine.guess);
        button.toggleAttribute("data-answer", mine && button.value === asked.answer);
      });
      for (const fold of folds) {
        fold.open = mine;
        fold.querySelector(".guess-said")?.remove();
        if (mine) fold.querySelector("summary").after(create("p", `You guessed ${mine.guess}.`, { className: "guess-said" }));
      }
    }

    for (const moved of ["input", "click"]) range?.addEventListener(moved, () => touch());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      made[asked.lesson] = { ...asked, guess: event.submitter?.value || inWords(range.value) };
      keep();
      show();
    });
    again.addEventListener("click", () => {
      delete made[asked.lesson];
      keep();
      show();
    });
    show();
  }

  function summarise(place) {
    const rows = Object.values(made);
    const right = rows.filter(isRight).length;
    const items = rows.map((each) => create("li", [create("a", each.question, { href: `${each.lesson}.html` }), ` ${verdict(each)}`], { className: isRight(each) ? "right" : "" }));
    const forget = create("button", "Forget all my guesses", { type: "button", hidden: !rows.length });
    forget.addEventListener("click", () => ((made = {}), keep(), summarise(place)));
    const head = rows.length ? `You were right on ${right} of ${rows.length} questions.` : "You have guessed nothing yet: each lesson begins with a question.";
    place.replaceChildren(create("p", head), create("ol", items), forget);
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
