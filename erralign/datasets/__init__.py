"""Public data by name."""

import pandas as pd

from erralign._validation import expected
from erralign.datasets.archives import fetch, is_there
from erralign.datasets.data_sets import DataSet, records
from erralign.datasets.logs import read_logs
from erralign.datasets.own import read_answers
from erralign.responses import Responses

__all__ = ["catalog", "is_here", "load", "material", "read_answers", "read_logs"]


def catalog() -> pd.DataFrame:
    """List the data sets that :func:`load` knows.

    Returns
    -------
    pandas.DataFrame
        One row per data set: ``name``, ``paper``, ``trials``, ``systems``, ``classes``, ``truth`` (what the true class
        of a trial is), ``note`` (how it differs from another data set), ``source`` (repository and commit),
        ``licence``.

    Examples
    --------
    >>> catalog().set_index("name").loc["xu2024/stylized", ["trials", "systems"]].astype(int).tolist()
    [800, 27]
    """
    columns = ["name", "paper", "trials", "systems", "classes", "truth", "note", "source", "licence"]
    rows = [
        (each.name, each.paper, *each.size, *(getattr(each, name) for name in columns[5:]))
        for each in records().values()
    ]
    return pd.DataFrame(rows, columns=columns)


def is_here(name: str) -> bool:
    """Return whether :func:`load` can load a data set without the network."""
    return all(map(is_there, _named(name).archives))


def load(name: str, *, download: bool = False) -> Responses:
    """Load a public data set: what every system answered on every trial.

    Parameters
    ----------
    name : str
        A name in :func:`catalog`, such as ``"xu2024/stylized"``.
    download : bool
        Whether to fetch what is not on this machine. By default, nothing is fetched from the internet.

    Returns
    -------
    Responses
        The true classes, the answers, the names of the classes, and what the systems are.

    Raises
    ------
    ValueError
        The catalogue does not list the name.
    DataError
        The data are not on this machine, or damaged.
    """
    data_set = _named(name)
    for key in data_set.archives if download else ():
        fetch(key)
    return data_set.read()


def material(responses: Responses) -> pd.DataFrame | None:
    """Return what trials of a data set share with other trials, for ``clusters=`` of intervals.

    Each of the 1,280 pictures of cue conflict has its shape from one of 160 photographs and its texture from one of 48.
    """
    data_set = records().get(responses.name)
    return data_set.clusters(responses.truth.index) if data_set and data_set.clusters else None


def _named(name: str) -> DataSet:
    if name not in records():
        every = f"erralign.catalog() lists all {len(records())}"
        raise ValueError(f"no data set is called {name!r}; {expected(name, records())} ({every})")
    return records()[name]
