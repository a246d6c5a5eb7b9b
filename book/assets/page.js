// Cures for the theme, for readers with a keyboard or a screen reader.
(() => {
  // Labels that say something else than what is written on the button.
  const MISLABELLED = ".search-button, .search-button__button, .theme-switch-button";

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

  relabel();
  addEventListener("load", relabel);
})();
