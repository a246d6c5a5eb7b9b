/** The guest of the site in this browser: kept until it is forgotten, named in a bar on every page (own-data/answers.js brings it). */
const siteGuest = (() => {
  const KEY = "erralign-guest"; // { name, said: { "silhouettes/cat1.png": "cat", … } }
  const SITTING = "erralign-sit";
  const KINDS = { edge: "edges", silhouette: "silhouettes", "cue-conflict": "cue-conflict" };

  /** Run something with the browser's store, which may be closed to a page. */
  function withStore(task) {
    try {
      return task(localStorage);
    } catch {
      return undefined;
    }
  }

  /** What the browser keeps under a key, where it is as a page of ours wrote it; what anybody else wrote is removed. */
  function read(key, isOurs) {
    return withStore((store) => {
      const text = store.getItem(key);
      if (text === null) return undefined;
      try {
        const value = JSON.parse(text);
        if (isOurs(value)) return value;
      } catch {
        // no JSON
      }
      store.removeItem(key);
      return undefined;
    });
  }

  const isText = (value) => typeof value === "string";
  const isGuest = (value) => isText(value?.name) && Object.values(value.said ?? [0]).every(isText);
  const isAnswer = (value) => Number.isInteger(value?.place) && isText(value.said);
  const isSitting = (value) =>
    [value?.form, value?.name].every(isText) && Array.isArray(value.left) && Array.isArray(value.done) && value.done.every(isAnswer);
  const kept = () => read(KEY, isGuest);

  /** A sitting of the experiment, begun or done (sit/session.js writes it). */
  const sitting = () => read(SITTING, isSitting);

  /** What the first system of a file said, by picture of the experiment; nothing where the file is about others. */
  function of({ systems: [system], parts }, file) {
    const names = Object.values(parts ?? {}).at(-1) ?? [];
    const kind = /(edge|silhouette|cue-conflict)/.exec(file)?.[1];
    const pictures = names.map((name) => {
      const [folder, image] = name.includes("/") ? name.split("/").slice(-2) : [KINDS[kind], name];
      return Object.values(KINDS).includes(folder) ? `${folder}/${image.replace(/(\.\w+)?$/, ".png")}` : undefined;
    });
    const known = pictures.flatMap((picture, place) => (picture ? [[picture, system.labels[place]]] : []));
    return known.length ? { name: system.name, said: Object.fromEntries(known) } : undefined;
  }

  /** Keep a guest beside what it answered before under its name. */
  function keep(guest) {
    const before = kept();
    const said = before?.name === guest.name ? { ...before.said, ...guest.said } : guest.said;
    withStore((store) => store.setItem(KEY, JSON.stringify({ ...guest, said })));
    show();
  }

  function show() {
    document.querySelector(".guest-bar")?.remove();
    const guest = kept();
    if (!guest) return;
    const bar = Object.assign(document.createElement("p"), { className: "guest-bar" });
    const forget = Object.assign(document.createElement("button"), { type: "button", textContent: "Forget my data" });
    forget.onclick = () => (withStore((store) => store.removeItem(KEY)), location.reload());
    bar.append(`Lessons show ${guest.name}, with ${Object.keys(guest.said).length.toLocaleString("en")} answers. They are in this browser only. `, forget);
    (document.querySelector("article") ?? document.body).prepend(bar);
  }

  show();
  return { kept, keep, of, sitting, withStore, SITTING };
})();
