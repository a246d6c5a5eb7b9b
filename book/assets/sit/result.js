/** What a sitting says: what was missed, and who else missed it; EC with people and networks, and how sure one can be. */
const sitResult = (() => {
  const { make, table, estimate, link } = ownResults;
  const { inWords } = ownFigures;
  const { WHO, setUp, withKind, between, means } = sitCompare;
  const measures = ownMeasures();
  const { bounds } = measures;
  const PICTURES = ["cue-conflict", "edges", "silhouettes"];
  const FRAME = 17; // ms
  const GROUPS = { you: "missed by @ alone", people: "also by most people", networks: "also by most networks", both: "also by most of both" };

  const percent = (share) => Math.round(100 * share);
  const inView = (word) => (word === "na" ? "no answer" : word);
  const small = (...words) => make("p", { class: "own-small" }, ...words);
  const isOf = (kind) => (place) => kind === "all" || sitData.images[place].startsWith(kind);

  /** Whether somebody is right on some pictures and wrong on others: else EC is 0, or 0/0. */
  const canAgree = ({ accuracy }) => accuracy > 0 && accuracy < 1;
  const most = (own, other) => bounds(own.accuracy, other.accuracy)[1];
  const meanMost = (all, own, kind) => means.mean(all.of(kind).map((other) => most(own, other)));

  /** Nearer to one kind than to the other; that there is something shared needs a lower end above 0 of its own. */
  const nearerTo = (one, other, [, low]) =>
    low > 0
      ? `You fail on the same pictures as ${one}, more than on the same as ${other}`
      : `You fail nearer to ${one} than to ${other}, but on the same pictures as neither, for all that one can tell`;

  /** Sentences that claim no more than their intervals allow. */
  function verdict(all, own) {
    const [n, unanswered] = [own.answers.length, own.answers.filter((answer) => answer < 0).length];
    const score = `You named ${Math.round(n * own.accuracy)} of ${n} pictures correctly; ${unanswered} got no answer.`;
    if (!canAgree(own)) return [`${score} EC is then 0 with everybody and says nothing.`];
    const both = ["human", "model"].map((kind) => withKind(all, own, kind));
    const [people, networks, difference] = [...both, means.minus(...both)].map(means.limits);
    let claim = "These pictures cannot tell whether you fail on the same pictures as people, or on the same as networks";
    if (difference[1] > 0) claim = nearerTo("people", "networks", people);
    if (difference[2] < 0) claim = nearerTo("networks", "people", networks);
    const [person, network] = ["human", "model"].map((kind) => inWords(meanMost(all, own, kind)));
    return [
      `${score} ${claim}: your mean error consistency (EC) is ${estimate(people)} with people and ${estimate(networks)} ` +
        `with networks, a difference of ${estimate(difference)}. It would be 1 if you failed on the same pictures, and 0 ` +
        "if no more than by chance. In brackets: how far it may move with other pictures.",
      `Between two of these people EC is ${inWords(between(all, "human").value)} on average. Accuracy limits it: with ` +
        `yours, EC could be at most ${person} with a person and ${network} with a network, on average.`,
    ];
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
    const apart = new Set([truth, mine, ...words]); // what is right first
    const how = (word) => (word === truth ? "right" : word === mine && word !== "na" ? "mine" : "");
    const tile = ({ name, word }) => make("i", { class: how(word), title: `${name}: ${inView(word)}` });
    const tiles = [...apart].flatMap((word) => said.filter((each) => each.word === word).map(tile));
    const often = words.slice(0, 3).map((word) => `${inView(word)} ${count(word)}`);
    const drawn = make("span", { class: `sit-strip ${kind}`, "aria-hidden": "true" }, ...tiles);
    return [make("span", {}, `${WHO[kind]}: ${often.join(", ")}`), drawn];
  }

  /** Who else fails on a picture, half of them or more: nobody, people, networks, or both. */
  function group({ truth, of }, i) {
    const [people, networks] = ["human", "model"].map((kind) => means.mean(of(kind).map(({ answers }) => Number(answers[i] !== truth[i]))) >= 0.5);
    return people && networks ? "both" : people ? "people" : networks ? "networks" : "you";
  }

  /** By how much more of the people than of the networks, or fewer, gave the reader's wrong word. */
  function telling({ of }, own, i) {
    const [people, networks] = ["human", "model"].map((kind) => means.mean(of(kind).map(({ answers }) => Number(answers[i] === own.answers[i]))));
    return own.answers[i] < 0 ? -1 : Math.abs(people - networks);
  }

  /** A picture that the reader missed, with what all others said. */
  function picture(all, cue, own, i, who) {
    const place = all.places[i];
    // Without this class the theme changes the contrast of pictures in the dark.
    const image = make("img", { src: sitSession.address(place), alt: "", loading: "lazy", class: "dark-light" });
    const name = make("b", {}, `${sitData.classes[sitData.truth[place]]}; ${who}: ${inView(own.said[place])}`);
    const { kinds, of } = isOf("cue-conflict")(place) ? cue : all;
    const strips = kinds.flatMap((kind) => strip(of(kind), kind, place, own.said[place]));
    return make("li", {}, image, make("div", {}, name, ...strips));
  }

  /** What the reader missed: three that tell most, a bar of who else failed, and all, by who else failed. */
  function missed(all, cue, own, who = "you", title = "What you missed: ", rest = "") {
    const named = (name) => GROUPS[name].replace("@", who);
    const at = [...all.places.keys()].filter((i) => own.answers[i] !== all.truth[i]);
    const list = (some) => make("ul", { class: "sit-missed" }, ...some.map((i) => picture(all, cue, own, i, who)));
    const head = make("h3", {}, `${title}${at.length} of ${all.places.length}${rest}`);
    if (!at.length || !all.kinds.length) return [[head, list(at)], []];
    const groups = Object.keys(GROUPS).map((name) => [name, at.filter((i) => group(all, i) === name)]).filter(([, some]) => some.length);
    const bar = make("p", { class: "sit-bar" }, ...groups.map(([name, some]) => make("span", { class: name }, ...some.map(() => make("i", {})), ` ${some.length} ${named(name)}`)));
    const most = [...at].sort((one, other) => telling(all, own, other) - telling(all, own, one)).slice(0, 3);
    const tile = (how) => make("i", { class: how });
    const key = small("The three most frequent answers, and a circle for each other person, a square for each network: ", tile("right"), " right, ", tile(""), " wrong, ", tile("mine"), ` wrong and the same as ${who}.`);
    const whole = groups.flatMap(([name, some]) => [make("h4", {}, `${named(name).replace(/^./, (letter) => letter.toUpperCase())}: ${some.length}`), list(some)]);
    return [[head, list(most), key, bar, small("Most: at least half of them.")], whole];
  }

  const fold = (summary, ...parts) => make("details", {}, make("summary", {}, summary), ...parts);

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

  /** Once somebody agrees: a code that the class's page reads with its camera, the same as text, and the file. */
  function handIn(session) {
    const [box, place] = [make("input", { type: "checkbox" }), make("div", {})];
    const draw = () => {
      session.consent = box.checked;
      sitSession.keep(session);
      if (!box.checked) return place.replaceChildren();
      const line = sitSession.line(session);
      const code = make("div", { class: "sit-code", role: "img", "aria-label": "A QR code with your answers" });
      code.insertAdjacentHTML("afterbegin", qr.draw(line, "svg", { ecc: "medium" }));
      place.replaceChildren(code, make("code", { class: "sit-line" }, line), link("answers.csv", sitSession.file(session), "The file for your class (answers.csv)"));
    };
    box.checked = Boolean(session.consent);
    box.onchange = draw;
    if (box.checked) draw();
    const agree = make("label", {}, box, " My class may use these answers under my pseudonym.");
    return fold("Hand it in to your class", agree, small("Then show the code to the camera of the class, copy the line, or hand in the file."), place);
  }

  /** EC with each kind; newer models named one kind of pictures only. */
  function likeness(all, cue, me) {
    const row = (one, own) => (kind) => [WHO[kind], `${one.places.length}${one === cue ? " cue conflicts" : ""}`, estimate(means.limits(withKind(one, own, kind))), inWords(meanMost(one, own, kind))];
    const rows = [...all.kinds.map(row(all, me)), ...cue.kinds.map(row(cue, cue.systems[0]))];
    return table("Your mean EC with 95 % intervals, and how far it could go at your accuracy", ["with", "pictures", "mean EC", "at most"], rows);
  }

  function show(place, session) {
    const done = sitSession.inOrder(session);
    const own = { name: session.name, said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
    const all = setUp([own], done.map((each) => each.place));
    const cue = setUp([own], all.places.filter(isOf("cue-conflict")), [...sitData.systems, ...sitData.newer]);
    const [me] = all.systems;
    const [first, every] = missed(all, cue, me);
    const links = "seed" in session ? [link("answers.csv", sitSession.file(session), "Save your answers (answers.csv)")] : [];
    const words = all.kinds.length ? verdict(all, me).map((said) => make("p", {}, said)) : [small("This copy of the book lacks the laboratory’s answers, so it compares you with nobody.")];
    const folds = [fold("How many were right, and how long they were there", accuracies(all, me), small("seed" in session ? timing(session) : ""))];
    if (all.kinds.length) {
      links.push(link("answers-beside.csv", sitSession.beside([own], all.places), "Save them beside the others’ (answers-beside.csv)"));
      folds.unshift(fold("All that you missed, and what others said", ...every), fold("Beside people, networks and newer models", likeness(all, cue, me)));
    }
    if ("seed" in session) folds.push(handIn(session));
    links.push(make("p", {}, make("a", { href: sitSession.fragment(session) }, "A link to this result"), " (it holds these answers, and nothing about you)"));
    place.replaceChildren(...first, ...words, ...folds, ...links);
  }

  /** What a result looks like: that of a person of the laboratory, on pictures that the short form does not show. */
  function sample(place) {
    const [person, ...others] = sitData.systems;
    if (!person) return;
    const places = [...sitData.images.keys()].filter((each) => !sitData.short.includes(each));
    const said = Object.fromEntries(places.map((each) => [each, sitSession.wordOf(person.said, each)]));
    const all = setUp([{ name: "person 1", said }], places, others);
    place.replaceChildren(...missed(all, all, all.systems[0], "person 1", "An example: person 1 of the laboratory missed ", " pictures that the short form does not show")[0]);
  }

  return { show, sample };
})();
