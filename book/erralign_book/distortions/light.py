"""Distortions that change each pixel by itself."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import as_array, check_range, check_rng

LUMINANCE: Final = np.array([0.2126, 0.7152, 0.0722])  # of red, green and blue: ITU-R BT.709
# How much the three primaries of the laboratory's monitor excited the cones for long and middle wavelengths together,
# as shares: columns of the matrix M in `get_opponent_colours` of the released code.
OF_THE_MONITOR: Final = np.array([0.2588, 0.6074, 0.1338])
NOISE_CONTRAST: Final = 0.3  # leaves room for the noise, above and below


def grey(picture: ArrayLike) -> np.ndarray:
    """Take the colour out of a picture, and keep how light each pixel is."""
    light = check_picture("picture", picture)
    return light @ LUMINANCE if light.ndim == 3 else light


def contrast(picture: ArrayLike, level: float) -> np.ndarray:
    """Move every pixel towards mid-grey."""
    check_range("level", level, 0, 1)
    return level * grey(picture) + (1 - level) / 2


def uniform_noise(picture: ArrayLike, width: float, *, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Lower the contrast to 30 %, then add a random number to every pixel."""
    check_range("width", width, 0, 1)
    paler = contrast(picture, NOISE_CONTRAST)
    return np.clip(paler + check_rng(rng).uniform(-width, width, paler.shape), 0, 1)


def false_colour(picture: ArrayLike) -> np.ndarray:
    """Turn every colour into its opponent, mirrored in linear light at the grey that is as light."""
    light = check_picture("picture", picture, in_colour=True)
    # The curve of sRGB (IEC 61966-2-1), undone and done again.
    linear = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    mirrored = np.clip(2 * (linear @ OF_THE_MONITOR)[..., None] - linear, 0, 1)
    return np.where(mirrored <= 0.0031308, 12.92 * mirrored, 1.055 * mirrored ** (1 / 2.4) - 0.055)


# ---- what is a picture: light from 0 to 1, grey or in colour -------------------------------------------------------


COLOURS = 3


def check_picture(name: str, picture: ArrayLike, *, in_colour: bool = False) -> np.ndarray:
    """Return a picture as floats, or say what is wrong with it."""
    array = as_array(name, picture)
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} holds {array.dtype}; expected light from 0 to 1")
    in_three = array.ndim == COLOURS and array.shape[2] == COLOURS
    if array.size == 0 or not (in_three or (array.ndim == 2 and not in_colour)):
        shapes = "(height, width, 3)" if in_colour else "(height, width) or (height, width, 3)"
        raise ValueError(f"{name} has shape {array.shape}; expected {shapes}: one picture, colours last")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} holds {array[outside].flat[0]}; expected light from 0 to 1: divide bytes by 255")
    return array.astype(float)
