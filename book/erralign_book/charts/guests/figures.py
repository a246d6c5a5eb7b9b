"""Chapters in whose own figures guests are a further mark or row, never in a mean or a verdict of theirs."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pandas as pd

from erralign import plot
from erralign.datasets import geirhos2020 as source
from erralign.datasets import model_vs_human
from erralign.plot.html import Table
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS
from erralign_book import cells
from erralign_book.cells import table as frozen_table
from erralign_book.charts import could_it_be_chance
from erralign_book.charts.guests import board, curve, geirhos
from erralign_book.charts.guests.means import PICTURES, among_equals
from erralign_book.charts.guests.part import PAGE, Answers, Shown, enter, named, short
from erralign_book.charts.looks import CROWD, with_guests
from erralign_book.charts.marks import CHOSEN, Plot, numbers
from erralign_book.papers.guests import tables
from erralign_book.papers.guests.reading import Guest
from erralign_book.papers.guests.tables import YOURS
from erralign_book.papers.guests.words import compared, difference

THREE, CUES = "geirhos2020/*", "geirhos2020/cue-conflict"
FAMILIES = {"human": tables.PEOPLE, "model": tables.NETWORKS}


def _each(answers: Answers, table: Callable[[Guest, str], Any], *named: str) -> pd.DataFrame:
    """Put a table of each guest and data set together; ``named`` are columns for the guest's name beside ``group``."""
    parts = []
    for guest, data_set in answers:
        names = dict.fromkeys(["group", *named], guest.name)
        parts.append(pd.DataFrame(table(guest, data_set)).assign(data_set=short(data_set), **names))
    return pd.concat(parts)


def _yardsticks(answers: Answers) -> Shown:
    shown = []
    for guest, name in answers:
        title = f"EC of {guest.name} with people on {short(name)}"
        shown.append(plot.points(tables.systems_beside_people(guest, name), "accuracy", "EC", title=title))
    return shown, []


def _newer(answers: Answers) -> Shown:
    systems = frozen_table("gavrikov2025/systems_with_people").replace({"group": curve.GROUPS})
    systems = systems[systems["group"].isin(curve.GROUPS.values())].astype({"year": object})
    shown = pd.concat([systems, _each(answers, tables.row_of_means, "model")], ignore_index=True)
    title = f"How far {named(answers)} lies above the curve of earlier networks"
    chart = curve.above_curve(shown, title)
    return [chart], [among_equals(guest, name, "EC") for guest, name in answers]


def _beside_people(answers: Answers) -> Shown:
    shown, words = [], []
    of_cues = [(guest, name) for guest, name in answers if name == CUES]
    if of_cues:
        biases = {guest.name: tables.shape_bias(guest) for guest, _ in of_cues}
        theirs = frozen_table("geirhos2020/shape_bias").assign(group=lambda rows: rows["kind"].map(FAMILIES))
        mine = _each(of_cues, tables.row_of_means, "system")
        mine["shape_bias"] = [biases[name].mine for name in mine["group"]]
        shown.append(geirhos.shape_bias(pd.concat([theirs, mine]), f"Shape bias of {named(answers)} and others"))
        whom = "the people have on average"
        words = [compared(name, "cue-conflict", "shape bias", bias, whom) for name, bias in biases.items()]
    for guest, name in answers[:6]:
        title = f"{guest.name} beside each other, on {short(name)}"
        shown.append(plot.beside(tables.pairs(guest, name), guest.name, title=title))
    return shown, words


def _board(answers: Answers) -> Shown:
    systems, words = frozen_table("board/systems"), []
    mine = _each(answers, tables.row_of_means, "system", "family")
    ec = mine.set_index("group")["EC"]
    for guest, _ in answers:
        near = tables.nearest(guest)
        ahead = int((systems.loc[systems["family"] != "people", "EC"] > ec[guest.name]).sum())
        words.append(
            f"By the values of EC with people, {ahead} of the {len(systems) - 1} models on the board are ahead of "
            f"{guest.name}. Of the networks of 2020 it is nearest to {near['nearest']}, with the same answer to "
            f"{100 * near['same_answers']:.0f} % of pictures; its mean EC with them is {near['EC_with_models']:.2f}."
        )
    shown = pd.concat([systems, mine], ignore_index=True)
    return [board.beside_people(shown, "EC", f"{named(answers)} on the board")], words


