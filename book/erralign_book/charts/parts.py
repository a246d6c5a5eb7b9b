"""What several chapters' charts have beyond the library's parts: panels, sliders, lines to compare with."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY

DASHED = [6, 3]
DRAGGABLE = "draggable"  # the name of a mark that sets "across" and "up", from 0 to 1 of its panel, by dragging


def beside_each_other(panels: Sequence[alt.Chart | alt.LayerChart | alt.VConcatChart], columns: int) -> alt.ConcatChart:
    """Put panels beside each other; on a phone they are below each other."""
    return alt.concat(*panels, columns=columns).add_params(alt.param(name="stacked", value=False))


def slider(name: str, label: str, start: float, ends: tuple[float, float], step: float) -> alt.Parameter:
    """Let the reader move a number under the chart's title."""
    low, high = ends
    return alt.param(name=name, value=start, bind=alt.binding_range(min=low, max=high, step=step, name=f"{label} "))


def diagonal(x: alt.X, y: alt.Y, end: float = 1) -> alt.Chart:
    """Draw the dashed line on which both axes say the same."""
    ends = pd.DataFrame({axis["shorthand"].partition(":")[0]: [0, end] for axis in (x, y)})
    return alt.Chart(ends).mark_line(color=GREY, strokeWidth=1.5, strokeDash=DASHED).encode(x=x, y=y)
