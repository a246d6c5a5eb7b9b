r"""Class-level error similarity of all pairs, a few true classes at a time.

Most cells of a row are empty, and all empty cells add the same to its divergence. So only the cells in which a system
has errors need work: what such a cell of B adds is computed for all systems A at once, and a sparse product adds it up
by row. Each pair is computed twice, as (A, B) and as (B, A), and the divergence is the mean of both results.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from erralign.behaviour.counting import ratio
from erralign.measures.matrix import ResponseMatrix, blocks

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
