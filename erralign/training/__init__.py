"""Training for alignment: losses made of the measures, and what they do for pictures and people that are new.

torch is imported when something here is first used, never before; it comes with the extra ``models``.
"""

from erralign.training.alignment import Alignment, align
from erralign.training.losses import soft_cles, soft_ec, soft_ma, wrong_answers

__all__ = ["Alignment", "align", "soft_cles", "soft_ec", "soft_ma", "wrong_answers"]


def __dir__() -> list[str]:
    return __all__
