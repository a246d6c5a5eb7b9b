"""What labs find: gains of heads, maps between likeness and errors, which wrong option a head foresees."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, ORANGE, SLATE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import BAND
from erralign.training import Findings
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.looks import NEWER, OLDER
from erralign_book.simulations import labs

NEW, SEEN = "new", "seen"
SAID: dict[str, Any] = {"dy": -14, "fontSize": 13, "fontWeight": "bold"}
BESIDE: dict[str, Any] = {"dx": 12, "dy": 0, "align": "left"}


def gains(findings: Findings, title: str) -> alt.LayerChart:
    """Draw each head with those who taught on its own pictures, and with others on new ones: what a student hands in.

    A tick says what a head as accurate could have that knew what those who taught say of the new pictures.
    """
    values = findings.values[findings.values["measure"] == "EC"]
    people = values[values["head"] == "two people"]
    values = values[(values["pictures"] == values["people"]) & (values["head"] != "two people")]
    new, seen = (values[values["pictures"] == each] for each in (NEW, SEEN))
    y = names("head", new["head"].tolist(), labelLimit=190)
    plot = Plot(new, numbers("value", "EC with people", scale={"padding": 8}), y, hover=["head", "value"])
    band = alt.Chart(people[["low", "high"]].round(4)).mark_rect(color=ORANGE, opacity=BAND)
    plot.draw(band.encode(x=alt.X("low:Q", title=plot.x["title"]), x2="high:Q")).level(0)
    taught = new["head"].isin(findings.reach["head"])
    plot.spans(color=SLATE)
    for rows, look in (new[~taught], OLDER), (new[taught], NEWER):
        own = seen[seen["head"].isin(rows["head"])]
        plot.points(90, own, color=GREY, shape=look.shape).points(90, rows, color=look.fill, shape=look.shape)
    reach = findings.reach.drop_duplicates("head").rename(columns={"EC": "best"})
    plot.draw(plot.base(reach, x="best").mark_tick(color=BLACK, thickness=3, height=18))
    first = new[taught].head(1)["head"].item()
    ends = [seen.set_index("head")["value"][first], new.set_index("head")["value"][first], people["low"].iloc[0]]
    said = pd.DataFrame({"head": [first, first, new["head"].iloc[0]], "value": ends})
    said["words"] = ["in training", "new pictures", "two people"]
    plot.words("words", said[:2], **SAID).words("words", said[2:], **SAID | {"align": "left", "dx": 4})
    plot.words("words", reach[reach["head"] == first].assign(words="within reach"), x="best", **SAID | {"dy": 20})
    about = "EC of heads with people, on pictures that they learned from and on new ones."
    return plot.done(title, about, alt.Step(40))


def likeness_and_errors(maps: list[str], title: str) -> alt.LayerChart:
    """Draw what maps do to similarities of things, and what they do to errors on pictures."""
    likeness = labs.likeness().set_index("map").loc[[labs.RAW, *maps], ["rsa", "rsa_low", "rsa_high"]]
    found = labs.errors().query("measure == 'EC' and over.str.endswith('equally accurate', na=False)")
    rows = likeness.join(found.set_index("head")[["value", "low", "high"]]).rename_axis("map").reset_index()
    x = numbers("value", "correlation of similarities, and gain in EC", scale={"padding": 8})
    plot = Plot(rows, x, names("map", rows["map"].tolist()), hover=["map", "value", "low", "high"])
    of_things = rows.assign(value=rows["rsa"], low=rows["rsa_low"], high=rows["rsa_high"])
    plot.level(0).spans(data=of_things, color=SLATE).points(90, of_things, color=OLDER.fill, shape=OLDER.shape)
    diamonds(plot.spans(color=BLACK), 110)
    about = "For each map: how similarities of new things match people's, and what EC heads behind it gain."
    plot.words("said", of_things.head(1).assign(said="likeness of 48 new things to people's"), **SAID)
    plot.words("said", rows[1:2].assign(said="EC gained"), x="high", **SAID | BESIDE)
    return plot.done(title, about, alt.Step(40))


def tempted(title: str, subjects: list[str], systems: list[str]) -> alt.LayerChart:
    """Draw how often each system finds the wrong option that most students choose."""
    rows = labs.tempted()
    rows = rows[(rows["what"] == labs.FINDS) & rows["subject"].isin(subjects) & rows["system"].isin(systems)]
    rows = rows.assign(finding=rows["subject"] + ": " + rows["system"])
    y = names("finding", rows["finding"].tolist(), labelLimit=190)
    plot = Plot(rows, numbers("value", "favourite found"), y, hover=["system", "subject", "value", "low", "high"])
    plot.x["axis"] |= {"format": "%"}
    plot.dashed(1 / 3).spans(color=BLUE).points(80, color=BLUE, shape="square")
    about = "Share of questions on which a system's likeliest wrong option is that of most students."
    return plot.done(title, about, alt.Step(26), "lines: 95 % intervals over questions; dashed: guessing")


def board(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw a class's heads by their gain."""
    axes = numbers("value", "EC gained at equal accuracy"), names("student", table["student"].tolist())
    hover = ["student", "value", "low", "high", "place"]
    plot = Plot(table.assign(value=table["gain"]), *axes, hover=hover)
    diamonds(plot.level(0).spans(color=BLACK), 110)
    return plot.done(title, "Gains of a class's heads, with intervals.", alt.Step(32), "lines: 95 % intervals")
