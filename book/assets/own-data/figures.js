/**
 * One chart per measure: the reader's pairs, each with its interval, above published pairs by kind.
 * Specifications are Vega-Lite; charts.js draws them like all other charts of the book.
 */
const ownFigures = (() => {
  const { inWords } = ownMeasures();
  const MEASURES = {
    EC: "error consistency",
    MA: "misclassification agreement",
    CLES: "class-level error similarity",
  };
  const KINDS = {
    "human-human": "two people",
    "model-human": "a person and a network",
    "model-model": "two networks",
  };
  const MOST_ROWS = 15; // up to so many pairs have a row each
  const ROW = 26;
  const YOURS = "your pairs";
  const INTERVAL = "95 % interval";
  const BLIND = "blind value";

  const interval = (low, high) => (Number.isFinite(low) ? `${inWords(low)} to ${inWords(high)}` : "none");

  /** Spread points over the height of their row, the same way every time. */
  const jitter = (index) => (index * 0.618034) % 1;

  /** Whether one of two systems is always right: an EC of 0, with limits of 0, would look like a finding. */
  const withoutErrors = ({ counts: [bothWrong, onlyB, onlyA] }) => !(bothWrong + onlyB) || !(bothWrong + onlyA);

  function ownRows(pairs, measure) {
    const rows = pairs
      .filter((pair) => Number.isFinite(pair[measure][0]) && (measure !== "EC" || !withoutErrors(pair)))
      .sort((one, other) => other[measure][0] - one[measure][0]);
    const isFew = rows.length <= MOST_ROWS;
    return rows.map(({ a, b, jointErrors, blind, [measure]: [value, low, high] }, index) => ({
      row: isFew ? `${a} and ${b}` : YOURS,
      pair: `${a} and ${b}`,
      value,
      low,
      high,
      [INTERVAL]: interval(low, high),
      ...(measure === "MA" ? { [BLIND]: blind } : {}),
      "joint errors": jointErrors,
      place: isFew ? 0.5 : jitter(index),
    }));
  }

  function publishedRows(set, published, measure) {
    const column = 4 + published.values.indexOf(measure);
    const kinds = Object.values(KINDS);
    return set.pairs
      .filter((pair) => pair[column] !== null)
      .map((pair, index) => ({
        row: kinds[pair[2]],
        pair: `${set.systems[pair[0]]} and ${set.systems[pair[1]]}`,
        value: pair[column],
        [INTERVAL]: interval(pair[column + 1] ?? NaN, pair[column + 2]),
        "joint errors": pair[3],
        place: jitter(index),
      }));
  }

  function title(measure, own) {
    const name = MEASURES[measure];
    const start = name[0].toUpperCase() + name.slice(1);
    if (!own.length) return `${start} is undefined for your pairs`;
    if (own.length === 1) return `${start} of ${own[0].pair}: ${inWords(own[0].value)}`;
    return `${start}: your pairs lie between ${inWords(own.at(-1).value)} and ${inWords(own[0].value)}`;
  }

  /** What is not there: pairs without a value, and published pairs that cannot be compared. */
  function subtitle(measure, result, own, set, below) {
    const parts = [`lines: 95 % intervals${measure === "MA" && own.length ? "; grey ticks: blind values" : ""}`];
    const nUndefined = result.pairs.length - own.length;
    if (own.length && nUndefined) parts.push(`undefined for ${nUndefined} of your ${result.pairs.length} pairs`);
    const apart = `${set.name} has ${set.classes} classes and your file ${result.nClasses}, so their values cannot be compared`;
    parts.push(below.length ? `below: ${below.length} pairs of ${set.name} (${set.paper})` : apart);
    if (below.length && measure === "CLES") parts.push("compare only values from similar numbers of errors");
    return parts.join("; ");
  }

  function encodings(rows, measure) {
    return {
      x: { field: "value", type: "quantitative", title: measure, scale: { zero: measure !== "CLES" } },
      y: { field: "row", type: "nominal", sort: rows, title: null, axis: { grid: false, labelLimit: 170 } },
      yOffset: { field: "place", type: "quantitative", scale: { domain: [-0.15, 1.15] } },
      tooltip: ["pair", "value", INTERVAL, "joint errors"].map((field) => ({ field, format: field === "value" ? ".3f" : "" })),
    };
  }

  /** Layers from back to front, each of which has rows: Vega warns of one without. */
  function layers(own, below, encoding, colours) {
    const scale = { domain: Object.values(KINDS), range: Object.keys(KINDS).map((kind) => colours[kind]) };
    const color = { field: "row", scale, legend: null };
    const limits = { x: { ...encoding.x, field: "low" }, x2: { field: "high" } };
    const blind = { x: { ...encoding.x, field: BLIND }, tooltip: [...encoding.tooltip, { field: BLIND, format: ".3f" }] };
    const tick = { type: "tick", size: 14, opacity: 1 };
    const layer = (rows, mark, more = {}) => (rows.length ? [{ data: { values: rows }, mark, encoding: { ...encoding, ...more } }] : []);
    return [
      ...layer(below, { type: "point", filled: true, size: 28, opacity: 1 }, { color }),
      ...layer(own.filter((row) => Number.isFinite(row[BLIND])), { ...tick, thickness: 2, color: colours.blind }, blind),
      ...layer(own.filter((row) => Number.isFinite(row.low)), { type: "rule", strokeWidth: 2, opacity: 1 }, limits),
      ...layer(own, { ...tick, thickness: 3 }),
    ];
  }

  /** A chart of one measure of the worker's `result`, above the published pairs of a `set`. */
  function draw(measure, result, set, published) {
    const own = ownRows(result.pairs, measure);
    const comparable = measure !== "CLES" || set.classes === result.nClasses;
    const below = comparable ? publishedRows(set, published, measure) : [];
    const kinds = Object.values(KINDS).filter((kind) => below.some(({ row }) => row === kind));
    const rows = [...new Set(own.map(({ row }) => row)), ...kinds];
    const words = { title: title(measure, own), subtitle: subtitle(measure, result, own, set, below) };
    const spec = {
      config: published.config,
      usermeta: published.usermeta,
      width: "container",
      height: ROW * Math.max(rows.length, 1),
      layer: layers(own, below, encodings(rows, measure), published.colours),
    };
    return { ...words, description: `${words.title}. One row per pair or kind of pairs; ${words.subtitle}.`, spec };
  }

  return { MEASURES, inWords, interval, withoutErrors, draw };
})();
