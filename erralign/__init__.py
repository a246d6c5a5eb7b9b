"""Do two systems, machine or human, make the same mistakes, and for the same reasons?

Functions that draw take ``rng``, a seed or a generator. The default is 0 everywhere, so that a second call gives the
same numbers; pass a generator where calls should be independent of each other, as in a simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from erralign.behaviour import blind_misclassification_agreement as blind_misclassification_agreement
    from erralign.behaviour import class_level_error_similarity as class_level_error_similarity
    from erralign.behaviour import error_consistency as error_consistency
    from erralign.behaviour import loevingers_h as loevingers_h
    from erralign.behaviour import misclassification_agreement as misclassification_agreement
    from erralign.behaviour import within_class_misclassification_agreement as within_class_misclassification_agreement
    from erralign.clusters import design_effect as design_effect
    from erralign.diversity import all_wrong as all_wrong
    from erralign.diversity import effective_number as effective_number
    from erralign.errors import DataError as DataError
    from erralign.measures import MEASURES as MEASURES
    from erralign.measures import Measure as Measure
    from erralign.measures import capa as capa
    from erralign.measures import confidence_similarity as confidence_similarity
    from erralign.measures import error_confidence_similarity as error_confidence_similarity
    from erralign.measures import register as register
    from erralign.nulls import difference_test as difference_test
    from erralign.nulls import mcnemar_test as mcnemar_test
    from erralign.nulls import p_value as p_value
    from erralign.nulls import p_value_from_answers as p_value_from_answers
    from erralign.nulls import pairwise_p_values as pairwise_p_values
    from erralign.pairs import pairwise as pairwise
    from erralign.planning import trials_needed as trials_needed
    from erralign.resampling import ConsistencyWithPeople as ConsistencyWithPeople
    from erralign.resampling import accuracy_intervals as accuracy_intervals
    from erralign.resampling import confidence_interval as confidence_interval
    from erralign.resampling import consistency_with_people as consistency_with_people
    from erralign.resampling import difference_interval as difference_interval
    from erralign.resampling import pairwise_differences as pairwise_differences
    from erralign.resampling import pairwise_intervals as pairwise_intervals
    from erralign.responses import Responses as Responses
    from erralign.results import Interval as Interval
    from erralign.results import TestResult as TestResult
    from erralign.similarity import cka as cka
    from erralign.sources import catalog as catalog
    from erralign.sources import load as load
    from erralign.sources import read_answers as read_answers
    from erralign.sources import read_logs as read_logs

__version__ = "0.1.0"

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
__all__ = sorted(_HOMES)
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
