"""What the measures of errors count: who was wrong on what, and with which answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_n_classes


def count_classes(*labels: np.ndarray) -> int:
    """Return the smallest number of classes that the labels allow.

    Parameters
    ----------
    *labels : numpy.ndarray of int
        Class ids, or -1.

    Returns
    -------
    int
        1 + the largest label.

    Examples
    --------
    >>> count_classes(np.array([0, 1]), np.array([2, -1]))
    3
    """
    return 1 + int(max(each.max() for each in labels))


def joint_errors(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Return on which trials two systems are both wrong, where no answer in time counts as wrong.

    Parameters
    ----------
    y_true, y_a, y_b : numpy.ndarray of int, shapes that broadcast
        True class ids, and the answers; -1 is "no answer in time".

    Returns
    -------
    numpy.ndarray of bool
        One value per trial (and system, where one side has many).

    Examples
    --------
    >>> joint_errors(np.array([0, 0, 1]), np.array([1, 2, 1]), np.array([-1, 2, 0])).tolist()
    [True, True, False]
    """
    return (y_a != y_true) & (y_b != y_true)


def wrong_answers(y_true: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Return on which trials systems gave an answer that is wrong.

    Parameters
    ----------
    y_true, answers : numpy.ndarray of int, shapes that broadcast
        True class ids, and the answers; -1 is "no answer in time".

    Returns
    -------
    numpy.ndarray of bool
        In the shape of the answers.

    Examples
    --------
    >>> wrong_answers(np.array([0, 0, 1]), np.array([1, -1, 1])).tolist()
    [True, False, False]
    """
    return (answers != y_true) & (answers >= 0)


def joint_answers(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the answers of both systems on the trials on which both answered and both were wrong.

    Parameters
    ----------
    y_true, y_a, y_b : numpy.ndarray of int, shape (n_trials,)
        True class ids, and the answers; -1 is "no answer in time".

    Returns
    -------
    tuple of numpy.ndarray
        Answers of A and of B, one per joint error.

    Examples
    --------
    >>> [said.tolist() for said in joint_answers(np.array([0, 0, 1]), np.array([1, 2, 1]), np.array([2, 2, 0]))]
    [[1, 2], [2, 2]]
    """
    both = wrong_answers(y_true, y_a) & wrong_answers(y_true, y_b)
    return y_a[both], y_b[both]


def right_table(y_true: np.ndarray, y_a: np.ndarray, y_b: np.ndarray) -> np.ndarray:
    """Count on how many trials both, one or none of two systems are right.

    Parameters
    ----------
    y_true, y_a, y_b : numpy.ndarray of int, shape (n_trials,)
        True class ids, and the answers; -1 is "no answer in time".

    Returns
    -------
    numpy.ndarray of int, shape (2, 2)
        ``table[a right][b right]``.

    Examples
    --------
    >>> right_table(np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([1, 0, 0])).tolist()
    [[1, 0], [1, 1]]
    """
    return np.bincount(2 * (y_a == y_true) + (y_b == y_true), minlength=4).reshape(2, 2)


def error_matrix(y_true: np.ndarray, answers: np.ndarray, n_classes: int) -> np.ndarray:
    """Count a system's errors by true class and answer.

    Parameters
    ----------
    y_true, answers : numpy.ndarray of int, shape (n_trials,)
        True class ids, and the answers; -1, "no answer in time", is left out.
    n_classes : int
        The number of classes, C.

    Returns
    -------
    numpy.ndarray of int, shape (C, C)
        Row = true class, column = answer; the diagonal is 0.

    Examples
    --------
    >>> error_matrix(np.array([0, 0, 1]), np.array([1, -1, 1]), 2).tolist()
    [[0, 1], [0, 0]]
    """
    wrong = wrong_answers(y_true, answers)
    return cross_table(y_true[wrong], answers[wrong], n_classes)


def cross_table(rows: np.ndarray, columns: np.ndarray, size: int) -> np.ndarray:
    """Count how often each two labels occur together.

    Parameters
    ----------
    rows, columns : numpy.ndarray of int64, shape (n,)
        Labels from 0 to size - 1.
    size : int
        How many labels there are.

    Returns
    -------
    numpy.ndarray of int, shape (size, size)
        ``table[row label][column label]``.

    Examples
    --------
    >>> cross_table(np.array([0, 1, 1]), np.array([1, 1, 1]), 2).tolist()
    [[0, 1], [0, 2]]
    """
    check_n_classes(size)
    cells = (rows * size + columns).astype(np.intp, copy=False)  # Python of 32 bits counts nothing wider
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def off_diagonal(counts: np.ndarray) -> np.ndarray:
    """Return the counts with 0 on the diagonal.

    Parameters
    ----------
    counts : numpy.ndarray, shape (C, C)
        Confusion matrix.

    Returns
    -------
    numpy.ndarray, shape (C, C)
        Its errors alone.

    Examples
    --------
    >>> off_diagonal(np.array([[5, 1], [2, 7]])).tolist()
    [[0, 1], [2, 0]]
    """
    return counts - np.diag(np.diag(counts))


def as_floats(values: ArrayLike) -> np.ndarray:
    """Return an array of floats, in single precision if it came in single precision.

    Parameters
    ----------
    values : array_like
        Numbers of any kind.

    Returns
    -------
    numpy.ndarray of float
        The same numbers.

    Examples
    --------
    >>> as_floats([1, 2]).dtype, as_floats(np.ones(2, np.float32)).dtype
    (dtype('float64'), dtype('float32'))
    """
    array = np.asarray(values)
    return array if array.dtype.kind == "f" else array.astype(float)


def ratio(numerator: float, denominator: float, replace_undefined_by: float) -> float:
    """Divide two numbers, unless the second is 0.

    Parameters
    ----------
    numerator, denominator : float
        Two numbers.
    replace_undefined_by : float
        The value to return where the denominator is 0.

    Returns
    -------
    float
        The quotient.

    Examples
    --------
    >>> ratio(1, 4, 0.0), ratio(0, 0, 0.0)
    (0.25, 0.0)
    """
    return float(numerator / denominator) if denominator != 0 else float(replace_undefined_by)
