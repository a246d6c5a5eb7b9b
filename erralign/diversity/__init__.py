"""Many systems at once: do all fail together, how many independent ones are they worth, and does a vote help?"""

from erralign.diversity.pairs import of_pairs
from erralign.diversity.systems import all_wrong, effective_number
from erralign.diversity.votes import vote

__all__ = ["all_wrong", "effective_number", "of_pairs", "vote"]
__dir__ = __all__.copy
