"""The sum over all null tables of two independent observers, which need no simulation.

Under the null the numbers of right answers x and y of two observers are beta-binomial, and the number of trials on
which both are right is hypergeometric given x and y. So the p-value is a sum over three counts. Given x and y, kappa is
at least k where the number of trials right for both is at least a threshold u(x, y); the other tail is the same with
right and wrong of B exchanged.
"""

from math import gcd

import numpy as np
from scipy.special import betaln, gammaln

# Terms below e^-27 of the largest are left out: together they are less than 1e-10 of the sum.
_CUT = 27.0
_GRID = 32
_CELLS_AT_ONCE = 2**15
SMALLEST = float(np.finfo(float).tiny)


def log_weights(n: int, k: int) -> np.ndarray:
    """Return log P(x right answers in n new trials) for x = 0, …, n, after k right answers and with a uniform prior."""
    x = np.arange(n + 1)
    a, b = k + 1, n - k + 1
    return betaln(x + a, n - x + b) - betaln(a, b) - betaln(x + 1, n - x + 1) - np.log(n + 1)


def _log_factorials_below(n: int) -> np.ndarray:
    """Return log j! for j from 0 to n, minus a line in j, and infinity at all other places, negative ones included."""
    j = np.arange(n + 1)
    line = np.log(max(n, 4) / 4) - 1  # it cancels in every hypergeometric probability
    return np.concatenate([gammaln(j + 1.0) - line * j, np.full(2 * n + 3, np.inf)])


def exact_p(n: int, k_a: int, k_b: int, both: int, log_w_a: np.ndarray, log_w_b: np.ndarray) -> float:
    """Sum the probabilities of all null tables whose kappa is at least as far from 0 as that of the data.

    The data are ``k_a`` and ``k_b`` right answers of A and of B in n trials, ``both`` of them to the same trials. The
    weights are the logarithms of how likely observers A and B are right on 0, 1, …, n trials.
    """
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
    log_factorials = _log_factorials_below(n)
    *margins, peak = _climb(n, seen, k_a, y, log_factorials)
    grids = [_grid(n, tail, peak, log_factorials) for tail in (upper, lower)]
    peak = max(peak, *(values.max() for _, _, values, _ in grids))
    if max(bound.max() for *_, bound in grids) + _CUT + 2 * np.log(n + 1) < np.log(SMALLEST):
        return SMALLEST
    total = 0.0
    for tail, (x_grid, y_grid, _, bound) in zip((upper, lower), grids, strict=True):
        adds = bound >= peak - _CUT
        if tail is seen or adds.any():
            inside = margins if tail is seen else (None, None)
            sides = _side(x_grid, adds.any(axis=1), inside[0]), _side(y_grid, adds.any(axis=0), inside[1])
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
    thresholds = _ceiling_ratio(x, y, *line)
    for corner_x, corner_y in corners:
        if x.min() <= corner_x <= x.max() and y.min() <= corner_y <= y.max():
            thresholds += (x == corner_x) & (y == corner_y)  # no table at all is extreme where kappa is 0/0
    return thresholds


def _ceiling_ratio(x, y, xy: int, either: int, constant: int, divisor: int) -> np.ndarray:
    """Return (xy * x * y + either * (x + y) + constant) / divisor, rounded up, without a rounding error."""
    xy_, either_, constant_, divisor_ = (_wrapped(value) for value in (xy, either, constant, divisor))
    numerator = (xy_ * x + either_) * y + (either_ * x + constant_)
    n = max(int(x.max()), int(y.max()))
    if abs(xy) * n * n + 2 * abs(either) * n + abs(constant) < 2**63:
        return -(-numerator // divisor_)
    # Whole numbers overflow here, but what a rounded quotient leaves is small, and exact modulo 2**64.
    rounded = np.ceil((xy / divisor * x + either / divisor) * y + (either / divisor * x + constant / divisor))
    rounded = rounded.astype(np.int64)
    return rounded - (rounded * divisor_ - numerator) // divisor_


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
    """Look along rows, columns and diagonals for the margins that add most; a poor find costs time, not accuracy."""
    # They may be far from those observed: where p is tiny, rare accuracies that make agreement easy add most to it.
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
        places = np.flatnonzero(own + other.max() >= peak - _CUT)
        axes.append(np.unique(np.linspace(places[0], places[-1], _GRID).astype(int)))
    x, y = axes
    return x, y, *_values(n, tail, x[:, None], y[None], log_factorials)


def _side(grid: np.ndarray, adds: np.ndarray, inside: int | None) -> np.ndarray:
    """Return all margins from one grid point before those that matter to one after, and one that must be among them."""
    places = adds.nonzero()[0]
    ends = [grid[max(places[0] - 1, 0)], grid[min(places[-1] + 1, len(grid) - 1)]] if len(places) else []
    ends += [inside] if inside is not None else []
    return np.arange(min(ends), max(ends) + 1)


def _tail_sum(n, tail, x_axis, y_axis, peak, log_factorials) -> float:
    """Sum one tail over margins x and y, by parts: the tail at a start, and what each step away from it adds."""
    # From one margin to the next a tail changes by single terms of the hypergeometric distribution.
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
    """Sum what each step away from a start column changes, times the weights of the columns that it reaches."""
    # A step gives B one more right answer, at random among the n - y trials that B got wrong.
    if len(columns) == 1:
        return 0.0
    at = start - int(columns[0])
    left = np.logaddexp.accumulate(weights)[:at]
    right = np.logaddexp.accumulate(weights[:0:-1])[::-1][at:]
    sign = np.repeat([-1.0, 1.0], [len(left), len(right)])
    reached, y = np.concatenate([left, right]), columns[:-1]
    per_column = reached + _log_margins(n, y, log_factorials) - np.log(n - y)
    per_row = row_weights + _log_margins(n, rows, log_factorials) - log_factorials[n]
    total, height = 0.0, max(1, _CELLS_AT_ONCE // len(columns))
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
