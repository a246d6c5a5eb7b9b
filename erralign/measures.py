"""The registry of measures: what each is called, what it needs, what leaves it unchanged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from erralign import behaviour, confidences
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

# Measures that need nothing but answers, by the names of their functions.
MEASURES_OF_ERRORS = tuple(measure.name for measure in MEASURES.values() if measure.from_counts is not None)


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
