/** What a sitting says: accuracy, EC and MA with each person and network, what was missed, and how sure one can be. */
const sitResult = (() => {
  const { make, table, figure, fill, estimate } = ownResults;
  const { inWords, MEASURES } = ownFigures;
  const measures = ownMeasures();
  const planner = ownPlanner(measures, ownResampling(measures));
  const means = sitMeans(measures);
  const PICTURES = ["cue-conflict", "edges", "silhouettes"];
  const WHO = { mine: "the class", human: "people", model: "networks" };
  const SHAPES = { mine: "diamond", human: "circle", model: "triangle-up" };
  const ROW = 15;
  const FRAME = 17; // ms
  const WIDTH = 0.2; // of the interval that the reader is told the price of
  const LIMIT = {
    EC: "lines: 95 % intervals; grey ticks: the most that both accuracies allow",
    MA: "lines: 95 % intervals; grey ticks: blind values",
  };

  const percent = (share) => Math.round(100 * share);
  const small = (...words) => make("p", { class: "own-small" }, ...words);
  const redraw = (place) =>
    place.querySelectorAll("figure").forEach((each) => each.dispatchEvent(new Event("new-chart", { bubbles: true })));

  /** Whether somebody is right on some pictures and wrong on others: else EC is 0, or 0/0. */
  const canAgree = ({ accuracy }) => accuracy > 0 && accuracy < 1;

  /** Answers as numbers beside those of the laboratory: all as `systems`, those of a kind by `of`. */
  function setUp(people, places) {
    const truth = places.map((place) => sitData.truth[place]);
    const laboratory = sitData.systems.map((system) => ({
      ...system,
      said: Object.fromEntries(places.map((place) => [place, sitSession.wordOf(system.said, place)])),
    }));
    const systems = [...people.map((each) => ({ ...each, kind: "mine" })), ...laboratory].map((each) => {
      const answers = places.map((place) => sitData.classes.indexOf(each.said[place]));
      return { ...each, answers, accuracy: means.mean(answers.map((answer, i) => Number(answer === truth[i]))) };
    });
    return { places, truth, systems, of: (kind) => systems.filter((system) => system.kind === kind) };
  }

  /** The mean EC of a system with all others of a kind. */
  const withKind = ({ truth, of }, own, kind) =>
    means.ofPairs(
      truth,
      of(kind).flatMap((other) => (other === own ? [] : [[own.answers, other.answers]])),
    );

  /** The mean EC of all pairs of one kind, or of two. */
  function between({ truth, of }, one, other = one) {
    const rest = (place) => of(other).slice(one === other ? place + 1 : 0);
    const pairs = of(one).flatMap((a, place) => rest(place).map((b) => [a.answers, b.answers]));
    return { ...means.ofPairs(truth, pairs), n: pairs.length };
  }

  function link(name, text, words) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    return make("p", {}, make("a", { href, download: name }, words));
  }

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
    fill(element, { title, subtitle, description: `${title}: ${subtitle}.`, spec });
    return element;
  }

  /** One row per person and network, the most similar first, with its interval and how far a value could go. */
  function chart(measure, pairs, { systems }) {
    const by = Object.fromEntries(systems.map((system) => [system.name, system]));
    const rows = pairs
      .filter((pair) => Number.isFinite(pair[measure][0]) && (measure !== "EC" || canAgree(by[pair.a])))
      .sort((one, other) => other[measure][0] - one[measure][0])
      .map((pair) => {
        const [value, low, high] = pair[measure];
        const most = planner.bounds(by[pair.a].accuracy, by[pair.b].accuracy)[1];
        const limit = measure === "EC" ? most : pair.blind;
        return { name: pair.b, who: WHO[by[pair.b].kind], value, low, high, limit, "joint errors": pair.jointErrors };
      });
    if (!rows.length) return small(`There is no ${MEASURES[measure]} to show.`);
    const axis = { labelLimit: 130, labelFontSize: 11 };
    const y = { field: "name", type: "nominal", sort: rows.map(({ name }) => name), title: null, axis };
    const x = (field) => ({ field, type: "quantitative", title: MEASURES[measure] });
    const tick = { type: "tick", color: sitData.colours.blind, thickness: 2, opacity: 1 };
    const title = `${MEASURES[measure].replace(/^./, (letter) => letter.toUpperCase())} with each person and network`;
    return plot(title, LIMIT[measure], ROW * rows.length, rows, {
      span: { x: x("low"), x2: { field: "high" }, y },
      point: { x: x("value"), y },
      more: [{ mark: tick, encoding: { x: x("limit"), y } }],
    });
  }

  /** Sentences that claim no more than their intervals allow. */
  function verdict(all, own) {
    const [people, networks] = ["human", "model"].map((kind) => withKind(all, own, kind));
    const difference = means.limits(means.minus(people, networks));
    if (!canAgree(own)) return "You were right on all pictures or on none, and then EC is 0 with everybody and says nothing.";
    let claim = `These ${all.places.length} pictures cannot tell whether your errors are more like people’s or networks’`;
    if (difference[1] > 0) claim = "You fail on the same pictures as people, more than on the same as networks";
    if (difference[2] < 0) claim = "You fail on the same pictures as networks, more than on the same as people";
    const [a, b] = [people, networks].map((each) => estimate(means.limits(each)));
    const [person, network] = ["human", "model"].map((kind) =>
      inWords(means.mean(all.of(kind).map(({ accuracy }) => planner.bounds(own.accuracy, accuracy)[1]))),
    );
    return (
      `${claim}: your mean EC is ${a} with people and ${b} with networks, a difference of ${estimate(difference)}. ` +
      `Two of these people have ${inWords(between(all, "human").value)} on average. Accuracy has a share in this: ` +
      `with yours, EC could be at most ${person} with a person and ${network} with a network, on average.`
    );
  }

  /** How many pictures would make the interval with one person narrow. */
  function price(all, own) {
    const b = means.mean(all.of("human").map(({ accuracy }) => accuracy));
    const [low, high] = planner.bounds(own.accuracy, b);
    const ec = Math.min(Math.max(withKind(all, own, "human").value, low), high);
    if (!canAgree(own)) return "";
    const needed = planner.trialsNeeded(WIDTH, ec, own.accuracy, b).toLocaleString("en");
    const much = `±${WIDTH / 2} around your EC with a single person`;
    return `For an interval of ${much} you would need about ${needed} pictures; you named ${all.places.length}.`;
  }

  function accuracies({ places, truth, of }, own) {
    const others = ["human", "model"].filter((kind) => of(kind).length);
    const rows = [...PICTURES, "all"].map((kind) => {
      const isOf = (_, i) => kind === "all" || sitData.images[places[i]].startsWith(kind);
      const right = ({ answers }) => answers.map((answer, i) => answer === truth[i]).filter(isOf);
      const share = (some) => means.mean(some.flatMap(right));
      const n = truth.filter(isOf).length;
      const [low, high] = measures.wilson(share([own]), n).map(percent);
      const mine = `${percent(share([own]))} % (${low} to ${high})`;
      return [kind, n, mine, ...others.map((who) => `${percent(share(of(who)))} %`)];
    });
    const head = ["pictures", "number", "you", ...others.map((kind) => WHO[kind])];
    return table("Named correctly, yours with 95 % intervals", head, rows);
  }

  /** The pictures that the reader missed, with what all others said. */
  function missed({ places, truth, of }, own) {
    const often = (some, place) => {
      const said = some.map((each) => each.said[place]);
      const count = (word) => said.filter((each) => each === word).length;
      const words = [...new Set(said)].sort((one, other) => count(other) - count(one));
      return words.slice(0, 3).map((word) => `${word} ${count(word)}`).join(", ");
    };
    const item = (place) => {
      const src = sitSession.address(place);
      const others = ["human", "model"].filter((kind) => of(kind).length);
      const lines = [`you: ${own.said[place]}`, ...others.map((kind) => `${WHO[kind]}: ${often(of(kind), place)}`)];
      // Without this class the theme changes the contrast of pictures in the dark.
      const image = make("img", { src, alt: "", loading: "lazy", class: "dark-light" });
      const name = make("b", {}, sitData.classes[sitData.truth[place]]);
      return make("li", {}, image, name, ...lines.flatMap((line) => [line, make("br")]));
    };
    const items = places.filter((_, i) => own.answers[i] !== truth[i]).map(item);
    const label = `What you missed: ${items.length} of ${places.length}`;
    return [make("h3", {}, label), make("ul", { class: "sit-missed", tabindex: "0", "aria-label": label }, ...items)];
  }

  /** Whether pictures were there for as long as they should. */
  function timing({ done, picture, mask, limit }) {
    const isOff = (each) => Math.abs(each.shown - picture) > FRAME || Math.abs(each.mask - mask) > FRAME;
    const longest = Math.max(...done.map((each) => each.longest)).toFixed(0);
    const time = limit ? `${limit / 1000} seconds` : "any time";
    const asked = `${picture} ms for each picture, ${mask ? "then noise" : "no noise"}, and ${time} to answer`;
    return (
      `You chose ${asked}. ${done.length - done.filter(isOff).length} of ${done.length} pictures were there for the ` +
      `time asked, within ${FRAME} ms (a frame); the longest frame took ${longest} ms. ` +
      `${done.filter(({ said }) => said === "na").length} got no answer in time, which counts as wrong.`
    );
  }

  async function show(place, session) {
    const done = sitSession.inOrder(session);
    const own = { name: session.name, said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
    const all = setUp([own], done.map((each) => each.place));
    const [me] = all.systems;
    const links = [link("answers.csv", sitSession.file(session), "Save your answers (answers.csv)")];
    const parts = [accuracies(all, me), ...missed(all, me), small(timing(session))];
    if (sitData.systems.length) {
      const text = sitSession.beside([own], all.places);
      const { pairs } = await ownAsk("analyse", { text, classes: sitData.classes.join(",") });
      const [EC, MA] = ["EC", "MA"].map((measure) => chart(measure, pairs.filter(({ a }) => a === own.name), all));
      parts.unshift(make("p", { class: "sit-verdict" }, verdict(all, me)));
      parts.splice(2, 0, EC, make("p", {}, price(all, me)), MA);
      links.push(link("answers-beside.csv", text, "Save them beside the others’ (answers-beside.csv)"));
    } else parts.unshift(small("This copy of the book lacks the laboratory’s answers, so it compares you with nobody."));
    place.replaceChildren(...parts, ...links);
    place.hidden = false;
    redraw(place);
  }

  return { WHO, show, setUp, withKind, between, link, plot, redraw, means };
})();
