// What the search shows first, and under which name. Sphinx's own searchtools.js does the finding.
(() => {
  if (typeof Search === "undefined") return;

  // A page from disk may not read other pages.
  if (!location.protocol.startsWith("http")) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

  const LESS = { bibliography: 50, errata: 12, reproduction: 12, benchmarks: 12, functions: 8, index: 8 };
  const TERM = "#term-";
  const isTerm = ([page, , anchor]) => page === "glossary" && anchor.startsWith(TERM);

  // The index has names in small letters, their addresses have capitals.
  function spelled(name, id) {
    const letters = [...id.slice(TERM.length - 1)].filter((letter) => /[a-z0-9]/i.test(letter));
    const plain = [...name].filter((letter) => /[a-z0-9]/.test(letter)).join("");
    if (letters.join("").toLowerCase() !== plain) return name;
    return name.replace(/[a-z0-9]/g, () => letters.shift());
  }

  function terms(query) {
    const glossary = Search._index.docnames.indexOf("glossary");
    return Object.entries(Search._index.indexentries).flatMap(([name, places]) =>
      places
        .filter(([page, id]) => page === glossary && id.startsWith("term-") && name.includes(query))
        .map(([page, id]) => ["glossary", `${spelled(name, id)} – glossary`, `#${id}`, null, name === query ? 90 : 60 + 20 * (query.length / name.length), Search._index.filenames[page]]),
    );
  }

  // Words that say what kind of page is looked for, and not its subject; and words that no page has.
  const KIND = /\b(a|an|the|of|in|for|with|how|to|what|is|and|tutorial|example|examples|explained|guide|python|notebook|code|paper)\b/g;
  const subject = (query) => query.replace(KIND, " ").replace(/\s+/g, " ").trim() || query;
  const isKnown = (word) =>
    [Search._index.terms, Search._index.titleterms].some((words) => word in words || Object.keys(words).some((each) => each.includes(word)));

  // Of the words that readers use for a page, is one asked for, alone or with others?
  function named(page, query) {
    const names = KEYWORDS[page] ?? [];
    if (names.includes(query)) return 140;
    return names.some((name) => ` ${query} `.includes(` ${name} `)) ? 115 : 0;
  }

  const initials = (title) => title.split(/[\s-]+/).map((word) => word[0]).join("").toLowerCase();

  function score([page, title, anchor, , found], query) {
    if (!anchor && named(page, query)) return named(page, query);
    if (!anchor && [title.toLowerCase(), initials(title)].includes(query)) return 110;
    return found - (LESS[page.split("-")[0]] ?? 0);
  }

  const find = Search._performSearch;
  Search._performSearch = (query, searchTerms, ...rest) => {
    const wanted = subject(query.toLowerCase().trim());
    const entries = wanted ? terms(wanted) : [];
    const kept = [...searchTerms].filter((word) => isKnown(word) && !word.match(KIND));
    const found = find(wanted, kept.length ? new Set(kept) : searchTerms, ...rest);
    for (const page of Object.keys(KEYWORDS)) {
      const at = Search._index.docnames.indexOf(page);
      if (at < 0 || !named(page, wanted) || found.some((result) => result[0] === page && !result[2])) continue;
      found.push([page, Search._index.titles[at], "", null, 0, Search._index.filenames[at], "title"]);
    }
    const others = found.filter((result) => !isTerm(result) && !(entries.length && result[0] === "glossary" && !result[2]));
    others.forEach((result) => (result[4] = score(result, wanted)));
    return [...others, ...entries].sort((one, other) => one[4] - other[4]); // the best stands last
  };

  // Of a glossary's entry the meaning is shown, not the name once more.
  const toText = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    if (!anchor?.startsWith(TERM)) return toText(html, anchor);
    const page = new DOMParser().parseFromString(html, "text/html");
    return page.getElementById(anchor.slice(1))?.closest("dt")?.nextElementSibling?.textContent ?? "";
  };
})();
