"""Any classifier on any pictures: answers, confidences and features, beside people.

torch and timm are imported when something here is first used, never before; they come with the extra ``models``.
"""

from erralign._lazy import shown

__getattr__, __dir__, __all__ = shown(__name__, __file__)
