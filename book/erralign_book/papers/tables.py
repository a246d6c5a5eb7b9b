"""Two forms that result tables of several papers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd


def each_data_set(table: Callable[[str], pd.DataFrame], data_sets: Iterable[str]) -> pd.DataFrame:
    """Put the tables of several data sets below each other.

    Parameters
    ----------
    table : callable
        Takes a data set's name, returns its table.
    data_sets : iterable of str
        The names.

    Returns
    -------
    pandas.DataFrame
        ``data_set`` and the columns of the tables.

    Examples
    --------
    >>> each_data_set(lambda name: pd.DataFrame({"letters": [len(name)]}), ["colour", "edges"])
      data_set  letters
    0   colour        6
    1    edges        5
    """
    names = list(data_sets)
    parts = [table(name).assign(data_set=name) for name in names]
    together = pd.concat(parts, ignore_index=True)
    return together[["data_set", *together.columns.drop("data_set")]]


def printed_form(facts: Iterable[tuple[str, str, float]]) -> pd.DataFrame:
    """Arrange single facts in the rows and columns as printed.

    Parameters
    ----------
    facts : iterable of tuple
        Row, column and value; no row and column twice.

    Returns
    -------
    pandas.DataFrame
        Indexed by row; nan where there is no fact. For :func:`erralign_book.papers.published.compare`.

    Examples
    --------
    >>> printed_form([("colour", "people", 4), ("colour", "images", 1280)]).loc["colour", "images"].item()
    1280
    """
    return pd.DataFrame(facts, columns=["row", "column", "value"]).pivot(index="row", columns="column", values="value")
