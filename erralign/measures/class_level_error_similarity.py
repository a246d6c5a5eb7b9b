"""Class-level error similarity: whether two systems confuse the same classes.

For all pairs it is computed a few true classes at a time. Most cells of a row are empty, and all empty cells add the
same to its divergence. So only the cells in which a system has errors need work: what such a cell of B adds is computed
for all systems A at once, and a sparse product adds it up by row. Each pair is computed twice, as (A, B) and as (B, A),
and the divergence is the mean of both results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, csr_array
from scipy.special import ndtri

from erralign._validation import check_choice, check_positive
from erralign._validation.labels import check_answers
from erralign.measures.class_level_counts import (
    CLES_VARIANTS,
    class_level_error_similarity_from_counts,
    similarities_at_infinite_errors,
    similarities_without_each,
    standard_errors,
)
from erralign.measures.matrix import (
    MANY_TRIALS,
    RESAMPLES,
    Limits,
    Resampling,
    ResponseMatrix,
    blocks,
    count_classes,
    error_matrix,
    percentile_limits,
    ratio,
    recentred_limits,
    resampled_trials,
    wrong_answers,
)
from erralign.measures.measure import ORDER_AND_NAMES, Form, LeftOut, Measure


def class_level_error_similarity(
    y_true: ArrayLike,
    y_a: ArrayLike,
    y_b: ArrayLike,
    *,
    n_classes: int | None = None,
    alpha: float = 0.5,
    variant: str = "released",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Measure whether two systems confuse the same classes, whether or not on the same trials.

    Each true class c has two rows of counts, the wrong answers of A and of B. The rows are smoothed by :math:`\alpha`
    and compared by a divergence :math:`d_c`. With weights :math:`w_c` in proportion to their errors,
    :math:`CLES = 1 / (1 + \sum_c w_c d_c)`.

    Parameters
    ----------
    y_true, y_a, y_b
        As for :func:`erralign.error_consistency`, but -1 is an error of no class and is left out.
    n_classes : int, optional
        The number of classes, C. The value depends on it, since :math:`\alpha` is added to every cell. Default: 1 + the
        largest label. Give the data set's own number if a class may not occur in your trials.
    alpha, variant, replace_undefined_by
        As for :func:`erralign.behaviour.class_level_error_similarity_from_counts`.

    Returns
    -------
    float
        Above 0, at most 1; always 1 with two classes. In the released form even a system compared with itself is below
        1, unless its errors are spread evenly over the wrong classes. There is no useful zero, and the value depends on
        the number of errors: compare at equal numbers only. Undefined if neither system has an error.

    References
    ----------
    Xu et al. (2024), equations 2 and 3, appendix 2, https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> round(class_level_error_similarity(y_true=[0, 0, 1, 1], y_a=[0, 2, 1, 1], y_b=[2, 0, 1, 1]), 4)
    0.9781
    """
    y_true, y_a, y_b = check_answers(y_true, y_a, y_b, n_classes)
    size = int(n_classes or count_classes(y_true, y_a, y_b))
    return class_level_error_similarity_from_counts(
        error_matrix(y_true, y_a, size),
        error_matrix(y_true, y_b, size),
        alpha=alpha,
        variant=variant,
        replace_undefined_by=replace_undefined_by,
    )


# Cells of error matrices, of all systems, that are compared in one step: few enough for the processor's cache.
CELLS = 2**16


def class_level_error_similarities(
    matrix: ResponseMatrix, *, variant: str = "released", alpha: float = 0.5
) -> np.ndarray:
    """Compute one form of class-level error similarity of all pairs."""
    one_sided = _released if variant == "released" else _printed
    n_systems = len(matrix.answers)
    distances, n_errors = np.zeros((n_systems, n_systems)), np.zeros(n_systems)
    for errors in _by_classes(matrix):
        distances += np.einsum("cba,cba->ba", errors.pooled, one_sided(errors, alpha))
        n_errors += errors.totals.sum(axis=0)
    weights = n_errors[:, None] + n_errors
    distances = ratio((distances + distances.T) / 2, weights)
    if variant == "printed-unnormalised":
        distances *= weights
    return 1 / (1 + distances[matrix.pairs])