def _language(answers: Answers) -> Shown:
    rows = _each(answers, lambda guest, name: [tables.among_models(guest, name)]).set_index(["data_set", "group"])
    return [plot.table(rows, f"{named(answers)} among language models")], []


def _hard(answers: Answers) -> Shown:
    found = {pair: tables.by_difficulty(*pair) for pair in answers}
    sentence = "On {}, {} is right {{}} often on pictures that most people name than on those that most people miss"
    words = [difference(lead, sentence.format(short(name), guest.name)) for (guest, name), (_, lead) in found.items()]
    rows = {(guest.name, short(name)): 100 * shares for (guest, name), (shares, _) in found.items()}
    table = pd.DataFrame(rows).T.rename_axis(["guest", "data_set"])
    return [plot.table(table, "Right answers by how many people are right, %", digits=0, missing="–")], words


def _chance(answers: Answers) -> Shown:
    rows = _each(answers, tables.chance_with_people)
    words = [
        f"On {name}, {guest} fails together with {(of['p_holm'] <= 0.05).sum()} of {len(of)} people more or less often "
        "than chance, after Holm's correction at 0.05; of the others these answers cannot tell."
        for (name, guest), of in rows.groupby(["data_set", "group"], sort=False)
    ]
    title = f"{named(answers)} with each person: chance or not"
    return [could_it_be_chance.p_values(rows.drop(columns="group"), title)], words


def _confidences(answers: Answers) -> Shown:
    with_them = [(guest, name) for guest, name in answers if name in guest.confidences]
    if not with_them:
        return [], [f"{named(answers)} brought no confidences, so this page shows no SOC."]
    rows = _each(with_them, tables.beside_confidences).set_index(["group", "data_set", "with"])
    return [plot.table(rows, "Confidences of guests beside three networks")], []


def _geirhos(answers: Answers) -> Shown:
    theirs = geirhos.pairs_of_the_paper()
    rows, first, who = pd.concat([theirs, _each(answers, tables.overlaps)]), short(answers[0][1]), named(answers)
    bands = pd.concat([geirhos.bands(), _each(answers, tables.row_of_means)])
    bands = bands.assign(low=bands["low"].fillna(bands["EC_low"]), high=bands["high"].fillna(bands["EC_high"]))
    bands = bands[["data_set", "group", "EC", "low", "high"]]
    accuracies = frozen_table("geirhos2020/accuracies")
    accuracies = accuracies.pivot(index="system", columns="data_set", values="accuracy")
    table = {"mean of people": accuracies.filter(like="subject-", axis=0).mean()}
    table |= {"mean of the 16 networks": accuracies.loc[list(source.SIXTEEN)].mean()}
    mine = _each(answers, tables.row_of_means).pivot(index="group", columns="data_set", values="accuracy")
    table_1 = pd.concat([pd.DataFrame(table).T, mine])[list(mine)].rename_axis("accuracy of")
    chart, title, points = geirhos.overlap, f"with the pairs of {who}", geirhos.networks_with_people()
    shown = [
        chart(rows, geirhos.chance("observed"), "observed", first, f"Figure 1, {title}"),
        geirhos.consistency_and_accuracy(points, bands, first, f"Figure 3, with a band for {who}"),
        chart(rows, geirhos.chance("EC"), "EC", first, f"Figure 4, {title}"),
        plot.table(table_1, "Table 1, and a row for each guest", digits=3, missing="–"),
    ]
    return shown, [among_equals(guest, name, "EC") for guest, name in answers]


def _further(answers: Answers) -> Shown:
    theirs, shown = frozen_table("geirhos2020/confusions"), list[Any]()
    for name in dict.fromkeys(short(data_set) for _, data_set in answers):
        mine = _each([each for each in answers if short(each[1]) == name], tables.confusion, "observer")
        both = pd.concat([theirs.query("data_set == @name"), mine])
        shown.append(geirhos.confusion_matrices(both, f"Figure SF.8 on {name}, with {named(answers)}"))
    if of_cues := [(guest, name) for guest, name in answers if name == CUES]:
        by_category = _each(of_cues, lambda guest, _: tables.shape_bias_by_category(guest), "observer")
        rows = pd.concat([frozen_table("geirhos2020/shape_bias_by_category"), by_category.drop(columns="group")])
        shown.append(geirhos.shape_bias_by_category(rows, f"Figure SF.5, with {named(of_cues)}"))
    favourites = [(guest.name, short(name), *tables.favourite(guest, name)) for guest, name in answers]
    words = [
        f"On {on}, the most frequent wrong answer of {who} is {said}: {100 * share:.0f} % of its errors."
        for who, on, said, share in favourites
    ]
    return shown, words


