"""Tests 1, 2 and 6: does a measure go with differences of accuracy, of answers, of outputs, of depth?"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from scipy.stats import spearmanr

from erralign._validation import as_array, check_square


def layer_conformity(similarity: ArrayLike, *, larger_is_more_similar: bool = True) -> float:
    """Return the share of comparisons in which a nearer layer is at least as similar as one further away.

    For each layer, every two layers after it are compared, and every two layers before it. As released, a comparison of
    equal values counts as conforming, and so does one with nan: a measure that is nowhere defined has conformity 1.

    Parameters
    ----------
    similarity : array_like of float, shape (n_layers, n_layers)
        The measure's values for the layers of one network, in their order.
    larger_is_more_similar : bool
        Whether the measure is a similarity.

    Returns
    -------
    float
        From 0 to 1; by chance 0.5 if no two values are equal. Undefined, and nan, with fewer than three layers.

    Examples
    --------
    >>> layer_conformity([[1, 0.8, 0.5], [0.8, 1, 0.9], [0.6, 0.9, 1]])
    1.0
    """
    values = check_square("similarity", similarity)
    signed = values if larger_is_more_similar else -values
    violated = [near < far for side in _sides(signed) for near, far in combinations(side.tolist(), 2)]
    return 1 - float(np.mean(violated)) if violated else float("nan")


def layer_correlation(similarity: ArrayLike, *, larger_is_more_similar: bool = True) -> float:
    """Correlate, by ranks, how different two layers are with how far apart they lie.

    As released, for each layer there is one correlation over the layers after it and one over the layers before it; all
    these are averaged. A direction with only two layers contributes 1 or -1. Correlations that are undefined are left
    out, and so are directions with nan.

    Parameters
    ----------
    similarity, larger_is_more_similar
        As for :func:`layer_conformity`; the sign of a similarity is reversed.

    Returns
    -------
    float
        From -1 to 1, by chance 0. Undefined, and nan, when no correlation is defined.

    Examples
    --------
    >>> round(layer_correlation([[1, 0.8, 0.5], [0.8, 1, 0.9], [0.6, 0.9, 1]]), 6)
    1.0
    """
    values = check_square("similarity", similarity)
    signed = -values if larger_is_more_similar else values
    correlations = [_correlation(side, np.arange(len(side))) for side in _sides(signed) if not np.isnan(side).any()]
    known = [value for value in correlations if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _sides(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each layer the values of those after it and of those before it, nearest first."""
    for layer in range(len(values)):
        yield values[layer, layer + 1 :]
        yield values[layer, :layer][::-1]


def disagreement(outputs_a: ArrayLike, outputs_b: ArrayLike) -> float:
    """Return the share of inputs to which two systems give different answers.

    Parameters
    ----------
    outputs_a, outputs_b : array_like of float, shape (n_inputs, n_classes)
        Logits or probabilities. The answer is the class with the largest, the first of equal ones; NaN counts as
        largest.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> disagreement([[2, 1], [0, 3]], [[1, 2], [0, 3]])
    0.5
    """
    a, b = _outputs(outputs_a, outputs_b)
    return float((a.argmax(axis=1) != b.argmax(axis=1)).mean())


def output_divergence(outputs_a: ArrayLike, outputs_b: ArrayLike) -> float:
    r"""Return the mean Jensen-Shannon divergence of two systems' outputs, in bits.

    With the softmax p, q of the outputs to one input and their mean m,
    :math:`JSD = \frac12 KL(p \| m) + \frac12 KL(q \| m)`: the divergence, not its root, with logarithms to base 2.

    Parameters
    ----------
    outputs_a, outputs_b
        Logits, as for :func:`disagreement`. Inputs with NaN are left out.

    Returns
    -------
    float
        From 0 to 1 bit. Undefined, and nan, when no input is left.

    Examples
    --------
    >>> output_divergence([[1000, 0]], [[0, 1000]])
    1.0
    """
    p, q = (softmax(outputs, axis=1) for outputs in _outputs(outputs_a, outputs_b))
    divergences = np.clip((_relative_entropy(p, (p + q) / 2) + _relative_entropy(q, (p + q) / 2)) / 2, 0, 1)
    known = ~np.isnan(divergences)
    return float(divergences[known].mean()) if known.any() else float("nan")


def correlation_to_differences(
    similarity: ArrayLike, differences: ArrayLike, *, larger_is_more_similar: bool = True, is_symmetric: bool = True
) -> float:
    """Correlate, by ranks, a measure with how different systems are: in accuracy, in answers, in outputs.

    Parameters
    ----------
    similarity : array_like of float, shape (n_systems, n_systems)
        The measure's values.
    differences : array_like of float, shape (n_systems, n_systems)
        Such as differences of accuracy, :func:`disagreement` or :func:`output_divergence` of each pair.
    larger_is_more_similar : bool
        Whether the measure is a similarity. If so its sign is reversed: a positive correlation is desired.
    is_symmetric : bool
        Whether each pair counts once; otherwise it counts in both orders.

    Returns
    -------
    float
        From -1 to 1; by chance 0. Pairs with nan are left out. Undefined, and nan, with fewer than two pairs (with
        one, the release fails), and when the measure or the differences are constant.

    Examples
    --------
    >>> similarity = [[1, 0.9, 0.2], [0.9, 1, 0.3], [0.2, 0.3, 1]]
    >>> accuracies = np.array([0.7, 0.71, 0.8])
    >>> round(correlation_to_differences(similarity, np.abs(accuracies[:, None] - accuracies)), 3)
    1.0
    """
    values, others = check_square("similarity", similarity), check_square("differences", differences)
    if values.shape != others.shape:
        raise ValueError(
            f"differences has shape {others.shape}, similarity has {values.shape}: give both for the same systems"
        )
    pairs = np.triu_indices(len(values), 1) if is_symmetric else np.nonzero(~np.eye(len(values), dtype=bool))
    signed = -values if larger_is_more_similar else values
    return _correlation(signed[pairs], others[pairs])


def _outputs(outputs_a: ArrayLike, outputs_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    a, b = as_array("outputs_a", outputs_a, float), as_array("outputs_b", outputs_b, float)
    if a.ndim != 2 or a.size == 0 or a.shape != b.shape:
        raise ValueError(f"outputs_a has shape {a.shape}, outputs_b {b.shape}: a row is an input, a column a class")
    return a, b


def _relative_entropy(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p == 0, 0, p * np.log2(p / q)).sum(axis=1)


def _correlation(values: np.ndarray, others: np.ndarray) -> float:
    """Correlate, by ranks, what is known of two lists."""
    known = ~(np.isnan(values) | np.isnan(others))
    values, others = values[known], others[known]
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(others) == 0:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nearly constant values
        return float(spearmanr(values, others).statistic)
