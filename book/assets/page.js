// Cures for the theme, for readers with a keyboard or a screen reader.
(() => {
  // Labels that say something else than what is written on the button.
  const MISLABELLED = ".search-button, .search-button__button, .theme-switch-button";

  const LONG = 12; // characters of a name that may break
  const SENTENCE = 40; // characters of a cell that is read rather than compared

  function relabel() {
    // A bibliography is a list; the theme's role wants a parent that it does not have.
    document.querySelectorAll("[role=doc-biblioentry]").forEach((entry) => entry.setAttribute("role", "listitem"));
    document.querySelectorAll(MISLABELLED).forEach((element) => {
      if (element.textContent.trim()) element.removeAttribute("aria-label");
    });
    const sidebar = document.getElementById("pst-primary-sidebar");
    sidebar?.setAttribute("role", "navigation");
    sidebar?.setAttribute("aria-label", "The book");
  }

  /** Let long names of functions break where a reader would break them: after an underscore, a point, a bracket. */
  function breakNames() {
    const names = document.querySelectorAll(".sig-name .pre, .sig-prename .pre, .sig-param .pre, .genindextable a");
    const texts = [...names].flatMap((name) => [...name.childNodes]).filter((node) => node.length > LONG);
    texts.forEach((text) => {
      const parts = text.data.split(/(?<=[_.])(?=\w)/);
      text.replaceWith(...parts.flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part])));
    });
    document.querySelectorAll("dl.py .sig-paren").forEach((bracket) => bracket.after(document.createElement("wbr")));
  }

  /** Let each cell of a written table of sentences know its column's head: on a phone rows are cards (tables.css). */
  function nameCells() {
    for (const table of document.querySelectorAll(".pst-scrollable-table-container table")) {
      const [head, ...rows] = [...table.rows].map(({ cells }) => [...cells]);
      if (!rows.flat().some((cell) => cell.textContent.length > SENTENCE)) continue;
      table.classList.add("sentences");
      for (const [, ...cells] of rows) cells.forEach((cell, i) => (cell.dataset.head = head[i + 1].textContent.trim()));
    }
  }

  // All functions were on one page once; it lists where each is now.
  const { hash, pathname } = location;
  if (hash.startsWith("#erralign.") && !document.getElementById(hash.slice(1))) {
    const moved = [...document.links].find((link) => link.hash === hash && link.pathname !== pathname);
    if (moved) location.replace(moved.href);
  }

  relabel();
  breakNames();
  nameCells();
  addEventListener("load", relabel);
})();
