"""Chapters that set a guest's mean with people beside those of networks and of people: one table, one drawing."""

from __future__ import annotations

from typing import NamedTuple

import altair as alt
import pandas as pd

from erralign.plot.colours import MAGENTA
from erralign.plot.theme import FAMILIES, KINDS
from erralign_book.cells import table
from erralign_book.charts.guests.part import Answers, Make, Shown, enter, named, short
from erralign_book.charts.looks import CNN, with_guests
from erralign_book.charts.marks import Plot, names, numbers
from erralign_book.papers.guests.reading import Guest
from erralign_book.papers.guests.tables import NETWORKS, PEOPLE, YOURS, by_condition, means, over_equals, over_people
from erralign_book.papers.guests.words import Lead, compared, over_sets

PICTURES = ("geirhos2020/*", "xu2024/*", "model-vs-human/*")


class Means(NamedTuple):
    """A measure whose means a chapter shows: the title, and whether guests stand beside people or their equals."""

    measure: str
    title: str
    equals: bool = False
    leads: bool = False  # differences in place of the values


CHAPTERS = {
    "what-they-saw": Means("accuracy", "How often people, networks and {} are right"),
    "error-consistency": Means("EC", "Who fails together with people: {}"),
    "how-sure-are-we": Means("EC", "How sure the distance between people and {} is", leads=True),
    "misclassification-agreement": Means("MA", "Who gives people's wrong answers: {}"),
    "so-do-they": Means("EC", "{} less two people, with people", leads=True),
    "class-level-error-similarity": Means("CLES", "Who confuses classes as people do: {}", equals=True),
}


def _part(chapter: Means) -> Make:
    of = chapter.measure if chapter.measure == "accuracy" else f"{chapter.measure} with people"

    def make(answers: Answers) -> Shown:
        title, words = chapter.title.format(named(answers)), []
        every = {pair: over_people(*pair, chapter.measure) for pair in answers}
        whom = "people have" if of == "accuracy" else "two people have"
        for guest in dict.fromkeys(guest for guest, _ in answers):
            sets = [name for each, name in answers if each is guest]
            if chapter.equals:
                words += [among_equals(guest, name, chapter.measure) for name in sets]
            else:
                words += over_sets(guest.name, of, {short(name): every[guest, name] for name in sets}, whom)
        if chapter.leads:
            return [leads(every, title, f"difference of two {of}")], words
        rows = pd.concat([means(*pair, chapter.measure) for pair in answers])
        return [marks(rows, title, of), *(_curves(answers) if of == "accuracy" else [])], words

    return make


for _name, _chapter in CHAPTERS.items():
    enter(_name, _part(_chapter), *PICTURES)


def among_equals(guest: Guest, data_set: str, measure: str) -> str:
    """Say how a guest differs from networks that are about as accurate."""
    lead, n = over_equals(guest, data_set, measure)
    who = "one network that is about as accurate has" if n == 1 else f"{n} networks that are about as accurate have"
    return compared(guest.name, short(data_set), f"{measure} with people", lead, f"the {who}")


def marks(rows: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw guests beside people and networks, a row for each data set and guest: magenta, with interval and name."""
    several = rows["guest"].nunique() > 1
    alone = axis == "accuracy"
    others = {PEOPLE: "people" if alone else "two people", NETWORKS: "networks" if alone else "a person and a network"}
    label = rows["data_set"].map(short) + (": " + rows["guest"] if several else "")
    rows = rows.assign(row=label, who=rows["whose"].map(others).fillna(rows["guest"]))
    kinds = [FAMILIES["Human"], KINDS["model-model"]] if alone else [KINDS["human-human"], KINDS["model-human"]]
    looks = with_guests(dict(zip(others.values(), kinds, strict=True)), rows["who"])
    order = list(dict.fromkeys(label))
    axes = numbers("value", axis, scale={"padding": 12}), names("row", order, labelExpr="split(datum.label, ': ')")
    shown = rows[["row", "who", "system", "value", "low", "high"]]
    plot = Plot(shown, *axes, look=("who", looks), hover=list(shown)[1:])
    crowd, mine = rows["whose"] == NETWORKS, rows["whose"] == YOURS
    ticks = plot.base(shown[crowd]).mark_tick(thickness=1.5, size=14).encode(**plot.colour, tooltip=plot.hover)
    plot.draw(ticks).spans(data=shown[~crowd], strokeWidth=2.5).points(90, shown[~crowd])
    plot.words("who", shown[mine], dy=-13, color=MAGENTA, fontWeight="bold")
    about = f"{axis} of {rows['guest'].nunique()} guests beside people and networks, with 95 % intervals."
    return plot.done(title, about, alt.Step(46), "lines: 95 % intervals; small ticks: networks, one each")


def leads(found: dict[tuple[Guest, str], Lead], title: str, axis: str) -> alt.LayerChart:
    """Draw differences of guests and others, with their intervals."""
    rows = pd.DataFrame(found.values()).assign(finding=[f"{guest.name}, {short(name)}" for guest, name in found])
    x, y = numbers("value", axis, scale={"padding": 12}), names("finding", list(rows["finding"]), labelLimit=220)
    plot = Plot(rows.dropna(), x, y, hover=["finding", "value", "low", "high"]).level(0)
    plot.spans(strokeWidth=3, color=MAGENTA).points(90, shape="diamond", color=MAGENTA)
    about = f"{axis}, with 95 % intervals: {'; '.join(rows['finding'])}."
    return plot.done(title, about, alt.Step(36), "lines: 95 % intervals; at 0: no difference")


def _curves(answers: Answers) -> list[alt.LayerChart]:
    """Draw accuracy over the strengths of each distortion."""
    every, charts = table("what_they_saw/named").rename(columns={"kind": "data_set", "strength": "condition"}), []
    every["who"] = every["group"].replace("networks", "CNN")
    sets = dict.fromkeys(name for _, name in answers if short(name) in set(every["data_set"]))
    for name in sets:
        known = every[every["data_set"] == short(name)]
        strengths = {condition: place for place, condition in enumerate(_weak_to_strong(name, known["condition"]), 1)}
        known = known.assign(strength=known["condition"].map(strengths))
        mine = [by_condition(guest, name).assign(strength=pd.Series(strengths)) for guest, of in answers if of == name]
        rows = pd.concat([known, *(each.reset_index() for each in mine)])
        rows = rows[["strength", "who", "accuracy", "low", "high"]]
        looks = with_guests({"people": FAMILIES["Human"], "CNN": CNN}, rows["who"])
        axes = numbers("strength", f"strength of {short(name)}"), numbers("accuracy", ends=(0, 1))
        plot = Plot(rows, *axes, look=("who", looks), hover=list(rows)).spans().lines().points()
        about = f"Accuracy over strength of people, CNNs and {named(answers)}."
        charts.append(plot.done(f"{short(name)}: how far accuracy falls", about, 280, "lines: 95 % intervals"))
    return charts


def _weak_to_strong(data_set: str, conditions: pd.Series) -> list[str]:
    """Put strengths in order: a large contrast, or cut-off, is weak, and eidolons have their reach first."""
    words = {"cr": 0, "bw": 1, "true": 0, "false": 1, "0": 0, "pow": 1}
    number = {each: words.get(each, each.lstrip("c").split("-")[0]) for each in conditions.unique()}
    return sorted(number, key=lambda each: float(number[each]), reverse=short(data_set) in ("contrast", "high-pass"))
