"""Distortions that move things to other places."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter, map_coordinates

from erralign.errors import check_choice, check_positive, check_range, check_rng
from erralign_book.distortions.light import grey

ANGLES: Final = (0, 90, 180, 270)
FINEST: Final = 2**-0.5  # blurs of the layers, in pixels
STEP: Final = 2**0.5


def rotation(picture: ArrayLike, degrees: int) -> np.ndarray:
    """Turn a picture by quarters.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.
    degrees : {0, 90, 180, 270}
        Against the clock.

    Returns
    -------
    numpy.ndarray of float, shape (height, width), or (width, height) after 90 and 270 degrees
        No pixel is lost.

    Raises
    ------
    ValueError
        Not a picture, or another angle.

    References
    ----------
    Geirhos et al. (2018), https://arxiv.org/abs/1808.08750, experiment "rotation".

    Examples
    --------
    >>> rotation([[0, 1]], 90).tolist()
    [[1.0], [0.0]]
    """
    check_choice("degrees", degrees, ANGLES)
    return np.rot90(grey(picture), degrees // 90)


def eidolon(
    picture: ArrayLike, reach: float, *, coherence: float, grain: float = 10.0, rng: int | np.random.Generator = 0
) -> np.ndarray:
    """Push the parts of a picture about, coarse and fine ones together or each by itself.

    The picture is the sum of layers from fine to coarse: what one blur leaves and the next one takes. Each layer is
    drawn with its pixels pushed about by a smooth random field. With coherence 1, a fine layer moves along with the
    coarser ones, so that contours wobble and stay whole; with coherence 0 every layer has a field of its own, so that
    contours dissolve. This is the partially coherent disarray that Koenderink et al. describe, in its plainest form;
    the laboratory's toolbox differs in details such as the scale of its fields.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.
    reach : float
        How far pixels are pushed: the standard deviation of a layer's own field, in pixels; 0 or more.
    coherence : float
        From 0 (layers move by themselves) to 1 (layers move together). Eidolon I has 1, II 0.3, III 0.
    grain : float
        How smooth a layer's own field is: standard deviation of the blur in pixels, above 0.
    rng : int or numpy.random.Generator
        Where the fields come from.

    Returns
    -------
    numpy.ndarray of float, shape (height, width)
        Cut off at 0 and 1. Reach 0 gives the grey picture.

    Raises
    ------
    ValueError
        Not a picture, a negative reach, a coherence outside 0 to 1, or a grain of 0 or less.

    References
    ----------
    Koenderink et al. (2017), https://doi.org/10.1167/17.2.7; Geirhos et al. (2018), https://arxiv.org/abs/1808.08750,
    experiments "eidolon I" to "III".

    Examples
    --------
    >>> eidolon([[0.25, 0.5], [0.5, 1]], 0, coherence=1).round(4).tolist()
    [[0.25, 0.5], [0.5, 1.0]]
    """
    light = grey(picture)
    check_range("reach", reach, 0, np.inf)
    check_range("coherence", coherence, 0, 1)
    check_positive("grain", grain)
    rng = check_rng(rng)
    total, together, moved = 0.0, np.zeros((2, *light.shape)), np.zeros_like(light)
    blurs = _blurs(max(light.shape))
    for blur, layer in zip(blurs[::-1], _layers(light, blurs)[::-1], strict=True):  # from coarse to fine
        together = together + blur * _field(light.shape, blur, rng)
        total = np.hypot(total, blur)
        field = coherence * together / total + (1 - coherence) * _field(light.shape, grain, rng)
        moved += _pushed(layer, reach * field)
    return np.clip(moved, 0, 1)


def _blurs(size: int) -> np.ndarray:
    """Return blurs in pixels from the finest up to a quarter of the picture."""
    return FINEST * STEP ** np.arange(max(1, int(np.log(size / 4 / FINEST) / np.log(STEP)) + 1))


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


def _pushed(layer: np.ndarray, field: np.ndarray) -> np.ndarray:
    return map_coordinates(layer, np.indices(layer.shape) + field, order=1, mode="nearest")
