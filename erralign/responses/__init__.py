"""The data model: what every system answered on every trial, and how one's own answers become it."""

from erralign.responses.model import Responses

__all__ = ["Responses"]
