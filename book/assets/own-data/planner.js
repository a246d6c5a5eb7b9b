/**
 * How many trials error consistency takes, and how wide its interval will be: `erralign.planning`, in the browser.
 *
 * Widths are averages over fewer tables and draws than in the package, so that a slider can follow; they agree within
 * about half a percent. Pure, and the same at every call.
 *
 * @param {object} measures What ownMeasures() returns.
 * @param {object} resampling What ownResampling() returns.
 */
function ownPlanner({ kappa }, { generator, dirichletLimits }) {
  const TABLES = 1024;
  const FEW_TABLES = 128;
  const DRAWS = 500;
  const MOST_TRIALS = 1_000_000;
  const RIGHT_ON_AVERAGE = 3 / 8; // the usual quantile of so few draws lies a little inside
  const ROOT = 1.2207440846057596; // of x^4 = x + 1: its powers spread points evenly in three dimensions
  const STEPS = [1, 2, 3].map((power) => ROOT ** -power);

  /** The lowest and highest EC that two accuracies allow; NaN where both are 0 or both 1. */
  function bounds(a, b) {
    const low = kappa(Math.max(0, 1 - a - b), Math.min(b, 1 - a), Math.min(a, 1 - b), Math.max(0, a + b - 1));
    const high = kappa(Math.min(1 - a, 1 - b), Math.max(0, b - a), Math.max(0, a - b), Math.min(a, b));
    return [low, high];
  }

  /** Shares of trials on which both are wrong, only B, only A, or both are right, from EC and accuracies. */
  function expectedTable(ec, a, b) {
    const different = a * (1 - b) + b * (1 - a);
    const both = a * b + (ec * different) / 2;
    const cells = [1 - a - b + both, b - both, a - both, both].map((share) => Math.max(share, 0));
    const total = cells.reduce((one, other) => one + other);
    return cells.map((share) => share / total);
  }

  /** log(n!) by Stirling's series, exact to the last digits from 10 up. */
  function logFactorial(n) {
    if (n < 10) return Math.log([1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880][n]);
    const x = n + 1;
    const series = 1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x);
    return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series / x;
  }

  /** The smallest number of successes in n trials of probability p that is not exceeded with a probability of u. */
  function binomialQuantile(u, n, p) {
    if (n === 0 || p <= 0) return 0;
    if (p >= 1) return n;
    const odds = p / (1 - p);
    const mode = Math.min(Math.floor((n + 1) * p), n);
    const logChance = logFactorial(n) - logFactorial(mode) - logFactorial(n - mode);
    const atMode = Math.exp(logChance + mode * Math.log(p) + (n - mode) * Math.log1p(-p));
    let below = 0;
    for (let k = mode, chance = atMode; k > 0 && chance > 1e-16; k--) {
      chance *= k / ((n - k + 1) * odds);
      below += chance;
    }
    return stepTo(u, { k: mode, chance: atMode, below }, n, odds);
  }

  /** Walk from the mode, up or down, to where the chances of k or fewer successes pass u. */
  function stepTo(u, { k, chance, below }, n, odds) {
    while (below + chance < u && k < n) {
      below += chance;
      chance *= ((n - k) * odds) / (k + 1);
      k++;
    }
    while (below >= u && k > 0) {
      chance *= k / ((n - k + 1) * odds);
      below -= chance;
      k--;
    }
    return k;
  }

  /** Tables of counts that stand for all that n trials may give: evenly spread points turned into counts. */
  function typicalTables(n, [bothWrong, onlyB, onlyA, bothRight], nTables) {
    const wrongA = bothWrong + onlyB;
    const givenWrong = wrongA > 0 ? Math.min(bothWrong / wrongA, 1) : 0;
    const givenRight = wrongA < 1 ? Math.min(onlyA / (onlyA + bothRight), 1) : 0;
    return Array.from({ length: nTables }, (_, place) => {
      const [x, y, z] = STEPS.map((step) => (0.5 + place * step) % 1);
      const wrong = binomialQuantile(x, n, wrongA);
      const both = binomialQuantile(y, wrong, givenWrong);
      const alone = binomialQuantile(z, n - wrong, givenRight);
      return [both, wrong - both, alone, n - wrong - alone];
    });
  }

  function meanWidth(n, shares, nTables = TABLES) {
    const random = generator(0);
    let total = 0;
    for (const table of typicalTables(n, shares, nTables)) {
      const [low, high] = dirichletLimits(table, DRAWS, random, RIGHT_ON_AVERAGE);
      total += high - low;
    }
    return total / nTables;
  }

  /** Expected width of the 95 % interval of EC with n trials. */
  const expectedWidth = (n, ec, a, b) => meanWidth(n, expectedTable(ec, a, b));

  /** How many trials make the expected width as small as wanted; Infinity beyond a million. */
  function trialsNeeded(width, ec, a, b) {
    const shares = expectedTable(ec, a, b);
    const known = new Map();
    const isWide = (n) => {
      if (!known.has(n)) known.set(n, meanWidth(n, shares) > width);
      return known.get(n);
    };
    let [low, high] = bracket(isWide, guess(width, shares));
    if (low >= MOST_TRIALS) return Infinity;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isWide(middle)) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Width falls about as one over the root of the number of trials. */
  function guess(width, shares) {
    let n = 100;
    for (const nTables of [FEW_TABLES, FEW_TABLES, 2 * FEW_TABLES, TABLES]) {
      const needed = n * (meanWidth(n, shares, nTables) / width) ** 2;
      n = Math.floor(Math.min(Math.max(needed, 1), MOST_TRIALS));
    }
    return n;
  }

  /** Step away from a guess, farther each time, until the width is too large at `low` and no more at `high`. */
  function bracket(isWide, start) {
    let [low, high, step] = [start, start, 1];
    while (low > 0 && !isWide(low)) [low, high, step] = [Math.max(low - step, 0), low, 2 * step];
    while (low < MOST_TRIALS && isWide(high)) [low, high, step] = [high, high + step, 2 * step];
    return [low, high];
  }

  return { bounds, expectedTable, expectedWidth, trialsNeeded, binomialQuantile };
}
