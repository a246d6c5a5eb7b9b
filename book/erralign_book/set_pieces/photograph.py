"""One photograph that may be shown, a cat, and what distortions of the experiments make of it."""

import numpy as np
import pandas as pd

from erralign_book import distortions
from erralign_book.charts.pictures import webp
from erralign_book.datasets.photograph import cat as cat


def distorted(seed: int = 0) -> pd.Series:
    """Return the cat as the pictures of each set show theirs, as addresses, by the name of the set.

    Repainted photographs and sketches are not among them: they were made by a network and by hand.
    """
    photograph = cat()
    left_half = np.indices((224, 224, 1))[1] < 112
    pictures = {
        "uniform-noise": distortions.uniform_noise(photograph, 0.2, rng=seed),
        "low-pass": distortions.low_pass(photograph, 7),
        "eidolonI": distortions.eidolon(photograph, 16, rng=seed),
        "rotation": distortions.rotation(photograph, 90),
        "high-pass": distortions.high_pass(photograph, 3),
        "false-colour": distortions.false_colour(photograph),
        "colour": np.where(left_half, photograph, distortions.grey(photograph)[..., None]),
        "contrast": distortions.contrast(photograph, 0.1),
    }
    return pd.Series({name: webp(picture[::2, ::2]) for name, picture in pictures.items()})
