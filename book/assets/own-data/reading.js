/**
 * A table of answers, read as `erralign.read_answers` reads it: its columns are named, nothing is guessed.
 * tests/files_of_answers.py has files, and what both make of them. Pure: a worker is made from the text of this (work.js).
 *
 * @param {string[]} noAnswer Words in small letters that mean no answer, unless a class is called so.
 */
function ownReading(noAnswer) {
  const [NO_ANSWER, NOT_SHOWN] = [-1, -2]; // in the place of a class
  const INVISIBLE = /[\uFEFF\u200B-\u200F\u2060\u00AD]/g; // byte-order mark, zero width, directions, soft hyphen
  const [FEW_LABELS, MANY] = [3, 20]; // of a row, or systems; trials: two systems do not say the same on none by chance
  const MARKS = ["0", "1", "false", "true"]; // of right and wrong
  const NO_HEADER = "row 1 is a trial: the header is missing; write one, such as image,truth,net";
  const SEPARATORS = [",", ";", "\t"];

  const BLANKS = /[\s\u0085\u001C-\u001F]+/g; // what Python takes for blanks
  const JSON_NUMBERS = /"(?:[^"\\]|\\.)*"|NaN|-?Infinity|-?\d[\d.eE+-]*/g; // and texts, so that none is taken out of a text
  const tidy = (word) => word.normalize("NFC").replace(INVISIBLE, "").replace(BLANKS, " ").trim();
  const small = (word) => word.toUpperCase().toLowerCase(); // ß is ss
  // What stands in the place of a true class where a row is no trial.
  const NO_CLASSES = ("class classes label labels category unit units total sum mean average n sd string text word file name note notes " +
    "comment end").split(" ");
  const listed = (words) => words.map((word) => `'${word}'`).join(", ");

  /** Refuse a file; of columns that are no systems unless the reader says so, the names. */
  function refuse(message, doubtful = []) {
    throw Object.assign(new Error(message), { isForReader: true, doubtful });
  }

  /** What there is in the place of a word that is not among them; that only capitals differ, if they do. */
  function nearest(word, words) {
    const same = words.filter((other) => small(other) === small(word));
    return same.length ? `${listed(same)} differs from it only in capitals` : `expected one of ${words.slice(0, 20).join(", ")}`;
  }

  function checkSaid(word, said, where) {
    if (!said.includes(word)) refuse(`${where}: no cell says '${word}'; ${nearest(word, said)}`);
  }

  // ---- from text to rows ---------------------------------------------------------------------------------------------

  /** Cut text into rows of cells, as many as are asked for; quotes protect separators, ends of lines and quotes. */
  function cut(text, mark, most = Infinity) {
    const cell = new RegExp(` *("(?:[^"]|"")*"|(?!")[^\\${mark}\\r\\n]*)(\\${mark}|\\r\\n|\\n|\\r|$)`, "y");
    const rows = [];
    let [number, cells] = [1, []];
    while ((cell.lastIndex < text.length || cells.length) && rows.length < most) {
      const match = cell.exec(text);
      if (!match) refuse(`row ${number}: a quotation mark is not closed, or stands within a cell`);
      const words = match[1].trim();
      cells.push(tidy(words.startsWith('"') ? words.slice(1, -1).replaceAll('""', '"') : words));
      if (match[2] === mark) continue;
      if (cells.some(Boolean)) rows.push({ number, cells });
      number += words.split("\n").length;
      cells = [];
    }
    return rows;
  }

  /** The separator that the header has outside quotes, and that the row below it fits. */
  function separator(text) {
    const fits = (mark) => {
      const [head, row] = cut(text, mark, 2);
      return head?.cells.length > 1 && (!row || row.cells.length === head.cells.length);
    };
    const [head] = text.replace(/"(?:[^"]|"")*"/g, "").trimStart().split(/\r?\n/, 1);
    const marks = SEPARATORS.filter((mark) => head.includes(mark));
    return marks.find(fits) ?? marks[0] ?? ",";
  }

  /** Rows of objects, one a line or in a list; what is no text is written as JSON. */
  function cutObjects(text) {
    // A number is kept as it is written: of large ones JavaScript knows the first 16 digits only.
    const asText = (number) => (/^[^"]*[.eE]/.test(number) && Number.isInteger(Number(number)) ? `${Number(number)}.0` : number);
    const parse = (json) => JSON.parse(json.replace(JSON_NUMBERS, (part) => (part.startsWith('"') ? part : `"${asText(part)}"`)));
    const word = (value) => tidy(typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value));
    try {
      const objects = text.startsWith("[") ? parse(text) : text.split("\n").filter((line) => line.trim()).map(parse);
      const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
      const rows = objects.map((object, place) => ({ number: place + 1, cells: header.map((name) => word(object[name])) }));
      return [{ number: 0, cells: header.map(tidy) }, ...rows];
    } catch {
      return refuse("it is JSON, but not one object a line, with a word or number for each column");
    }
  }

  function cutTable(text) {
    const [line, own] = /^sep=([^\w\n])\r?\n/i.exec(text) ?? [""];
    return cut(text.slice(line.length), own ?? separator(text));
  }

  /** The header, the number of each row below it, and the cells of each column. */
  function table(text) {
    const [head, ...rows] = /^\s*[{[]/.test(text) ? cutObjects(text.trim()) : cutTable(text);
    if (!rows.length) refuse("it holds no trials; expected a header and rows below it");
    const width = head.cells.length;
    for (const { number, cells } of rows) {
      if (cells.length !== width) refuse(`row ${number} has ${cells.length} cells, the header (${head.cells.join(", ")}) has ${width}`);
      if (cells.every((word, place) => small(word) === small(head.cells[place]))) refuse(`row ${number} is the header again; leave it out`);
    }
    const nameless = head.cells.findIndex((name, place) => place && !name && rows.some(({ cells }) => cells[place]));
    if (nameless > 0) refuse(`the header has no name for column ${nameless + 1}; if the header is row 2, leave out row 1`);
    const places = [...head.cells.keys()].filter((place) => head.cells[place]);
    const header = places.map((place) => head.cells[place]);
    const twice = header.find((name, place) => header.indexOf(name) < place);
    if (twice) refuse(`the header has '${twice}' twice; give each column a name of its own`);
    const columns = new Map(places.map((place, at) => [header[at], rows.map(({ cells }) => cells[place])]));
    return { header, numbers: rows.map(({ number }) => number), column: (name) => columns.get(name) };
  }

  /** The rows of which all comparisons hold, such as `task == response and block != '0'`, word for word. */
  function choose(sheet, where = "") {
    const TERM = `'[^']*'|"[^"]*"|[^'"]+?`;
    const comparison = new RegExp(`\\s*(${TERM})\\s*(==|!=)\\s*(${TERM})\\s*(?:\\sand\\s+|$)`, "y");
    const word = (term) => tidy(term.replace(/^(['"])(.*)\1$/, "$2"));
    let rows = [...sheet.numbers.keys()];
    while (comparison.lastIndex < where.length) {
      const match = comparison.exec(where);
      if (!match) refuse(`it was asked for rows where  ${where} ; expected such as  column == word and other != 'two words'`);
      const [name, wanted] = [word(match[1]), word(match[3])];
      const cells = sheet.column(name);
      if (!cells) refuse(`no column '${name}' to choose rows by; the header is ${sheet.header.join(", ")}`);
      if (wanted) checkSaid(wanted, [...new Set(cells)], `Rows, column '${name}', whose comparisons are joined by "and"`);
      rows = rows.filter((row) => (cells[row] === wanted) === (match[2] === "=="));
    }
    if (!rows.length) refuse(`no row of which  ${where}  holds; words are compared exactly`);
    const taken = (cells) => rows.map((row) => cells[row]);
    return { header: sheet.header, numbers: taken(sheet.numbers), column: (name) => taken(sheet.column(name)) };
  }

  // ---- which column is what ------------------------------------------------------------------------------------------

  /** The columns that the reader named; in the place of the others, those that have the usual names. */
  function columnsOf({ header }, { trial, truth = "truth", system, answer }) {
    const has = (name) => header.includes(name);
    const isLong = answer ?? (has("answer") && (!system || (!system.includes("answer") && system.length === 1)));
    const parts = isLong ? ["image"] : ["condition", "image"];
    const usual = has("image") ? header.filter((name) => parts.includes(name)) : ["trial"].filter(has);
    const trials = trial ?? usual;
    if (isLong) return { trial: trials, truth, system: system ?? ["system"], answer: answer || "answer" };
    const last = Math.max(...[...trials, truth].map((name) => header.indexOf(name)));
    return { trial: trials, truth, system: system ?? header.slice(last + 1), answer: "" };
  }

  function checkColumns({ header, column }, { trial, truth, system, answer }, named) {
    const all = `the header is ${header.join(", ")}`;
    if (!named.trial && !trial.length && header.some((name) => column(name).includes(name))) refuse(NO_HEADER);
    if (!trial.length) refuse(`no column 'image' or 'trial'; choose under Trial what names the trials: ${all}`);
    const menus = { Trial: trial, "True class": [truth], Systems: system, Answer: answer ? [answer] : [] };
    for (const [menu, names] of Object.entries(menus)) {
      const lacking = names.filter((name) => !header.includes(name));
      const hint = lacking.length ? nearest(lacking[0], header) : "";
      if (lacking.length) refuse(`no column ${listed(lacking)}; choose another under ${menu}: ${hint.startsWith("expected") ? all : hint}`);
    }
    if (answer && system.length !== 1) refuse("in a table with a row per answer, one column names the systems; tick one under Systems");
    if (!answer && !named.system && header.includes("system")) refuse(`a column 'system', but none 'answer'; choose under Answer: ${all}`);
    if (system.length) return;
    const before = header.filter((name) => ![...trial, truth].includes(name));
    if (named.system || !before.length) refuse(`no system; tick one or more under Systems: ${all}`);
    refuse(`no system right of the truth; ${listed(before)} stand before it: tick under Systems those that hold answers`);
  }

  // ---- rows of each system -------------------------------------------------------------------------------------------

  /** The trials, and the words of each system, by trial; undefined where it has no row. */
  function gather(sheet, { trial, truth, system, answer }, isPartial) {
    const { numbers, column } = sheet;
    const [parts, truths] = [trial.map(column), column(truth)];
    const places = new Map(); // of trials by their names
    const rows = numbers.map((number, row) => {
      const name = parts.map((cells) => cells[row]).join(", ");
      if (!parts.some((cells) => cells[row])) refuse(`row ${number}, column '${trial[0]}' is empty; each row needs the name of its trial`);
      if (!places.has(name)) places.set(name, { place: places.size, row });
      const { place, row: first } = places.get(name);
      if (!answer && first !== row) refuse(`row ${number} is about trial '${name}' again, after row ${numbers[first]}; give each once`);
      if (truths[first] !== truths[row])
        refuse(`row ${number} says that trial '${name}' shows '${truths[row]}', and row ${numbers[first]} '${truths[first]}'`);
      return { name, place };
    });
    const firsts = [...places.values()].map(({ row }) => row);
    const trials = { names: trial.map((_, at) => firsts.map((row) => parts[at][row])), truths: firsts.map((row) => truths[row]), firsts };
    if (!answer) return { ...trials, systems: system.map((name) => ({ name, words: column(name) })) };

    const systems = new Map();
    column(system[0]).forEach((name, row) => {
      if (!name) refuse(`row ${numbers[row]}, column '${system[0]}' is empty; each row needs the name of a system`);
      if (!systems.has(name)) systems.set(name, { name, words: new Array(places.size).fill(undefined), rows: [] });
      const own = systems.get(name);
      const { place, name: ofTrial } = rows[row];
      if (own.words[place] !== undefined)
        refuse(`row ${numbers[row]}: '${name}' answers trial '${ofTrial}' again, after row ${numbers[own.rows[place]]}`);
      own.words[place] = column(answer)[row];
      own.rows[place] = row;
    });
    for (const { name, words } of systems.values()) {
      const place = words.indexOf(undefined);
      if (place >= 0 && !isPartial)
        refuse(
          `'${name}' has no row for trial '${[...places.keys()][place]}'. If it saw this and gave no answer, write a row with an empty ` +
            "answer; if it was not shown, tick: rows that are absent were not shown",
        );
    }
    return { ...trials, systems: [...systems.values()] };
  }

  // ---- classes -------------------------------------------------------------------------------------------------------

  /** What words have in common that only capitals, zeros, blanks, hyphens and underscores tell apart. */
  function likeness(word) {
    const form = small(word.normalize("NFKC"));
    const number = /^(-?)0*(\d+?)([.,](0{1,2}|0{4,}))?$/.exec(form); // 1,000 may be a thousand, and 1.000 too
    return number ? number[1] + number[2] : form.replace(/[\s_-]/g, "") || form;
  }

  /** The classes that were named, or all that occur, which must not look alike. */
  function classesOf(words, classes, areNamed) {
    if (areNamed) {
      const strange = words.find((word) => !classes.includes(word));
      if (strange !== undefined) refuse(`'${strange}' is no class; expected one of ${classes.join(", ")}`);
      return classes;
    }
    const alike = new Map();
    for (const word of words) {
      const other = alike.get(likeness(word));
      if (other !== undefined) refuse(`'${other}' and '${word}' look alike; write one class in one way, or name all classes`);
      alike.set(likeness(word), word);
    }
    const n = classes.length ? Number(classes[0]) : words.length;
    if (n < words.length) refuse(`it holds ${words.length} classes, more than ${n}: ${words.join(", ")}`);
    return [...words, ...Array.from({ length: n - words.length }, (_, place) => `(unseen ${place + 1})`)];
  }

  /** Refuse several labels in one cell, and rows that are no trials: a total, a unit, another header. */
  function checkTrials(words, truths, numbers, header) {
    for (const word of words) {
      if (!/^[[{(]/.test(word)) continue;
      let parsed = "";
      try {
        parsed = JSON.parse(word.replace(/^\(/, "[").replace(/\)$/, "]").replaceAll("'", '"'));
      } catch {}
      if (typeof parsed === "object") refuse(`a cell holds ${word}; expected one class, and no list of them`);
    }
    const counts = new Map();
    for (const word of truths) counts.set(word, (counts.get(word) ?? 0) + 1);
    const isNumber = (word) => /^-?\d+([.,]\d+)?$/.test(word);
    const nWords = [...counts.keys()].filter((word) => !isNumber(word)).length;
    if (Math.max(...counts.values()) === 1) return;
    for (const [word, count] of counts) {
      const isOther = [...header.map(small), ...NO_CLASSES].includes(small(word)) || (isNumber(word) && nWords === counts.size - 1 && nWords > 1);
      if (count === 1 && isOther)
        refuse(
          `row ${numbers[truths.indexOf(word)]} holds '${word}' as true class, once: if it is no trial but a total, a unit or another header, ` +
            "leave it out; if it is one, name all classes",
        );
    }
  }

  /** Refuse a first or last row of which no word is in another row, if all others share theirs: a total, a remark. */
  function checkEnds(rows, numbers) {
    if (rows[0].length < FEW_LABELS) return;
    const counts = new Map();
    for (const word of rows.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
    const alone = [...rows.keys()].filter((row) => rows[row].every((word) => counts.get(word) === 1));
    if (alone.length === 1 && [0, rows.length - 1].includes(alone[0]))
      refuse(
        `row ${numbers[alone[0]]}: no other row has one of its words (${rows[alone[0]].join(", ")}): if it is no trial but a total, a unit ` +
          "or a remark, leave it out; if it is one, name all classes",
      );
  }

  /** Refuse columns that are one system's: its scores of each class, or its first, second and third choices. */
  function checkOneSystem(systems, truths) {
    const trueWords = new Set(truths);
    const ofClasses = systems.filter(({ name }) => [name, ...name.split(/[^\p{L}\p{N}]+|_/u)].some((part) => trueWords.has(part)));
    const isScore = (word) => /^-?\d+([.,]\d+)?([eE][+-]?\d+)?$/.test(word);
    if (ofClasses.length > 1 && ofClasses.every(({ words }) => words.every(isScore)))
      refuse(`${listed(ofClasses.map(({ name }) => name))} hold a score per class, and no answers; write the class with the largest as the answer`);
    const differ = (row) => new Set(systems.map(({ words }) => words[row])).size === systems.length;
    if (systems.length >= FEW_LABELS && truths.length >= MANY && truths.every((_, row) => differ(row)))
      refuse(
        `${listed(systems.map(({ name }) => name))} never say the same on any trial, as a system's first, second and third choices; tick the ` +
          "first under Systems, or all if each is a system",
      );
  }

  /** Whole numbers as which 0.0 beside 0 is read: pandas writes a column with a gap so. */
  function withoutDecimals(words) {
    const decimals = words.filter((word) => word.endsWith(".0"));
    const areNumbers = words.every((word) => /^-?\d+(\.0)?$/.test(word));
    return areNumbers && decimals.length && decimals.length < words.length ? (word) => word.replace(/\.0$/, "") : (word) => word;
  }

  /** The classes of words that are numbers, if the classes have names and all words are numbers. */
  function byNumber(words, classes) {
    const isNumber = (word) => /^\d+$/.test(word);
    if (classes.some(isNumber) || !words.every(isNumber)) return {};
    return Object.fromEntries(words.filter((word) => Number(word) < classes.length).map((word) => [word, classes[Number(word)]]));
  }

  /** Refuse columns that hold no answers: marks of right and wrong, unless the reader named the systems, and other words. */
  function checkSystems(systems, truths, isNamed) {
    const answers = systems.filter(({ classes }) => classes.length);
    const areMarks = ({ classes }) => classes.every((word) => MARKS.includes(word.toLowerCase()));
    const marks = isNamed ? [] : answers.filter(areMarks).map(({ name }) => name);
    if (marks.length)
      refuse(
        `${listed(marks)}: nothing but 0 and 1, or true and false, as if it said which answers are right; tick under Systems the ` +
          "columns that hold answers, and press Compare",
        marks,
      );
    const strange = truths.size > 1 ? answers.find(({ classes }) => !classes.some((word) => truths.has(word))) : undefined;
    if (strange) {
      const { name, classes } = strange;
      refuse(`'${name}' never answers with a true class, but says '${classes[0]}'; untick it under Systems, or name all classes`, [name]);
    }
  }

  /**
   * Read a table; of what the reader did not say, `columns` lacks the name.
   * Returns class ids, -1 for no answer, -2 where a system was not shown a trial.
   */
  function readAnswers(file, named) {
    const sheet = choose(file, named.where);
    const typed = (words = []) => words.map(tidy);
    const ofColumns = Object.fromEntries(
      ["trial", "truth", "system", "answer"].filter((what) => named[what] !== undefined).map((what) => [what, [named[what]].flat().map(tidy)]),
    );
    for (const what of ["truth", "answer"]) if (what in ofColumns) [ofColumns[what]] = ofColumns[what];
    const columns = columnsOf(sheet, ofColumns);
    checkColumns(sheet, columns, ofColumns);
    const [missing, notShown, person, declared] = [named.missing, named.notShown, named.person, named.classes].map(typed);
    const { truths: trueCells, firsts, names, systems } = gather(sheet, columns, named.absentNotShown);
    const areNamed = declared.length > 1 || (declared.length === 1 && !/^\d+$/.test(declared[0]));
    const cells = [...new Set(systems.flatMap(({ words }) => words))].filter((word) => word !== undefined);
    for (const [menu, special] of Object.entries({ "No answer": missing, "Not shown": notShown }))
      for (const word of special) {
        if (areNamed && declared.includes(word)) refuse(`${menu}: '${word}' is one of the classes; leave it out of one of the two`);
        if (menu === "Not shown" && small(word) === "absent" && !cells.includes(word))
          refuse("no cell says 'absent'; if rows that are not there were not shown, tick: rows that are absent were not shown");
        checkSaid(word, cells, menu);
      }
    const inSmall = (some) => new Set([...some].map(small));
    const areClasses = inSmall(areNamed ? declared : trueCells);
    const always = ["", "-1", "-1.0"].filter((word) => !areNamed || !declared.includes(word));
    const isMissing = (word) => always.includes(word) || missing.includes(word) || (noAnswer.includes(small(word)) && !areClasses.has(small(word)));
    const isShown = (word) => word !== undefined && !notShown.includes(word);
    const isAnswer = (word) => isShown(word) && !isMissing(word);
    const nameless = trueCells.findIndex(isMissing);
    if (nameless >= 0) refuse(`row ${sheet.numbers[firsts[nameless]]}, column '${columns.truth}' holds no class; each trial needs its true class`);
    const written = [...new Set([...trueCells, ...cells.filter(isAnswer)])];
    if (!areNamed && new Set(trueCells).size < trueCells.length)
      checkEnds(trueCells.map((word, row) => [word, ...(columns.answer ? [] : systems.map(({ words }) => words[row]))]), firsts.map((row) => sheet.numbers[row]));
    if (!areNamed && !columns.answer && !named.system) checkOneSystem(systems, trueCells);
    if (!areNamed) checkTrials(written, trueCells, firsts.map((row) => sheet.numbers[row]), sheet.header);
    const numbered = areNamed ? { ...byNumber(trueCells, declared), ...byNumber(cells.filter(isAnswer), declared) } : {};
    const asClassOf = areNamed ? (word) => numbered[word] ?? word : withoutDecimals(written);
    const truths = trueCells.map(asClassOf);
    const trueWords = new Set(truths);
    const said = systems.map(({ name, words }) => ({ name, classes: [...new Set(words)].filter(isAnswer).map(asClassOf) }));
    const words = [...new Set(written.map(asClassOf))].sort();
    const asClass = areNamed || columns.answer ? undefined : columns.system.find((name) => trueWords.has(name));
    if (asClass !== undefined)
      refuse(`'${asClass}' is called as a class is: if row 1 is a trial, the header is missing; if not, name all classes`);
    if (!areNamed) checkSystems(said, trueWords, named.system || columns.answer);
    const unknown = person.filter((name) => !systems.some((system) => system.name === name));
    if (unknown.length) refuse(`no system is called ${listed(unknown)}; ${nearest(unknown[0], systems.map(({ name }) => name))}`);
    const classes = classesOf(words, declared, areNamed);
    const ids = new Map(classes.map((word, id) => [word, id]));
    const idOf = (word) => (!isShown(word) ? NOT_SHOWN : isMissing(word) ? NO_ANSWER : ids.get(asClassOf(word)));
    const used = [...columns.trial, columns.truth, ...columns.system, columns.answer];
    return {
      columns,
      nRows: file.numbers.length,
      nChosen: sheet.numbers.length,
      leftOut: sheet.header.filter((name) => !used.includes(name)),
      parts: Object.fromEntries(columns.trial.map((name, at) => [name, names[at]])),
      truth: Int32Array.from(truths, (word) => ids.get(word)),
      systems: systems.map(({ name }) => name),
      people: person,
      numbered: Object.entries(numbered).map(([word, name]) => `${word} = ${name}`),
      neverTrue: words.filter((word) => !trueWords.has(word)),
      answers: systems.map(({ words }) => Int32Array.from(words, idOf)),
      classes,
    };
  }

  return { table, columnsOf, readAnswers, NOT_SHOWN };
}
