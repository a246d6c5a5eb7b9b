"""Public data by name."""

import pandas as pd

from erralign._validation import expected
from erralign.datasets.answers import Paths, read_answers
from erralign.datasets.archives import bring, fetch, is_there
from erralign.datasets.data_sets import DataSet, record, records
from erralign.datasets.guests import with_guests
from erralign.datasets.logs import read_logs
from erralign.responses import Responses

__all__ = ["catalog", "is_here", "load", "material", "read_answers", "read_logs"]


def catalog(paper: str = "") -> pd.DataFrame:
    """List the data sets that :func:`load` knows.

    Parameters
    ----------
    paper : str
        What their names begin with, such as ``"xu2024"``. Default: all data sets.

    Returns
    -------
    pandas.DataFrame
        One row per data set: ``name``, ``printed`` (its name in the paper; empty where it is not known), ``paper``,
        ``kind`` (as the paper calls it, such as synthetic), ``trials``, ``systems``, of which ``people`` and
        ``models``, ``classes``, ``truth`` (what the true class of a trial is), ``note`` (how it differs from another
        data set), ``source`` (repository and commit), ``licence``.

    Examples
    --------
    >>> catalog("xu2024").set_index("name").loc["xu2024/stylized", ["trials", "people", "models"]].astype(int).tolist()
    [800, 5, 22]
    """
    columns = ["name", "printed", "paper", "kind", "trials", "systems", "people", "models", "classes"]
    columns += ["truth", "note", "source", "licence"]
    every = [data_set for name, data_set in records().items() if not paper or name.split("/")[0] == paper]
    if not every:
        papers = list(dict.fromkeys(name.split("/")[0] for name in records()))
        raise ValueError(f"no data set is of {paper!r}; {expected(paper, papers)}")
    return pd.DataFrame([[getattr(data_set, column) for column in columns] for data_set in every], columns=columns)


def is_here(name: str) -> bool:
    """Return whether :func:`load` can load a data set without the network."""
    return all(map(is_there, _named(name).archives))


def load(name: str, *, guest: Paths = "", download: bool = False) -> Responses:
    r"""Load a public data set: what every system answered on every trial, and what systems of yours did.

    Parameters
    ----------
    name : str
        A name in :func:`catalog`, such as ``"xu2024/stylized"``; or ``"geirhos2020"``, its three sets as one.
    guest : path, or sequence of paths
        Files with answers of your own systems to this data set, as :func:`read_answers` reads them, or folders with a
        file for each data set, as ``erralign run --data all --out FOLDER`` writes them: of these, the one whose name
        ends with that of the data set, such as ``answers-geirhos2020-edges.csv``, is read, and none where there is
        none. Default: no guest.
    download : bool
        Whether archives of more than 20 MB are fetched, too. Smaller ones that are not on this machine are fetched
        anyway, once, with a line that says so, unless the environment has ``ERRALIGN_OFFLINE=1``.

    Returns
    -------
    Responses
        The true classes, the answers, the names of the classes, and what the systems are. Guests come last and are
        listed by ``.guests``; in ``.systems`` their ``family`` is ``guest``, their ``source`` the file, and their
        ``kind`` is ``model``, or what the file ``….models.csv`` beside the answers says. ``(yours)`` stands behind a
        name that a stored system has, too.

    Raises
    ------
    ValueError
        The catalogue does not list the name, or a guest lacks trials, and no ``note`` in ``….models.csv`` says that it
        was shown fewer; where one does, all systems are compared on the trials that it has.
    DataError
        The data are not on this machine and too large to be fetched unasked, or the network is forbidden or does not
        answer; or they are damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     said = ["cat"] * 5 + ["dog"] * 3 + ["fox"] * 4
    ...     lines = [f"{picture},{answer}" for picture, answer in enumerate(said, start=1)]
    ...     _ = file.write_text("\n".join(["image,my-net", *lines]))
    ...     pictures = load("example/twelve-pictures", guest=file)
    >>> pictures.guests
    ['my-net']
    """
    data_set = _named(name)
    for key in data_set.archives:
        if download:
            fetch(key)
        else:
            bring(key, f'erralign.load("{name}", download=True)  (on the command line: --download)')
    responses = data_set.read()
    if guest:
        responses = with_guests(responses, guest)
    return responses


def material(responses: Responses) -> pd.DataFrame | None:
    """Return what trials of a data set share with other trials, for ``clusters=`` of intervals.

    Each of the 1,280 pictures of cue conflict has its shape from one of 160 photographs and its texture from one of 48.
    """
    data_set = record(responses.name)
    return data_set.clusters(responses.truth.index) if data_set and data_set.clusters else None


def _named(name: str) -> DataSet:
    data_set = record(name)
    if data_set is None:
        every = f"erralign.catalog() lists all {len(records())}"
        raise ValueError(f"no data set is called {name!r}; {expected(name, records())} ({every})")
    return data_set
