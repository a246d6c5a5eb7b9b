"""What labs find: gains of heads, maps between likeness and errors, which wrong option a head foresees."""

import altair as alt

from erralign.plot.colours import BLACK, BLUE, GREY, ORANGE, SLATE
from erralign.plot.finishing import entitle
from erralign.plot.theme import BAND
from erralign.training import Findings
from erralign_book.cells import table
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.looks import NEWER, OLDER
from erralign_book.charts.marks import Plot, names, numbers

NEW, SEEN = "new", "seen"


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
    about = "EC of heads with people, on pictures that they learned from and on new ones."
    under = "in two colours: new pictures; grey: in training; upright: within reach; band: two people"
    return plot.done(title, about, alt.Step(32), under)


def likeness_and_errors(maps: list[str], title: str) -> alt.HConcatChart:
    """Draw what maps do to similarities of things, and what they do to errors on pictures."""
    columns, order = ["value", "low", "high"], ["no map", *maps]
    likeness = table("labs/likeness").set_index("map")[["rsa", "rsa_low", "rsa_high"]].set_axis(columns, axis=1)
    gained = table("labs/errors").query("measure == 'EC' and over.str.endswith('equally accurate', na=False)")
    named = {"similarities of 48 new things": "correlation with people's", "errors on 1,280 pictures": "EC gained"}
    plots: list[Plot] = []
    for rows, x in zip((likeness, gained.set_index("head")[columns]), named.values(), strict=True):
        rows = rows.reindex(order).rename_axis("map").reset_index()
        y = names("map", order, labels=not plots)
        plots.append(Plot(rows, numbers("value", x, scale={"padding": 8}, tickCount=3), y, hover=["map", *columns]))
    plots[0].level(0).spans(color=SLATE).points(90, color=OLDER.fill, shape=OLDER.shape)
    diamonds(plots[1].level(0).spans(color=BLACK), 110)
    about = "For each map: how similarities of new things match people's, and what EC heads behind it gain."
    under = "diamonds: over a head as accurate without the map; hollow: the interval contains 0"
    return _in_panels(dict(zip(named, plots, strict=True)), 240, alt.Step(36), title, about, under)


def tempted(title: str, subjects: list[str], systems: dict[str, str]) -> alt.HConcatChart:
    """Draw how often each system, under the name that it is given, finds the wrong option that most students choose."""
    rows = (
        table("labs/tempted")
        .query("what == 'finds the favourite' and subject in @subjects")
        .replace({"system": systems})
    )
    rows = rows[rows["system"].isin(systems.values())]
    ends = rows["low"].min() - 0.02, rows["high"].max() + 0.02
    plots: dict[str, Plot] = {}
    for subject in subjects:
        y = names("system", list(systems.values()), labels=not plots)
        x = numbers("value", "favourite found", ends=ends, ticks=(0.2, 0.4, 0.6))
        plot = Plot(rows[rows["subject"] == subject], x, y, hover=["system", "value", "low", "high"])
        plots[subject] = plot.dashed(1 / 3).spans(color=BLUE).points(80, color=BLUE, shape="square")
    about = "Share of questions on which a system's likeliest wrong option is that of most students."
    return _in_panels(plots, 150, alt.Step(28), title, about, "lines: 95 % intervals over questions; dashed: guessing")


def _in_panels(
    plots: dict[str, Plot], width: int, height: alt.Step, title: str, about: str, under: str
) -> alt.HConcatChart:
    panels = [plot.drawn().properties(width=width, height=height, title=name) for name, plot in plots.items()]
    return entitle(alt.hconcat(*panels), title, about, subtitle=under)
