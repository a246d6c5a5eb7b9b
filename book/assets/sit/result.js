/** What a sitting says: what was missed, and who else missed it; EC with people and networks, and what can be claimed. */
const sitResult = (() => {
  const { make, estimate, link } = ownResults;
  const { WHO, setUp, withKind, chart, means } = sitCompare;
  const FRAME = 17; // ms
  const GROUPS = { both: "that people and networks miss", networks: "that only networks miss", people: "that only people miss", you: "that neither misses" };

  const inView = (word) => (word === "na" ? "no answer" : word);
  const small = (...words) => make("p", { class: "own-small" }, ...words);
  const isCue = (place) => sitData.images[place].startsWith("cue-conflict");

  /** Nearer to one kind than to the other; that there is something shared needs a lower end above 0 of its own. */
  const nearerTo = (one, other, [, low]) =>
    low > 0
      ? `You fail on the same pictures as ${one}, more than on the same as ${other}`
      : `You fail nearer to ${one} than to ${other}, but on the same pictures as neither, for all that one can tell`;

  /** The largest mean EC with those of a kind that accuracies allow, and the mean of EC as a share of that: Loevinger's H. */
  function reach(all, own, kind) {
    const { kappa, largestKappa, rightTable } = ownMeasures();
    const tables = all.of(kind).map(({ answers }) => rightTable(all.truth, own.answers, answers));
    const some = tables.filter((table) => largestKappa(...table) > 0); // beside who is always right, or never, EC is 0 for all
    const largest = some.map((table) => largestKappa(...table));
    return { largest: means.mean(largest), share: means.mean(some.map((table, place) => kappa(...table) / largest[place])) };
  }

  /** No more than the intervals allow, beside what could be reached; EC is 0, or 0/0, for whoever is always right, or never. */
  function verdict(all, own) {
    if (own.accuracy === 0 || own.accuracy === 1) return "So your error consistency (EC) is 0 with everybody and says nothing.";
    const both = ["human", "model"].map((kind) => withKind(all, own, kind));
    const [people, networks, difference] = [...both, means.minus(...both)].map(means.limits);
    let claim = "These pictures cannot tell whether you fail on the same pictures as people, or on the same as networks";
    const [withPeople, withNetworks] = ["human", "model"].map((kind) => reach(all, own, kind));
    const isOther = (difference[0] > 0) !== (withPeople.share > withNetworks.share);
    if (difference[1] > 0) claim = nearerTo("people", "networks", people);
    if (difference[2] < 0) claim = nearerTo("networks", "people", networks);
    const { inWords } = ownMeasures();
    const allowed = `Your accuracy and theirs allow an EC of at most ${inWords(withPeople.largest)} with people, and ${inWords(withNetworks.largest)} with networks; of this yours is a share of ${inWords(withPeople.share)} and ${inWords(withNetworks.share)} (Loevinger’s H)`;
    if (Number.isNaN(difference[1])) return `${claim}. ${allowed}.`;
    return `${claim}. Your mean error consistency (EC) with people minus that with networks is ${estimate(difference)}. ${allowed}${isOther ? ", which is the other way round: the difference may come from accuracies alone" : ""}.`;
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
    if (words.length > 3) often.push(`others ${words.slice(3).reduce((sum, word) => sum + count(word), 0)}`);
    const drawn = make("span", { class: `sit-strip ${kind}`, "aria-hidden": "true" }, ...tiles);
    return [make("span", {}, `${WHO[kind]}: ${often.join(", ")}`), drawn];
  }

  /** Who else fails on a picture, half of them or more: nobody, people, networks, or both. */
  function group(place) {
    const [people, networks] = sitData.missed[place].map((some, kind) => 2 * some >= sitData.of[kind]);
    return people && networks ? "both" : people ? "people" : networks ? "networks" : "you";
  }

  const missedBy = (place) => ["people", "networks"].map((who, kind) => `${sitData.missed[place][kind]} of ${sitData.of[kind]} ${who}`).join(" and ");

  /** A picture that the reader missed; whoever presses it sees what all others said. */
  function picture(all, cue, own, i) {
    const place = all.places[i];
    const said = `${sitData.classes[sitData.truth[place]]}; you: ${inView(own.said[place])}`;
    // Without this class the theme changes the contrast of pictures in the dark.
    const image = make("img", { src: sitSession.address(place), alt: said, loading: "lazy", class: "dark-light" });
    const { kinds, of } = isCue(place) ? cue : all;
    const strips = kinds.length ? kinds.flatMap((kind) => strip(of(kind), kind, place, own.said[place])) : [make("span", {}, `missed by ${missedBy(place)}`)];
    return make("li", {}, make("details", {}, make("summary", {}, image), make("div", {}, make("b", {}, said), ...strips)));
  }

  /** What somebody missed, in rows by who else failed; below each how many there would be by chance. */
  function missed(all, own, tile) {
    const at = [...all.places.keys()].filter((i) => own.answers[i] !== all.truth[i]).sort((i, j) => (sitData.images[all.places[i]] < sitData.images[all.places[j]] ? -1 : 1)); // by kind
    const within = (some, name) => some.filter((i) => group(all.places[i]) === name);
    const groups = Object.keys(GROUPS).map((name) => [name, within(at, name), within([...all.places.keys()], name).length]);
    const rows = groups.map(([name, some, many, chance = (many * at.length) / all.places.length]) =>
      make("div", { class: `sit-row ${name}`, ...(chance && { style: `--chance: ${chance}`, "data-chance": `by chance: ${chance.toFixed(1)} (${at.length}/${all.places.length} of ${many})` }) }, make("p", {}, make("b", {}, `${some.length} of ${many}`), ` ${GROUPS[name]}`), make("ul", { class: "sit-missed" }, ...some.map(tile))),
    );
    return make("div", { class: "sit-rows" }, ...rows);
  }

  /** Whether pictures were there for as long as they should. */
  function timing({ done, picture, mask, limit }) {
    const isOff = (each) => Math.abs(each.shown - picture) > FRAME || Math.abs(each.mask - mask) > FRAME;
    const longest = Math.max(...done.map((each) => each.longest_frame)).toFixed(0);
    const time = limit ? `${limit / 1000} s` : "any time";
    const asked = `${picture / 1000} s for each picture, ${mask ? "then noise" : "no noise"}, and ${time} to answer`;
    return (
      `You chose ${asked}. ${done.length - done.filter(isOff).length} of ${done.length} pictures were there for the ` +
      `time asked, within ${FRAME} ms (a frame); the longest frame took ${longest} ms. A missing answer counts as wrong.`
    );
  }

  function show(place, session) {
    const done = sitSession.inOrder(session);
    const own = { name: session.name, said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
    const all = setUp([own], done.map((each) => each.place));
    const cue = setUp([own], all.places.filter(isCue), [...sitData.systems, ...sitData.newer]);
    const [me] = all.systems;
    const head = make("h3", {}, `You named ${Math.round(done.length * me.accuracy)} of ${done.length} pictures correctly. Press one that you missed to see what others said:`);
    const words = all.kinds.length ? [make("details", {}, make("summary", {}, "For after the next lesson: your error consistency (EC)"), small(`Error consistency (EC), the subject of the next lesson, says how far two fail on the same pictures beyond chance. Yours rests on the ${done.length - Math.round(done.length * me.accuracy)} pictures that you missed: the fewer, the wider the intervals.`), chart(all, me, "you"), make("p", {}, verdict(all, me)))] : [small("This copy of the book has how many missed each picture, but not each answer, which error consistency (EC), the subject of the next lesson, would need.")];
    const [isOwn, file] = ["seed" in session, `${session.name}.csv`];
    const links = isOwn ? [link(file, sitSession.file(session), `Save your answers (${file})`)] : [];
    if (all.kinds.length) links.push(link("answers-beside.csv", sitSession.beside(own, all.places), "Save them beside the others’ (answers-beside.csv)"));
    links.push(make("p", {}, make("a", { href: sitSession.fragment(session) }, "A link to this result"), " (it holds these answers, and nothing about you)"));
    const rest = isOwn ? [small(timing(session))] : [];
    const half = "Missed by people, or by networks, means by at least half of them.";
    const key = all.kinds.length ? `${half} Of the answers a circle is a person’s and a square a network’s: grey is right, a colour wrong, and a dot marks your wrong word.` : half;
    const rows = missed(all, me, (i) => picture(all, cue, me, i));
    place.replaceChildren(head, rows, small(key), ...words, ...rest, ...links);
  }

  return { show };
})();
