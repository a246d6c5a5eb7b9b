// Cures for the theme, for readers with a keyboard or a screen reader.
(() => {
  // Labels that say something else than what is written on the button.
  const MISLABELLED = ".search-button, .search-button__button, .theme-switch-button, .toggle-button, .toggle-hidden, details.toggle-details > summary";
  const SCROLLING = ".cell_output, .cell_output .output, .vl-view, mjx-container[display=true], div.math, div.highlight pre, .pst-scrollable-table-container";

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

  // The edge beyond which there is more fades.
  function shade(element) {
    const right = element.scrollWidth - element.clientWidth - element.scrollLeft;
    element.classList.toggle("more-right", right > 4);
    element.classList.toggle("more-left", element.scrollLeft > 4);
  }

  // What is wider than the page scrolls in its own frame, and a keyboard must get there.
  function frame() {
    document.querySelectorAll(SCROLLING).forEach((element, number) => {
      shade(element);
      if (element.scrollWidth <= element.clientWidth + 1) return;
      element.onscroll = () => shade(element);
      element.tabIndex = 0;
      element.setAttribute("role", "region");
      element.setAttribute("aria-label", `Scrolls sideways (${number + 1})`);
    });
  }

  // Numbers stand under each other, and their column's name above them.
  function alignNumbers() {
    document.querySelectorAll(".cell_output table").forEach((table) => {
      const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
      for (const cell of table.querySelectorAll("tbody td")) {
        if (!/^([-−+]?[\d.,]+(e[-+]\d+)?%?|NaN|undefined)$/.test(cell.textContent.trim())) continue;
        cell.classList.add("number");
        if (heads.length === cell.parentElement.cells.length) heads[cell.cellIndex].classList.add("number");
      }
    });
  }

  function cure() {
    relabel();
    frame();
  }

  alignNumbers();
  cure();
  addEventListener("load", () => {
    cure();
    window.MathJax?.startup?.promise.then(cure);
  });
  addEventListener("resize", frame);
  document.addEventListener("drawn", frame);
  document.addEventListener("toggle", frame, true);
})();