@dataclass(frozen=True)
class _Errors:
    """Some rows of the error matrices of all S systems: all cells, and a list of those that are not 0."""

    n_classes: int
    table: np.ndarray  # (rows * C, S) all counts
    cells: np.ndarray  # of the list: row times C plus answer
    systems: np.ndarray  # of the list
    counts: np.ndarray  # of the list
    totals: np.ndarray  # (rows, S)
    pooled: np.ndarray  # (rows, S, S) the totals of two systems together

    def sum_by_row(self, terms: np.ndarray, places: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Add line k of the terms, one value for each A, to ``places[starts[k]:starts[k + 1]]``: (rows, B, A)."""
        adding = csc_array((np.ones(len(places)), places, starts), shape=(self.totals.size, len(terms)))
        return (adding @ terms).reshape(self.pooled.shape)


def _by_classes(matrix: ResponseMatrix) -> Iterator[_Errors]:
    order = matrix.truth.argsort(kind="stable")
    truth, answers = matrix.truth.take(order), matrix.answers.take(order, axis=1)
    wrong = (answers != truth.astype(answers.dtype)) & (answers >= 0)
    for rows in blocks(matrix.n_classes, size=max(1, CELLS // (matrix.n_classes * len(answers)))):
        own = slice(*truth.searchsorted((rows.start, rows.stop)))
        if wrong[:, own].any():
            yield _count_errors(answers[:, own], wrong[:, own], truth[own], rows, matrix.n_classes)


def _count_errors(answers: np.ndarray, wrong: np.ndarray, truth: np.ndarray, rows: slice, n_classes: int) -> _Errors:
    n_systems, n_rows = len(answers), rows.stop - rows.start
    small = np.min_scalar_type(n_rows * n_classes)  # for a short sort
    codes = ((truth - rows.start) * n_classes + 1).astype(small) + answers.astype(small)  # 0 is no error
    codes *= wrong
    codes.sort(axis=1)
    begins = np.ones(codes.shape, dtype=bool)
    np.not_equal(codes[:, 1:], codes[:, :-1], out=begins[:, 1:])
    at = begins.ravel().nonzero()[0]
    cells, counts = codes.ravel()[at], np.diff(at, append=codes.size)
    held = cells > 0
    systems, cells, counts = at[held] // codes.shape[1], cells[held].astype(np.intp) - 1, counts[held]
    table = np.zeros((n_rows * n_classes, n_systems), dtype=np.intp)
    table[cells, systems] = counts
    totals = np.bincount(cells // n_classes * n_systems + systems, counts, n_rows * n_systems).reshape(n_rows, -1)
    return _Errors(n_classes, table, cells, systems, counts, totals, totals[:, :, None] + totals[:, None])


def _released(errors: _Errors, alpha: float) -> np.ndarray:
    r"""Return :math:`KL(π^A ‖ π^0)`, one side of the released divergence: (rows, B, A).

    With smoothed row sums :math:`m = n + (C - 1)α` that is :math:`\log((n^A + n^B + (C - 1)α) / m^A) - \sum_k t(f^B_k,
    f^A_k) / m^A`, where :math:`t(h, f) = (f + α)(\log(f + h + α) - \log(f + α))` is 0 for h = 0.
    """
    smoothing = max(errors.n_classes - 1, 1) * alpha
    values, ranks = _distinct(errors.counts)
    terms = (values + alpha) * (np.log(np.add.outer(values, values) + alpha) - np.log(values + alpha))
    cells, cell_ranks, places, starts = _group(errors, ranks, len(values))
    rank_table = np.zeros_like(errors.table)
    rank_table[errors.cells, errors.systems] = ranks
    looked_up = rank_table.take(cells, axis=0)
    looked_up += (cell_ranks * len(values))[:, None]
    sums = errors.sum_by_row(terms.ravel().take(looked_up), places, starts)
    m = (errors.totals + smoothing)[:, None]
    return np.log((errors.pooled + smoothing) / m) - sums / m


def _distinct(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 0 and the distinct counts in order, and each count's place among them."""
    present = np.bincount(counts) > 0
    present[0] = True
    return present.nonzero()[0], (np.cumsum(present) - 1)[counts]


def _group(errors: _Errors, ranks: np.ndarray, n_ranks: int) -> tuple[np.ndarray, ...]:
    """Group the systems with the same count in the same cell, since they share one line of terms."""
    n_systems = errors.table.shape[1]
    codes = np.sort((errors.cells * n_ranks + ranks) * n_systems + errors.systems)
    lines = codes // n_systems
    places = lines // (n_ranks * errors.n_classes) * n_systems + codes - lines * n_systems
    starts = np.concatenate([[0], (lines[1:] != lines[:-1]).nonzero()[0] + 1, [len(lines)]])
    lines = lines[starts[:-1]]
    cells = lines // n_ranks
    return cells, lines - cells * n_ranks, places, starts


def _printed(errors: _Errors, alpha: float) -> np.ndarray:
    r"""Return one side of the Jensen-Shannon divergence of smoothed rows :math:`π`: (rows, B, A).

    The divergence is :math:`\frac{1}{2} \sum_k φ(π^A_k) + \frac{1}{2} \sum_k φ(π^B_k) - \sum_k φ((π^A_k + π^B_k) / 2)`
    with :math:`φ(x) = x \log x`.
    """
    n_rows, n_systems = errors.totals.shape
    smoothed = errors.totals + errors.n_classes * alpha
    places, starts = errors.cells // errors.n_classes * n_systems + errors.systems, np.arange(len(errors.cells) + 1)
    own, empty = (errors.counts + alpha) / smoothed.ravel()[places], alpha / smoothed
    halves = (errors.table.reshape(n_rows, -1, n_systems) + alpha) / (2 * smoothed[:, None])
    means = halves.reshape(-1, n_systems).take(errors.cells, axis=0)
    means += own[:, None] / 2
    times = np.where(errors.table > 0, 1.0, 2.0).take(errors.cells, axis=0)
    n_held = errors.sum_by_row(times, places, starts)
    held = errors.sum_by_row(times * _phi(means), places, starts)
    neither = (errors.n_classes - n_held) * _phi((empty[:, :, None] + empty[:, None]) / 2)
    n_own = np.bincount(places, minlength=smoothed.size).reshape(n_rows, -1)
    own = np.bincount(places, _phi(own), smoothed.size).reshape(n_rows, -1) + (errors.n_classes - n_own) * _phi(empty)
    return own[:, :, None] - held - neither


def _phi(shares: np.ndarray) -> np.ndarray:
    return shares * np.log(shares)


# The first of each is the default.
RECENTRED, LEFT_OUT = "recentred", "leave-one-out"
METHODS = {"at-these-counts": (RECENTRED, "percentile", LEFT_OUT), "infinite": ("jackknife",)}


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


def _draw(matrix: ResponseMatrix, resampling: Resampling, **form: Any) -> np.ndarray:
    n, rng = len(matrix.truth), resampling.rng
    if form.get("variant", "released") == "released":
        given = matrix.truth, matrix.answers, *matrix.pairs, matrix.n_classes
        return drawn_similarities(*given, resampling.n_resamples, rng, form.get("alpha", 0.5))
    resamples = (matrix.keep(rng.integers(n, size=n)) for _ in range(resampling.n_resamples))
    return np.array([class_level_error_similarities(each, **form) for each in resamples])


def _limits(
    matrix: ResponseMatrix,
    values: np.ndarray,
    resampling: Resampling,
    method: str,
    *,
    variant: str = "released",
    alpha: float = 0.5,
) -> Limits:
    level, none = resampling.level, np.zeros(len(values), dtype=int)
    if method in (LEFT_OUT, "jackknife"):
        # Only this form has a limit that depends on nothing but the errors; no smoothing is left in it.
        check_choice("variant", variant, ("released",))
    if method == "jackknife":
        low, high, centres = similarities_at_infinite_errors(matrix, level)
        return Limits(low, high, none, centres)
    if method == LEFT_OUT:
        half = ndtri((1 + level) / 2) * standard_errors(matrix, alpha)
        return Limits((values - half).clip(min=0), (values + half).clip(max=1), none, values)
    drawn = _draw(matrix, resampling, variant=variant, alpha=alpha).T
    cut = recentred_limits if method == RECENTRED else lambda draws, _, level: percentile_limits(draws, level)
    low, high, undefined = np.array([cut(*each, level) for each in zip(drawn, values.tolist(), strict=True)]).T
    return Limits(low.clip(min=0), high.clip(max=1), undefined.astype(int), values)


def _choose(matrix: ResponseMatrix, resampling: Resampling, *, variant: str = "released", **_: Any) -> str:
    many = len(matrix.truth) > MANY_TRIALS
    return LEFT_OUT if many and not resampling.asked and variant == "released" else RECENTRED


def _left_out(matrix: ResponseMatrix, *, variant: str = "released", alpha: float = 0.5) -> LeftOut | None:
    return similarities_without_each(matrix, alpha=alpha) if variant == "released" else None


CLASS_LEVEL_ERROR_SIMILARITY = Measure(
    "class_level_error_similarity",
    "CLES",
    class_level_error_similarity,
    # A function of C² sums for each system, of which nearly all are 0, and a trial is in one of them. So pairs, draws
    # and values without a trial look at the cells that hold errors; with 200 classes a trial would have 80,000 columns.
    form=Form(
        all_pairs=class_level_error_similarities,
        left_out=_left_out,
        methods=METHODS,
        limits=_limits,
        choose=_choose,
        draw=_draw,
        recentred=True,
    ),
    needs_classes=True,
    range=(0.0, 1.0),
    invariances=ORDER_AND_NAMES | {"pairing of trials", "correct trials"},
    variants={variant: partial(class_level_error_similarity, variant=variant) for variant in CLES_VARIANTS},
    options={
        "variant": lambda variant: check_choice("variant", variant, CLES_VARIANTS),
        "alpha": partial(check_positive, "alpha"),
    },
    meaning="do they confuse the same classes, whatever the trial? 1: the same confusions, "
    "from very many errors; from few, even a system and its copy are a little below 1. It has no zero: systems without "
    "any habits come close to 1 too, so compare the values with each other.",
    keeps_bias=True,
    fewest_classes=3,
    own_options="refused",
    may_leave_unread=True,
)
