// What is wider than its frame scrolls there: a fading edge says so (access.css), and a keyboard gets there.
(() => {
  const FRAMES = ".cell_output, .vl-view, mjx-container[display=true], div.math, div.highlight pre, .pst-scrollable-table-container";

  const words = (element) => element?.textContent.trim().replace(/\s+/g, " ") ?? "";

  function kind(frame) {
    if (frame.matches("mjx-container, div.math")) return "Formula";
    if (frame.querySelector("table")) return "Table";
    if (frame.closest("figure.vl")) return "Chart";
    return frame.closest(".cell_output") ? "Output" : "Code";
  }

  // Its caption; else the section that it stands in.
  function name(frame) {
    const caption = words(frame.querySelector("caption") ?? frame.closest("figure")?.querySelector("figcaption"));
    const heading = frame.closest("section")?.querySelector("h1, h2, h3, h4")?.cloneNode(true);
    heading?.querySelector(".headerlink")?.remove();
    return `${kind(frame)}${caption ? `: ${caption}` : ` in “${words(heading)}”`}, scrolls sideways`;
  }

  function edge({ currentTarget: frame }) {
    frame.classList.toggle("at-end", frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 2);
  }

  function look(frame) {
    const scrolls = frame.clientWidth > 0 && frame.scrollWidth > frame.clientWidth + 1;
    if (scrolls === frame.classList.contains("scrolls")) return;
    frame.classList.toggle("scrolls", scrolls);
    const said = { tabindex: "0", role: "region", "aria-label": name(frame) };
    for (const [attribute, value] of Object.entries(said)) {
      if (scrolls) frame.setAttribute(attribute, value);
      else frame.removeAttribute(attribute);
    }
    frame.addEventListener("scroll", edge, { passive: true });
  }

  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => look(target.closest(FRAMES) ?? target)));
  function lookAtAll() {
    document.querySelectorAll(FRAMES).forEach((frame) => {
      resized.observe(frame);
      if (frame.firstElementChild) resized.observe(frame.firstElementChild);
      look(frame);
    });
  }

  lookAtAll();
  addEventListener("load", () => window.MathJax?.startup?.promise.then(lookAtAll));
  document.addEventListener("drawn", lookAtAll);
})();
