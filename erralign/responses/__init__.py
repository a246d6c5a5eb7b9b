"""The data model: what every system answered on every trial, and how your own answers are turned into it."""

from erralign.responses.model import Responses
from erralign.responses.triplets import responses_of_triplets

__all__ = ["Responses", "responses_of_triplets"]
__dir__ = __all__.copy
