"""When a verdict may be given: whether a system is near chance, and whether two are about equally accurate."""

import pandas as pd

from erralign._validation import NO_ANSWER
from erralign.measures.class_level_error_similarity import CLASS_LEVEL_ERROR_SIMILARITY
from erralign.plot.theme import number, with_interval
from erralign.responses import Responses

OF_ERRORS = CLASS_LEVEL_ERROR_SIMILARITY.short  # the measure that changes with the number of errors
EQUAL = 20  # accuracies that differ by less than one trial in so many, .05, are about the same
NEAR_CHANCE, OTHER_ACCURACY = "near chance", "another accuracy"


def near_chance(responses: Responses, accuracies: pd.DataFrame) -> dict[str, str]:
    """Say of each system that gives one answer throughout, or is right no more often than who guesses, that it does.

    Guessing among all classes is right on 1/C of the trials (where each trial has options of its own, on 1/k), and one
    answer to all trials as often as that answer is true. A system is near chance whose interval does not lie above
    both.

    Parameters
    ----------
    responses : Responses
        The answers.
    accuracies : pandas.DataFrame
        As from :func:`erralign.accuracy_intervals`, of the systems to look at.

    Returns
    -------
    dict of str to str
        A sentence by system; of all others nothing, and of nobody where only one class is ever true.
    """
    often = responses.truth.value_counts(normalize=True)
    if len(often) < 2:
        return {}
    classes, told = responses.classes, {}
    by_guess, how = 1 / len(classes), f"guessing among {len(classes)} classes"
    if responses.options is not None:
        by_guess, how = float((1 / responses.options).mean()), "guessing among the options"
    throughout = float(often.max())
    best, least = max(by_guess, throughout), min(by_guess, throughout)
    how = f"{how} would be on {number(by_guess, 2)}"
    if throughout > by_guess + 1e-12:
        how = f"{how}, {classes[often.idxmax()]!r} throughout on {number(throughout, 2)}"
    for system, (accuracy, low, high) in accuracies[["accuracy", "low", "high"]].T.items():
        said = responses.answers[system].dropna().astype(int)
        right = f"it is right on {with_interval(accuracy, low, high)} of the trials"
        if said.nunique() == 1 and said.iloc[0] != NO_ANSWER and len(said) > 1:
            answer = classes[said.iloc[0]]
            told[str(system)] = f"{system} gives one answer throughout, {answer!r}: {right}, as often as that is true."
        elif low <= best:
            where = "near" if high >= least else "below"
            told[str(system)] = f"{system} is {where} chance: {right}; {how}."
    return told


def about_as_accurate(n_right: int, of_others: "pd.Series[int]", n_trials: int) -> bool:
    """Say whether a system's accuracy and the mean of others differ by less than .05, in counts, which are exact."""
    n_others = len(of_others)
    return EQUAL * abs(n_others * int(n_right) - int(of_others.sum())) < n_trials * n_others


def why_no_verdict(responses: Responses, system: str, people: list[str], is_near_chance: bool) -> str:
    """Say why CLES with people gives no verdict on a system; nothing where it gives one."""
    if is_near_chance:
        return NEAR_CHANCE
    n_right = responses.answers.eq(responses.truth, axis=0).sum()
    if not about_as_accurate(n_right[system], n_right[people], len(responses.truth)):
        return OTHER_ACCURACY
    return ""
