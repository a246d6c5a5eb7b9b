/** What the answers that were read look like, as `erralign/datasets/own/checks.py` says it; see reading.js. */
function ownChecks({ names, limits, isLike, say, refuse, inFull, listed, counted, nDistinct, timesOf }) {
  /** Propose to take trials together that show one thing. */
  function ofTrials(parts, n) {
    const sizes = Object.entries(parts).map(([name, cells]) => [name, nDistinct(cells)]);
    const whole = sizes.some(([, size]) => size === n);
    const isAgain = ([name, size]) => name !== "repetition" && size > 2 && size <= n / 2 && (!whole || isLike("source", name));
    const [[column] = []] = sizes.length > 1 ? sizes.filter(isAgain).sort(([, one], [, other]) => other - one) : [];
    return column === undefined ? [] : [say("shared", { column })];
  }

  function most(counts, classes) {
    const order = [...counts.keys()].filter((id) => counts[id]).sort((a, b) => counts[b] - counts[a]);
    const more = order.length > limits.listed ? ` and ${order.length - limits.listed} more` : "";
    return counted(order.slice(0, limits.listed).map((id) => [classes[id], counts[id]])) + more;
  }

  function oneLetterApart(one, other) {
    if (one === other || Math.max(one.length, other.length) < 3 || /\d/.test(one + other)) return false;
    let start = 0;
    while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
    const [a, b] = [one.slice(start), other.slice(start)];
    const turned = (a[1] ?? "") + (a[0] ?? "") === b.slice(0, 2) && a.slice(2) === b.slice(2);
    return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || turned;
  }

  const count = (ids, n) => ids.reduce((counts, id) => (id < 0 || counts[id]++, counts), new Array(n).fill(0));

  function ofClasses(file, { truth, answers, systems, classes }) {
    const sizes = count(truth, classes.length);
    const notes = [];
    const said = answers.map((own) => count(own, classes.length).map((n, id) => (sizes[id] ? 0 : n)));
    const sum = (counts) => counts.reduce((one, other) => one + other, 0);
    if (sizes.filter(Boolean).length > 1) {
      said.forEach((counts, place) => {
        const [n, all] = [sum(counts), answers[place].filter((id) => id >= 0).length];
        if (n > limits.few && n > limits.strange * all)
          refuse("too_strange", { file, n: inFull(n), all: inFull(all), system: systems[place], words: most(counts, classes) });
      });
      const strange = classes.map((_, id) => sum(said.map((counts) => counts[id])));
      if (sum(strange)) notes.push(say("strange", { words: most(strange, classes) }));
    }
    classes.forEach((word, id) => {
      const isOften = (other) => sizes[other] >= limits.times_rarer * sizes[id];
      const other = classes.find((name, place) => isOften(place) && oneLetterApart(word, name));
      if (sizes[id] && sizes[id] <= limits.rare && other !== undefined)
        notes.push(say("near", { word, n: sizes[id], all: inFull(truth.length), other }));
    });
    return notes;
  }

  /** How rarely so few of n come true, each with a chance. */
  function binomial(right, n, chance) {
    if (chance <= 0 || chance >= 1) return chance <= 0 || right >= n ? 1 : 0;
    let log = n * Math.log1p(-chance);
    let total = Math.exp(log);
    for (let k = 1; k <= right; k++) {
      log += Math.log((n - k + 1) / k) + Math.log(chance) - Math.log1p(-chance);
      total += Math.exp(log);
    }
    return total;
  }

  /** Systems that say the same on all trials, that are the vote of the others, or are called like sums. */
  function ofCopies({ truth, answers, systems }) {
    const isFallible = (own) => own.length >= limits.many && own.some((id, trial) => id !== truth[trial]);
    const fallible = [...systems.keys()].filter((place) => isFallible(answers[place]));
    const same = [...Map.groupBy(fallible, (place) => answers[place].join()).values()];
    const copies = same.filter(({ length }) => length > 1).map((places) => places.map((place) => systems[place]));
    const votes = fallible.filter((place) => isVote(answers, place)).map((place) => systems[place]);
    const sums = systems.filter((name) => systems.length > 1 && isLike("sums", name));
    const notes = copies.map((names) => say("copies", { systems: listed(names), n: inFull(truth.length) }));
    return [...notes, ...votes.map((system) => say("vote", { system })), ...(sums.length ? [say("sums", { systems: listed(sums) })] : [])];
  }

  /** Whether one of four systems or more gives the others' most frequent answer, on all trials that have one. */
  function isVote(answers, place) {
    let nDecided = 0;
    for (const trial of answers.length > 3 ? answers[place].keys() : []) {
      const times = timesOf(answers.filter((_, other) => other !== place).map((own) => own[trial]));
      const [[most, n], second] = [...times].sort(([, one], [, other]) => other - one);
      if (second?.[1] === n) continue;
      if (answers[place][trial] !== most) return false;
      nDecided++;
    }
    return nDecided >= limits.many;
  }

  function ofAnswers(file, { truth, answers, systems, classes, declared }) {
    const notes = [];
    const sizes = count(truth, classes.length);
    const found = answers.map((own, place) => {
      const places = [...own.keys()].filter((trial) => own[trial] >= 0);
      const n = places.length;
      const right = places.filter((trial) => own[trial] === truth[trial]).length;
      const chance = places.reduce((sum, trial) => sum + sizes[own[trial]], 0) / n / truth.length;
      const below = n > 0 && binomial(right, n, chance) < limits.unlikely;
      const asChance = n >= limits.enough && right <= n * chance + 2 * Math.sqrt(n * chance * (1 - chance));
      return { name: systems[place], key: below ? "below" : asChance ? "by_chance" : "", unanswered: own.length - n };
    });
    for (const key of nDistinct(truth) > 1 ? ["below", "by_chance"] : []) {
      const those = found.filter((each) => each.key === key).map(({ name }) => name);
      if (those.length) notes.push(say(key, { systems: those.join(", ") }));
    }
    if (!declared) {
      const areMarks = classes.every((name) => names.right_or_wrong.includes(name.toLowerCase()));
      const listing = classes.length <= limits.names ? ` (${classes.join(", ")})` : "";
      if (!areMarks) notes.push(say("classes", { n: classes.length, file, names: listing }));
      if (classes.length > 2 && classes.every((name) => /^[A-J]$/.test(name))) notes.push(say("letters", {}));
      if (nDistinct(truth) === 1) notes.push(say("always", { word: classes[truth[0]] }));
      else if (areMarks) notes.push(say("binary", { one: classes.at(-1), words: classes.join(" and ") }));
    }
    notes.push(...ofCopies({ truth, answers, systems }));
    const silent = found.filter(({ unanswered }) => unanswered);
    const fields = { all: inFull(truth.length), then: "that counts as wrong" };
    return [...notes, ...silent.map(({ name, unanswered }) => say("silent", { system: name, n: inFull(unanswered), ...fields }))];
  }

  return { ofTrials, ofClasses, ofAnswers };
}
