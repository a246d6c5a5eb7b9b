/** The guest of this browser, or whoever sat the experiment, is a row in a lesson (building/you.py); else a person of the laboratory is. */
(() => {
  const { make, table, estimate } = ownResults;
  const { setUp, withKind, sameWords, means } = sitCompare;
  const KEY = "erralign-network";
  const [PERSON, NETWORK] = ["subject-01", "resnet50"]; // the same two in all lessons
  const session = sitSession.kept();
  const guest = siteGuest.kept();
  const ofGuest = [...sitData.images.keys()].flatMap((place) => {
    const said = guest?.said[sitData.images[place]];
    return said === undefined ? [] : [{ place, said }];
  });
  const done = ofGuest.length ? ofGuest : session && !session.left.length ? sitSession.inOrder(session) : [];
  const own = ofGuest.length ? guest.name : "you";
  const places = done.length ? done.map(({ place }) => place) : sitData.short;
  const of = (kind) => sitData.systems.filter((system) => system.kind === kind);
  const stored = sitData.systems.find(({ name }) => name === PERSON);
  const said = ({ said: letters }) => Object.fromEntries(places.map((place) => [place, sitSession.wordOf(letters, place)]));

  /** The rows: the reader, or a person in their place, and the chosen network, each with people and with the other. */
  function rows(measure, name) {
    const mine = done.length ? { name: own, said: Object.fromEntries(done.map((each) => [each.place, each.said])) } : { name: "person 1", said: said(stored) };
    const people = of("human").filter((person) => done.length || person !== stored);
    const all = setUp([mine], places, [...people, ...of("model").filter((network) => network.name === name)]);
    const [me, network] = [all.systems[0], all.of("model")[0]];
    const value = (one, kind) => (measure === "MA" ? sameWords(all, one, kind) : estimate(means.limits(withKind(all, one, kind))));
    const right = ({ accuracy }) => `${Math.round(100 * accuracy)} %`;
    return [[mine.name, right(me), value(me, "human"), value(me, "model")], [name, right(network), value(network, "human"), "–"]];
  }

  function show(place) {
    const { measure } = place.dataset;
    const chosen = siteGuest.withStore((store) => store.getItem(KEY)) ?? NETWORK;
    const menu = make("select", {}, ...of("model").map(({ name }) => make("option", name === chosen ? { selected: "" } : {}, name)));
    menu.onchange = () => {
      siteGuest.withStore((store) => store.setItem(KEY, menu.value));
      draw();
    };
    const what = measure === "MA" ? "Where both gave a wrong word, it was the same" : "Mean EC with 95 % intervals: how far it may move with other pictures";
    const who = `${done.length ? (ofGuest.length ? own : "You") : "Person 1 of the laboratory"}, on ${places.length} of the experiment’s pictures`;
    // Who has not sat sees one line, with the way there.
    const inside = make(done.length ? "div" : "details", {});
    const invitation = make("p", {}, make("a", { href: "sit-the-experiment.html" }, "Sit the experiment"), " to see yourself here.");
    const summary = make("summary", {}, "Where would you stand? Person 1 of the laboratory as an example");
    place.replaceChildren(...(done.length ? [inside] : [inside, invitation]));
    function draw() {
      const shown = table(`${who}. ${what}`, ["", "right", "with people", `with ${menu.value}`], rows(measure, menu.value));
      ["tabindex", "role"].forEach((name) => shown.removeAttribute(name)); // it has two rows; scrolling.js sees to its width
      inside.replaceChildren(...(done.length ? [] : [summary]), make("label", {}, "The network: ", menu), shown);
      document.dispatchEvent(new Event("drawn"));
    }
    draw();
  }

  if (stored) document.querySelectorAll(".sit-you").forEach(show);
})();
