/**
 * What is looked for in files and said of them comes as data from `erralign/datasets/own/sentences.toml` and
 * `newer.toml` (`ownWords`, written by own_data.py), so that the command and this page say the same.
 *
 * All here is pure, and needs what it is given alone: a worker is made from its text (see work.js).
 */
function ownWording({ names, patterns, limits, sentences }) {
  const likes = Object.fromEntries(Object.entries(patterns).map(([key, form]) => [key, new RegExp(`^(?:${form})$`, "i")]));
  const isLike = (pattern, word) => likes[pattern].test(word);
  const isCalled = (list) => (column) => names[list].includes(column.toLowerCase());
  const inFull = (number) => number.toLocaleString("en");
  const listed = (words) => words.map((word) => `'${word}'`).join(", ");
  const counted = (words) => words.map(([word, n]) => `${word ? `'${word}'` : "an empty cell"} (${inFull(n)})`).join(", ");
  const nDistinct = (values) => new Set(values).size;
  const timesOf = (words) => words.reduce((times, word) => times.set(word, (times.get(word) ?? 0) + 1), new Map());
  const ordered = (words) => [...words].sort();
  const invisible = /[\uFEFF\u200B\u200E\u200F\u2060]/g; // byte-order mark, zero width, directions
  const tidy = (word) => word.normalize("NFC").replace(invisible, "").trim().replace(/\s+/g, " ");
  const isMissing = (word) => names.no_answer.includes(word.toLowerCase());
  /** A class without what a column of decimals adds: 3.0, or 3,0, is 3. */
  const plain = (word) => word.replace(/^(-?\d+)[.,]0+$/, "$1");
  const isWhole = (word) => isLike("whole", plain(word));

  const say = (key, fields) => sentences[key].replace(/\{(\w+)\}/g, (name, field) => fields[field] ?? name);

  /** An error that the reader of the page can mend, unlike a fault of ours. */
  const wrong = (words) => Object.assign(new Error(words), { isForReader: true });
  const refuse = (key, fields) => {
    throw wrong(say(key, fields));
  };
  const at = ({ file, rows }, place, column) => `${file}, row ${rows[place]}${column === undefined ? "" : `, column '${column}'`}`;

  /** A word as a shell takes it whole, as shlex.quote() of Python writes it. */
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
  const inHeader = (header) => header.slice(0, limits.names).join(", ") + (header.length > limits.names ? " …" : "");

  const found = { names, limits, isLike, isCalled, isMissing, isWhole, plain, tidy, at, say, wrong, refuse, quoted, inHeader };
  return { ...found, inFull, listed, counted, nDistinct, timesOf, ordered };
}

