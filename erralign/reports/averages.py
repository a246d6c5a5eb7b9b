"""The numbers of a report beside its pairs: what they are set against, means with people and networks, a panel."""

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER
from erralign.diversity import all_wrong, effective_number, vote
from erralign.inference import ConsistencyWithPeople, accuracy_intervals, consistency_with_people, reach_with_people
from erralign.inference.conditions import places_of_strata
from erralign.inference.reach import KNOWN
from erralign.measures import Measure, limit_columns, measure_of
from erralign.measures.class_level_error_similarity import CLASS_LEVEL_ERROR_SIMILARITY, INDEPENDENT_ERRORS
from erralign.measures.matrix import kappa
from erralign.measures.measure import UNREAD
from erralign.pairs import pairwise
from erralign.reports.verdicts import OF_ERRORS, why_no_verdict
from erralign.responses import Responses

PEOPLE, NETWORKS, YOURS = "people", "networks", "yours"
GROUP = ["system", "with"]  # whose pairs a mean is over
# What a measure is to be set against: the largest EC of these accuracies; EC with the other choice about no answer; the
# MA that is due to true classes alone, or where trials have options of their own, MA with chance from all answers; the
# CLES of independent errors.
_LARGEST, BLIND, _MARGINS, INDEPENDENT = "EC_largest", "MA_blind", "MA_margins", INDEPENDENT_ERRORS.short
_OTHERWISE = {"wrong": "unread_wrong", "left out": "unread_left_out"}
# What somebody of a model's accuracy can reach, who knows these people's answers, or other people's.
KNOWING = dict(zip(("reach", "others"), KNOWN, strict=True))
LEAD = "lead"  # a mean with people less that of two people
SHARE = "H"  # EC as a share of the largest possible, whose verdict may be another
_YARDSTICKS = (_LARGEST, *(f"EC_{way}" for way in _OTHERWISE.values()), BLIND, _MARGINS, INDEPENDENT)


def with_people(
    responses: Responses, measures: Sequence[Measure], own: Sequence[str], *, level: float, clusters: Any = None
) -> pd.DataFrame:
    """Return each model's mean of each measure with people, and that of people with each other, with intervals.

    Of three people or more, also that of each with the others; of one's own models, by how much they exceed people,
    and what answers of their accuracy can reach; with EC, also by how much H exceeds that of people.
    """
    kinds = responses.systems["kind"]  # a person of one's own is none of the people with whom systems are compared
    people = [name for name in kinds.index[kinds == "human"] if name not in own]
    models = list(kinds.index[kinds == "model"])
    if len(people) < 2 or not models:
        return pd.DataFrame()
    responses = responses.select(systems=[str(name) for name in responses.answers if name in {*people, *models}])
    mine = [name for name in models if name in own]
    how: dict[str, Any] = {"level": level, "clusters": clusters}
    with_others = [_as_model(responses.select(systems=people), person) for person in people if len(people) > 2]
    tables = []
    for measure in measures:
        # Intervals need no draws.
        means = consistency_with_people(responses, measure, **how)
        rows = [means.table]
        for one_person in with_others:
            of_person = consistency_with_people(one_person, measure, **how)
            rows.append(of_person.table.drop(PEOPLE))
        values = pd.concat(rows)[[measure.short, "low", "high"]]
        tables += [values.set_axis(columns_of(measure.short), axis=1), _leads(means, mine, measure.short)]
    yours_and_people = responses.select(systems=[*mine, *people])
    for measure, (column, known) in product(measures, KNOWING.items()):
        if measure.short in ("EC", "MA"):
            reached = reach_with_people(yours_and_people, measure, known=known, **how)
            tables.append(reached.set_axis(columns_of(f"{measure.short}_{column}"), axis=1))
    shorts = [measure.short for measure in measures]
    if "EC" in shorts and SHARE not in shorts:
        tables.append(_leads(consistency_with_people(yours_and_people, SHARE, **how), mine, SHARE))
    return pd.concat(tables, axis=1).rename_axis("system")