def _klein(answers: Answers) -> Shown:
    shown, words = [], []
    for guest in dict.fromkeys(guest for guest, _ in answers):
        sets, mine = tables.on_benchmark(guest, [name for each, name in answers if each is guest])
        scores = cells.table("klein2025/scores_by_data_set").query("data_set in @sets").groupby("system")["EC"].mean()
        theirs = scores.rename("EC").reset_index().assign(low=scores.to_numpy(), high=scores.to_numpy())
        theirs["family"] = theirs["system"].map(model_vs_human.models()["family"]).fillna("Human")
        own = {"system": guest.name, "family": YOURS} | dict(zip(("EC", "low", "high"), mine, strict=True))
        rows = pd.concat([theirs, pd.DataFrame([own])]).sort_values("EC", ascending=False)
        shown.append(plot.intervals(rows, title=f"Figure 4 on {len(sets)} of 17 data sets, with {guest.name}"))
        ahead, n = int((scores.drop("people") > mine[0]).sum()), len(scores) - 1
        words.append(
            f"In a Table 2 of {len(sets)} of the 17 data sets, {ahead} of {n} models are ahead of {guest.name}, by the "
            f"values; its EC with people is {plot.with_interval(*mine)}, that of two people {scores['people']:.2f}."
        )
    return shown, words


def _xu(answers: Answers) -> Shown:
    mine = _each(answers, tables.pairs)
    here = list(mine["data_set"].unique())
    theirs = frozen_table("xu2024/pairs").query("data_set in @here")
    every = pd.concat([theirs.assign(group=theirs["kind"].map(PAIRS)), mine])
    order = dict.fromkeys([*theirs["system_a"], *theirs["system_b"], *mine["group"]])
    title, sets, start = f"All pairs, {named(answers)} last", {name: name for name in here}, (here[0], "EC")
    shown = [plot.heatmap(every, ["EC", "MA", "CLES"], order=order, data_sets=sets, start=start, title=title)]
    columns = ["data_set", "system_a", "system_b", "MA", "EC", "group"]
    rows = every[columns].dropna()
    looks = with_guests(LOOKS_OF_PAIRS, rows["group"])
    chart = Plot(rows, numbers("MA"), numbers("EC"), look=("group", looks), hover=columns, where=CHOSEN)
    others = rows["group"].isin(LOOKS_OF_PAIRS)
    chart.points(14, rows[others], opacity=CROWD).points(50, rows[~others]).menu("data_set", here, here[0], "data set")
    about = "EC against MA of all pairs, those of guests set apart."
    shown.append(chart.done(f"Figure 4, with the pairs of {named(answers)}", about, 320))
    with_people = [(guest, name) for guest, name in answers if tables.people_of(guest.sets[name], guest)]
    return shown, [among_equals(guest, name, of) for guest, name in with_people for of in ("EC", "MA")]


def _index(answers: Answers) -> Shown:
    here = f"This copy of the book is about {escape(named(answers))}."
    link = f'<a href="{PAGE}.html">Your model through the book</a>'
    return [Table(f'<p class="guest">{here} Begin with {link}.</p>', here)], []


enter("what-to-set-a-value-against", _yardsticks, THREE)
enter("what-newer-models-see", _newer, CUES)
enter("your-model-beside-people", _beside_people, *PICTURES)
enter("the-board", _board, CUES)
enter("many-language-models", _language, "mmlu-pro", "naep/*", people=False)
enter("hard-for-one-hard-for-all", _hard, *PICTURES)
enter("could-it-be-chance", _chance, *PICTURES)
enter("representations-and-confidences", _confidences, THREE)
enter("how-to-report", lambda answers: ([], [tables.reported(*each) for each in answers]), *PICTURES)
enter("reproducing-geirhos-2020", _geirhos, THREE)
enter("further-geirhos-2020", _further, THREE)
enter("reproducing-klein-2025", _klein, "model-vs-human/*", THREE)
enter("reproducing-xu-2024", _xu, "xu2024/*", people=False)
enter("index", _index, "*", people=False)
