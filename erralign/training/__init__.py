"""Training for alignment: heads that learn from people, losses made of the measures, and one study that tests them.

torch is imported when something here first needs it; it comes with the extra ``models``. Heads by cross-entropy,
people's shares or the EC loss, and the study, do without it.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
