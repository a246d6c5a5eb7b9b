// Paper is light, whatever the screen is.
(() => {
  const page = document.documentElement;
  let screen = null;
  let opened = [];

  function toPaper() {
    if (screen !== null) return;
    screen = page.dataset.theme;
    page.dataset.theme = "light";
    // Answers, and other words in folds, are read on paper too; code only where the reader had opened it.
    opened = [...document.querySelectorAll(":is(article :is(.sd-dropdown, .guessed, .exercises, .pictures details), .on-paper):not([open])")];
    opened.forEach((fold) => (fold.open = true));
  }

  function toScreen() {
    if (screen === null) return;
    page.dataset.theme = screen;
    screen = null;
    opened.forEach((fold) => (fold.open = false));
  }

  addEventListener("beforeprint", toPaper);
  addEventListener("afterprint", toScreen);
  matchMedia("print").addEventListener("change", ({ matches }) => (matches ? toPaper() : toScreen()));
})();
