"""What could be reached: the mean EC or MA with people of the best answers that are as accurate as a system's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from erralign.behaviour.consistency import kappa
from erralign.behaviour.counting import four_cells
from erralign.bounds import favourites, mean_error_consistency, mean_of_defined, surely_right
from erralign.clusters import Clusters, clusters_of
from erralign.errors import check_choice, check_level, check_responses
from erralign.measures import Measure, Trials, measure_of
from erralign.resampling.conditions import strata
from erralign.responses import Responses
from erralign.responses.arrays import trials_of

KNOWN = ("these people", "other people")


def reach_with_people(
    responses: Responses,
    measure: str | Measure = "error_consistency",
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

    The limits are the value ± t standard errors. Both trials and people are drawn again, by the jackknife: the
    variances from leaving out each trial and each person are added, and t has one degree of freedom less than there are
    people, or clusters if these are fewer. The model's accuracy is held and, for MA, which trials it misses.

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
        Limits are nan if leaving out a person leaves fewer than two to choose by and to compare with, and for MA with
        fewer than five joint errors per person and condition.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> one = twelve_pictures()
    >>> people = one.systems.assign(kind=["human", "human", "model", "human"])
    >>> three_and_one = Responses(one.name, one.truth, one.answers, one.classes, people)
    >>> reach_with_people(three_and_one)["reach"].round(2).tolist()
    [0.56]
    """
    check_responses("responses", responses)
    check_level(level)
    check_choice("known", known, KNOWN)
    measure = measure_of(measure)
    check_choice("measure", measure.name, list(_FORMS))
    kinds = responses.systems["kind"]
    models, people = (list(kinds.index[kinds == kind]) for kind in ("model", "human"))
    if len(people) < 2:
        raise ValueError(f"{responses.name} has fewer than two people: there is nobody to know")
    where, shared = strata(responses.truth.index), clusters_of(clusters, responses.truth)
    rows = []
    for model in models:
        whole = trials_of(responses, [model, *people])
        conditions = [whole.keep(here) for here in where]
        value, moves = _mean_of_conditions(measure, conditions, known)
        by_trial = np.concatenate([each - each.mean() for each in moves])[np.argsort(np.concatenate(where))]
        few = np.mean([_joint_errors(each) for each in conditions]) < measure.enough_joint_errors
        others = [] if few else [_without(conditions, place) for place in range(1, len(people) + 1)]
        by_person = np.array([_mean_of_conditions(measure, each, known)[0] for each in others])
        half = _half_width(by_trial, by_person, shared, level)
        rows.append((value, value - half, min(value + half, 1.0)))
    return pd.DataFrame(rows, pd.Index(models, name="system"), ["reach", "low", "high"])


def _without(conditions: list[Trials], system: int) -> list[Trials]:
    return [replace(each, answers=np.delete(each.answers, system, axis=0)) for each in conditions]


def _joint_errors(trials: Trials) -> float:
    """Return on how many trials the model and a person are both wrong, on average."""
    wrong = ~trials.right
    return float((wrong[0] & wrong[1:]).sum(axis=1).mean())


def _half_width(by_trial: np.ndarray, by_person: np.ndarray, clusters: Clusters | None, level: float) -> float:
    n, n_people = len(by_trial), len(by_person)
    if n_people < 2 or np.isnan(by_person).any():
        return np.nan
    variance, free = (n - 1) / n * (by_trial @ by_trial), n_people
    if clusters is not None:
        variance = max(clusters.variances(by_trial[:, None])[0, 0], variance)
        free = min(n_people, *(codes.max() + 1 for codes in clusters.factors))
    variance += (n_people - 1) * by_person.var()
    return float(stdtrit(free - 1, (1 + level) / 2) * np.sqrt(variance))


def _mean_of_conditions(measure: Measure, conditions: list[Trials], known: str) -> tuple[float, list[np.ndarray]]:
    """Return the mean over conditions, and how leaving out each trial would move it."""
    values, moves = zip(*(_of_condition(measure, each, known) for each in conditions), strict=True)
    defined = ~np.isnan(values)
    weights = defined / max(defined.sum(), 1)
    return mean_of_defined(np.array(values)), [
        weight * each if weight else 0 * each for weight, each in zip(weights, moves, strict=True)
    ]


def _of_condition(measure: Measure, trials: Trials, known: str) -> tuple[float, np.ndarray]:
    people = np.arange(1, len(trials.answers))
    parts = (
        [(people, people)] if known == KNOWN[0] else [(people[[i]], np.delete(people, i)) for i in range(len(people))]
    )
    values, moves = zip(*(_FORMS[measure.name](trials, *part) for part in parts), strict=True)
    return mean_of_defined(np.array(values)), np.nan_to_num(moves).mean(axis=0)


def _consistency(trials: Trials, tested: np.ndarray, known: np.ndarray) -> tuple[float, np.ndarray]:
    right, n = trials.right.astype(float), len(trials.truth)
    accuracy, tested = right[0].mean(), right[tested]
    sure = surely_right(right[known], accuracy)
    both, of_person = tested * sure, tested.sum(axis=1)
    values = kappa(*four_cells(n, sure.sum(), of_person, both.sum(axis=1)))
    of_rest = sure.sum() - sure, of_person[:, None] - tested, both.sum(axis=1)[:, None] - both
    moves = np.nan_to_num(kappa(*four_cells(n - 1, *of_rest)) - values[:, None]).mean(axis=0)
    # Without a trial the accuracy would be another; at the old one, the value would lie along the slope.
    ends = np.clip(accuracy + np.array([-1, 1]) / n, 0, 1)
    apart = [mean_error_consistency(tested, surely_right(right[known], end)) for end in ends]
    slope = np.diff(apart)[0] / np.diff(ends)[0]
    return mean_of_defined(values), moves - slope * (accuracy - sure) / (n - 1)


def _wrong_answers(trials: Trials, tested: np.ndarray, known: np.ndarray) -> tuple[float, np.ndarray]:
    favourite = favourites(trials.truth, trials.answers[known], trials.answers[0], trials.n_options)
    systems, others = np.vstack([favourite, trials.answers[tested]]), np.arange(1, len(tested) + 1)
    measure = measure_of("misclassification_agreement")
    chance = measure.chance(trials.n_options)
    found = measure.leave_one_out(trials.truth, systems, 0 * others, others, trials.n_classes, **chance)
    moves = np.nan_to_num(found.without - found.values[:, None]).mean(axis=0)
    return mean_of_defined(found.values), moves[found.place]


_FORMS = {"error_consistency": _consistency, "misclassification_agreement": _wrong_answers}
