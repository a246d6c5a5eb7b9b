/** The text of a file in UTF-8 or UTF-16, compressed or not; what holds no text is an error that says what to do. */
async function ownText(file) {
  const TABLE = "dtype=str, keep_default_na=False"; // as text: the classes NA and 001 stay what they are
  const PANDAS = { xlsx: `read_excel('NAME.xlsx', ${TABLE})`, parquet: "read_parquet('NAME.parquet').convert_dtypes()" };
  // How files begin, what they also hold, and what they are.
  const OTHERS = [
    ["PK", "[Content_Types].xml", "a workbook of Excel", "xlsx"],
    ["PK", ".npy", "arrays of NumPy"],
    ["PK", "", "a zip archive; unpack it"],
    ["PAR1", "", "Parquet", "parquet"],
    ["\xd0\xcf\x11\xe0", "", "an old workbook of Excel"],
    ["\x80", "", "a pickle"],
    ["\x93NUMPY", "", "an array of NumPy, without names"],
    ["BZh", "", "compressed with bzip2; unpack it"],
    ["\xfd7zXZ", "", "compressed with xz; unpack it"],
    ["<", "", "a page of the web, or XML"],
  ];
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = String.fromCharCode(...bytes.slice(0, 4096), ...bytes.slice(-4096)); // an archive's last bytes list what it holds
  const [, , what, kind] = OTHERS.find(([begins, holds]) => start.startsWith(begins) && start.includes(holds)) ?? [];
  if (kind) {
    const name = file.name.replace(/\.\w+$/, "");
    const first = /^[\w.-]+$/.test(name) ? "" : `call it answers.${kind}, then `;
    const command = `python -c "import pandas; pandas.${PANDAS[kind]}.to_csv('NAME.csv', index=False)"`;
    throw new Error(`this is ${what}; ${first}make a CSV file of it:  ${command.replaceAll("NAME", first ? "answers" : name)}`);
  }
  if (what) throw new Error(`this is ${what}; expected CSV, TSV or JSON with one object a line`);
  if (start.startsWith("\x1f\x8b")) {
    const unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
    const blob = await unpacked.blob().catch(() => {
      throw new Error("it is compressed, and damaged or cut short; compress it again");
    });
    return ownText(new File([blob], file.name));
  }
  const coded = start.startsWith("\xff\xfe") ? "utf-16le" : start.startsWith("\xfe\xff") ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(coded, { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not text in UTF-8, nor in UTF-16 with its mark; save it as CSV in UTF-8");
  }
}
