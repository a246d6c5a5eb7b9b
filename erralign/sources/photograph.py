"""One photograph that may be shown: a cat."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def cat() -> np.ndarray:
    """Return a photograph of a cat, of the size that people and networks saw.

    Chelsea, photographed by Stefan van der Walt, who waived all rights (CC0); from scikit-image's ``data.chelsea``, the
    middle square, made smaller.

    Returns
    -------
    numpy.ndarray of float, shape (224, 224, 3)
        Red, green and blue, from 0 to 1.

    Raises
    ------
    ModuleNotFoundError
        Pillow, which the extra ``book`` brings, is not installed.

    Examples
    --------
    >>> cat().shape
    (224, 224, 3)
    """
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "opening the photograph needs Pillow, which is not installed; get it with  pip install 'erralign[book]'"
        ) from error
    with Image.open(Path(__file__).with_name("cat.webp")) as picture:
        return np.asarray(picture.convert("RGB")) / 255
