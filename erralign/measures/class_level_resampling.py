"""Draws of class-level error similarity at these error counts, and the jackknife at infinite errors."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtri

from erralign.measures.matrix import RESAMPLES, ResponseMatrix, ratio, resampled_trials, wrong_answers
from erralign.measures.measure import LeftOut

# Below so many errors per class no method that was tried contains the value at infinite errors as often as it should.
ENOUGH_ERRORS_A_CLASS = 60

# Single-precision values held for one block of resamples: few enough for a laptop, enough to be worth a call.
HELD = 2**24


def drawn_similarities(
    truth: np.ndarray,
    answers: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    n_classes: int,
    n_resamples: int,
    rng: np.random.Generator,
    alpha: float = 0.5,
) -> np.ndarray:
    """Resample the trials, once for all pairs, and compute the released form of CLES in every resample."""
    wrong = wrong_answers(truth, answers)
    cells = np.unique((truth * n_classes + answers)[wrong])
    draws = np.full((n_resamples, len(first)), np.nan, dtype=np.float32)
    if not len(cells):
        return draws
    incidences = [
        _incidence(truth * n_classes + own, is_wrong, cells) for own, is_wrong in zip(answers, wrong, strict=True)
    ]
    starts = np.flatnonzero(np.diff(cells // n_classes, prepend=-1))
    rows = _Rows(starts, np.diff(starts, append=len(cells)), np.float32(max(n_classes - 1, 1) * alpha), alpha)
    block = int(np.clip(HELD // (len(cells) * len(answers)), 1, RESAMPLES))
    for start in range(0, n_resamples, block):
        here = draws[start : start + block]
        counts = resampled_trials(len(truth), len(here), rng).T
        systems = [_of_system(incidence @ counts, rows) for incidence in incidences]
        logs = _logs(2 * max(int(errors.max()) for errors, *_ in systems), alpha)
        for pair, (a, b) in enumerate(zip(first, second, strict=True)):
            here[:, pair] = _similarity(systems[a], systems[b], logs, rows)
    return draws


def _incidence(codes: np.ndarray, wrong: np.ndarray, cells: np.ndarray) -> csr_array:
    trials = wrong.nonzero()[0]
    places = np.searchsorted(cells, codes[trials])
    return csr_array((np.ones(len(trials), np.float32), (places, trials)), shape=(len(cells), len(wrong)))


class _Rows(NamedTuple):
    """Which of the cells that hold errors belong to one true class."""

    starts: np.ndarray
    lengths: np.ndarray
    smoothing: np.float32
    alpha: float

    def total(self, cells: np.ndarray) -> np.ndarray:
        return np.add.reduceat(cells, self.starts, axis=0)

    def spread(self, rows: np.ndarray) -> np.ndarray:
        return np.repeat(rows, self.lengths, axis=0)


def _of_system(errors: np.ndarray, rows: _Rows) -> tuple:
    """Return what the pairs of a system share: errors by cell, smoothed shares, errors by row, entropy by row."""
    n = rows.total(errors)
    m = n + rows.smoothing
    shares = (errors + np.float32(rows.alpha)) / rows.spread(m)
    whole = errors.astype(np.min_scalar_type(2 * int(errors.max())))
    entropy = rows.total(shares * _logs(int(whole.max()), rows.alpha)[whole]) - np.log(m)
    return whole, shares, n, entropy


def _similarity(of_a: tuple, of_b: tuple, logs: np.ndarray, rows: _Rows) -> np.ndarray:
    (errors_a, shares_a, n_a, entropy_a), (errors_b, shares_b, n_b, entropy_b) = of_a, of_b
    cross = logs[errors_a + errors_b]
    cross *= shares_a + shares_b
    n = n_a + n_b
    divergence = entropy_a + entropy_b - rows.total(cross) + 2 * np.log(n + rows.smoothing)
    total = n.sum(axis=0)
    distance = np.divide((n * divergence).sum(axis=0) / 2, total, out=np.full(len(total), np.nan), where=total > 0)
    return 1 / (1 + distance)


def _logs(largest: int, alpha: float) -> np.ndarray:
    """Return log(count + α) - log α, which is 0 where there is no error: such cells drop out of all sums."""
    return np.log1p(np.arange(largest + 1) / alpha).astype(np.float32)


# ---- each trial left out -----------------------------------------------------------------------------------------


class _Errors(NamedTuple):
    """The errors of one system."""

    cells: np.ndarray  # true class times C plus answer, of the cells that hold errors, in order
    counts: np.ndarray  # of each of these cells
    place: np.ndarray  # (n_trials,) the cell of each trial; one more than there are, if it holds no error


class _Smooth(NamedTuple):
    n_classes: int
    alpha: float
    logs: np.ndarray  # log(count + α) - log α, or log(count) for α = 0: 0 where there is no error

    def divergence(self, sums: np.ndarray, n: np.ndarray) -> np.ndarray:
        """Return divergences of rows from the sums of :func:`_sums` and the errors of both systems."""
        smoothing = max(self.n_classes - 1, 1) * self.alpha
        m, of_both = n + smoothing, n.sum(axis=0) + smoothing
        # Without smoothing, a system without errors of a class does not differ there.
        some = np.where(m > 0, m, 1)
        return np.where(m > 0, sums / some - np.log(some) + np.log(np.maximum(of_both, some)), 0).sum(axis=0) / 2


def each_left_out(matrix: ResponseMatrix, alpha: float) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Yield for each pair D, D without each trial that holds an error, and which trials these are."""
    errors = [_errors_of(matrix.truth, answers, matrix.n_classes) for answers in matrix.answers]
    counts = np.arange(2 * max(each.counts.max(initial=0) for each in errors) + 1)
    logs = np.log1p(counts / alpha) if alpha else np.log(np.maximum(counts, 1))
    for a, b in zip(*matrix.pairs, strict=True):
        yield _left_out(matrix.truth, errors[a], errors[b], _Smooth(matrix.n_classes, alpha, logs))


