"""All pairs of all systems at once.

The scalar functions of :mod:`erralign.behaviour` say what a measure is; here the same numbers come from what the
pairs share: packed bits of right and wrong (error consistency), sparse products (misclassification agreement), a table
with one entry for two counts (class-level error similarity). Work goes on in blocks, so that memory does not grow with
pairs times trials.
"""

from erralign.pairs.table import pairwise

__all__ = ["pairwise"]
