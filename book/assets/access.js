// Names for folds: "show the code" says of what, "Answer" to which question.
(() => {
  const words = (element, most = 12) => {
    const all = (element?.textContent ?? "").trim().split(/\s+/);
    return all.slice(0, most).join(" ") + (all.length > most ? " …" : "");
  };

  function hidden(text) {
    const span = document.createElement("span");
    span.className = "visually-hidden";
    span.textContent = ` ${text}`;
    return span;
  }

  function section(element) {
    const heading = element.closest("section")?.querySelector("h1, h2, h3, h4")?.cloneNode(true);
    heading?.querySelector(".headerlink")?.remove();
    return words(heading);
  }

  document.querySelectorAll(".cell details.hide > summary").forEach((summary) => {
    const shown = summary.closest(".cell").querySelector("figcaption, caption");
    const what = shown ? `of “${words(shown)}”` : `in “${section(summary)}”`;
    summary.querySelectorAll("p").forEach((label) => label.append(hidden(what)));
  });
  document.querySelectorAll("details.sd-dropdown > summary").forEach((summary) => {
    const question = summary.parentElement.previousElementSibling;
    if (question?.matches(".math")) return; // a formula has no name to read
    summary.querySelector(".sd-summary-text, span")?.append(hidden(`to “${words(question)}”`));
  });
})();
