"""What the EfficientNets say about two drawn pictures under growing noise: computed live wherever torch is."""

from __future__ import annotations

import pandas as pd

from erralign.models import category_confidences, load
from erralign.models.libraries import torch
from erralign.models.lite import PACKAGES
from erralign.sources.stimuli import sixteen_categories
from erralign.sources.trials import CATEGORIES
from erralign_book.distortions.drawings import DRAWINGS, drawn
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.efficientnets import EFFICIENTNETS

NOISE = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8)


@frozen(inputs=[], needs=["torch", "timm", *PACKAGES.values()], rtol=2e-2)  # of confidences kept to a thousandth
def drawn_pictures() -> pd.DataFrame:
    """Return what the three EfficientNets answer to a drawn clock and a drawn keyboard, under growing noise."""
    pictures = [(picture, noise) for picture in DRAWINGS for noise in NOISE]
    return pd.concat([_said_by(network, pictures) for network in EFFICIENTNETS], ignore_index=True)


def _said_by(network: str, pictures: list[tuple[str, float]]) -> pd.DataFrame:
    from PIL import Image

    model = load(network, device="cpu")
    prepared = [model.prepare(Image.fromarray(drawn(*picture))) for picture in pictures]
    logits = model.forward_to("logits")(torch().stack(prepared))
    sure = pd.DataFrame(category_confidences(logits, list(sixteen_categories().values())), columns=list(CATEGORIES))
    table = pd.DataFrame(pictures, columns=["picture", "noise"]).assign(network=network, answer=sure.idxmax(axis=1))
    right = [row[name] for (_, row), name in zip(sure.iterrows(), table["picture"], strict=True)]
    return table.assign(confidence=pd.Series(right).round(3))[["network", "picture", "noise", "answer", "confidence"]]
