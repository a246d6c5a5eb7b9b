"""What each loss gains, in training and on new pictures."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, SLATE
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import Look

PLACES = {"in-sample": "pictures and people in training", "grouped": "new pictures, new people"}
WHERE = dict(zip(PLACES.values(), (Look(SLATE, "square"), Look(BLACK)), strict=True))
PLACE_OF = {"EC": "1", "MA": "2", "CLES": "3"}  # among the rows, which go by measure


def gains(table: pd.DataFrame, axis: str, title: str) -> alt.LayerChart:
    """Draw differences with limits, a row per loss and one mark per place."""
    hover = ["loss", "where", "measure", "value", "low", "high"]
    shown = table[hover].sort_values(["measure", "loss"], key=lambda of: of.replace(PLACE_OF), ignore_index=True)
    beside = alt.YOffset("where:N", sort=list(WHERE))
    plot = Plot(shown, numbers("value", axis), names("loss"), look=("where", WHERE), hover=hover, offset=beside)
    return plot.level(0).spans().points().done(title, "Differences with 95 % intervals.", alt.Step(18))
