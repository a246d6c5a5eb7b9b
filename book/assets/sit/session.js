/**
 * A sitting: what was chosen, what is left to show, what was answered; kept in the browser until it is deleted, and
 * written as a file that `erralign compare` and the page "Your own data" read.
 */
const sitSession = (() => {
  const TIMES = ["started", "response", "shown", "mask", "longest_frame", "away"]; // of an answer, in ms
  const { generator } = ownDraws(ownMeasures());
  const { withStore, sitting: kept, SITTING: KEY } = siteGuest;
  const { csv } = chartControls;

  function shuffled(places, seed) {
    const random = generator(seed);
    const order = [...places];
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }

  /** The pictures of a form, as places in the long one. */
  const places = (form) => sitData[form] ?? [...sitData.images.keys()];

  /** Begin a sitting; the seed decides the order. */
  function begin(chosen) {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    return { ...chosen, seed, left: shuffled(places(chosen.form), seed), done: [], away: {} };
  }

  const keep = (session) => withStore((store) => store.setItem(KEY, JSON.stringify(session)));
  const forget = () => withStore((store) => store.removeItem(KEY));

  /** Where a picture is. */
  const address = (place) => `_static/stimuli/${sitData.images[place].replace(/png$/, "webp")}`;

  /** The answers of a sitting in the order of the form. */
  const inOrder = ({ form, done }) =>
    places(form).flatMap((place) => done.filter((each) => each.place === place));

  /** The file: a row per picture, what really happened in ms, how it was asked, and last, as systems are, the answer. */
  function file(session) {
    const times = [...TIMES, "asked", "asked_mask", "limit"].map((name) => `${name}_ms`);
    const head = ["image", ...times, "seed", "truth", session.name];
    const { picture, mask, limit, seed } = session;
    const rows = inOrder(session).map((each) => [
      sitData.images[each.place],
      ...TIMES.map((name) => each[name]?.toFixed(1) ?? ""),
      ...[picture, mask, limit || "", seed],
      sitData.classes[sitData.truth[each.place]],
      each.said,
    ]);
    return csv([head, ...rows]);
  }

  /** What a system of the laboratory said, in words. */
  const wordOf = (said, place) => sitData.classes[said.charCodeAt(place) - 97] ?? "na";

  /** A wide file of somebody, with `name` and `said` by place, beside the systems of the laboratory. */
  function beside(own, chosen) {
    const rows = chosen.map((place) => [
      sitData.images[place],
      sitData.classes[sitData.truth[place]],
      own.said[place],
      ...sitData.systems.map(({ said }) => wordOf(said, place)),
    ]);
    return csv([["image", "truth", own.name, ...sitData.systems.map(({ name }) => name)], ...rows]);
  }

  /** A result in an address: the form, and a letter per picture; nothing of who it was. */
  const letter = ({ said }) => (said === "na" ? "-" : String.fromCharCode(97 + sitData.classes.indexOf(said)));
  const fragment = (session) => `#said=${session.form}.${inOrder(session).map(letter).join("")}`;

  /** The sitting that an address brings along. */
  function shared() {
    const [, form, said] = /^#said=(minute|short|long)\.([a-p-]+)$/.exec(location.hash) ?? [];
    if (!form || places(form).length !== said.length) return undefined;
    return { form, name: "Somebody", left: [], done: places(form).map((place, i) => ({ place, said: wordOf(said, i) })) };
  }

  return { begin, address, places, keep, kept, forget, file, fragment, shared, beside, inOrder, wordOf };
})();
