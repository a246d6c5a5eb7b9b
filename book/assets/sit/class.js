/** A class: the files of several people become tables of means, a chart beside the laboratory, and one file. */
(() => {
  const { table, estimate, link, figure, fill, takeFiles } = ownResults;
  const { WHO, setUp, withKind, between, means } = sitCompare;
  const SHAPES = { mine: "diamond", human: "circle", model: "triangle-up", newer: "square" };
  const element = (id) => document.getElementById(`sit-${id}`);
  const [input, drop, status, results] = ["files", "drop", "class-status", "class-results"].map(element);
  const wording = ownWording(ownWords);
  const reader = ownReading(wording, ownCells(wording), ownChecks(wording));

  /** The people of a file, with what they said by picture. */
  async function read(file) {
    const { systems, trials } = reader.recognise(reader.readCells(await ownText(file), file.name));
    const known = systems.find(({ name }) => sitData.systems.some((other) => other.name === name))?.name;
    if (known) throw new Error(`${file.name} has the laboratory’s “${known}” in it; give answers.csv instead`);
    const places = trials.map((image) => sitData.images.indexOf(image));
    const foreign = trials.find((_, row) => places[row] < 0);
    if (foreign !== undefined) throw new Error(`${file.name}: “${foreign}” is no picture of this experiment`);
    const saidBy = ({ labels }) => Object.fromEntries(labels.map((word, row) => [places[row], word]));
    return systems.map((system) => ({ name: system.name, places, said: saidBy(system) }));
  }

  function check(people) {
    const names = people.map(({ name }) => name);
    const twice = names.find((name, place) => names.indexOf(name) < place);
    const [{ places }] = people;
    const other = people.find((each) => each.places.length !== places.length);
    if (twice) throw new Error(`“${twice}” comes twice; give each person a pseudonym, in the file’s first row`);
    if (people.length < 2) throw new Error("This is one person; a class needs two");
    if (!other) return;
    const lengths = `${names[0]} named ${places.length} pictures, ${other.name} ${other.places.length}`;
    throw new Error(`${lengths}; a class needs one form`);
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
    const [element, spec] = [figure(), { config, usermeta, width: "container", height: 320, data: { values }, layer }];
    // charts.js hears of a chart only once it is on the page.
    queueMicrotask(() => fill(element, { title, subtitle, description: `${title}: ${subtitle}.`, spec }));
    return element;
  }

  async function take(files) {
    drop.dataset.state = "busy";
    try {
      const people = (await Promise.all([...files].map(read))).flat();
      check(people);
      const [{ places }] = people;
      const all = setUp(people, places);
      const joined = sitSession.beside(people, places, []);
      const save = link("class.csv", joined, "Save the class as one file (class.csv)");
      results.replaceChildren(...tables(all), chart(all), save);
      results.hidden = false;
      status.textContent = `${people.length} students, ${places.length} pictures.${verdict(all)}`;
      drop.dataset.state = "done";
    } catch (error) {
      results.hidden = true;
      status.textContent = `${error.message}.`;
      drop.dataset.state = "failed";
    }
    status.classList.toggle("own-error", results.hidden);
  }

  takeFiles(input, drop, take);
})();
