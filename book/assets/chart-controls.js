// What a reader does with a chart: the controls under its title, the value of a mark below it, and what is said of both.
const chartControls = (() => {
  const NEARBY = 24; // pixels across, at least, of the ring around a mark

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

  /** An element with attributes and children; text is never read as HTML, since it may come out of a file. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
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

  /** How much larger a drawing is than it was drawn. */
  function scaleOf(view) {
    const drawing = view.container().querySelector(".marks");
    return drawing.getBoundingClientRect().width / Number.parseFloat(drawing.style.width || drawing.getAttribute("width"));
  }

  /** Put the ring around a mark, wherever its group stands in the drawing. */
  function surround(ring, item, view) {
    const { x, y } = corner(item.mark.group, view);
    const { left, top } = view.container().querySelector(".marks").getBoundingClientRect();
    const frame = ring.parentElement.getBoundingClientRect();
    const { x1, x2, y1, y2 } = item.bounds;
    const scale = scaleOf(view);
    const across = (from, to) => Math.max(NEARBY, scale * (to - from) + 8);
    const middle = { x: left - frame.left + scale * (x + (x1 + x2) / 2), y: top - frame.top + scale * (y + (y1 + y2) / 2) };
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
    const [slider, words] = [".reading input", ".reading-words"].map((part) => figure.querySelector(part));
    // In what scrolls, so that it stays with its mark when a reader moves the chart.
    const ring = figure.querySelector(".vl-view > *").appendChild(make("span", { class: "ring", hidden: "" }));
    const clear = () => {
      ring.hidden = true;
      words.textContent = "";
    };
    function show(item) {
      words.textContent = line(item.tooltip);
      surround(ring, item, view);
    }
    function step() {
      slider.max = telling(view).size - 1;
      const [said, item] = [...telling(view)][slider.value] ?? [];
      if (!item) return;
      slider.setAttribute("aria-valuetext", said);
      show(item);
    }
    slider.hidden = !telling(view).size;
    slider.setAttribute("aria-label", `Values in the chart: ${figure.querySelector("figcaption")?.textContent.trim() ?? ""}`);
    slider.onfocus = slider.oninput = step;
    if (document.activeElement === slider) step();
    view.addEventListener("click", (_, item) => (item?.tooltip ? show(item) : clear()));
    return clear;
  }

  /** Dragging the mark "draggable" moves the sliders "across" and "up". */
  function draggable(spec, view) {
    const bounds = Object.fromEntries((spec.params ?? []).map(({ name, bind }) => [name, bind]));
    const within = ({ min, max, step }, share) => Math.min(max, Math.max(min, Math.round(share / step) * step)).toFixed(2);
    function drag({ group }, { clientX, clientY }) {
      const drawing = view.container().querySelector(".marks").getBoundingClientRect();
      const start = corner(group, view);
      const scale = scaleOf(view);
      view.signal("across", Number(within(bounds.across, ((clientX - drawing.left) / scale - start.x) / group.width)));
      view.signal("up", Number(within(bounds.up, 1 - ((clientY - drawing.top) / scale - start.y) / group.height)));
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

  const wordsIn = (view) =>
    marksOf(view)
      .filter(({ mark, text }) => mark.marktype === "text" && mark.role === "mark" && text)
      .map(({ text }) => String(text));

  /** What a control has changed is said as well, to readers who do not see it. */
  function announcer(figure, view) {
    const status = figure.querySelector("[role=status]") ?? figure.appendChild(make("p", { class: "visually-hidden", role: "status" }));
    let before = wordsIn(view);
    let pause;
    function say(control, value) {
      const now = wordsIn(view);
      const news = now.filter((words) => !before.includes(words)).slice(0, 3);
      before = now;
      status.textContent = `${control}: ${value()}. ${news.length ? news.join(". ") : "The chart has changed"}.`;
    }
    return (...said) => {
      clearTimeout(pause);
      pause = setTimeout(say, 300, ...said);
    };
  }

  /** The page's controls move the chart, and a chart that is dragged moves them. */
  function connect(figure, { params = [] }, view, clear) {
    const announce = announcer(figure, view);
    for (const { name, bind, value } of params) {
      if (!bind?.input) continue;
      const control = figure.querySelector(`.vega-bindings [name="${name}"]`);
      const isMenu = control.matches("select");
      const chosen = () => (isMenu ? bind.options[control.selectedIndex] : Number(control.value));
      const words = () => (isMenu ? control.selectedOptions[0].text : control.value);
      view.addSignalListener(name, (_, now) => {
        if (!isMenu) {
          control.value = now;
          control.nextElementSibling.textContent = now;
        }
        announce(bind.name?.trim() ?? name, words);
      });
      control.oninput = () => {
        clear();
        view.signal(name, chosen()).runAsync();
      };
      // A mark that is pressed moves the slider to its own place.
      if (!isMenu) view.addEventListener("click", (_, item) => item?.datum?.[name] && view.signal(name, item.datum[name]).runAsync());
      if (chosen() !== value) view.signal(name, chosen());
    }
  }

  /** Rows of cells as a file that a spreadsheet opens. */
  function csv(rows) {
    // A spreadsheet would run a name that begins so as a formula.
    const tame = (value) => (/^[=+@\t\r-]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value);
    const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : Number.isNaN(value) ? "" : (value ?? ""));
    return `${rows.map((row) => row.map(tame).map(cell).join(",")).join("\n")}\n`;
  }

  /** Records as rows, their names first. */
  function table(records) {
    const names = [...new Set(records.flatMap(Object.keys))];
    return [names, ...records.map((record) => names.map((name) => record[name]))];
  }

  /** The menu of a chart saves its picture and its tables as one, and leads to the cell that made it. */
  function fill(figure, { datasets = {} }, view) {
    const menu = figure.querySelector(".vl-menu > div");
    if (!menu) return;
    const pictures = ["svg", "png"].map((kind) => {
      const link = make("a", { href: "#", download: `erralign.${kind}` }, `Save as ${kind.toUpperCase()}`);
      link.onpointerdown = link.onfocus = async () => (link.href = await view.toImageURL(kind, 2));
      return link;
    });
    // A table of one column is a line across the chart.
    const tables = Object.values(datasets).filter((rows) => Object.keys(rows[0] ?? {}).length > 1);
    const rows = tables.length > 1 ? tables.flatMap((each, at) => each.map((row) => ({ table: at + 1, ...row }))) : tables.flat();
    const file = make("a", { href: URL.createObjectURL(new Blob([csv(table(rows))], { type: "text/csv" })), download: "erralign.csv" }, "Save data as CSV");
    const cell = figure.closest(".cell")?.querySelector(".cell_input");
    const notebook = document.querySelector("a[href^='_sources/']");
    const code = cell ? make("a", { href: "#" }, "Show its code") : notebook && make("a", { href: notebook.href }, "Its notebook");
    if (cell) {
      code.onclick = (event) => {
        event.preventDefault();
        const fold = cell.closest("details");
        if (fold) fold.open = true;
        cell.scrollIntoView({ block: "center" });
      };
    }
    menu.replaceChildren(...pictures, file, ...(code ? [code] : []));
  }

  const close = ({ key, target }) => document.querySelectorAll(".vl-menu[open]").forEach((menu) => (menu.open = key ? key !== "Escape" : menu.contains(target)));
  for (const event of ["click", "keydown"]) document.addEventListener(event, close);

  /** After a chart has taken the place of its drawing, or was drawn anew. */
  async function attend(figure, spec, view) {
    const clear = readable(figure, view);
    connect(figure, spec, view, clear);
    await view.runAsync();
    if (view.container().querySelector("g[class*=draggable]")) draggable(spec, view);
    fill(figure, spec, view);
  }

  return { attend, safe, csv, table, make };
})();