def forget_unlike(means: pd.DataFrame, responses: Responses, own: Sequence[str], near: Container[str]) -> pd.Series:
    """Leave no lead by CLES over people of another accuracy, or of a system near chance; return why, by system."""
    kinds = responses.systems["kind"].drop(list(own))
    people = list(kinds.index[kinds == "human"])
    mine = [name for name in own if name in means.index]
    why = pd.Series({name: why_no_verdict(responses, name, people, name in near) for name in mine}, dtype=str)
    lead = f"{OF_ERRORS}_{LEAD}"
    if lead in means:
        means.loc[why.index[why != ""], columns_of(lead)] = np.nan
    return why


def _leads(means: ConsistencyWithPeople, own: Sequence[str], short: str) -> pd.DataFrame:
    """Return how far each of one's own models is above people, on the same trials."""
    leads = {}
    for name in own:
        gap = means.difference(name, PEOPLE)
        leads[name] = gap.estimate, gap.low, gap.high
    return pd.DataFrame.from_dict(leads, orient="index", columns=columns_of(f"{short}_{LEAD}"))


def _as_model(responses: Responses, name: str) -> Responses:
    """Let a system, be it a person, take a network's place: it is compared with people, and is none of them."""
    kinds = responses.systems["kind"].mask(responses.systems.index == name, "model")
    return replace(responses, systems=responses.systems.assign(kind=kinds))


def columns_of(short: str) -> list[str]:
    """Return the columns of a measure's value and of its limits."""
    return [short, *limit_columns(short)[:2]]


def of_groups(
    responses: Responses,
    measures: Sequence[Measure],
    whose: pd.Series,
    of_people: pd.DataFrame,
    unread: Sequence[str] = UNREAD[:1],
) -> pd.DataFrame:
    """Return the mean of each measure for groups of pairs, over the pairs of a condition and then over conditions."""
    values = [measure.short for measure in measures]
    columns = [column for short in values for column in columns_of(short)]
    if (whose == YOURS).all():
        return pd.DataFrame(columns=columns, index=pd.MultiIndex.from_arrays([[], []], names=GROUP))
    of_conditions = []
    for here in places_of_strata(responses.truth.index):
        condition = responses.select(trials=responses.truth.index[here])
        pairs = with_yardsticks(pairwise(condition, measures, unread=unread[0]), condition, measures, unread=unread)
        beside = [column for column in _YARDSTICKS if column in pairs]
        of_conditions.append(_means(pairs, [*values, *beside], whose))
    means = pd.concat(of_conditions).groupby(level=GROUP, sort=False).mean()
    limits = of_people.reindex(columns=[column for column in columns if column not in values])
    limits.index = pd.MultiIndex.from_product([limits.index, [PEOPLE]], names=GROUP)
    return means.join(limits)[columns + beside]


def _means(pairs: pd.DataFrame, columns: list[str], whose: pd.Series) -> pd.DataFrame:
    """Return the means over the pairs of each system of one's own with the others, and among the others."""
    rows = own_first(pairs, whose)
    rows = rows[rows["with"].map(whose) != YOURS]
    group = whose.where(whose != YOURS, whose.index)
    return rows.groupby([rows[end].map(group) for end in GROUP], sort=False)[columns].mean()


def own_first(pairs: pd.DataFrame, whose: pd.Series) -> pd.DataFrame:
    """Call one end of each pair ``system``, one's own before people and people before networks, and the other ``with``.

    Of two systems of one's own, the second is compared with the first.
    """
    rank = whose.map([YOURS, PEOPLE, NETWORKS].index)
    a, b = pairs["system_a"], pairs["system_b"]
    turned = b.map(rank) <= a.map(rank)
    return pairs.assign(**{"system": b.where(turned, a), "with": a.where(turned, b)})


