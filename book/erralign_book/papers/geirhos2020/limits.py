"""What error consistency can be, and between which limits it lies for independent observers."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import hypergeom

from erralign.bounds import error_consistency_bounds_from_overlap, overlap_bounds
from erralign.datasets import geirhos2020 as source
from erralign.datasets.archives import open_member
from erralign.inference import pairwise_intervals
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.significance import independent_limits
from erralign.significance.observers import BINS
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, answers_on, of_the_paper, pairwise_scores
from erralign_book.papers.tables import each_data_set

EDGES_OF_GRID = {"edges at .15": 0.15, "edges at .05": 0.05, "even": None}
# Of these grids, the ones that fit the authors' two released files.
RELEASED_GRIDS = {160: "edges at .15", 1280: "edges at .05"}


def bounds(expected: ArrayLike) -> pd.DataFrame:
    """Return what observed overlap and error consistency can be, given expected overlap (equations 2, 3, 5, 6)."""
    columns = {"expected": expected}
    columns |= dict(zip(("observed_low", "observed_high"), overlap_bounds(expected), strict=True))
    columns |= dict(zip(("EC_low", "EC_high"), error_consistency_bounds_from_overlap(expected), strict=True))
    return pd.DataFrame(columns)


GRIDS = tuple(product((160, 1280), EDGES_OF_GRID))


@frozen(inputs=[], slow=True, settings=GRIDS, spot=[(160, "edges at .15"), (160, "even")], by="n_trials grid")
def percentiles(setting: tuple[int, str]) -> pd.DataFrame:
    """Return within which limits 95 % of pairs of independent observers lie, by expected overlap (Figure 2)."""
    n_trials, grid = setting
    return independent_limits(n_trials, accuracies_of_grid(EDGES_OF_GRID[grid]))


def accuracies_of_grid(edge: float | None) -> np.ndarray:
    """Return the accuracies that the authors' simulation gives to observers."""
    if edge is None:
        return np.linspace(0, 1, 4200)
    ends = 0.0, edge, 1 - edge, 1.0
    return np.concatenate([np.linspace(low, high, 1400) for low, high in pairwise(ends)])


def _of_grid(n_trials: int, grid: str) -> pd.DataFrame:
    limits = percentiles()
    return limits[(limits["n_trials"] == n_trials) & (limits["grid"] == grid)].reset_index(drop=True)


def _released(n_trials: int) -> pd.DataFrame:
    """Read the authors' simulated 95 % percentiles for independent observers: compared with, never committed."""
    member = f"data-analysis/confidence-intervals/{n_trials}_trials.csv"
    columns = ["row", "expected", "observed_low", "observed_high", "EC_low", "EC_high"]
    return pd.read_csv(open_member(source.ERROR_CONSISTENCY, member), names=columns, header=0).drop(columns="row")


@frozen(inputs=ANSWERS, settings=GRIDS, by="n_trials grid")
def percentiles_against_released(setting: tuple[int, str]) -> pd.DataFrame:
    """Return how far the authors' two files of simulated percentiles lie from ours, grid by grid."""
    n_trials, ours = setting[0], _of_grid(*setting)
    gaps = ours - _released(n_trials)
    # Within a bin 1/99 wide, expected overlap spreads about evenly; a mean of k of them scatters by sd / sqrt(k).
    z = gaps["expected"][:BINS] * np.sqrt(ours["share"][:BINS] * 12) * BINS
    largest = gaps[["EC_low", "EC_high"]].abs().max(axis=None)
    return pd.DataFrame({"EC": [largest], "experiments": 1e-6 / (z**2).mean()})


@frozen(inputs=ANSWERS)
def outside_percentiles() -> pd.DataFrame:
    """Return how many pairs lie above the limits for independent observers, and how many of those would by chance."""
    pairs = of_the_paper(pairwise_scores())
    parts = [_outside(pairs[pairs["data_set"] == name], n) for name, n in source.DATA_SETS.items()]
    groups = pd.concat(parts).groupby(["data_set", "kind"], sort=False)
    return groups[["above", "false_alarms", "above_own_limit"]].mean().assign(n_pairs=groups.size()).reset_index()


