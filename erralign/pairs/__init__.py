"""All pairs of all systems at once.

The functions of :mod:`erralign.behaviour` define each measure for one pair. Here the same numbers are computed faster,
by what the pairs have in common: packed bits of right and wrong (error consistency), sparse products (misclassification
agreement), a table with one entry for each two counts (class-level error similarity). The work is done in blocks, so
that memory does not grow with pairs times trials.
"""

from erralign.pairs.table import pairwise

__all__ = ["pairwise"]
