/**
 * Limits of EC: drawn from the Dirichlet distribution, as `erralign.inference` does by default. Pure, and repeatable: the
 * seed decides.
 *
 * @param {object} measures What ownMeasures() returns.
 */
function ownDraws({ kappa }) {
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

  return { generator, consistencyLimits };
}
