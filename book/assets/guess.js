// A guess that counts (book/erralign_book/building/guess.py): the reader answers, then the folds with the answer open.
// Guesses stay in this browser; the summary shows all of them. A drawn curve is several numbers with spaces between them.
(() => {
  const KEY = "erralign-guesses";
  const [{ withStore }, { make }] = [siteGuest, chartControls];
  /** All guesses by lesson; a store may be closed to a page, then they last as long as it. */
  let made = withStore((store) => JSON.parse(store.getItem(KEY))) ?? {};
  function keep(all) {
    made = all;
    withStore((store) => store.setItem(KEY, JSON.stringify(made)));
    document.querySelectorAll(".guesses").forEach(summarise);
  }

  const numbers = (words) => words.split(" ").map(Number);
  const isCurve = ({ near, answer }) => near && answer.includes(" ");
  /** How far a guess is from the answer at each place of a curve, and on average. */
  const gaps = ({ guess, answer }) => numbers(answer).map((is, at) => Math.abs(numbers(guess)[at] - is));
  const off = (each) => gaps(each).reduce((sum, gap) => sum + gap, 0) / gaps(each).length;
  const furthest = (each) => gaps(each).indexOf(Math.max(...gaps(each)));
  const drawn = ({ guess, answer, places }, at) => `You were furthest off at ${places?.[at] ?? "one place"}: you drew ${numbers(guess)[at]}\u00a0%, it is ${numbers(answer)[at]}\u00a0%.`;
  const isRight = (each) => (each.near ? off(each) <= each.near || (each.low <= each.guess && each.guess <= each.high) : each.guess === each.answer);
  const inShort = (each) => (isCurve(each) ? drawn(each, furthest(each)) : `You guessed ${each.guess}.`);
  const judged = (each) => (isCurve(each) ? "" : `${!isRight(each) ? "It" : each.near && off(each) ? "Close: it" : "Right: it"} is ${each.answer}. `);

  /** Bring a question to life; its folds are those between it and the next one. */
  function start(form, folds) {
    const [output, status, curve] = ["output", "[role=status]", ".guess-curve"].map((part) => form.querySelector(part));
    const inputs = [...form.querySelectorAll("input")];
    const asked = JSON.parse(form.dataset.guess);
    const again = make("button", { type: "button", class: "guess-again" }, "Forget my guess");
    form.append(again);
    form.elements[0].disabled = false;
    const submit = form.querySelector("button:not([value], .guess-again)");
    const digits = asked.answer.split(" ")[0].split(".")[1]?.length ?? 0;
    const said = () => inputs.map(({ value }) => Number(value).toFixed(digits)).join(" ");

    /** Draw the reader's guess; what nobody has touched is none, and a curve has all its points. */
    function draw() {
      const touched = inputs.every(({ dataset }) => "moved" in dataset) || form.matches("[data-made]");
      form.toggleAttribute("data-touched", touched);
      submit.disabled = !touched;
      if (output) {
        output.value = touched ? said() : "";
        const [{ value, min, max }] = inputs;
        output.parentElement.style.setProperty("--mine", (value - min) / (max - min));
      }
      if (!curve) return;
      inputs.forEach((each) => each.style.setProperty("--up", each.value));
      curve.querySelector("b.mine").style.setProperty("--up", inputs.at(-1).value);
      const [all, is] = [".mine", ".networks"].map((name) => curve.querySelector(`polyline${name}`));
      const start = `0,${100 - curve.querySelector("i").style.getPropertyValue("--up")}`;
      const points = inputs.flatMap(({ value, dataset }, at) => (touched || "moved" in dataset ? [`${at + 1},${100 - value}`] : []));
      all.setAttribute("points", [start, ...points].join(" "));
      curve.querySelector("polygon").setAttribute("points", [start, ...points, ...is.getAttribute("points").split(" ").reverse()].join(" "));
    }

    function move(at, value = inputs[at].value) {
      inputs[at].value = value;
      inputs[at].dataset.moved = "";
      draw();
    }

    let last; // where the pointer was
    /** Draw from where the pointer was to where it is: a fast one skips points. */
    function follow({ type, clientX, clientY, buttons, pointerId }) {
      if (type === "pointerdown") curve.setPointerCapture(pointerId); // beyond the axes, too
      const box = curve.getBoundingClientRect();
      const now = [((clientX - box.x) / box.width) * inputs.length - 1, 100 - ((clientY - box.y) / box.height) * 100];
      const from = type === "pointermove" && last ? last : now;
      last = buttons ? now : undefined;
      if (!buttons) return;
      const [left, right] = [from, now].sort(([one], [other]) => one - other);
      inputs.forEach((_, at) => {
        if (at < left[0] - 0.5 || at > right[0] + 0.5) return;
        const share = Math.min(1, Math.max(0, (at - left[0]) / (right[0] - left[0] || 1)));
        move(at, Math.round(left[1] + share * (right[1] - left[1])));
      });
    }

    function show() {
      const mine = made[asked.lesson]?.question === asked.question && { ...asked, guess: made[asked.lesson].guess };
      form.toggleAttribute("data-made", mine);
      form.querySelector(".guess-controls").inert = mine;
      again.hidden = !mine;
      status.textContent = mine ? `${inShort(mine)} ${judged(mine)}${mine.because}` : `${curve ? "Draw to the right edge" : inputs.length ? "Drag the point" : "Choose"}, then read on.`;
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

  /** The line of a guess, from the least answer to the most: the reader's place, the answer's, its interval. Words have no line. */
  function track(each) {
    const { whose = "words", ends = [0, 100] } = each;
    const [mine, is] = [each.guess, each.answer].map((said) => (isCurve(each) ? numbers(said)[furthest(each)] : said));
    const places = each.near ? Object.entries({ is, mine, low: each.low ?? is, high: each.high ?? is }) : [];
    const style = places.map(([name, said]) => `--${name}: ${(said - ends[0]) / (ends[1] - ends[0])}`).join("; ");
    const look = { class: `guess-line ${whose}`, role: "img", title: `${inShort(each)} ${judged(each)}`.trim(), "data-is": is, style };
    return make("span", look, make("i"), make("output", {}, mine), ...ends.map((end) => make("small", {}, `${end}`.replace("-", "−"))));
  }

  function summarise(place) {
    const short = JSON.parse(place.dataset.short);
    const rows = Object.keys({ ...short, ...made }).flatMap((lesson) => made[lesson] ?? []);
    const link = ({ lesson, question }) => make("a", { href: `${lesson}.html` }, short[lesson] ?? question);
    const items = rows.map((each) => make("li", { class: isRight(each) ? "right" : "" }, link(each), track(each)));
    const forget = make("button", { type: "button" }, "Forget all my guesses");
    forget.onclick = () => keep({});
    place.replaceChildren(...(rows.length ? [`Right or close: ${rows.filter(isRight).length} of ${rows.length}`, make("ol", {}, ...items), forget] : []));
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
