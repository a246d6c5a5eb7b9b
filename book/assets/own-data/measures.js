/**
 * EC, MA and CLES from answers, and the limits of MA and CLES: what `erralign` computes, in the browser.
 *
 * Pure, and one function that needs nothing around it: a worker is made from its text (see work.js).
 * Labels are class ids; -1 is "no answer in time". tests/test_own_data_page.py compares all of it with the package.
 */
function ownMeasures() {
  const Z = 1.959963984540054; // leaves 2.5 % of a normal distribution above it
  const ALPHA = 0.5; // what CLES adds to every cell of its error matrices
  const SCALINGS = 200; // of the shares of wrong answers of independent errors; far more than they need to settle
  const NEVER = 1e-18; // less likely counts are passed over
  const STEADYING_ERRORS = 20; // from about this many joint errors on, the design effect is taken from the data

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  /** Cohen's kappa of being right, from counts or shares of the four cells; NaN where it is 0/0. */
  function kappa(bothWrong, onlyB, onlyA, bothRight) {
    const numerator = 2 * (bothRight * bothWrong - onlyA * onlyB);
    return numerator / ((bothRight + onlyA) * (onlyA + bothWrong) + (bothRight + onlyB) * (onlyB + bothWrong));
  }

  /** The largest EC that two accuracies allow: every error of the more accurate system is also one of the other. */
  function largestKappa(bothWrong, onlyB, onlyA, bothRight) {
    const [a, b, n] = [onlyA + bothRight, onlyB + bothRight, bothWrong + onlyB + onlyA + bothRight];
    return kappa(n - Math.max(a, b), Math.max(0, b - a), Math.max(0, a - b), Math.min(a, b));
  }

  /** Trials on which both are wrong, only B, only A, or both are right. */
  function rightTable(truth, a, b) {
    const table = [0, 0, 0, 0];
    for (let trial = 0; trial < truth.length; trial++) {
      table[2 * (a[trial] === truth[trial]) + (b[trial] === truth[trial])]++;
    }
    return table;
  }

  const isWrong = (truth, answers, trial) => answers[trial] >= 0 && answers[trial] !== truth[trial];

  /** The trials on which both answered and both were wrong. */
  const jointTrials = (truth, a, b) => [...truth.keys()].filter((trial) => isWrong(truth, a, trial) && isWrong(truth, b, trial));

  /** What both said on these trials. */
  function jointAnswers(truth, a, b) {
    const joint = jointTrials(truth, a, b);
    return [a, b].map((answers) => joint.map((trial) => answers[trial]));
  }

  /** How often each class was said. */
  function countClasses(said, nClasses) {
    const counts = new Array(nClasses).fill(0);
    for (const label of said) counts[label]++;
    return counts;
  }

  /** Everything about joint errors that MA and its limits are made of. */
  function countAgreement(saidA, saidB, nClasses) {
    const rows = countClasses(saidA, nClasses);
    const columns = countClasses(saidB, nClasses);
    const overlap = rows.map((row, label) => row * columns[label]);
    const agree = saidA.filter((label, place) => label === saidB[place]).length;
    return { n: saidA.length, rows, columns, overlap, agree, chance: sum(overlap) };
  }

  /** MA: kappa of the answers on joint errors; NaN without any, or when all got one and the same answer of both. */
  const agreement = ({ n, agree, chance }) => (n * agree - chance) / (n * n - chance);

  /** The MA of systems with these habits in each true class and nothing else in common; NaN where it is undefined. */
  function blindAgreement(truth, a, b, nClasses) {
    const joint = jointTrials(truth, a, b);
    const { cells, rows: sizes } = countErrors(truth, a, nClasses, joint);
    const paired = joint.filter((trial) => sizes[truth[trial]] > 1);
    // To how many other joint errors of its class A gave B's answer to this one.
    const others = paired.map((trial) => {
      const matching = cells.get(truth[trial] * nClasses + b[trial]) ?? 0;
      return (matching - (a[trial] === b[trial] ? 1 : 0)) / (sizes[truth[trial]] - 1);
    });
    const { n, chance } = countAgreement(...jointAnswers(truth, a, b), nClasses);
    const overall = chance / n ** 2;
    return (sum(others) / paired.length - overall) / (1 - overall);
  }

  /** Wilson's limits of a share of n trials; n need not be whole. */
  function wilson(share, n) {
    const middle = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
    const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
    return [middle - half, middle + half];
  }

  /** Limits of MA: Wilson's limits of the share of agreements, with a design effect, mapped by (p - c) / (1 - c). */
  function agreementLimits(saidA, saidB, nClasses) {
    const counts = countAgreement(saidA, saidB, nClasses);
    const { n, agree } = counts;
    const chance = (counts.chance - agree) / (n * (n - 1)); // without each error's agreement with itself
    if (n < 2 || chance >= 1) return [NaN, NaN];
    const limits = wilson(agree / n, n / designEffect(saidA, saidB, counts));
    const [low, high] = limits.map((share) => (share - chance) / (1 - chance));
    return [Math.max(low, -1), Math.min(high, 1)];
  }

  /** The variance of MA beside that of a plain share, drawn to 1 where joint errors are few. */
  function designEffect(saidA, saidB, counts) {
    const { n } = counts;
    const model = withPseudoErrors(counts);
    if (!model) return 1;
    const terms = influences(saidA, saidB, counts, model);
    const [first, second] = [1, 2].map((power) => sum(terms.map(([weight, each]) => weight * each ** power)) / model.total);
    const ratio = (second - first ** 2) / (model.observed * (1 - model.observed));
    return (n * ratio + STEADYING_ERRORS) / (n + STEADYING_ERRORS);
  }

  /**
   * The shares of answers once two pseudo-errors, one agreeing and one not, are added with labels after the margins;
   * null where both gave one and the same class throughout, so that nothing could vary.
   */
  function withPseudoErrors({ n, rows, columns, overlap, agree, chance }) {
    const other = n * n - chance;
    if (other === 0) return null;
    const total = n + 2;
    const agreeing = rows.map((row, k) => (chance > 0 ? overlap[k] / chance : (row + columns[k]) / (2 * n)));
    const shares = (margin) => margin.map((count, k) => (count + agreeing[k] + (count * n - overlap[k]) / other) / total);
    const [ofA, ofB] = [rows, columns].map(shares);
    const observed = (agree + 1) / total;
    const expected = sum(ofA.map((share, k) => share * ofB[k]));
    return { other, total, agreeing, ofA, ofB, observed, slope: (1 - observed) / (1 - expected) };
  }

  /** Weight and influence on MA (its agreement, less what its labels add to chance) of each error and pseudo-error. */
  function influences(saidA, saidB, { rows, columns }, { other, agreeing, ofA, ofB, slope }) {
    const influence = (a, b) => (a === b ? 1 : 0) - slope * (ofB[a] + ofA[b]);
    const occurring = (counts) => [...counts.keys()].filter((label) => counts[label] > 0);
    const terms = saidA.map((a, place) => [1, influence(a, saidB[place])]);
    agreeing.forEach((weight, label) => weight > 0 && terms.push([weight, influence(label, label)]));
    const saidByB = occurring(columns);
    for (const a of occurring(rows)) {
      for (const b of saidByB) {
        if (a !== b) terms.push([(rows[a] * columns[b]) / other, influence(a, b)]);
      }
    }
    return terms;
  }

  /** A system's wrong answers: `cells` maps true class times C plus answer to a count, `rows` counts by true class. */
  function countErrors(truth, answers, nClasses, trials = truth.keys()) {
    const cells = new Map();
    const rows = new Array(nClasses).fill(0);
    for (const trial of trials) {
      if (!isWrong(truth, answers, trial)) continue;
      const cell = truth[trial] * nClasses + answers[trial];
      cells.set(cell, (cells.get(cell) ?? 0) + 1);
      rows[truth[trial]]++;
    }
    return { cells, rows, nClasses };
  }

  /**
   * CLES in its released form, and its value ± Z standard errors, which come from leaving out each trial; NaN where
   * nobody errs. With f and g errors of A and B in a cell (true class, answer) and log'(x) = log(x + ALPHA) - log(ALPHA),
   * the divergence of a true class is half of
   *
   *     Σ (f + ALPHA) (log' f - log'(f + g)) / m of A + Σ (g + ALPHA) (log' g - log'(f + g)) / m of B
   *         + log(m of both ** 2 / (m of A * m of B)),
   *
   * m being smoothed sums of errors. So only cells with errors count, and a trial that is left out changes one class.
   */
  function errorSimilarity(truth, a, b, nClasses) {
    const smoothing = Math.max(nClasses - 1, 1) * ALPHA;
    const [errorsA, errorsB] = [a, b].map((answers) => countErrors(truth, answers, nClasses));
    const log = (count) => Math.log1p(count / ALPHA);
    const terms = (f, g) => [(f + ALPHA) * (log(f) - log(f + g)), (g + ALPHA) * (log(g) - log(f + g))];
    const countsOf = (cell) => [errorsA.cells.get(cell) ?? 0, errorsB.cells.get(cell) ?? 0];

    /** The divergence of a class, times its errors, from the two sums over its cells and the errors of both. */
    function part([sumA, sumB], [n, other]) {
      const [mA, mB] = [n + smoothing, other + smoothing];
      const divergence = (sumA / mA - Math.log(mA) + sumB / mB - Math.log(mB)) / 2 + Math.log(n + other + smoothing);
      return (n + other) * divergence;
    }

    const sums = errorsA.rows.map(() => [0, 0]);
    for (const cell of new Set([...errorsA.cells.keys(), ...errorsB.cells.keys()])) {
      const own = sums[Math.floor(cell / nClasses)];
      terms(...countsOf(cell)).forEach((term, system) => (own[system] += term));
    }
    const errors = errorsA.rows.map((n, label) => [n, errorsB.rows[label]]);
    const parts = sums.map((own, label) => part(own, errors[label]));
    const [distance, total] = [sum(parts), sum(errors.flat())];
    const value = 1 / (1 + distance / total);

    /** The value without a trial on which A, B or both err. */
    function without(trial, errs) {
      const label = truth[trial];
      const cells = [a, b].map((answers) => label * nClasses + answers[trial]);
      const own = [...sums[label]];
      for (const cell of new Set(cells.filter((_, system) => errs[system]))) {
        const counts = countsOf(cell);
        const fewer = counts.map((count, system) => count - Number(errs[system] && cells[system] === cell));
        const before = terms(...counts);
        terms(...fewer).forEach((term, system) => (own[system] += term - before[system]));
      }
      const left = part(own, errors[label].map((count, system) => count - errs[system]));
      return 1 / (1 + (distance - parts[label] + left) / (total - errs[0] - errs[1]));
    }

    const n = truth.length;
    const known = new Map(); // by class and what both said where they err: such trials move the value alike
    const moves = Float64Array.from({ length: n }, (_, trial) => {
      const errs = [a, b].map((answers) => Number(isWrong(truth, answers, trial)));
      const [ofA, ofB] = [a, b].map((answers, system) => errs[system] * (answers[trial] + 1));
      if (!ofA && !ofB) return 0;
      const key = (truth[trial] * (nClasses + 1) + ofA) * (nClasses + 1) + ofB;
      // Undefined without the only error: nothing is known of how it moves.
      if (!known.has(key)) known.set(key, without(trial, errs) - value || 0);
      return known.get(key);
    });
    const mean = sum(moves) / n;
    const apart = moves.map((move) => move - mean);
    if (apart.every((move) => Math.abs(move) < 1e-12)) return [value, NaN, NaN];
    const half = Z * Math.sqrt(((n - 1) / n) * sum(apart.map((move) => move ** 2)));
    return [value, Math.max(value - half, 0), Math.min(value + half, 1)];
  }

  /** The probability of each wrong answer in each true class, from how often it is given over all classes. */
  function quasiIndependent({ cells, rows, nClasses }) {
    const given = new Array(nClasses).fill(0);
    for (const [cell, count] of cells) given[cell % nClasses] += count;
    let weights = given;
    for (let scaling = 0; scaling < SCALINGS; scaling++) {
      const all = sum(weights);
      const each = rows.map((n, label) => (n ? n / (all - weights[label]) : 0));
      const now = sum(each);
      weights = given.map((count, answer) => (count ? count / (now - each[answer]) : 0));
    }
    const all = sum(weights);
    return (label, answer) => Math.min(weights[answer] / (all - weights[label]), 1);
  }

  /** How likely each count of n trials is. */
  function binomial(n, share, logFactorials) {
    if (n === 0 || share === 0 || share === 1) return Array.from({ length: n + 1 }, (_, count) => Number(count === n * share));
    const ways = (count) => logFactorials[n] - logFactorials[count] - logFactorials[n - count];
    return Array.from({ length: n + 1 }, (_, count) => Math.exp(ways(count) + count * Math.log(share) + (n - count) * Math.log1p(-share)));
  }

  /**
   * The CLES of two systems that err as often in each class and give each wrong answer as often, and confuse no classes
   * more than others: 1 / (1 + the mean divergence), each cell of both having a binomial distribution.
   */
  function independentSimilarity(truth, a, b, nClasses) {
    const smoothing = Math.max(nClasses - 1, 1) * ALPHA;
    const errors = [a, b].map((answers) => countErrors(truth, answers, nClasses));
    const shares = errors.map(quasiIndependent);
    const logFactorials = [0];
    for (let count = 1; count <= truth.length; count++) logFactorials.push(logFactorials[count - 1] + Math.log(count));
    const logs = Float64Array.from({ length: 2 * truth.length + 1 }, (_, count) => Math.log(count + ALPHA));

    /** The divergence of a class, times its errors. */
    function part(label) {
      const [n, other] = errors.map(({ rows }) => rows[label]);
      if (!(n + other)) return 0;
      const [mA, mB, pooled] = [n, other, n + other].map((count) => count + smoothing);
      let total = 0;
      for (let answer = 0; answer < nClasses; answer++) {
        if (answer === label) continue;
        const [ofA, ofB] = [n, other].map((count, system) => binomial(count, count && shares[system](label, answer), logFactorials));
        for (let f = 0; f <= n; f++) {
          if (ofA[f] < NEVER) continue;
          for (let g = 0; g <= other; g++) {
            const both = logs[f + g];
            total += ofA[f] * ofB[g] * (((f + ALPHA) * (logs[f] - both)) / mA + ((g + ALPHA) * (logs[g] - both)) / mB);
          }
        }
      }
      return ((n + other) * (total + Math.log(pooled / mA) + Math.log(pooled / mB))) / 2;
    }

    const nErrors = sum(errors.map(({ rows }) => sum(rows)));
    return 1 / (1 + sum(errors[0].rows.map((_, label) => part(label))) / nErrors);
  }

  /** A value in words: two digits, one minus sign; "undefined" where it is 0/0. */
  const inWords = (value) =>
    Number.isFinite(value) ? value.toFixed(2).replace(/^-(?!0\.00)/, "−").replace("-", "") : "undefined";

  const answers = { rightTable, jointAnswers, countAgreement, agreement, agreementLimits, blindAgreement, countErrors };
  return { Z, ALPHA, sum, inWords, kappa, largestKappa, wilson, errorSimilarity, independentSimilarity, ...answers };
}
