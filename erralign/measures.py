"""The registry of measures: what each is called, what it needs, what leaves it unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from erralign import behaviour, confidences
from erralign.errors import check_alpha, check_choice, check_choices, check_option
from erralign.similarity import cka

# What may be changed about the data of two systems, in words. A measure lists those changes that leave it as it is.
INVARIANCES: dict[str, str] = {
    "order of systems": "A and B change places",
    "order of trials": "all trials are put into another order, the same one everywhere",
    "names of classes": "the classes are numbered otherwise, the same way everywhere (confidences without ties)",
    "choice of wrong answers": "a wrong answer becomes another wrong answer",
    "pairing of trials": "the answers of B change places among the trials of one true class",
    "correct trials": "trials that both answered correctly are left out",
    "trials without joint errors": "trials that at least one of them answered correctly are left out",
    "orthogonal transformation": "the features of one system are rotated, mirrored or put into another order",
    "isotropic scaling": "all features of one system are multiplied by one positive number",
    "translation": "a vector is added to the features of one system on all trials",
}
_ALL = ("order of systems", "order of trials", "names of classes")


@dataclass(frozen=True)
class Measure:
    """A measure of how alike two systems are.

    Parameters
    ----------
    name : str
        The name of the function, and of the measure's column in tables with long names.
    short : str
        The abbreviation, and the key in ``MEASURES``.
    function : callable
        The measure, from labels, confidences or features of two systems.
    from_counts : callable, optional
        The same from counts. Only measures of errors have it.
    needs_classes : bool
        Whether the number of classes is part of the measure, an argument ``n_classes`` of the function.
    larger_is_more_similar : bool
        Whether the value grows with similarity; otherwise it is a distance.
    invariances : frozenset of str
        Changes of the data that leave the value as it is: keys of :data:`INVARIANCES`.
    variants : mapping of str to dict
        The forms of the measure by name, the default first, each as arguments for the function.
    options : tuple of str
        What a caller of an interval may choose of the measure, too: arguments of the function.

    Examples
    --------
    >>> cles = MEASURES["CLES"]
    >>> list(cles.variants)
    ['released', 'printed', 'printed-unnormalised']
    >>> round(cles.function([0, 0, 1], [1, 1, 1], [1, 1, 0], **cles.variants["printed"]), 3)
    0.993
    """

    name: str
    short: str
    function: Callable[..., float]
    from_counts: Callable[..., float] | None = None
    needs_classes: bool = False
    larger_is_more_similar: bool = True
    invariances: frozenset[str] = frozenset()
    variants: Mapping[str, dict] = field(default_factory=dict)
    options: tuple[str, ...] = ()


MEASURES: dict[str, Measure] = {
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
            variants={variant: {"variant": variant} for variant in behaviour.CLES_VARIANTS},
            options=("variant", "alpha"),
        ),
        Measure(
            "cka",
            "CKA",
            cka,
            invariances=frozenset({*_ALL[:2], "orthogonal transformation", "isotropic scaling", "translation"}),
            variants={"biased": {"unbiased": False}, "unbiased": {"unbiased": True}},
        ),
        Measure("confidence_similarity", "SOC", confidences.confidence_similarity, invariances=frozenset(_ALL)),
        Measure(
            "error_confidence_similarity",
            "SOCE",
            confidences.error_confidence_similarity,
            invariances=frozenset({*_ALL, "correct trials", "trials without joint errors"}),
        ),
    )
}

# What may be asked of each option's value.
_CHECKS: dict[str, Callable[[Any], None]] = {
    "variant": lambda variant: check_choice("variant", variant, behaviour.CLES_VARIANTS),
    "alpha": check_alpha,
}
# Measures that need nothing but answers, by the names of their functions.
MEASURES_OF_ERRORS = tuple(measure.name for measure in MEASURES.values() if measure.from_counts is not None)
# Their full names by all names that a caller may use.
_FULL_NAMES = {name: name for name in MEASURES_OF_ERRORS} | {
    short: measure.name for short, measure in MEASURES.items() if measure.name in MEASURES_OF_ERRORS
}
# Not a measure of two systems, but it has intervals and differences too.
ACCURACY = "accuracy"


def full_names(measures: str | Iterable[str]) -> list[str]:
    """Return the full names of measures of errors that a caller chose by name or abbreviation.

    Parameters
    ----------
    measures : str or iterable of str
        One name or several, such as ``"error_consistency"``, ``"EC"`` or ``["EC", "MA"]``.

    Returns
    -------
    list of str
        Names of functions, each once.

    Raises
    ------
    ValueError
        A name that no measure of errors has; the message suggests the nearest.

    Examples
    --------
    >>> full_names("EC"), full_names(["CLES", "error_consistency"])
    (['error_consistency'], ['class_level_error_similarity', 'error_consistency'])
    """
    chosen = check_choices("measures", measures, tuple(_FULL_NAMES))
    return list(dict.fromkeys(_FULL_NAMES[name] for name in chosen))


def full_name(measure: str, *others: str) -> str:
    """Return the full name of the one measure of errors that a caller chose by name or abbreviation.

    Parameters
    ----------
    measure : str
        Such as ``"error_consistency"`` or ``"EC"``.
    *others : str
        What else is allowed here, such as ``"accuracy"``.

    Returns
    -------
    str
        The name of a function, or one of the others as it is.

    Raises
    ------
    ValueError
        Another name; the message suggests the nearest.

    Examples
    --------
    >>> full_name("MA"), full_name("accuracy", "accuracy")
    ('misclassification_agreement', 'accuracy')
    """
    check_choice("measure", measure, (*_FULL_NAMES, *others))
    return _FULL_NAMES.get(measure, measure)


def checked_options(measures: Iterable[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a caller chose, if one of the measures has them.

    Parameters
    ----------
    measures : iterable of str
        Full names.
    options : mapping
        Values by name, such as ``{"variant": "printed"}``.

    Returns
    -------
    dict
        The same.

    Raises
    ------
    TypeError
        An option that none of the measures has.
    ValueError
        A value that an option cannot have.

    Examples
    --------
    >>> checked_options(["class_level_error_similarity"], {"alpha": 1.0})
    {'alpha': 1.0}
    """
    chosen = [measure for measure in MEASURES.values() if measure.name in set(measures)]
    allowed = [option for measure in chosen for option in measure.options]
    for option, value in options.items():
        check_option(option, [measure.short for measure in chosen] or list(measures), allowed)
        _CHECKS[option](value)
    return dict(options)


