"""Charts of the chapter on chance: what chance gives, and how far from it pairs are."""

from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import SLATE
from erralign.plot.parts import dots, finish, layer, line_at
from erralign.plot.theme import colour, legend, shape
from erralign_book.charts.looks import FAR, SIGNIFICANT, USED, cases
from erralign_book.charts.parts import DASHED

P_VALUE = "p-value, smaller higher up"


def chance_histogram(values: np.ndarray, observed: float, title: str) -> alt.LayerChart:
    """Draw the error consistencies that chance gives at fixed accuracies, and the observed one among them."""
    bars = alt.Chart(_steps(values, observed)).mark_rect()
    bars = bars.encode(
        alt.X("from:Q", title="error consistency by chance", scale=alt.Scale(nice=False, zero=False)),
        alt.Y("draws:Q", title="simulated experiments"),
        colour("part", FAR, legend=legend(columns=1)),
        x2="to:Q",
        y2=alt.datum(0),
        tooltip=["EC", "draws"],
    )
    seen = alt.Chart(pd.DataFrame({"observed": [round(float(observed), 4)]})).encode(x="observed:Q")
    rule = seen.mark_rule(color=SLATE, strokeWidth=3).encode(tooltip=["observed"])
    named = seen.mark_text(align="right", dx=-6, y=8, text="observed", fontSize=13, color=SLATE, fontWeight="bold")
    about = f"Histogram of {len(values)} error consistencies by chance around 0, with a line at the observed "
    return finish(layer(bars, rule, named), title, f"{about}{observed:.2f}.", 240)


def _steps(values: np.ndarray, observed: float) -> pd.DataFrame:
    steps, draws = np.unique(np.round(values, 9), return_counts=True)
    half = np.diff(steps).min() / 2
    bars = pd.DataFrame({"EC": steps, "from": steps - half, "to": steps + half, "draws": draws}).round(4)
    nearer, as_far = FAR
    # A hair nearer, since the observed value is itself a step.
    return bars.assign(part=np.where(np.abs(steps) >= abs(observed) - 1e-6, as_far, nearer))


def p_values(
    pairs: pd.DataFrame, title: str, *, by: Literal["trials", "significant"], level: float = 0.05
) -> alt.LayerChart:
    """Draw p-values against error consistency, one point per pair."""
    shown = pairs if by == "trials" else _judged(pairs, level)
    # Four digits are plenty; p near 1e-50 must not become 0.
    rounded = shown.round({"EC": 4}).assign(p=[float(f"{p:.3g}") for p in pairs["p"]])
    points = dots(alt.Chart(rounded), 36).encode(
        alt.X("EC:Q", title="error consistency (EC)"),
        _upside_down(),
        *_looks_of_p(shown, by),
        tooltip=[*(str(column) for column in shown if column != "p"), alt.Tooltip("p:Q", format=".2g")],
    )
    label = alt.Chart(pd.DataFrame({"p": [level]})).encode(_upside_down())
    label = label.mark_text(x="width", dy=4, align="right", baseline="top", fontSize=12, text=f"p = {level:g}")
    about = f"p-values of {len(pairs)} pairs against their error consistency."
    subtitle = "crosses: conditions left out" if by == "significant" and not pairs["used"].all() else None
    drawn = layer(points, line_at(level, P_VALUE, strokeDash=DASHED), label)
    return finish(drawn, title, about, 320, subtitle=subtitle)


def _upside_down() -> alt.Y:
    scale = alt.Scale(type="log", reverse=True, nice=False, padding=6)
    return alt.Y("p:Q", title=P_VALUE, axis=alt.Axis(format=".0e", tickCount=6), scale=scale)


def _judged(pairs: pd.DataFrame, level: float) -> pd.DataFrame:
    *found, not_found = SIGNIFICANT
    significant = np.select([pairs["p_holm"] <= level, pairs["p"] <= level], found, not_found)
    return pairs.assign(significant=significant, used=np.where(pairs["used"], *USED))


def _looks_of_p(pairs: pd.DataFrame, by: str) -> tuple[alt.Color, alt.Shape]:
    if by == "trials":
        sizes, words = cases(pairs["trials"]), legend(columns=1)
        return colour("trials", sizes, legend=words), shape("trials", sizes, legend=words)
    # Two legends do not fit a phone; the subtitle names the crosses.
    words = legend(columns=2)
    return colour("significant", SIGNIFICANT, title="significant", legend=words), shape("used", USED, legend=None)
