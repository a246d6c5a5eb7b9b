"""Charts of the chapter on chance: what chance gives, and how far from it pairs are."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Plot, entitle, numbers
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import beside_each_other, observed_at
from erralign_book.charts.looks import FAR, USED

P_VALUE = "p-value, smaller higher up"
PANEL = 215  # pixels of one of two panels
SAID = {0.05: "0.05", 0.001: "1 in 1,000", 1e-6: "1 in a million", 1e-9: "1 in a billion", 1e-18: "1 in 10¹⁸"}
# Vega has no superscripts: 1e-12 is written 10⁻¹², from its two digits, and what is no power of ten not at all.
_EXACT = "(-log(datum.value) / LN10)"
_EXPONENT = f"round{_EXACT}"
_DIGITS = [
    f"substring('⁰¹²³⁴⁵⁶⁷⁸⁹', {digit}, {digit} + 1)" for digit in (f"floor({_EXPONENT} / 10)", f"{_EXPONENT} % 10")
]
_POWER = f"'10⁻' + ({_EXPONENT} > 9 ? {_DIGITS[0]} : '') + {_DIGITS[1]}"
POWER = f"datum.value >= 1 ? '1' : abs({_EXACT} - {_EXPONENT}) > 0.01 ? '' : {_POWER}"
_EC = numbers("EC", "error consistency (EC)", scale={"padding": 10})


def chance_histogram(values: np.ndarray, observed: float, title: str) -> alt.LayerChart:
    """Draw the values of EC that chance gives, and the observed one."""
    steps, draws = np.unique(np.round(values, 9), return_counts=True)
    half = np.diff(steps).min() / 2
    bars = pd.DataFrame({"value": steps, "from": steps - half, "to": steps + half, "draws": draws}).round(4)
    # A hair nearer, since the observed value is itself a step.
    bars["part"] = np.where(np.abs(steps) >= abs(observed) - 1e-6, *reversed(FAR))
    x = numbers("from", "error consistency by chance", scale={"nice": False, "zero": False}, grid=False)
    hover, y = [alt.Tooltip("value", title="error consistency"), "draws"], {"shorthand": "draws:Q", "axis": None}
    plot = Plot(bars, x, y, look=("part", FAR), hover=hover)
    tiles = plot.base().mark_rect().encode(**plot.colour, x2="to:Q", y2=alt.datum(0), tooltip=plot.hover)
    line, label = observed_at(observed, f"observed: {observed:.2f}", align="left", dx=6)
    plot.draw(line, tiles, label)  # the line does not cut its bar
    about = f"Histogram of EC by chance, simulated {len(values)} times, with a line at the observed {observed:.4g}."
    return plot.done(title, about, 240, "each bar is one possible value of EC")


def p_values(pairs: pd.DataFrame, title: str, *, level: float = 0.05) -> alt.LayerChart:
    """Draw p-values of mixed pairs against error consistency, large if significant after correction, too."""
    shown = pairs.assign(used=np.where(pairs["used"], *USED))
    y = _upwards(labelExpr=POWER, tickCount=6)
    plot = Plot(_rounded(shown), _EC, y, look=("used", USED), hover=_hover(shown), columns=0)
    plot.digits = {"EC": 4}  # p near 1e-50 must not become 0
    about = f"p-values of {len(pairs)} pairs against their error consistency."
    crosses = "" if pairs["used"].all() else "; crosses: conditions left out"
    size = alt.expr(f"datum.p_holm <= {level} ? 110 : 30")
    under = f"large: significant after correction, too{crosses}"
    return plot.points(size).dashed(level).draw(_named(level, y)).done(title, about, 320, under)


def p_by_pictures(pairs: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw p-values of mixed pairs against error consistency, in a panel for each number of pictures."""
    least, said = float(pairs["p"].min()), " : ".join(f"datum.value == {p} ? '{words}'" for p, words in SAID.items())
    x = _EC | {"scale": {"domain": pairs["EC"].agg(["min", "max"]).round(2).tolist(), "padding": 8, "nice": False}}
    panels: list[alt.LayerChart] = []
    for name, part in pairs.groupby("pictures", sort=False):
        y = _upwards(ends=(least, 1), ticks=list(SAID), labelExpr=f"{said} : ''")
        spots = pd.DataFrame({"EC": part["EC"].round(2), "p": np.log10(part["p"]).round(1)})
        shown = _rounded(part)[
            ~spots.duplicated().to_numpy()
        ]  # on one spot one mark: two colours each make a page slow
        plot = Plot(shown, x, y, hover=_hover(part), digits={"EC": 4})
        plot.points(40, color=KINDS["model-human"].fill, shape="square").dashed(0.05)
        panels.append(plot.drawn().properties(width=PANEL, height=280, title=str(name)))
    about = f"p-values of {len(pairs)} mixed pairs against their error consistency, in {len(panels)} panels."
    under = "a square: a person and a network; squares on one spot are drawn once; dashed: p = 0.05"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)


def _rounded(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs.assign(p=[float(f"{p:.3g}") for p in pairs["p"]])


def _hover(pairs: pd.DataFrame) -> list[Any]:
    return [*(str(column) for column in pairs if column != "p"), alt.Tooltip("p:Q", format=".2g")]


def _upwards(**axis: Any) -> dict[str, Any]:
    return numbers("p", P_VALUE, scale={"type": "log", "reverse": True, "nice": False, "padding": 10}, **axis)


def _named(level: float, y: dict[str, Any]) -> alt.Chart:
    label = alt.Chart(pd.DataFrame({"p": [level]})).encode(alt.Y(**y))
    return label.mark_text(x="width", dy=4, align="right", baseline="top", fontSize=12, text=f"p = {level:g}")
