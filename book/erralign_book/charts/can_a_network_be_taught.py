"""What each loss gains, in training and on new pictures."""

from __future__ import annotations

import altair as alt
import pandas as pd

from erralign.plot.colours import PURPLE, SLATE
from erralign.plot.parts import dots, finish, layer
from erralign.plot.theme import Look, colour, legend, shape
from erralign_book.charts.parts import line_through, span

PLACES = {"in-sample": "pictures and people in training", "grouped": "new pictures, new people"}
WHERE = dict(zip(PLACES.values(), (Look(SLATE, "square"), Look(PURPLE)), strict=True))
PLACE_OF = {"EC": "1", "MA": "2", "CLES": "3"}  # among the rows, which go by measure


def gains(table: pd.DataFrame, axis: str, title: str) -> alt.LayerChart:
    """Draw differences with limits, a row per loss and one mark per place."""
    shown = table[["loss", "where", "measure", "value", "low", "high"]].round(4)
    shown = shown.sort_values(["measure", "loss"], key=lambda of: of.replace(PLACE_OF), ignore_index=True)
    entries = legend(columns=1)  # beside each other they are wider than a phone
    scale = alt.YOffset("where:N", sort=list(WHERE))
    y = alt.Y("loss:N", title=None, sort=None)
    base = alt.Chart(shown).encode(y, scale, colour("where", WHERE, legend=entries))
    x, hover = alt.X("value:Q", title=axis), ["loss", "where", "measure", "value", "low", "high"]
    point = dots(base, 60).encode(x, shape("where", WHERE, legend=entries), tooltip=hover)
    drawn = layer(line_through(0, x), span(base, x, strokeWidth=1.5), point)
    return finish(drawn, title, "Differences with 95 % intervals.", alt.Step(18))
