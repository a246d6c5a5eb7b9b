/** What a sitting says: accuracy, EC and MA with each person and network, what was missed, and how sure one can be. */
const sitResult = (() => {
  const { make, table, estimate, link } = ownResults;
  const { inWords, MEASURES } = ownFigures;
  const { WHO, setUp, withKind, between, plot, means } = sitCompare;
  const measures = ownMeasures();
  const { bounds } = measures;
  const PICTURES = ["cue-conflict", "edges", "silhouettes"];
  const ROW = 15;
  const FRAME = 17; // ms
  const TICKS = {
    EC: "how far EC could go at these accuracies",
    MA: "the MA of two who share only habits, such as saying “dog” for every animal",
  };

  const percent = (share) => Math.round(100 * share);
  const inView = (word) => (word === "na" ? "no answer" : word);
  const small = (...words) => make("p", { class: "own-small" }, ...words);
  const isOf = (kind) => (place) => kind === "all" || sitData.images[place].startsWith(kind);

  /** Whether somebody is right on some pictures and wrong on others: else EC is 0, or 0/0. */
  const canAgree = ({ accuracy }) => accuracy > 0 && accuracy < 1;
  const most = (own, other) => bounds(own.accuracy, other.accuracy)[1];
  const meanMost = (all, own, kind) => means.mean(all.of(kind).map((other) => most(own, other)));

  /** A row of a chart: the mean EC with a kind. */
  function average(all, own, kind) {
    const [value, low, high] = means.limits(withKind(all, own, kind));
    return { name: `mean of ${WHO[kind]}`, who: WHO[kind], value, low, high, limit: meanMost(all, own, kind) };
  }

  /** A row per person and network, the most similar first in each kind; before them their mean, where it is known. */
  function withEach(measure, pairs, all, own) {
    return all.kinds.flatMap((kind) => {
      const ofKind = all.of(kind).map((other) => ({ other, pair: pairs.find(({ b }) => b === other.name) }));
      const rows = ofKind.map(({ other, pair }) => {
        const [value, low, high] = pair[measure];
        const limit = measure === "EC" ? most(own, other) : pair.blind;
        return { name: other.name, who: WHO[kind], value, low, high, limit, "joint errors": pair.jointErrors };
      });
      rows.sort((one, other) => other.value - one.value);
      return [...(measure === "EC" ? [average(all, own, kind)] : []), ...rows];
    });
  }

  function chart(measure, title, found, own) {
    const rows = found.filter(({ value }) => Number.isFinite(value) && (measure !== "EC" || canAgree(own)));
    if (!rows.length) return small(`There is no ${MEASURES[measure]} to show.`);
    const isMean = { test: "slice(datum.label, 0, 4) === 'mean'", value: "bold" };
    const labelFontWeight = { condition: isMean, value: "normal" };
    const axis = { labelLimit: 140, labelFontSize: 11, labelExpr: sitData.label, labelFontWeight };
    const y = { field: "name", type: "nominal", sort: rows.map(({ name }) => name), title: null, axis };
    const x = (field) => ({ field, type: "quantitative", title: MEASURES[measure] });
    const tick = { type: "tick", color: sitData.colours.blind, thickness: 2, opacity: 1 };
    return plot(title, `lines: 95 % intervals; grey ticks: ${TICKS[measure]}`, ROW * rows.length, rows, {
      span: { x: x("low"), x2: { field: "high" }, y },
      point: { x: x("value"), y },
      more: [{ mark: tick, encoding: { x: x("limit"), y } }],
    });
  }

  /** Sentences that claim no more than their intervals allow. */
  function verdict(all, own) {
    const [n, unanswered] = [own.answers.length, own.answers.filter((answer) => answer < 0).length];
    const score = `You named ${Math.round(n * own.accuracy)} of ${n} pictures correctly; ${unanswered} got no answer.`;
    if (!canAgree(own)) return [`${score} EC is then 0 with everybody and says nothing.`];
    const [people, networks] = ["human", "model"].map((kind) => withKind(all, own, kind));
    const difference = means.limits(means.minus(people, networks));
    let claim = "These pictures cannot tell whether you fail on the same pictures as people, or on the same as networks";
    if (difference[1] > 0) claim = "You fail on the same pictures as people, more than on the same as networks";
    if (difference[2] < 0) claim = "You fail on the same pictures as networks, more than on the same as people";
    const [a, b] = [people, networks].map((each) => estimate(means.limits(each)));
    const [person, network] = ["human", "model"].map((kind) => inWords(meanMost(all, own, kind)));
    return [
      `${score} ${claim}: your mean error consistency (EC) is ${a} with people and ${b} with networks, a difference of ` +
        `${estimate(difference)}. It would be 1 if you failed on the same pictures, and 0 if no more than by chance.`,
      `Between two of these people EC is ${inWords(between(all, "human").value)} on average. Accuracy limits it: with ` +
        `yours, EC could be at most ${person} with a person and ${network} with a network, on average.`,
      `Where you and another both gave a wrong word, it was the same one in ${sameWords(all, own, "human")} cases with ` +
        `people and in ${sameWords(all, own, "model")} with networks.`,
    ];
  }

  /** How often the reader and those of a kind gave the same wrong word, of all cases where both gave one. */
  function sameWords({ truth, of }, own, kind) {
    const isWrong = ({ answers }) => (i) => answers[i] >= 0 && answers[i] !== truth[i];
    const mine = [...truth.keys()].filter(isWrong(own));
    const same = of(kind).flatMap((other) => mine.filter(isWrong(other)).map((i) => other.answers[i] === own.answers[i]));
    return `${same.filter(Boolean).length} of ${same.length}`;
  }

  function accuracies({ places, truth, of, kinds }, own) {
    const rows = [...PICTURES, "all"].map((name) => {
      const chosen = places.map(isOf(name));
      const right = ({ answers }) => answers.map((answer, i) => answer === truth[i]).filter((_, i) => chosen[i]);
      const share = (some) => means.mean(some.flatMap(right));
      const n = right(own).length;
      const [low, high] = measures.wilson(share([own]), n).map(percent);
      const mine = `${percent(share([own]))} % (${low} to ${high})`;
      return [name.replace("-", " "), n, mine, ...kinds.map((kind) => `${percent(share(of(kind)))} %`)];
    });
    const head = ["pictures", "number", "you", ...kinds.map((kind) => WHO[kind])];
    return table("Named correctly, yours with 95 % intervals", head, rows);
  }

  /** What those of a kind said of a picture: a tile for each, the same words beside each other, and the words. */
  function strip(some, kind, place, mine) {
    const truth = sitData.classes[sitData.truth[place]];
    const said = some.map(({ name, said }) => ({ name, word: said[place] }));
    const count = (word) => said.filter((each) => each.word === word).length;
    const words = [...new Set(said.map(({ word }) => word))].sort((one, other) => count(other) - count(one));
    const apart = [mine, ...words.filter((word) => word !== mine && word !== truth), truth];
    const how = (word) => (word === truth ? "right" : word === mine && word !== "na" ? "mine" : "");
    const tile = ({ name, word }) => make("i", { class: how(word), title: `${name}: ${inView(word)}` });
    const tiles = apart.flatMap((word) => said.filter((each) => each.word === word).map(tile));
    const often = words.slice(0, 3).map((word) => `${inView(word)} ${count(word)}`);
    const drawn = make("span", { class: "sit-strip", "aria-hidden": "true" }, ...tiles);
    return [make("span", {}, `${WHO[kind]}: ${often.join(", ")}`), drawn];
  }

  /** The pictures that the reader missed, with what all others said. */
  function missed(all, cue, own) {
    const item = (place) => {
      // Without this class the theme changes the contrast of pictures in the dark.
      const image = make("img", { src: sitSession.address(place), alt: "", loading: "lazy", class: "dark-light" });
      const name = make("b", {}, sitData.classes[sitData.truth[place]]);
      const { kinds, of } = isOf("cue-conflict")(place) ? cue : all;
      const strips = kinds.flatMap((kind) => strip(of(kind), kind, place, own.said[place]));
      return make("li", {}, image, make("div", {}, name, make("span", {}, `you: ${inView(own.said[place])}`), ...strips));
    };
    const items = all.places.filter((_, i) => own.answers[i] !== all.truth[i]).map(item);
    const label = `What you missed: ${items.length} of ${all.places.length}`;
    const tile = (how) => make("i", { class: how });
    const meanings = [tile("mine"), " the same as you, ", tile(""), " not right either, ", tile("right"), " right."];
    const key = small("The three most frequent answers, and a tile for each person or network: ", ...meanings);
    const list = make("ul", { class: "sit-missed" }, ...items);
    return [make("h3", {}, label), ...(all.kinds.length && items.length ? [key] : []), list];
  }

  /** Whether pictures were there for as long as they should. */
  function timing({ done, picture, mask, limit }) {
    const isOff = (each) => Math.abs(each.shown - picture) > FRAME || Math.abs(each.mask - mask) > FRAME;
    const longest = Math.max(...done.map((each) => each.longest_frame)).toFixed(0);
    const time = limit ? `${limit / 1000} seconds` : "any time";
    const asked = `${picture / 1000} seconds for each picture, ${mask ? "then noise" : "no noise"}, and ${time} to answer`;
    return (
      `You chose ${asked}. ${done.length - done.filter(isOff).length} of ${done.length} pictures were there for the ` +
      `time asked, within ${FRAME} ms (a frame); the longest frame took ${longest} ms. No answer counts as a wrong one.`
    );
  }

  /** Charts of the reader beside all others; of newer models, which named one kind of pictures, only the mean. */
  function charts(all, cue, me, pairs) {
    const [EC, MA] = ["EC", "MA"].map((measure) => {
      const title = `${MEASURES[measure].replace(/^./, (letter) => letter.toUpperCase())} with each person and network`;
      return chart(measure, title, withEach(measure, pairs, all, me), me);
    });
    const title = `Mean error consistency on the ${cue.places.length} pictures with a cue conflict`;
    const [own] = cue.systems;
    const newer = chart("EC", title, cue.kinds.map((kind) => average(cue, own, kind)), own);
    return [EC, MA, newer];
  }

  async function show(place, session) {
    place.replaceChildren(small("Comparing your answers …"));
    place.hidden = false;
    const done = sitSession.inOrder(session);
    const own = { name: session.name, said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
    const all = setUp([own], done.map((each) => each.place));
    const cue = setUp([own], all.places.filter(isOf("cue-conflict")), [...sitData.systems, ...sitData.newer]);
    const [me] = all.systems;
    const links = [link("answers.csv", sitSession.file(session), "Save your answers (answers.csv)")];
    const parts = [...missed(all, cue, me), small(timing(session))];
    if (all.kinds.length) {
      const text = sitSession.beside([own], all.places);
      links.unshift(...verdict(all, me).map((words) => make("p", {}, words)));
      links.push(link("answers-beside.csv", text, "Save them beside the others’ (answers-beside.csv)"));
      const { pairs } = await ownAsk({ text, classes: sitData.classes.join(","), ofFirst: true });
      parts.unshift(...charts(all, cue, me, pairs));
    } else parts.unshift(small("This copy of the book lacks the laboratory’s answers, so it compares you with nobody."));
    place.replaceChildren(...links, accuracies(all, me), ...parts);
  }

  return { show };
})();
