/** The 160 silhouettes of the front page: four steps, between which the tiles fly; one picture at a time is large. */
(() => {
  const here = document.currentScript.src;
  const figure = document.querySelector("figure.signature.live");
  const stage = figure.querySelector(".sig-stage");
  const lens = stage.querySelector(".sig-lens");
  const tabs = [...stage.querySelectorAll("[role=tab]")];
  const all = stage.querySelector(".sig-steps");
  const steps = [...all.children];
  const pictures = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  const ask = figure.querySelector("form");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const mine = new Map(); // picture -> the reader's word
  const WORDS = 5; // beside a large picture; the others are one row
  let step = 0;

  const tilesOf = (place) => [...steps[place].querySelectorAll(".sig-tiles i")];
  const at = ({ style }) => 10 * style.getPropertyValue("--x") + Number(style.getPropertyValue("--y"));
  const thing = (place) => pictures[place][0].replace(/\d+$/, "");
  const escaped = (word) => Object.assign(document.createElement("b"), { textContent: word }).innerHTML;
  const look = (tile) => [tile.getBoundingClientRect(), getComputedStyle(tile).opacity];

  /** Show a step; each picture comes from where it was. */
  function show(next) {
    const before = new Map(tilesOf(step).map((tile) => [at(tile), look(tile)]));
    const moves = next !== step && !still.matches;
    const height = all.offsetHeight;
    step = next;
    steps.forEach((each, place) => each.classList.toggle("shown", place === step));
    tabs.forEach((tab, place) => {
      Object.assign(tab, { ariaSelected: String(place === step), tabIndex: place === step ? 0 : -1 });
    });
    lens.hidden = true;
    if (step < 2) steps[step].querySelector(".sig-rule").before(ask); // the guess goes on to its answer
    if (!moves) return;
    figure.classList.add("moves");
    all.animate({ height: [`${height}px`, `${all.offsetHeight}px`] }, { duration: 600, easing: "ease" });
    const after = tilesOf(step).map((tile) => [tile, ...look(tile)]);
    for (const [place, [tile, now, opacity]] of after.entries()) {
      const [was, faint] = before.get(at(tile)) ?? [now, 0];
      const transform = `translate(${was.x - now.x}px, ${was.y - now.y}px) scale(${was.width / now.width})`;
      const path = { transform: [transform, "none"], opacity: [faint, opacity], transformOrigin: ["0 0", "0 0"] };
      tile.animate(path, { duration: 900, delay: 2 * place, easing: "cubic-bezier(.3, 0, .1, 1)", fill: "backwards" });
    }
  }

  /** Show a picture large, and what was said: to the left a circle for each person, to the right a square for each network. */
  function enlarge(tile) {
    const place = at(tile);
    const own = mine.get(place);
    const answers = pictures[place][1];
    const right = answers.find(([word]) => word === thing(place)) ?? [thing(place), 0, 0];
    const sum = (rows, side) => rows.reduce((total, row) => total + row[side], 0);
    const first = ([word, a, b]) => 99 * (word === thing(place)) + 98 * (word === own) + a / sum(answers, 1) + b / sum(answers, 2);
    const said = own && !answers.some(([word]) => word === own) ? [...answers, [own, 0, 0]] : [...answers];
    const rest = said.sort((one, other) => first(other) - first(one)).splice(WORDS);
    if (rest.length) said.push([`${rest.length} others`, sum(rest, 1), sum(rest, 2)]);
    const marks = (n, kind) => `<dd>${`<b class="${kind}"></b>`.repeat(n)}</dd>`;
    const rows = said.map(([word, people, networks]) => {
      const name = `<dt>${escaped(word)}${word === thing(place) ? " ✓" : ""}${word === own ? '<b class="mine"></b>' : ""}</dt>`;
      return `<div${word === thing(place) ? ' class="right"' : ""}>${name}${marks(people, "person")}${marks(networks, "network")}</div>`;
    });
    const of = (side) => `${right[side]} of ${sum(answers, side)}`;
    const head = `<p><strong>${thing(place)}</strong>, named by ${of(1)} people and ${of(2)} networks</p>`;
    const { top } = tile.getBoundingClientRect(); // before the picture above it has another height
    lens.innerHTML = `<em style="${tile.getAttribute("style")}"></em>${head}<dl>${rows.join("")}</dl>`;
    stage.querySelector(".chosen")?.classList.remove("chosen");
    tile.classList.add("chosen");
    const cell = tile.closest(".sig-tiles > *");
    const row = [...cell.parentElement.children].filter(({ offsetTop }) => offsetTop === cell.offsetTop);
    (2 * cell.parentElement.offsetWidth < all.offsetWidth ? all : row.at(-1)).after(lens); // groups beside each other share it
    lens.hidden = false;
    scrollBy({ top: Math.ceil(tile.getBoundingClientRect().top - top), behavior: "instant" });
    lens.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** The next tile in a direction, for whoever moves by keys. */
  function neighbour(tile, [across, down]) {
    const from = tile.getBoundingClientRect();
    const far = tilesOf(step).flatMap((other) => {
      const to = other.getBoundingClientRect();
      const [x, y] = [to.x - from.x, to.y - from.y];
      const ahead = across * x + down * y;
      return ahead > 2 ? [[ahead + 4 * Math.abs(down * x + across * y), other]] : [];
    });
    return far.sort(([a], [b]) => a - b)[0]?.[1] ?? tile;
  }

  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function press(event) {
    if (event.key === "Escape") lens.hidden = true;
    const way = KEYS[event.key];
    if (!way || event.target.matches("input")) return;
    event.preventDefault();
    if (tabs.includes(event.target)) {
      show((step + way[0] + way[1] + tabs.length) % tabs.length);
      tabs[step].focus();
    } else if (event.target.matches("i")) {
      const next = neighbour(event.target, way);
      [event.target.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    }
  }

  /** Mark what the reader said in the experiment, and count their errors in each group. */
  function addMine({ done }) {
    for (const { place, said } of done) {
      const found = pictures.findIndex(([name]) => sitData.images[place] === `silhouettes/${name}.png`);
      if (found >= 0) mine.set(found, said === "na" ? "no answer" : said);
    }
    for (const tiles of stage.querySelectorAll(".sig-tiles")) {
      const seen = [...tiles.querySelectorAll("i")].filter((tile) => mine.has(at(tile)));
      for (const tile of seen) tile.dataset.mine = mine.get(at(tile)) === thing(at(tile)) ? "right" : "wrong";
      const wrong = seen.filter((tile) => tile.dataset.mine === "wrong").length;
      if (seen.length) tiles.insertAdjacentHTML("afterend", `<span class="sig-mine">You: ${wrong} of ${seen.length} wrong</span>`);
    }
  }

  /** Make a tile a button, whose name has the answers. */
  function name(tile) {
    const said = (side) => pictures[at(tile)][1].flatMap((row) => (row[side] ? `${row[0]} ${row[side]}` : [])).join(", ");
    const ariaLabel = `${thing(at(tile))}. People: ${said(1)}. Networks: ${said(2)}.`;
    Object.assign(tile, { role: "button", tabIndex: -1, ariaLabel });
  }

  steps.forEach((_, place) => {
    tabs[place].onclick = () => show(place);
    tilesOf(place).forEach(name);
    tilesOf(place)[0].tabIndex = 0;
  });
  stage.querySelectorAll(".sig-tiles").forEach((tiles) => (tiles.role = "group"));
  const isTile = (part) => part?.matches(".sig-tiles i");
  stage.addEventListener("keydown", press);
  stage.addEventListener("focusin", ({ target }) => isTile(target) && enlarge(target));
  stage.addEventListener("focusout", ({ relatedTarget }) => (lens.hidden ||= !isTile(relatedTarget)));
  ask.addEventListener("submit", () => setTimeout(() => (show(1), tabs[1].focus()))); // once guess.js has marked it
  show(0);

  const kept = siteGuest.sitting();
  if (!kept?.done.length) return;
  const laboratory = document.createElement("script");
  Object.assign(laboratory, { src: new URL("sit/laboratory.js", here).href, onload: () => addMine(kept) });
  document.head.append(laboratory);
})();
