"""What labs find of maps between likeness and errors."""

import altair as alt

from erralign.plot.colours import BLACK, BLUE, GREY, PAPER, SLATE
from erralign.plot.finishing import entitle
from erralign_book.cells import table


def likeness_and_errors(maps: list[str], title: str) -> alt.HConcatChart:
    """Draw what maps do to similarities of things, and what they do to errors on pictures."""
    columns, order = ["value", "low", "high"], ["no map", *maps]
    likeness = table("labs/likeness").set_index("map")[["rsa", "rsa_low", "rsa_high"]].set_axis(columns, axis=1)
    gained = table("labs/errors").query("measure == 'EC' and over.str.endswith('equally accurate', na=False)")
    panels: list[alt.LayerChart] = []
    for heading, axis, rows in (
        ("similarities of 48 new things", "correlation with people's", likeness),
        ("errors on 1,280 pictures", "EC gained", gained.set_index("head")[columns]),
    ):
        first = not panels
        rows = rows.reindex(order).rename_axis("map").reset_index().round(4)
        base = alt.Chart(rows).encode(alt.Y("map:N", sort=order, title=None, axis=alt.Axis(labels=first)))
        x = alt.X("value:Q", title=axis, scale=alt.Scale(padding=8), axis=alt.Axis(tickCount=3))
        zero = alt.Chart().mark_rule(color=GREY, strokeWidth=1.5).encode(x=alt.datum(0))
        lines = base.mark_rule(strokeWidth=2, color=SLATE if first else BLACK).encode(x="low:Q", x2="high:Q")
        points = base.encode(x, tooltip=["map", *columns])
        if first:
            points = points.mark_point(filled=True, opacity=1, size=90, color=BLUE, shape="square")
        else:
            clear = alt.condition("datum.low * datum.high > 0", alt.value(BLACK), alt.value(PAPER))
            points = points.mark_point(size=110, shape="diamond", opacity=1, stroke=BLACK, strokeWidth=2.5)
            points = points.encode(fill=clear)
        panels.append((zero + lines + points).properties(width=240, height=alt.Step(36), title=heading))
    about = "For each map: how similarities of new things match people's, and what EC heads behind it gain."
    under = "diamonds: over a head as accurate without the map; hollow: the interval contains 0"
    return entitle(alt.hconcat(*panels), title, about, subtitle=under)
