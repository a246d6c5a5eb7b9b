/**
 * A CSV file to trials, as `erralign.read_answers` reads it: wide (a trial per row, a column per system), long (a row
 * per system and trial), or in the form of model-vs-human. What cannot be right is an error that names row and column.
 *
 * Pure, and one function that needs ownColumns() alone: a worker is made from its text (see work.js).
 */
function ownTable({ quoted, wrong, plain, isMissing, isWhole, isFraction, checkTruth, withoutOptions, ofWide, ofLong }) {
  const MOST_CLASSES = 5000;
  const LONG = { system: "system", truth: "truth", answer: "answer" };
  const MODEL_VS_HUMAN = { system: "subj", truth: "category", answer: "object_response" };

  const at = (row, column) => `row ${row}, column ${quoted(column)}`;
  const same = (label) => label.trim().toLowerCase();

  // ---- cells -------------------------------------------------------------------------------------------------------

  /** Cut text into rows of cells; quotes protect separators, ends of lines and, doubled, themselves. */
  function cut(text) {
    // In a line of its own, Excel says what stands between cells.
    const blank = /^([^\S\n]*(sep=[^\n]*)?\n)*/i.exec(text)[0];
    const [head] = text.slice(blank.length).split("\n", 1);
    const mark = [",", ";", "\t"].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a));
    const cell = new RegExp(` *("(?:[^"]|"")*"|(?!")[^${mark}\\r\\n]*)(${mark}|\\r\\n|\\n|\\r|$)`, "y");
    const rows = [];
    let row = { number: blank.split("\n").length, cells: [] };
    cell.lastIndex = blank.length;
    while (cell.lastIndex < text.length || row.cells.length) {
      const found = cell.exec(text);
      if (!found) throw wrong(`row ${row.number}: a quotation mark is not closed, or closed within a cell`);
      const words = found[1].trim();
      row.number += words.split("\n").length - 1;
      row.cells.push(words.startsWith('"') ? words.slice(1, -1).replaceAll('""', '"').trim() : words);
      if (found[2] === mark) continue;
      rows.push(row);
      row = { number: row.number + 1, cells: [] };
    }
    return rows.filter(({ cells }) => cells.some(Boolean));
  }

  /** The header and the rows below it, each with its number in the file. */
  function readCells(text) {
    const broken = text.indexOf("\uFFFD"); // where decoding failed
    if (broken >= 0)
      throw wrong(
        `row ${text.slice(0, broken).split("\n").length} is not text in UTF-8; save the file as CSV in UTF-8`,
      );
    const [head, ...body] = cut(text.replace(/^\uFEFF/, ""));
    if (!body.length) throw wrong("the file holds no trials; expected a header and a row per trial below it");
    for (const { number, cells } of body) {
      if (cells.length !== head.cells.length)
        throw wrong(`row ${number} has ${cells.length} cells, the header has ${head.cells.length}`);
    }
    const header = head.cells.filter((name, place) => name || body.some(({ cells }) => cells[place]));
    header.forEach((name, place) => {
      if (header.indexOf(name) < place)
        throw wrong(`row ${head.number} has the column ${quoted(name)} twice; give each its own name`);
      if (!name && place)
        throw wrong(`row ${head.number}, column ${place + 1} has no name; name the system or leave it out`);
    });
    const column = (name) => body.map(({ cells }) => cells[head.cells.indexOf(name)]);
    return { header, rows: body.map(({ number }) => number), column };
  }

  // ---- forms -------------------------------------------------------------------------------------------------------

  /** The truth and every system, each with `name`, `column`, and `labels` and `rows` by trial, whatever the form. */
  function recognise(sheet) {
    const has = (names) => names.every((name) => sheet.header.includes(name));
    if (has([...Object.values(MODEL_VS_HUMAN), "imagename"]))
      return gather(sheet, MODEL_VS_HUMAN, namesOfImages(sheet));
    checkTruth(sheet);
    if (has([LONG.system]) && !has([LONG.answer]))
      throw wrong(`the file has a column “system”, but none called “answer”; its header is ${sheet.header.join(", ")}`);
    if (!has([LONG.system])) return wide(sheet);
    const known = Object.values(LONG);
    const candidates = sheet.header.filter((name) => !known.includes(name));
    if (!candidates.length)
      throw wrong(`the file has no column that names the trial, beside ${sheet.header.join(", ")}`);
    const { trials, notes } = ofLong(sheet, LONG.system, candidates);
    return { ...gather(sheet, LONG, joined(sheet, trials)), notes };
  }

  /** One name per row out of the columns that name trials. */
  function joined(sheet, names) {
    const columns = names.map(sheet.column);
    const nameless = sheet.rows.findIndex((_, index) => names.length && columns.every((cells) => !cells[index]));
    if (nameless >= 0)
      throw wrong(`${at(sheet.rows[nameless], names[0])} is empty; expected the name of a trial in every row`);
    return sheet.rows.map((_, index) => columns.map((cells) => cells[index]).join(", "));
  }

  /** Condition and image; of the image's name, what stands before the image itself is left out. */
  function namesOfImages(sheet) {
    const categories = sheet.column(MODEL_VS_HUMAN.truth);
    const conditions = sheet.header.includes("condition") ? sheet.column("condition") : undefined;
    return sheet.column("imagename").map((name, index) => {
      const [, rest] = name.split(`_${categories[index]}_`, 2);
      const image = rest === undefined ? name : name.slice(name.indexOf(rest)).replace(/^[^_]*_?/, "");
      return conditions ? `${conditions[index]}, ${image}` : image;
    });
  }

  /** A row per trial: which columns name it and which are systems, they say themselves. */
  function wide(sheet) {
    const { trials, systems, notes } = ofWide(sheet);
    const take = (name) => ({ name, column: name, labels: sheet.column(name), rows: sheet.rows });
    const named = joined(sheet, trials);
    if (trials.length) indexOnce(named, sheet, sheet.rows.keys(), "trial");
    return { truth: take("truth"), systems: systems.map(take), trials: named, notes };
  }

  /** Map names to places; a name that comes again is an error. */
  function indexOnce(names, sheet, places, what) {
    const index = new Map();
    for (const place of places) {
      const before = index.get(names[place]);
      if (before !== undefined) {
        throw wrong(
          `row ${sheet.rows[place]} gives the ${what} ${quoted(names[place])} again, after row ${sheet.rows[before]}`,
          "give each once",
        );
      }
      index.set(names[place], place);
    }
    return index;
  }

  /** Long forms: bring the rows of each system into the order in which trials first occur. */
  function gather(sheet, names, trialOf) {
    const systemOf = sheet.column(names.system);
    const placesOf = new Map();
    systemOf.forEach((system, place) => {
      if (!placesOf.has(system)) placesOf.set(system, []);
      placesOf.get(system).push(place);
    });
    const first = new Map();
    trialOf.forEach((trial, place) => first.has(trial) || first.set(trial, place));
    checkTruths(sheet, names.truth, trialOf, first);
    const take = (name, places) => {
      const cells = sheet.column(name);
      return {
        column: name,
        labels: places.map((place) => cells[place]),
        rows: places.map((place) => sheet.rows[place]),
      };
    };
    const systems = [...placesOf].map(([name, places]) => {
      if (!name) throw wrong(`${at(sheet.rows[places[0]], names.system)} is empty; expected the name of a system`);
      const index = indexOnce(trialOf, sheet, places, `answer of ${quoted(name)} to`);
      return {
        name,
        ...take(
          names.answer,
          [...first.keys()].map((trial) => found(index, trial, name, sheet, places)),
        ),
      };
    });
    return { truth: { name: names.truth, ...take(names.truth, [...first.values()]) }, systems, trials: [...first.keys()] };
  }

  function found(index, trial, system, sheet, places) {
    if (index.has(trial)) return index.get(trial);
    const row = sheet.rows[places.at(-1)];
    throw wrong(
      `row ${row}: ${quoted(system)} has no answer to trial ${quoted(trial)}, which others have`,
      "write a row with na where a system gave none",
    );
  }

  function checkTruths(sheet, column, trialOf, first) {
    const truths = sheet.column(column);
    truths.forEach((label, place) => {
      const before = first.get(trialOf[place]);
      if (label === truths[before]) return;
      const other = `row ${sheet.rows[before]} holds ${quoted(truths[before])} for the same trial`;
      throw wrong(`${at(sheet.rows[place], column)} holds ${quoted(label)}, ${other}`, "a trial has one true class");
    });
  }

  // ---- classes -----------------------------------------------------------------------------------------------------

  /** What the reader says about the classes: nothing, how many there are, or their names. */
  function readDeclared(words) {
    const names = words
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    if (names.length === 1 && /^\d+$/.test(names[0])) return { count: Number(names[0]) };
    checkSpelling(names.map((name) => [name, "the list of classes"]));
    return names.length ? { names } : {};
  }

  /** Names that differ in capitals only are two ways to write one class. */
  function checkSpelling(places) {
    const known = new Map();
    for (const [name, place] of places) {
      const before = known.get(same(name));
      if (before)
        throw wrong(
          `${place} holds ${quoted(name)}, ${before[1]} holds ${quoted(before[0])}; write each class in one way, once`,
        );
      known.set(same(name), [name, place]);
    }
  }

  /** Every label that is an answer, with the first place where it stands; and the words that mean none. */
  function labelsOf({ truth, systems }, declared) {
    const places = new Map();
    const missing = new Map();
    for (const column of [truth, ...systems]) {
      column.labels.forEach((label, index) => {
        if (!isMissing(label) || declared.names?.includes(label)) {
          if (!places.has(label)) places.set(label, { at: at(column.rows[index], column.column), isTrue: column === truth });
        } else if (column !== truth) missing.set(label, (missing.get(label) ?? 0) + 1);
      });
    }
    return { places, missing };
  }

  /**
   * The classes, and the id of each label: names as declared, or sorted; numbers, if all labels are written as numbers,
   * are ids themselves, from 0 up, or from 1 up where 1 occurs and 0 does not.
   */
  function findClasses(places, declared) {
    const labels = [...places.keys()];
    if (declared.names) return byName(places, declared.names);
    const fraction = labels.find(isFraction);
    if (fraction !== undefined)
      throw wrong(
        `${places.get(fraction).at} holds ${quoted(fraction)}, a fraction; expected a class, as a word or a whole number`,
        "leave out a column that holds no answers, or list the classes",
      );
    if (labels.length && labels.every(isWhole)) return byNumber(places, declared.count);
    checkSpelling([...places].map(([label, place]) => [label, place.at]));
    checkMixed(places, labels);
    const count = declared.count ?? labels.length;
    if (count < labels.length)
      throw wrong(
        `the file holds ${labels.length} classes, more than the ${count} that you gave: ${labels.sort().join(", ")}`,
      );
    const unseen = Array.from(
      { length: Math.min(count, MOST_CLASSES) - labels.length },
      (_, place) => `(unseen ${place + 1})`,
    );
    return byName(places, [...labels.sort(), ...unseen]);
  }

  /** Numbers among words are an error, unless the true classes are both. */
  function checkMixed(places, labels) {
    const [number, word] = [true, false].map((wanted) => labels.find((label) => isWhole(label) === wanted));
    const isTrue = (wanted) => labels.some((label) => places.get(label).isTrue && isWhole(label) === wanted);
    if (number === undefined || word === undefined || (isTrue(true) && isTrue(false))) return;
    throw wrong(
      `${places.get(word).at} holds ${quoted(word)}, ${places.get(number).at} holds ${number}`,
      "write all classes as text or all as numbers, or list the classes",
    );
  }

  function byName(places, classes) {
    for (const [label, place] of places) {
      if (!classes.includes(label))
        throw wrong(`${place.at} holds ${quoted(label)}, which is no class; expected one of ${classes.join(", ")}`);
    }
    return { classes, ids: new Map(classes.map((label, id) => [label, id])) };
  }

  function byNumber(places, count) {
    const numbers = [...places.keys()].map((label) => Number(plain(label)));
    const first = numbers.includes(1) && !numbers.includes(0) ? 1 : 0;
    const nClasses = count ?? Math.max(...numbers) + 1 - first;
    for (const [label, { at: place }] of places) {
      const id = Number(plain(label)) - first;
      if (id < 0 || id >= nClasses)
        throw wrong(`${place} holds ${label}, which is no class; numbers lie in ${first} … ${nClasses - 1 + first}`);
      if (id >= MOST_CLASSES)
        throw wrong(`${place} holds ${label}; expected at most ${MOST_CLASSES} classes, numbered from 0 up`);
    }
    const ids = new Map([...places.keys()].map((label, place) => [label, numbers[place] - first]));
    return { classes: Array.from({ length: nClasses }, (_, id) => String(id + first)), ids };
  }

  /** The true classes as ids; every trial has one. */
  function truthIds({ labels, rows, column }, ids) {
    return Int32Array.from(labels, (label, index) => {
      if (!ids.has(label))
        throw wrong(
          `${at(rows[index], column)} holds no class; every trial needs its true class`,
          label && `if ${quoted(label)} is one, list the classes`,
        );
      return ids.get(label);
    });
  }

  /** A system that never answers with a true class writes its classes in another way. */
  function checkAnswers(truth, answers, { name, rows, column }) {
    const classes = new Set(truth);
    const given = answers.findIndex((answer) => answer >= 0);
    if (classes.size < 2 || given < 0 || answers.some((answer) => classes.has(answer))) return;
    throw wrong(
      `${at(rows[given], column)}: ${quoted(name)} never answers with a true class`,
      "check how it writes classes, or list the classes",
    );
  }

  /**
   * Read a file.
   *
   * @param {string} text The file.
   * @param {string} [words] About the classes: nothing, how many there are, or their names with commas between.
   * @returns {object} `truth` and, per system, `answers` as class ids (-1: no answer); `systems`, `classes`,
   *   `nClasses`; whether the classes were `declared`; `notes` on what was found out.
   */
  function readAnswers(text, words = "") {
    const { sheet, left } = withoutOptions(readCells(text));
    const { truth, systems, notes = [] } = recognise(sheet);
    if (systems.length < 2)
      throw wrong(
        `the file has ${systems.length ? `one system, ${quoted(systems[0].name)}` : "no system"}; a pair needs two`,
      );
    const declared = readDeclared(words);
    const { places, missing } = labelsOf({ truth, systems }, declared);
    const { classes, ids } = findClasses(places, declared);
    const trueIds = truthIds(truth, ids);
    const answers = systems.map(({ labels }) => Int32Array.from(labels, (label) => ids.get(label) ?? -1));
    const isDeclared = Boolean(declared.count || declared.names);
    if (!isDeclared) answers.forEach((own, index) => checkAnswers(trueIds, own, systems[index]));
    return {
      truth: trueIds,
      answers,
      systems: systems.map(({ name }) => name),
      classes,
      nClasses: classes.length,
      declared: isDeclared,
      notes: [...left, ...notes, ...onMissing(missing)],
    };
  }

  function onMissing(missing) {
    const often = [...missing].sort(([, one], [, other]) => other - one);
    const said = often.map(([word, n]) => `${word ? quoted(word) : "an empty cell"} (${n.toLocaleString("en")})`);
    return said.length ? [`Read as no answer: ${said.join(", ")}.`] : [];
  }

  return { readCells, recognise, readAnswers };
}
