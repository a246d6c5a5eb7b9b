"""The registry of measures: the papers', those that readers add, and their names in words."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from erralign._validation import expected
from erralign.measures import confidences
from erralign.measures.about import ABOUT, ON_JOINT_ERRORS, ORDER_AND_NAMES
from erralign.measures.class_level_error_similarity import CLASS_LEVEL_ERROR_SIMILARITY
from erralign.measures.error_consistency import ERROR_CONSISTENCY
from erralign.measures.measure import Measure
from erralign.measures.misclassification_agreement import MISCLASSIFICATION_AGREEMENT
from erralign.measures.representations import OF_REPRESENTATIONS, Similarity

_OF_ERRORS = (ERROR_CONSISTENCY, MISCLASSIFICATION_AGREEMENT, CLASS_LEVEL_ERROR_SIMILARITY)
# The names of the three, which every function takes by default.
MEASURES_OF_ERRORS = tuple(measure.name for measure in _OF_ERRORS)
_OF_CONFIDENCES = (
    Similarity("confidence_similarity", "SOC", confidences.confidence_similarity, ORDER_AND_NAMES),
    Similarity(
        "error_confidence_similarity",
        "SOCE",
        confidences.error_confidence_similarity,
        ORDER_AND_NAMES | ON_JOINT_ERRORS,
    ),
)
# A measure as a caller may name it: by name or abbreviation, or a function of (y_true, y_a, y_b).
Chosen = str | Measure | Callable[..., Any]
# By abbreviation. CKA comes first of its kind.
_ALL: list[Measure | Similarity] = [*_OF_ERRORS, OF_REPRESENTATIONS["CKA"], *_OF_CONFIDENCES]
MEASURES = {measure.short: measure for measure in [*_ALL, *OF_REPRESENTATIONS.values()]}
# Abbreviations with the names of the functions.
NAMES = {short: measure.name for short, measure in MEASURES.items()}


@cache  # register forgets them
def short_name(name: str) -> str:
    """Shorten a measure's name, alone or at the beginning of a column's name."""
    begun = [short for short, full in NAMES.items() if name == full or name.startswith(f"{full}_")]
    longest = max(begun, key=lambda short: len(NAMES[short]), default="")
    return longest + name.removeprefix(NAMES.get(longest, ""))


def words_of(name: str) -> str:
    """Return a measure's name, or its abbreviation, as it is written in a sentence."""
    measure = MEASURES.get(short_name(name))
    return measure.words if measure else name


@cache
def limit_columns(value: str) -> tuple[str, str, str]:
    """Name the columns with the limits of a value."""
    return f"{value}_low", f"{value}_high", f"{value}_n_undefined"


# Joint errors below which an interval says little.
FEW = 5


def too_few(pairs: Any, measure: str = "EC") -> Any:
    """Say of which pairs of a table a measure gives no verdict: of those with fewer than five joint errors.

    EC gives one where as many are expected by chance. It needs as many joint successes, seen or expected, too.
    """
    seen = pairs["n_joint_errors"]
    if measure != "EC" or "n_trials" not in pairs.attrs:
        return seen < FEW
    n, a, b = pairs.attrs["n_trials"], pairs["accuracy_a"], pairs["accuracy_b"]
    both_right = (seen + n * (a + b - 1)).round()
    return (seen < FEW) & (n * (1 - a) * (1 - b) < FEW) | (both_right < FEW) & (n * a * b < FEW)


# What columns of tables are called already.
_TAKEN = {"system_a", "system_b", "kind", "family_a", "family_b", "n_joint_errors", "accuracy_a", "accuracy_b"}
_TAKEN |= {"n_trials"}
_TAKEN |= {"accuracy", "system", "p_value", "low", "high", "bias"}


