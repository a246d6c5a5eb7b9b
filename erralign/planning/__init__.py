"""How many trials will an experiment need? Answers from simulations and formulas, before it is run.

The copy model, in which one system copies part of another's failures, gives data with any wanted error consistency.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
