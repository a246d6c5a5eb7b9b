/** Means of EC over pairs, and limits by the jackknife over pictures, as `erralign.consistency_with_people`. */
function sitMeans({ Z, kappa, rightTable, sum }, powers) {
  const ENOUGH = 5; // pictures on which a pair does not just agree, and pictures that limits count on at least
  const mean = (values) => sum(values) / values.length;
  const meanKappa = (tables) => mean(tables.map((table) => kappa(...table)).filter((value) => !Number.isNaN(value)));
  const value = (truth, pairs) => meanKappa(pairs.map(([a, b]) => rightTable(truth, a, b)));
  const squares = (values) => sum(values.map((value) => value ** 2));

  /** The mean of pairs of some systems, and how each picture moves it: by the jackknife, and with half counts. */
  function ofPairs(truth, pairs, systems) {
    const tables = pairs.map(([a, b]) => rightTable(truth, a, b));
    const isRight = (answers, trial) => Number(answers[trial] === truth[trial]);
    const leavingOut = (trial) =>
      tables.map((table, place) => {
        const [a, b] = pairs[place];
        return table.map((count, cell) => count - (cell === 2 * isRight(a, trial) + isRight(b, trial)));
      });
    const [value, n] = [meanKappa(tables), truth.length];
    const without = Array.from(truth, (_, trial) => meanKappa(leavingOut(trial)));
    const average = mean(without);
    const moved = without.map((each) => Math.sqrt((n - 1) / n) * (each - average));
    const wider = student(Math.max(squares(moved) ** 2 / squares(moved.map((each) => each ** 2)), ENOUGH) - 1) / Z;
    const scaled = (values) => values.map((each) => wider * each);
    const enough = tables.every(([neither, , , both]) => n - Math.max(neither, both) >= ENOUGH);
    const centre = enough ? value - (n - 1) * (average - value) : NaN;
    return { value, centre, moved: scaled(moved), halved: scaled(withHalfCounts(truth, pairs, tables, systems)) };
  }

  /** How the mean changes with the count of each picture and pseudo-picture, times the root of that count. */
  function withHalfCounts(truth, pairs, tables, systems) {
    const order = 2 ** Math.ceil(Math.log2(systems.length + 1));
    const isOdd = (bits) => (bits ? isOdd(bits & (bits - 1)) ^ 1 : 0);
    const columns = systems.map((answers, place) => [
      ...Array.from(truth, (right, trial) => Number(answers[trial] === right)),
      ...[0, 1].flatMap((turned) => Array.from({ length: order }, (_, row) => isOdd(row & (place + 1)) ^ turned ^ 1)),
    ]);
    const defined = pairs.map((pair, place) => ({ pair, table: tables[place] }));
    const changes = defined.filter(({ table }) => !Number.isNaN(kappa(...table))).map(({ pair, table }) => {
      const [a, b] = pair.map((answers) => columns[systems.indexOf(answers)]);
      const slopes = slopesOf(table.map((count) => count + 0.5));
      return a.map((right, row) => slopes[2 * right + b[row]]);
    });
    const root = (row) => Math.sqrt(row < truth.length ? 1 : 1 / order);
    return columns[0].map((_, row) => root(row) * mean(changes.map((change) => change[row])));
  }

  /** The derivatives of kappa by the four cells. */
  function slopesOf([neither, onlyB, onlyA, both]) {
    const [wrongA, wrongB, rightA, rightB] = [neither + onlyB, neither + onlyA, onlyA + both, onlyB + both];
    const below = wrongA * rightB + wrongB * rightA;
    const value = (2 * (neither * both - onlyA * onlyB)) / below;
    const above = [2 * both, -2 * onlyA, -2 * onlyB, 2 * neither];
    const moves = [rightB + rightA, rightB + wrongA, rightA + wrongB, wrongA + wrongB];
    return above.map((each, cell) => (each - value * moves[cell]) / below);
  }

  /** What leaves 2.5 % of Student's t above it, from four degrees of freedom on: a polynomial in their inverse. */
  const student = (free) => powers.reduceRight((total, power) => power + total / free, 0);

  /** A mean and its limits. */
  function limits({ value, centre, moved, halved }) {
    const half = Z * Math.sqrt(Math.max(squares(moved), squares(halved)));
    return [value, centre - half, Math.min(centre + half, 1)];
  }

  /** One mean minus another, of the same pictures. */
  function minus(one, other) {
    const less = (field) => one[field].map((each, place) => each - other[field][place]);
    const [value, centre] = [one.value - other.value, one.centre - other.centre];
    return { value, centre, moved: less("moved"), halved: less("halved") };
  }

  return { mean, value, ofPairs, limits, minus };
}
