"""The page on speed, ours beside what others take, and on what other packages give where values are known."""

import json
from fractions import Fraction

import altair as alt
import pandas as pd

from erralign.plot.colours import RAMP
from erralign.plot.grammar import Plot, factors, names
from erralign.plot.theme import Look
from erralign.sources.archives import data_folder

AMOUNTS = Look(RAMP[3]), Look(RAMP[1])  # the larger set is stronger


def speedups(ratios: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how many times as fast ours is as what a user would write, by data, with the range over several sets."""
    shown = ratios.assign(row=ratios["measure"] + " against " + ratios["opponent"]).round(2)
    rows, sets = shown["row"].unique(), sorted(shown["data"].unique(), reverse=True)
    x = factors("times", "erralign: how many times as fast", [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000])
    y = names("row", list(rows), labelExpr="split(datum.label, ' against ')", grid=True)
    hover = ["row", "data", "times", "low", "high"]
    plot = Plot(shown, x, y, look=("data", dict(zip(sets, AMOUNTS, strict=True))), hover=hover)
    plot.dashed(1).spans(strokeWidth=5).points(80)
    about = f"How many times as fast as the alternative, {len(rows)} rows."
    seen = "right of the dashed line erralign is faster; bars: from the least to the most of the 14 sets"
    return plot.done(title, about, 36 * len(rows), seen)


# ---- what other packages give for cases whose values are known ------------------------------------------------------


UNDEFINED = "undefined"


def read() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the cases by name, and what was recorded of other packages."""
    folder = data_folder() / "conformance"
    cases = json.loads((folder / "cases.json").read_text(encoding="utf-8"))["cases"]
    others = pd.read_csv(folder / "others.csv", dtype=str, keep_default_na=False)
    return pd.DataFrame(cases).set_index("name"), others


def compared(cases: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Set what each package gives for each case beside the value that it should have."""
    results = others[others["case"].isin(cases.index)]
    results = results.assign(result=results["result"].map(_shown))
    given = results.pivot(index="case", columns="package", values="result").reindex(cases.index)
    values = cases["value"].map(lambda value: UNDEFINED if pd.isna(value) else f"{float(Fraction(value)):.4f}")
    return given.assign(value=values)[["value", *given]].rename_axis(index="case", columns=None).fillna("–")


def _shown(result: str) -> str:
    """Return a number with four digits, or that there is none."""
    try:
        number = float(result)
    except ValueError:
        return "refused"
    return UNDEFINED if pd.isna(number) else f"{number:.4f}"
