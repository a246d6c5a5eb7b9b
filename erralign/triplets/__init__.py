"""Which of three is the odd one out? What a representation chooses, and how it compares with people.

"The paper" is Muttenthaler et al. (2023), https://doi.org/10.48550/arXiv.2211.01201.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
