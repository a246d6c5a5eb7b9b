"""ReSi's six tests of a measure: does it notice what is known to be different about systems?

The functions that score a measure take its values for all pairs of systems (or of one network's layers), and what the
test knows of them. ``"released"`` is what the benchmark's code does, ``"pooled"`` what the paper says.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
