/** The planner's form: a reader chooses among experiments, and sees what the package has computed for them. */
(() => {
  const { choices, trials, people, pictures, widths, largest, power } = ownPlans;
  const START = { a: "0.8", b: "0.7", ec: "0.3", accuracy: "0.75", of: "0.3", difference: "0.1" };

  /** A table of our own numbers, which may be written as HTML. */
  function table(caption, head, rows) {
    const line = ([first, ...cells], tag, scope) =>
      `<tr><th scope="${scope}">${first}</th>${cells.map((cell) => `<${tag} class="number">${cell}</${tag}>`).join("")}</tr>`;
    const body = rows.map((row) => line(row, "td", "row")).join("");
    return `<table><caption>${caption}</caption><thead>${line(head, "th", "col")}</thead><tbody>${body}</tbody></table>`;
  }

  const SHOWN = {
    widths({ a, b, ec }) {
      const pair = [a, b].sort().join(" ");
      const found = widths[`${pair} ${ec}`];
      if (!found) return `<p>These accuracies allow an error consistency of ${largest[pair]} at most.</p>`;
      const rows = found.map((width, place) => [trials[place].toLocaleString("en"), width.toFixed(2)]);
      return table("How wide the 95 % interval of EC will be", ["pictures", "width"], rows);
    },
    power({ accuracy, of, difference }) {
      const found = power[`${accuracy} ${of} ${difference}`];
      const rows = pictures.map((n, place) => [n.toLocaleString("en"), ...found[place]]);
      const caption = "How many of 100 experiments (new pictures, the same people) find that A is closer to people than B";
      return table(caption, ["pictures", ...people.map((n, place) => (place ? n : `${n} people`))], rows);
    },
  };

  for (const part of document.querySelectorAll("#own-planner fieldset")) {
    const fields = [...part.querySelectorAll("select")];
    for (const field of fields) {
      field.append(...choices[field.name].map((value) => new Option(value)));
      field.value = START[field.name];
    }
    const show = () => {
      const chosen = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
      part.querySelector(".own-table").innerHTML = SHOWN[part.dataset.plan](chosen);
    };
    part.addEventListener("change", show);
    show();
  }
})();
