"""One photograph that may be shown: a cat."""

from pathlib import Path

import numpy as np


def cat() -> np.ndarray:
    """Return a photograph of a cat, of the size that people and networks saw.

    Chelsea, photographed by Stefan van der Walt, who waived all rights (CC0); from scikit-image's ``data.chelsea``, the
    middle square, made smaller.
    """
    from PIL import Image  # the package does not bring it; Colab has it

    with Image.open(Path(__file__).with_name("cat.webp")) as picture:
        return np.asarray(picture.convert("RGB")) / 255
