"""p-values of pairs: how far they are from chance."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign_book.charts.looks import USED
from erralign_book.charts.marks import Plot, numbers

P_VALUE = "p-value, smaller higher up"
# Vega has no superscripts: 1e-12 is written 10⁻¹², from its two digits, and what is no power of ten not at all.
_EXACT = "(-log(datum.value) / LN10)"
_EXPONENT = f"round{_EXACT}"
_DIGITS = [
    f"substring('⁰¹²³⁴⁵⁶⁷⁸⁹', {digit}, {digit} + 1)" for digit in (f"floor({_EXPONENT} / 10)", f"{_EXPONENT} % 10")
]
_POWER = f"'10⁻' + ({_EXPONENT} > 9 ? {_DIGITS[0]} : '') + {_DIGITS[1]}"
POWER = f"datum.value >= 1 ? '1' : abs({_EXACT} - {_EXPONENT}) > 0.01 ? '' : {_POWER}"
_EC = numbers("EC", "error consistency (EC)", scale={"padding": 10})


def p_values(pairs: pd.DataFrame, title: str, *, level: float = 0.05) -> alt.LayerChart:
    """Draw p-values of mixed pairs against error consistency, large if significant after correction, too."""
    rows = pairs.assign(used=np.where(pairs["used"], *USED))
    y = _upwards(labelExpr=POWER, tickCount=6)
    plot = Plot(_rounded(rows), _EC, y, look=("used", USED), hover=_hover(rows), legend=False)
    plot.digits = {"EC": 4}  # p near 1e-50 must not become 0
    about = f"p-values of {len(pairs)} pairs against their error consistency."
    crosses = "" if pairs["used"].all() else "; crosses: conditions left out"
    size = alt.expr(f"datum.p_holm <= {level} ? 110 : 30")
    under = f"large: significant after correction, too{crosses}"
    return plot.points(size).dashed(level).draw(_named(level, y)).done(title, about, 320, under)


def _rounded(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs.assign(p=[float(f"{p:.3g}") for p in pairs["p"]])


def _hover(pairs: pd.DataFrame) -> list[Any]:
    return [*(str(column) for column in pairs if column != "p"), alt.Tooltip("p:Q", format=".2g")]


def _upwards(**axis: Any) -> dict[str, Any]:
    return numbers("p", P_VALUE, scale={"type": "log", "reverse": True, "nice": False, "padding": 10}, **axis)


def _named(level: float, y: dict[str, Any]) -> alt.Chart:
    label = alt.Chart(pd.DataFrame({"p": [level]})).encode(alt.Y(**y))
    return label.mark_text(x="width", dy=4, align="right", baseline="top", fontSize=12, text=f"p = {level:g}")
