// Brings strips to life (book/erralign_book/charts/index.py): a tile that is pressed takes the next answer, and EC and MA
// are computed anew, by the functions of the page "Your own data" (own-data/measures.js).
(() => {
  const { inWords, kappa, rightTable, jointAnswers, countAgreement, agreement } = ownMeasures();
  const { make } = chartControls;
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

  const compare = (truth, a, b, nClasses) => ({
    EC: kappa(...rightTable(truth, a, b)),
    MA: agreement(countAgreement(...jointAnswers(truth, a, b), nClasses)),
  });

  function start(figure) {
    const classes = JSON.parse(figure.dataset.classes);
    const truth = [...figure.querySelectorAll("[data-truth]")].map((cell) => Number(cell.dataset.truth));
    const rows = [...figure.querySelectorAll("tr[data-system]")];
    const base = rows.find((row) => row.dataset.system === figure.dataset.with);
    const tiles = rows.map((row) => [...row.querySelectorAll(".tile")]);
    const first = tiles.map((row) => row.map((tile) => Number(tile.dataset.said)));
    const answersOf = (row) => tiles[rows.indexOf(row)].map((tile) => Number(tile.dataset.said));

    const keys = matchMedia("(hover: hover)").matches ? " Keys work too: arrows go from tile to tile, Enter flips one." : "";
    const status = make("p", { role: "status" }, `Press a tile to change it.${keys}`);
    const again = make("button", { type: "button", hidden: "" }, "Start again");
    figure.append(make("div", { class: "live-foot" }, status, again));

    /** Write a value, and return what changed, in words. */
    function show(cell, value) {
      const shown = cell.querySelector("span");
      const words = inWords(value);
      const before = shown.textContent;
      shown.textContent = words;
      cell.dataset.value = value;
      cell.classList.toggle("moved", words !== before);
      return words === before ? [] : [`${cell.dataset.measure} ${before} → ${words}`];
    }

    /** Compute all values, and return those that changed, by system. */
    function update() {
      return rows
        .filter((row) => row !== base)
        .map((row) => {
          const values = compare(truth, answersOf(base), answersOf(row), classes.length);
          const changes = [...row.querySelectorAll("[data-measure]")].flatMap((cell) => show(cell, values[cell.dataset.measure]));
          return [row.dataset.system, changes];
        })
        .filter(([, changes]) => changes.length);
    }

    function say(row, picture, label) {
      const tile = tiles[row][picture];
      const name = `${rows[row].dataset.system}, picture ${picture + 1}`;
      tile.dataset.said = label;
      tile.textContent = classes[label];
      tile.toggleAttribute("data-wrong", label !== truth[picture]);
      tile.setAttribute("aria-label", `${name}: ${classes[label]}`);
      return `${name}: now “${classes[label]}”, ${label === truth[picture] ? "right" : "wrong"}.`;
    }

    function flip(row, picture) {
      const flipped = say(row, picture, (Number(tiles[row][picture].dataset.said) + 1) % classes.length);
      const news = update().map(([system, changes]) => `${system}: ${changes.join(", ")}`);
      status.textContent = `${flipped} ${news.join("; ") || "No value changes"}.`;
      again.hidden = false;
    }

    again.addEventListener("click", () => {
      first.forEach((labels, row) => labels.forEach((label, picture) => say(row, picture, label)));
      update();
      status.textContent = "The readers are as they were.";
      tiles[0][0].focus();
      again.hidden = true;
    });

    // One stop for the Tab key; arrows go from tile to tile.
    function stopAt(chosen) {
      tiles.flat().forEach((tile) => (tile.tabIndex = tile === chosen ? 0 : -1));
    }
    tiles.forEach((labels, row) =>
      labels.forEach((tile, picture) => {
        tile.addEventListener("click", () => flip(row, picture));
        tile.addEventListener("focus", () => stopAt(tile));
        tile.addEventListener("keydown", (event) => {
          const [down, right] = STEPS[event.key] ?? [0, 0];
          if (!down && !right) return;
          event.preventDefault();
          tiles[row + down]?.[picture + right]?.focus();
        });
      }),
    );
    stopAt(tiles[0][0]);
    update();
    figure.querySelectorAll(".moved").forEach((cell) => cell.classList.remove("moved"));
    figure.dataset.live = "";
  }

  document.querySelectorAll("figure.live-strips").forEach(start);
})();
