/**
 * Limits that are drawn: of EC from the Dirichlet distribution, of CLES from resampled trials, moved by their bias.
 * What `erralign.inference` does by default. Pure, and repeatable: the seed decides.
 *
 * @param {object} measures What ownMeasures() returns.
 */
function ownResampling({ ALPHA, kappa, sum }) {
  const TAILS = [0.025, 0.975];

  /**
   * A generator of numbers between 0 and 1: Chris Doty-Humphrey's sfc32. Its state is a typed array, since whole
   * numbers of 32 bits in plain variables would each be allocated anew.
   */
  function generator(seed) {
    const state = Int32Array.of(0, seed, Math.floor(seed / 2 ** 32), 1);
    function next() {
      const word = (state[0] + state[1] + state[3]++) | 0;
      state[0] = state[1] ^ (state[1] >>> 9);
      state[1] = state[2] + (state[2] << 3);
      state[2] = ((state[2] << 21) | (state[2] >>> 11)) + word;
      return ((word >>> 0) + 0.5) / 2 ** 32;
    }
    for (let warmUp = 0; warmUp < 12; warmUp++) next();
    return next;
  }

  /** Draw from the standard normal distribution (Marsaglia's polar method, without its second number). */
  function normal(random) {
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
    }
  }

  /** Draw from the Gamma distribution with a shape of 1/2, or of 1 and more (Marsaglia & Tsang, 2000). */
  function gamma(shape, random) {
    if (shape < 1) return normal(random) ** 2 / 2;
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal(random);
      const root = 1 + c * x;
      const v = root * root * root;
      const square = x * x;
      const u = v > 0 ? random() : 1;
      if (u < 1 - 0.0331 * square * square) return d * v;
      if (v > 0 && Math.log(u) < square / 2 + d * (1 - v + Math.log(v))) return d * v;
    }
  }

  /** The value below which a share of sorted numbers lies, as NumPy has it. */
  function quantile(sorted, share) {
    const place = (sorted.length - 1) * share;
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Draw kappa from the Dirichlet distribution with half a count added to each of four cells; in rising order. */
  function drawKappas(table, nDraws, random) {
    const draw = () => kappa(...table.map((count) => gamma(count + 0.5, random)));
    return Float64Array.from({ length: nDraws }, draw).sort();
  }

  /** The lower limit without half a count where nobody was wrong (or right) together, since no draw is as low. */
  function lowIfNoAgreement(table) {
    const cells = table.map((count, cell) => (cell % 3 === 0 && count === 0 ? 0 : count + 0.5));
    const value = kappa(...cells);
    const moved = cells.map((_, cell) => kappa(...cells.map((count, at) => count + (at === cell) * 1e-6)) - value);
    return Math.max(-1, value - 1.959964e6 * Math.hypot(...moved.map((move, cell) => move * Math.sqrt(cells[cell]))));
  }

  /** Limits of EC, equal tails of these draws; NaN where EC is 0/0. Where no disagreement was seen, 1 is the upper one. */
  function consistencyLimits(table, nDraws, random) {
    if (Number.isNaN(kappa(...table))) return [NaN, NaN];
    const draws = drawKappas(table, nDraws, random);
    const [low, high] = TAILS.map((share) => quantile(draws, share));
    const lowest = table[0] * table[3] > 0 ? low : Math.min(low, lowIfNoAgreement(table));
    return [lowest, table[1] + table[2] === 0 ? 1 : high];
  }

  /** Percentile limits, less the bias that the draws show; draws that are 0/0 are left out. */
  function recentredLimits(draws, value) {
    const defined = draws.filter((draw) => !Number.isNaN(draw)).sort();
    if (!defined.length) return [NaN, NaN];
    const bias = sum(defined) / defined.length - value;
    const [low, high] = TAILS.map((share) => quantile(defined, share) - bias);
    return [low, Math.min(high, 1)];
  }

  /** How often each trial occurs in a resample, written into `times`. */
  function resample(times, random) {
    times.fill(0);
    for (let drawn = 0; drawn < times.length; drawn++) times[Math.floor(random() * times.length)]++;
  }

  /**
   * Where errors are possible: the cells in which some system has one, by true class, and each system's errors as
   * trial and place among these cells.
   */
  function layOut(truth, answers, nClasses) {
    const trials = [...truth.keys()];
    const wrong = answers.map((own) => trials.filter((trial) => own[trial] >= 0 && own[trial] !== truth[trial]));
    const code = (own, trial) => truth[trial] * nClasses + own[trial];
    const occurring = new Set(wrong.flatMap((own, system) => own.map((trial) => code(answers[system], trial))));
    const cells = [...occurring].sort((a, b) => a - b);
    const place = new Map(cells.map((cell, index) => [cell, index]));
    const errors = wrong.map((own, system) => ({
      trials: Int32Array.from(own),
      places: Int32Array.from(own, (trial) => place.get(code(answers[system], trial))),
    }));
    const rows = cells.map((cell) => Math.floor(cell / nClasses));
    const starts = [...rows.keys()].filter((index) => rows[index] !== rows[index - 1]);
    return { errors, starts: Int32Array.from([...starts, cells.length]), nCells: cells.length };
  }

  /** A system's errors in a resample: counts by cell, and by true class the count, its smoothed form and an entropy. */
  function emptyCounts({ nCells, starts }) {
    const nRows = starts.length - 1;
    const [n, m, entropy] = [0, 0, 0].map(() => new Float64Array(nRows));
    return { counts: new Int32Array(nCells), n, m, entropy };
  }

  function countResample(drawn, { trials, places }, times, starts, tables) {
    const { counts, n, m, entropy } = drawn;
    counts.fill(0);
    for (let error = 0; error < trials.length; error++) counts[places[error]] += times[trials[error]];
    for (let row = 0; row < n.length; row++) {
      n[row] = 0;
      let weighted = 0;
      for (let cell = starts[row]; cell < starts[row + 1]; cell++) {
        n[row] += counts[cell];
        weighted += (counts[cell] + ALPHA) * tables.cell[counts[cell]];
      }
      m[row] = n[row] + tables.smoothing;
      entropy[row] = weighted / m[row] - tables.row[n[row]];
    }
  }

  /** Logarithms of all counts that can occur: of a cell, less that of an empty one, and of a smoothed row. */
  function logTables(nTrials, nClasses) {
    const smoothing = Math.max(nClasses - 1, 1) * ALPHA;
    const counts = Float64Array.from({ length: 2 * nTrials + 1 }, (_, count) => count);
    return {
      smoothing,
      cell: counts.map((count) => Math.log1p(count / ALPHA)),
      row: counts.map((count) => Math.log(count + smoothing)),
    };
  }

  /** CLES of two systems in a resample; cells without any error drop out of all sums. */
  function drawnSimilarity(a, b, starts, tables) {
    const [countsA, countsB, logs] = [a.counts, b.counts, tables.cell];
    let [total, distance, cell] = [0, 0, 0];
    for (let row = 0; row < a.n.length; row++) {
      let crossA = 0;
      let crossB = 0;
      for (const end = starts[row + 1]; cell < end; cell++) {
        const f = countsA[cell];
        const g = countsB[cell];
        const log = logs[f + g];
        crossA += (f + ALPHA) * log;
        crossB += (g + ALPHA) * log;
      }
      const n = a.n[row] + b.n[row];
      const cross = crossA / a.m[row] + crossB / b.m[row];
      distance += n * (a.entropy[row] + b.entropy[row] - cross + 2 * tables.row[n]);
      total += n;
    }
    return 1 / (1 + distance / 2 / total); // NaN where nobody erred
  }

  /**
   * Limits of CLES for pairs of systems: trials are resampled once for all pairs.
   *
   * @param {number[][]} pairs The two systems of each pair.
   * @param {number[]} values CLES of each pair.
   * @param {(share: number) => void} progress Told how much is done.
   */
  function similarityLimits({ truth, answers, nClasses }, pairs, values, nDraws, random, progress = () => {}) {
    const layout = layOut(truth, answers, nClasses);
    const tables = logTables(truth.length, nClasses);
    const times = new Int32Array(truth.length);
    const systems = layout.errors.map(() => emptyCounts(layout));
    const draws = pairs.map(() => new Float32Array(nDraws));
    for (let draw = 0; draw < nDraws; draw++) {
      resample(times, random);
      systems.forEach((drawn, system) => countResample(drawn, layout.errors[system], times, layout.starts, tables));
      pairs.forEach(([a, b], pair) => {
        draws[pair][draw] = drawnSimilarity(systems[a], systems[b], layout.starts, tables);
      });
      if (draw % 100 === 0) progress(draw / nDraws);
    }
    return draws.map((own, pair) => recentredLimits(own, values[pair]));
  }

  return { generator, consistencyLimits, similarityLimits };
}
