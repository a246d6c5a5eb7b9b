"""The chart of the page on speed: how time grows."""

import altair as alt
import pandas as pd

from erralign.plot.parts import finish
from erralign.plot.theme import colour, shape
from erralign_book.charts.looks import cases

MEASURES = ["EC", "MA", "CLES"]


def growth(scale: pd.DataFrame, title: str) -> alt.Chart:
    """Draw how the time of all pairs grows with their number, one line per measure."""
    looks = cases(MEASURES)
    lines = alt.Chart(scale).mark_line(point=alt.OverlayMarkDef(filled=True, size=70))
    lines = lines.encode(
        alt.X("pairs:Q", title="pairs (logarithmic)", scale=alt.Scale(type="log", nice=False, padding=14)),
        alt.Y("seconds:Q", title="seconds (logarithmic)", scale=alt.Scale(type="log")),
        colour("measure", looks, sort=MEASURES),
        shape("measure", looks, sort=MEASURES),
        tooltip=["measure", "systems", "pairs", "seconds", alt.Tooltip("peak_mb", title="peak memory, MB")],
    )
    return finish(lines, title, "Seconds against the number of pairs for EC, MA and CLES.", 280)
