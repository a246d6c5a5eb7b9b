"""What labs find of maps between likeness and errors."""

import altair as alt

from erralign.plot.colours import BLACK, SLATE
from erralign.plot.finishing import entitle
from erralign_book.cells import table
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.looks import OLDER
from erralign_book.charts.marks import Plot, names, numbers


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
    panels = [
        plot.drawn().properties(width=240, height=alt.Step(36), title=name)
        for name, plot in zip(named, plots, strict=True)
    ]
    return entitle(alt.hconcat(*panels), title, about, subtitle=under)
