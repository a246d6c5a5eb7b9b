/**
 * What the worker of the page does: read a file and compare all its systems; and how the page asks for it. Pages opened from disk may not load a worker's script, so it is made from the text of these functions.
 */
function ownWork(table, measures, resampling) {
  const DRAWS = 10_000; // as in the package
  const FEWEST_DRAWS = 1_000;
  const FEWEST_CLASSES = 3; // with fewer there is one wrong answer, on which any two systems agree
  const CELLS = 1e8; // compared in a few seconds; where pairs have many, CLES has fewer draws, and the page says so

  /** All unordered pairs of systems, in the order of the columns. */
  function pairsOf(nSystems) {
    const systems = [...Array(nSystems).keys()];
    return systems.flatMap((a) => systems.slice(a + 1).map((b) => [a, b]));
  }

  function describe(name, truth, own) {
    const right = own.filter((answer, trial) => answer === truth[trial]).length;
    const [low, high] = measures.wilson(right / own.length, own.length);
    const unanswered = own.filter((answer) => answer < 0).length;
    return { name, accuracy: [right / own.length, low, high], errors: own.length - right, unanswered };
  }

  /** Values of a pair, and the limits of MA, which need no draws. */
  function compare({ truth, answers, nClasses, systems }, errors, [a, b]) {
    const counts = measures.rightTable(truth, answers[a], answers[b]);
    const pair = { a: systems[a], b: systems[b], counts, jointErrors: counts[0], EC: [measures.kappa(...counts)] };
    if (nClasses < FEWEST_CLASSES) return pair;
    const said = measures.jointAnswers(truth, answers[a], answers[b]);
    const agreement = measures.agreement(measures.countAgreement(...said, nClasses));
    return {
      ...pair,
      MA: [agreement, ...measures.agreementLimits(...said, nClasses)],
      blind: measures.blindAgreement(truth, answers[a], answers[b], nClasses),
      CLES: [measures.errorSimilarity(errors[a], errors[b])],
    };
  }

  /** Compare all systems of a file; `progress` is told which share is done. */
  function analyse({ text, file, classes = "", seed = 0 }, progress) {
    const trials = table.readAnswers(text, classes, file);
    const errors = trials.answers.map((own) => measures.countErrors(trials.truth, own, trials.nClasses));
    const indices = pairsOf(trials.systems.length);
    const pairs = indices.map((pair) => compare(trials, errors, pair));
    const random = resampling.generator(seed);
    pairs.forEach((pair, index) => {
      pair.EC.push(...resampling.consistencyLimits(pair.counts, DRAWS, random));
      if (index % 10 === 0) progress((index / pairs.length) * 0.3);
    });
    if (trials.nClasses < FEWEST_CLASSES) return { ...summary(trials), pairs, draws: { EC: DRAWS } };
    const nDraws = affordable(errors, pairs.length);
    const values = pairs.map(({ CLES }) => CLES[0]);
    const onward = (share) => progress(0.3 + 0.7 * share);
    const limits = resampling.similarityLimits(trials, indices, values, nDraws, random, onward);
    pairs.forEach((pair, index) => pair.CLES.push(...limits[index]));
    return { ...summary(trials), pairs, draws: { EC: DRAWS, CLES: nDraws } };
  }

  function affordable(errors, nPairs) {
    const nCells = new Set(errors.flatMap(({ cells }) => [...cells.keys()])).size;
    return Math.round(Math.min(DRAWS, Math.max(FEWEST_DRAWS, CELLS / (nCells * nPairs))));
  }

  function summary({ truth, answers, systems, classes, nClasses, declared, notes }) {
    const described = systems.map((name, system) => describe(name, truth, answers[system]));
    return { systems: described, nTrials: truth.length, classes, nClasses, declared, notes };
  }

  return { analyse };
}

/** The text of a worker that knows all this and nothing else. */
function ownWorkerText() {
  return `"use strict";
    const measures = (${ownMeasures})();
    const resampling = (${ownResampling})(measures);
    const wording = (${ownWording})(${JSON.stringify(ownWords)});
    const table = (${ownReading})(wording, (${ownCells})(wording), (${ownChecks})(wording));
    const work = (${ownWork})(table, measures, resampling);
    onmessage = ({ data }) => {
      try {
        postMessage({ result: work.analyse(data, (share) => postMessage({ share })) });
      } catch (error) {
        if (!error.isForReader) throw error;
        postMessage({ message: error.message });
      }
    };`;
}

/**
 * Have a worker analyse a file. A new one takes the place of the one that is under way.
 *
 * @param {object} request The argument of `analyse`.
 * @param {(share: number) => void} progress Told how much is done.
 * @returns {Promise<object>} What it returns; rejected with what the reader should mend.
 */
const ownAsk = (() => {
  let address;
  let worker;
  return (request, progress = () => {}) => {
    address ??= URL.createObjectURL(new Blob([ownWorkerText()], { type: "text/javascript" }));
    worker?.terminate();
    const mine = (worker = new Worker(address));
    return new Promise((resolve, reject) => {
      mine.onmessage = ({ data }) => {
        if (data.share !== undefined) return progress(data.share);
        mine.terminate();
        return data.result ? resolve(data.result) : reject(new Error(data.message));
      };
      mine.onerror = (event) => reject(new Error(`this page broke: ${event.message}`));
      mine.postMessage(request);
    });
  };
})();
