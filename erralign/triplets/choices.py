"""Which of three is the odd one out: the choice that a representation implies, and how sure it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from erralign.errors import NO_ANSWER, check_choice, check_features, check_positive, check_triplets

SIMILARITIES = ("cosine", "dot")
# The pair that is left where the first, second, third is the odd one out.
_LEFT = ((1, 2), (0, 2), (0, 1))


def pair_similarities(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> np.ndarray:
    r"""Return how similar the other two of each triplet are, for each of the three.

    The similarity of objects i and j is :math:`S_{ij} = x_i^\top x_j / (\|x_i\| \, \|x_j\|)` (cosine), or the same
    without the denominator (dot).

    Parameters
    ----------
    X : array_like of float, shape (n_objects, n_features)
        A representation, one row per object. All pairs are computed at once, so 20,000 objects take 3 GB.
    triplets : array_like of int, shape (n_triplets, 3)
        Three different objects each, given by their rows in X, from 0.
    similarity : {"cosine", "dot"}
        Which similarity S to take.

    Returns
    -------
    numpy.ndarray of float, shape (n_triplets, 3)
        In column c, the similarity of the two that are left when c is taken away. The cosine with an object whose
        features are all 0 is nan.

    Examples
    --------
    >>> X = [[1, 0], [0, 1], [0, 2]]
    >>> pair_similarities(X, [[0, 1, 2]], similarity="dot").tolist()
    [[2.0, 0.0, 0.0]]
    """
    check_choice("similarity", similarity, SIMILARITIES)
    rows = check_features("X", X)
    triplets = check_triplets("triplets", triplets, len(rows))
    if similarity == "cosine":
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows = np.divide(rows, lengths, out=np.full_like(rows, np.nan), where=lengths > 0)
    gram = rows @ rows.T
    return np.stack([gram[triplets[:, a], triplets[:, b]] for a, b in _LEFT], axis=1)


def odd_one_out(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> np.ndarray:
    """Return the odd one out of each triplet by a representation: the one that leaves the most similar pair.

    Parameters
    ----------
    X, triplets, similarity
        As for :func:`pair_similarities`.

    Returns
    -------
    numpy.ndarray of int, shape (n_triplets,)
        0, 1 or 2, the place in the triplet. It is -1 if two pairs are equally similar and no pair more so, since a
        representation that cannot decide has not found the odd one out.

    Examples
    --------
    >>> cat, dog, candelabra = [1, 0.9], [0.9, 1], [-1, 0.1]
    >>> odd_one_out([cat, dog, candelabra], [[0, 1, 2], [2, 0, 1]]).tolist()
    [2, 0]
    """
    return chosen(pair_similarities(X, triplets, similarity=similarity))


def chosen(similarities: np.ndarray) -> np.ndarray:
    """Return the place of the largest number of each row."""
    ties = (similarities == similarities.max(axis=1, keepdims=True)).sum(axis=1) != 1
    return np.where(ties, NO_ANSWER, similarities.argmax(axis=1))


def odd_one_out_accuracy(X: ArrayLike, triplets: ArrayLike, *, similarity: str = "cosine") -> float:
    r"""Measure how often a representation finds the odd one out that people chose: zero-shot odd-one-out accuracy.

    .. math:: \frac{1}{n} \sum_{s=1}^{n} [\text{the pair } \{a_s, b_s\} \text{ is the most similar of the triplet}]

    where :math:`a_s` and :math:`b_s` are the first two objects of triplet s, those that people left together.

    Parameters
    ----------
    X, triplets, similarity
        As for :func:`pair_similarities`.

    Returns
    -------
    float
        From 0 to 1; chance gives 1/3. Where :func:`odd_one_out` is -1 the choice counts as wrong.

    Examples
    --------
    >>> odd_one_out_accuracy([[1, 0], [1, 1], [0, 1], [-1, 0]], [[0, 1, 2], [0, 1, 3]])
    0.5
    """
    return float((odd_one_out(X, triplets, similarity=similarity) == 2).mean())


def choice_probabilities(similarities: ArrayLike, temperature: float = 1.0) -> np.ndarray:
    r"""Turn similarities into probabilities of each choice: equation 1 and appendix A.2 of the paper.

    .. math:: p(\{a, b\} \mid \{i, j, k\}) = \frac{\exp(\tau S_{ab})}{\exp(\tau S_{ij}) + \exp(\tau S_{ik}) +
        \exp(\tau S_{jk})}

    is the probability that a and b, two of the objects i, j and k, are left together.

    Parameters
    ----------
    similarities : array_like of float, shape (n_triplets, 3)
        As :func:`pair_similarities` returns them.
    temperature : float
        τ, which multiplies the similarities: the inverse of the glossary's temperature T, by which logits are divided.

    Returns
    -------
    numpy.ndarray of float, shape (n_triplets, 3)
        In column c, the probability that c is the odd one out. Each row sums to 1.

    Examples
    --------
    >>> choice_probabilities([[1.0, 0.0, 0.0]], 2.0).round(2).tolist()
    [[0.79, 0.11, 0.11]]
    """
    check_positive("temperature", temperature)
    return softmax(temperature * np.asarray(similarities, dtype=float), axis=1)
