"""How often does an interval hold the truth? Simulations with known truth, for every method that the book names."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import chi2

from erralign.behaviour import class_level_error_similarity as value
from erralign.behaviour import kappa
from erralign.nulls import correlation_interval, p_value
from erralign.reproduction.frozen import frozen
from erralign.resampling import confidence_interval, error_consistency_limits, score_chi_square

ACCURACIES = ((0.5, 0.5), (0.75, 0.6), (0.9, 0.8), (0.95, 0.95), (0.98, 0.9), (0.99, 0.75))
TRIALS = (160, 400, 1280)
DATA_SETS = 4000
RESAMPLES = 2000


def cells_with(accuracy_a: float, accuracy_b: float, ec: float) -> np.ndarray:
    r"""Return the four cell probabilities of two systems with given accuracies and error consistency.

    With :math:`D = p(1 - q) + q(1 - p)`, both are right with probability :math:`pq + EC \cdot D / 2`.

    Parameters
    ----------
    accuracy_a, accuracy_b : float
        Shares of right answers.
    ec : float
        Error consistency; cut to the largest that these accuracies allow.

    Returns
    -------
    numpy.ndarray
        Both wrong, only B right, only A right, both right.

    Examples
    --------
    >>> cells_with(0.5, 0.5, 1.0).tolist()
    [0.5, 0.0, 0.0, 0.5]
    """
    chance = accuracy_a * accuracy_b
    both = min(chance + ec * (accuracy_a + accuracy_b - 2 * chance) / 2, accuracy_a, accuracy_b)
    return np.array([1 - accuracy_a - accuracy_b + both, accuracy_b - both, accuracy_a - both, both]).clip(0)


@frozen(inputs=[], slow=True)
def error_consistency() -> pd.DataFrame:
    """Return the coverage of 95 % intervals of EC in 36 settings, four methods each.

    Returns
    -------
    pandas.DataFrame
        ``accuracy_a``, ``accuracy_b``, ``EC`` (the truth), ``trials``, ``joint_errors`` (expected), ``method``,
        ``coverage`` over 4,000 simulated data sets, ``width`` (mean; of the score interval over 100 of them).
    """
    rows = []
    for (a, b), ec, n in product(ACCURACIES, (0.0, 0.3), TRIALS):
        cells = cells_with(a, b, ec)
        rng = np.random.default_rng([round(1000 * a), round(1000 * b), round(10 * ec), n])
        tables = rng.multinomial(n, cells, size=DATA_SETS)
        setting = (a, b, float(kappa(*cells)), n, n * cells[0])
        rows += [(*setting, method, *_of_method(method, tables, cells, rng)) for method in METHODS]
    columns = ["accuracy_a", "accuracy_b", "EC", "trials", "joint_errors", "method", "coverage", "width"]
    return pd.DataFrame(rows, columns=columns)


METHODS = ("dirichlet", "score", "percentile", "hdi")


def _of_method(method: str, tables: np.ndarray, cells: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    truth = float(kappa(*cells))
    if method == "score":
        # To see whether an interval holds the truth, the truth is tested; inverting every test would take an hour.
        held = score_chi_square(tables, np.full(len(tables), truth)) <= chi2.ppf(0.95, df=1)
        limits = np.array([error_consistency_limits(t.reshape(2, 2), method="score")[:2] for t in tables[:100]])
        return held.mean(), np.nanmean(limits[:, 1] - limits[:, 0])
    distinct, counts = np.unique(tables, axis=0, return_counts=True)
    limits = np.array([_limits(table, method, rng) for table in distinct])
    held = (limits[:, 0] - 1e-9 <= truth) & (truth <= limits[:, 1] + 1e-9)
    width = np.ma.masked_invalid(limits[:, 1] - limits[:, 0])
    return np.average(held, weights=counts), np.ma.average(width, weights=counts)


def _limits(table: np.ndarray, method: str, rng: np.random.Generator) -> tuple[float, float]:
    return error_consistency_limits(table.reshape(2, 2), method=method, n_resamples=RESAMPLES, rng=rng)[:2]


@frozen(inputs=[], slow=True)
def misclassification_agreement() -> pd.DataFrame:
    """Return the coverage of 95 % intervals of MA by number of joint errors, true value and chance agreement.

    Returns
    -------
    pandas.DataFrame
        ``chance`` (agreement by chance), ``MA`` (the truth), ``joint_errors``, ``method``, ``coverage`` over 4,000
        simulated data sets (1,000 for ``percentile``), ``undefined`` (share without an interval, left out).
    """
    settings = product(("even", "skewed"), (0.1, 0.4, 0.7), (5, 10, 30, 100, 400), ("wilson", "percentile"))
    return pd.DataFrame([_agreement_coverage(*setting) for setting in settings])


N_CLASSES = 16


def _agreement_coverage(margins: str, ma: float, n: int, method: str) -> dict:
    """Two systems that give the same answer with probability MA, and else answer independently from the same shares."""
    shares = np.full(N_CLASSES, 1 / N_CLASSES) if margins == "even" else np.array([0.7] + [0.3 / 15] * 15)
    rng = np.random.default_rng([len(margins), round(10 * ma), n])
    sets = DATA_SETS if method == "wilson" else DATA_SETS // 4
    held = np.empty(sets)
    for i in range(sets):
        a, other = rng.choice(N_CLASSES, p=shares, size=(2, n))
        b = np.where(rng.random(n) < ma, a, other)
        # Class 16 is the truth of every trial, so that all trials are joint errors.
        interval = confidence_interval(
            np.full(n, N_CLASSES),
            a,
            b,
            "misclassification_agreement",
            method=method,
            n_classes=N_CLASSES + 1,
            n_resamples=RESAMPLES,
            rng=rng,
        )
        held[i] = np.nan if np.isnan(interval.low) else interval.low - 1e-9 <= ma <= interval.high + 1e-9
    return {
        "chance": shares @ shares,
        "MA": ma,
        "joint_errors": n,
        "method": method,
        "coverage": np.nanmean(held),
        "undefined": np.isnan(held).mean(),
    }


@frozen(inputs=[], slow=True)
def class_level_error_similarity() -> pd.DataFrame:
    """Return the coverage of 95 % intervals of CLES about the value expected at these error counts.

    Returns
    -------
    pandas.DataFrame
        ``habits`` (same, different), ``errors_a``, ``errors_b`` (expected), ``expected`` (CLES, the truth), ``method``,
        ``coverage`` over 300 simulated data sets, ``width`` (mean).
    """
    sizes = ((50, 50), (200, 200), (1000, 1000), (5000, 5000), (200, 50), (1000, 250))
    return pd.DataFrame(
        [row for habits in ("same", "different") for size in sizes for row in _similarity_coverage(habits, *size)]
    )


def _similarity_coverage(habits: str, errors_a: int, errors_b: int) -> list[dict]:
    rng = np.random.default_rng([len(habits), errors_a, errors_b])
    shape = (N_CLASSES, N_CLASSES - 1)
    habit_a = np.random.default_rng(1).dirichlet(np.full(shape[1], 0.5), size=N_CLASSES)
    habit_b = (
        habit_a if habits == "same" else np.random.default_rng(2).dirichlet(np.full(shape[1], 0.5), size=N_CLASSES)
    )
    n = 2 * max(errors_a, errors_b)
    sets = [_simulate(rng, n, (habit_a, errors_a / n), (habit_b, errors_b / n)) for _ in range(300)]
    expected = np.mean(
        [
            value(*_simulate(rng, n, (habit_a, errors_a / n), (habit_b, errors_b / n)), n_classes=N_CLASSES)
            for _ in range(2000)
        ]
    )
    rows = []
    for method in ("recentred", "percentile"):
        limits = [
            confidence_interval(
                *trials, "class_level_error_similarity", method=method, n_classes=N_CLASSES, n_resamples=500, rng=rng
            )
            for trials in sets
        ]
        held = [interval.low <= expected <= interval.high for interval in limits]
        width = np.mean([interval.high - interval.low for interval in limits])
        rows.append(
            {
                "habits": habits,
                "errors_a": errors_a,
                "errors_b": errors_b,
                "expected": expected,
                "method": method,
                "coverage": np.mean(held),
                "width": width,
            }
        )
    return rows


def _simulate(rng: np.random.Generator, n: int, *systems: tuple[np.ndarray, float]) -> list[np.ndarray]:
    truth = rng.integers(0, N_CLASSES, n)
    answers = []
    for habit, rate in systems:
        step = (rng.random(n)[:, None] > habit.cumsum(axis=1)[truth]).sum(axis=1).clip(0, N_CLASSES - 2)
        answers.append(np.where(rng.random(n) < rate, (truth + 1 + step) % N_CLASSES, truth))
    return [truth, *answers]


@frozen(inputs=[], slow=True)
def correlation() -> pd.DataFrame:
    """Return the coverage of 95 % intervals for a rank correlation of two measures over pairs that share systems.

    Returns
    -------
    pandas.DataFrame
        ``values`` (a pair's value is the ``sum`` of a property of its systems, or minus their ``distance``, with noise
        of its own), ``properties`` and ``noises`` (the correlation of the two measures' properties and noises),
        ``noise`` (its standard deviation; that of a property is 1), ``truth`` (Spearman's r among all possible pairs),
        ``systems``, ``method``, ``coverage`` over 1,000 simulated sets of systems, ``width`` (mean).
    """
    strengths = ((0.0, 0.0, 0.5), (0.5, 0.5, 0.5), (0.9, 0.5, 0.5), (0.0, 0.6, 2.0))
    settings = product(("sum", "distance"), strengths, (12, 20, 30))
    return pd.DataFrame([row for setting in settings for row in _correlation_coverage(*setting)])


def _correlation_coverage(values: str, strengths: tuple[float, float, float], systems: int) -> list[dict]:
    rng = np.random.default_rng([len(values), *(round(10 * strength) for strength in strengths), systems])
    # Pairs without a common system are independent: many of them give the truth.
    truth = _correlation_of_ranks(*_pair_values(rng, values, strengths, rng.permutation(2_000_000).reshape(2, -1)))
    pairs = np.triu_indices(systems, k=1)
    limits = {"jackknife of systems": [], "pairs taken as independent": []}
    for _ in range(1000):
        matrices = np.zeros((2, systems, systems))
        matrices[:, *pairs] = _pair_values(rng, values, strengths, np.array(pairs))
        r, *jackknife = correlation_interval(*(matrix + matrix.T for matrix in matrices))
        half = ndtri(0.975) / np.sqrt(len(pairs[0]) - 3)
        limits["jackknife of systems"].append(jackknife)
        limits["pairs taken as independent"].append(np.tanh([np.arctanh(r) - half, np.arctanh(r) + half]))
    setting = dict(zip(("properties", "noises", "noise"), strengths, strict=True))
    setting = {"values": values, **setting, "truth": truth, "systems": systems}
    return [
        {
            **setting,
            "method": method,
            "coverage": np.mean((found[:, 0] <= truth) & (truth <= found[:, 1])),
            "width": np.mean(found[:, 1] - found[:, 0]),
        }
        for method, found in ((method, np.array(found)) for method, found in limits.items())
    ]


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


@frozen(inputs=[], slow=True)
def p_values() -> pd.DataFrame:
    """Return how often p-values of EC call independent observers dependent, by posterior and by comparison.

    Returns
    -------
    pandas.DataFrame
        ``accuracy_a``, ``accuracy_b``, ``trials``, ``method`` and ``prior`` of :func:`erralign.p_value` (``simulated``
        counts ties, ``as-printed`` does not), ``rejected`` (share of p at most .05 among 2,000 simulated data sets of
        independent observers; .05 is promised), ``undefined`` (share without a p-value; not among the rejected). Each
        simulated p comes from 2,000 null tables.
    """
    procedures = (("exact", "uniform"), ("exact", "as-printed"), ("simulated", "as-printed"), ("as-printed",) * 2)
    settings = product(ACCURACIES, (40, 160, 1280))
    return pd.DataFrame([row for (a, b), n in settings for row in _rejections(a, b, n, procedures)])


def _rejections(accuracy_a: float, accuracy_b: float, n: int, procedures: tuple) -> list[dict]:
    rng = np.random.default_rng([round(100 * accuracy_a), round(100 * accuracy_b), n])
    tables = rng.multinomial(n, cells_with(accuracy_a, accuracy_b, 0.0), size=DATA_SETS // 2)
    distinct, counts = np.unique(tables, axis=0, return_counts=True)
    rows = []
    for method, prior in procedures:
        options = {"method": method, "prior": prior, "n_samples": RESAMPLES}
        # One seed a table, so that procedures differ in nothing but themselves.
        found = np.array([p_value(table.reshape(2, 2), rng=seed, **options) for seed, table in enumerate(distinct)])
        setting = {"accuracy_a": accuracy_a, "accuracy_b": accuracy_b, "trials": n, "method": method, "prior": prior}
        shares = {"rejected": found <= 0.05, "undefined": np.isnan(found)}
        rows.append(setting | {name: np.average(share, weights=counts) for name, share in shares.items()})
    return rows
