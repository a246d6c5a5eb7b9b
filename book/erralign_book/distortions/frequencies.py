"""Distortions of a picture's waves: which it keeps, where they begin, how high they are."""

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
    """Blur a picture: fine detail goes."""
    light = grey(picture)
    check_positive("deviation", deviation)
    return gaussian_filter(light, deviation, mode="constant", cval=MEAN_GREY)


def high_pass(picture: ArrayLike, deviation: float) -> np.ndarray:
    """Take the blurred picture away from the picture: only fine detail stays."""
    detail = grey(picture) - low_pass(picture, deviation)
    return np.clip(detail - detail.mean() + MEAN_GREY, 0, 1)


def phase_scrambling(picture: ArrayLike, width: float, *, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Shift each of the waves that a picture is the sum of by a random angle, and leave their heights as they are."""
    light = grey(picture)
    check_range("width", width, 0, 180)
    angles = check_rng(rng).uniform(-width, width, light.shape)
    turned = np.fft.fft2(light) * np.exp(1j * np.deg2rad(_opposite(angles)))
    return np.clip(np.fft.ifft2(turned).real, 0, 1)


def power_equalisation(picture: ArrayLike) -> np.ndarray:
    """Give all waves of a picture the heights that they have in photographs on average."""
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
