"""Our own claims under all choices: a strip of marks for each."""

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK
from erralign.plot.parts import finish, layer
from erralign.plot.theme import Look, colour, legend
from erralign_book.charts.parts import line_through

CLEAR = {True: "interval leaves out 0", False: "it contains 0, or is none"}
LOOKS = dict(zip(CLEAR.values(), (Look(INK), Look(GREY)), strict=True))


def strips_of_choices(found: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row per claim, a mark for each choice; ours is longer."""
    order = list(found["claim"].unique())
    clear = found["verdict"].isin(["more", "less"]).map(CLEAR)
    columns = ["claim", "choice", "of_largest", "value", "low", "high", "ours"]
    x = alt.X("of_largest:Q", title="share of the row's largest value", scale=alt.Scale(domain=[-1.05, 1.05]))
    # On a phone there is room for some twenty letters: longer names break at a hyphen behind the twelfth.
    words = "split(replace(replace(datum.label, /^(.{12,}?)-/, '$1|'), /-/g, ' '), '|')"
    y = alt.Y("claim:N", sort=order, title=None, axis=alt.Axis(labelLimit=160, labelExpr=words))
    hover = ["claim", "choice", "value", "low", "high"]
    base = alt.Chart(found[columns].round(4).assign(clear=clear))
    base = base.encode(x, y, colour("clear", LOOKS, legend=legend(columns=1)), tooltip=hover)
    marks = base.mark_tick(thickness=2).encode(size=alt.condition("datum.ours", alt.value(18), alt.value(9)))
    about = f"{len(order)} claims with the value of each under all choices that were tried."
    below = "a mark per choice; ours is the long one"
    return finish(layer(line_through(0, x), marks), title, about, alt.Step(28), subtitle=below)
