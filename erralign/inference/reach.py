"""What could be reached: the mean EC or MA with people of the best answers that are as accurate as a system's."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from erralign._validation import check_choice, check_responses, checked
from erralign.bounds import favourites, mean_error_consistency, mean_of_defined, surely_right
from erralign.inference.clusters import Clusters, clusters_of
from erralign.inference.conditions import places_of_strata
from erralign.measures import Measure, ResponseMatrix, measure_of
from erralign.measures.error_consistency import of_counts
from erralign.measures.matrix import response_matrix
from erralign.measures.measure import left_out_of_sums, moves_of
from erralign.measures.misclassification_agreement import ENOUGH_JOINT_ERRORS, MISCLASSIFICATION_AGREEMENT
from erralign.measures.registry import Chosen
from erralign.responses import Responses

KNOWN = ("these people", "other people")
# So far from an accuracy on either side, the slope of what can be reached is taken: nearer, single trials decide it.
_AROUND = 0.05


def reach_with_people(
    responses: Responses,
    measure: Chosen = "error_consistency",
    *,
    known: str = "these people",
    level: float = 0.95,
    clusters: Any = None,
) -> pd.DataFrame:
    """Return what each model could reach: the mean EC or MA with people of the best answers of its accuracy.

    For EC these are the answers of :func:`erralign.bounds.largest_mean_error_consistency`, as often right as the
    model's; for MA those of :func:`erralign.bounds.favourite_wrong_answers`, wrong where the model's are. They are
    chosen in each condition by itself. The mean is taken over people, then over conditions, as by
    :func:`erralign.consistency_with_people`.

    The limits are the value ± t standard errors. Both trials and people are drawn again: the variance over trials is
    the jackknife's; that over people, too, if these people are known, else it is that of their values. The two are
    added, less the variance of single answers, which both contain. Student's t has one degree of freedom less than
    there are people, or clusters if these are fewer. The model's accuracy is held and, for MA, which trials it misses.

    Parameters
    ----------
    responses : Responses
        Models and at least two people. If the trials have an index level ``condition``, all conditions count alike.
    measure : {"error_consistency", "misclassification_agreement"}
        EC or MA, by name or abbreviation.
    known : {"these people", "other people"}
        Whose answers to the very trials are known: those of the people with whom the answers are compared; or each
        person in turn is compared with somebody who knows all others.
    level, clusters
        As for :func:`erralign.consistency_with_people`; ``clusters`` is one entry.

    Returns
    -------
    pandas.DataFrame
        Indexed by model, with the columns ``reach``, ``low`` and ``high``. No model can have a larger mean EC than with
        these people known. With other people known it can, if it knows more of the trials than their answers say.
        Limits of MA are nan with fewer than five joint errors per person and condition.

    Examples
    --------
    >>> from erralign.datasets.examples import twelve_pictures
    >>> one = twelve_pictures()
    >>> people = one.systems.assign(kind=["human", "human", "model", "human"])
    >>> three_and_one = Responses(one.name, one.truth, one.answers, one.classes, people)
    >>> reach_with_people(three_and_one)["reach"].round(2).tolist()
    [0.56]
    """
    check_responses("responses", responses)
    checked(level=level)
    check_choice("known", known, KNOWN)
    measure = measure_of(measure)
    check_choice("measure", measure.name, list(_FORMS))
    kinds = responses.systems["kind"]
    models, people = (list(kinds.index[kinds == kind]) for kind in ("model", "human"))
    if len(people) < 2:
        raise ValueError(f"{responses.name} has fewer than two people: there is nobody to know")
    where, shared = places_of_strata(responses.truth.index), clusters_of(clusters, responses.truth)
    rows = []
    for model in models:
        whole = response_matrix(responses, [model, *people])
        reach = _reach(measure, [whole.keep(here) for here in where], known)
        moves = reach.moves[:, np.argsort(np.concatenate(where))]
        half = np.nan if reach.few else _half_width(reach.persons, moves, shared, level)
        rows.append((reach.value, reach.value - half, min(reach.value + half, 1.0)))
    return pd.DataFrame(rows, pd.Index(models, name="system"), ["reach", "low", "high"])


class _Reach(NamedTuple):
    value: float
    persons: np.ndarray  # one number for each, whose variance over their number is that of the value over people
    moves: np.ndarray  # (n_people, n_trials) how leaving out each trial would move the value of each person
    few: bool  # whether joint errors are too few for limits


def _reach(measure: Measure, conditions: list[ResponseMatrix], known: str) -> _Reach:
    n_people = len(conditions[0].answers) - 1
    values, moves, n_joint, n_defined = [], [], [], 0
    for matrix in conditions:
        of_people, moves_of_people = _of_condition(measure, matrix, known)
        defined = not np.isnan(of_people).all()
        values.append(of_people)
        moves.append(moves_of(moves_of_people) * defined)
        n_joint.append((~matrix.right[0] & ~matrix.right[1:]).sum(axis=1).mean())
        n_defined += defined
    value = _mean_of_conditions(values)
    persons = np.array([mean_of_defined(of_person) for of_person in np.transpose(values)])
    if known == KNOWN[0]:  # all choose together: what is left without each
        without = []
        for person in range(1, n_people + 1):
            rest = [replace(matrix, answers=np.delete(matrix.answers, person, axis=0)) for matrix in conditions]
            without.append(_mean_of_conditions([_of_condition(measure, matrix, known)[0] for matrix in rest]))
        persons = n_people * value - (n_people - 1) * np.array(without)
    few = measure is MISCLASSIFICATION_AGREEMENT and bool(np.mean(n_joint) < ENOUGH_JOINT_ERRORS)
    return _Reach(value, persons, np.concatenate(moves, axis=1) / max(n_defined, 1), few)


def _mean_of_conditions(values: Sequence[np.ndarray]) -> float:
    return mean_of_defined(np.array([mean_of_defined(of_people) for of_people in values]))


def _half_width(persons: np.ndarray, moves: np.ndarray, clusters: Clusters | None, level: float) -> float:
    """Return half the width of the interval: variances over trials and people, which both contain that of answers."""
    n_people, by_trial = len(moves), moves.mean(axis=0)
    variance, free = by_trial @ by_trial, n_people
    if clusters is not None:
        variance = max(clusters.variances(by_trial[:, None])[0, 0], variance)
        free = min(n_people, *(codes.max() + 1 for codes in clusters.factors))
    of_answers = ((moves - by_trial) ** 2).sum() / (n_people * (n_people - 1))
    variance += max(persons.var(ddof=1) / n_people - of_answers, 0)
    return float(stdtrit(free - 1, (1 + level) / 2) * np.sqrt(variance))


def _of_condition(measure: Measure, matrix: ResponseMatrix, known: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the value of each person, and how leaving out each trial would move it."""
    people = np.arange(1, len(matrix.answers))
    each_and_others = [(people[people == one], people[people != one]) for one in people]
    parts = [(people, people)] if known == KNOWN[0] else each_and_others
    values, moves = zip(*(_FORMS[measure.name](matrix, *part) for part in parts), strict=True)
    return np.concatenate(values), np.nan_to_num(np.concatenate(moves))


