"""How often does an interval hold the truth? Simulations with known truth, for every method that the book names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri, rel_entr
from scipy.stats import chi2

from erralign.behaviour import class_level_error_similarity as value
from erralign.behaviour import kappa
from erralign.nulls import correlation_interval, p_value
from erralign.reproduction.frozen import frozen
from erralign.resampling import (
    confidence_interval,
    consistency_with_people,
    difference_interval,
    error_consistency_limits,
    score_chi_square,
)
from erralign.resampling.class_level_error_similarity import drawn_similarities
from erralign.resampling.interval import percentile_limits, recentred_limits
from erralign.resampling.people import drawn_means
from erralign.resampling.worlds import drawn_kappas
from erralign.responses import Responses

ACCURACIES = ((0.5, 0.5), (0.75, 0.6), (0.9, 0.8), (0.95, 0.95), (0.98, 0.9), (0.99, 0.75))
TRIALS = (160, 400, 1280)
DATA_SETS = 4000
RESAMPLES = 2000
# Where every data set is resampled on its own.
FEWER_RESAMPLES = 500


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
        simulated data sets, ``undefined`` (share without an interval, left out).
    """
    settings = product(("even", "skewed"), (0.1, 0.4, 0.7), (5, 10, 30, 100, 400), ("wilson", "percentile"))
    return pd.DataFrame([_agreement_coverage(*setting) for setting in settings])


N_CLASSES = 16


def _agreement_coverage(margins: str, ma: float, n: int, method: str) -> dict:
    """Two systems that give the same answer with probability MA, and else answer independently from the same shares."""
    shares = np.full(N_CLASSES, 1 / N_CLASSES) if margins == "even" else np.array([0.7] + [0.3 / 15] * 15)
    rng = np.random.default_rng([len(margins), round(10 * ma), n])
    held = np.empty(DATA_SETS)
    for i in range(DATA_SETS):
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
            n_resamples=FEWER_RESAMPLES,
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
    """Return the coverage of 95 % intervals of CLES: about the value at these error counts, and at infinite errors.

    Returns
    -------
    pandas.DataFrame
        ``habits`` (same, different), ``errors_a``, ``errors_b`` (expected), ``estimand``, ``method``, ``truth``,
        ``coverage`` over 4,000 simulated data sets, ``width`` (mean), ``undefined`` (share without an interval, left
        out; coverage is nan where it is nearly all).
    """
    sizes = ((50, 50), (200, 200), (1000, 1000), (5000, 5000), (200, 50), (1000, 250), (5000, 1250))
    return pd.DataFrame(
        [row for habits in ("same", "different") for size in sizes for row in _similarity_coverage(habits, *size)]
    )


def _similarity_coverage(habits: str, errors_a: int, errors_b: int) -> list[dict]:
    rng = np.random.default_rng([len(habits), errors_a, errors_b])
    shape = np.full(N_CLASSES - 1, 0.5)
    habit_a, other = (np.random.default_rng(seed).dirichlet(shape, size=N_CLASSES) for seed in (1, 2))
    habit_b = habit_a if habits == "same" else other
    n = 2 * max(errors_a, errors_b)
    systems = (habit_a, errors_a / n), (habit_b, errors_b / n)
    expected = np.mean([value(*_simulate(rng, n, *systems), n_classes=N_CLASSES) for _ in range(DATA_SETS)])
    limits = np.array([_similarity_limits(_simulate(rng, n, *systems), rng) for _ in range(DATA_SETS)])
    truths = {
        "recentred": expected,
        "percentile": expected,
        "jackknife": _at_infinity(habit_a, habit_b, errors_a, errors_b),
    }
    setting = {"habits": habits, "errors_a": errors_a, "errors_b": errors_b}
    return [
        setting
        | {"estimand": "infinite" if method == "jackknife" else "at-these-counts", "method": method, "truth": truth}
        | _held(limits[:, i], truth)
        for i, (method, truth) in enumerate(truths.items())
    ]


