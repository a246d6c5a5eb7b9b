/**
 * What the worker of the page does: read a file and compare all its systems; and how the page asks for it. Pages opened from
 * disk may not load a worker's script, so it is made from the text of these functions.
 */
function ownWork(reading, measures, draws) {
  const DRAWS = 10_000; // as in the package
  const FEWEST_CLASSES = 3; // with fewer there is one wrong answer, on which any two systems agree

  const isShown = (answer) => answer !== reading.NOT_SHOWN;

  function describe({ truth, people }, name, answers) {
    const trials = [...truth.keys()].filter((trial) => isShown(answers[trial]));
    const right = trials.filter((trial) => answers[trial] === truth[trial]).length;
    const n = trials.length;
    return {
      name,
      isPerson: people.includes(name),
      accuracy: [right / n, ...measures.wilson(right / n, n)],
      errors: n - right,
      unanswered: answers.filter((answer) => answer === -1).length,
      notShown: truth.length - n,
      throughout: n > 1 && answers[trials[0]] >= 0 && trials.every((trial) => answers[trial] === answers[trials[0]]) ? answers[trials[0]] : null,
    };
  }

  /** Who gives one answer throughout, or is right no more often than a guess: said first, as the command does. */
  function nearChance({ truth, classes }, described) {
    const often = new Array(classes.length).fill(0);
    for (const label of truth) often[label]++;
    const [guess, throughout] = [1 / classes.length, Math.max(...often) / truth.length];
    if (throughout === 1) return []; // one class is always true
    const word = (label) => `'${classes[label]}'`;
    const best = throughout > guess + 1e-12 ? `, ${word(often.indexOf(Math.max(...often)))} throughout on ${measures.inWords(throughout)}` : "";
    return described.flatMap(({ name, accuracy: [value, low, high], throughout: said }) => {
      const right = `it is right on ${measures.inWords(value)} (${measures.inWords(low)} to ${measures.inWords(high)}) of the trials`;
      if (said !== null) return [`${name} gives one answer throughout, ${word(said)}: ${right}, as often as that is true.`];
      if (!(low <= Math.max(guess, throughout))) return [];
      const where = high >= Math.min(guess, throughout) ? "near" : "below";
      return [`${name} is ${where} chance: ${right}; guessing among ${classes.length} classes would be on ${measures.inWords(guess)}${best}.`];
    });
  }

  /** Values and limits of a pair, on the trials that both saw. */
  function compare({ truth, answers, classes, systems }, [first, second], random) {
    const trials = [...truth.keys()].filter((trial) => isShown(answers[first][trial]) && isShown(answers[second][trial]));
    const both = Int32Array.from(trials);
    const [right, a, b] = [truth, answers[first], answers[second]].map((labels) => both.map((trial) => labels[trial]));
    const counts = measures.rightTable(right, a, b);
    const pair = {
      a: systems[first],
      b: systems[second],
      nTrials: both.length,
      counts,
      jointErrors: counts[0],
      EC: [measures.kappa(...counts), ...draws.consistencyLimits(counts, DRAWS, random)],
      largest: measures.largestKappa(...counts),
    };
    if (classes.length < FEWEST_CLASSES) return pair;
    const said = measures.jointAnswers(right, a, b);
    const agreement = measures.agreement(measures.countAgreement(...said, classes.length));
    return {
      ...pair,
      MA: [agreement, ...measures.agreementLimits(...said, classes.length)],
      blind: measures.blindAgreement(right, a, b, classes.length),
      CLES: measures.errorSimilarity(right, a, b, classes.length),
      independent: measures.independentSimilarity(right, a, b, classes.length),
    };
  }

  /** Compare all systems that were read. */
  function analyse(trials) {
    const { systems, truth, classes, answers } = trials;
    if (systems.length < 2) throw Object.assign(new Error(`it has one system, '${systems[0]}'; a pair needs two`), { isForReader: true });
    const indices = systems.flatMap((_, a) => systems.slice(a + 1).map((_, place) => [a, a + 1 + place]));
    const random = draws.generator(0);
    const pairs = indices.map((pair) => compare(trials, pair, random));
    const described = systems.map((name, place) => describe(trials, name, answers[place]));
    return { systems: described, pairs, nearChance: nearChance(trials, described), nTrials: truth.length, nClasses: classes.length };
  }

  return { analyse };
}

/** The text of a worker that knows all this and nothing else. */
function ownWorkerText() {
  return `"use strict";
    const measures = (${ownMeasures})();
    const reading = (${ownReading})(${JSON.stringify(ownPublished.noAnswer)});
    const work = (${ownWork})(reading, measures, (${ownDraws})(measures));
    onmessage = ({ data: { text, named } }) => {
      try {
        const sheet = reading.table(text);
        postMessage({ header: sheet.header, columns: reading.columnsOf(sheet, named) });
        const { truth, answers, ...taken } = reading.readAnswers(sheet, named);
        postMessage({ taken, first: Array.from(answers[0], (id) => taken.classes[id] ?? "na") });
        postMessage({ result: work.analyse({ truth, answers, ...taken }) });
      } catch (error) {
        if (!error.isForReader) throw error;
        postMessage({ message: error.message, doubtful: error.doubtful ?? [] });
      }
    };`;
}

/**
 * Have a worker read and analyse a file. A new one takes the place of the one that is under way.
 *
 * @param {object} request The text of a file, and what the reader said of it (`named`, see reading.js).
 * @param {(news: object) => void} tell Told what is known of the file, bit by bit.
 * @returns {Promise<object>} What `analyse` returns; rejected with what the reader should mend.
 */
const ownAsk = (() => {
  let address;
  let worker;
  return (request, tell) => {
    address ??= URL.createObjectURL(new Blob([ownWorkerText()], { type: "text/javascript" }));
    worker?.terminate();
    const mine = (worker = new Worker(address));
    return new Promise((resolve, reject) => {
      mine.onmessage = ({ data }) => {
        tell(data);
        if (!data.result && !data.message) return;
        mine.terminate();
        if (data.result) resolve(data.result);
        else reject(new Error(data.message));
      };
      mine.onerror = (event) => reject(new Error(`this page broke: ${event.message}`));
      mine.postMessage(request);
    });
  };
})();
