"""The data model: what every system answered on every trial, and how your own answers are turned into it."""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
