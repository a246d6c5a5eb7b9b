"""What lessons show of guests."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from erralign import plot
from erralign.plot.tables import Table
from erralign.plot.theme import FAMILIES, KINDS
from erralign_book.charts import error_consistency, the_board, what_newer_models_see
from erralign_book.charts.could_it_be_chance import p_values
from erralign_book.charts.findings import intervals
from erralign_book.charts.guests.part import PAGE, Made, leads_chart, marks, named, part, short
from erralign_book.charts.reproducing_geirhos_2020 import shape_bias
from erralign_book.papers import board, gavrikov2025, geirhos2020, klein2025, xu2024
from erralign_book.papers.board.checks import relations
from erralign_book.papers.guests.reading import Guest
from erralign_book.papers.guests.tables import (
    NETWORKS,
    PEOPLE,
    among_models,
    beside_confidences,
    as_models,
    by_condition,
    by_difficulty,
    by_methods,
    means,
    over_networks,
    over_people,
    pairs,
    people_of,
    sets_with_people,
    shape_biases,
    with_each_person,
    with_people,
)
from erralign_book.papers.guests.words import CANNOT_TELL, compared, difference, over_sets

PICTURES = ("geirhos2020/*", "xu2024/*", "model-vs-human/*")
THREE = "geirhos2020/*"
CUES = "geirhos2020/cue-conflict"
LOOKS = FAMILIES["Human"], KINDS["model-model"]
EQUAL = 0.05  # accuracies that differ by less are equal


def _sets(guest: Guest, sets: Sequence[str]) -> list[str]:
    return [name for name in sets_with_people(guest) if name in sets]


def _beside(everybody: Sequence[Guest], sets: Sequence[str], measure: str, of: str, title: str) -> Made:
    """Show means with people beside those of networks and of people, and say how guests differ from two people."""
    rows = pd.concat([means(guest, name, measure) for guest in everybody for name in _sets(guest, sets)])
    words = []
    for guest in everybody:
        leads = {short(name): over_people(guest, name, measure) for name in _sets(guest, sets)}
        words += over_sets(guest.name, f"{of} with people", leads, "two people have")
    return [marks(rows, title.format(named(everybody)), f"mean {of} with people")], words


@part("error-consistency", *PICTURES)
def _consistency(everybody: Sequence[Guest], sets: list[str]) -> Made:
    return _beside(everybody, sets, "EC", "EC", "Who fails together with people: {}")


@part("misclassification-agreement", *PICTURES)
def _agreement(everybody: Sequence[Guest], sets: list[str]) -> Made:
    return _beside(everybody, sets, "MA", "MA", "Who gives people's wrong answers: {}")


@part("class-level-error-similarity", *PICTURES)
def _class_level(everybody: Sequence[Guest], sets: list[str]) -> Made:
    shown, _ = _beside(everybody, sets, "CLES", "CLES", "Who confuses classes as people do: {}")
    words = []
    for guest in everybody:
        words += [_among_equals(guest, name, "CLES") for name in _sets(guest, sets)]
    return shown, [
        *words,
        "CLES depends on the number of errors, so a guest is set beside networks that make about as many.",
    ]


def _among_equals(guest: Guest, data_set: str, measure: str) -> str:
    """Say how a guest differs from networks that are about as accurate."""
    lead, n = over_networks(guest, data_set, measure, EQUAL)
    if not n:
        alone = f"No network is about as accurate as {guest.name} on {short(data_set)}"
        return f"{alone}, so {CANNOT_TELL} how it differs from an equal by {measure}."
    whom = f"the {n} networks that are about as accurate have" if n > 1 else "the one that is about as accurate has"
    return compared(guest.name, short(data_set), f"{measure} with people", lead, whom)


@part("what-they-saw", *PICTURES)
def _accuracies(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows = pd.concat([means(guest, name, "accuracy") for guest in everybody for name in _sets(guest, sets)])
    words = []
    for guest in everybody:
        leads = {short(name): over_people(guest, name, "accuracy") for name in _sets(guest, sets)}
        words += over_sets(guest.name, "accuracy", leads, "people have")
    shown = [marks(rows, f"How often people, networks and {named(everybody)} are right", "accuracy", looks=LOOKS)]
    return [*shown, *_curves(everybody, sets)], words


def _curves(everybody: Sequence[Guest], sets: list[str]) -> list[object]:
    """Draw accuracy over the strengths of each distortion."""
    every = xu2024.accuracy_by_strength().rename(columns={"group": "who"})
    charts = []
    for name in (each for each in sets if short(each) in set(every["data_set"])):
        known = every[(every["data_set"] == short(name)) & every["who"].isin(["people", "CNN"])]
        strengths = known.drop_duplicates("condition").set_index("condition")["strength"]
        mine = [by_condition(guest, name).assign(strength=strengths) for guest in everybody if name in guest.sets]
        rows = pd.concat([known, *(each.reset_index() for each in mine)])
        charts.append(_curve(rows, short(name), everybody))
    return charts


def _curve(rows: pd.DataFrame, data_set: str, everybody: Sequence[Guest]) -> object:
    from erralign.plot.grammar import Plot, numbers
    from erralign_book.charts.looks import CNN, with_guests

    looks = with_guests({"people": FAMILIES["Human"], "CNN": CNN}, rows["who"])
    axes = numbers("strength", f"strength of {data_set}"), numbers("accuracy", ends=(0, 1))
    columns = ["strength", "condition", "who", "accuracy", "low", "high"]
    plot_ = Plot(rows[columns], *axes, look=("who", looks), hover=columns[1:], columns=3).spans().lines().points()
    about = f"Accuracy over strength of people, CNNs and {named(everybody)}."
    return plot_.done(f"{data_set}: how far accuracy falls", about, 280, "lines: 95 % intervals")


@part("how-sure-are-we", *PICTURES)
def _sure(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows, words = [], []
    for guest in everybody:
        name = _sets(guest, sets)[0]
        lead = over_people(guest, name, "EC")
        found = with_people(guest, name, "EC").table.rename(columns={"error_consistency": "value"})
        two, mine = (found.loc[who, ["value", "low", "high"]].to_dict() for who in (PEOPLE, guest.name))
        called = f"{short(name)}: "
        rows += [{"finding": f"{called}two people"} | two, {"finding": f"{called}{guest.name} with people"} | mine]
        rows += [{"finding": f"{called}{guest.name}, difference", **lead._asdict()}]
        words.append(compared(guest.name, short(name), "EC with people", lead, "two people have"))
    shown = pd.DataFrame(rows)[["finding", "value", "low", "high"]].dropna()
    return [intervals(shown, f"How sure the values of {named(everybody)} are", "EC, or difference of two EC")], words


@part("what-to-set-a-value-against", THREE)
def _yardsticks(everybody: Sequence[Guest], sets: list[str]) -> Made:
    systems, rows, words = klein2025.systems_with_people(), [], []
    for guest in everybody:
        for name in _sets(guest, sets):
            of = pairs(guest, name).assign(data_set=short(name))
            of = of[of["system_a"].isin(people_of(guest.sets[name], guest))].assign(kind="model-human")
            rows.append(klein2025.means_with_people(of).assign(group=guest.name))
            mine = rows[-1].iloc[0]
            words.append(
                f"On {short(name)}, {guest.name} has an EC with people of {mine['EC']:.2f}; at its accuracy, "
                f"{100 * mine['accuracy']:.0f} %, the most is {mine['largest']:.2f}."
            )
    shown = pd.concat([systems, *rows], ignore_index=True)
    title = f"What {named(everybody)} could have reached"
    return [error_consistency.yardsticks(shown, klein2025.limits_with_people(), short(sets[0]), title)], words


@part("what-newer-models-see", CUES)
def _newer(everybody: Sequence[Guest], _: list[str]) -> Made:
    names = {gavrikov2025.OPTIONS: "vision-language models", gavrikov2025.STYLISED: "ResNet-50 of 2019"}
    systems = (
        gavrikov2025.systems_with_people()
        .replace({"group": names | {gavrikov2025.CNNS: "older CNNs"}})
        .astype({"year": object})
    )
    systems = systems[systems["group"] != gavrikov2025.DESCRIPTION]
    older = systems[systems["group"].isin(["older CNNs", "ResNet-50 of 2019", "other older networks"])]
    at = np.linspace(0.07, 0.64, 50)
    of_older = older[["accuracy", "EC"]].to_numpy().T
    path = pd.DataFrame({"accuracy": at, "EC": gavrikov2025.height("parabola", of_older[0], of_older[1], at)})
    rows, words = [], []
    for guest in everybody:
        right, ec = (with_people(guest, CUES, each).table.loc[guest.name].iloc[0] for each in ("accuracy", "EC"))
        rows.append({"model": guest.name, "group": guest.name, "accuracy": right, "EC": ec})
        words.append(_among_equals(guest, CUES, "EC"))
    shown = pd.concat([systems, pd.DataFrame(rows)], ignore_index=True).assign(label="")
    title = f"Where {named(everybody)} stands by accuracy"
    return [what_newer_models_see.by_accuracy(shown, path, older.head(0), None, title)], words


@part("so-do-they", *PICTURES)
def _so(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows, words = [], []
    for guest in everybody:
        leads = {}
        for name in _sets(guest, sets):
            lead = over_people(guest, name, "EC")
            leads[short(name)] = lead
            rows.append(
                {"finding": f"{guest.name}, {short(name)}", "value": -lead.value, "low": -lead.high, "high": -lead.low}
            )
        words += over_sets(guest.name, "EC with people", leads, "two people have")
    title = f"How far two people are ahead of a person and {named(everybody)}"
    return [leads_chart(pd.DataFrame(rows).dropna(), title, "lead of two people, in EC")], words


@part("your-model-beside-people", *PICTURES)
def _beside_each(everybody: Sequence[Guest], sets: list[str]) -> Made:
    shown: list[object] = []
    of_cues = [guest for guest in everybody if CUES in guest.sets]
    biases = {guest.name: shape_biases(guest) for guest in of_cues}
    words = []
    if biases:
        theirs = geirhos2020.shape_bias()
        ec = {guest.name: float(with_people(guest, CUES, "EC").table.loc[guest.name].iloc[0]) for guest in of_cues}
        rows = [
            {"system": name, "group": name, "shape_bias": bias.mine, "EC": ec[name]} for name, bias in biases.items()
        ]
        groups = theirs["kind"].map({"human": PEOPLE, "model": NETWORKS})
        systems = pd.concat([theirs.assign(group=groups), pd.DataFrame(rows)])
        shown.append(shape_bias(systems, f"Shape bias of {named(everybody)} and others"))
        whom = "the people have on average"
        words = [compared(name, "cue-conflict", "shape bias", bias, whom) for name, bias in biases.items()]
    for guest in everybody:
        title = f"{guest.name} beside each other, on "
        shown += [
            plot.beside(pairs(guest, name), guest.name, title=title + short(name)) for name in _sets(guest, sets)[:3]
        ]
    return shown, words


@part("the-board", CUES)
def _board(everybody: Sequence[Guest], _: list[str]) -> Made:
    systems, rows, words = board.systems(), [], []
    for guest in everybody:
        row: dict[str, object] = {"system": guest.name, "family": guest.name}
        for measure in board.standings.MEASURES:
            value, low, high = with_people(guest, CUES, measure).table.loc[guest.name].iloc[:3]
            row |= {measure: value, f"{measure}_low": low, f"{measure}_high": high}
        rows.append(row)
        near = relations(as_models(guest.sets[CUES], guest.name)).loc[guest.name]
        ahead = with_people(guest, CUES, "EC").table.loc[guest.name].iloc[0]
        better = int((systems.loc[systems["family"] != "people", "EC"] > ahead).sum())
        words.append(
            f"By the values of EC with people, {better} of the {len(systems) - 1} models on the board are ahead of "
            f"{guest.name}. Of the networks of 2020 it is nearest to {near['nearest']}, with the same answer to "
            f"{100 * near['same_answers']:.0f} % of pictures; its mean EC with them is {near['EC_with_models']:.2f}."
        )
    shown = pd.concat([systems, pd.DataFrame(rows)], ignore_index=True)
    return [the_board.beside_people(shown, "EC", f"{named(everybody)} on the board")], words


@part("many-language-models", "mmlu-pro", "naep/*")
def _language(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows = [among_models(guest, name) for guest in everybody for name in sets if name in guest.sets]
    words = [
        f"On {short(row['data_set'])}, the mean EC of {row['guest']} with {row['models']} models is "
        f"{row['EC with models']:.2f}, that of two of them {row['EC of two models']:.2f}."
        for row in rows
    ]
    table = pd.DataFrame(rows).set_index(["data_set", "guest"])
    return [plot.table(table, f"{named(everybody)} among language models")], words


@part("hard-for-one-hard-for-all", *PICTURES)
def _hard(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows, words = {}, []
    for guest in everybody:
        for name in _sets(guest, sets)[:3]:
            rows[guest.name, short(name)], lead = by_difficulty(guest, name)
            words.append(
                difference(
                    lead,
                    f"On {short(name)}, {guest.name} is right {{}} often on pictures that most people name than on "
                    "those that most people miss",
                )
            )
    table = (100 * pd.DataFrame(rows).T).rename_axis(["guest", "data_set"])
    return [plot.table(table, "Right answers by how many people are right, %", digits=0, missing="–")], words


@part("could-it-be-chance", *PICTURES)
def _chance(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows, words = [], []
    for guest in everybody:
        for name in _sets(guest, sets)[:3]:
            table = with_each_person(guest, name).assign(data_set=short(name))
            rows.append(table)
            beyond = int((table["p_holm"] <= 0.05).sum())
            words.append(
                f"On {short(name)}, {guest.name} fails together with {beyond} of {len(table)} people more or less "
                "often than chance, after Holm's correction at 0.05; of the others these answers cannot tell."
            )
    return [p_values(pd.concat(rows), f"{named(everybody)} with each person: chance or not", by="significant")], words


@part("representations-and-confidences", THREE)
def _confidences(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows = [beside_confidences(guest, name) for guest in everybody for name in sets if name in guest.confidences]
    if not rows:
        return [], [f"{named(everybody)} brought no confidences, so this page shows no SOC."]
    table = pd.concat(rows).assign(data_set=lambda each: each["data_set"].map(short))
    table = table.set_index(["guest", "data_set", "with"])
    return [plot.table(table, "Confidences of guests beside three networks")], []


@part("which-interval", *PICTURES)
def _methods(everybody: Sequence[Guest], sets: list[str]) -> Made:
    rows = {guest.name: by_methods(guest, _sets(guest, sets)[0]) for guest in everybody}
    table = pd.DataFrame({f"{name} with {found.name}": found for name, found in rows.items()}).T.rename_axis("pair")
    return [plot.table(table, "One EC of a guest, by several intervals", missing="–")], []


@part("how-to-report", *PICTURES)
def _report(everybody: Sequence[Guest], sets: list[str]) -> Made:
    words = []
    for guest in everybody:
        for name in _sets(guest, sets):
            said = {each: means(guest, name, each).set_index("whose") for each in ("EC", "MA", "CLES")}
            three = {each: table.loc["yours", ["value", "low", "high"]] for each, table in said.items()}
            of = ", ".join(f"a mean {each} of {plot.with_interval(*values)}" for each, values in three.items())
            both = guest.sets[name]
            who = f"{len(people_of(both, guest))} people (95 % intervals)"
            words.append(f"{guest.name} has on {len(both.truth):,} pictures of {short(name)} {of} with {who}.")
    return [], words


@part("index", "*")
def _index(everybody: Sequence[Guest], _: list[str]) -> Made:
    link = f'<a href="{PAGE}.html">Your model through the book</a>'
    here = f"This copy of the book is about {escape(named(everybody))}."
    return [Table(f'<p class="guest">{here} Begin with {link}.</p>', here)], []
