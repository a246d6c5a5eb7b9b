"""Distortions of a picture, light from 0 to 1; all but :func:`false_colour` return it in grey."""

# Parameters are those of Geirhos et al. (2018), read in their released code (rgeirhos/generalisation-humans-DNNs at
# 0b88343); the code here is our own.

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter, map_coordinates

from erralign._validation import as_array, check_choice, check_positive, check_range, check_rng

# ---- of each pixel by itself -----------------------------------------------------------------------------------------

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


# ---- of fine detail --------------------------------------------------------------------------------------------------

# The mean grey of the photographs of the experiments, which `image_manipulation.py` of the released code names.
MEAN_GREY: Final = 0.4423


def low_pass(picture: ArrayLike, deviation: float) -> np.ndarray:
    """Blur a picture: fine detail goes."""
    light = grey(picture)
    check_positive("deviation", deviation)
    return gaussian_filter(light, deviation, mode="constant", cval=MEAN_GREY)


def high_pass(picture: ArrayLike, deviation: float) -> np.ndarray:
    """Take the blurred picture away from the picture: only fine detail stays."""
    detail = grey(picture) - low_pass(picture, deviation)
    return np.clip(detail - detail.mean() + MEAN_GREY, 0, 1)


# ---- of places -------------------------------------------------------------------------------------------------------

ANGLES: Final = (0, 90, 180, 270)
FINEST: Final = 2**-0.5  # blurs of the layers, in pixels
STEP: Final = 2**0.5


def rotation(picture: ArrayLike, degrees: int) -> np.ndarray:
    """Turn a picture by quarters."""
    check_choice("degrees", degrees, ANGLES)
    return np.rot90(grey(picture), degrees // 90)


def eidolon(picture: ArrayLike, reach: float, *, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Push the parts of a picture about, coarse and fine ones together."""
    light = grey(picture)
    check_range("reach", reach, 0, np.inf)
    rng = check_rng(rng)
    total, together, moved = 0.0, np.zeros((2, *light.shape)), np.zeros_like(light)
    # From the finest up to a quarter of the picture.
    blurs = FINEST * STEP ** np.arange(max(1, int(np.log(max(light.shape) / 4 / FINEST) / np.log(STEP)) + 1))
    for blur, layer in zip(blurs[::-1], _layers(light, blurs)[::-1], strict=True):  # from coarse to fine
        together = together + blur * _field(light.shape, blur, rng)
        total = np.hypot(total, blur)
        moved += map_coordinates(layer, np.indices(layer.shape) + reach * together / total, order=1, mode="nearest")
    return np.clip(moved, 0, 1)


def _layers(light: np.ndarray, blurs: np.ndarray) -> list[np.ndarray]:
    """Return what each blur takes from the one before, the last with what it leaves: they add up to the picture."""
    stages = [light, *(gaussian_filter(light, blur, mode="nearest") for blur in blurs)]
    parts = [sharper - softer for sharper, softer in pairwise(stages)]
    return [*parts[:-1], parts[-1] + stages[-1]]


def _field(shape: tuple[int, ...], blur: float, rng: np.random.Generator) -> np.ndarray:
    """Return smooth random numbers for both directions, with mean 0 and standard deviation 1."""
    smooth = gaussian_filter(rng.standard_normal((2, *shape)), (0, blur, blur), mode="wrap")
    smooth -= smooth.mean(axis=(1, 2), keepdims=True)
    return smooth / np.maximum(smooth.std(axis=(1, 2), keepdims=True), np.finfo(float).tiny)


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
