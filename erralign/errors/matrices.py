"""Checks of matrices: counts, confidences, features, values of all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def check_counts(name: str, counts: ArrayLike, *, size: int | None = None) -> np.ndarray:
    """Return a square matrix of counts as integers, or say what is wrong with it.

    Parameters
    ----------
    name : str
        What the caller calls the argument.
    counts : array_like, shape (C, C)
        Non-negative whole numbers.
    size : int, optional
        The C that is expected.

    Returns
    -------
    numpy.ndarray
        int64, shape (C, C).

    Raises
    ------
    ValueError
        Not square, of another size, negative, NaN or fractional counts.

    Examples
    --------
    >>> check_counts("table", [[1, 0], [2, 5]])
    array([[1, 0],
           [2, 5]])
    """
    array = np.asarray(counts)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected a square matrix of counts, one row a class")
    if size is not None and len(array) != size:
        raise ValueError(f"{name} is {len(array)} x {len(array)}; expected {size} x {size}")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} holds {array.dtype}; expected counts")
    if not np.isfinite(array).all() or (array < 0).any() or (array != np.floor(array)).any():
        raise ValueError(f"{name} holds values that are not counts: expected whole numbers from 0 up, without NaN")
    return array.astype(np.int64)


def check_table(table: ArrayLike) -> np.ndarray:
    """Return four counts of right and wrong, or say what is wrong with them.

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``.

    Returns
    -------
    numpy.ndarray
        int64, shape (2, 2).

    Raises
    ------
    ValueError, TypeError
        As :func:`check_counts`, or no trials at all.

    Examples
    --------
    >>> check_table([[3, 5], [7, 145]]).sum().item()
    160
    """
    counts = check_counts("table", table, size=2)
    if not counts.any():
        raise ValueError("table is empty: at least one trial is needed")
    return counts


def check_confidences(name: str, confidences: ArrayLike) -> np.ndarray:
    """Return confidences as floats, one probability distribution a trial, or say what is wrong with them.

    Parameters
    ----------
    name : str
        What the caller calls the argument.
    confidences : array_like, shape (n_trials, C)
        Each row sums to one.

    Returns
    -------
    numpy.ndarray
        float64, shape (n_trials, C).

    Raises
    ------
    ValueError
        Not two-dimensional, empty, NaN, negative, or a row that does not sum to one.

    Examples
    --------
    >>> check_confidences("p_a", [[0.25, 0.75]])
    array([[0.25, 0.75]])
    """
    array = np.asarray(confidences, dtype=float)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected one row a trial and one column a class")
    if np.isnan(array).any() or (array < 0).any():
        raise ValueError(f"{name} holds NaN or negative values; expected probabilities (apply softmax to logits first)")
    sums = array.sum(axis=1)
    worst = int(np.abs(sums - 1).argmax())
    if abs(sums[worst] - 1) > 1e-5:
        raise ValueError(
            f"{name} is not a probability distribution at trial {worst}: it sums to {sums[worst]:.6g}, "
            "expected 1 (apply a softmax to logits first)"
        )
    return array


def check_features(name: str, features: ArrayLike) -> np.ndarray:
    """Return features as a finite matrix of floats, or say what is wrong with them.

    Parameters
    ----------
    name : str
        What the caller calls the argument.
    features : array_like, shape (n_trials, n_features)
        One row a trial.

    Returns
    -------
    numpy.ndarray
        float64, shape (n_trials, n_features).

    Raises
    ------
    ValueError
        Not two-dimensional, empty, NaN or infinite.

    Examples
    --------
    >>> check_features("X", [[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    array = np.asarray(features, dtype=float)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected one row a trial and one column a feature")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinite values")
    return array


def check_matrices(matrix_a: ArrayLike, matrix_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of two measures for all pairs of the same systems, or say what is wrong with them.

    Parameters
    ----------
    matrix_a, matrix_b : array_like of float, shape (n_systems, n_systems)
        One row and one column a system.

    Returns
    -------
    tuple of numpy.ndarray
        float64, each of shape (n_systems, n_systems).

    Raises
    ------
    ValueError
        Not square, not of one size, NaN or infinite.
    """
    matrix_a, matrix_b = check_features("matrix_a", matrix_a), check_features("matrix_b", matrix_b)
    if matrix_a.shape != matrix_b.shape or len(matrix_a) != matrix_a.shape[1]:
        raise ValueError(
            f"matrix_a is {matrix_a.shape}, matrix_b {matrix_b.shape}; expected two square ones of one size"
        )
    return matrix_a, matrix_b
