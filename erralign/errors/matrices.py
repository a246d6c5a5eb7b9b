"""Checks of matrices: counts, features, values of all pairs, triplets of objects."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors.arrays import as_array, first_place
from erralign.errors.order import in_one_order, in_order_of_rows, with_both_answers


def check_counts(name: str, counts: ArrayLike, *, size: int | None = None) -> np.ndarray:
    """Return a square matrix of counts as integers, or say what is wrong with it."""
    wanted = "a square matrix of counts, one row per class"
    array = _square(name, in_order_of_rows(name, counts), wanted, kinds="iuf")
    if size is not None and len(array) != size:
        raise ValueError(f"{name} is {len(array)} x {len(array)}; expected {size} x {size}")
    if not np.isfinite(array).all() or (array < 0).any() or (array != np.floor(array)).any():
        raise ValueError(f"{name} holds values that are not counts: expected whole numbers from 0 up, without NaN")
    return array.astype(np.int64)


def check_table(table: ArrayLike) -> np.ndarray:
    """Return four counts of right and wrong, or say what is wrong with them."""
    counts = check_counts("table", with_both_answers(table), size=2)
    if not counts.any():
        raise ValueError("table is empty: at least one trial is needed")
    return counts


def check_features(name: str, features: ArrayLike) -> np.ndarray:
    """Return features as a finite matrix of floats, or say what is wrong with them."""
    array = as_array(name, features, float, ndim=2, expected="one row per trial and one column per feature")
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds NaN or infinite values, first at {first_place(~np.isfinite(array))}; expected numbers: "
            "leave that trial out for all systems, or that feature for this one"
        )
    return array


def check_same_trials(name: str, n_trials: int, other: str, n_others: int) -> None:
    """Refuse features of two systems that are not of the same trials."""
    if n_trials != n_others:
        raise ValueError(
            f"{name} has {n_trials} trials, {other} has {n_others}: give the same trials, in the same order"
        )


def check_enough_trials(name: str, n_trials: int, *, least: int = 2) -> None:
    """Refuse features of fewer trials than can be compared."""
    if n_trials < least:
        raise ValueError(f"{name} has {n_trials} trials; expected at least {least}: give the features of more trials")


def check_square(name: str, matrix: ArrayLike) -> np.ndarray:
    """Return a square matrix of floats, in which values may be missing, or say what is wrong with it."""
    return _square(name, matrix, "a square matrix: one row and one column per system", dtype=float)


def _square(name: str, given: Any, wanted: str, **how: Any) -> np.ndarray:
    array = as_array(name, given, ndim=2, expected=wanted, **how)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} has shape {array.shape}; expected {wanted}")
    return array


def check_matrices(matrix_a: ArrayLike, matrix_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of two measures for all pairs of the same systems, or say what is wrong with them."""
    matrices = in_one_order({"matrix_a": matrix_a, "matrix_b": matrix_b})
    a, b = (_off_diagonal(name, in_order_of_rows(name, matrix)) for name, matrix in matrices.items())
    if a.shape != b.shape:
        raise ValueError(f"matrix_a is {a.shape}, matrix_b {b.shape}; expected two square ones of one size")
    return a, b


def _off_diagonal(name: str, matrix: Any) -> np.ndarray:
    """Return a symmetric matrix with 1 on the diagonal, which plays no part."""
    array = check_square(name, matrix).copy()
    if len(array) < 2:
        raise ValueError(f"{name} is of one system; expected two at least")
    np.fill_diagonal(array, 1)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinite values at {first_place(~np.isfinite(array))}")
    differs = ~np.isclose(array, array.T, rtol=1e-6, atol=1e-9)
    if differs.any():
        i, j = first_place(differs)
        raise ValueError(
            f"{name} is not symmetric: {array[i, j]:g} at {(i, j)}, {array[j, i]:g} at {(j, i)}; expected one value "
            "per pair of systems"
        )
    return array


def check_triplets(name: str, triplets: ArrayLike, n_objects: int) -> np.ndarray:
    """Return triplets as whole numbers, or say what is wrong with them."""
    wanted = "a row per triplet, with the numbers of three objects each, the rows of the features"
    array = as_array(name, triplets, ndim=2, kinds="iu", expected=wanted)
    if array.shape[1] != 3:
        raise ValueError(f"{name} has shape {array.shape}; expected {wanted}")
    outside = (array < 0) | (array >= n_objects)
    if outside.any():
        raise ValueError(f"{name} holds object {array[outside][0]}; expected 0 to {n_objects - 1}, the rows of X")
    twice = (array == np.roll(array, 1, axis=1)).any(axis=1)
    if twice.any():
        raise ValueError(f"{name} has an object twice in row {twice.argmax()}; each triplet is of three objects")
    return array.astype(np.int64)
