/** The guest of the site in this browser: kept until it is forgotten, named in a bar on every page (own-data/answers.js brings it). */
const siteGuest = (() => {
  const KEY = "erralign-guest"; // { name, said: { "silhouettes/cat1.png": "cat", … } }
  const KINDS = { edge: "edges", silhouette: "silhouettes", "cue-conflict": "cue-conflict" };

  /** Run something with the browser's store, which may be closed to a page. */
  function withStore(task) {
    try {
      return task(localStorage);
    } catch {
      return undefined;
    }
  }

  const kept = () => withStore((store) => JSON.parse(store.getItem(KEY))) ?? undefined;

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
  return { kept, keep, of, withStore };
})();