def with_yardsticks(
    pairs: pd.DataFrame,
    responses: Responses,
    measures: Sequence[Measure],
    with_: Sequence[str] | None = None,
    unread: Sequence[str] = UNREAD[:1],
) -> pd.DataFrame:
    """Add to a table of pairs what EC, MA and CLES are to be set against, if it has them.

    ``unread`` is what became of unread answers, and what else is to be shown.
    """
    pairs = pairs.drop(columns=["family_a", "family_b"], errors="ignore")
    wanted: list[
        tuple[str, str | Measure, Responses, str]
    ] = []  # column, measure, of whom, and what unread answers are
    if "EC" in pairs:
        wanted += [(f"EC_{_OTHERWISE[way]}", "EC", responses, way) for way in unread[1:]]
        a, b = pairs["accuracy_a"].to_numpy(), pairs["accuracy_b"].to_numpy()
        # As erralign.bounds has it: every error of the more accurate one is also one of the other.
        pairs[_LARGEST] = kappa(np.minimum(1 - a, 1 - b), np.maximum(0, b - a), np.maximum(0, a - b), np.minimum(a, b))
    if "MA" in pairs and responses.options is None:
        wanted.append((BLIND, BLIND, responses, "wrong"))
    elif "MA" in pairs:
        wanted.append((_MARGINS, "MA", replace(responses, options=None), "wrong"))
    if CLASS_LEVEL_ERROR_SIMILARITY in measures:  # and in no other form
        wanted.append((INDEPENDENT, INDEPENDENT_ERRORS, responses, "wrong"))
    for column, measure, of_whom, way in wanted:
        values = pairwise(of_whom, measure, with_=with_, unread=way)
        pairs[column] = values[measure_of(measure).short].to_numpy()
    return pairs


def whose_are(responses: Responses, own: Sequence[str]) -> pd.Series:
    """Return for each system whether it is one of the people, one of the networks, or one's own."""
    kinds = responses.systems["kind"].map({"human": PEOPLE, "model": NETWORKS})
    return kinds.mask(kinds.index.isin(own), YOURS)


def with_other_ways(accuracies: pd.DataFrame, responses: Responses, unread: Sequence[str]) -> pd.DataFrame:
    """Put beside accuracies those by the other choice about unread answers."""
    for way in unread[1:]:
        other = accuracy_intervals(responses, unread=way)["accuracy"]
        n_unread = responses.answers.eq(NO_ANSWER).sum()
        accuracies = accuracies.assign(n_unread=n_unread, **{f"accuracy_{_OTHERWISE[way]}": other})
    return accuracies


def joint_answers_of(responses: Responses, pairs: pd.DataFrame) -> np.ndarray:
    """Return on how many trials both systems of each pair answered and were wrong: MA is computed from these alone."""
    answers, truth = responses.answers.fillna(NO_ANSWER).to_numpy(int), responses.truth.to_numpy()[:, None]
    wrong = ((answers != truth) & (answers != NO_ANSWER)).astype(float)
    a, b = (responses.answers.columns.get_indexer(pd.Index(pairs[system])) for system in ("system_a", "system_b"))
    return (wrong.T @ wrong)[a, b].astype(int)


def forget_consistency(table: pd.DataFrame, is_perfect: Any) -> None:
    """Leave no EC where a system makes no error: 0, with an interval from 0 to 0, would look like a finding."""
    columns = [column for column in table if f"{column}_".startswith("EC_") and column != _LARGEST]
    table.loc[is_perfect, columns] = np.nan


# ---- a panel ---------------------------------------------------------------------------------------------------------


_FEWEST = 3
NUMBER, MISSED, _VOTE, _GAIN = "effective number", "all wrong, %", "vote right, %", "vote less best, %"


def panel_of(responses: Responses, *, level: float, clusters: Any) -> pd.DataFrame:
    """Return a row per number: ``value`` with ``low`` and ``high``, and ``independent``, what independent systems have.

    The attributes are ``n_missed``, the trials that all miss, and ``same_answer``, on what share of them at least half
    of all give one wrong answer.
    """
    n = responses.answers.shape[1]
    if n < _FEWEST:
        raise ValueError(f"panel is for at least {_FEWEST} systems of yours; there are {n}")
    how: dict[str, Any] = {"level": level, "clusters": clusters}
    worth, missed, voted = effective_number(responses, **how), all_wrong(responses, **how), vote(responses, **how)
    best = voted["best"]
    rows = {
        NUMBER: (worth.estimate, worth.low, worth.high, float(n)),
        MISSED: tuple(100 * missed[["share", "low", "high", "if_independent"]]),
        _VOTE: tuple(100 * voted[["accuracy", "low", "high", "if_independent"]]),
        _GAIN: tuple(100 * pd.Series([*voted[["gain", "gain_low", "gain_high"]], voted["if_independent"] - best])),
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high", "independent"])
    table.attrs = {"n_missed": int(missed["n_trials"]), "same_answer": float(missed["same_answer"])}
    return table