def _similarity_limits(trials: list[np.ndarray], rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return the limits of three methods, two of them from the same resamples."""
    pair = np.array([0]), np.array([1])
    draws = drawn_similarities(trials[0], np.stack(trials[1:]), *pair, N_CLASSES, FEWER_RESAMPLES, rng)[:, 0]
    estimate = value(*trials, n_classes=N_CLASSES)
    infinite = confidence_interval(*trials, "class_level_error_similarity", estimand="infinite", n_classes=N_CLASSES)
    return [
        recentred_limits(draws, estimate, 0.95)[:2],
        percentile_limits(draws, 0.95)[:2],
        (infinite.low, infinite.high),
    ]


def _at_infinity(habit_a: np.ndarray, habit_b: np.ndarray, errors_a: int, errors_b: int) -> float:
    middle = (errors_a * habit_a + errors_b * habit_b) / (errors_a + errors_b)
    return 1 / (1 + (rel_entr(habit_a, middle) + rel_entr(habit_b, middle)).sum(axis=1).mean() / 2)


def _held(limits: np.ndarray, truth: float) -> dict:
    """Count how often limits, shape (n_sets, 2), hold the truth; sets without limits are left out."""
    defined = limits[~np.isnan(limits[:, 0])]
    undefined = 1 - len(defined) / len(limits)
    if undefined > 0.5:
        return {"coverage": np.nan, "width": np.nan, "undefined": undefined}
    held = (defined[:, 0] - 1e-9 <= truth) & (truth <= defined[:, 1] + 1e-9)
    return {"coverage": held.mean(), "width": np.mean(defined[:, 1] - defined[:, 0]), "undefined": undefined}


def _simulate(rng: np.random.Generator, n: int, *systems: tuple[np.ndarray, float]) -> list[np.ndarray]:
    truth = rng.integers(0, N_CLASSES, n)
    answers = []
    for habit, rate in systems:
        step = (rng.random(n)[:, None] > habit.cumsum(axis=1)[truth]).sum(axis=1).clip(0, N_CLASSES - 2)
        answers.append(np.where(rng.random(n) < rate, (truth + 1 + step) % N_CLASSES, truth))
    return [truth, *answers]


# ---- differences and means ---------------------------------------------------------------------------------------

# Accuracies of A, B and C; how much the difficulty of a picture decides for A and B, and for C; trials.
THREE_SYSTEMS = {
    "many errors": (0.7, 0.6, 0.8, 0.6, 0.6, 1280),
    "some errors": (0.8, 0.7, 0.85, 0.6, 0.6, 160),
    "about one joint error": (0.97, 0.93, 0.95, 0.6, 0.6, 160),
    "a third of a joint error": (0.985, 0.95, 0.98, 0.6, 0.6, 160),
    "easy, many trials": (0.985, 0.95, 0.98, 0.6, 0.6, 1280),
    "two seeds of one network": (0.75, 0.75, 0.85, 0.95, 0.6, 400),
    "independent of people": (0.97, 0.93, 0.95, 0.0, 0.6, 160),
}


def _nodes() -> tuple[np.ndarray, np.ndarray]:
    """Return difficulties and their weights, which integrate over a standard normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    return nodes, weights / weights.sum()


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


def _kappa_of(cells: np.ndarray, a: int, b: int) -> float:
    others = tuple(axis for axis in range(cells.ndim) if axis not in (a, b))
    return float(kappa(*cells.sum(axis=others).ravel()))


@frozen(inputs=[], slow=True)
def differences() -> pd.DataFrame:
    """Return the coverage of 95 % intervals of paired differences of EC, MA and CLES with a third system, and accuracy.

    Returns
    -------
    pandas.DataFrame
        ``setting`` (a key of :data:`THREE_SYSTEMS`, or how many errors), ``measure``, ``method`` (``percentile``: both
        pairs resampled together), ``trials``, ``joint_errors_a``, ``joint_errors_b`` (expected, with C), ``truth``,
        ``coverage`` over 4,000 simulated data sets, ``width`` (mean), ``undefined`` (share without an interval).
    """
    rows = [row for setting in THREE_SYSTEMS for row in _difference_coverage(setting)]
    rows += [_agreement_difference(errors) for errors in (10, 30, 100)]
    return pd.DataFrame(rows + [_similarity_difference(errors) for errors in (50, 200, 1000)])


def _difference_coverage(setting: str) -> list[dict]:
    *accuracies, of_models, of_people, n = THREE_SYSTEMS[setting]
    cells = cells_of_many(accuracies, [of_models, of_models, of_people])
    rng = np.random.default_rng(list(setting.encode()))
    found = np.array([_difference_limits(_patterns(cells, n, rng), rng) for _ in range(DATA_SETS)])
    with_c = [n * cells[0, :, 0].sum(), n * cells[:, 0, 0].sum()]
    of_ec = _kappa_of(cells, 0, 2) - _kappa_of(cells, 1, 2)
    truths = {("error_consistency", "dirichlet"): of_ec, ("error_consistency", "percentile"): of_ec}
    truths["accuracy", "dirichlet"] = accuracies[0] - accuracies[1]
    return [
        {"setting": setting, "measure": measure, "method": method, "trials": n, "joint_errors_a": with_c[0]}
        | {"joint_errors_b": with_c[1], "truth": truth}
        | _held(found[:, i], truth)
        for i, ((measure, method), truth) in enumerate(truths.items())
    ]


def _patterns(cells: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n trials; shape (n_systems, n_trials), 1 where right."""
    drawn = np.repeat(np.arange(cells.size), rng.multinomial(n, cells.ravel()))
    return np.stack(np.unravel_index(drawn, cells.shape))


def _difference_limits(right: np.ndarray, rng: np.random.Generator) -> list[tuple[float, float]]:
    options = {"n_resamples": 2 * FEWER_RESAMPLES, "rng": rng}
    truth = np.ones(right.shape[1], dtype=int)
    of_ec = difference_interval(truth, *right, **options)
    of_accuracy = difference_interval(truth, *right[:2], measure="accuracy", **options)
    pairs = np.array([0, 1]), np.array([2, 2])
    draws = drawn_kappas(right > 0, *pairs, options["n_resamples"], rng, pseudo_trials=False)
    plain = percentile_limits(draws[:, 0] - draws[:, 1], 0.95)[:2]
    return [(of_ec.low, of_ec.high), plain, (of_accuracy.low, of_accuracy.high)]


def _agreement_difference(n: int) -> dict:
    """Three systems that err on every trial: A gives C's answer with probability .4, B with .2."""
    rng = np.random.default_rng([n, 3])
    truth, limits = np.full(n, N_CLASSES), []
    for _ in range(DATA_SETS):
        c, *own = rng.integers(N_CLASSES, size=(3, n))
        a, b = (np.where(rng.random(n) < copied, c, said) for copied, said in zip((0.4, 0.2), own, strict=True))
        found = difference_interval(truth, a, b, c, "misclassification_agreement", n_classes=N_CLASSES + 1)
        limits.append((found.low, found.high))
    setting = {
        "setting": f"{n} joint errors",
        "measure": "misclassification_agreement",
        "method": "wilson",
        "trials": n,
    }
    return setting | {"joint_errors_a": n, "joint_errors_b": n, "truth": 0.2} | _held(np.array(limits), 0.2)


def _similarity_difference(errors: int) -> dict:
    """A has C's habits, B others; all err on half of the trials, each on its own."""
    rng = np.random.default_rng([errors, 4])
    shape = np.full(N_CLASSES - 1, 0.5)
    own, other = (np.random.default_rng(seed).dirichlet(shape, size=N_CLASSES) for seed in (1, 2))
    systems, n = [(own, 0.5), (other, 0.5), (own, 0.5)], 2 * errors
    measure, options = "class_level_error_similarity", {"n_classes": N_CLASSES}
    truth = np.mean([_difference_of_values(_simulate(rng, n, *systems)) for _ in range(DATA_SETS)])
    limits = []
    for _ in range(DATA_SETS):
        trials = _simulate(rng, n, *systems)
        found = difference_interval(*trials, measure, n_resamples=FEWER_RESAMPLES, rng=rng, **options)
        limits.append((found.low, found.high))
    setting = {"setting": f"{errors} errors each", "measure": measure, "method": "recentred", "trials": n}
    return setting | {"joint_errors_a": n / 4, "joint_errors_b": n / 4, "truth": truth} | _held(np.array(limits), truth)


def _difference_of_values(trials: list[np.ndarray]) -> float:
    y_true, y_a, y_b, y_c = trials
    return value(y_true, y_a, y_c, n_classes=N_CLASSES) - value(y_true, y_b, y_c, n_classes=N_CLASSES)


# Accuracies of the two models, their loading, conditions.
BENCHMARKS = {
    "easy": ((0.98, 0.97), 0.6, 24),
    "easy, apart": ((0.98, 0.93), 0.6, 24),
    "easy, unlike people": ((0.98, 0.97), 0.3, 24),
    "easy, few conditions": ((0.98, 0.93), 0.6, 4),
    "easy, one condition": ((0.93, 0.9), 0.6, 1),
    "hard, one condition": ((0.7, 0.6), 0.6, 1),
}
N_PEOPLE = 4


@frozen(inputs=[], slow=True)
def means() -> pd.DataFrame:
    """Return the coverage of 95 % intervals of mean EC over conditions of 160 trials, with four people.

    Accuracies fall from the value of a setting by up to .1 over the conditions; people have .95 throughout.

    Returns
    -------
    pandas.DataFrame
        ``setting``, ``conditions``, ``value`` (mean, difference), ``method`` (``jackknife``; ``dirichlet``: joint
        draws with half a count a cell, averaged; ``percentile``: plain resamples, averaged), ``truth``, ``coverage``
        over 4,000 simulated data sets, ``below`` (share of intervals that lie below the truth), ``width`` (mean).
    """
    return pd.DataFrame([row for setting in BENCHMARKS for row in _mean_coverage(setting)])


def _mean_coverage(setting: str) -> list[dict]:
    accuracies, loading, n_conditions = BENCHMARKS[setting]
    falls = np.linspace(0, 0.1, n_conditions)
    loadings = [loading, loading, *[0.6] * N_PEOPLE]
    cells = [cells_of_many([*(a - fall for a in accuracies), *[0.95] * N_PEOPLE], loadings) for fall in falls]
    with_people = np.array([[[_kappa_of(c, i, 2 + j) for j in range(N_PEOPLE)] for i in (0, 1)] for c in cells])
    of_a, of_b = with_people.mean(axis=(0, 2))
    rng = np.random.default_rng(list(setting.encode()))
    found = np.array([_mean_limits(cells, rng) for _ in range(DATA_SETS)])
    names = product(("mean", "difference"), ("jackknife", "dirichlet", "percentile"))
    truths = {"mean": of_a, "difference": of_a - of_b}
    return [
        {"setting": setting, "conditions": n_conditions, "value": name, "method": method}
        | _sides(found[:, i], truths[name])
        for i, (name, method) in enumerate(names)
    ]


def _sides(limits: np.ndarray, truth: float) -> dict:
    held = _held(limits, truth)
    below = float(np.mean(limits[:, 1] < truth))
    return {"truth": truth, "coverage": held["coverage"], "below": below, "width": held["width"]}


_BENCHMARK_SYSTEMS = pd.DataFrame(
    {"kind": ["model"] * 2 + ["human"] * N_PEOPLE, "family": "", "source": "simulated"},
    index=["A", "B", *(f"person {i}" for i in range(N_PEOPLE))],
)


def _mean_limits(cells: list[np.ndarray], rng: np.random.Generator) -> list[tuple[float, float]]:
    right = np.concatenate([_patterns(each, 160, rng) for each in cells], axis=1)
    trials = pd.MultiIndex.from_product([range(len(cells)), range(160)], names=["condition", "image"])
    answers = pd.DataFrame(right.T, index=trials, columns=_BENCHMARK_SYSTEMS.index)
    responses = Responses("simulated", pd.Series(1, index=trials), answers, ("wrong", "right"), _BENCHMARK_SYSTEMS)
    found = consistency_with_people([responses], n_resamples=FEWER_RESAMPLES, rng=rng)
    joint = drawn_means([responses], FEWER_RESAMPLES, rng, pseudo_trials=True)
    plain = found.percentile_draws.to_numpy()
    between = found.difference("A", "B")
    ours = [tuple(found.table.loc["A", ["low", "high"]]), (between.low, between.high)]
    of_draws = [[d[:, 0], d[:, 0] - d[:, 1]] for d in (joint, plain)]
    return [
        limits for i in (0, 1) for limits in (ours[i], *(percentile_limits(draws[i], 0.95)[:2] for draws in of_draws))
    ]


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
