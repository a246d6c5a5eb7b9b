"""The registry of measures: what each is called, what it needs, what leaves it unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from erralign import behaviour, confidences
from erralign.errors import check_alpha, check_choice, check_choices, check_option
from erralign.measures.measure import INVARIANCES, Measure
from erralign.measures.names import NAMES, short_name, words_of
from erralign.measures.representations import OF_REPRESENTATIONS

__all__ = [
    "ACCURACY",
    "INVARIANCES",
    "MEASURES",
    "MEASURES_OF_ERRORS",
    "NAMES",
    "OF_REPRESENTATIONS",
    "Measure",
    "checked_options",
    "full_name",
    "full_names",
    "limit_columns",
    "short_name",
    "words_of",
]

_ALL = ("order of systems", "order of trials", "names of classes")
# Apart from the others: what works with errors alone does not depend on the code of the rest.
_OF_ERRORS: dict[str, Measure] = {
    measure.short: measure
    for measure in (
        Measure(
            "error_consistency",
            "EC",
            behaviour.error_consistency,
            behaviour.error_consistency_from_counts,
            invariances=frozenset({*_ALL, "choice of wrong answers"}),
        ),
        Measure(
            "misclassification_agreement",
            "MA",
            behaviour.misclassification_agreement,
            behaviour.misclassification_agreement_from_counts,
            invariances=frozenset({*_ALL, "correct trials", "trials without joint errors"}),
        ),
        Measure(
            "class_level_error_similarity",
            "CLES",
            behaviour.class_level_error_similarity,
            behaviour.class_level_error_similarity_from_counts,
            needs_classes=True,
            invariances=frozenset({*_ALL, "pairing of trials", "correct trials"}),
            variants={
                variant: partial(behaviour.class_level_error_similarity, variant=variant)
                for variant in behaviour.class_level.CLES_VARIANTS
            },
            options=("variant", "alpha"),
        ),
    )
}
_OF_CONFIDENCES: dict[str, Measure] = {
    measure.short: measure
    for measure in (
        Measure("confidence_similarity", "SOC", confidences.confidence_similarity, invariances=frozenset(_ALL)),
        Measure(
            "error_confidence_similarity",
            "SOCE",
            confidences.error_confidence_similarity,
            invariances=frozenset({*_ALL, "correct trials", "trials without joint errors"}),
        ),
    )
}
MEASURES: dict[str, Measure] = {short: (_OF_ERRORS | _OF_CONFIDENCES | OF_REPRESENTATIONS)[short] for short in NAMES}

# What may be asked of each option's value.
_CHECKS: dict[str, Callable[[Any], None]] = {
    "variant": lambda variant: check_choice("variant", variant, behaviour.class_level.CLES_VARIANTS),
    "alpha": check_alpha,
}
# Measures that need nothing but answers, by the names of their functions.
MEASURES_OF_ERRORS = tuple(measure.name for measure in _OF_ERRORS.values())
# Their full names by all names that a caller may use.
_FULL_NAMES = {name: name for name in MEASURES_OF_ERRORS} | {
    short: measure.name for short, measure in _OF_ERRORS.items()
}
# Not a measure of two systems, but it has intervals and differences too.
ACCURACY = "accuracy"


def full_names(measures: str | Iterable[str]) -> list[str]:
    """Return the full names of measures of errors that a caller chose by name or abbreviation."""
    chosen = check_choices("measures", measures, tuple(_FULL_NAMES))
    return list(dict.fromkeys(_FULL_NAMES[name] for name in chosen))


def full_name(measure: str, *others: str) -> str:
    """Return the full name of the one measure of errors that a caller chose by name or abbreviation."""
    check_choice("measure", measure, (*_FULL_NAMES, *others))
    return _FULL_NAMES.get(measure, measure)


def checked_options(measures: Iterable[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a caller chose, if one of the measures has them."""
    chosen = [measure for measure in _OF_ERRORS.values() if measure.name in set(measures)]
    allowed = [option for measure in chosen for option in measure.options]
    for option, value in options.items():
        check_option(option, [measure.short for measure in chosen] or list(measures), allowed)
        _CHECKS[option](value)
    return dict(options)


def limit_columns(value: str) -> tuple[str, str, str]:
    """Name the columns with the limits of a value; the only place where these names are made.

    A table whose rows are intervals of one value calls them ``low``, ``high`` and ``n_undefined``.
    """
    return f"{value}_low", f"{value}_high", f"{value}_n_undefined"
