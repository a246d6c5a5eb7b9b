/** The 160 silhouettes of the front page: four steps, between which the tiles fly; one at a time is large. */
(() => {
  const here = document.currentScript.src;
  const figure = document.querySelector("figure.signature.live");
  if (!figure) return;
  const stage = figure.querySelector(".sig-stage");
  const tabs = [...stage.querySelectorAll("[role=tab]")];
  const steps = [...stage.querySelectorAll(".sig-step")];
  const pictures = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const mine = new Map(); // picture -> the reader's word
  const lens = document.createElement("div");
  let step = 0;

  const tilesOf = (place) => [...steps[place].querySelectorAll("i")];
  const value = (tile, name) => Number(tile.style.getPropertyValue(name));
  const at = (tile) => 10 * value(tile, "--x") + value(tile, "--y");
  const thing = (picture) => picture[0].replace(/\d+$/, "");
  const side = (tile) => [tile.getBoundingClientRect(), getComputedStyle(tile).opacity];

  /** Show a step; each picture comes from where it was. */
  function show(next) {
    const before = new Map(tilesOf(step).map((tile) => [at(tile), side(tile)]));
    const moves = next !== step && !still.matches;
    step = next;
    steps.forEach((each, place) => each.classList.toggle("shown", place === step));
    tabs.forEach((tab, place) => {
      tab.ariaSelected = String(place === step);
      tab.tabIndex = place === step ? 0 : -1;
    });
    shrink();
    if (!moves) return;
    figure.classList.add("moves");
    const after = tilesOf(step).map((tile) => [tile, ...side(tile)]);
    for (const [place, [tile, now, opacity]] of after.entries()) {
      const [was, faint] = before.get(at(tile));
      const transform = `translate(${was.x - now.x}px, ${was.y - now.y}px) scale(${was.width / now.width})`;
      const from = { transform, opacity: faint, transformOrigin: "0 0" };
      const to = { transform: "none", opacity, transformOrigin: "0 0" };
      tile.animate([from, to], { duration: 900, delay: 2 * place, easing: "cubic-bezier(.3, 0, .1, 1)", fill: "backwards" });
    }
  }

  /** What was said to a picture, the commonest word first: of people, of networks, of the reader. */
  function answers(picture, place) {
    const said = [...picture[1]].sort(([, a, b], [, c, d]) => c + d - a - b);
    if (mine.has(place) && !said.some(([word]) => word === mine.get(place))) said.push([mine.get(place), 0, 0]);
    return said;
  }

  function enlarge(tile) {
    const place = at(tile);
    const picture = pictures[place];
    const squares = (n, kind) => `<b class="${kind}"></b>`.repeat(n);
    const rows = answers(picture, place).map(([word, people, networks]) => {
      const right = word === thing(picture);
      const you = mine.get(place) === word ? squares(1, "mine") : "";
      const marks = squares(people, "person") + squares(networks, "network") + you;
      return `<dt${right ? ' class="right"' : ""}>${word}${right ? " ✓" : ""}</dt><dd>${marks}</dd>`;
    });
    lens.innerHTML = `<i style="${tile.getAttribute("style")}"></i><dl>${rows.join("")}</dl>`;
    stage.append(lens);
    const [box, frame] = [tile.getBoundingClientRect(), stage.getBoundingClientRect()];
    const [left, below] = [box.left - frame.left, box.bottom - frame.top + 8];
    const above = box.top - frame.top - lens.offsetHeight - 8;
    const fits = frame.top + below + lens.offsetHeight < innerHeight;
    lens.style.top = `${fits || frame.top + above < 0 ? below : above}px`;
    lens.style.left = `${Math.max(0, Math.min(left, frame.width - lens.offsetWidth))}px`;
  }

  const shrink = () => lens.remove();

  /** The next tile in a direction, for whoever moves by keys. */
  function neighbour(tile, [across, down]) {
    const from = tile.getBoundingClientRect();
    const far = tilesOf(step).flatMap((other) => {
      const to = other.getBoundingClientRect();
      const [x, y] = [to.x - from.x, to.y - from.y];
      const ahead = across * x + down * y;
      return ahead > 2 ? [[ahead + 4 * Math.abs(down * x + across * y), other]] : [];
    });
    return far.sort(([a], [b]) => a - b)[0]?.[1];
  }

  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function press(event) {
    if (event.key === "Escape") shrink();
    const way = KEYS[event.key];
    if (!way) return;
    event.preventDefault();
    if (event.target.role === "tab") {
      show((step + way[0] + way[1] + 4) % 4);
      tabs[step].focus();
    } else focusOn(neighbour(event.target, way) ?? event.target);
  }

  function focusOn(tile) {
    tilesOf(step).forEach((other) => (other.tabIndex = other === tile ? 0 : -1));
    tile.focus();
  }

  /** While the page scrolls, up to where the figure leaves, the steps follow: forwards when it goes down, else back. */
  function follow() {
    const down = scrollY > follow.last;
    follow.last = scrollY;
    const room = figure.offsetHeight - stage.offsetHeight;
    if (room < 100) return;
    const end = figure.getBoundingClientRect().top + scrollY + room - parseFloat(getComputedStyle(stage).top);
    const reached = Math.min(3, Math.floor((4 * scrollY) / end));
    if (down ? reached > step : reached < step) show(reached);
  }

  /** Say for each tile, and for each group, what the reader said in the experiment. */
  function addMine({ done }) {
    for (const { place, said } of done) {
      const [kind, name] = sitData.images[place].replace(".png", "").split("/");
      if (kind === "silhouettes") mine.set(pictures.findIndex(([picture]) => picture === name), said === "na" ? "no answer" : said);
    }
    const verdict = (place) => (mine.get(place) === thing(pictures[place]) ? "right" : "wrong");
    for (const group of stage.querySelectorAll(".sig-group")) {
      const seen = [...group.querySelectorAll("i")].filter((tile) => mine.has(at(tile)));
      seen.forEach((tile) => (tile.dataset.mine = verdict(at(tile))));
      const wrong = seen.filter((tile) => tile.dataset.mine === "wrong").length;
      if (seen.length) group.querySelector(".sig-tiles").insertAdjacentHTML("afterend", `<span class="sig-mine">You: ${wrong} of ${seen.length} wrong</span>`);
    }
  }

  function name(tile) {
    const place = at(tile);
    const of = (which) => pictures[place][1].filter((row) => row[which]).map((row) => `${row[0]} ${row[which]}`).join(", ");
    Object.assign(tile, { role: "button", tabIndex: -1, ariaLabel: `${thing(pictures[place])}. People: ${of(1)}. Networks: ${of(2)}.` });
  }

  tabs.forEach((tab, place) => {
    tab.onclick = () => show(place);
    Object.assign(steps[place], { id: `step-${place + 1}`, role: "tabpanel", ariaLabel: tab.textContent });
    tab.setAttribute("aria-controls", `step-${place + 1}`);
    tilesOf(place).forEach(name);
    tilesOf(place)[0].tabIndex = 0;
  });
  stage.querySelectorAll(".sig-tiles").forEach((tiles) => (tiles.role = "group"));
  lens.className = "sig-lens";
  lens.ariaHidden = "true";
  stage.addEventListener("keydown", press);
  stage.addEventListener("focusin", ({ target }) => (target.matches("i") ? enlarge(target) : shrink()));
  stage.addEventListener("focusout", shrink);
  stage.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "mouse") target.matches(".sig-tiles i") ? enlarge(target) : shrink();
  });
  stage.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && shrink());
  follow.last = scrollY;
  figure.style.setProperty("--stage", `${stage.offsetHeight}px`);
  addEventListener("scroll", follow, { passive: true });
  show(0);

  let kept;
  try {
    kept = JSON.parse(localStorage.getItem("erralign-sit"));
  } catch {
    return; // a browser may close its store to a page
  }
  if (!kept?.done?.length) return;
  const laboratory = document.createElement("script");
  laboratory.src = new URL("sit/laboratory.js", here).href;
  laboratory.onload = () => addMine(kept);
  document.head.append(laboratory);
})();
