"""Intervals of a rank correlation of two measures, and how often p-values of EC reject what is true."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import betabinom

from benchmarks.coverage.worlds import ACCURACIES, DATA_SETS, RESAMPLES, cells_of_two, held
from erralign.significance import correlation_interval, p_value
from erralign.significance.exact import exact_p
from erralign_book.cells import frozen

# How a pair's value comes about; correlation of the properties, of the noises, size of the noise; systems.
MATRICES = tuple(
    product(("sum", "distance"), ((0.0, 0.0, 0.5), (0.5, 0.5, 0.5), (0.9, 0.5, 0.5), (0.0, 0.6, 2.0)), (12, 20, 30))
)


@frozen(
    "coverage/correlation",
    slow=True,
    settings=MATRICES,
    spot=[("sum", (0.5, 0.5, 0.5), 12), ("distance", (0.0, 0.6, 2.0), 12)],
)
def correlation(setting: tuple[str, tuple[float, float, float], int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals for a rank correlation of two measures over pairs that share systems."""
    values, strengths, systems = setting
    rng = np.random.default_rng([len(values), *(round(10 * strength) for strength in strengths), systems])
    # Pairs without a common system are independent: many of them give the truth.
    truth = _correlation_of_ranks(*_pair_values(rng, values, strengths, rng.permutation(2_000_000).reshape(2, -1)))
    both = np.stack([_two_limits(_matrices(rng, values, strengths, systems)) for _ in range(1000)], axis=1)
    world = {"values": values, **dict(zip(("properties", "noises", "noise"), strengths, strict=True))}
    world |= {"truth": truth, "systems": systems}
    methods = zip(("jackknife of systems", "pairs taken as independent"), both, strict=True)
    rows = [world | {"method": method} | held(found, truth) for method, found in methods]
    return pd.DataFrame(rows).drop(columns="undefined")


def _matrices(rng: np.random.Generator, values: str, strengths: tuple, systems: int) -> np.ndarray:
    pairs = np.triu_indices(systems, k=1)
    matrices = np.zeros((2, systems, systems))
    matrices[:, *pairs] = _pair_values(rng, values, strengths, np.array(pairs))
    return matrices + matrices.swapaxes(1, 2)


def _two_limits(matrices: np.ndarray) -> list[tuple[float, float]]:
    found = correlation_interval(*matrices)
    systems = len(matrices[0])
    half = ndtri(0.975) / np.sqrt(systems * (systems - 1) // 2 - 3)
    return [(found.low, found.high), tuple(np.tanh(np.arctanh(found.estimate) + half * np.array([-1, 1])))]


def _pair_values(rng: np.random.Generator, values: str, strengths: tuple, pairs: np.ndarray) -> np.ndarray:
    """Return, for pairs of systems (2, n_pairs), the values of two measures (2, n_pairs)."""
    properties, noises, noise = strengths
    of_systems = _two_normal(rng, properties, pairs.max() + 1)[:, pairs]
    together = of_systems.sum(axis=1) if values == "sum" else -abs(of_systems[:, 0] - of_systems[:, 1])
    return together + noise * _two_normal(rng, noises, pairs.shape[1])


def _two_normal(rng: np.random.Generator, correlated: float, n: int) -> np.ndarray:
    first, second = rng.standard_normal((2, n))
    return np.stack([first, correlated * first + np.sqrt(1 - correlated**2) * second])


def _correlation_of_ranks(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.corrcoef(first.argsort().argsort(), second.argsort().argsort())[0, 1])


# Accuracies of A and B, trials; with the last two, the false alarms are most at 160 trials.
WORLD = ["accuracy_a", "accuracy_b", "trials"]
OBSERVERS = tuple((a, b, n) for (a, b), n in product((*ACCURACIES, (0.97, 0.97)), (40, 160, 1280)))
# Whether p is the sum or comes from simulated tables (as-printed: strictly more extreme ones), and the prior.
PROCEDURES = (("exact", "uniform"), ("exact", "as-printed"), ("simulated", "as-printed"), ("as-printed",) * 2)


@frozen("coverage/p_values", slow=True, settings=OBSERVERS, spot=[(0.95, 0.95, 40), (0.99, 0.75, 40)], by=WORLD)
def p_values(setting: tuple[float, float, int]) -> pd.DataFrame:
    """Return how often p-values of EC call independent observers dependent, by posterior and by comparison."""
    accuracy_a, accuracy_b, n = setting
    rng = np.random.default_rng([round(100 * accuracy_a), round(100 * accuracy_b), n])
    tables = rng.multinomial(n, cells_of_two(accuracy_a, accuracy_b, 0.0), size=DATA_SETS // 2)
    distinct, counts = np.unique(tables, axis=0, return_counts=True)
    rows = []
    for method, prior in PROCEDURES:
        # One seed for each data set, so that procedures differ in nothing but themselves.
        p_of = partial(_p_value, method=method, prior=prior)
        found = np.array([p_of(table, seed=seed) for seed, table in enumerate(distinct)])
        shares = [np.average(share, weights=counts) for share in (found <= 0.05, np.isnan(found))]
        rows.append((method, prior, *shares))
    return pd.DataFrame(rows, columns=["method", "prior", "rejected", "undefined"])


def _p_value(table: np.ndarray, *, method: str, prior: str, seed: int) -> float:
    if method == "exact" and prior == "uniform":
        return p_value(table.reshape(2, 2))
    _, only_b, only_a, both = table.tolist()
    n, k_a, k_b = int(table.sum()), both + only_a, both + only_b
    if {k_a, k_b} & {0, n}:
        return np.nan  # the printed posterior does not exist
    if method == "exact":
        weights = (betabinom.logpmf(np.arange(n + 1), n, k, n - k) for k in (k_a, k_b))
        return exact_p(n, k_a, k_b, both, *weights)
    rng = np.random.default_rng(seed)
    accuracy_a, accuracy_b = (rng.beta(k, n - k, size=RESAMPLES) for k in (k_a, k_b))
    wrong_a, wrong_b = 1 - accuracy_a, 1 - accuracy_b
    shares = np.stack([accuracy_a * accuracy_b, accuracy_a * wrong_b, wrong_a * accuracy_b, wrong_a * wrong_b], axis=1)
    cells = rng.multinomial(n, shares).T
    x, y = cells[0] + cells[1], cells[0] + cells[2]
    distance, spread = abs(n * cells[0] - x * y), x * (n - y) + y * (n - x)
    # Whole numbers decide ties.
    ours, theirs = distance * (k_a * (n - k_b) + k_b * (n - k_a)), abs(n * both - k_a * k_b) * spread
    extreme = (ours >= theirs) & (spread > 0)
    if method == "as-printed":
        extreme = ours > theirs
    return (int(np.count_nonzero(extreme)) + 1) / (RESAMPLES + 1)
