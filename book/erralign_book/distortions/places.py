"""Distortions that move things to other places."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter, map_coordinates

from erralign.errors import check_choice, check_range, check_rng
from erralign_book.distortions.light import grey

ANGLES: Final = (0, 90, 180, 270)
FINEST: Final = 2**-0.5  # blurs of the layers, in pixels
STEP: Final = 2**0.5
GRAIN: Final = 10.0  # blur in pixels, of what pushes each part by itself


def rotation(picture: ArrayLike, degrees: int) -> np.ndarray:
    """Turn a picture by quarters."""
    check_choice("degrees", degrees, ANGLES)
    return np.rot90(grey(picture), degrees // 90)


def eidolon(picture: ArrayLike, reach: float, *, coherence: float, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Push the parts of a picture about, coarse and fine ones together or each by itself."""
    light = grey(picture)
    check_range("reach", reach, 0, np.inf)
    check_range("coherence", coherence, 0, 1)
    rng = check_rng(rng)
    total, together, moved = 0.0, np.zeros((2, *light.shape)), np.zeros_like(light)
    # From the finest up to a quarter of the picture.
    blurs = FINEST * STEP ** np.arange(max(1, int(np.log(max(light.shape) / 4 / FINEST) / np.log(STEP)) + 1))
    for blur, layer in zip(blurs[::-1], _layers(light, blurs)[::-1], strict=True):  # from coarse to fine
        together = together + blur * _field(light.shape, blur, rng)
        total = np.hypot(total, blur)
        field = coherence * together / total + (1 - coherence) * _field(light.shape, GRAIN, rng)
        moved += map_coordinates(layer, np.indices(layer.shape) + reach * field, order=1, mode="nearest")
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
