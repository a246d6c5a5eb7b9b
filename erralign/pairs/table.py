"""The table of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.errors import check_alpha, check_choice, check_choices, check_responses
from erralign.measures import MEASURES_OF_ERRORS, full_names
from erralign.pairs.answers import Answers, answers_of
from erralign.pairs.class_level_error_similarity import class_level_error_similarities
from erralign.pairs.error_consistency import error_consistencies
from erralign.pairs.misclassification_agreement import misclassification_agreements
from erralign.responses import Responses

KINDS = pd.Index(["model-model", "model-human", "human-human"])


def pairwise(
    responses: Responses,
    measures: str | Iterable[str] = MEASURES_OF_ERRORS,
    *,
    variant: str = "released",
    replace_undefined_by: float = np.nan,
    alpha: float = 0.5,
    with_: str | Iterable[str] | None = None,
) -> pd.DataFrame:
    r"""Compute measures of errors for all unordered pairs of systems at once, or for the pairs of chosen systems.

    Each value equals that of the function of the same name: Cohen's kappa of right and wrong (EC), Cohen's kappa of the
    answers on joint errors (MA), :math:`1 / (1 + \sum_c w_c d_c)` over the rows of the error matrices (CLES).

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    measures : str or iterable of str
        Names or abbreviations: ``error_consistency`` (EC), ``misclassification_agreement`` (MA),
        ``class_level_error_similarity`` (CLES).
    variant : {"released", "printed", "printed-unnormalised"}
        The form of class-level error similarity.
    replace_undefined_by : float
        The value to return where a measure is 0/0.
    alpha : float
        The smoothing of class-level error similarity, above 0.
    with_ : str or iterable of str, optional
        Only the pairs of these systems, with each other and with all others. Default: all pairs.

    Returns
    -------
    pandas.DataFrame
        One row per pair, in the order of the columns of ``responses.answers``. Its columns are ``system_a``,
        ``system_b``, ``kind`` (model-model, model-human or human-human), ``n_joint_errors`` (trials on which both were
        wrong, missing answers included), ``accuracy_a`` and ``accuracy_b`` (from 0 to 1), and one for each measure.

    Raises
    ------
    ValueError
        An unknown measure, variant or system, an alpha that is not above 0, or fewer than two systems.

    References
    ----------
    Geirhos, Meding & Wichmann (2020), https://doi.org/10.48550/arXiv.2006.16736; Xu et al. (2024),
    https://doi.org/10.48550/arXiv.2409.13919.

    Examples
    --------
    >>> answers = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [0, 0, 1, 1]}
    >>> mine = Responses.from_table([0, 0, 1, 1], answers)
    >>> pairs = pairwise(mine, ["error_consistency"])
    >>> pairs[["system_a", "system_b", "n_joint_errors", "error_consistency"]]
      system_a system_b  n_joint_errors  error_consistency
    0        a        b               2                0.5
    1        a        c               0                0.0
    2        b        c               0                0.0

    Only the pairs of c, by the measure's abbreviation:

    >>> pairwise(mine, "EC", with_="c")[["system_a", "system_b", "error_consistency"]]
      system_a system_b  error_consistency
    0        a        c                0.0
    1        b        c                0.0
    """
    measures = full_names(measures)
    with_ = _check_options(responses, variant, alpha, with_)
    shared = answers_of(responses, with_, variant, alpha)
    columns = _describe(responses, shared)
    for measure in measures:
        values = ROADS[measure](shared)
        values[np.isnan(values)] = replace_undefined_by
        columns[measure] = values
    return pd.DataFrame(columns, index=pd.RangeIndex(len(shared.first)), copy=False)


def _check_options(
    responses: Responses, variant: str, alpha: float, with_: str | Iterable[str] | None
) -> list[str] | None:
    check_responses("responses", responses)
    check_choice("variant", variant, CLES_VARIANTS)
    check_alpha(alpha)
    if responses.answers.shape[1] < 2:
        raise ValueError(f"{responses.name} has {responses.answers.shape[1]} system; a pair needs two")
    if with_ is None:
        return None
    chosen = check_choices("with_", with_, responses.answers.columns.tolist())
    if not chosen:
        raise ValueError("with_ is empty; name at least one system, or leave it out for all pairs")
    return chosen


def _describe(responses: Responses, shared: Answers) -> dict[str, pd.Index | np.ndarray]:
    names, n_trials = responses.answers.columns, len(shared.truth)
    human = (responses.systems["kind"].to_numpy() == "human").astype(int)
    n_right = shared.both_right.diagonal()
    right_a, right_b = n_right[shared.first], n_right[shared.second]
    return {
        "system_a": names.take(shared.first),
        "system_b": names.take(shared.second),
        "kind": KINDS.take(human[shared.first] + human[shared.second]),
        "n_joint_errors": n_trials - right_a - right_b + shared.both_right[shared.first, shared.second],
        "accuracy_a": right_a / n_trials,
        "accuracy_b": right_b / n_trials,
    }


ROADS: dict[str, Callable[[Answers], np.ndarray]] = {
    "error_consistency": error_consistencies,
    "misclassification_agreement": misclassification_agreements,
    "class_level_error_similarity": class_level_error_similarities,
}
