// Draws every <figure class="vl"> in the page's colours when it comes near, and again when the reader turns dark mode
// on or off. On paper all are drawn, in light (print.js).
(() => {
  const NEAR = "500px 0px"; // a chart is there before the reader is
  const MANY = 2000; // marks beyond this are pixels (canvas): a page with 14,000 elements of SVG answers late
  const NARROW = 600; // pixels: panels stand below each other
  const AROUND = 145; // pixels beside panels: an axis, names of lines
  const BESIDE = 128; // the same, beside one panel that stands alone
  const theme = () => document.documentElement.dataset.theme ?? "light";
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

  // On paper and on a light page charts are as written; in the dark each colour has another (charts/colours.py).
  function inTheDark(part, dark) {
    if (typeof part === "string" && part.startsWith("{'gradient'")) return part.replace(/#[0-9A-F]{6}/g, (each) => dark[each] ?? each); // a split mark
    if (typeof part === "string") return dark[part] ?? part;
    if (Array.isArray(part)) return part.map((each) => inTheDark(each, dark));
    if (!part || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inTheDark(each, dark)]));
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
      // The signal is the frame's width once the chart is drawn: what is as wide as the page is the whole drawing.
      const wide = target.querySelector(".marks")?.getBoundingClientRect().width;
      if (chart && Math.abs(wide - contentRect.width) > 1) chart.signal("width", contentRect.width).resize().runAsync();
    }
  });

  // What the reader has selected survives a change of colours.
  function keepSelection(spec, before, after) {
    for (const { name, bind } of spec.params ?? []) {
      if (bind && typeof bind === "object") after.signal(name, before.signal(name));
    }
    return after.runAsync();
  }

  // charts/packing.py writes tables by column.
  function unpack({ columns, ...table }) {
    if (!columns) return Object.values(table);
    const names = Object.keys(columns);
    const lists = names.map((name) => columns[name].of ? columns[name].at.map((place) => columns[name].of[place]) : columns[name]);
    return lists[0].map((_, row) => Object.fromEntries(names.map((name, number) => [name, lists[number][row]])));
  }

  function read(figure) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    for (const [name, table] of Object.entries(spec.datasets ?? {})) spec.datasets[name] = unpack(table);
    return spec;
  }

  const rowsOf = (spec) => Math.max(0, ...Object.values(spec.datasets ?? {}).map((table) => table.length));

  // What could be many marks is drawn as pixels first; where a selector left few of many rows, once more, as SVG.
  async function embed(figure, view, spec, options) {
    const renderer = figure.dataset.renderer ?? (rowsOf(spec) > MANY ? "canvas" : "svg");
    const { view: drawing } = await vegaEmbed(view, spec, { ...options, renderer });
    const few = figure.dataset.renderer === undefined && renderer === "canvas" && chartControls.marksOf(drawing).length <= MANY;
    figure.dataset.renderer ??= few ? "svg" : renderer;
    if (onPaper && renderer === "canvas" && !few) view.querySelector("canvas").replaceWith(await copied(drawing));
    if (!few) return drawing;
    drawing.finalize();
    return embed(figure, view, spec, options);
  }

  // A browser prints what was just drawn on a canvas mark by mark, in many megabytes; its copy is a picture.
  async function copied(drawing) {
    const source = await drawing.toCanvas(2);
    const copy = source.cloneNode();
    copy.style.width = `${source.width / 2}px`;
    copy.getContext("2d").drawImage(source, 0, 0);
    return copy;
  }

  // Panels that stand beside each other stand below each other on a phone; charts say what changes by "stacked".
  function stack(spec, width) {
    if (!spec.concat || width >= NARROW) return;
    spec.columns = 1;
    const room = width - BESIDE;
    for (const panel of spec.concat) if (panel.width !== panel.height) panel.width = room;
    for (const param of spec.params ?? []) if (param.name === "stacked") param.value = true;
  }

  // Panels of an hconcat stay beside each other on a phone, too, and become smaller: pictures as they are, others less high.
  function shrink({ hconcat = [] }, width) {
    const wide = hconcat.reduce((sum, panel) => sum + panel.width, 0);
    const factor = Math.min(1, (width - AROUND) / wide);
    for (const panel of hconcat) {
      panel.height *= panel.height === panel.width ? factor : (1 + factor) / 2;
      panel.width *= factor;
    }
  }

  // All encodings of a chart that have a legend.
  function legends(part) {
    if (!part || typeof part !== "object") return [];
    const inside = Object.values(part).flatMap(legends);
    return part.legend && Array.isArray(part.scale?.domain) ? [part, ...inside] : inside;
  }

  // The one legend of a chart that would list its entries below each other has them in a row where there is room.
  function spread(spec, width) {
    const found = legends(spec);
    const [names, ...others] = new Set(found.map(({ scale }) => scale.domain.join("\n")));
    if (!names || others.length || spec.concat) return;
    const letters = Math.max(...names.split("\n").map((name) => name.length));
    const columns = Math.floor((width - 120) / (letters * 7 + 30));
    found.forEach(({ legend }) => { if (legend.columns < columns) legend.columns = columns; });
  }

  async function draw(figure) {
    const drawnIn = theme();
    const view = figure.querySelector(".vl-view");
    const { datasets, usermeta, ...written } = read(figure);
    const spec = drawnIn === "dark" && usermeta ? inTheDark(written, usermeta.dark) : written;
    spread(spec, view.clientWidth);
    if (datasets) spec.datasets = datasets;
    spec.config = merge(defaults(view.clientWidth), spec.config, pageColours());
    delete spec.background;
    stack(spec, view.clientWidth);
    shrink(spec, view.clientWidth);
    const before = drawn.get(figure);
    const fits = spec.width === "container";
    if (fits) Object.assign(spec, { width: view.clientWidth, autosize: "pad" });
    const after = await embed(figure, view, spec, {
      patch: fits ? fitToPage : undefined,
      bind: chartControls.place(figure, spec),
      tooltip: { sanitize: chartControls.safe },
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: "erralign",
    });
    if (before) await keepSelection(spec, before, after).then(() => before.finalize());
    drawn.set(figure, after);
    chartControls.attend(figure, spec, after);
    if (fits) follow.observe(view);
    view.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    chartControls.extend(figure, spec);
    figure.dataset.drawn = drawnIn;
    document.dispatchEvent(new Event("drawn"));
  }

  // One drawing of a figure at a time, and none that is out of date before it begins.
  const waiting = new Map();
  function refresh(figure, anew = false) {
    const drawIfStale = () => (anew || figure.dataset.drawn !== theme()) && draw(figure);
    waiting.set(figure, Promise.resolve(waiting.get(figure)).then(drawIfStale, drawIfStale));
  }

  let onPaper = false;
  const figures = () => document.querySelectorAll("figure.vl");
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => refresh(entry.target)),
    { rootMargin: NEAR },
  );
  // To observe anew is to be told anew which figures are near.
  function look() {
    near.disconnect();
    figures().forEach((figure) => near.observe(figure));
  }

  document.fonts.load("12px 'Erralign Sans'").finally(look); // words are measured before they are drawn
  new MutationObserver(look).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  document.addEventListener("paper", ({ detail }) => {
    onPaper = detail;
    const redrawn = (figure) => onPaper || figure.dataset.renderer === "canvas";
    [...figures()].filter(redrawn).forEach((figure) => refresh(figure, true));
  });
  // A page's own script has filled a figure.
  document.addEventListener("new-chart", ({ target }) => {
    near.observe(target);
    refresh(target, true);
  });
})();
