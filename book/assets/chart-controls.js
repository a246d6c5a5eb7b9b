// What a reader does with a chart: the controls under its title, the value of a mark below it, and what is said of both.
const chartControls = (() => {
  const NEARBY = 24; // pixels across, at least, of the ring around a mark
  let figures = 0;

  const items = (mark) => (mark.items ?? []).flatMap((item) => [item, ...(item.items ?? []).flatMap(items)]);
  const marksOf = (view) => items(view.scenegraph().root);

  /** A value as prose writes it. */
  function inWords(value) {
    const text = value === null || value === undefined || Number.isNaN(value) ? "undefined" : String(value);
    return text.replace(/^-(?=[\d.])/, "−");
  }

  const safe = (value) => inWords(value).replace(/&/g, "&amp;").replace(/</g, "&lt;");

  /** What a hover shows, as one line. */
  function line(tooltip) {
    if (typeof tooltip !== "object") return inWords(tooltip);
    return Object.entries(tooltip)
      .map(([name, value]) => `${name}: ${inWords(value)}`)
      .join(" · ");
  }

  function create(tag, attributes, text = "") {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  }

  /** Return a place for a chart's controls, directly under its title, if it has any. */
  function place(figure, spec) {
    figure.querySelector(".vega-bindings")?.remove();
    if (!(spec.params ?? []).some(({ bind }) => bind?.input)) return undefined;
    figures += 1;
    const id = `controls-${figures}`; // Vega-Embed would copy an element, part by part
    figure.querySelector(".vl-view").before(create("div", { class: "vega-bindings", role: "group", "aria-label": "Try it", id }));
    return `#${id}`;
  }

  const caption = (figure) => figure.querySelector("figcaption")?.textContent.trim() ?? "";

  /** The parts below a chart: a line for the value of a mark, and a slider that a keyboard moves from mark to mark. */
  function below(figure) {
    figure.querySelectorAll(".reading, .ring").forEach((part) => part.remove());
    const slider = create("input", { type: "range", min: 0, value: 0, "aria-label": `Values in the chart: ${caption(figure)}` });
    const words = create("span", { class: "reading-words" });
    const reading = create("p", { class: "reading" });
    const ring = create("span", { class: "ring", hidden: "" });
    reading.append(slider, words);
    figure.append(reading, ring);
    return { slider, words, ring };
  }

  /** Where a group of marks begins, from the corner of the drawing. */
  function corner(group, view) {
    let [x, y] = view.origin();
    for (; group; group = group.mark?.group) {
      x += group.x ?? 0;
      y += group.y ?? 0;
    }
    return { x: x + view.padding().left, y: y + view.padding().top };
  }

  /** Put the ring around a mark, wherever its group stands in the drawing. */
  function surround(ring, item, view, figure) {
    const { x, y } = corner(item.mark.group, view);
    const { left, top } = view.container().querySelector(".marks").getBoundingClientRect();
    const frame = figure.getBoundingClientRect();
    const { x1, x2, y1, y2 } = item.bounds;
    const across = (from, to) => Math.max(NEARBY, to - from + 8);
    const middle = { x: left - frame.left + x + (x1 + x2) / 2, y: top - frame.top + y + (y1 + y2) / 2 };
    Object.assign(ring.style, {
      width: `${across(x1, x2)}px`,
      height: `${across(y1, y2)}px`,
      left: `${middle.x - across(x1, x2) / 2}px`,
      top: `${middle.y - across(y1, y2) / 2}px`,
    });
    ring.hidden = false;
  }

  /** Marks that have something to say, each once: a tile and the word on it say the same. */
  function telling(view) {
    const said = new Map();
    for (const item of marksOf(view)) {
      if (item.tooltip && item.opacity !== 0 && item.mark.marktype !== "group") said.set(line(item.tooltip), item);
    }
    return said;
  }

  /** A click, a tap or the slider shows the value of a mark below the chart: touch knows no hover. */
  function readable(figure, view) {
    if (!telling(view).size) return;
    const { slider, words, ring } = below(figure);
    const clear = () => {
      ring.hidden = true;
      words.textContent = "";
    };
    function show(item) {
      words.textContent = line(item.tooltip);
      surround(ring, item, view, figure);
    }
    function step() {
      const [said, item] = [...telling(view)][slider.value] ?? [];
      if (!item) return;
      slider.setAttribute("aria-valuetext", said);
      show(item);
    }
    slider.addEventListener("focus", () => {
      slider.max = telling(view).size - 1;
      step();
    });
    slider.addEventListener("input", step);
    view.addEventListener("click", (_, item) => (item?.tooltip ? show(item) : clear()));
    view.addResizeListener(clear);
    figure.querySelector(".vl-view").addEventListener("scroll", () => (ring.hidden = true));
    figure.querySelector(".vega-bindings")?.addEventListener("input", clear);
  }

  /** Dragging the mark "draggable" moves the sliders "across" and "up". */
  function draggable(spec, view) {
    const bounds = Object.fromEntries((spec.params ?? []).map(({ name, bind }) => [name, bind]));
    const within = ({ min, max, step }, share) => Math.min(max, Math.max(min, Math.round(share / step) * step)).toFixed(2);
    function drag({ group }, { clientX, clientY }) {
      const drawing = view.container().querySelector(".marks").getBoundingClientRect();
      const start = corner(group, view);
      view.signal("across", Number(within(bounds.across, (clientX - drawing.left - start.x) / group.width)));
      view.signal("up", Number(within(bounds.up, 1 - (clientY - drawing.top - start.y) / group.height)));
      view.runAsync();
    }
    view.addEventListener("pointerdown", (event, item) => {
      if (!item?.mark.name?.startsWith("draggable")) return; // Altair adds a number
      event.preventDefault();
      const { mark } = item;
      const moved = (move) => drag(mark, move);
      addEventListener("pointermove", moved);
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => removeEventListener("pointermove", moved), { once: true });
    });
  }

  /** What a control says: words, if the chart has them in a parameter "<name>_words", else its value. */
  const hasWords = (spec, { name }) => spec.params.some((param) => param.name === `${name}_words`);
  function meaning(spec, view, param, value) {
    if (hasWords(spec, param)) return view.signal(`${param.name}_words`);
    const { labels, options } = param.bind;
    return labels?.[options.indexOf(value)] ?? value;
  }

  /** The place beside a slider shows what the slider means. */
  function write(figure, { name }, words) {
    const input = figure.querySelector(`.vega-bindings input[name="${name}"]`);
    if (!input) return;
    input.nextElementSibling.textContent = words;
    input.setAttribute("aria-valuetext", words);
  }

  const wordsIn = (view) =>
    marksOf(view)
      .filter(({ mark, text }) => mark.marktype === "text" && mark.role === "mark" && text)
      .map(({ text }) => String(text));

  /** What a control has changed is said as well, to readers who do not see it. */
  function announce(figure, spec, view) {
    let status = figure.querySelector("[role=status]");
    if (!status) {
      status = create("p", { class: "visually-hidden", role: "status" });
      figure.append(status);
    }
    let before = wordsIn(view);
    let pause;
    function say(control, value) {
      const now = wordsIn(view);
      const news = now.filter((words) => !before.includes(words)).slice(0, 3);
      before = now;
      status.textContent = `${control.trim()}: ${value}. ${news.length ? news.join(". ") : "The chart has changed"}.`;
    }
    for (const param of (spec.params ?? []).filter(({ bind }) => bind?.input)) {
      const mean = (value) => meaning(spec, view, param, value);
      view.addSignalListener(param.name, (_, value) => {
        write(figure, param, mean(value));
        clearTimeout(pause);
        pause = setTimeout(say, 300, param.bind.name ?? param.name, mean(value));
      });
      if (hasWords(spec, param)) view.addSignalListener(`${param.name}_words`, (_, words) => write(figure, param, words));
      write(figure, param, mean(param.value));
    }
  }

  /** Rows as a file that a spreadsheet opens. */
  function csv(rows) {
    const names = [...new Set(rows.flatMap(Object.keys))];
    const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : (value ?? ""));
    const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
    return `${lines.map((line) => line.map(cell).join(",")).join("\n")}\n`;
  }

  /** The menu of a chart also has its tables, and leads to the cell that made it. */
  function extend(figure, { datasets = {} }) {
    const menu = figure.querySelector(".vega-actions");
    // A table of one column is a line across the chart.
    const tables = Object.values(datasets).filter((rows) => Object.keys(rows[0] ?? {}).length > 1);
    tables.forEach((rows, number) => {
      const link = create("a", { download: "erralign.csv" }, `Save data${tables.length > 1 ? ` ${number + 1}` : ""} as CSV`);
      link.href = URL.createObjectURL(new Blob([csv(rows)], { type: "text/csv" }));
      menu?.append(link);
    });
    const cell = figure.closest(".cell")?.querySelector(".cell_input");
    const notebook = document.querySelector("a[href^='_sources/']");
    if (cell) {
      const link = create("a", { href: "#" }, "Show its code");
      link.addEventListener("click", (event) => {
        event.preventDefault();
        const fold = cell.closest("details");
        if (fold) fold.open = true;
        cell.scrollIntoView({ block: "center" });
      });
      menu?.append(link);
    } else if (notebook) menu?.append(create("a", { href: notebook.href }, "Its notebook"));
  }

  /** After a chart is drawn, or drawn anew. */
  function attend(figure, spec, view) {
    figure.querySelector("div.vega-bindings")?.prepend(create("span", { class: "try-it" }, "Try it"));
    readable(figure, view);
    if (figure.querySelector("g[class*=draggable]")) draggable(spec, view);
    announce(figure, spec, view);
  }

  return { attend, extend, marksOf, place, safe };
})();