/** A function that reads a table in a file as text, with the number of each row. */
function ownCells({ tidy, wrong, refuse }) {
  /** Cut text into rows of cells; quotes protect separators, ends of lines and, doubled, themselves. */
  function cut(text, file) {
    // In a line of its own, Excel says what stands between cells.
    const blank = /^([^\S\n]*(sep=[^\n]*)?\n)*/i.exec(text)[0];
    const [head] = text.slice(blank.length).split("\n", 1);
    const mark = [",", ";", "\t"].reduce((a, b) => (head.split(b).length > head.split(a).length ? b : a));
    const cell = new RegExp(` *("(?:[^"]|"")*"|(?!")[^${mark}\\r\\n]*)(${mark}|\\r\\n|\\n|\\r|$)`, "y");
    const rows = [];
    let row = { number: blank.split("\n").length, cells: [] };
    if (/^#[^,;\t]/.test(head)) refuse("comment", { file, row: row.number });
    cell.lastIndex = blank.length;
    while (cell.lastIndex < text.length || row.cells.length) {
      const found = cell.exec(text);
      if (!found) refuse("quotes", { file, row: row.number });
      const words = found[1].trim();
      row.number += words.split("\n").length - 1;
      row.cells.push(tidy(words.startsWith('"') ? words.slice(1, -1).replaceAll('""', '"') : words));
      if (found[2] === mark) continue;
      rows.push(row);
      row = { number: row.number + 1, cells: [] };
    }
    return rows.filter(({ cells }) => cells.some(Boolean));
  }

  /** The same of a list of objects, or of one object per line. */
  function cutObjects(text, file) {
    const word = (value) => (value === true ? "True" : value === false ? "False" : tidy(String(value ?? "")));
    try {
      const lines = text.split("\n").filter((line) => line.trim());
      const found = /^\s*\[/.test(text) ? JSON.parse(text) : lines.map((line) => JSON.parse(line));
      const header = [...new Set(found.flatMap(Object.keys))];
      if (found.some((each) => Object.values(each).some((value) => value !== null && typeof value === "object"))) throw 0;
      return [header, ...found.map((each) => header.map((name) => word(each[name])))].map((cells, number) => ({ number, cells }));
    } catch {
      return refuse("json", { file, name: file, to: `${file.replace(/\.\w+$/, "")}-as-text.csv` });
    }
  }

  /** The header and the rows below it, each with its number in the file. */
  function readCells(given, file) {
    const broken = given.indexOf("\uFFFD"); // where decoding failed
    if (broken >= 0)
      throw wrong(`${file}, row ${given.slice(0, broken).split("\n").length} is not text in UTF-8; save the file as CSV in UTF-8`);
    const text = given.replace(/^\uFEFF/, "");
    const [head, ...body] = (/^\s*[{[]/.test(text) ? cutObjects : cut)(text, file);
    if (!body.length) refuse("empty", { file });
    const width = head.cells.length;
    for (const { number, cells } of body) {
      if (cells.length !== width)
        refuse(cells[0].startsWith("#") ? "comment" : "width", { file, row: number, n: cells.length, width });
    }
    const header = head.cells.filter((name, place) => name || body.some(({ cells }) => cells[place]));
    const twice = header.find((name, place) => name && header.indexOf(name) < place);
    if (twice) refuse("twice", { file, column: twice });
    const nameless = header.indexOf("", 1);
    if (nameless > 0) refuse("nameless", { file, place: nameless + 1 });
    const again = body.find(({ cells }) => cells.join("\0") === head.cells.join("\0"));
    if (again) refuse("header_again", { file, row: again.number });
    const columns = new Map(header.map((name) => [name, body.map(({ cells }) => cells[head.cells.indexOf(name)])]));
    return { file, header, rows: body.map(({ number }) => number), column: (name) => columns.get(name) };
  }

  return readCells;
}

/**
 * The text of a file, however it was saved: UTF-8 or UTF-16, compressed or not. What holds no text is an error that says
 * how to make a CSV file of it.
 */
async function ownText(file, name = file.name) {
  const { say } = ownWording(ownWords);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = String.fromCharCode(...bytes.slice(0, 4096), ...bytes.slice(-4096)); // an archive's last bytes list what it holds
  const other = ownWords.others.find(([begins, holds]) => start.startsWith(begins) && start.includes(holds));
  if (other) {
    const command = other[3].replaceAll("{name}", name).replaceAll("{to}", `${name.replace(/\.\w+$/, "")}-as-text.csv`);
    const first = /[\s'"$`]/.test(name) ? say("first", {}) : "";
    const what = other[2].replace(/needs (\w+)$/, "needs $1 (pip install $1)");
    throw new Error(say(other[0].endsWith("NUMPY") ? "array" : "other", { file: name, what, command, first }));
  }
  if (start.startsWith("\x1f\x8b")) {
    const unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
    try {
      return await ownText(await unpacked.blob(), name);
    } catch {
      throw new Error(`${name} is compressed, and damaged or cut short; compress it again`);
    }
  }
  if (/^(\0|[^]\0|[^]{2}\0\0)/.test(start)) throw new Error(say("no_text", { file: name })); // UTF-16 without its mark, or UTF-32
  const coded = start.startsWith("\xff\xfe") ? "utf-16le" : start.startsWith("\xfe\xff") ? "utf-16be" : "utf-8";
  return new TextDecoder(coded).decode(bytes);
}
