// Draws every <figure class="vl"> in the page's colours, and again when the reader turns dark mode on or off.
(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Colours of the page win over the chart's theme; the rest are defaults that a chart may change.
  function pageColours() {
    const text = colour("--pst-color-text-base");
    const line = colour("--pst-color-border");
    const words = { labelColor: text, titleColor: text };
    return {
      aria: false, // the figure carries the description; thousands of marks read aloud help nobody
      background: "transparent",
      axis: { ...words, domainColor: line, tickColor: line, gridColor: line },
      legend: words,
      header: words,
      title: { color: text, subtitleColor: text },
      view: { stroke: "transparent" },
    };
  }

  function defaults(width) {
    const text = colour("--pst-color-text-base");
    return {
      legend: { orient: "bottom", columns: Math.max(1, Math.floor(width / 150)), labelLimit: width - 60, titleLimit: width },
      text: { color: text },
      rule: { color: text },
      tick: { color: text },
    };
  }

  function merge(...layers) {
    const result = {};
    for (const layer of layers) {
      for (const [key, value] of Object.entries(layer ?? {})) {
        const nested = value && typeof value === "object" && !Array.isArray(value);
        result[key] = nested ? merge(result[key], value) : value;
      }
    }
    return result;
  }

  // A chart as wide as the page. Vega-Lite can do it too, but then warns about every chart whose bars set its height,
  // and measures the page while it is still being laid out.
  function fitToPage({ width, ...compiled }) {
    const page = { name: "width", init: "isFinite(containerSize()[0]) ? containerSize()[0] : 300" };
    return { ...compiled, autosize: { type: "fit-x", contains: "padding" }, signals: [page, ...(compiled.signals ?? [])] };
  }

  const drawn = new Map();

  const follow = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const chart = drawn.get(target.parentElement);
      if (chart && Math.abs(chart.signal("width") - contentRect.width) > 1) chart.signal("width", contentRect.width).runAsync();
    }
  });

  // What the reader has selected survives a change of colours.
  function keepSelection(spec, before, after) {
    for (const { name, bind } of spec.params ?? []) {
      if (bind && typeof bind === "object") after.signal(name, before.signal(name));
    }
    return after.runAsync();
  }

  async function draw(figure) {
    const view = figure.querySelector(".vl-view");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    spec.config = merge(defaults(view.clientWidth), spec.config, pageColours());
    delete spec.background;
    const before = drawn.get(figure);
    const fits = spec.width === "container";
    if (fits) Object.assign(spec, { width: view.clientWidth, autosize: "pad" });
    const { view: after } = await vegaEmbed(view, spec, {
      patch: fits ? fitToPage : undefined,
      renderer: "svg",
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: "erralign",
    });
    if (before) await keepSelection(spec, before, after).then(() => before.finalize());
    drawn.set(figure, after);
    if (fits) follow.observe(view);
    view.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    figure.dataset.drawn = document.documentElement.dataset.theme;
    document.dispatchEvent(new Event("drawn"));
  }

  const drawAll = () => document.querySelectorAll("figure.vl").forEach(draw);
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  document.addEventListener("new-chart", ({ target }) => draw(target)); // a page's own script has filled a figure
  drawAll();
})();
