"""Checks of matrices: counts, features, values of all pairs, triplets of objects, and confidences."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from erralign._validation import (
    as_array,
    check_same_names,
    first_place,
    in_one_order,
    in_order_of_rows,
    with_both_answers,
)
from erralign._validation.labels import check_labels


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


# ---- confidences -----------------------------------------------------------------------------------------------------


EXACT = 1e-5  # sums of single precision, a thousand classes
# More than this is lost or gained by no rounding that leaves the values of use.
MOST_ROUNDED = 0.05
HALF_PRECISION = 2e-3
DECIMALS = range(1, 6)


def check_confidences(name: str, confidences: ArrayLike) -> np.ndarray:
    """Return confidences as floats, one probability distribution per trial, or say what is wrong with them.

    Rows that miss one by no more than rounding does, to decimals or to half precision, are divided by their sum, with a
    warning that says so.
    """
    array = as_array(name, confidences, float, ndim=2, expected="one row per trial and one column per class")
    if not np.isfinite(array).all():
        trial = int((~np.isfinite(array)).any(axis=1).argmax())
        raise ValueError(f"{name} holds NaN or infinite values at trial {trial}; expected probabilities")
    sums = array.sum(axis=1)
    off = np.abs(sums - 1)
    if off.max() <= EXACT and array.min() >= 0:
        return array
    worst = int(off.argmax())
    if array.min() < 0 or array.max() > 1 + EXACT or off[worst] > _from_rounding(array):
        raise ValueError(f"{name} is not a probability distribution at {_what_it_is(array, sums, worst)}")
    warnings.warn(
        f"{name} was rounded: its rows sum to {sums.min():.4g} to {sums.max():.4g}, not to 1; each was divided by its "
        "sum (give unrounded probabilities to avoid this)",
        stacklevel=4,
    )
    return array / sums[:, None]


def _from_rounding(array: np.ndarray) -> float:
    """Return how far from 1 rounding may bring the sum of a row."""
    for decimals in DECIMALS:
        scaled = array * 10.0**decimals
        if np.abs(scaled - np.rint(scaled)).max() < 1e-6 * 10.0**decimals:
            return min(array.shape[1] * 0.5 / 10**decimals + EXACT, MOST_ROUNDED)
    is_half = bool((array == array.astype(np.float16)).all())
    return HALF_PRECISION if is_half else EXACT


def _what_it_is(array: np.ndarray, sums: np.ndarray, worst: int) -> str:
    trial = f"trial {worst}: it sums to {sums[worst]:.6g}, expected 1"
    if array.min() < 0:
        first = int((array < 0).any(axis=1).argmax())
        return f"trial {first}, which holds {array[first].min():.6g}; apply a softmax if these are logits"
    if np.abs(sums - 100).max() <= 1:
        return f"{trial}; these are percentages: divide by 100"
    if array.max() <= 1 + EXACT:
        return f"{trial}; give every class its probability, divide shares by their sum, or apply a softmax to logits"
    return f"{trial}; apply a softmax if these are logits, or divide counts by their sum"


def check_confidences_of_two(p_a: Any, p_b: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the confidences of two systems, trial beside trial and class beside class."""
    p_a, p_b = in_one_order({"p_a": p_a, "p_b": p_b}).values()
    if hasattr(p_a, "columns") and hasattr(p_b, "columns") and not p_a.columns.equals(p_b.columns):
        check_same_names("p_b", p_b.columns, "p_a", p_a.columns, "class")
        p_b = p_b[p_a.columns]
    p_a, p_b = check_confidences("p_a", p_a), check_confidences("p_b", p_b)
    if p_a.shape != p_b.shape:
        raise ValueError(f"p_b has shape {p_b.shape}, p_a has {p_a.shape}: give the same trials and classes")
    return p_a, p_b


def check_truth_of_confidences(y_true: Any, p_a: Any, p_b: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes as places among the columns of confidences, and the confidences."""
    y_true, p_a, p_b = in_one_order({"y_true": y_true, "p_a": p_a, "p_b": p_b}).values()
    frame = next((each for each in (p_a, p_b) if hasattr(each, "columns")), None)
    p_a, p_b = check_confidences_of_two(p_a, p_b)
    if frame is not None and np.ndim(y_true) == 1:
        y_true = _places(as_array("y_true", y_true), frame.columns.tolist())
    y_true = check_labels("y_true", y_true, n_classes=p_a.shape[1])
    check_same_trials("p_a", len(p_a), "y_true", len(y_true))
    return y_true, p_a, p_b


def _places(classes: np.ndarray, columns: list) -> np.ndarray:
    places = {column: place for place, column in enumerate(columns)}
    for trial, label in enumerate(classes.tolist()):
        if label not in places:
            raise ValueError(
                f"y_true holds {label!r} at trial {trial}, which is no column of the confidences ({columns[0]!r}, …); "
                "give true classes by the names of the columns, or confidences as arrays"
            )
    return np.array([places[label] for label in classes.tolist()], dtype=np.int64)
