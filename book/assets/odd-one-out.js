// The game "Which is the odd one out?" (book/erralign_book/charts/odd_one_out.py): the reader presses one of three words, then sees
// how many people chose each and what the network chose. The page tells both scores.
(() => {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  /** Return what share of people chose the same, on average over rows. */
  const score = (choices, shares) => mean(choices.map((choice, row) => shares[row][choice]));

  function start(figure) {
    const network = figure.dataset.network;
    const rows = [...figure.querySelectorAll("li")].map((item) => ({
      item,
      buttons: [...item.querySelectorAll("button")],
      people: JSON.parse(item.dataset.people),
      model: Number(item.dataset.model),
      choice: null,
    }));

    const foot = figure.appendChild(document.createElement("div"));
    foot.className = "odd-foot";
    const status = foot.appendChild(document.createElement("p"));
    status.setAttribute("role", "status");
    const again = foot.appendChild(document.createElement("button"));
    Object.assign(again, { type: "button", textContent: "Start again", hidden: true });

    function tell() {
      const done = rows.filter((row) => row.choice !== null);
      again.hidden = !done.length;
      if (!done.length) {
        status.textContent = `No choice yet, ${rows.length} to go.`;
        return;
      }
      const shares = done.map((row) => row.people);
      const mine = score(done.map((row) => row.choice), shares);
      const model = score(done.map((row) => row.model), shares);
      Object.assign(figure.dataset, { done: done.length, alike: mine, modelAlike: model });
      status.textContent =
        `${done.length} of ${rows.length} rows. On average ${percent(mine)} of people chose like you, ` +
        `and ${percent(model)} like ${network}.`;
    }

    function reveal(row, choice) {
      row.choice = choice;
      row.item.dataset.choice = choice;
      row.buttons.forEach((button, place) => {
        const notes = [`people ${percent(row.people[place])}`];
        if (place === row.model) notes.push(network);
        if (place === choice) notes.push("you");
        button.setAttribute("aria-disabled", "true");
        button.classList.toggle("mine", place === choice);
        button.style.setProperty("--share", percent(row.people[place]).replace(" ", ""));
        button.querySelector("span").textContent = notes.join(" · ");
      });
      tell();
    }

    function hide(row) {
      row.choice = null;
      delete row.item.dataset.choice;
      row.buttons.forEach((button) => {
        button.removeAttribute("aria-disabled");
        button.classList.remove("mine");
        button.style.removeProperty("--share");
        button.querySelector("span").textContent = "";
      });
    }

    rows.forEach((row) =>
      row.buttons.forEach((button, place) => {
        button.addEventListener("click", () => row.choice === null && reveal(row, place));
      }),
    );
    again.addEventListener("click", () => {
      rows.forEach(hide);
      ["done", "alike", "modelAlike"].forEach((name) => delete figure.dataset[name]);
      tell();
      rows[0].buttons[0].focus();
    });
    tell();
    figure.dataset.live = "";
  }

  document.querySelectorAll("figure.odd-one-out").forEach(start);
})();