def _outside(pairs: pd.DataFrame, n: int) -> pd.DataFrame:
    limits, expected = percentile_band(n), pairs["expected"].to_numpy()
    low, high = (np.interp(expected, limits["expected"], limits[side]) for side in ("EC_low", "EC_high"))
    right_a, right_b = ((n * pairs[column]).round().to_numpy() for column in ("accuracy_a", "accuracy_b"))
    independent = hypergeom(n, right_a, right_b)
    # EC is a straight line in the number of trials on which both are right.
    first, last = ((n * (expected + ec * (1 - expected)) - n + right_a + right_b) / 2 for ec in (low, high))
    false_alarms = independent.cdf(np.ceil(first - 1e-9) - 1) + independent.sf(np.floor(last + 1e-9))
    both_right = (n * pairs["observed"].to_numpy() - n + right_a + right_b) / 2
    above_own_limit = both_right > independent.ppf(0.975) + 1e-9
    return pairs.assign(above=pairs["EC"] > high, false_alarms=false_alarms, above_own_limit=above_own_limit)


def percentile_band(n_trials: int) -> pd.DataFrame:
    """Return the limits for independent observers as the paper's figures draw them."""
    return _of_grid(n_trials, RELEASED_GRIDS[n_trials]).dropna()


def cloud_of_chance(size: int = 1000, rng: int = 0) -> pd.DataFrame:
    """Simulate pairs of independent observers, as the released program does for the cloud of points in Figure 2."""
    generator = np.random.default_rng(rng)
    parts = {n: _simulated(n, EDGES_OF_GRID[grid], size, generator) for n, grid in RELEASED_GRIDS.items()}
    return pd.concat(parts, names=["n_trials"]).reset_index("n_trials")


def _simulated(n: int, edge: float | None, size: int, rng: np.random.Generator) -> pd.DataFrame:
    right = rng.binomial(n, rng.choice(accuracies_of_grid(edge), size=(2, size)))
    both = rng.hypergeometric(right[0], n - right[0], right[1])
    (a, b), observed = right / n, (n - right.sum(axis=0) + 2 * both) / n
    expected = a * b + (1 - a) * (1 - b)
    with np.errstate(invalid="ignore"):
        ec = (observed - expected) / (1 - expected)
    return pd.DataFrame({"expected": expected, "observed": observed, "EC": ec})


def chance(y: str) -> pd.DataFrame:
    """Return :func:`percentile_band` for each data set, for the charts."""
    ends = {f"{y}_low": "low", f"{y}_high": "high"}
    bands = each_data_set(lambda name: percentile_band(source.DATA_SETS[name]), source.DATA_SETS)
    return bands[["data_set", "expected", *ends]].rename(columns=ends)


# ---- pictures that share material: how uncertain is EC on cue conflict if exemplars are what is drawn? ---------------


RESAMPLES = 4000


def photographs() -> pd.DataFrame:
    """Return which photographs the pictures of cue conflict are made of."""
    return source.exemplars(answers_on("cue-conflict").truth.index)


@frozen(inputs=ANSWERS)
def limits_with_material() -> pd.DataFrame:
    """Return 95 % intervals on cue conflict: as if pictures were independent, and with their shared photographs."""
    responses, exemplars = answers_on("cue-conflict"), photographs()
    alone, shared = (pairwise_intervals(responses, n_resamples=RESAMPLES, clusters=by) for by in (None, exemplars))
    parts = []
    for measure in map(short_name, MEASURES_OF_ERRORS):
        low, high, _ = limit_columns(measure)
        values = {"value": alone[measure], "low": alone[low], "high": alone[high]}
        values |= {"low_shared": shared[low], "high_shared": shared[high]}
        parts.append(alone[["system_a", "system_b", "kind"]].assign(measure=measure, **values))
    return pd.concat(parts, ignore_index=True)
