/** Means of EC over pairs, and limits by the jackknife over pictures, as `erralign.consistency_with_people`. */
function sitMeans({ kappa, rightTable }) {
  const Z = 1.959963984540054; // leaves 2.5 % of a normal distribution above it
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanKappa = (tables) => mean(tables.map((table) => kappa(...table)).filter((value) => !Number.isNaN(value)));

  /** The mean of pairs of answers, on all pictures and without each in turn. */
  function ofPairs(truth, pairs) {
    const tables = pairs.map(([a, b]) => rightTable(truth, a, b));
    const isRight = (answers, trial) => Number(answers[trial] === truth[trial]);
    const leavingOut = (trial) =>
      tables.map((table, place) => {
        const [a, b] = pairs[place];
        return table.map((count, cell) => count - (cell === 2 * isRight(a, trial) + isRight(b, trial)));
      });
    return { value: meanKappa(tables), without: Array.from(truth, (_, trial) => meanKappa(leavingOut(trial))) };
  }

  /** A mean and its limits. */
  function limits({ value, without }) {
    const n = without.length;
    const average = mean(without);
    const centre = value - (n - 1) * (average - value);
    const half = Z * Math.sqrt(((n - 1) / n) * without.reduce((sum, each) => sum + (each - average) ** 2, 0));
    return [value, centre - half, Math.min(centre + half, 1)];
  }

  /** One mean minus another, of the same pictures. */
  const minus = (one, other) => ({
    value: one.value - other.value,
    without: one.without.map((each, trial) => each - other.without[trial]),
  });

  return { mean, ofPairs, limits, minus };
}
