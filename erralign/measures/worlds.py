"""Joint draws: trials are drawn once for all pairs of systems."""

from functools import partial

import numpy as np
from scipy.linalg import hadamard

from erralign.behaviour.consistency import kappa

BLOCK = 1000
WEIGHTS = 2**26  # of trials that are held at once, in single precision
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
    """Draw error consistency of pairs of systems, with the same drawn trials for all pairs."""
    # With pseudo-trials, which nobody was shown, the table of each pair is drawn from a Dirichlet distribution with
    # half a count added to each cell.
    resample = partial(resampled_trials, right.shape[1])
    weigh, trials = _dirichlet_world(right) if pseudo_trials else (resample, right.T.astype(np.float32))
    columns = np.concatenate(
        [trials[:, first] * trials[:, second], trials, np.ones((len(trials), 1), np.float32)], axis=1
    )
    draws = np.empty((n_resamples, len(first)), dtype=np.float32)
    for start, size in _blocks(n_resamples, len(trials)):
        block = draws[start : start + size]
        sums = weigh(len(block), rng) @ columns
        both, alone, total = sums[:, : len(first)], sums[:, len(first) : -1], sums[:, -1:]
        only_a, only_b = alone[:, first] - both, alone[:, second] - both
        block[:] = kappa(total - both - only_a - only_b, only_b, only_a, both)
    return draws


def drawn_accuracies(right: np.ndarray, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the accuracies of systems together, from the same weights of trials as :func:`drawn_kappas`."""
    weigh, trials = _dirichlet_world(right)
    columns = np.append(trials, np.ones((len(trials), 1), np.float32), axis=1)
    sums = np.concatenate([weigh(size, rng) @ columns for _, size in _blocks(n_resamples, len(trials))])
    return sums[:, :-1] / sums[:, -1:]


def _blocks(n_resamples: int, n_trials: int) -> list[tuple[int, int]]:
    """Return where each block of draws starts, and how many draws it has."""
    most = int(np.clip(WEIGHTS // n_trials, 1, BLOCK))
    return [(start, min(most, n_resamples - start)) for start in range(0, n_resamples, most)]


def _dirichlet_world(right: np.ndarray) -> tuple:
    n_trials = right.shape[1]
    pseudo, share = pseudo_trials(len(right))
    unit = 2.0 ** np.floor(np.log2(EXACT / (2 * n_trials + 64)))

    def weigh(n: int, rng: np.random.Generator) -> np.ndarray:
        weights = np.empty((n, n_trials + len(pseudo)), dtype=np.float32)
        weights[:, :n_trials] = rng.standard_exponential((n, n_trials), dtype=np.float32)
        weights[:, n_trials:] = rng.standard_gamma(share, (n, len(pseudo)), dtype=np.float32)
        weights *= np.float32(unit)
        return np.rint(weights, out=weights)

    return weigh, np.concatenate([right.T, pseudo]).astype(np.float32)


def pseudo_trials(n_systems: int) -> tuple[np.ndarray, float]:
    """Return who is right on pseudo-trials, and their weight: half a count for each cell of every two systems."""
    order = 2 ** int(np.ceil(np.log2(n_systems + 1)))
    signs = hadamard(order)[:, 1 : n_systems + 1]
    return np.concatenate([signs, -signs]) > 0, 1 / order


def resampled_trials(n_trials: int, n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw how often each trial occurs in each resample."""
    drawn = rng.integers(n_trials, size=(n_resamples, n_trials))
    drawn += np.arange(n_resamples)[:, None] * n_trials
    counts = np.bincount(drawn.ravel().astype(np.intp, copy=False), minlength=n_resamples * n_trials)
    return counts.reshape(n_resamples, n_trials).astype(np.float32)
