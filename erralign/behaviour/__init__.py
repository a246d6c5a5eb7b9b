"""Do two systems make the same mistakes? Error consistency, misclassification agreement, class-level error similarity.

A measure from labels (one true class and two answers per trial) only counts, and calls the form from counts.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
