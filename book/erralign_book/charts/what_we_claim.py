"""Our own claims under all choices: a strip of marks for each."""

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK
from erralign.plot.parts import finish, layer
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.parts import line_through

CLEAR = {True: "interval leaves out 0", False: "interval contains 0, or there is none"}
LOOKS = dict(zip(CLEAR.values(), (Look(INK), Look(GREY)), strict=True))


def strips_of_choices(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row per claim, a mark for each choice; ours is longer."""
    order = list(found["claim"].unique())
    clear = found["verdict"].isin(["more", "less"]).map(CLEAR)
    columns = ["claim", "choice", "of_largest", "value", "low", "high", "ours"]
    x = alt.X("of_largest:Q", title="value as a share of the largest in its row", scale=alt.Scale(domain=[-1.05, 1.05]))
    y = alt.Y(
        "claim:N", sort=order, title=None, axis=alt.Axis(labelLimit=300, labelExpr="replace(datum.label, /-/g, ' ')")
    )
    hover = ["claim", "choice", "value", "low", "high"]
    base = alt.Chart(found[columns].round(4).assign(clear=clear))
    base = base.encode(x, y, colour("clear", LOOKS, legend=legend()), tooltip=hover)
    marks = base.mark_tick(thickness=2).encode(size=alt.condition("datum.ours", alt.value(18), alt.value(9)))
    about = f"{len(order)} claims with the value of each under all choices that were tried."
    words = "a mark per choice; ours is the long one"
    return finish(layer(line_through(0, x), marks), title, about, alt.Step(22), subtitle=words)
