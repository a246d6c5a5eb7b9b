"""Intervals of EC, MA and CLES of one pair of systems."""

from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import chi2

from benchmarks.coverage import worlds
from benchmarks.coverage.score_limits import score_chi_square, score_limits
from benchmarks.coverage.worlds import ACCURACIES, DATA_SETS, N_CLASSES, RESAMPLES
from erralign.behaviour import class_level_error_similarity as value
from erralign.inference import confidence_interval, error_consistency_limits
from erralign.measures.matrix import kappa, percentile_limits
from erralign_book.cells import frozen

# Accuracies of A and B, EC, trials.
TWO_SYSTEMS = tuple((a, b, ec, n) for (a, b), ec, n in product(ACCURACIES, (0.0, 0.3), (160, 400, 1280)))
METHODS = ("dirichlet", "score", "percentile", "hdi")


@frozen(
    "coverage/error_consistency",
    slow=True,
    settings=TWO_SYSTEMS,
    spot=[(0.99, 0.75, 0.0, 160), (0.99, 0.75, 0.3, 160)],
)
def error_consistency(setting: tuple[float, float, float, int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of EC in 36 settings, four methods each."""
    a, b, ec, n = setting
    cells = worlds.cells_of_two(a, b, ec)
    rng = np.random.default_rng([round(1000 * a), round(1000 * b), round(10 * ec), n])
    tables = rng.multinomial(n, cells, size=DATA_SETS)
    world = (a, b, float(kappa(*cells)), n, n * cells[0])
    rows = [(*world, method, *_of_method(method, tables, cells, rng)) for method in METHODS]
    columns = ["accuracy_a", "accuracy_b", "EC", "trials", "joint_errors", "method", "coverage", "width"]
    return pd.DataFrame(rows, columns=columns)


def _of_method(method: str, tables: np.ndarray, cells: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    truth = float(kappa(*cells))
    if method == "score":
        # To see whether an interval holds the truth, the truth is tested; inverting every test would take an hour.
        inside = score_chi_square(tables, np.full(len(tables), truth)) <= chi2.ppf(0.95, df=1)
        limits = np.array([score_limits(table, 0.95) for table in tables[:100]])
        return inside.mean(), np.nanmean(limits[:, 1] - limits[:, 0])
    distinct, counts = np.unique(tables, axis=0, return_counts=True)
    limits = np.array([_limits_of(method, table, rng) for table in distinct])
    inside = (limits[:, 0] - 1e-9 <= truth) & (truth <= limits[:, 1] + 1e-9)
    width = np.ma.masked_invalid(limits[:, 1] - limits[:, 0])
    return np.average(inside, weights=counts), np.ma.average(width, weights=counts)


def _limits_of(method: str, table: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    if method == "dirichlet":
        return error_consistency_limits(table.reshape(2, 2), n_resamples=RESAMPLES, rng=rng)
    drawn = kappa(*rng.multinomial(table.sum(), table / table.sum(), size=RESAMPLES).T)
    if method == "percentile":
        return percentile_limits(drawn, 0.95)[:2]
    return _shortest(np.sort(drawn[~np.isnan(drawn)]), 0.95)


def _shortest(drawn: np.ndarray, level: float) -> tuple[float, float]:
    """Return the shortest interval that contains a share of sorted draws (hdi)."""
    if not len(drawn):
        return np.nan, np.nan
    inside = max(int(np.ceil(level * len(drawn))), 1)
    start = int((drawn[inside - 1 :] - drawn[: len(drawn) - inside + 1]).argmin())
    return float(drawn[start]), float(drawn[start + inside - 1])


# How the shares of classes fall, MA, joint errors.
AGREEMENTS = (
    *product(("even", "skewed"), (0.1, 0.4, 0.7), (5, 10, 30, 100, 400)),
    *product(["even"], [0.0], (5, 10, 30)),
    *product(["skewed"], [0.95], (5, 10, 30)),
)


@frozen(
    "coverage/misclassification_agreement",
    slow=True,
    settings=AGREEMENTS,
    spot=[("even", 0.4, 5), ("skewed", 0.4, 30)],
)
def misclassification_agreement(setting: tuple[str, float, int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of MA by number of joint errors, true value and chance agreement.

    Two systems give the same answer with probability MA, and else answer independently from the same shares.
    """
    margins, ma, n = setting
    shares = np.full(N_CLASSES, 1 / N_CLASSES) if margins == "even" else np.array([0.7] + [0.3 / 15] * 15)
    rng = np.random.default_rng([len(margins), round(10 * ma), n])
    limits = np.array([_agreement_limits(shares, ma, n, rng) for _ in range(DATA_SETS)])
    world = {"chance": shares @ shares, "MA": ma, "joint_errors": n, "method": "wilson"}
    found = {"coverage": worlds.held(limits, ma)["coverage"], "undefined": np.isnan(limits[:, 0]).mean()}
    return pd.DataFrame([world | found])


def _agreement_limits(shares: np.ndarray, ma: float, n: int, rng: np.random.Generator) -> tuple[float, float]:
    a, other = rng.choice(N_CLASSES, p=shares, size=(2, n))
    b = np.where(rng.random(n) < ma, a, other)
    truth = np.full(n, N_CLASSES)  # another class, so that all trials are joint errors
    interval = confidence_interval(truth, a, b, "misclassification_agreement", n_classes=N_CLASSES + 1)
    return interval.low, interval.high


# Habits, errors of A and B.
HABITS = tuple(
    (habits, *errors)
    for habits in ("same", "different")
    for errors in (
        *((50, 50), (200, 200), (1000, 1000), (5000, 5000), (200, 50)),
        *((500, 50), (1000, 50), (300, 10), (5000, 1250)),
    )
)


@frozen(
    "coverage/class_level_error_similarity",
    slow=True,
    settings=HABITS,
    spot=[("same", 50, 50), ("different", 50, 50)],
    by=["habits", "errors_a", "errors_b"],
)
def class_level_error_similarity(setting: tuple[str, int, int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of CLES, about the value to expect at these numbers of errors."""
    habits, errors_a, errors_b = setting
    rng = np.random.default_rng([len(habits), errors_a, errors_b])
    habit_a, other = worlds.two_habits()
    habit_b = habit_a if habits == "same" else other
    n = 2 * max(errors_a, errors_b)
    systems = (habit_a, errors_a / n), (habit_b, errors_b / n)
    truth = float(np.mean([value(*worlds.answers(rng, n, *systems), n_classes=N_CLASSES) for _ in range(DATA_SETS)]))
    limits = []
    for _ in range(DATA_SETS):
        y_true, y_a, y_b = worlds.answers(rng, n, *systems)
        found = confidence_interval(y_true, y_a, y_b, "class_level_error_similarity", n_classes=N_CLASSES)
        limits.append((found.low, found.high))
    return pd.DataFrame([{"method": "leave-one-out", "truth": truth} | worlds.held(np.array(limits), truth)])