def similarities_without_each(matrix: ResponseMatrix, *, alpha: float = 0.5) -> LeftOut:
    """Return the released form of all pairs, and again without each trial."""
    values, without = np.empty(len(matrix.pairs[0])), np.empty((len(matrix.pairs[0]), len(matrix.truth)))
    for place, (distance, fewer, held) in enumerate(each_left_out(matrix, alpha)):
        values[place] = without[place] = 1 / (1 + distance)
        without[place, held] = 1 / (1 + fewer)
    return LeftOut(values, without)


def standard_errors(matrix: ResponseMatrix, alpha: float) -> np.ndarray:
    """Return the standard error of the released form for each pair, by the jackknife over trials."""
    n, variances = len(matrix.truth), []
    for distance, fewer, _ in each_left_out(matrix, alpha):
        moves = 1 / (1 + fewer) - 1 / (1 + distance)  # without a trial that holds no error nothing moves
        variances.append((n - 1) * (moves @ moves / n - (moves.sum() / n) ** 2))
    return np.sqrt(variances)


def _errors_of(truth: np.ndarray, answers: np.ndarray, n_classes: int) -> _Errors:
    wrong = wrong_answers(truth, answers)
    codes = truth[wrong] * n_classes + answers[wrong]
    cells, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    places = np.full(len(truth), len(cells), dtype=np.int32)
    places[wrong] = place
    return _Errors(cells, counts, places)


