"""Training for alignment: heads that learn from people, losses made of the measures, and one study that tests them.

torch is imported when something here first needs it; it comes with the extra ``models``. Heads by cross-entropy,
people's shares or the EC loss, and the study, do without it.
"""

from erralign.training.findings import Findings, board
from erralign.training.linear import linear_head, network_head
from erralign.training.losses import soft_cles, soft_ec, soft_ma, wrong_answers
from erralign.training.study import Study

__all__ = [
    "Findings",
    "Study",
    "board",
    "linear_head",
    "network_head",
    "soft_cles",
    "soft_ec",
    "soft_ma",
    "wrong_answers",
]
__dir__ = __all__.copy
