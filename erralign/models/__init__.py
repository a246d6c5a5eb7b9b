"""Any classifier on any pictures: answers, confidences and features, beside people.

torch and timm are imported when something here is first used, never before; they come with the extra ``models``.
"""

from erralign.models.categories import category_confidences
from erralign.models.images import Images, open_images
from erralign.models.loading import load
from erralign.models.networks import Classifier
from erralign.models.running import Run, answers, confidences, features, run

__all__ = [
    "Classifier",
    "Images",
    "Run",
    "answers",
    "category_confidences",
    "confidences",
    "features",
    "load",
    "open_images",
    "run",
]
__dir__ = __all__.copy
