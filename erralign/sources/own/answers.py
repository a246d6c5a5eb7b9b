"""From the answers in a CSV file to Responses."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from erralign.errors import read_class, shown
from erralign.responses import Responses
from erralign.responses.alignment import as_named_in, check_trials, describe_systems
from erralign.responses.classes import number
from erralign.sources.own.cells import read_cells
from erralign.sources.own.forms import TRUTH, Answers, find_answers

GIVEN = "the truth given"  # by the caller, beside or in the place of the file's


def read_answers(
    path: str | PathLike[str],
    *,
    truth: pd.Series | None = None,
    trials: Sequence[str] | None = None,
    classes: Iterable[Any] | None = None,
    kind: str | Mapping[str, str] | None = None,
    name: str | None = None,
    subset: bool = False,
) -> Responses:
    r"""Read your own answers from a CSV file, whose header says which of three forms it has.

    * wide, with one row per trial: columns that name the trial, then ``truth``, then one column per system;
    * long, with one row per answer: ``system``, columns that name the trial, ``truth``, ``answer``, and ``kind`` if you
      like;
    * that of model-vs-human: ``subj``, ``imagename``, ``category``, ``object_response``, and ``condition`` if it is
      there. A prefix such as ``0001_cue_dnn_0_knife_00_`` is removed from the names of images.

    Classes are text, or whole numbers from 0 up. An empty cell, ``na`` and -1 mean that a system gave no answer.

    Parameters
    ----------
    path : path
        A file with commas, semicolons or tabs between its cells, in UTF-8.
    truth : pandas.Series, optional
        The true classes of a file without them, indexed by trial: names of classes, or ids if you give ``classes``.
        ``people = erralign.load(...)``; ``read_answers(path, truth=people.truth, classes=people.classes)``.
    trials : sequence of str, optional
        The columns that name the trial. Default for wide files: all columns to the left of ``truth``. If there is no
        such column, those named in the index of the argument ``truth``, or else the first column. For long files: all
        columns except ``system``, ``truth``, ``answer`` and ``kind``. For model-vs-human: ``condition``, if it is
        there, and the image.
    classes : sequence, optional
        All classes; see :meth:`Responses.from_table`.
    kind : str, or mapping of str to str, optional
        ``human`` or ``model``, one for all systems or by system. Default: what the file says, else ``model``. In the
        form of model-vs-human, systems such as ``subject-01`` are human.
    name : str, optional
        What to call the data set. Default: the file's name.
    subset : bool
        Whether the file may have fewer trials than ``truth``.

    Returns
    -------
    Responses
        The answers, ready to be compared, or joined to those of people with :meth:`Responses.join`.

    Raises
    ------
    ValueError, TypeError
        There is no such file, a row lacks cells, a trial is missing, doubled or unknown, a trial has two true classes,
        or a cell does not contain a class. The message names row and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pets.csv")
    ...     _ = file.write_text("image,truth,net,ann\n1.png,cat,dog,cat\n2.png,dog,dog,na\n")
    ...     pets = read_answers(file, kind={"net": "model", "ann": "human"})
    >>> pets.name, pets.answers["ann"].to_dict(), pets.classes
    ('pets', {'1.png': 0, '2.png': -1}, ('cat', 'dog'))
    """
    path = Path(path)
    found = find_answers(read_cells(path), trials, truth)
    return _responses(found, truth, classes, kind, path.stem if name is None else name, subset)


def _responses(found: Answers, truth, classes, kind, name: str, subset: bool) -> Responses:
    file, trials = found.cells.file, found.said.index
    columns = {str(column): given for column, given in found.said.items()}
    if truth is not None:
        trials = as_named_in(trials, truth.index, file)
        columns |= {GIVEN: _on_file(truth, trials, found, subset)}
    elif TRUTH not in columns:
        raise ValueError(f"{file} has no column {TRUTH!r}; add it, or give truth=..., a Series indexed by trial")

    def where(column: str, place: int) -> str:
        return f"truth, trial {shown(trials[place])}," if column == GIVEN else found.at(column, place)

    classes = classes if classes is None or isinstance(classes, str) else list(classes)
    ids, names = number(_as_numbers_together(columns, classes), classes, where, true=(GIVEN, TRUTH))
    true = _one_of(ids, names, where)
    systems = [column for column in columns if column not in (GIVEN, TRUTH)]
    kinds = dict(found.kinds) | (dict.fromkeys(systems, kind) if isinstance(kind, str) else dict(kind or {}))
    described = describe_systems(systems, kind=dict.fromkeys(systems, "model") | kinds, family="", source=file)
    answers = pd.DataFrame({system: ids[system] for system in systems}, index=trials)
    return Responses(name, pd.Series(true, index=trials, name=TRUTH), answers, names, described)


def _on_file(truth: pd.Series, trials: pd.Index, found: Answers, subset: bool) -> pd.Series:
    """Bring the truth that was given onto the trials of the file, which must be the same ones, or some of them."""
    check_trials("truth", truth.index)
    unknown = truth.index.get_indexer(trials) < 0
    if unknown.any():
        place = int(unknown.argmax())
        row = found.rows.drop(columns=TRUTH, errors="ignore").to_numpy()[place, 0]
        raise ValueError(
            f"{found.cells.at(row)} is about trial {shown(trials[place])}, which the truth does not know; its trials "
            f"have names such as {shown(truth.index[0])}"
        )
    lacking = truth.index[~truth.index.isin(trials)]
    if len(lacking) and not subset:
        raise ValueError(
            f"{found.cells.file} has no row for trial {shown(lacking[0])}, one of {len(lacking)} that it lacks; add "
            "them, with na where a system gave no answer, or compare on the trials that it has with --subset "
            "(subset=True)"
        )
    return truth.reindex(trials)


def _as_numbers_together(columns: Mapping[str, pd.Series], classes: list | None) -> dict[str, pd.Series]:
    """Read text as numbers if all classes in the file are written as numbers, and none is the name of a class."""
    texts = {name: column for name, column in columns.items() if name != GIVEN}
    words = pd.Index(pd.unique(pd.concat(list(texts.values()), ignore_index=True)))
    words = words[[read_class(word) is not None for word in words]]
    given = {name for name in (*columns.get(GIVEN, ()), *(classes or ())) if isinstance(name, str)}  # by the caller
    if not words.str.fullmatch(r"-?\d+(\.0+)?").all() or set(words) <= given:
        return dict(columns)
    numbers = {word: float(word) for word in words}
    return dict(columns) | {name: column.map(numbers) for name, column in texts.items()}


def _one_of(ids: dict, names: Sequence[str], where) -> Any:
    """Return the true classes; where file and caller both give them, they must be the same."""
    if GIVEN not in ids or TRUTH not in ids:
        return ids.get(GIVEN, ids.get(TRUTH))
    differs = ids[GIVEN] != ids[TRUTH]
    if differs.any():
        place = int(differs.argmax())
        says = names[int(ids[GIVEN][place])]
        raise ValueError(f"{where(TRUTH, place)} holds another class than the truth that was given: {says!r}")
    return ids[TRUTH]