def _left_out(truth: np.ndarray, a: _Errors, b: _Errors, smooth: _Smooth) -> tuple[float, np.ndarray, np.ndarray]:
    """Return D, D without each trial that holds an error, and which these are; only cells with errors are looked at."""
    n = np.stack([np.bincount(each.cells // smooth.n_classes, each.counts, smooth.n_classes) for each in (a, b)])
    weights, of_a, of_b = n.sum(axis=0), _counts_of_partner(b, a), _counts_of_partner(a, b)
    sums = _sums(a, of_b, smooth) + _sums(b, of_a, smooth)[::-1]
    parts, total = weights * smooth.divergence(sums, n), weights.sum()
    held = np.flatnonzero((a.place < len(a.cells)) | (b.place < len(b.cells)))
    row, at_a, at_b = truth[held], a.place[held], b.place[held]
    fewer = n[:, row] - np.stack([at_a < len(a.cells), at_b < len(b.cells)])
    less = sums[:, row] + _changes(a.counts, of_b, smooth)[:, at_a] + _changes(b.counts, of_a, smooth)[::-1, at_b]
    same = np.flatnonzero(np.append(a.cells, -1)[at_a] == np.append(b.cells, -2)[at_b])
    less[:, same] += _changes_of_both(a.counts, of_b, smooth)[:, at_a[same]]
    left = fewer.sum(axis=0)
    without = parts.sum() - parts[row] + left * smooth.divergence(less, fewer)
    return float(ratio(parts.sum(), total)), ratio(without, total - weights[row] + left), held


def _counts_of_partner(own: _Errors, partner: _Errors) -> np.ndarray:
    """Return how many errors a partner has in the cells of a system."""
    if not len(partner.cells):
        return np.zeros_like(own.counts)
    at = np.searchsorted(partner.cells[:-1], own.cells)
    return np.where(partner.cells[at] == own.cells, partner.counts[at], 0)


def _sums(own: _Errors, other: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Sum over the cells of a system, by row, what they add to its divergence and to its partner's: (2, C)."""
    n_classes, alpha, logs = smooth
    f = own.counts
    terms = (f + alpha) * (logs[f] - logs[f + other]), np.where(other == 0, -alpha * logs[f], 0.0)
    return np.stack([np.bincount(own.cells // n_classes, each, n_classes) for each in terms])


def _changes(f: np.ndarray, h: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Return how both sums change without one of f errors of the one system in a cell with h of the other."""
    _, alpha, logs = smooth
    pooled, less = logs[f + h], logs[f + h - 1]
    own = (f - 1 + alpha) * (logs[f - 1] - less) - (f + alpha) * (logs[f] - pooled)
    return np.pad(np.stack([own, (h + alpha) * (pooled - less)]), ((0, 0), (0, 1)))


def _changes_of_both(f: np.ndarray, h: np.ndarray, smooth: _Smooth) -> np.ndarray:
    """Return what is to be added where both lose an error in the same cell."""
    _, alpha, logs = smooth
    once, twice = logs[f + h] - logs[f + h - 1], logs[f + h - 1] - logs[f + h - 2]
    return np.stack([(each - 1 + alpha) * twice - (each + alpha) * once for each in (f, h)])


# ---- infinite errors ---------------------------------------------------------------------------------------------


def similarities_at_infinite_errors(matrix: ResponseMatrix, level: float) -> np.ndarray:
    """Return limits of the CLES that endlessly many trials would give, and its estimate, by a jackknife over trials."""
    n_errors = wrong_answers(matrix.truth, matrix.answers).sum(axis=1)
    enough = np.min(n_errors[np.array(matrix.pairs)], axis=0) >= ENOUGH_ERRORS_A_CLASS * len(np.unique(matrix.truth))
    found, z = np.full((3, len(enough)), np.nan), ndtri((1 + level) / 2)
    first, second = matrix.pairs
    pairs = each_left_out(replace(matrix, selected=(first[enough], second[enough])), 0)
    for place, (distance, without, _) in zip(np.flatnonzero(enough), pairs, strict=True):
        n = len(without)
        mended, error = n * distance - (n - 1) * without.mean(), np.sqrt((n - 1) * without.var())
        found[:, place] = 1 / (1 + np.maximum(mended + z * error * np.array([1, -1, 0]), 0))
    return found
