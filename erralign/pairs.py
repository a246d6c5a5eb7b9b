"""All pairs of all systems at once.

The scalar functions of :mod:`erralign.behaviour` say what a measure is; here the same numbers come from what the
pairs share: packed bits of right and wrong (error consistency), one sparse product (misclassification
agreement), logarithms of whole numbers looked up in a table (class-level error similarity). Work goes on in blocks of
systems, so that memory does not grow with pairs times trials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from scipy.sparse import csc_array

from erralign.behaviour import CLES_VARIANTS, class_level_error_similarity_from_counts
from erralign.responses import Responses

ALPHA = 0.5
BLOCK = 64

MEASURES_OF_ERRORS = ("error_consistency", "misclassification_agreement", "class_level_error_similarity")


def pairwise(responses: Responses, measures=MEASURES_OF_ERRORS, *, variant: str = "released",
             replace_undefined_by: float = np.nan) -> pd.DataFrame:
    r"""Compute measures of errors for all unordered pairs of systems at once.

    Each value equals that of the function of the same name: Cohen's kappa of being right (EC), Cohen's kappa of the
    answers on joint errors (MA), :math:`1 / (1 + \sum_c w_c d_c)` over the rows of the error matrices (CLES, α = 0.5).

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    measures : sequence of str
        Names of functions: ``error_consistency``, ``misclassification_agreement``, ``class_level_error_similarity``.
    variant : {"released", "printed", "printed-unnormalised"}
        The form of class-level error similarity; the fast road is that of ``"released"``.
    replace_undefined_by : float
        Stands where a measure is 0/0.

    Returns
    -------
    pandas.DataFrame
        One row a pair, in the order of the columns of ``responses.answers``: ``system_a``, ``system_b``, ``kind``
        (model-model, model-human, human-human), ``n_joint_errors`` (both wrong, time-outs included), ``accuracy_a``,
        ``accuracy_b`` (shares from 0 to 1), and one column a measure.

    Raises
    ------
    ValueError
        An unknown measure or variant, or fewer than two systems.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), https://doi.org/10.48550/arXiv.2006.16736; Xu et al. (2024),
    https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.Series([0, 0, 1, 1])
    >>> answers = pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [0, 0, 1, 1]})
    >>> systems = pd.DataFrame({"kind": "model", "family": "", "source": ""}, index=list("abc"))
    >>> pairs = pairwise(Responses("mine", truth, answers, ("cat", "dog"), systems), ["error_consistency"])
    >>> pairs[["system_a", "system_b", "n_joint_errors", "error_consistency"]]
      system_a system_b  n_joint_errors  error_consistency
    0        a        b               2                0.5
    1        a        c               0                0.0
    2        b        c               0                0.0
    """
    _check_options(responses, measures, variant)
    truth = responses.truth.to_numpy()
    answers = np.ascontiguousarray(responses.answers.to_numpy(dtype=_smallest_type(len(responses.classes))).T)
    right = answers == truth
    n_right, both_right = _count_right(right)
    first, second = np.triu_indices(len(answers), k=1)
    columns = _describe(responses, first, second, n_right, both_right, len(truth))
    for measure in measures:
        columns[measure] = _ROADS[measure](
            answers=answers, right=right, truth=truth, n_right=n_right, both_right=both_right,
            first=first, second=second, n_classes=len(responses.classes), variant=variant)
        columns[measure][np.isnan(columns[measure])] = replace_undefined_by
    return pd.DataFrame(columns, copy=False)


def _check_options(responses: Responses, measures, variant: str) -> None:
    unknown = [measure for measure in measures if measure not in _ROADS]
    if unknown:
        raise ValueError(f"measures holds {unknown[0]!r}; expected names out of {', '.join(_ROADS)}")
    if variant not in CLES_VARIANTS:
        raise ValueError(f"variant is {variant!r}; expected one of {', '.join(CLES_VARIANTS)}")
    if responses.answers.shape[1] < 2:
        raise ValueError(f"{responses.name} has {responses.answers.shape[1]} system; a pair needs two")


def _smallest_type(n_classes: int) -> type:
    return np.int16 if n_classes < 2**15 else np.int32


def _describe(responses, first, second, n_right, both_right, n_trials) -> dict:
    names = responses.answers.columns
    human = (responses.systems["kind"] == "human").to_numpy().astype(int)
    kinds = pd.Index(["model-model", "model-human", "human-human"])
    return {
        "system_a": names.take(first),
        "system_b": names.take(second),
        "kind": kinds.take(human[first] + human[second]),
        "n_joint_errors": n_trials - n_right[first] - n_right[second] + both_right,
        "accuracy_a": n_right[first] / n_trials,
        "accuracy_b": n_right[second] / n_trials,
    }


def _count_right(right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    packed = np.packbits(right, axis=1)
    bits = np.zeros((len(right), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    bits[:, :packed.shape[1]] = packed
    words = bits.view(np.uint64)
    both = [np.bitwise_count(words[i] & words[i + 1:]).sum(axis=1, dtype=np.int64) for i in range(len(words))]
    return np.bitwise_count(words).sum(axis=1, dtype=np.int64), np.concatenate(both)


def _error_consistency(n_right, both_right, first, second, right, **_) -> np.ndarray:
    n = float(right.shape[1])
    right_a, right_b = n_right[first].astype(float), n_right[second].astype(float)
    both_wrong = n - right_a - right_b + both_right
    numerator = 2 * (both_right * both_wrong - (right_a - both_right) * (right_b - both_right))
    return _ratio(numerator, right_a * (n - right_b) + right_b * (n - right_a))


def _misclassification_agreement(answers, right, first, second, n_classes, **_) -> np.ndarray:
    wrong = ~right & (answers >= 0)
    same, joint, chance = (np.empty((len(answers),) * 2) for _ in range(3))
    for rows in _blocks(len(answers)):
        for columns in _blocks(len(answers), rows.start):
            a_given_b = _wrong_answers(answers[rows], wrong[rows], wrong[columns], n_classes)
            b_given_a = a_given_b if rows == columns else _wrong_answers(
                answers[columns], wrong[columns], wrong[rows], n_classes)
            joint[rows, columns] = a_given_b.sum(axis=1)
            chance[rows, columns] = np.einsum("aib,bia->ab", a_given_b, b_given_a)
    # Two codes for "not wrong", so that a comparison alone finds equal wrong answers.
    coded, partners = np.where(wrong, answers, -1), np.where(wrong, answers, -2)
    for i in range(len(answers)):
        same[i, i + 1:] = np.count_nonzero(coded[i] == partners[i + 1:], axis=1)
    same, joint, chance = (table[first, second] for table in (same, joint, chance))
    return _ratio(joint * same - chance, joint * joint - chance)


def _wrong_answers(answers, wrong, wrong_partner, n_classes) -> np.ndarray:
    """Count, for systems a and partners b, each class that a wrongly answered where b was wrong too: (a, class, b)."""
    trials_first = np.ascontiguousarray(wrong.T)
    cells = (answers + n_classes * np.arange(len(answers), dtype=np.int32)[:, None]).T[trials_first]
    starts = np.concatenate([[0], np.cumsum(trials_first.sum(axis=1))])
    incidence = csc_array((np.ones(len(cells)), cells, starts), shape=(len(answers) * n_classes, wrong.shape[1]))
    return (incidence @ wrong_partner.T.astype(float)).reshape(len(answers), n_classes, -1)


def _class_level_error_similarity(answers, right, truth, first, second, n_classes, variant, **_) -> np.ndarray:
    errors = _ErrorCounts(answers, ~right & (answers >= 0), truth, n_classes)
    if variant == "released":
        return np.concatenate([_released_similarities(errors, i) for i in range(len(answers) - 1)])
    return np.array([class_level_error_similarity_from_counts(errors.table(a), errors.table(b), variant=variant)
                     for a, b in zip(first, second, strict=True)])


class _ErrorCounts:
    """The non-empty cells (true class, answer) of every system's error matrix, one system after the other."""

    def __init__(self, answers: np.ndarray, wrong: np.ndarray, truth: np.ndarray, n_classes: int) -> None:
        self.n_classes = n_classes
        tables = (np.bincount(truth[w] * n_classes + a[w], minlength=n_classes**2)
                  for a, w in zip(answers, wrong, strict=True))
        cells = [((table > 0).nonzero()[0].astype(np.int32), table) for table in tables]
        self.starts = np.concatenate([[0], np.cumsum([len(cell) for cell, _ in cells])])
        self.cells = np.concatenate([cell for cell, _ in cells])
        self.counts = np.concatenate([table[cell] for cell, table in cells]).astype(np.int32)
        self.rows = self.cells // n_classes + n_classes * np.repeat(
            np.arange(len(cells), dtype=np.int32), np.diff(self.starts))
        self.logs = np.log(np.arange(2 * self.counts.max(initial=0) + 1) + ALPHA)
        shape = (len(cells), n_classes)
        self.row_sums = self._by_row(self.counts, shape)
        self.row_logs = self._by_row(self.logs[self.counts] - self.logs[0], shape)

    def _by_row(self, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        return np.bincount(self.rows, weights=values, minlength=shape[0] * shape[1]).reshape(shape)

    def table(self, system: int) -> np.ndarray:
        """Return one system's errors as a dense C x C matrix."""
        own = slice(self.starts[system], self.starts[system + 1])
        dense = np.zeros(self.n_classes**2, dtype=np.int32)
        dense[self.cells[own]] = self.counts[own]
        return dense.reshape(self.n_classes, self.n_classes)


def _released_similarities(errors: _ErrorCounts, system: int) -> np.ndarray:
    """Return the similarities of one system with all that follow it."""
    own = errors.table(system).ravel()
    blocks = _blocks(len(errors.row_sums), system + 1)
    return np.concatenate([_released_block(errors, own, system, block) for block in blocks])


def _released_block(errors: _ErrorCounts, own: np.ndarray, system: int, block: slice) -> np.ndarray:
    r"""Compare one system with a block of others, cell by cell only where both have errors.

    With :math:`g(f) = \log(f + α) - \log α` and smoothed row sums :math:`m = n + (C - 1)α`,
    :math:`KL(π^A ‖ π^0) = \log(m^{AB} / m^A) - (α \sum_k g(f^B_k) + \sum_{k ∈ both} t(f^A_k, f^B_k)) / m^A`, where
    :math:`t(f, h) = (f + α)(\log(f + h + α) - \log(f + α)) - α g(h)` is 0 unless both have errors in the cell.
    """
    shared_a, shared_b = _shared_cells(errors, own, block)
    n_a, n_b = errors.row_sums[system], errors.row_sums[block]
    # One class alone has no wrong answers: all weights are 0 then, and the cell that max() adds plays no part.
    smoothing = max(errors.n_classes - 1, 1) * ALPHA
    m_a, m_b, m_ab = n_a + smoothing, n_b + smoothing, n_a + n_b + smoothing
    kl_a = np.log(m_ab / m_a) - (ALPHA * errors.row_logs[block] + shared_a) / m_a
    kl_b = np.log(m_ab / m_b) - (ALPHA * errors.row_logs[system] + shared_b) / m_b
    weights = n_a + n_b
    total = weights.sum(axis=1)
    distance = _ratio((weights * (kl_a + kl_b)).sum(axis=1) / 2, total)
    return 1 / (1 + distance)


def _shared_cells(errors: _ErrorCounts, own: np.ndarray, block: slice) -> tuple[np.ndarray, np.ndarray]:
    entries = slice(errors.starts[block.start], errors.starts[block.stop])
    counts_a = own[errors.cells[entries]]
    both = (counts_a > 0).nonzero()[0]
    counts_a, counts_b = counts_a[both], errors.counts[entries][both]
    rows = errors.rows[entries][both] - block.start * errors.n_classes
    log_a, log_b, log_0 = errors.logs[counts_a], errors.logs[counts_b], errors.logs[0]
    log_sum = errors.logs[counts_a + counts_b]
    terms_a = (counts_a + ALPHA) * (log_sum - log_a) - ALPHA * (log_b - log_0)
    terms_b = (counts_b + ALPHA) * (log_sum - log_b) - ALPHA * (log_a - log_0)
    shape = (block.stop - block.start, errors.n_classes)
    return tuple(np.bincount(rows, weights=terms, minlength=shape[0] * shape[1]).reshape(shape)
                 for terms in (terms_a, terms_b))


def _blocks(n_systems: int, start: int = 0) -> Iterator[slice]:
    return (slice(i, min(i + BLOCK, n_systems)) for i in range(start, n_systems, BLOCK))


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator != 0)


_ROADS: dict[str, Callable[..., np.ndarray]] = {
    "error_consistency": _error_consistency,
    "misclassification_agreement": _misclassification_agreement,
    "class_level_error_similarity": _class_level_error_similarity,
}
