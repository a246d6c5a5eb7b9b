/** The guest of this browser, or whoever sat the experiment, beside all others in a lesson (building/you.py). */
(() => {
  const { setUp, withKind, between, chart, means } = sitCompare;
  const session = sitSession.kept();
  const guest = siteGuest.kept();
  const ofGuest = [...sitData.images.keys()].flatMap((place) => {
    const said = guest?.said[sitData.images[place]];
    return said === undefined ? [] : [{ place, said }];
  });
  const done = ofGuest.length ? ofGuest : session && !session.left.length ? sitSession.inOrder(session) : [];
  if (!done.length || !sitData.systems.length) return;
  const own = { name: ofGuest.length ? guest.name : "you", said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
  const all = setUp([own], done.map(({ place }) => place));

  /** What a sentence may say, by the names that it has in braces. */
  function values([mine]) {
    const right = (systems) => `${Math.round(100 * means.mean(systems.map(({ accuracy }) => accuracy)))} %`;
    const found = { whose: ofGuest.length ? `${own.name}’s` : "Your", who: own.name, right: right([mine]), n: done.length };
    for (const [kind, word] of [["human", "people"], ["model", "networks"]]) {
      const same = all.of(kind).flatMap(({ answers }) => {
        const [said, theirs] = ownMeasures().jointAnswers(all.truth, mine.answers, answers);
        return said.map((answer, place) => answer === theirs[place]);
      });
      found[`right_${word}`] = right(all.of(kind));
      found[`EC_${word}`] = ownResults.estimate(means.limits(withKind(all, mine, kind)));
      found[`people_${word}`] = ownMeasures().inWords(between(all, "human", kind).value);
      found[`same_${word}`] = `${same.filter(Boolean).length} of ${same.length}`;
    }
    return found;
  }

  const show = (place) => {
    if (!place.dataset.says) return place.replaceChildren(chart(all, all.systems[0], own.name));
    const found = values(all.systems);
    place.textContent = place.dataset.says.replace(/{(\w+)}/g, (_, name) => found[name]);
  };
  document.querySelectorAll(".sit-you").forEach(show);
})();
