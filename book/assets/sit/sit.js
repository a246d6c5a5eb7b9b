/** The experiment of the page "Sit the experiment": its form, its screen, and the road from picture to picture. */
(() => {
  const KEYS = ["1234", "QWER", "ASDF", "ZXCV"].flatMap((row) => [...row]);
  const LIMIT = 1500; // ms for an answer, as in the laboratory
  const BLANK = 600; // ms between an answer and the next cross: with the cross, no two pictures begin within one second
  const READ = 1200; // ms to read what practice says
  const PRACTICE = 8;
  const BLOCK = 24; // pictures between pauses
  const WAYS = { laboratory: { picture: 200, mask: 200 }, gentle: { picture: 1000, mask: 0 } };
  const { make } = ownResults;
  const element = (id) => document.getElementById(`sit-${id}`);
  const [screen, stage, said, answers, bar] = ["screen", "stage", "said", "answers", "bar"].map(element);
  const form = document.getElementById("sit");
  const [picture, noise] = [stage.querySelector("img"), stage.querySelector("canvas")];
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const visited = sitSession.shared(); // somebody else's result
  let session = visited ?? sitSession.kept();
  let stop = new AbortController();

  function drawAnswers() {
    answers.append(
      ...sitData.classes.map((name, place) => {
        const key = make("kbd", {}, KEYS[place]);
        const button = make("button", { type: "button", value: name, "data-key": KEYS[place] }, key, name);
        button.insertAdjacentHTML("afterbegin", sitSigns.inline(name));
        return button;
      }),
    );
  }

  /** Wait for one of sixteen answers; "na" where none comes in time. */
  function choice(limit, signal) {
    answers.dataset.open = "";
    const answer = new Promise((resolve, reject) => {
      const timer = limit && setTimeout(() => resolve({ said: "na" }), limit);
      answers.onclick = ({ target, timeStamp }) => {
        const button = target.closest("button");
        if (!button) return;
        clearTimeout(timer);
        resolve({ said: button.value, at: timeStamp });
      };
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return answer.finally(() => {
      answers.onclick = null;
      delete answers.dataset.open;
    });
  }

  /** Show a picture and wait for the answer. */
  async function ask(source, { limit, ...asked }) {
    said.textContent = "";
    sitPresent.pinkNoise(noise);
    picture.src = source;
    await picture.decode();
    const { onset, end, ...times } = await sitPresent.show(stage, asked, stop.signal);
    const { said: word, at } = await choice(limit, stop.signal);
    return { said: word, started: onset, response: at && at - onset, ...times, end };
  }

  /** Say something in the place of the pictures, and wait until the reader goes on, or back; false where they leave. */
  async function rest(words, go = "Continue", ...back) {
    const [on, leave, again] = [go, "Leave, and go on later", ...back].map((text) => make("button", { type: "button" }, text));
    element("rest").replaceChildren(make("p", {}, words), on, ...(again ? [again, leave] : [leave]));
    said.textContent = "";
    screen.dataset.resting = "";
    on.focus();
    const goesOn = await new Promise((resolve) => {
      on.onclick = () => resolve(true);
      if (again) again.onclick = () => resolve("again");
      leave.onclick = screen.oncancel = (event) => {
        event.preventDefault();
        resolve(false);
      };
    });
    screen.oncancel = interrupt;
    stop = new AbortController();
    delete screen.dataset.resting;
    stage.focus();
    if (goesOn) await pause(BLANK); // for the eyes to come back from the button
    return goesOn;
  }

  function interrupt(event) {
    event?.preventDefault();
    stop.abort();
  }

  /** Signs in the place of pictures: where each word is, and how short a fifth of a second is. */
  async function practise() {
    let right = 0;
    const some = [...sitData.classes].sort(() => Math.random() - 0.5).slice(0, PRACTICE);
    for (const [place, name] of some.entries()) {
      showProgress(place, PRACTICE, "Practice, ");
      try {
        const { said: word } = await ask(sitSigns.picture(name), session);
        right += word === name;
        const other = word === "na" ? "no answer came in time" : `you said “${word}”`;
        said.textContent = word === name ? `Right: ${name}.` : `That was “${name}”; ${other}.`;
      } catch (error) {
        if (!stop.signal.aborted) throw error;
        if (!(await rest("Practice is stopped. It goes on with the next sign."))) return false;
      }
      await pause(READ);
    }
    showProgress(PRACTICE, PRACTICE, "Practice, ");
    const now = `Now ${session.left.length} pictures, without being told what was right.`;
    const goesOn = await rest(`You named ${right} of ${PRACTICE} signs. ${now}`, "Begin", ...(right < PRACTICE / 2 ? ["Practise again"] : []));
    return goesOn === "again" ? practise() : goesOn;
  }

  /** One picture; if the reader looks away in the middle, it comes again at the end. */
  async function next() {
    const [place] = session.left;
    try {
      const { end, ...answer } = await ask(sitSession.address(place), session);
      session.left.shift();
      session.done.push({ place, ...answer, away: session.away[place] ?? 0 });
      sitSession.keep(session);
      showProgress();
      said.textContent = answer.said === "na" ? "No answer in time." : "";
      await pause(BLANK);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      session.left.push(session.left.shift());
      const began = performance.now();
      const goesOn = await rest("Stopped. The picture that you missed comes again at the end.");
      session.away[place] = (session.away[place] ?? 0) + performance.now() - began;
      sitSession.keep(session);
      return goesOn;
    }
    return session.done.length % BLOCK || !session.left.length ? true : rest("Rest your eyes for as long as you like.");
  }

  const total = () => session.left.length + session.done.length;

  function showProgress(done = session.done.length, of = total(), before = "") {
    bar.value = done / of;
    element("count").textContent = `${before}${done} of ${of}`;
  }

  /** Go from picture to picture until all are done, or the reader leaves. */
  async function run() {
    form.dataset.state = "running";
    if (session.done.length) showProgress();
    else showProgress(0, PRACTICE, "Practice, ");
    screen.showModal();
    const words = "See where the sixteen words are. Keep your eyes on the cross; after each picture, choose its word.";
    let goesOn = session.done.length > 0 || ((await rest(words, "Practise with eight signs")) && (await practise()));
    showProgress();
    while (goesOn && session.left.length) goesOn = await next();
    screen.close();
    show();
    element("kept").scrollIntoView();
  }

  /** Show what there is: a form to begin, a sitting to go on with, or its result. */
  function show() {
    const isDone = session && !session.left.length;
    form.dataset.state = isDone ? "done" : session ? "kept" : "new";
    element("kept").hidden = !session;
    element("new").hidden = Boolean(session);
    element("results").hidden = !isDone;
    if (!session) return;
    const advice = isDone && !visited ? " Save your answers below before you sit again." : "";
    element("delete").hidden = Boolean(visited);
    element("how-many").textContent = `${visited ? "Somebody: " : ""}${session.done.length} of ${total()} pictures are done.${advice}`;
    element("again").textContent = visited ? "Sit it yourself" : isDone ? "Sit again" : "Go on";
    if (isDone) sitResult.show(element("results"), session);
  }

  /** Go on, or begin anew; what is done stays in the browser until the first new answer. */
  function again() {
    if (visited) {
      history.replaceState(null, "", location.pathname);
      return location.reload();
    }
    if (session.left.length) return run();
    session = undefined;
    show();
  }

  function begin() {
    const { size, limit, way, pseudonym } = Object.fromEntries(new FormData(form));
    const name = pseudonym.trim();
    session = sitSession.begin({ form: size, name, limit: limit && LIMIT, ...WAYS[way] });
    if (!sitSession.kept()) sitSession.keep(session);
    run();
  }

  function start() {
    drawAnswers();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) form.elements.way.value = "gentle";
    form.elements.pseudonym.value = `p-${Math.random().toString(36).slice(2, 6)}`;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      begin();
    });
    element("again").onclick = again;
    element("delete").onclick = () => {
      if (session.done.length && !confirm("Delete these answers? Nothing brings them back.")) return;
      sitSession.forget();
      session = undefined;
      show();
    };
    element("pause").onclick = screen.oncancel = interrupt;
    document.addEventListener("visibilitychange", () => document.hidden && interrupt());
    screen.addEventListener("keydown", (event) => {
      const pressed = [...answers.children].find((button) => button.dataset.key === event.key.toUpperCase());
      if (!event.repeat && "open" in answers.dataset) pressed?.click();
      if (event.key === "Escape") screen.oncancel(event); // not every browser asks before it closes a screen
    });
    show();
  }

  start();
})();
