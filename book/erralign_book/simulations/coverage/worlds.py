"""Worlds with known truth, data sets drawn from them, and how often limits hold the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from erralign.behaviour import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import expected_table

ACCURACIES = ((0.5, 0.5), (0.75, 0.6), (0.9, 0.8), (0.95, 0.95), (0.98, 0.9), (0.99, 0.75))
DATA_SETS = 4000
RESAMPLES = 2000
# Where every data set is resampled on its own.
FEWER_RESAMPLES = 500
N_CLASSES = 16


def cells_of_two(accuracy_a: float, accuracy_b: float, ec: float) -> np.ndarray:
    """Return the four cell probabilities of two systems with given accuracies and error consistency.

    Parameters
    ----------
    accuracy_a, accuracy_b : float
        Shares of right answers.
    ec : float
        Error consistency; cut to the largest that these accuracies allow.

    Returns
    -------
    numpy.ndarray, shape (4,)
        Both wrong, only B right, only A right, both right.

    Examples
    --------
    >>> cells_of_two(0.75, 0.5, 0.9).tolist()
    [0.25, 0.0, 0.25, 0.5]
    """
    if ec <= error_consistency_bounds(accuracy_a, accuracy_b)[1]:
        return expected_table(ec, accuracy_a, accuracy_b).ravel()
    # Written out, since at the bound rounding would leave 1e-16 in the empty cell, and other draws.
    both = min(accuracy_a, accuracy_b)
    return np.array([1 - accuracy_a - accuracy_b + both, accuracy_b - both, accuracy_a - both, both])


def cells_of_many(accuracies: Sequence[float], loadings: Sequence[float]) -> np.ndarray:
    r"""Return how likely each pattern of rights and wrongs is when pictures differ in difficulty.

    A system with loading r is right where :math:`r d + \sqrt{1 - r^2} e` is below a threshold, with d the difficulty of
    the picture and e its own accident, both standard normal.

    Parameters
    ----------
    accuracies, loadings : sequence of float, length n_systems
        Shares of right answers, and r from 0 (alone) to 1 (difficulty decides).

    Returns
    -------
    numpy.ndarray, shape (2,) * n_systems
        Probabilities; index 1 on an axis: that system is right.

    Examples
    --------
    >>> cells_of_many([0.5, 0.5], [0.0, 0.6]).round(3).tolist()
    [[0.25, 0.25], [0.25, 0.25]]
    """
    nodes, weights = _nodes()
    cells = weights
    for accuracy, loading in zip(accuracies, loadings, strict=True):
        right = ndtr((ndtri(accuracy) - loading * nodes) / np.sqrt(1 - loading**2))
        cells = np.stack([cells * (1 - right), cells * right])
    # The system added last stands on the first axis.
    return cells.sum(axis=-1).T


def _nodes() -> tuple[np.ndarray, np.ndarray]:
    """Return difficulties and their weights, which integrate over a standard normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    return nodes, weights / weights.sum()


def consistency_in(cells: np.ndarray, a: int, b: int) -> float:
    """Return the true EC of two of many systems.

    Parameters
    ----------
    cells : numpy.ndarray, shape (2,) * n_systems
        As from :func:`cells_of_many`.
    a, b : int
        Axes of the two systems.

    Returns
    -------
    float
        From -1 to 1.
    """
    others = tuple(axis for axis in range(cells.ndim) if axis not in (a, b))
    return float(kappa(*cells.sum(axis=others).ravel()))


def rights_and_wrongs(cells: np.ndarray, n_trials: int, rng: np.random.Generator) -> np.ndarray:
    """Draw trials of many systems.

    Parameters
    ----------
    cells : numpy.ndarray, shape (2,) * n_systems
        As from :func:`cells_of_many`.
    n_trials : int
        How many.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    numpy.ndarray, shape (n_systems, n_trials)
        1 where right.
    """
    drawn = np.repeat(np.arange(cells.size), rng.multinomial(n_trials, cells.ravel()))
    return np.stack(np.unravel_index(drawn, cells.shape))


def two_habits() -> tuple[np.ndarray, np.ndarray]:
    """Return two ways of going wrong.

    Returns
    -------
    tuple of numpy.ndarray, shape (N_CLASSES, N_CLASSES - 1)
        For each true class the shares of the other classes among the errors.
    """
    shape = np.full(N_CLASSES - 1, 0.5)
    first, second = (np.random.default_rng(seed).dirichlet(shape, size=N_CLASSES) for seed in (1, 2))
    return first, second


def answers(rng: np.random.Generator, n_trials: int, *systems: tuple[np.ndarray, float]) -> list[np.ndarray]:
    """Draw trials of systems with habits, each on its own.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of randomness.
    n_trials : int
        How many.
    *systems : tuple
        Habits, as from :func:`two_habits`, and the share of errors.

    Returns
    -------
    list of numpy.ndarray
        The true classes, then each system's answers.
    """
    truth = rng.integers(0, N_CLASSES, n_trials)
    given = []
    for habit, rate in systems:
        step = (rng.random(n_trials)[:, None] > habit.cumsum(axis=1)[truth]).sum(axis=1).clip(0, N_CLASSES - 2)
        given.append(np.where(rng.random(n_trials) < rate, (truth + 1 + step) % N_CLASSES, truth))
    return [truth, *given]


def held(limits: np.ndarray, truth: float) -> dict[str, float]:
    """Count how often limits hold the truth; sets without limits are left out.

    Parameters
    ----------
    limits : numpy.ndarray, shape (n_sets, 2)
        Lower and upper limits, nan where there are none.
    truth : float
        What they should hold.

    Returns
    -------
    dict
        ``coverage``, ``width`` (mean) and ``undefined`` (share of sets without limits); the first two are nan where
        most sets have none.
    """
    defined = limits[~np.isnan(limits[:, 0])]
    undefined = 1 - len(defined) / len(limits)
    if undefined > 0.5:
        return {"coverage": np.nan, "width": np.nan, "undefined": undefined}
    inside = (defined[:, 0] - 1e-9 <= truth) & (truth <= defined[:, 1] + 1e-9)
    return {"coverage": inside.mean(), "width": np.mean(defined[:, 1] - defined[:, 0]), "undefined": undefined}
