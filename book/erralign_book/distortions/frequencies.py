"""Distortions of a picture's waves: which it keeps, where they begin, how high they are."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter

from erralign.errors import check_positive, check_range, check_rng
from erralign_book.distortions.light import grey

# Properties of the photographs of the experiments: their mean grey, which `image_manipulation.py` of the released code
# names; and, fitted by us to their mean amplitudes, `mean_power_spectrum_grey.npy` there: the exponent by which an
# amplitude falls with frequency (below 100 cycles per picture) and the standard deviation of all waves together.
MEAN_GREY: Final = 0.4423
MEAN_EXPONENT: Final = 1.25
MEAN_DEVIATION: Final = 0.188


def low_pass(picture: ArrayLike, deviation: float) -> np.ndarray:
    """Blur a picture: fine detail goes.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.
    deviation : float
        Standard deviation of the Gaussian filter in pixels, above 0.

    Returns
    -------
    numpy.ndarray of float, shape (height, width)
        Around the picture the filter sees the mean grey of all photographs, 0.4423.

    Raises
    ------
    ValueError
        Not a picture, or a deviation of 0 or less.

    References
    ----------
    Geirhos et al. (2018), https://arxiv.org/abs/1808.08750, experiment "low-pass".

    Examples
    --------
    >>> float(low_pass([[0, 1], [1, 0]], 10).std().round(3))
    0.0
    """
    light = grey(picture)
    check_positive("deviation", deviation)
    return gaussian_filter(light, deviation, mode="constant", cval=MEAN_GREY)


def high_pass(picture: ArrayLike, deviation: float) -> np.ndarray:
    """Take the blurred picture away from the picture: only fine detail stays.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.
    deviation : float
        Standard deviation of the Gaussian filter in pixels, above 0; the smaller, the less stays.

    Returns
    -------
    numpy.ndarray of float, shape (height, width)
        Shifted to the mean grey of all photographs, 0.4423, and cut off at 0 and 1.

    Raises
    ------
    ValueError
        Not a picture, or a deviation of 0 or less.

    References
    ----------
    Geirhos et al. (2018), https://arxiv.org/abs/1808.08750, experiment "high-pass".

    Examples
    --------
    >>> float(high_pass([[0.2, 0.9], [0.4, 0.5]], 1).mean().round(4))
    0.4423
    """
    detail = grey(picture) - low_pass(picture, deviation)
    return np.clip(detail - detail.mean() + MEAN_GREY, 0, 1)


def phase_scrambling(picture: ArrayLike, width: float, *, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Shift each of the waves that a picture is the sum of by a random angle, and leave their heights as they are.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.
    width : float
        Largest angle in degrees, from 0 (unchanged) to 180 (nothing of the order is left).
    rng : int or numpy.random.Generator
        Where the angles come from.

    Returns
    -------
    numpy.ndarray of float, shape (height, width)
        Cut off at 0 and 1.

    Raises
    ------
    ValueError
        Not a picture, or an angle outside 0 to 180.

    References
    ----------
    Geirhos et al. (2018), https://arxiv.org/abs/1808.08750, experiment "phase-scrambling".

    Examples
    --------
    >>> phase_scrambling([[0, 1], [1, 0]], 0).round(4).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    light = grey(picture)
    check_range("width", width, 0, 180)
    angles = check_rng(rng).uniform(-width, width, light.shape)
    turned = np.fft.fft2(light) * np.exp(1j * np.deg2rad(_opposite(angles)))
    return np.clip(np.fft.ifft2(turned).real, 0, 1)


def power_equalisation(picture: ArrayLike) -> np.ndarray:
    """Give all waves of a picture the heights that they have in photographs on average.

    The experiment took the mean amplitude of its photographs at each frequency. The nearest form without them: the
    power law that we fitted to that mean, height proportional to frequency to the power of -1.25.

    Parameters
    ----------
    picture : array_like of float, shape (height, width) or (height, width, 3)
        Light from 0 to 1.

    Returns
    -------
    numpy.ndarray of float, shape (height, width)
        Mean 0.4423 and standard deviation 0.188 before it is cut off at 0 and 1.

    Raises
    ------
    ValueError
        Not a picture.

    References
    ----------
    Geirhos et al. (2018), https://arxiv.org/abs/1808.08750, experiment "power-equalisation".

    Examples
    --------
    >>> even = power_equalisation(np.random.default_rng(0).uniform(size=(64, 64)))
    >>> round(float(even.mean()), 2), round(float(even.std()), 2)
    (0.44, 0.19)
    """
    light = grey(picture)
    waves = np.fft.fft2(light)
    frequency = np.hypot(*np.meshgrid(*(np.fft.fftfreq(n) for n in light.shape), indexing="ij"))
    frequency[0, 0] = np.inf  # the mean is no wave
    heights = frequency**-MEAN_EXPONENT
    heights *= MEAN_DEVIATION * light.size / max(np.linalg.norm(heights), np.finfo(float).tiny)
    return np.clip(MEAN_GREY + np.fft.ifft2(heights * np.exp(1j * np.angle(waves))).real, 0, 1)


def _opposite(angles: np.ndarray) -> np.ndarray:
    """Give opposite frequencies opposite angles, as a picture of real numbers has them."""
    other = np.roll(angles[::-1, ::-1], 1, axis=(0, 1))
    place = np.arange(angles.size).reshape(angles.shape)
    elsewhere = np.roll(place[::-1, ::-1], 1, axis=(0, 1))
    return np.where(place < elsewhere, angles, np.where(place > elsewhere, -other, 0))
