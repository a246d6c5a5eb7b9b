/** A class: the files of several people become tables of means, a chart beside the laboratory, and one file. */
(() => {
  const { make, table, estimate, link, figure, takeFiles } = ownResults;
  const { WHO, setUp, withKind, between, means } = sitCompare;
  const SHAPES = { mine: "diamond", human: "circle", model: "triangle-up", newer: "square" };
  const element = (id) => document.getElementById(`sit-${id}`);
  const [input, drop, status, results] = ["files", "drop", "class-status", "class-results"].map(element);
  const wording = ownWording(ownWords);
  const reader = ownReading(wording, ownCells(wording), ownChecks(wording));

  const LENGTHS = Object.fromEntries(["minute", "short", "long"].map((form) => [sitSession.places(form).length, form]));
  const collected = new Map(); // by pseudonym
  const seen = new Set(); // lines that the camera has read
  let leftOut = [];
  let waiting;

  /** The people of a file, with what they said by picture, and how they were asked where the file says it. */
  async function read(file) {
    const sheet = reader.readCells(await ownText(file), file.name);
    const { systems, trials } = reader.recognise(sheet);
    const known = systems.find(({ name }) => sitData.systems.some((other) => other.name === name))?.name;
    if (known) throw new Error(`${file.name} has the laboratory’s “${known}” in it; give answers.csv instead`);
    const places = trials.map((image) => sitData.images.indexOf(image));
    const foreign = trials.find((_, row) => places[row] < 0);
    if (foreign !== undefined) throw new Error(`${file.name}: “${foreign}” is no picture of this experiment`);
    const saidBy = ({ labels }) => Object.fromEntries(labels.map((word, row) => [places[row], word]));
    const first = (name) => (sheet.header.includes(name) ? sheet.column(name)[0] : undefined);
    const asked = first("asked_ms") === undefined ? [] : ["asked_ms", "asked_mask_ms", "limit_ms"].map((name) => Number(first(name)));
    return systems.map((system) => ({ name: system.name, places, said: saidBy(system), asked, consent: first("consent") !== "0" }));
  }

  /** Why somebody cannot be in a class, or nothing. */
  function refusal({ name, places, said, consent }) {
    if (!consent) return "one without consent";
    if (!(places.length in LENGTHS)) return `${name}: ${places.length} pictures; a whole sitting has ${Object.keys(LENGTHS).join(", ")}`;
    const before = collected.get(name.toLowerCase());
    const isSame = before && places.every((place) => before.said[place] === said[place]);
    return before && !isSame ? `${name}: comes twice, with other answers; the first is kept` : "";
  }

  function add(people) {
    for (const person of people) {
      const why = refusal(person);
      if (why) leftOut.push(why);
      else if (!collected.has(person.name.toLowerCase())) collected.set(person.name.toLowerCase(), person);
    }
  }

  /** How somebody was asked, in words: those who were asked otherwise are another group. */
  function way({ places, asked: [picture, mask, limit] }) {
    const shown = picture === undefined ? "how it was asked is not said" : `${picture / 1000} s, ${mask ? "noise" : "no noise"}, ${limit ? `${limit / 1000} s to answer` : "any time to answer"}`;
    return `${LENGTHS[places.length]}: ${shown}`;
  }

  const inFull = (mean) => estimate(means.limits(mean));

  /** A row per person of the class, and a row per kind of pairs. */
  function tables(all) {
    const kinds = ["mine", ...all.kinds];
    const rows = all.of("mine").map((own) => [
      own.name,
      `${Math.round(100 * own.accuracy)} %`,
      ...kinds.map((kind) => inFull(withKind(all, own, kind))),
    ]);
    const pairs = kinds.flatMap((one, place) =>
      kinds.slice(place).map((other) => {
        const mean = between(all, one, other);
        return [one === other ? `two ${WHO[one]}` : `${WHO[one]} and ${WHO[other]}`, mean.n, inFull(mean)];
      }),
    );
    const head = ["student", "right", ...kinds.map((kind) => `with ${WHO[kind]}`)];
    return [
      table("Mean EC of each, with 95 % intervals", head, rows.sort()),
      table("Mean EC of pairs, with 95 % intervals", ["pairs", "number", "mean EC"], pairs),
    ];
  }

  /** By how much students are more like each other than like networks. */
  function verdict(all) {
    if (!all.kinds.length) return "";
    const pairs = [between(all, "mine"), between(all, "mine", "model")];
    const [own, networks, difference] = [...pairs, means.minus(...pairs)].map(inFull);
    return ` Mean EC is ${own} for two students, ${networks} for a student and a network: a difference of ${difference}.`;
  }

  /** Accuracy against mean EC with the people of the laboratory, or with the class where it is alone. */
  function chart(all) {
    const kind = all.kinds.length ? "human" : "mine";
    const values = all.systems.map((own) => {
      const [value, low, high] = means.limits(withKind(all, own, kind));
      return { name: own.name, who: WHO[own.kind], accuracy: own.accuracy, value, low, high };
    });
    const kinds = ["mine", ...all.kinds];
    const domain = kinds.map((each) => WHO[each]);
    const range = kinds.map((each) => sitData.colours[each === "mine" ? "yours" : WHO[each]]);
    const color = { field: "who", scale: { domain, range }, title: null };
    const shape = { field: "who", scale: { domain, range: kinds.map((each) => SHAPES[each]) }, title: null };
    const tooltip = ["name", "accuracy", "value", "low", "high"].map((field) => ({ field, ...(field === "name" ? {} : { format: ".3~g" }) }));
    const x = { field: "accuracy", type: "quantitative", title: "accuracy", axis: { format: "%" } };
    const y = (field) => ({ field, type: "quantitative", title: `mean EC with ${WHO[kind]}` });
    const layer = [
      { mark: { type: "rule", opacity: 1 }, encoding: { x, y: y("low"), y2: { field: "high" }, color } },
      { mark: { type: "point", filled: true, size: 45, opacity: 1 }, encoding: { x, y: y("value"), color, shape, tooltip } },
    ];
    const [title, subtitle] = [`Accuracy, and mean error consistency with ${WHO[kind]}`, "lines: 95 % intervals"];
    const { config, usermeta } = sitData;
    const spec = { config, usermeta, width: "container", height: 320, data: { values }, layer };
    return figure({ title, subtitle, description: `${title}: ${subtitle}.`, spec });
  }

  /** Show those who were asked in one way, the most frequent one first, and name all others. */
  function show(chosen) {
    const groups = Map.groupBy(collected.values(), way);
    const ways = [...groups.keys()].sort((one, other) => groups.get(other).length - groups.get(one).length);
    const named = ways.includes(chosen) ? chosen : ways[0];
    const people = groups.get(named) ?? [];
    element("way-label").hidden = ways.length < 2;
    element("way").replaceChildren(...ways.map((each) => make("option", { value: each, ...(each === named ? { selected: "" } : {}) }, `${each} (${groups.get(each).length})`)));
    const others = ways.filter((each) => each !== named).map((each) => `not mixed with ${groups.get(each).map(({ name }) => name).join(", ")}: ${each}`);
    element("left-out").replaceChildren(...[...new Set(leftOut)].map((why) => `left out: ${why}`).concat(others).map((words) => make("li", {}, words)));
    results.hidden = people.length < 2;
    drop.dataset.state = results.hidden ? "failed" : "done";
    status.classList.toggle("own-error", results.hidden);
    if (results.hidden) return void (status.textContent = people.length ? "This is one person; a class needs two." : "Nobody yet.");
    const [{ places }] = people;
    const all = setUp(people, places);
    const save = link("class.csv", sitSession.beside(people, places, []), "Save the class as one file (class.csv)");
    results.replaceChildren(...tables(all), chart(all), save);
    status.textContent = `${people.length} students, ${places.length} pictures.${verdict(all)}`;
  }

  /** Add those whom files or lines bring; what is wrong with one is no fault of the others. */
  async function collect(sources, people) {
    for (const source of sources)
      try {
        add(await people(source));
      } catch (error) {
        leftOut.push(error.message);
      }
  }

  /** What comes by file is a class of its own. */
  async function take(files) {
    drop.dataset.state = "busy";
    collected.clear();
    leftOut = [];
    await collect(files, read);
    show();
  }

  /** Add the people of lines, and show the class once no more come. */
  async function takeLines(text) {
    await collect(text.split("\n").filter((line) => line.trim()), (line) => [sitSession.ofLine(line)]);
    status.textContent = `${collected.size} students.`;
    clearTimeout(waiting);
    waiting = setTimeout(() => show(element("way").value), 1000);
  }

  /** Read codes from the camera until the page is left. */
  async function watch() {
    const video = element("video");
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    video.hidden = false;
    await video.play();
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    (function look() {
      context.drawImage(video, 0, 0);
      try {
        const line = qr.read(context.getImageData(0, 0, canvas.width, canvas.height));
        if (!seen.has(line)) takeLines(line);
        seen.add(line);
      } catch {} // no code in this picture
      setTimeout(look, 100);
    })();
  }

  element("camera").onclick = () => watch().catch((error) => (status.textContent = `There is no camera: ${error.message}.`));
  element("lines").addEventListener("change", ({ target }) => takeLines(target.value));
  element("way").addEventListener("change", ({ target }) => show(target.value));
  takeFiles(input, drop, take);
})();
