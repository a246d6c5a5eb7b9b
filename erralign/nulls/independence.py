"""How often would independent observers agree, or disagree, as much as these two do? p-values of error consistency.

Under the null the numbers of right answers x and y of two observers are beta-binomial, and the number of trials on
which both are right is hypergeometric given x and y. So the p-value is a sum over three counts, and needs no
simulation. Given x and y, kappa is at least k where the number of trials right for both is at least a threshold
u(x, y); the other tail is the same with the answers of B turned round.
"""

from __future__ import annotations

from math import gcd

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln

from erralign.errors import check_choice, check_rng, check_shuffles, check_table
from erralign.pairs import pairwise
from erralign.responses import Responses

METHODS = ("exact", "simulated", "as-printed")
PRIORS = ("uniform", "as-printed")
# Terms below e^-27 of the largest are left out: together they are less than 1e-10 of the sum.
CUT = 27.0
GRID = 32
CELLS_AT_ONCE = 2**15
SMALLEST = float(np.finfo(float).tiny)


def p_value(
    table: ArrayLike,
    *,
    method: str = "exact",
    prior: str = "uniform",
    n_samples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> float:
    r"""Measure how often two independent observers have an error consistency at least as far from 0 as this one.

    The accuracies of the independent observers are drawn from their posteriors given the data, Beta(k + 1, N - k + 1)
    for k right answers in N trials, so that

    .. math:: p = \sum_{x, y} w_A(x)\, w_B(y)\, P(|\kappa| \ge |\kappa_{obs}| \mid x, y)

    with beta-binomial weights w and a hypergeometric number of trials that are right for both. Two-sided; ties count
    as extreme, and are found in whole numbers; null tables without a kappa (0/0) are never extreme.

    Accuracies are estimated and tables are few, so the level is kept nearly, not strictly: independent observers got
    p at most .05 in .01 to .07 of the simulated sets, in .04 to .06 at 1,280 trials (table ``coverage/p_values``).

    Parameters
    ----------
    table : array_like of int, shape (2, 2)
        ``table[a right][b right]``, as in :func:`erralign.behaviour.error_consistency_from_counts`.
    method : {"exact", "simulated", "as-printed"}
        ``exact`` sums to a relative error below 1e-9, however small p is. ``simulated`` draws null tables; with b of m
        at least as extreme, p = (b + 1)/(m + 1). ``as-printed`` is the paper's procedure: simulated, with the printed
        posterior whatever ``prior`` says, and counting only tables that are strictly more extreme; since b/m would
        give 0, here too p = (b + 1)/(m + 1).
    prior : {"uniform", "as-printed"}
        ``as-printed`` takes the posterior Beta(k, N - k). At k = 0 and k = N that is no distribution: p is nan.
    n_samples : int
        m, the number of simulated tables.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    float
        Above 0, at most 1; p below 2.2e-308, which floats cannot hold, is given as 2.2e-308. Undefined (nan) where
        error consistency is, or where the printed posterior does not exist.

    Raises
    ------
    ValueError
        Not a 2 x 2 table of counts, no trials, an unknown method or prior, no samples.

    References
    ----------
    Klein et al. (2025), section 3.3, simulate this null. The exact sum is ours.

    Examples
    --------
    >>> print(f"{p_value([[6, 9], [14, 60]]):.6f}")
    0.063567
    >>> round(p_value([[6, 9], [14, 60]], method="simulated"), 4)
    0.0661
    """
    counts = check_table(table)
    check_choice("method", method, METHODS)
    check_choice("prior", prior, PRIORS)
    n_samples = check_shuffles("n_samples", n_samples)
    (_, only_b), (only_a, both_right) = counts.tolist()
    n, k_a, k_b = int(counts.sum()), both_right + only_a, both_right + only_b
    added = 1 if prior == "uniform" and method != "as-printed" else 0
    if _undefined(n, k_a, k_b, both_right, added):
        return np.nan
    if method == "exact":
        log_w_a, log_w_b = _log_weights(n, k_a, added), _log_weights(n, k_b, added)
        return _exact(n, k_a, k_b, both_right, log_w_a, log_w_b, _log_factorials(n))
    return _simulated(n, k_a, k_b, both_right, added, method == "as-printed", n_samples, check_rng(rng))


def pairwise_p_values(responses: Responses, *, prior: str = "uniform") -> pd.DataFrame:
    r"""Compute the exact p-value of error consistency for all unordered pairs of systems.

    Each p is that of :func:`p_value`, :math:`P(|\kappa| \ge |\kappa_{obs}|)` for independent observers. Many pairs are
    many tests: correct for that before calling single ones significant.

    Parameters
    ----------
    responses : Responses
        What every system answered, shape (n_trials, n_systems).
    prior : {"uniform", "as-printed"}
        As for :func:`p_value`.

    Returns
    -------
    pandas.DataFrame
        The first columns of :func:`erralign.pairwise`, ``error_consistency`` from -1 to 1, ``p_value`` above 0, at
        most 1 (nan where undefined).

    Raises
    ------
    ValueError
        An unknown prior, or fewer than two systems.

    References
    ----------
    Klein et al. (2025), section 3.3.

    Examples
    --------
    >>> truth = pd.Series([0] * 40)
    >>> answers = pd.DataFrame({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 1, 1, 0] * 10})
    >>> systems = pd.DataFrame({"kind": "model", "family": "", "source": ""}, index=list("abc"))
    >>> pairs = pairwise_p_values(Responses("mine", truth, answers, ("cat", "dog"), systems))
    >>> for pair in pairs.itertuples():
    ...     print(pair.system_a, pair.system_b, pair.error_consistency, f"{pair.p_value:.1e}")
    a b 1.0 1.7e-12
    a c 0.0 1.0e+00
    b c 0.0 1.0e+00
    """
    check_choice("prior", prior, PRIORS)
    pairs = pairwise(responses, ["error_consistency"])
    n, added = len(responses.truth), int(prior == "uniform")
    right = np.rint(pairs[["accuracy_a", "accuracy_b"]].to_numpy() * n).astype(int)
    both = pairs["n_joint_errors"].to_numpy() + right.sum(axis=1) - n
    # Sorted, since kappa does not know which system is which: a table that occurs twice is summed once.
    tables, places = np.unique(np.column_stack([np.sort(right, axis=1), both]), axis=0, return_inverse=True)
    weights = {k: _log_weights(n, k, added) for k in np.unique(right).tolist() if added or 0 < k < n}
    log_factorials = _log_factorials(n)
    found = [
        np.nan
        if _undefined(n, k_a, k_b, b, added)
        else _exact(n, k_a, k_b, b, weights[k_a], weights[k_b], log_factorials)
        for k_a, k_b, b in tables.tolist()
    ]
    return pairs.assign(p_value=np.array(found)[places.ravel()])


def _undefined(n: int, k_a: int, k_b: int, both: int, added: int) -> bool:
    no_posterior = not added and bool({k_a, k_b} & {0, n})
    return no_posterior or both == n or k_a + k_b == 0


def _log_weights(n: int, k: int, added: int) -> np.ndarray:
    """Return log P(x right answers in n new trials), for the posterior Beta(k + added, n - k + added)."""
    x = np.arange(n + 1)
    a, b = k + added, n - k + added
    return betaln(x + a, n - x + b) - betaln(a, b) - betaln(x + 1, n - x + 1) - np.log(n + 1)


def _log_factorials(n: int) -> np.ndarray:
    """Return log j! for j from 0 to n, less a line in j, and infinity at all other places, negative ones included.

    The line, which no hypergeometric probability sees, keeps the numbers small and so their last digits meaningful.
    """
    j = np.arange(n + 1)
    line = np.log(max(n, 4) / 4) - 1
    return np.concatenate([gammaln(j + 1.0) - line * j, np.full(2 * n + 3, np.inf)])


# ---- the sum over all null tables --------------------------------------------------------------------------------


def _exact(n, k_a, k_b, both, log_w_a, log_w_b, log_factorials) -> float:
    distance = abs(n * both - k_a * k_b)
    if distance == 0:
        return 1 - float(np.exp(log_w_a[0] + log_w_b[0]) + np.exp(log_w_a[n] + log_w_b[n]))
    spread = k_a * (n - k_b) + k_b * (n - k_a)
    common = gcd(distance, spread)
    c, d = distance // common, spread // common
    # Coefficients of xy, x + y and 1 in the threshold, its divisor, and where kappa is 0/0. The lower tail, where
    # kappa is at most -k, is an upper one for A and the contrary of B.
    upper = (log_w_a, log_w_b, (d - 2 * c, c * n, 0, d * n), ((0, 0), (n, n)))
    lower = (log_w_a, log_w_b[::-1], (d + 2 * c, -c * n, c * n * n, d * n), ((0, n), (n, 0)))
    seen, y = (upper, k_b) if n * both > k_a * k_b else (lower, n - k_b)
    *margins, peak = _climb(n, seen, k_a, y, log_factorials)
    grids = [_grid(n, tail, peak, log_factorials) for tail in (upper, lower)]
    peak = max(peak, *(values.max() for _, _, values, _ in grids))
    if max(bound.max() for *_, bound in grids) + CUT + 2 * np.log(n + 1) < np.log(SMALLEST):
        return SMALLEST
    total = 0.0
    for tail, (x_grid, y_grid, _, bound) in zip((upper, lower), grids, strict=True):
        kept = bound >= peak - CUT
        if tail is seen or kept.any():
            inside = margins if tail is seen else (None, None)
            sides = _side(x_grid, kept.any(axis=1), inside[0]), _side(y_grid, kept.any(axis=0), inside[1])
            total += _tail_sum(n, tail, *sides, peak, log_factorials)
    return float(np.clip(np.exp(peak + np.log(total)), SMALLEST, 1))


def _log_cells(n, x, y, b, log_factorials) -> np.ndarray:
    only_a = x - b
    cells = log_factorials.take(b)
    cells += log_factorials.take(only_a)
    cells += log_factorials.take(y - b)
    cells += log_factorials.take((n - y) - only_a)
    return cells


def _log_margins(n, x, log_factorials) -> np.ndarray:
    return log_factorials[x] + log_factorials[n - x]


def _log_pmf(n, x, y, b, log_factorials) -> np.ndarray:
    """Return log P(both right on b trials | x and y right); -inf where that cannot be."""
    margins = _log_margins(n, x, log_factorials) + _log_margins(n, y, log_factorials) - log_factorials[n]
    return margins - _log_cells(n, x, y, b, log_factorials)


def _thresholds(x: np.ndarray, y: np.ndarray, line: tuple, corners: tuple) -> np.ndarray:
    """Return the smallest number of trials right for both that is extreme, for margins that broadcast."""
    found = _ceiling_ratio(x, y, *line)
    for corner_x, corner_y in corners:
        if x.min() <= corner_x <= x.max() and y.min() <= corner_y <= y.max():
            found += (x == corner_x) & (y == corner_y)  # no table at all is extreme where kappa is 0/0
    return found


def _ceiling_ratio(x, y, xy: int, either: int, constant: int, divisor: int) -> np.ndarray:
    """Return (xy * x * y + either * (x + y) + constant) / divisor, rounded up, without a rounding error."""
    xy_, either_, constant_, divisor_ = (_wrapped(value) for value in (xy, either, constant, divisor))
    numerator = (xy_ * x + either_) * y + (either_ * x + constant_)
    n = max(int(x.max()), int(y.max()))
    if abs(xy) * n * n + 2 * abs(either) * n + abs(constant) < 2**63:
        return -(-numerator // divisor_)
    # Whole numbers overflow here, but what a rounded quotient leaves is small, and exact modulo 2**64.
    found = np.ceil((xy / divisor * x + either / divisor) * y + (either / divisor * x + constant / divisor))
    found = found.astype(np.int64)
    rest = numerator - found * divisor_
    return found + (rest > 0) - (rest <= -divisor_)


def _wrapped(value: int) -> np.ndarray:
    return np.array([(value + 2**63) % 2**64 - 2**63])


def _values(n, tail, x, y, log_factorials) -> tuple[np.ndarray, np.ndarray]:
    """Return the log of each margin's first extreme table, and an upper bound, smooth in x and y, for all of them."""
    log_w_a, log_w_b, line, corners = tail
    b = _thresholds(x, y, line, corners)
    possible = np.minimum(b, np.minimum(x, y))
    weights = log_w_a[x] + log_w_b[y]
    first = _log_pmf(n, x, y, possible, log_factorials)
    ratio = (x - possible) * (y - possible) / ((possible + 1) * (n - x - y + possible + 1.0))
    # Ratios of neighbours fall, so the tail is below a geometric series.
    bound = np.minimum(first - np.log1p(-np.minimum(ratio, 1 - 1e-9)), 0)
    return np.where(b == possible, weights + first, -np.inf), weights + bound


def _climb(n, tail, x: int, y: int, log_factorials) -> tuple[int, int, float]:
    """Look along rows, columns and diagonals for the margins that add most; a poor find costs time, not accuracy.

    They may be far from those observed: where p is tiny, rare accuracies that make agreement easy add most to it.
    """
    steps = np.arange(-n, n + 1)
    for step_x, step_y in ((1, 0), (0, 1), (1, 1)) * 2:
        along_x, along_y = x + step_x * steps, y + step_y * steps
        inside = (along_x >= 0) & (along_x <= n) & (along_y >= 0) & (along_y <= n)
        along_x, along_y = along_x[inside], along_y[inside]
        values, _ = _values(n, tail, along_x, along_y, log_factorials)
        best = int(values.argmax())
        x, y = int(along_x[best]), int(along_y[best])
    return x, y, float(values[best])


def _grid(n, tail, peak, log_factorials) -> tuple[np.ndarray, ...]:
    axes = []
    for own, other in ((tail[0], tail[1]), (tail[1], tail[0])):
        kept = np.flatnonzero(own + other.max() >= peak - CUT)
        axes.append(np.unique(np.linspace(kept[0], kept[-1], GRID).astype(int)))
    x, y = axes
    return x, y, *_values(n, tail, x[:, None], y[None], log_factorials)


def _side(grid: np.ndarray, kept: np.ndarray, inside: int | None) -> np.ndarray:
    """Return all margins from one grid point before those that matter to one after, and one that must be among them."""
    places = kept.nonzero()[0]
    ends = [grid[max(places[0] - 1, 0)], grid[min(places[-1] + 1, len(grid) - 1)]] if len(places) else []
    ends += [inside] if inside is not None else []
    return np.arange(min(ends), max(ends) + 1)


def _tail_sum(n, tail, x_axis, y_axis, peak, log_factorials) -> float:
    """Sum one tail over margins x and y, by parts: the tail at a start, and what each step away from it adds.

    From one margin to the next a tail changes by single terms of the hypergeometric distribution.
    """
    log_w_a, log_w_b, line, corners = tail
    w_a, w_b = log_w_a[x_axis] - peak, log_w_b[y_axis]
    # Away from the largest weights, errors shrink with the weights that are still to come.
    x, y = int(x_axis[w_a.argmax()]), int(y_axis[w_b.argmax()])
    all_a, all_b = np.logaddexp.reduce(w_a), np.logaddexp.reduce(w_b)
    b = np.arange(_thresholds(np.array([x]), np.array([y]), line, corners)[0], min(x, y) + 1)
    start = np.exp(all_a + all_b + _log_pmf(n, x, y, b, log_factorials)).sum()
    down = _steps(n, np.array([y]), np.array([all_b]), x_axis, w_a, x, line, corners, log_factorials)
    across = _steps(n, x_axis, w_a, y_axis, w_b, y, line, corners, log_factorials)
    return float(start + down + across)


def _steps(n, rows, row_weights, columns, weights, start, line, corners, log_factorials) -> float:
    """Sum what each step away from a start column changes, times the weights of the columns that it reaches.

    Give B one more right answer, at random among the n - y trials that B got wrong. If the threshold u stays, the tail
    gains the tables with u - 1 that this lifts over it; if u grows by one, it loses those with u that stay there. Only
    in the lower tail can u move otherwise, and there it lies beyond all possible tables: the term is 0, as it should.
    """
    if len(columns) == 1:
        return 0.0
    at = start - int(columns[0])
    left = np.logaddexp.accumulate(weights)[:at]
    right = np.logaddexp.accumulate(weights[:0:-1])[::-1][at:]
    sign = np.repeat([-1.0, 1.0], [len(left), len(right)])
    reached, y = np.concatenate([left, right]), columns[:-1]
    per_column = reached + _log_margins(n, y, log_factorials) - np.log(n - y)
    per_row = row_weights + _log_margins(n, rows, log_factorials) - log_factorials[n]
    total, height = 0.0, max(1, CELLS_AT_ONCE // len(columns))
    for first in range(0, len(rows), height):
        x, row = rows[first : first + height, None], per_row[first : first + height, None]
        b = _thresholds(x, columns[None], line, corners)
        up = b[:, 1:] > b[:, :-1]
        crossing = b[:, :-1] + up
        crossing -= 1
        terms = (row + per_column) - _log_cells(n, x, y, crossing, log_factorials)
        np.exp(terms, out=terms)
        terms *= (x - crossing) + (y - n) * up
        total += (terms @ sign).sum()
    return total


# ---- simulated ---------------------------------------------------------------------------------------------------


def _simulated(n, k_a, k_b, both, added, strict: bool, n_samples: int, rng: np.random.Generator) -> float:
    accuracy_a, accuracy_b = (rng.beta(k + added, n - k + added, size=n_samples) for k in (k_a, k_b))
    wrong_a, wrong_b = 1 - accuracy_a, 1 - accuracy_b
    shares = np.stack([accuracy_a * accuracy_b, accuracy_a * wrong_b, wrong_a * accuracy_b, wrong_a * wrong_b], axis=1)
    # Products of four counts decide ties; where they overflow, Python's own whole numbers take over.
    cells = rng.multinomial(n, shares).T.astype(np.int64 if n < 50_000 else object)
    x, y = cells[0] + cells[1], cells[0] + cells[2]
    distance, spread = abs(n * cells[0] - x * y), x * (n - y) + y * (n - x)
    ours = distance * (k_a * (n - k_b) + k_b * (n - k_a))
    theirs = abs(n * both - k_a * k_b) * spread
    extreme = (ours > theirs) if strict else (ours >= theirs) & (spread > 0)
    return (int(np.count_nonzero(extreme)) + 1) / (n_samples + 1)