def _consistency(matrix: ResponseMatrix, tested: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    right, n = matrix.right.astype(float), len(matrix.truth)
    accuracy, tested = right[0].mean(), right[tested]
    sure = surely_right(right[known], accuracy)
    values, without, *_ = left_out_of_sums(of_counts, (np.ones((1, n)), sure[None], tested, tested * sure))
    # Without a trial the accuracy would be another; at the old one, the value would lie along the slope.
    ends = np.clip(accuracy + np.array([-_AROUND, _AROUND]), 0, 1)
    reached = [mean_error_consistency(tested, surely_right(right[known], end)) for end in ends]
    slope = np.diff(reached)[0] / np.diff(ends)[0]
    return values, without - values[:, None] - slope * (accuracy - sure) / (n - 1)


def _wrong_answers(matrix: ResponseMatrix, tested: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    favourite = favourites(matrix.truth, matrix.answers[known], matrix.answers[0], matrix.n_options)
    systems, others = np.vstack([favourite, matrix.answers[tested]]), np.arange(1, len(tested) + 1)
    left_out = MISCLASSIFICATION_AGREEMENT.leave_one_out(
        replace(matrix, answers=systems, selected=(0 * others, others))
    )
    return left_out.values, left_out.without - left_out.values[:, None]


_FORMS = {"error_consistency": _consistency, "misclassification_agreement": _wrong_answers}
