"""What other packages give for cases whose values are known."""

import json
from fractions import Fraction

import pandas as pd

from erralign_book.files import data_folder

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
    by_package = results.pivot(index="case", columns="package", values="result").reindex(cases.index)
    values = cases["value"].map(lambda value: UNDEFINED if pd.isna(value) else f"{float(Fraction(value)):.4f}")
    return by_package.assign(value=values)[["value", *by_package]].rename_axis(index="case", columns=None).fillna("–")


def _shown(result: str) -> str:
    """Return a number with four digits, or that there is none."""
    try:
        number = float(result)
    except ValueError:
        return "refused"
    return UNDEFINED if pd.isna(number) else f"{number:.4f}"
