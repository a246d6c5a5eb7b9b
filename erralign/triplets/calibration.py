"""Are choices as sure as they are right? Calibration against answers, and divergence from other probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from erralign._validation import check_choice
from erralign.triplets.choices import choice_probabilities

TEMPERATURES = (
    *(1.0, 0.75, 0.5, 0.25, 0.1, 0.075, 0.05, 0.025, 0.01, 0.0075, 0.005, 0.0025, 0.001),
    *(5e-4, 1e-4, 5e-5, 1e-5),
)
"""The grid of the paper for τ."""
CRITERIA = ("ECE", "KL", "JS")
N_BINS = 10


def expected_calibration_error(probabilities: ArrayLike, odd: ArrayLike) -> float:
    r"""Measure how far the confidence of choices is from how often they are right.

    .. math:: ECE = \sum_{m=1}^{10} \frac{|B_m|}{n} \, \left| acc(B_m) - conf(B_m) \right|,

    where :math:`B_m` contains the triplets whose largest probability is at least (m - 1)/10 and less than m/10 (for
    m = 10 up to 1). Of these triplets, :math:`acc(B_m)` is the share of choices that are right, and
    :math:`conf(B_m)` the mean of the largest probability.

    Parameters
    ----------
    probabilities : array_like of float, shape (n_triplets, 3)
        As :func:`choice_probabilities` returns them.
    odd : array_like of int, shape (n_triplets,)
        What people chose: 0, 1 or 2.

    Returns
    -------
    float
        From 0 (calibrated) to 1.

    References
    ----------
    Guo et al. (2017), https://doi.org/10.48550/arXiv.1706.04599

    Examples
    --------
    >>> round(expected_calibration_error([[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]], [0, 1]), 2)
    0.3
    """
    probabilities = np.asarray(probabilities, dtype=float)
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == np.asarray(odd)
    bins = np.minimum((confidence * N_BINS).astype(int), N_BINS - 1)
    return float(np.abs(np.bincount(bins, right - confidence, N_BINS)).sum() / len(bins))


def divergence(p: ArrayLike, q: ArrayLike, kind: str = "KL") -> float:
    r"""Measure how far probabilities of choices are from those of a reference, as a mean over triplets.

    :math:`KL(p, q) = \sum_c p_c \ln (p_c / q_c)`; the Jensen-Shannon distance is :math:`\sqrt{(KL(p, m) + KL(q, m)) /
    2}` with :math:`m = (p + q) / 2`.
    """
    check_choice("kind", kind, ("KL", "JS"))
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if kind == "KL":
        return float(rel_entr(p, q).sum(axis=1).mean())
    middle = (p + q) / 2
    halves = (rel_entr(p, middle) + rel_entr(q, middle)).sum(axis=1) / 2
    return float(np.sqrt(np.maximum(halves, 0)).mean())


def misfit(
    similarities: ArrayLike, reference: ArrayLike, odd: ArrayLike, criterion: str, temperature: float = 1.0
) -> float:
    """Measure how badly probabilities at one temperature fit, by one of three criteria.

    Parameters
    ----------
    similarities, temperature
        As for :func:`choice_probabilities`.
    reference : array_like of float, shape (n_triplets, 3)
        Probabilities to compare with (KL, JS), such as those of an embedding of people's answers.
    odd : array_like of int, shape (n_triplets,)
        What people chose (ECE).
    criterion : {"ECE", "KL", "JS"}
        ``"ECE"`` is :func:`expected_calibration_error`, ``"KL"`` the Kullback-Leibler divergence of the reference from
        the probabilities, ``"JS"`` their Jensen-Shannon distance; both are means over triplets.

    Returns
    -------
    float
        From 0 up. The smaller it is, the better the fit.

    Examples
    --------
    >>> misfit([[1.0, 0.0, 0.0]], [[1 / 3] * 3], [0], "JS", 1e-9) < 1e-6
    True
    """
    check_choice("criterion", criterion, CRITERIA)
    probabilities = choice_probabilities(similarities, temperature)
    if criterion == "ECE":
        return expected_calibration_error(probabilities, odd)
    return divergence(reference, probabilities, criterion)


def best_temperature(
    similarities: ArrayLike,
    reference: ArrayLike,
    odd: ArrayLike,
    criterion: str = "ECE",
    temperatures: Sequence[float] = TEMPERATURES,
) -> tuple[float, float]:
    """Find the temperature, out of several, at which probabilities of choices fit best (Muttenthaler et al. 2023).

    Parameters
    ----------
    similarities, reference, odd, criterion
        As for :func:`misfit`.
    temperatures : sequence of float
        The values of τ to try. Default: those of the paper.

    Returns
    -------
    tuple of float
        The best τ, and the misfit there.

    Examples
    --------
    >>> best_temperature([[1.0, 0.0, 0.0]] * 2, [[1 / 3] * 3] * 2, [0, 1], "KL")[0]
    1e-05
    """
    found = [misfit(similarities, reference, odd, criterion, each) for each in temperatures]
    place = int(np.argmin(found))
    return temperatures[place], found[place]
