"""Test 6: does a measure find layers the less alike, the further they lie apart?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_square
from erralign.grounding.outputs import correlation


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
    violated = [
        near < far
        for side in _sides(signed)
        for place, near in enumerate(side.tolist())
        for far in side[place + 1 :].tolist()
    ]
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
    found = [correlation(side, np.arange(len(side))) for side in _sides(signed) if not np.isnan(side).any()]
    known = [value for value in found if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _sides(values: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each layer the values of those after it and of those before it, nearest first."""
    for layer in range(len(values)):
        yield values[layer, layer + 1 :]
        yield values[layer, :layer][::-1]
