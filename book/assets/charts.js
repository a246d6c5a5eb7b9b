// A <figure class="vl"> is a drawing until the reader touches it; then Vega comes, and draws the same to be used. Where
// nothing was drawn beforehand (reports, "Your own data") it is drawn when it comes near.
(() => {
  const NEAR = "500px 0px";
  const MANY = 2000; // rows beyond this are drawn as pixels (canvas): 14,000 elements of SVG answer late
  const LEAST = 560; // pixels: a chart that fills its frame is as wide on a phone, and scrolls there (style.css)
  const here = document.currentScript.src;
  const theme = () => document.documentElement.dataset.theme ?? "light";

  let coming;
  function vega() {
    coming ??= window.vegaEmbed
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          const src = new URL("vendor/vega.js", here).href;
          document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
        });
    return Promise.all([coming, document.fonts.load("12px 'Erralign Sans'")]); // words are measured before they are drawn
  }

  // On paper and on a light page charts are as written; in the dark each colour has another (erralign/plot/colours.py).
  function inTheDark(part, dark) {
    if (typeof part === "string") return part.replace(/#[0-9A-F]{6}/gi, (each) => dark[each.toUpperCase()] ?? each); // also in expressions
    if (Array.isArray(part)) return part.map((each) => inTheDark(each, dark));
    if (!part || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inTheDark(each, dark)]));
  }

  function read(figure) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    return theme() === "dark" && spec.usermeta ? { ...inTheDark(spec, spec.usermeta.dark), datasets: spec.datasets } : spec;
  }

  const rowsOf = (spec) => Math.max(0, ...Object.values(spec.datasets ?? {}).map((table) => table.length));
  // Vega-Lite would warn of charts whose bars set their height.
  const fit = (compiled) => ({ ...compiled, autosize: { type: "fit-x", contains: "padding" } });

  const views = new Map();
  async function draw(figure) {
    await vega();
    const drawnIn = theme();
    const frame = figure.querySelector(".vl-view");
    const spec = read(figure);
    const before = frame.querySelector(".marks"); // as wide as it was drawn beforehand
    figure.dataset.width ??= before?.getAttribute("width") ?? Math.max(LEAST, frame.clientWidth);
    figure.dataset.renderer ??= (before ? before.matches("img") : rowsOf(spec) > MANY) ? "canvas" : "svg";
    const fits = spec.width === "container";
    const params = spec.params?.map(({ bind, ...param }) => (bind?.input ? param : { bind, ...param }));
    const sized = fits ? { width: Number(figure.dataset.width), autosize: "pad" } : {};
    const place = document.createElement("div");
    const { view } = await vegaEmbed(place, { ...spec, ...sized, ...(params ? { params } : {}) }, {
      renderer: figure.dataset.renderer,
      patch: fits ? fit : undefined,
      tooltip: { sanitize: chartControls.safe },
      actions: false,
    });
    place.querySelector(".marks").classList.toggle("fits", fits);
    frame.replaceChildren(place);
    await chartControls.attend(figure, spec, view);
    views.get(figure)?.finalize();
    views.set(figure, view);
    figure.dataset.drawn = drawnIn;
    document.dispatchEvent(new Event("drawn"));
  }

  // One drawing of a figure at a time, and none that is out of date before it begins.
  const waiting = new Map();
  function refresh(figure, anew = false) {
    const drawIfStale = () => (anew || figure.dataset.drawn !== theme()) && draw(figure);
    waiting.set(figure, Promise.resolve(waiting.get(figure)).then(drawIfStale, drawIfStale));
    return waiting.get(figure);
  }

  for (const touch of ["pointerover", "focusin", "keydown", "input"]) {
    document.addEventListener(touch, ({ target }) => {
      const figure = target.closest?.("figure.vl");
      if (figure && !figure.dataset.drawn) refresh(figure);
    });
  }
  // What was clicked before the chart could answer is clicked once more.
  document.addEventListener("click", ({ target, clientX, clientY }) => {
    const figure = target.closest?.(".vl-view")?.closest("figure.vl");
    if (!figure || figure.dataset.drawn) return;
    const before = figure.getBoundingClientRect();
    refresh(figure).then(() => {
      const now = figure.getBoundingClientRect(); // the page may have scrolled meanwhile
      const [x, y] = [clientX + now.left - before.left, clientY + now.top - before.top];
      document.elementFromPoint(x, y)?.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
    });
  });
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => refresh(target)),
    { rootMargin: NEAR },
  );
  const undrawn = () => document.querySelectorAll("figure.vl:not(:has(.vl-view > *))");
  undrawn().forEach((figure) => near.observe(figure));
  for (const printing of [window, matchMedia("print")]) {
    for (const moment of ["beforeprint", "change"]) printing.addEventListener(moment, () => undrawn().forEach((figure) => refresh(figure)));
  }
  new MutationObserver(() => views.forEach((_, figure) => refresh(figure))).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  // A page's own script has filled a figure.
  document.addEventListener("new-chart", ({ target }) => refresh(target, true));
})();
