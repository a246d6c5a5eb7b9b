"""Sentences on how a comparison was made."""

from collections.abc import Iterable

import pandas as pd

from erralign.measures import Measure
from erralign.measures.class_level_error_similarity import LEFT_OUT
from erralign.measures.measure import JACKKNIFE
from erralign.plot.words import number, span
from erralign.reports.averages import BLIND
from erralign.responses import Responses
from erralign.sources.data_sets import records
from erralign.sources.own.sentences import say

FAR = 0.05  # from 0, a blind value of MA is worth a note


def notes_on_methods(measures: Iterable[Measure], methods: dict[str, str]) -> list[str]:
    """Say which intervals are by a method that is not the measure's own."""
    unknown = "Intervals of {} are by the jackknife; nobody has studied how often they hold."
    many = "With so many trials, intervals of {} leave out each trial in turn; --resamples N draws trials instead."
    of_methods = {JACKKNIFE: unknown, LEFT_OUT: many}
    found = ((measure.short, of_methods.get(methods[measure.name])) for measure in measures)
    return [note.format(short) for short, note in found if note]


def notes_on_means(measures: Iterable[Measure], of_people: pd.DataFrame) -> list[str]:
    """Say why means with people lack an interval."""
    without = [
        each.short for each in measures if each.short in of_people and of_people[f"{each.short}_low"].isna().any()
    ]
    why = "Means of {} without an interval: in some condition a pair has fewer than five errors to go by."
    return [why.format(" and ".join(without))] if without else []


def notes_on_lacking(measures: Iterable[Measure], n_classes: int, options: pd.Series | None) -> list[str]:
    """Say which measures are not given, and why."""
    lacking: dict[str, list[str]] = {}
    for measure in measures:
        lacking.setdefault(measure.why_not(n_classes, options), []).append(measure.short)
    return [f"{' and '.join(names)}: {reason}." for reason, names in lacking.items() if reason]


def notes_on_chance(responses: Responses, measures: Iterable[Measure], pairs: pd.DataFrame) -> list[str]:
    """Say where chance of MA is from, and how far its zero is from it."""
    if responses.options is not None and "MA" in [measure.short for measure in measures]:
        offered = span(responses.options.min(), responses.options.max())
        return [
            f"Trials offer {offered} options, whose letters mean nothing on other trials. MA takes chance from their "
            "number: with k options, two wrong answers are the same with probability 1/(k - 1). Systems that have "
            "nothing in common score 0 on average."
        ]
    blind = pairs[BLIND].dropna() if BLIND in pairs else pd.Series(dtype=float)
    if not blind.abs().max() >= FAR:
        return []
    score = span(*(number(float(each), 2) for each in (blind.min(), blind.max())))
    return [say("blind", n=len(responses.classes), score=score)]


def notes_on_others(theirs: Responses | None) -> list[str]:
    """Say what the true class of a public data set is, and how means over its conditions are taken."""
    if theirs is None:
        return []
    known = records().get(theirs.name)
    notes = [f"The true class in {theirs.name} is {known.truth}."] if known and known.archives else []
    if "condition" in theirs.truth.index.names:
        notes.append("Averages are taken condition by condition, pairs over all conditions together.")
    return notes
