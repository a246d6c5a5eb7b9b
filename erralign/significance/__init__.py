"""What would chance alone give? p-values of error consistency, permutation tests, and systems with random errors."""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
