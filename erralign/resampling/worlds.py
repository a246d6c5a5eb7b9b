"""Joint draws: trials are drawn once for all pairs of systems."""

from __future__ import annotations

import numpy as np
from scipy.linalg import hadamard

from erralign.behaviour import kappa

BLOCK = 1000
# Whole numbers up to this are exact in single precision, so their sums do not depend on the order of summation.
EXACT = 2**24


def drawn_kappas(
    right: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    pseudo_trials: bool = True,
) -> np.ndarray:
    r"""Draw error consistency of pairs of systems, with the same drawn trials for all pairs.

    With pseudo-trials, which nobody was shown, the table of each pair is drawn from a Dirichlet distribution with half
    a count added to each cell. For this, trials get exponential weights. The pseudo-trials are the rows of a Hadamard
    matrix and of its negative: among them each cell of each pair occurs equally often, and together they weigh half a
    count per cell. Without pseudo-trials the trials are resampled, as in the plain bootstrap.

    Parameters
    ----------
    right : numpy.ndarray of bool, shape (n_systems, n_trials)
        Who was right on what.
    first, second : numpy.ndarray of int, shape (n_pairs,)
        The systems of each pair.
    n_resamples : int
        How many draws are made.
    rng : numpy.random.Generator
        The source of randomness.
    pseudo_trials : bool
        Whether pseudo-trials are added, so that an error that was not observed can be drawn.

    Returns
    -------
    numpy.ndarray of float32, shape (n_resamples, n_pairs)
        From -1 to 1; nan where a draw is 0/0. The values do not depend on the number of cores.

    References
    ----------
    Rubin (1981), the Bayesian bootstrap, https://doi.org/10.1214/aos/1176345338.
    """
    weigh, trials = _dirichlet_world(right) if pseudo_trials else _bootstrap_world(right)
    columns = np.concatenate(
        [trials[:, first] * trials[:, second], trials, np.ones((len(trials), 1), np.float32)], axis=1
    )
    draws = np.empty((n_resamples, len(first)), dtype=np.float32)
    for start in range(0, n_resamples, BLOCK):
        block = draws[start : start + BLOCK]
        sums = weigh(len(block), rng) @ columns
        both, alone, total = sums[:, : len(first)], sums[:, len(first) : -1], sums[:, -1:]
        only_a, only_b = alone[:, first] - both, alone[:, second] - both
        block[:] = kappa(total - both - only_a - only_b, only_b, only_a, both)
    return draws


def drawn_accuracies(right: np.ndarray, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the accuracies of systems together, from the same weights of trials as :func:`drawn_kappas`.

    Parameters
    ----------
    right : numpy.ndarray of bool, shape (n_systems, n_trials)
        Who was right on what.
    n_resamples : int
        How many draws are made.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    numpy.ndarray, shape (n_resamples, n_systems)
        From 0 to 1. The difference of two systems is the difference of two cells of a table from a Dirichlet
        distribution with half a count added to each of the four cells of right and wrong.

    Examples
    --------
    >>> drawn_accuracies(np.ones((2, 1000), dtype=bool), 10, np.random.default_rng(0)).min().round(1).item()
    1.0
    """
    weigh, trials = _dirichlet_world(right)
    columns = np.append(trials, np.ones((len(trials), 1), np.float32), axis=1)
    blocks = [min(BLOCK, n_resamples - start) for start in range(0, n_resamples, BLOCK)]
    sums = np.concatenate([weigh(size, rng) @ columns for size in blocks])
    return sums[:, :-1] / sums[:, -1:]


def _bootstrap_world(right: np.ndarray) -> tuple:
    n_trials = right.shape[1]
    return lambda n, rng: resampled_trials(n_trials, n, rng), right.T.astype(np.float32)


def _dirichlet_world(right: np.ndarray) -> tuple:
    n_trials = right.shape[1]
    pseudo, share = _pseudo_trials(len(right))
    unit = 2.0 ** np.floor(np.log2(EXACT / (2 * n_trials + 64)))

    def weigh(n: int, rng: np.random.Generator) -> np.ndarray:
        weights = np.empty((n, n_trials + len(pseudo)), dtype=np.float32)
        weights[:, :n_trials] = rng.standard_exponential((n, n_trials), dtype=np.float32)
        weights[:, n_trials:] = rng.standard_gamma(share, (n, len(pseudo)), dtype=np.float32)
        weights *= np.float32(unit)
        return np.rint(weights, out=weights)

    return weigh, np.concatenate([right.T, pseudo]).astype(np.float32)


def _pseudo_trials(n_systems: int) -> tuple[np.ndarray, float]:
    order = 2 ** int(np.ceil(np.log2(n_systems + 1)))
    signs = hadamard(order)[:, 1 : n_systems + 1]
    return np.concatenate([signs, -signs]) > 0, 1 / order


def resampled_trials(n_trials: int, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw how often each trial occurs in each resample.

    Parameters
    ----------
    n_trials, n_resamples : int
        How many trials there are, and how many resamples to draw.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    numpy.ndarray of float32, shape (n_resamples, n_trials)
        Whole numbers; each row sums to ``n_trials``.

    Examples
    --------
    >>> resampled_trials(5, 2, np.random.default_rng(0)).sum(axis=1).tolist()
    [5.0, 5.0]
    """
    drawn = rng.integers(n_trials, size=(n_resamples, n_trials))
    drawn += np.arange(n_resamples)[:, None] * n_trials
    counts = np.bincount(drawn.ravel().astype(np.intp, copy=False), minlength=n_resamples * n_trials)
    return counts.reshape(n_resamples, n_trials).astype(np.float32)
