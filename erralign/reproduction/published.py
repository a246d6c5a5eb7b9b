"""Numbers that papers print, set beside ours."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pandas as pd

from erralign.sources.archives import data_folder

NOT_COMPUTABLE = "not computable here"


@cache
def published() -> pd.DataFrame:
    """Return every printed number and every figure of the papers.

    Returns
    -------
    pandas.DataFrame
        ``paper``, ``item`` (``Table 1``, ``Figure 4``, ``text``), ``row``, ``column``, ``printed`` (text as printed,
        since its digits are its precision; empty for a figure without numbers), ``kind`` (table, text, figure),
        ``note``.

    Examples
    --------
    >>> published().groupby(["paper", "item"]).size()["xu2024", "Table 1"].item()
    102
    """
    return pd.read_csv(data_folder() / "published.csv", dtype=str, keep_default_na=False)


def compare(ours: pd.DataFrame, paper: str, item: str) -> pd.DataFrame:
    """Set our numbers beside the printed ones of one item.

    Parameters
    ----------
    ours : pandas.DataFrame
        Indexed by the printed rows, with the printed columns.
    paper : str
        ``"xu2024"``, ``"geirhos2020"``.
    item : str
        ``"Table 1"``, ``"text"`` …

    Returns
    -------
    pandas.DataFrame
        ``row``, ``column``, ``printed``, ``ours``, ``difference``, ``verdict``: ``reproduced`` when ours rounds to what
        is printed (either way at an exact tie), else ``differs``; ``not computable here`` where ``note`` says why.

    Raises
    ------
    ValueError
        An item without numbers, or a printed number that ours lacks and no note excuses; the message names it.
    """
    rows = published()
    rows = rows[(rows["paper"] == paper) & (rows["item"] == item) & (rows["printed"] != "")]
    if rows.empty:
        raise ValueError(f"{paper}, {item} has no row with a number in data/published.csv")
    return pd.DataFrame([_compare_row(row, ours) for row in rows.itertuples()])


def _compare_row(row, ours: pd.DataFrame) -> dict:
    common = {"row": row.row, "column": row.column, "printed": row.printed}
    if row.note.startswith(NOT_COMPUTABLE):
        return common | {"ours": float("nan"), "difference": float("nan"), "verdict": NOT_COMPUTABLE}
    if row.row not in ours.index or row.column not in ours.columns:
        raise ValueError(
            f"{row.paper}, {row.item}: {row.row}, {row.column} is printed, but ours lacks it; compute it, or "
            f"write '{NOT_COMPUTABLE}: <reason>' in its note"
        )
    value = float(ours.loc[row.row, row.column])
    verdict = "reproduced" if rounds_to(value, row.printed) else "differs"
    return common | {"ours": value, "difference": value - float(row.printed), "verdict": verdict}


def rounds_to(value: float, printed: str) -> bool:
    """Say whether a number rounds to what is printed, either way at an exact tie.

    Parameters
    ----------
    value : float
        Our number.
    printed : str
        The number as printed; its digits are its precision.

    Returns
    -------
    bool
        False for NaN.

    Examples
    --------
    >>> rounds_to(0.4049, "0.40"), rounds_to(0.4051, "0.40"), rounds_to(0.405, "0.40"), rounds_to(0.405, "0.41")
    (True, False, True, True)
    """
    half_a_digit = 0.5 * 10.0 ** Decimal(printed).as_tuple().exponent
    # A little more, for ties that floating-point numbers miss; relative, since some p-values are smaller than 1e-10.
    return abs(value - float(printed)) <= half_a_digit * (1 + 1e-9)


def figures(paper: str) -> pd.DataFrame:
    """Return the verdict on every item of a paper that prints no numbers.

    Parameters
    ----------
    paper : str
        ``"xu2024"``, ``"geirhos2020"``.

    Returns
    -------
    pandas.DataFrame
        ``item``, ``verdict`` (``redrawn`` or ``not computable here``), ``note`` (where, or why).
    """
    rows = published()
    rows = rows[(rows["paper"] == paper) & (rows["printed"] == "")]
    parts = rows["note"].str.partition(": ")
    return pd.DataFrame({"item": rows["item"], "verdict": parts[0], "note": parts[2]}).reset_index(drop=True)
