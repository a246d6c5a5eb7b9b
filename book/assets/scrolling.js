// What is wider than its frame scrolls there: its edge fades (style.css), and a keyboard gets there. And names for folds.
(() => {
  const FRAMES = ".cell_output, .cell_output .output, .vl-view, mjx-container[display=true], div.math, div.highlight pre, .table-frame, .pst-scrollable-table-container";

  const SLACK = 4; // pixels that nobody misses

  const words = (element) => element?.textContent.trim().replace(/\s+/g, " ") ?? "";

  function section(element) {
    const heading = element.closest("section")?.querySelector("h1, h2, h3, h4")?.cloneNode(true);
    heading?.querySelector(".headerlink")?.remove();
    return words(heading);
  }

  function kind(frame) {
    if (frame.matches("mjx-container, div.math")) return "Formula";
    if (frame.querySelector("table")) return "Table";
    if (frame.closest("figure.vl")) return "Chart";
    return frame.closest(".cell_output") ? "Output" : "Code";
  }

  // Its caption; else the section that it stands in.
  function name(frame) {
    const caption = words(frame.querySelector("caption") ?? frame.closest("figure")?.querySelector("figcaption"));
    return `${kind(frame)}${caption ? `: ${caption}` : ` in “${section(frame)}”`}, scrolls sideways`;
  }

  // The edge beyond which there is more fades.
  function shade(frame) {
    const right = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;
    frame.classList.toggle("more-right", right > SLACK);
    frame.classList.toggle("more-left", frame.scrollLeft > SLACK);
  }

  const shadeAfter = ({ currentTarget }) => shade(currentTarget);

  function look(frame) {
    shade(frame);
    const scrolls = frame.clientWidth > 0 && frame.scrollWidth > frame.clientWidth + SLACK;
    if (scrolls === (frame.dataset.scrolls === "")) return;
    frame.toggleAttribute("data-scrolls", scrolls);
    frame.addEventListener("scroll", shadeAfter);
    const said = { tabindex: "0", role: "region", "aria-label": name(frame) };
    for (const [attribute, value] of Object.entries(said)) {
      if (scrolls) frame.setAttribute(attribute, value);
      else frame.removeAttribute(attribute);
    }
  }

  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => look(target.closest(FRAMES) ?? target)));
  function lookAtAll() {
    document.querySelectorAll(FRAMES).forEach((frame) => {
      resized.observe(frame);
      if (frame.firstElementChild) resized.observe(frame.firstElementChild);
      look(frame);
    });
  }

  // Where the window has room beside the text, what is wide takes it; the theme folds its list of contents meanwhile.
  if (matchMedia("(min-width: 1200px)").matches) {
    document.querySelectorAll(".cell_output").forEach((frame) => {
      const wide = [frame, ...frame.querySelectorAll(".output, .table-frame")].some((each) => each.scrollWidth > each.clientWidth + SLACK);
      if (wide && !frame.closest("details, .full-width")) frame.classList.add("full-width");
    });
  }

  // "Show the code" says of what, "Answer" to which question.
  const short = (text) => text.split(" ").slice(0, 12).join(" ") + (text.split(" ").length > 12 ? " …" : "");
  const hidden = (text) => Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: ` ${text}` });
  document.querySelectorAll(".cell details.hide > summary").forEach((summary) => {
    const shown = words(summary.closest(".cell").querySelector("figcaption, caption"));
    const what = shown ? `of “${short(shown)}”` : `in “${short(section(summary))}”`;
    summary.querySelectorAll("p").forEach((label) => label.append(hidden(what)));
  });
  document.querySelectorAll("details.sd-dropdown > summary").forEach((summary) => {
    const question = summary.parentElement.previousElementSibling;
    if (!question?.matches("p")) return; // a fold below anything else says itself what it holds
    summary.querySelector(".sd-summary-text, span")?.append(hidden(`to “${short(words(question))}”`));
  });

  lookAtAll();
  addEventListener("load", () => window.MathJax?.startup?.promise.then(lookAtAll));
  document.addEventListener("drawn", lookAtAll);
  document.addEventListener("toggle", lookAtAll, true);
})();
