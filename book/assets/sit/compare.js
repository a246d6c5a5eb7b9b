/** People beside those of the laboratory and networks: accuracies and means of EC. */
const sitCompare = (() => {
  const means = sitMeans(ownMeasures(), sitData.student);
  const STEP = 0.03; // of EC, in which dots are heaped
  const WHO = { human: "people", model: "networks", newer: "language models" };

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
    const kinds = Object.keys(WHO).filter((kind) => of(kind).length);
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
    return ofPairs(all, pairs);
  }

  const ofPairs = ({ truth, systems }, pairs) => means.ofPairs(truth, pairs, systems.map(({ answers }) => answers));

  /** Mean EC of somebody with people and with networks, with intervals, above that of everybody else with people. */
  function chart(all, own, who) {
    const heaps = {};
    const others = [...all.of("human"), ...all.of("model")].map((other) => {
      const value = means.value(all.truth, all.of("human").filter((each) => each !== other).map((each) => [other.answers, each.answers]));
      const at = STEP * Math.round(value / STEP);
      const heap = `${other.kind} ${at}`;
      heaps[heap] = (heaps[heap] ?? -1) + 1;
      return { row: `${WHO[other.kind]} with people`, name: other.name, EC: value, at, level: heaps[heap] };
    });
    const most = Math.max(3, ...others.map(({ level }) => level));
    const mine = ["human", "model"].map((kind) => {
      const [at, low, high] = means.limits(withKind(all, own, kind));
      return { row: `${who} with ${WHO[kind]}`, name: who, EC: at, at, low, high, level: most / 2, said: ownResults.estimate([at, low, high]) };
    });
    const { config, usermeta, colours } = sitData;
    const rows = [...mine, ...others.slice(0, 1), ...others.slice(-1)].map(({ row }) => row);
    const coded = (...range) => ({ field: "row", scale: { domain: rows, range }, legend: null });
    const x = (field) => ({ field, type: "quantitative", title: "mean EC", axis: { grid: false } });
    const encoding = {
      y: { field: "row", type: "nominal", sort: rows, title: null, scale: { padding: 0 }, axis: { grid: false, ticks: false, domain: false, labelPadding: 8, labelLimit: 170 } },
      yOffset: { field: "level", type: "quantitative", scale: { domain: [most + 1, -1] } },
      color: coded(colours.yours, colours.yours, colours.people, colours.networks),
    };
    const point = { x: x("at"), shape: coded("diamond", "diamond", "circle", "square"), tooltip: [{ field: "name" }, { field: "EC", format: ".2f" }], ...encoding };
    const layer = [
      { data: { values: others }, mark: { type: "point", filled: true, size: 32, opacity: 1 }, encoding: point },
      { data: { values: mine }, mark: { type: "rule", strokeWidth: 3 }, encoding: { ...encoding, x: x("low"), x2: { field: "high" } } },
      { data: { values: mine }, mark: { type: "point", filled: true, size: 130, opacity: 1 }, encoding: point },
      { data: { values: mine }, mark: { type: "text", dy: -14, fontSize: 13 }, encoding: { ...encoding, color: undefined, x: x("at"), text: { field: "said" } } },
      { data: { values: [{}] }, mark: { type: "rule", color: colours.blind }, encoding: { x: { datum: 0 } } },
    ];
    const none = mine.some(({ low }) => !Number.isFinite(low)) ? "; no line: too few pictures for an interval" : "";
    const [title, subtitle] = ["Mean error consistency (EC)", `lines: 95 % intervals, for other pictures${none}`];
    const spec = { config, usermeta, width: "container", height: 4 * Math.max(44, 8 * (most + 2)), layer };
    const description = `${title}: ${mine.map(({ row, said }) => `${row} ${said}`).join("; ")}.`;
    return ownResults.figure({ title, subtitle, description, spec });
  }

  return { WHO, setUp, withKind, between, chart, means };
})();
