"""Our numbers in the rows and columns as printed."""

from __future__ import annotations

import pandas as pd

from erralign.reproduction.klabunde2024.results import results
from erralign.reproduction.tables import printed_form

COUNTED = {"tests": "test", "measures": "measure", "architectures": "network", "data sets": "data"}


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed.

    Parameters
    ----------
    item : str
        ``"text"``: what can be counted in Tables 7 to 19, whose own values need networks that we have not trained.

    Returns
    -------
    pandas.DataFrame
        For :func:`erralign.reproduction.published.compare`; empty for another item.

    Examples
    --------
    >>> table("text").loc["benchmark", "architectures"].item()
    11
    """
    if item != "text":
        return printed_form([])
    every = results()
    return printed_form([("benchmark", counted, every[column].nunique()) for counted, column in COUNTED.items()])
