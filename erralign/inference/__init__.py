"""How far would a value move with other trials? Intervals for one pair, for a difference, for all pairs, for means.

Methods are chosen by how they do in simulations. An error that was not observed cannot be resampled, so the percentile
bootstrap is too narrow if joint errors are few. "Which interval and p-value" gives the coverage of each method.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
