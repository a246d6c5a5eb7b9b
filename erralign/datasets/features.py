"""What a reader's networks compute of known trials, or how sure they are: read from files, by the ids of the trials."""

from collections.abc import Collection, Iterable, Iterator
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from erralign._validation import as_array, check_once, shown
from erralign.datasets.answers import Paths
from erralign.datasets.guests import ALONE, CONFIDENCES, files_for
from erralign.datasets.tables import read_table
from erralign.files import arrays_in

_FORMS = (
    "expected an .npz file as `erralign features MODEL --data NAME` writes it, with ids and an array for each network: "
    "numpy.savez('mine.npz', ids=ids, my_net=features)"
)


def features_of_guests(
    guest_features: Paths,
    data_set: str,
    trials: pd.Index | pd.Series,
    *,
    taken: Collection[str] = (),
    partial: bool = False,
) -> dict[str, pd.DataFrame]:
    """Read what a reader's networks compute of some trials, whose rows are found by their ids.

    Parameters
    ----------
    guest_features : path, or sequence of paths
        Files with features: ``.npz`` with ``ids``, one per row, and an array for each network, as
        ``erralign features`` writes it; or ``.csv`` with an id in the first column and numbers in the others, of one
        network, called as the file is. Of a folder, those ``.npz`` whose names end as the data set is called, such as
        ``features-geirhos2020-edges.npz``. Empty: none.
    data_set : str
        What the trials are called in names of files, such as ``"geirhos2020/edges"``.
    trials : pandas.Index or pandas.Series
        Their ids. Others in a file are passed over.
    taken : collection of str
        Names of other systems: a network called as one of these is set apart.
    partial : bool
        Whether a file may lack some of the trials, such as those without a public picture: their rows are nan.

    Returns
    -------
    dict of str to pandas.DataFrame
        By network: a row per trial in the order of ``trials``, and a column per feature.

    Raises
    ------
    ValueError
        No such file, or one in another form; trials are missing or there twice; features are no finite numbers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.npz")
    ...     np.savez(file, ids=["b", "a"], my_net=[[3.0, 4.0], [1.0, 2.0]])
    ...     mine = features_of_guests(file, "things", pd.Index(["a", "b"]))
    >>> mine["my_net"].to_numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    wanted, mine = pd.Index(trials), {}
    for file in _files(guest_features, data_set):
        arrays = _arrays(file)
        ids = pd.Index(arrays.pop("ids").astype(str))
        rows = _rows_of(wanted, ids, file.name, partial)
        for network, array in arrays.items():
            name = f"{network}{ALONE}" if network in taken else network
            if name in mine:
                raise ValueError(f"{file.name} has {network}, as another file has; give one of them another name")
            if array.shape[:1] != (len(ids),):
                raise ValueError(
                    f"{network} in {file.name} has the shape {array.shape}, and there are {len(ids):,} ids; expected "
                    "one row per id and one column per feature"
                )
            mine[name] = _numbers(array, rows, wanted, f"{network} in {file.name}")
    return mine


def confidences_of_guests(
    guest: Paths,
    data_set: str,
    trials: pd.Index,
    classes: Iterable[str],
    *,
    taken: Collection[str] = (),
    partial: bool = False,
) -> dict[str, pd.DataFrame]:
    """Read how sure a reader's models are of each class, from the file that ``erralign run`` writes beside answers.

    Parameters
    ----------
    guest : path, or sequence of paths
        Files or folders with answers, as :func:`erralign.load` takes them. Beside ``answers.csv``, the file
        ``answers.confidences.csv`` has a row per model and trial, columns ``model`` and the trial's, and one per class.
    data_set, trials, taken, partial
        As for :func:`features_of_guests`.
    classes : iterable of str
        The columns to read, in this order.

    Returns
    -------
    dict of str to pandas.DataFrame
        By model, and only of those files that have confidences beside them.

    Raises
    ------
    ValueError
        Trials or classes are missing, or confidences are no finite numbers.
    """
    mine: dict[str, pd.DataFrame] = {}
    for answers in files_for(data_set, guest) if guest else []:
        file = answers.with_suffix(CONFIDENCES)
        if not file.is_file():
            continue
        table = read_table(file)
        wanted = ["model", *trials.names, *classes]
        if lacking := [column for column in wanted if column not in table]:
            raise ValueError(f"{file.name} has no column {shown(lacking[0])}, as `erralign run` writes it")
        ids = table[list(trials.names)].agg("/".join, axis=1)
        numbers = table[list(classes)].apply(pd.to_numeric, errors="coerce")
        for model, part in numbers.groupby(table["model"], sort=False):
            name, where = f"{model}{ALONE}" if model in taken else str(model), f"{model} in {file.name}"
            rows = _rows_of(trials, pd.Index(ids[part.index]), where, partial)
            mine[name] = _numbers(part.to_numpy(), rows, trials, where).set_axis(list(classes), axis=1)
    return mine


def rows_by_id(wanted: np.ndarray, ids: np.ndarray, first: str, second: str) -> np.ndarray:
    """Return the rows of a second file in the order of a first one's ids."""
    check_once(first, pd.Index(wanted), "row")
    rows = _rows_of(pd.Index(wanted), pd.Index(ids), second)
    if len(ids) != len(wanted):
        raise ValueError(f"{second} has {len(ids):,} ids, and {first} has {len(wanted):,}; compare the same ones")
    return rows


