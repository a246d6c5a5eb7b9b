// Paper is light, whatever the screen is. Scripts that draw listen to "paper".
(() => {
  const page = document.documentElement;
  let screen = null;

  function toPaper() {
    if (screen !== null) return;
    screen = page.dataset.theme;
    page.dataset.theme = "light";
    document.dispatchEvent(new CustomEvent("paper", { detail: true }));
  }

  function toScreen() {
    if (screen === null) return;
    page.dataset.theme = screen;
    screen = null;
    document.dispatchEvent(new CustomEvent("paper", { detail: false }));
  }

  addEventListener("beforeprint", toPaper);
  addEventListener("afterprint", toScreen);
  matchMedia("print").addEventListener("change", ({ matches }) => (matches ? toPaper() : toScreen()));
})();