def short_name(name: str) -> str:
    """Shorten a measure's name, alone or at the beginning of a column's name.

    The way back from an abbreviation is ``MEASURES["EC"].name``.

    Parameters
    ----------
    name : str
        The name of a function or a column.

    Returns
    -------
    str
        With the abbreviation in place of the function's name; any other name as it is.

    Examples
    --------
    >>> short_name("error_consistency"), short_name("error_consistency_low"), short_name("system_a")
    ('EC', 'EC_low', 'system_a')
    """
    for short, measure in MEASURES.items():
        if name == measure.name or name.startswith(f"{measure.name}_"):
            return short + name.removeprefix(measure.name)
    return name


def words_of(short: str) -> str:
    """Return a measure's name as it stands in a sentence.

    Parameters
    ----------
    short : str
        The abbreviation.

    Returns
    -------
    str
        In words; anything but an abbreviation as it is.

    Examples
    --------
    >>> words_of("CLES"), words_of("accuracy")
    ('class-level error similarity', 'accuracy')
    """
    return MEASURES[short].name.replace("_", " ").replace("class level", "class-level") if short in MEASURES else short


def limit_columns(value: str) -> tuple[str, str, str]:
    """Name the columns with the limits of a value; the only place where these names are made.

    A table whose rows are intervals of one value calls them ``low``, ``high`` and ``n_undefined``.

    Parameters
    ----------
    value : str
        The column with the value itself.

    Returns
    -------
    tuple of str
        Lower limit, upper limit, number of undefined draws.

    Examples
    --------
    >>> limit_columns("EC")
    ('EC_low', 'EC_high', 'EC_n_undefined')
    """
    return f"{value}_low", f"{value}_high", f"{value}_n_undefined"
