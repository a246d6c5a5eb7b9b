/** People beside those of the laboratory and networks: accuracies and means of EC. */
const sitCompare = (() => {
  const means = sitMeans(ownMeasures(), sitData.student);
  const WHO = { mine: "students", human: "people", model: "networks", newer: "newer models" };

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

  /** How often somebody and those of a kind gave the same wrong word, of all cases where both gave one. */
  function sameWords({ truth, of }, own, kind) {
    const isWrong = ({ answers }) => (i) => answers[i] >= 0 && answers[i] !== truth[i];
    const mine = [...truth.keys()].filter(isWrong(own));
    const same = of(kind).flatMap((other) => (other === own ? [] : mine.filter(isWrong(other)).map((i) => other.answers[i] === own.answers[i])));
    return `${same.filter(Boolean).length} of ${same.length}`;
  }

  return { WHO, setUp, withKind, between, sameWords, means };
})();
