// A deck of slides: arrow keys go through it, N shows the notes, S opens a second window with them for the speaker.
(() => {
  const LARGEST = 2.2; // a table's type beside that on a page
  const page = document.documentElement;
  const slides = [...document.querySelectorAll(".slide")];
  const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity };
  const speaking = location.search === "?notes";
  let other = speaking ? window.opener : null; // the other window moves along
  let current = 0;

  function show(number) {
    current = Math.min(Math.max(number, 0), slides.length - 1);
    slides[current].scrollIntoView();
  }

  function go(number) {
    show(number);
    other?.postMessage(current, "*");
  }

  addEventListener("message", ({ data, source }) => source === other && show(data));
  addEventListener("keydown", (event) => {
    if (event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) go(current + steps[event.key]);
    else if (event.key === "n") takeNotes(!page.classList.contains("with-notes"));
    else if (event.key === "s") other = open(`${location.pathname}?notes`, "notes", "popup,width=1100,height=600");
    else return;
    event.preventDefault();
  });
  // A wheel or a finger moves, too.
  const seen = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => { current = slides.indexOf(target); }),
    { threshold: 0.6 },
  );
  slides.forEach((slide) => seen.observe(slide));

  const tooLarge = (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;

  // Make a table or a formula as large as its room allows; a chart is as large by itself.
  function fit(room) {
    const [shown] = room.children;
    let zoom = LARGEST;
    do {
      shown.style.zoom = zoom;
      zoom -= 0.05;
    } while (zoom > 0.4 && [room, ...shown.querySelectorAll(".table-frame, .tile")].some(tooLarge));
  }

  const rooms = [...document.querySelectorAll(".shown:not(:has(> figure.vl, > .bars))")];
  const fitAll = () => rooms.forEach(fit);

  function takeNotes(here) {
    page.classList.toggle("with-notes", here);
    fitAll();
  }

  addEventListener("resize", fitAll);
  // On paper a slide has a size of its own, in which all is fitted anew.
  for (const [moment, isPaper] of Object.entries({ beforeprint: true, afterprint: false })) {
    addEventListener(moment, () => {
      page.classList.toggle("on-paper", isPaper);
      fitAll();
    });
  }
  addEventListener("load", () => {
    takeNotes(speaking);
    MathJax.startup.promise.then(fitAll);
    document.fonts.addEventListener("loadingdone", fitAll);
  });
})();
