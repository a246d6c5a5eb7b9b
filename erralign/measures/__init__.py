"""One object per measure; every module of this folder is imported, so that a measure may register itself in its own."""

from importlib import import_module
from pkgutil import iter_modules

from erralign.measures.accuracy import ACCURACY
from erralign.measures.confidences import capa, confidence_similarity, error_confidence_similarity
from erralign.measures.matrix import Resampling, ResponseMatrix
from erralign.measures.measure import INVARIANCES, PACKAGE, Form, LeftOut, Measure
from erralign.measures.registry import (
    MEASURES,
    MEASURES_OF_ERRORS,
    checked_options,
    enter,
    limit_columns,
    measure_of,
    measures_of,
    register,
    short_name,
    words_of,
)
from erralign.measures.representations import OF_REPRESENTATIONS

__all__ = [
    "ACCURACY",
    "INVARIANCES",
    "MEASURES",
    "MEASURES_OF_ERRORS",
    "OF_REPRESENTATIONS",
    "Form",
    "LeftOut",
    "Measure",
    "Resampling",
    "ResponseMatrix",
    "capa",
    "checked_options",
    "confidence_similarity",
    "error_confidence_similarity",
    "limit_columns",
    "measure_of",
    "measures_of",
    "register",
    "short_name",
    "words_of",
]

for _measure in MEASURES.values():
    enter(_measure)
for _module in iter_modules(__path__):
    import_module(f"erralign.measures.{_module.name}")
PACKAGE.update({_measure.name: _measure for _measure in (*MEASURES.values(), ACCURACY)})
