"""The file of printed numbers, as it was typed."""

from __future__ import annotations

from functools import cache

import pandas as pd

from erralign.sources.archives import data_folder


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
