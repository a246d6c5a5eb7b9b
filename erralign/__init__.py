"""Do two systems, machine or human, make the same mistakes, and for the same reasons?

Functions that draw take ``rng``, a seed or a generator. The default is 0 everywhere, so that a second call gives the
same numbers; pass a generator where calls should be independent of each other, as in a simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from erralign.behaviour import (
        blind_misclassification_agreement,
        class_level_error_similarity,
        error_consistency,
        loevingers_h,
        misclassification_agreement,
        within_class_misclassification_agreement,
    )
    from erralign.clusters import design_effect
    from erralign.diversity import all_wrong, effective_number
    from erralign.errors import DataError
    from erralign.measures import MEASURES, Measure, capa, confidence_similarity, error_confidence_similarity, register
    from erralign.nulls import difference_test, mcnemar_test, p_value, p_value_from_answers, pairwise_p_values
    from erralign.pairs import pairwise
    from erralign.planning import trials_needed
    from erralign.resampling import (
        ConsistencyWithPeople,
        accuracy_intervals,
        confidence_interval,
        consistency_with_people,
        difference_interval,
        pairwise_differences,
        pairwise_intervals,
    )
    from erralign.responses import Responses
    from erralign.results import Interval, TestResult
    from erralign.similarity import cka
    from erralign.sources import catalog, load, read_answers, read_logs

__version__ = "0.1.0"

__all__ = [
    "MEASURES",
    "ConsistencyWithPeople",
    "DataError",
    "Interval",
    "Measure",
    "Responses",
    "TestResult",
    "accuracy_intervals",
    "all_wrong",
    "blind_misclassification_agreement",
    "capa",
    "catalog",
    "cka",
    "class_level_error_similarity",
    "confidence_interval",
    "confidence_similarity",
    "consistency_with_people",
    "design_effect",
    "difference_interval",
    "difference_test",
    "effective_number",
    "error_confidence_similarity",
    "error_consistency",
    "load",
    "loevingers_h",
    "mcnemar_test",
    "misclassification_agreement",
    "p_value",
    "p_value_from_answers",
    "pairwise",
    "pairwise_differences",
    "pairwise_intervals",
    "pairwise_p_values",
    "read_answers",
    "read_logs",
    "register",
    "trials_needed",
    "within_class_misclassification_agreement",
]

# Where each public name is defined. A module is imported when a name of its is first used (PEP 562), because pandas and
# SciPy take their time and not everybody needs both. Type checkers read the imports above.
_NAMES = {
    "behaviour": "blind_misclassification_agreement class_level_error_similarity error_consistency loevingers_h "
    "misclassification_agreement within_class_misclassification_agreement",
    "clusters": "design_effect",
    "diversity": "all_wrong effective_number",
    "errors": "DataError",
    "measures": "MEASURES Measure capa confidence_similarity error_confidence_similarity register",
    "nulls": "difference_test mcnemar_test p_value p_value_from_answers pairwise_p_values",
    "pairs": "pairwise",
    "planning": "trials_needed",
    "resampling": "ConsistencyWithPeople accuracy_intervals confidence_interval consistency_with_people "
    "difference_interval pairwise_differences pairwise_intervals",
    "responses": "Responses",
    "results": "Interval TestResult",
    "similarity": "cka",
    "sources": "catalog load read_answers read_logs",
}
_HOMES = {name: room for room, names in _NAMES.items() for name in names.split()}
# Rooms with public names, none of them above, and rooms without others than those above.
_BESIDE = {"bounds", "course", "crowd", "grounding", "models", "plot", "reports", "training", "triplets"}
_WITHIN = {"clusters", "errors", "measures", "pairs", "results", "sources"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        globals()[name] = getattr(import_module(f"erralign.{_HOMES[name]}"), name)  # a second look finds it at once
        return globals()[name]
    if name in _NAMES or name in _BESIDE:
        return import_module(f"erralign.{name}")
    raise AttributeError(f"module 'erralign' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(_NAMES.keys() | _BESIDE) - _WITHIN]
