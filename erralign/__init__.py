"""Do two systems, machine or human, make the same mistakes, and for the same reasons?

Functions that draw take ``rng``, a seed or a generator. The default is 0 everywhere, so that a second call gives the
same numbers; pass a generator where calls should be independent of each other, as in a simulation.
"""

from erralign._lazy import shown

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = shown(__name__, __file__)