def register(measure: Measure) -> Measure:
    """Make a measure of your own known wherever measures are chosen by name.

    From then on all functions that take the name of a measure take this one too, as long as the Python process lasts:
    call it where your script begins. Without a choice, all functions go on with the papers' three measures.

    Parameters
    ----------
    measure : Measure
        Its name, its abbreviation and its function are enough. A measure of your own with the same name is replaced.

    Returns
    -------
    Measure
        The measure itself.

    Examples
    --------
    >>> def same_answer(y_true, y_a, y_b):
    ...     return (y_a == y_b).mean()
    >>> same = register(Measure("same_answer", "same", same_answer, range=(0, 1)))
    >>> from erralign import confidence_interval
    >>> confidence_interval([0] * 4, [0, 0, 1, 1], [0, 1, 1, 1], "same").method
    'generic jackknife'
    """
    if not isinstance(measure, Measure):
        raise TypeError(f"register was given {measure!r}; expected a measure: erralign.Measure(name, short, function)")
    taken, replaced = set(_TAKEN), []
    for short, known in MEASURES.items():
        if isinstance(known, Measure) and known.name == measure.name and known.name not in ABOUT:
            replaced.append(short)
        else:
            taken |= {short, known.name}
    for what, name in (("name", measure.name), ("short", measure.short)):
        if not isinstance(name, str) or not name.isidentifier() or name in taken:
            raise ValueError(f"{what} is {name!r}; expected a word that is the name of nothing else: choose another")
    _try(measure)
    for short in replaced:
        del MEASURES[short], NAMES[short]
    MEASURES[measure.short], NAMES[measure.short] = measure, measure.name
    short_name.cache_clear()
    return measure


def _try(measure: Measure) -> None:
    """Refuse a function that cannot be called as measures are."""
    truth, a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), np.array([0, 1, 0, -1])
    try:
        measure.of_two(truth, a, b)
    except Exception as error:
        raise TypeError(
            f"{measure.name} fails for two systems and four trials ({type(error).__name__}: {error}); expected a "
            "function of (y_true, y_a, y_b) that returns a number, or nan where it is undefined"
        ) from error


def measure_of(measure: Chosen, *others: Measure, name: str = "measure") -> Measure:
    """Return the one measure of errors that a caller chose by name or abbreviation, or one of the caller's function."""
    if isinstance(measure, Measure):
        return measure
    if callable(measure) and not isinstance(measure, Similarity):
        return _of_function(measure)
    asked = getattr(measure, "short", measure)
    of_errors = [known for known in MEASURES.values() if isinstance(known, Measure)]
    known = {key: candidate for candidate in (*of_errors, *others) for key in (candidate.name, candidate.short)}
    if isinstance(asked, str) and asked in known:
        return known[asked]
    if asked in {*NAMES, *NAMES.values()}:
        raise ValueError(f"{name} is {asked!r}, which does not compare answers: call its function instead")
    own = "for a measure of your own, call erralign.register first"
    raise ValueError(f"{name} is {asked!r}; {expected(asked, known)}; {own}")


def _of_function(function: Callable[..., Any]) -> Measure:
    """Make a measure of a function of (y_true, y_a, y_b); of one of ours, the measure that it is."""
    for known in MEASURES.values():
        if isinstance(known, Measure) and known.function is function:
            return known
    short = getattr(function, "__name__", "value")
    if not short.isidentifier():  # a lambda
        short = "value"
    if short in _TAKEN:
        raise ValueError(f"the function is called {short}, as another column of the table is: give it another name")
    measure = Measure(f"{short} (yours)", short, function)
    _try(measure)
    return measure


def measures_of(measures: Chosen | Iterable[Chosen]) -> list[Measure]:
    """Return the measures of errors that a caller chose by name or abbreviation, or made of the caller's functions."""
    chosen = [measures] if isinstance(measures, str | Measure) or callable(measures) else measures
    by_short: dict[str, Measure] = {}
    for name in chosen:
        measure = measure_of(name, name="measures")
        before = by_short.setdefault(measure.short, measure)
        if callable(name) and before != measure:
            raise ValueError(f"two measures would be called {measure.short}: give your function another name")
        by_short[measure.short] = measure
    return list(by_short.values())


def measures_with_value(
    measures: Chosen | Iterable[Chosen], n_classes: int, n_options: Any
) -> tuple[list[Measure], dict[str, str]]:
    """Return those of the chosen measures that say something of such classes, and by abbreviation why others do not."""
    asked = measures_of(measures)
    why_not = {measure.short: measure.why_not(n_classes, n_options) for measure in asked}
    chosen = [measure for measure in asked if not why_not[measure.short]]
    if not chosen:
        asked[0].check_classes(n_classes, n_options)
    return chosen, why_not
