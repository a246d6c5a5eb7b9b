/** The guest of this browser, or whoever sat the experiment, beside all others in a lesson (building/you.py). */
(() => {
  const session = sitSession.kept();
  const guest = siteGuest.kept();
  const ofGuest = [...sitData.images.keys()].flatMap((place) => {
    const said = guest?.said[sitData.images[place]];
    return said === undefined ? [] : [{ place, said }];
  });
  const done = ofGuest.length ? ofGuest : session && !session.left.length ? sitSession.inOrder(session) : [];
  if (!done.length || !sitData.systems.length) return;
  const own = { name: ofGuest.length ? guest.name : "you", said: Object.fromEntries(done.map((each) => [each.place, each.said])) };
  const all = sitCompare.setUp([own], done.map(({ place }) => place));
  document.querySelectorAll(".sit-you").forEach((place) => place.replaceChildren(sitCompare.chart(all, all.systems[0], own.name)));
})();