def as_ids(trials: pd.Index) -> np.ndarray:
    """Return what trials are called in a file of features: the parts of a name joined by slashes."""
    if trials.nlevels == 1:
        return trials.to_numpy(str)
    return np.array(["/".join(map(str, parts)) for parts in trials], dtype=str)


def _files(guest_features: Paths, data_set: str) -> Iterator[Path]:
    places = [guest_features] if isinstance(guest_features, str | PathLike) else guest_features
    for place in filter(str, places):
        path = Path(place)
        if path.is_dir():
            yield from sorted(path.glob(f"*{data_set.replace('/', '-')}.npz"))
        elif path.is_file():
            yield path
        else:
            raise ValueError(f"guest_features is {str(place)!r}, which is no file and no folder; {_FORMS}, or ''")


def _arrays(file: Path) -> dict[str, np.ndarray]:
    if file.suffix == ".csv":
        table = read_table(file)
        ids, numbers = table.iloc[:, 0], table.iloc[:, 1:].apply(pd.to_numeric, errors="coerce")
        return {"ids": ids.to_numpy(str), file.stem: numbers.to_numpy(float)}
    if file.suffix != ".npz":
        raise ValueError(f"{file.name} does not say which row is which trial; {_FORMS}")
    with arrays_in(file) as arrays:
        found = dict(arrays)
    if "ids" not in found or len(found) < 2:
        raise ValueError(f"{file.name} has the arrays {', '.join(found) or 'none'}; {_FORMS}")
    return found


def _rows_of(trials: pd.Index, ids: pd.Index, where: str, partial: bool = False) -> np.ndarray:
    """Return the row of each trial; -1 for one that is not there, where some may be missing."""
    check_once(where, ids, "row")
    wanted = as_ids(trials)
    rows = ids.get_indexer(pd.Index(wanted))
    lacking = wanted[rows < 0].tolist()
    if lacking and (len(lacking) == len(wanted) or not partial):
        raise ValueError(
            f"{where} has no row {shown(lacking[0])}, one of {len(lacking):,} that it lacks of {len(wanted):,}; its "
            f"first is {shown(ids[0])}. Add what is missing: all are compared on the same"
        )
    return rows


def _numbers(array: np.ndarray, rows: np.ndarray, trials: pd.Index, where: str) -> pd.DataFrame:
    """Return the rows of trials, which must be numbers; nan for those that are not there."""
    array = as_array(where, array[rows], float, ndim=2, expected="one row per id and one column per feature")
    there = rows >= 0
    lost = there & ~np.isfinite(array).all(axis=1)
    if lost.any():
        raise ValueError(
            f"{where} has NaN, infinite or no numbers for {shown(as_ids(trials)[lost][0])}, one of {lost.sum():,} such "
            "rows; compute them again, or leave the column out"
        )
    array[~there] = np.nan
    return pd.DataFrame(array, index=trials)
