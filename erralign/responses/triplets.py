"""Odd-one-out choices as answers, so that errors have classes and two systems can make the same error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign._validation import NO_ANSWER, check_labels, check_triplets
from erralign.responses.model import Responses

CLASSES = ("the odd one out", "the first of the other two", "the second of the other two")
_LARGEST = np.iinfo(np.int32).max


def responses_of_triplets(
    triplets: ArrayLike,
    odd: ArrayLike,
    choices: Mapping[str, ArrayLike],
    *,
    name: str = "triplets",
    kind: str | Mapping[str, str] = "model",
    family: str | Mapping[str, str] = "",
    source: str | Mapping[str, str] = "",
) -> Responses:
    """Turn odd-one-out choices into answers whose errors can be compared.

    The place of an object in a triplet means nothing. So the true class is the same in all triplets, the odd one out,
    and an error is the first or the second of the other two objects, in the order of their numbers: two systems that
    both miss the odd one out choose the same wrong object one time in two by chance. (If places were classes, chance
    would be one in three, and independent observers would seem to agree.)

    Parameters
    ----------
    triplets : array_like of int, shape (n_triplets, 3)
        The numbers of the objects.
    odd : array_like of int, shape (n_triplets,)
        The place of the true odd one out, such as most people's choice; 0, 1 or 2.
    choices : mapping of str to array_like of int, shape (n_triplets,)
        For each system the place of its choice; -1 where it made none.
    name : str
        What to call the data set.
    kind, family, source : str, or mapping of str to str
        As for :meth:`Responses.from_table`.

    Returns
    -------
    Responses
        The index names each trial by its objects in the order of their numbers, ``first``, ``second`` and ``third``,
        and by ``repeat``, which counts from 0 how often the triplet occurred before.

    Examples
    --------
    >>> mine = responses_of_triplets([[5, 3, 9], [1, 2, 4]], [2, 0], {"net": [2, 1], "ann": [0, 1]})
    >>> mine.answers.to_dict("list")
    {'net': [0, 1], 'ann': [2, 1]}
    """
    triplets = check_triplets("triplets", triplets, _LARGEST)
    ranks = triplets.argsort(axis=1).argsort(axis=1)
    true = _rank_of(ranks, check_labels("odd", odd, n_classes=3))
    columns = {}
    for system, choice in choices.items():
        rank = _rank_of(ranks, check_labels(system, choice, n_classes=3, may_time_out=True))
        of_others = np.where(rank > true, rank - 1, rank) + 1  # which of the other two, in their order: 1 or 2
        columns[system] = np.where(rank == NO_ANSWER, NO_ANSWER, np.where(rank == true, 0, of_others))
    table = pd.DataFrame(np.sort(triplets, axis=1), columns=["first", "second", "third"])
    table["repeat"] = table.groupby(["first", "second", "third"]).cumcount()
    index = pd.MultiIndex.from_frame(table)
    answers = pd.DataFrame(columns, index=index)
    truth = pd.Series(0, index=index)
    return Responses.from_table(truth, answers, classes=CLASSES, name=name, kind=kind, family=family, source=source)


def _rank_of(ranks: np.ndarray, places: np.ndarray) -> np.ndarray:
    rows = np.arange(len(places))
    return np.where(places == NO_ANSWER, NO_ANSWER, ranks[rows, places])
