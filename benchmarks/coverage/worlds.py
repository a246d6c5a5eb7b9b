"""Worlds with known truth, data sets drawn from them, and how often limits hold the truth."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from erralign.bounds import error_consistency_bounds
from erralign.measures.matrix import kappa
from erralign.planning import expected_table

ACCURACIES = ((0.5, 0.5), (0.75, 0.6), (0.9, 0.8), (0.95, 0.95), (0.98, 0.9), (0.99, 0.75))
DATA_SETS = 4000
RESAMPLES = 2000
# Where every data set is resampled on its own.
FEWER_RESAMPLES = 500
N_CLASSES = 16


def cells_of_two(accuracy_a: float, accuracy_b: float, ec: float) -> np.ndarray:
    """Return the four cell probabilities of two systems with given accuracies and error consistency."""
    if ec <= error_consistency_bounds(accuracy_a, accuracy_b)[1]:
        return expected_table(ec, accuracy_a, accuracy_b).ravel()
    # Written out, since at the bound rounding would leave 1e-16 in the empty cell, and other draws.
    both = min(accuracy_a, accuracy_b)
    return np.array([1 - accuracy_a - accuracy_b + both, accuracy_b - both, accuracy_a - both, both])


def cells_of_many(accuracies: Sequence[float], loadings: Sequence[float]) -> np.ndarray:
    """Return how likely each pattern of rights and wrongs is when pictures differ in difficulty."""
    # A system with loading r is right where r d + sqrt(1 - r²) e is below a threshold, with d the difficulty of the
    # picture and e its own accident, both standard normal.
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)  # difficulties, and how frequent they are
    cells = weights / weights.sum()
    for accuracy, loading in zip(accuracies, loadings, strict=True):
        right = ndtr((ndtri(accuracy) - loading * nodes) / np.sqrt(1 - loading**2))
        cells = np.stack([cells * (1 - right), cells * right])
    # The system added last stands on the first axis.
    return cells.sum(axis=-1).T


def consistency_in(cells: np.ndarray, a: int, b: int) -> float:
    """Return the true EC of two of many systems."""
    others = tuple(axis for axis in range(cells.ndim) if axis not in (a, b))
    return float(kappa(*cells.sum(axis=others).ravel()))


def rights_and_wrongs(cells: np.ndarray, n_trials: int, rng: np.random.Generator) -> np.ndarray:
    """Draw trials of many systems."""
    drawn = np.repeat(np.arange(cells.size), rng.multinomial(n_trials, cells.ravel()))
    return np.stack(np.unravel_index(drawn, cells.shape))


def two_habits() -> tuple[np.ndarray, np.ndarray]:
    """Return two ways of going wrong."""
    shape = np.full(N_CLASSES - 1, 0.5)
    first, second = (np.random.default_rng(seed).dirichlet(shape, size=N_CLASSES) for seed in (1, 2))
    return first, second


def answers(rng: np.random.Generator, n_trials: int, *systems: tuple[np.ndarray, float]) -> list[np.ndarray]:
    """Draw trials of systems with habits, each on its own."""
    truth = rng.integers(0, N_CLASSES, n_trials)
    given = []
    for habit, rate in systems:
        step = (rng.random(n_trials)[:, None] > habit.cumsum(axis=1)[truth]).sum(axis=1).clip(0, N_CLASSES - 2)
        given.append(np.where(rng.random(n_trials) < rate, (truth + 1 + step) % N_CLASSES, truth))
    return [truth, *given]


def held(limits: np.ndarray, truth: float) -> dict[str, float]:
    """Count how often limits hold the truth; sets without limits are left out."""
    defined = limits[~np.isnan(limits[:, 0])]
    undefined = 1 - len(defined) / len(limits)
    if undefined > 0.5:
        return {"coverage": np.nan, "width": np.nan, "undefined": undefined}
    inside = (defined[:, 0] - 1e-9 <= truth) & (truth <= defined[:, 1] + 1e-9)
    return {"coverage": inside.mean(), "width": np.mean(defined[:, 1] - defined[:, 0]), "undefined": undefined}
