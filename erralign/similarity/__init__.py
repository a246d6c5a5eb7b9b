"""Do two systems see alike? The measures of the ReSi benchmark, one short module per family.

Klabunde et al. (2024), https://doi.org/10.48550/arXiv.2408.00531, describe all of them; each says whose it is.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
