// Long tables of results: a reader sorts them by a column and keeps the rows that hold a word. Cells with the tag
// "sortable" have one; without this script the table is as it was written.
(() => {
  const { make } = chartControls;
  const words = (cell) => cell?.textContent.trim() ?? "";
  const number = (text) => Number.parseFloat(text.replace("−", "-").replaceAll(",", ""));

  /** Before or after: numbers by size, words by the alphabet, and what says nothing always last. */
  function compare(one, other, down) {
    const [a, b] = [words(one), words(other)];
    const nothing = (text) => !text || text === "–";
    if (nothing(a) || nothing(b)) return nothing(a) - nothing(b);
    const [x, y] = [number(a), number(b)];
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return down ? -order : order;
  }

  function sort(table, head, place) {
    const down = head.getAttribute("aria-sort") !== "descending";
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => compare(one.cells[place], other.cells[place], down));
    table.tBodies[0].append(...rows);
    table.querySelectorAll("th[aria-sort]").forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  function keep(table, text, status) {
    const rows = [...table.tBodies[0].rows];
    const wanted = text.toLowerCase().split(/\s+/);
    rows.forEach((row) => (row.hidden = !wanted.every((word) => words(row).toLowerCase().includes(word))));
    status.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  }

  document.querySelectorAll(".tag_sortable figure.table").forEach((figure) => {
    const table = figure.querySelector("table");
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      const button = make("button", {}, ...head.childNodes);
      button.addEventListener("click", () => sort(table, head, place));
      head.append(button);
    });
    const [field, status] = [make("input", { type: "search" }), make("output")];
    field.addEventListener("input", () => keep(table, field.value, status));
    const line = make("p", { class: "filter" }, make("label", {}, "Rows with ", field), " ", status);
    figure.querySelector("figcaption").after(line);
    keep(table, "", status);
  });
})();
