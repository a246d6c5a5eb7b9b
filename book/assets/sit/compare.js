/** People beside those of the laboratory and networks: accuracies, means of EC, and charts of groups. */
const sitCompare = (() => {
  const { figure, fill } = ownResults;
  const means = sitMeans(ownMeasures());
  const WHO = { mine: "students", human: "people", model: "networks", newer: "newer models" };
  const SHAPES = { mine: "diamond", human: "circle", model: "triangle-up", newer: "square" };

  /** Answers as numbers beside those of others: all as `systems`, those of a kind by `of`, the other kinds as `kinds`. */
  function setUp(people, places, others = sitData.systems) {
    const truth = places.map((place) => sitData.truth[place]);
    const named = others.map((system) => ({
      ...system,
      said: Object.fromEntries(places.map((place) => [place, sitSession.wordOf(system.said, place)])),
    }));
    const systems = [...people.map((each) => ({ ...each, kind: "mine" })), ...named].map((each) => {
      const answers = places.map((place) => sitData.classes.indexOf(each.said[place]));
      return { ...each, answers, accuracy: means.mean(answers.map((answer, i) => Number(answer === truth[i]))) };
    });
    const of = (kind) => systems.filter((system) => system.kind === kind);
    const kinds = Object.keys(WHO).filter((kind) => kind !== "mine" && of(kind).length);
    return { places, truth, systems, of, kinds };
  }

  /** The mean EC of a system with all others of a kind. */
  function withKind(all, own, kind) {
    const others = all.of(kind).filter((other) => other !== own);
    return ofPairs(all, others.map((other) => [own.answers, other.answers]));
  }

  /** The mean EC of all pairs of one kind, or of two. */
  function between(all, one, other = one) {
    const rest = (place) => all.of(other).slice(one === other ? place + 1 : 0);
    const pairs = all.of(one).flatMap((a, place) => rest(place).map((b) => [a.answers, b.answers]));
    return { ...ofPairs(all, pairs), n: pairs.length };
  }

  const ofPairs = ({ truth, systems }, pairs) => means.ofPairs(truth, pairs, systems.map(({ answers }) => answers));

  /** A chart in the look of the book's, in which `who` is a colour and a shape: an interval, and a point on it. */
  function plot(title, subtitle, height, values, { span, point, more = [] }) {
    const kinds = Object.keys(WHO).filter((kind) => values.some(({ who }) => who === WHO[kind]));
    const domain = kinds.map((kind) => WHO[kind]);
    const range = kinds.map((kind) => sitData.colours[kind === "mine" ? "yours" : WHO[kind]]);
    const color = { field: "who", scale: { domain, range }, title: null };
    const shape = { field: "who", scale: { domain, range: kinds.map((kind) => SHAPES[kind]) }, title: null };
    const numbers = Object.keys(values[0]).filter((field) => typeof values[0][field] === "number");
    const tooltip = ["name", ...numbers].map((field) => ({ field, ...(field === "name" ? {} : { format: ".3~g" }) }));
    const layer = [
      ...more,
      { mark: { type: "rule", opacity: 1 }, encoding: { ...span, color } },
      { mark: { type: "point", filled: true, size: 45, opacity: 1 }, encoding: { ...point, color, shape, tooltip } },
    ];
    const { config, usermeta } = sitData;
    const element = figure();
    const spec = { config, usermeta, width: "container", height, data: { values }, layer };
    // charts.js hears of a chart only once it is on the page.
    queueMicrotask(() => fill(element, { title, subtitle, description: `${title}: ${subtitle}.`, spec }));
    return element;
  }

  return { WHO, setUp, withKind, between, plot, means };
})();
