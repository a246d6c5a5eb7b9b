/**
 * A file of answers to trials, as `erralign/datasets/own` reads it: which column is what, and what words mean.
 *
 * @param {object} wording What ownWording() returns.
 * @param {Function} readCells What ownCells() returns.
 * @param {object} checks What ownChecks() returns, which looks at the answers that were read.
 */
function ownReading(wording, readCells, { ofTrials, ofClasses, ofAnswers }) {
  const { names, limits, isLike, isCalled, isMissing, isWhole, plain, tidy, at, say, wrong, refuse, quoted, inHeader } = wording;
  const { inFull, listed, counted, nDistinct, timesOf, ordered } = wording;
  const MODEL_VS_HUMAN = { system: "subj", truth: "category", answer: "object_response" };

  // ---- columns -----------------------------------------------------------------------------------------------------

  const combined = (columns, n) => Array.from({ length: n }, (_, row) => columns.map((cells) => cells[row]).join("\0"));
  const joined = (sheet, parts) => combined(parts.map(sheet.column), sheet.rows.length);
  const size = (sheet, ...parts) => nDistinct(joined(sheet, parts));
  const namesRows = (sheet, parts) => size(sheet, ...parts) === sheet.rows.length;
  const marksOf = (sheet, name) => sheet.column(name).map((word) => plain(word).toLowerCase());
  const areMarks = (marks) => marks.every((mark) => names.right_or_wrong.includes(mark));

  const isWho = (name) => isCalled("people")(name) || isCalled("models")(name) || name.toLowerCase() === "system";

  function checkTruth(sheet) {
    const { file, header } = sheet;
    if (header.includes("truth")) return;
    const isTruth = (name) => isCalled("truth")(name) || name.toLowerCase() === "truth";
    const column = header.find((name) => isTruth(name) && !(name.toLowerCase() === "correct" && areMarks(marksOf(sheet, name))));
    if (column) {
      const answers = header.filter(isCalled("answers"));
      const isTrial = (name) => ![column, ...answers].includes(name) && !isLike("recorded", name) && !isLike("times", name);
      const [trial] = header.filter(isTrial);
      const who = header.find((name) => ![column, ...answers].includes(name) && isWho(name) && nDistinct(sheet.column(name)) > 1);
      const isOne = answers.length === 1 && (who ?? trial) !== undefined;
      const more = who === undefined ? [...answers, "--trials", trial] : [who, "--answer", ...answers];
      const words = isOne ? ["--truth", column, "--system", ...more].map(quoted) : [`--truth ${column} (columns={'truth': '${column}'})`];
      refuse("truth_elsewhere", { file, column, command: words.join(" ") });
    }
    const marks = header.slice(1).every((name) => areMarks(marksOf(sheet, name)));
    const why = header.length === 1 ? "one_column" : marks ? "right_or_wrong" : "no_truth";
    refuse(why, { file, lacks: " has no column 'truth'", header: inHeader(header) });
  }

  /** Whether a column looks like answers: at least half are true classes, and no number is a row's own. */
  function holds(sheet, column, classes) {
    const cells = sheet.column(column);
    const areDistinct = nDistinct(cells) === cells.length;
    const given = cells.map(plain).filter((word) => !isMissing(word));
    const among = given.filter((word) => classes.has(word)).length;
    if (areDistinct && (cells.length > 2 * classes.size || given.every(isWhole))) return false;
    return among > 0 && 2 * among >= given.length;
  }

  /** Whether a column is called like times and holds only numbers, which are no classes. */
  const isTime = (sheet, name, classes) =>
    isLike("times", name) && sheet.column(name).every((word) => isMissing(word) || isLike("number", word)) && !holds(sheet, name, classes);

  /** Whether a column agrees with the truth more often than chance would, by three standard deviations. */
  function agrees(sheet, column) {
    const [said, truth] = [column, "truth"].map((name) => sheet.column(name).map(plain));
    const [n, ofTruth] = [truth.length, timesOf(truth)];
    const chance = said.reduce((sum, word) => sum + (ofTruth.get(word) ?? 0), 0) / n ** 2;
    return said.filter((word, row) => word === truth[row]).length / n > chance + 3 * Math.sqrt((chance * (1 - chance)) / n);
  }

  /** Leave out a column of how many options each trial offers, which the command takes. */
  function withoutOptions(sheet) {
    const isCount = (word) => /^\d+$/.test(plain(word)) && Number(plain(word)) >= 2;
    const column = sheet.header.find((name) => isLike("options", name) && sheet.column(name).every(isCount));
    if (column === undefined) return { sheet, left: [] };
    return { sheet: { ...sheet, header: sheet.header.filter((name) => name !== column) }, left: [say("options", { column })] };
  }

  /** Which columns of a wide file name the trial, which are systems, and what must be said of that. */
  function ofWide(sheet, declared) {
    const { column, rows } = sheet;
    // pandas writes the numbers of rows into a column without a name.
    const isNumbered = !sheet.header[0] && sheet.header.length > 2 && sheet.header[1] !== "truth";
    const header = sheet.header.slice(isNumbered && column("").every((cell, row) => cell === String(row)) ? 1 : 0);
    const classes = new Set(column("truth").map(plain));
    const [before, right] = [header.slice(0, header.indexOf("truth")), header.slice(header.indexOf("truth") + 1)];
    const [times, after] = [true, false].map((wanted) => right.filter((name) => isTime(sheet, name, classes) === wanted));
    const notes = times.length ? [say("times", { columns: listed(times) })] : [];
    const doubtful = before.filter((name) => holds(sheet, name, classes));
    let trials = before.filter((name) => !doubtful.includes(name));
    if (!trials.length) trials = after.filter((name) => namesRows(sheet, [name]) && !holds(sheet, name, classes)).slice(0, 1);
    const enough = trials.length ? namesRows(sheet, trials) : !namesRows(sheet, doubtful);
    for (const name of doubtful) {
      const isSystem = enough && agrees(sheet, name);
      if (!isSystem) trials = header.filter((each) => each === name || trials.includes(each));
      notes.push(say(isSystem ? "before" : "in_name", { column: name, truth: "truth" }));
    }
    const systems = [...before, ...after].filter((name) => !trials.includes(name));
    if (systems.length) checkRows(sheet, systems, declared);
    checkSystems(sheet, systems, classes);
    return { trials, systems, notes };
  }

  /** A row at an edge of which no other row has any word, as a second heading and a sum, is of no trial. */
  function checkRows(sheet, systems, declared) {
    const columns = ["truth", ...systems].map((name) => sheet.column(name).map(labelOf));
    const [truth, ...said] = columns;
    const nRows = timesOf([...truth.keys()].flatMap((row) => [...new Set(columns.map((cells) => cells[row]))]));
    const isAlone = (word) => nRows.get(word) === 1 && !isMissing(String(word));
    const isOdd = (row) => {
      const word = sheet.column("truth")[row];
      const isRight = said.length === 1 || said.some((cells) => cells[row] === truth[row]);
      return columns.every((cells) => isAlone(cells[row])) && !declared.includes(word) && (isLike("heading", word) || !isRight);
    };
    const odd = [...truth.keys()].filter(isOdd);
    const others = truth.filter((_, row) => !odd.includes(row));
    const isClear = others.length >= Math.max(limits.many, limits.often * nDistinct(others));
    if (odd.length && isClear && odd.every((row) => Math.min(row, truth.length - 1 - row) < limits.edge))
      refuse("no_trial", { file: sheet.file, row: odd.map((row) => sheet.rows[row]).join(" and ") });
  }

  /** Columns that are no systems by their names or by what they hold, but would pass for some. */
  function checkSystems(sheet, systems, classes) {
    const { file, rows } = sheet;
    checkNoScores(sheet, systems);
    if (systems.length > 1 && systems.length === classes.size && systems.every((name) => classes.has(name))) refuse("per_class", { file, columns: listed(systems) });
    for (const column of systems) {
      const words = new Set(marksOf(sheet, column).filter((word) => !isMissing(word)));
      const areWhole = [...words].every(isWhole);
      const why = {
        recorded: isLike("recorded", column) || isCalled("truth")(column),
        counter: areWhole && words.size === rows.length && words.size > Math.max(2 * classes.size, limits.few),
        same: words.size && areWhole && nDistinct(marksOf(sheet, column)) === 1 && classes.size > 1 && rows.length > limits.few,
      };
      const reason = Object.keys(why).find((key) => why[key]);
      if (reason) refuse(reason, { file, column, word: sheet.column(column)[0] });
    }
  }

  /** A column that says whether another is right would pass for answers where classes are numbers. */
  function checkNoScores(sheet, systems) {
    const truth = sheet.column("truth").map(plain);
    const areFew = truth.length <= limits.few && areMarks(marksOf(sheet, "truth")); // then answers may equal it by luck
    if (nDistinct(truth) < 2 || areFew) return;
    const isVaried = (name) => nDistinct(marksOf(sheet, name)) > 1;
    // Where the truth is 0 or 1 too, who is always right says the same as where a constant answer is right.
    const others = systems.filter((name) => isVaried(name) || !areMarks(marksOf(sheet, "truth")));
    const right = new Map(others.map((name) => [sheet.column(name).map((word, row) => plain(word) === truth[row]).join(), name]));
    // Of two that each say where the other is right, the first holds answers.
    for (const column of systems.filter((name) => isVaried(name) && areMarks(marksOf(sheet, name))).reverse()) {
      const other = right.get(marksOf(sheet, column).map((mark) => ["1", "true"].includes(mark)).join());
      if (other) refuse("score", { file: sheet.file, column, other });
    }
  }

  /** Which columns of a long file name the trial, those in which all systems have the same, and what must be said. */
  function ofLong(sheet, system, candidates) {
    const kept = [];
    const isLast = (name) => Number(isLike("counter", name) || isLike("recorded", name));
    for (const name of [...candidates].sort((a, b) => isLast(a) - isLast(b) || size(sheet, b) - size(sheet, a))) {
      if (size(sheet, ...kept, name, system) === size(sheet, ...kept, name) * size(sheet, system)) kept.push(name);
    }
    if (!kept.length) return { trials: candidates, notes: [] }; // an answer is missing, which is named later
    const [trials, left] = [true, false].map((wanted) => candidates.filter((name) => kept.includes(name) === wanted));
    const notes = left.length ? [say("differ", { columns: listed(left), trials: listed(trials) })] : [];
    if (trials.length === 1 && isLike("counter", trials[0])) notes.push(say("by_number", { column: trials[0] }));
    return { trials, notes };
  }

  /** Answers that were rejected, and systems that only a second column, which is called so, tells apart. */
  function checkLong(sheet, { system, answer }, candidates) {
    const [file, all] = [sheet.file, sheet.rows.length];
    for (const column of candidates.filter((name) => isLike("status", name))) {
      const n = sheet.column(column).filter((word) => word.toLowerCase() === "rejected").length;
      if (n) refuse("rejected", { file, column, n: inFull(n), all: inFull(all) });
    }
    const isKind = (word) => isLike("human", word) || isLike("machine", word);
    for (const column of candidates.filter((name) => isLike("variant", name) || sheet.column(name).every(isKind))) {
      const found = ofLong(sheet, system, candidates.filter((name) => name !== column)).trials;
      const pictures = found.filter((name) => !isLike("counter", name));
      const trial = pictures.length ? pictures : found;
      const isTold = !namesRows(sheet, [system, ...trial]) && namesRows(sheet, [system, ...trial, column]);
      // Where pictures of the same name have several true classes, they are several pictures.
      const nTrials = size(sheet, ...trial);
      if (!isTold || nTrials !== size(sheet, ...trial, "truth") || nTrials <= size(sheet, column)) continue;
      const trials = candidates.filter((name) => name === column || trial.includes(name)).map((name) => ` --trials ${name}`);
      refuse("apart", { file, system, column, answer, trials: trials.join("") });
    }
  }

  const labelOf = (word) => (isWhole(word) ? Number(plain(word)) : word);

  /** A column that seems to say which answers are right, where truth and answer say otherwise in some rows. */
  function ofMarks(sheet, { truth, answer }, candidates) {
    const notes = [];
    const [trueOnes, said] = [truth, answer].map((name) => sheet.column(name).map(labelOf));
    for (const column of candidates.filter((name) => isLike("mark", name))) {
      const [marks, cells] = [marksOf(sheet, column), sheet.column(column)];
      const isOther = (mark, row) => areMarks([mark]) && ["1", "true"].includes(mark) !== (trueOnes[row] === said[row]);
      const rows = [...marks.keys()].filter((row) => isOther(marks[row], row));
      const areClasses = cells.every((word, row) => word === sheet.column(truth)[row]); // and it says what would be correct
      if (!rows.length || areClasses || !areMarks(marks.filter((mark) => !isMissing(mark)))) continue;
      const [word, given, wanted] = [column, answer, truth].map((name) => sheet.column(name)[rows[0]]);
      const counts = { n: inFull(rows.length), all: inFull(marks.length) };
      notes.push(say("mark", { at: at(sheet, rows[0], column), column, word, answer: given, true: wanted, ...counts }));
    }
    return notes;
  }

  // ---- forms -------------------------------------------------------------------------------------------------------

  /** The truth and every system, each with `name`, `column`, and `labels` and `places` by trial, whatever the form. */
  function recognise(sheet, declared = []) {
    const { file, header } = sheet;
    const has = (parts) => parts.every((name) => header.includes(name));
    if (has([...Object.values(MODEL_VS_HUMAN), "imagename"])) {
      const condition = header.includes("condition") ? { condition: sheet.column("condition") } : {};
      return gather(sheet, MODEL_VS_HUMAN, { ...condition, image: namesOfImages(sheet) }, []);
    }
    checkTruth(sheet);
    const people = header.filter((name) => isWho(name) && nDistinct(sheet.column(name)) > 1);
    const answers = header.filter(isCalled("answers"));
    if (has(["system"]) && !has(["answer"])) {
      const offer = answers.length ? ` (or say --answer ${answers[0]}, in Python columns={'answer': '${answers[0]}'})` : "";
      refuse("no_answers", { file, offer, header: inHeader(header) });
    }
    const isAlias = people.length && answers.length === 1 && !has(["system"]);
    if (isAlias && people.length > 1) refuse("which_system", { file, columns: listed(people), column: people[0], answer: answers[0] });
    if (!has(["system"]) && !isAlias) return wide(sheet, declared);
    const form = isAlias ? { system: people[0], truth: "truth", answer: answers[0] } : { system: "system", truth: "truth", answer: "answer" };
    const candidates = header.filter((name) => !Object.values(form).includes(name));
    if (!candidates.length) refuse("no_trials", { file, header: inHeader(header) });
    checkLong(sheet, form, candidates);
    const { trials, notes } = ofLong(sheet, form.system, candidates);
    notes.push(...ofMarks(sheet, form, candidates));
    return gather(sheet, form, levels(sheet, trials), [...(isAlias ? [say("people", form)] : []), ...notes]);
  }

  /** The columns that name trials, by their names. */
  function levels(sheet, parts) {
    const nameless = parts.length ? joined(sheet, parts).findIndex((name) => !name.replaceAll("\0", "")) : -1;
    if (nameless >= 0) refuse("no_name", { at: at(sheet, nameless, parts[0]), what: "a trial" });
    const [part] = [...parts].sort((a, b) => size(sheet, b) - size(sheet, a));
    const called = part === undefined ? [] : sheet.column(part);
    const [others, last] = [called.filter((name) => !isLike("sums", name)), called.at(-1)];
    const isSum = called.length && isLike("sums", last) && called.indexOf(last) === called.length - 1;
    if (isSum && others.length && !others.some((name) => /^\p{L}+$/u.test(name)))
      refuse("sum", { at: at(sheet, called.length - 1, part), word: last });
    return Object.fromEntries(parts.map((name) => [name, sheet.column(name)]));
  }

  /** Of the name of an image in the form of model-vs-human, what stands before the image itself is left out. */
  function namesOfImages(sheet) {
    const categories = sheet.column(MODEL_VS_HUMAN.truth);
    const before = (category) => new RegExp(`^\\d+_.+?_${category.replace(/\W/g, "\\$&")}_[^_]*_`);
    return sheet.column("imagename").map((name, row) => name.replace(before(categories[row]), ""));
  }

  /** Number the repetitions of trials, which differ in more than the answer; rows that do not are refused. */
  function once(sheet, parts, of, answer) {
    const keys = combined([...of, ...Object.values(parts)], sheet.rows.length);
    if (nDistinct(keys) === keys.length) return { parts, notes: [] };
    const beside = joined(sheet, sheet.header.filter((name) => name !== answer));
    const isAgain = (values) => values.findIndex((value, place) => values.indexOf(value) < place);
    const same = isAgain(beside);
    if (same >= 0 || !of.length) {
      const place = same >= 0 ? same : isAgain(keys);
      const trial = `'${keys[place].replaceAll("\0", ", ")}'`;
      refuse("again", { at: at(sheet, place), what: of.length ? "answer" : "trial", trial, row: sheet.rows[keys.indexOf(keys[place])] });
    }
    const times = new Map();
    const repetition = keys.map((key) => times.set(key, (times.get(key) ?? 0) + 1).get(key));
    return { parts: { ...parts, repetition }, notes: [say("repeated", {})] };
  }

  /** A row per trial: which columns name it and which are systems, they say themselves. */
  function wide(sheet, declared) {
    const { trials, systems, notes } = ofWide(sheet, declared);
    const take = (name) => ({ name, column: name, labels: sheet.column(name), places: [...sheet.rows.keys()] });
    const { parts } = once(sheet, levels(sheet, trials), trials.length ? [] : [[...sheet.rows.keys()]], undefined);
    return { truth: take("truth"), systems: systems.map(take), parts, trials: combined(Object.values(parts), sheet.rows.length), notes };
  }

  /** Long forms: bring the rows of each system into the order in which trials first occur. */
  function gather(sheet, form, given, notes) {
    const systemOf = sheet.column(form.system);
    const nameless = systemOf.findIndex((name) => !name || name === "truth");
    if (nameless >= 0) refuse("no_name", { at: at(sheet, nameless, form.system), what: "a system" });
    const { parts, notes: repeated } = once(sheet, given, [systemOf], form.answer);
    const trialOf = combined(Object.values(parts), systemOf.length);
    const first = new Map();
    const truths = sheet.column(form.truth);
    trialOf.forEach((trial, place) => {
      if (!first.has(trial)) first.set(trial, place);
      const before = first.get(trial);
      const [word, other] = [truths[place], truths[before]];
      if (word !== other) refuse("two_truths", { at: at(sheet, place, form.truth), word, row: sheet.rows[before], other, trial: `'${trial}'` });
    });
    const take = (name, column, places) => ({ name, column, places, labels: places.map((place) => sheet.column(column)[place]) });
    const systems = [...Map.groupBy(systemOf.keys(), (place) => systemOf[place])].map(([system, own]) => {
      const index = new Map(own.map((place) => [trialOf[place], place]));
      const lacking = [...first.keys()].find((trial) => !index.has(trial));
      if (lacking !== undefined)
        refuse("lacking", { at: at(sheet, own.at(-1), form.system), system, trial: `'${lacking.replaceAll("\0", ", ")}'`, named: "" });
      return take(system, form.answer, [...first.keys()].map((trial) => index.get(trial)));
    });
    const places = [...first.values()];
    const ofTrials = Object.fromEntries(Object.entries(parts).map(([name, cells]) => [name, places.map((place) => cells[place])]));
    const truth = take(form.truth, form.truth, places);
    return { truth, systems, parts: ofTrials, trials: [...first.keys()], notes: [...notes, ...repeated] };
  }

  // ---- classes -----------------------------------------------------------------------------------------------------

  /** What the reader says about the classes: nothing, how many there are, or their names. */
  function readDeclared(words) {
    const given = words.split(",").map(tidy).filter(Boolean);
    if (given.length === 1 && /^\d+$/.test(given[0])) return { count: Number(given[0]) };
    checkAlike(given, "the list of classes");
    return given.length ? { names: given } : {};
  }

  /** Words that differ in capitals, spaces, hyphens, underscores or the width of letters only are one class. */
  function checkAlike(words, file) {
    const known = new Map();
    for (const word of words) {
      const form = word.normalize("NFKC").replace(/[\s_.-]/g, "").toLowerCase();
      if (form && known.has(form)) refuse("alike", { file, word, other: known.get(form) });
      known.set(form, word);
    }
  }

  /** The classes, and the id of each label: names as declared, or those that occur; numbers are in their order. */
  function findClasses(sheet, { truth, systems }, declared) {
    const isClass = (word) => !isMissing(word) || declared.names?.includes(word);
    const columns = [truth, ...systems];
    const words = ordered(new Set(columns.flatMap(({ labels }) => labels.filter(isClass))));
    const where = (word, among = columns) => {
      const found = among.find(({ labels }) => labels.includes(word));
      return at(sheet, found.places[found.labels.indexOf(word)], found.column);
    };
    const known = (label) => declared.names?.includes(label);
    for (const what of ["formula", "fraction"]) {
      const word = columns.flatMap(({ labels }) => labels).find((label) => isLike(what, plain(label)) && !known(label));
      if (word !== undefined) refuse(what, { at: where(word), word });
    }
    const [only] = declared.names?.length === 1 ? declared.names : [""];
    if (only.includes(" ") && !words.includes(only)) refuse("commas", { words: only, offer: only.split(" ").join(",") });
    if (!declared.names && declared.count === undefined) checkAsTrue(sheet, truth, systems, where);
    checkAlike(words.filter((word) => !isWhole(word)), sheet.file);
    const strange = words.find((word) => declared.names && !known(word));
    if (strange !== undefined)
      throw wrong(`${where(strange)} holds '${strange}', which is no class; expected one of ${declared.names.join(", ")}`);
    if (declared.names) return { classes: declared.names, ids: new Map(declared.names.map((name, id) => [name, id])), notes: [] };
    if (words.length && words.every(isWhole)) return byNumber(words, where, declared.count);
    const n = declared.count ?? words.length;
    if (n < words.length) refuse("more_classes", { file: sheet.file, n: words.length, given: n, words: words.join(", ") });
    const classes = [...words, ...Array.from({ length: n - words.length }, (_, place) => `(unseen ${place + 1})`)];
    return { classes, ids: new Map(classes.map((name, id) => [name, id])), notes: [] };
  }

  /** Systems that say right or wrong, and words beside numbers, where the true classes do not. */
  function checkAsTrue({ file }, truth, systems, where) {
    const [ofTruth, said] = [[truth], systems].map((columns) => columns.flatMap(({ labels }) => labels.filter((word) => !isMissing(word))));
    const [marks, trueMarks] = [said, ofTruth].map((words) => words.map((word) => plain(word).toLowerCase()));
    if (nDistinct(marks) > 1 && areMarks(marks) && !areMarks(trueMarks)) refuse("right_or_wrong", { file, lacks: "" });
    const odd = said.find((word) => isWhole(word) !== isWhole(ofTruth[0]));
    if (odd !== undefined && nDistinct(ofTruth.map(isWhole)) === 1)
      refuse("mixed", { at: where(odd, systems), word: odd, true: ofTruth[0] });
  }

  function byNumber(words, where, count) {
    const numberOf = (word) => Number(plain(word));
    const numbers = [...new Set(words.map(numberOf))].sort((a, b) => a - b);
    const waysOf = (number) => ordered(new Set(words.filter((word) => numberOf(word) === number).map(plain)));
    const first = Number(numbers.includes(1) && !numbers.includes(0));
    const classes = count === undefined ? numbers : Array.from({ length: count }, (_, id) => id + first);
    const strange = words.find((word) => numberOf(word) < 0 || !classes.includes(numberOf(word)));
    if (strange !== undefined) throw wrong(`${where(strange)} holds ${strange}, which is no class; give whole numbers from ${first} up`);
    const several = numbers.filter((number) => waysOf(number).length > 1);
    const merged = several.map((number) => `${listed(waysOf(number))} as ${number}`);
    const ids = new Map(words.map((word) => [word, classes.indexOf(numberOf(word))]));
    return { classes: classes.map(String), ids, notes: merged.length ? [say("merged", { words: merged.join("; ") })] : [] };
  }

  // ---- all of a file -----------------------------------------------------------------------------------------------

  function onMissing(systems, ids) {
    const times = timesOf(systems.flatMap(({ labels }) => labels.filter((word) => !ids.has(word))));
    const words = ordered(times.keys()).map((word) => [word, times.get(word)]).sort(([, one], [, other]) => other - one);
    return words.some(([word]) => word) ? [say("missing", { words: counted(words) })] : [];
  }

  /**
   * Read the text of a file; `words` are about classes: nothing, how many there are, or their names with commas between.
   * Returns class ids (-1: no answer), and `notes` on what was found out.
   */
  function readAnswers(text, words = "", file = "the file") {
    const { sheet, left } = withoutOptions(readCells(text, file));
    const given = readDeclared(words);
    const found = recognise(sheet, given.names);
    const { truth, systems, notes } = found;
    if (systems.length < 2) throw wrong(`${file} has ${systems.length ? `one system, '${systems[0].name}'` : "no system"}; a pair needs two`);
    const declared = Object.keys(given).length > 0;
    const { classes, ids, notes: merged } = findClasses(sheet, found, given);
    const nameless = truth.labels.findIndex((label) => !ids.has(label));
    if (nameless >= 0) {
      const word = truth.labels[nameless];
      refuse("no_class", { at: at(sheet, truth.places[nameless], truth.column), read: word && say("read", { word }) });
    }
    const [trueIds, ...answers] = [truth, ...systems].map(({ labels }) => labels.map((label) => ids.get(label) ?? -1));
    const isTrue = new Set(trueIds);
    systems.forEach(({ name }, place) => {
      const said = answers[place].filter((id) => id >= 0);
      if (!declared && isTrue.size > 1 && said.length && !said.some((id) => isTrue.has(id)))
        refuse("never", { file, system: name, true: classes[trueIds[0]], word: classes[said[0]] });
    });
    const trials = { truth: trueIds, answers, systems: systems.map(({ name }) => name), classes, nClasses: classes.length, declared };
    const onClasses = declared ? [] : ofClasses(file, trials);
    const all = [left, notes, ofTrials(found.parts, trueIds.length), onClasses, merged, onMissing(systems, ids), ofAnswers(file, trials)];
    return { ...trials, truth: Int32Array.from(trueIds), answers: answers.map((own) => Int32Array.from(own)), notes: all.flat() };
  }

  return { readCells, recognise, readAnswers };
}
