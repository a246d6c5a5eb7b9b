"""Checks of labels: true classes and answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

NO_ANSWER = -1


def check_labels(
    name: str, labels: ArrayLike, *, n_classes: int | None = None, may_time_out: bool = False
) -> np.ndarray:
    """Return ``labels`` as a one-dimensional integer array, or say what is wrong with them.

    Parameters
    ----------
    name : str
        What the caller calls the argument; the message begins with it.
    labels : array_like of int, shape (n_trials,)
        Class ids 0 … C - 1.
    n_classes : int, optional
        C; a larger label is an error.
    may_time_out : bool
        Whether -1, "no answer in time", is allowed.

    Returns
    -------
    numpy.ndarray
        int64, shape (n_trials,).

    Raises
    ------
    ValueError
        Not one-dimensional, empty, NaN, fractions, or a label out of range.
    TypeError
        Text or other things that are not numbers.

    Examples
    --------
    >>> check_labels("y_a", [0, 2, 1])
    array([0, 2, 1])
    """
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; expected one answer a trial, a one-dimensional array")
    if array.size == 0:
        raise ValueError(f"{name} is empty: at least one trial is needed")
    if array.dtype.kind not in "iu":
        array = _as_whole_numbers(name, array)
    _check_range(name, array, n_classes, NO_ANSWER if may_time_out else 0)
    # In short integers a class times C, or one class less another, would overflow.
    return array.astype(np.int64, copy=False)


def _as_whole_numbers(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f":
        raise TypeError(
            f"{name} holds {array.dtype} (first: {array[0]!r}); expected integer class ids 0 … C-1: "
            "number the classes first, for example with pandas.factorize"
        )
    if np.isnan(array).any():
        raise ValueError(
            f"{name} holds NaN (first at trial {int(np.isnan(array).argmax())}); write -1 where a system gave no answer"
        )
    whole = np.isfinite(array) & (array == np.floor(array))
    if not whole.all():
        raise ValueError(f"{name} holds {array[~whole][0]}; expected integer class ids 0 … C-1")
    return array.astype(np.int64)


def _check_range(name: str, array: np.ndarray, n_classes: int | None, lowest: int) -> None:
    low, high = int(array.min()), int(array.max())
    if low < lowest:
        hint = "-1 means no answer in time" if lowest == NO_ANSWER else "only answers may be -1 (no answer in time)"
        raise ValueError(f"{name} holds the label {low}; expected class ids 0 … C-1; {hint}")
    if n_classes is not None and high >= n_classes:
        raise ValueError(
            f"{name} holds the label {high}, but n_classes is {n_classes}: "
            f"labels must lie in 0 … {n_classes - 1}; give the data set's full number of classes"
        )


def check_same_length(**arrays: np.ndarray) -> None:
    """Raise unless all arrays hold the same number of trials.

    Parameters
    ----------
    **arrays : numpy.ndarray
        Arrays by the names that the caller gives them; the first sets the length.

    Raises
    ------
    ValueError
        Names the two that differ.
    """
    (first, reference), *others = arrays.items()
    for name, array in others:
        if len(array) != len(reference):
            raise ValueError(
                f"{name} has {len(array)} answers, {first} has {len(reference)}: "
                "every system must answer every trial, in the same order"
            )


def check_answers(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, n_classes: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes and the answers of two systems as integer arrays of one length.

    Parameters
    ----------
    y_true : array_like of int, shape (n_trials,)
        True class ids, 0 … C - 1.
    y_a, y_b : array_like of int, shape (n_trials,)
        Answers; -1 is "no answer in time".
    n_classes : int, optional
        C; a larger label is an error.

    Returns
    -------
    tuple of numpy.ndarray
        The three arrays.

    Raises
    ------
    ValueError, TypeError
        As :func:`check_labels` and :func:`check_same_length`.
    """
    y_true = check_labels("y_true", y_true, n_classes=n_classes)
    y_a = check_labels("y_a", y_a, n_classes=n_classes, may_time_out=True)
    y_b = check_labels("y_b", y_b, n_classes=n_classes, may_time_out=True)
    check_same_length(y_true=y_true, y_a=y_a, y_b=y_b)
    return y_true, y_a, y_b
