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

  // All functions were on one page once; it lists where each is now.
  const { hash, pathname } = location;
  if (hash.startsWith("#erralign.") && !document.getElementById(hash.slice(1))) {
    const moved = [...document.links].find((link) => link.hash === hash && link.pathname !== pathname);
    if (moved) location.replace(moved.href);
  }

  relabel();
  addEventListener("load", relabel);
})();
