"""The table of all pairs of systems."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from erralign.errors import check_choices, check_responses
from erralign.measures import MEASURES_OF_ERRORS, Measure, ResponseMatrix, checked_options, measures_of
from erralign.measures.matrix import ratio
from erralign.measures.measure import UNREAD
from erralign.responses import Responses
from erralign.responses.model import response_matrix

__all__ = ["pairwise"]

KINDS = pd.Index(["model-model", "model-human", "human-human"])


def pairwise(
    responses: Responses,
    measures: str | Measure | Iterable[str | Measure] = MEASURES_OF_ERRORS,
    *,
    with_: str | Iterable[str] | None = None,
    unread: str = "wrong",
    replace_undefined_by: float = np.nan,
    variant: str | None = None,
    alpha: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """Compute measures of errors for all unordered pairs of systems at once, or for the pairs of chosen systems.

    Each value equals that of the function of the same name.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    measures : str or iterable of str
        Names or abbreviations: ``error_consistency`` (EC), ``misclassification_agreement`` (MA),
        ``class_level_error_similarity`` (CLES), ``loevingers_h`` (H), ``within_class_misclassification_agreement``
        (WMA), ``blind_misclassification_agreement`` (MA_blind), or of a measure that :func:`erralign.register` knows.
    with_ : str or iterable of str, optional
        Only the pairs of these systems, with each other and with all others. Default: all pairs.
    unread : {"wrong", "left out"}
        What -1 is, no answer or none that could be read: wrong, as in model-vs-human, or left out. Each pair then
        leaves out the trials on which either has no answer: of EC, of both accuracies and of ``n_joint_errors``. MA and
        CLES are about answers that were given, in either case.
    replace_undefined_by : float
        The value to return where a measure is 0/0, and for MA and CLES of two classes, on whose one wrong answer any
        two systems agree.
    variant, alpha : str and float, optional
        The form of CLES and its smoothing, as for :func:`erralign.class_level_error_similarity`.
    options : mapping of str, optional
        Options of measures of your own, by their names.

    Returns
    -------
    pandas.DataFrame
        One row per pair, in the order of the columns of ``responses.answers``. Its columns are ``system_a``,
        ``system_b``, ``kind`` (model-model, model-human or human-human), ``n_joint_errors`` (trials on which both were
        wrong, missing answers included unless they are left out), ``accuracy_a`` and ``accuracy_b`` (from 0 to 1), and
        one for each measure.

    Examples
    --------
    >>> answers = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [0, 0, 1, 1]}
    >>> mine = Responses.from_table([0, 0, 1, 1], answers)
    >>> pairwise(mine, "EC")[["system_a", "system_b", "n_joint_errors", "error_consistency"]]
      system_a system_b  n_joint_errors  error_consistency
    0        a        b               2                0.5
    1        a        c               0                0.0
    2        b        c               0                0.0
    """
    chosen = measures_of(measures)
    check_responses("responses", responses)
    options = checked_options(chosen, variant, alpha, options)
    return table_of_pairs(responses, chosen, with_, unread, options, undefined=replace_undefined_by)[1]


def table_of_pairs(
    responses: Responses,
    measures: Iterable[Measure],
    with_: str | Iterable[str] | None,
    unread: str,
    options: Mapping[str, Any],
    *,
    undefined: float = np.nan,
) -> tuple[ResponseMatrix, pd.DataFrame]:
    """Describe pairs and compute measures of them; return the response matrix that they come from, too."""
    for measure in measures if unread != UNREAD[0] else ():
        measure.check_unread(unread)
    if responses.answers.shape[1] < 2:
        raise ValueError(f"{responses.name} has {responses.answers.shape[1]} system; a pair needs two")
    if with_ is not None:
        with_ = check_choices("with_", with_, responses.answers.columns.tolist())
        if not with_:
            raise ValueError("with_ is empty; name at least one system, or leave it out for all pairs")
    matrix = response_matrix(responses, with_=with_, short=True, unread=unread)
    names, (first, second) = responses.answers.columns, matrix.pairs
    human = (responses.systems["kind"].to_numpy() == "human").astype(int)
    n_trials, right_a, right_b, both_right = matrix.counts
    columns = {
        "system_a": names.take(first),
        "system_b": names.take(second),
        "kind": KINDS.take(human[first] + human[second]),
        "n_joint_errors": n_trials - right_a - right_b + both_right,
        "accuracy_a": ratio(right_a, n_trials),
        "accuracy_b": ratio(right_b, n_trials),
    }
    for measure in measures:
        values = columns[measure.name] = measure.of_all_pairs(matrix, options)
        values[np.isnan(values)] = undefined
    return matrix, pd.DataFrame(columns, index=pd.RangeIndex(len(first)), copy=False)
