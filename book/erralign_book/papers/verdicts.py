"""What chapters set beside each other: the numbers that a paper prints, and ours; and what its authors released."""

from __future__ import annotations

from typing import Any

import pandas as pd

from erralign.plot.html import MARKS, UNLIKE
from erralign.plot.theme import number
from erralign_book.papers.published import compare
from erralign_book.papers.tables import published
from erralign_book.papers.xu2024.pair_scores import released_pairs


def printed(paper: str, item: str) -> pd.DataFrame:
    """Return a table as a paper prints it.

    Parameters
    ----------
    paper, item : str
        Such as ``"xu2024"`` and ``"Table 1"``; ``data/published.csv`` lists all.

    Returns
    -------
    pandas.DataFrame
        The numbers as text, since their digits are their precision, in the printed rows and columns; an empty text
        where nothing is printed. ``attrs`` names the paper and the item.

    Raises
    ------
    ValueError
        When no number of such an item is on record.
    """
    rows = published().query("paper == @paper and item == @item and printed != ''")
    if rows.empty:
        raise ValueError(f"{paper}, {item} has no row with a number in data/published.csv")
    wide = rows.pivot(index="row", columns="column", values="printed").fillna("")
    wide = wide.loc[rows["row"].unique(), rows["column"].unique()].rename_axis(index=None, columns=None)
    wide.attrs.update(paper=paper, item=item)
    return wide


def beside(ours: pd.DataFrame, printed: pd.DataFrame, spread: pd.DataFrame | None = None) -> pd.DataFrame:
    """Set our numbers beside printed ones, each with a verdict: does ours round to what is printed?

    Parameters
    ----------
    ours : DataFrame
        Our numbers, in the printed rows and columns; it may have more of them.
    printed : DataFrame
        What :func:`printed` returns, or some rows and columns of it.
    spread : DataFrame, optional
        For scores of networks trained again: how far one more set of seeds may be from the mean of ours.

    Returns
    -------
    pandas.DataFrame
        The printed table. Where ours differs, it stands after ``≠``. ``attrs["differ"]`` counts these, and
        ``attrs["compared"]`` all that were compared.

    Raises
    ------
    ValueError
        When ours lacks a printed number that its note does not excuse.
    """
    cells = {(row, column) for row in printed.index for column in printed.columns if printed.loc[row, column]}
    verdicts = compare(ours, printed.attrs["paper"], printed.attrs["item"], spread, cells)
    shown = printed.copy()
    rows: Any = verdicts.itertuples()
    for line in rows:
        if line.verdict in MARKS["differs"]:
            digits = len(line.printed.partition(".")[2])
            shown.loc[line.row, line.column] = f"{line.printed} {UNLIKE} {number(line.ours, digits)}"
    known = verdicts["ours"].notna()
    differ, compared = int((verdicts["verdict"].isin(MARKS["differs"]) & known).sum()), int(known.sum())
    print(f"{printed.attrs['item']}: {compared - differ} of {compared} numbers as printed")
    shown.attrs.update(differ=differ, compared=compared)
    return shown


def released(data_set: str) -> pd.DataFrame:
    """Read the values that authors released for all pairs of a data set: shown where the archive is, never committed.

    Parameters
    ----------
    data_set : str
        ``xu2024/<name>``.

    Returns
    -------
    pandas.DataFrame
        A row per pair: ``system_a``, ``system_b``, and the authors' ``EC``, ``MA``, ``CLES``, ``CKA``, ``SOC``,
        ``SOCE``.

    Raises
    ------
    DataError
        When the archive is not on this machine.
    """
    pairs: Any = released_pairs(data_set.removeprefix("xu2024/"))
    return pairs.rename(columns=lambda name: name if name.startswith("system") else name.upper())
