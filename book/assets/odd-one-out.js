// The game "Which is the odd one out?" (book/erralign_book/charts/odd_one_out.py), one triplet at a time: the reader presses a
// word, sees how many people chose each, guesses what the network chose, and goes on. After the last one all are there.
(() => {
  const { make } = chartControls;
  const percent = (share) => `${Math.round(100 * share)} %`;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  function start(figure) {
    const { network } = figure.dataset;
    const rows = [...figure.querySelectorAll("li")].map((item) => ({
      item,
      buttons: [...item.querySelectorAll("button")],
      people: JSON.parse(item.dataset.people),
      model: Number(item.dataset.model),
    }));
    const status = make("p", { role: "status" });
    const [next, again] = ["Next", "Start again"].map((words) => make("button", { type: "button" }, words));
    let at, said; // the row, and for each row what the reader chose and what the network was thought to choose

    function words(row, [choice, guess] = []) {
      if (choice === undefined) return `${at + 1} of ${rows.length}: which is the odd one out?`;
      if (guess === undefined) return `${percent(row.people[choice])} of people chose like you. And ${network}? Press what you think it chose.`;
      return `${network} chose “${row.buttons[row.model].firstChild.data}”${guess === row.model ? ", as you thought" : ""}.`;
    }

    function summary() {
      const [mine, model] = [(row, n) => row.people[said[n][0]], (row) => row.people[row.model]].map((of) => mean(rows.map(of)));
      const found = rows.filter((row, n) => said[n][1] === row.model).length;
      Object.assign(figure.dataset, { alike: mine, modelAlike: model });
      return `On average ${percent(mine)} of people chose like you, and ${percent(model)} like ${network}. What ${network} chose you knew ${found} times of ${rows.length}.`;
    }

    function show() {
      rows.forEach(({ item, buttons, people, model }, n) => {
        const [choice, guess] = said[n];
        item.hidden = n !== at && at < rows.length;
        item.toggleAttribute("data-chosen", choice !== undefined);
        buttons.forEach((button, place) => {
          const notes = [choice !== undefined && percent(people[place]), place === choice && "you", guess !== undefined && place === model && network];
          button.setAttribute("aria-disabled", guess !== undefined);
          button.classList.toggle("mine", place === choice);
          button.style.setProperty("--share", people[place]);
          button.querySelector("span").textContent = notes.filter(Boolean).join(" · ");
        });
      });
      status.textContent = at < rows.length ? words(rows[at], said[at]) : summary();
      next.hidden = at === rows.length || said[at].length < 2;
      again.hidden = at < rows.length;
    }

    function begin() {
      at = 0;
      said = rows.map(() => []);
      show();
    }

    rows.forEach(({ buttons }, n) =>
      buttons.forEach((button, place) =>
        button.addEventListener("click", () => {
          if (said[n].length < 2) said[n].push(place);
          show();
        }),
      ),
    );
    next.addEventListener("click", () => {
      at += 1;
      show();
      (rows[at]?.buttons[0] ?? again).focus();
    });
    again.addEventListener("click", begin);
    figure.append(make("div", { class: "odd-foot" }, status, next, again));
    begin();
  }

  document.querySelectorAll("figure.odd-one-out").forEach(start);
})();
