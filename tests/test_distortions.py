"""Distortions of pictures do what their names say, checked against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from erralign_book import distortions

SIZE = 48
PICTURE = np.clip(np.random.default_rng(3).normal(0.5, 0.1, (SIZE, SIZE, 3)), 0.2, 0.8)


ALL = {
    "grey": distortions.grey,
    "contrast": lambda picture: distortions.contrast(picture, 0.3),
    "uniform_noise": lambda picture: distortions.uniform_noise(picture, 0.1),
    "false_colour": distortions.false_colour,
    "low_pass": lambda picture: distortions.low_pass(picture, 2),
    "high_pass": lambda picture: distortions.high_pass(picture, 2),
    "rotation": lambda picture: distortions.rotation(picture, 90),
    "eidolon": lambda picture: distortions.eidolon(picture, 4),
}


def test_what_comes_out_is_a_picture_and_what_went_in_is_unchanged():
    before = PICTURE.copy()
    for name, distort in ALL.items():
        out = distort(PICTURE)
        assert 0 <= out.min() <= out.max() <= 1
        assert out.shape == (PICTURE.shape if name == "false_colour" else PICTURE.shape[:2])
        np.testing.assert_array_equal(PICTURE, before)


@pytest.mark.parametrize("name", ALL)
def test_what_is_no_picture_is_refused(name):
    """Strengths out of range are in malformed.txt."""
    for light, said in ((np.full((4, 4, 3), 255), "divide bytes by 255"), (np.zeros((2, 4, 4, 3)), "one picture")):
        with pytest.raises(ValueError, match=said):
            ALL[name](light)


@given(level=st.floats(0, 1))
def test_contrast_scales_the_spread_and_keeps_mid_grey(level):
    light = np.linspace(0, 1, 16).reshape(4, 4)
    assert distortions.contrast(light, level).std() == pytest.approx(level * light.std())
    assert distortions.contrast(np.full((2, 2), 0.5), level) == pytest.approx(0.5)


def test_noise_is_uniform_and_as_wide_as_it_says():
    noise = distortions.uniform_noise(np.full((300, 300), 0.5), 0.2, rng=1) - 0.5
    assert kstest(noise.ravel(), "uniform", (-0.2, 0.4)).pvalue > 0.001


def test_false_colours_mirror_the_opponent_axes_of_cone_contrasts():
    """The released code's own road: cones, opponent axes with two signs changed, and back."""
    long, middle = [0.1619982647, 0.208049264, 0.0389347448], [0.0330275785, 0.2496504557, 0.0618343518]
    cones = np.array([long, middle, [0.0015524055, 0.0198861001, 0.1890224274]])
    white, light, red = cones.sum(axis=1) / 2, [9.27590805, 9.27590805, 0], [7.86421647, -9.33587662, 0]
    axes = np.array([light, red, [-3.39709047, -3.39709047, 12.16230246]])
    there, linear = axes @ cones, np.array([0.3, 0.5, 0.4])
    opponent = there @ linear - axes @ white
    back = np.linalg.solve(there, opponent * [1, -1, -1] + axes @ white)
    shown, expected = (1.055 * each ** (1 / 2.4) - 0.055 for each in (linear, back))  # none is nearly black
    np.testing.assert_allclose(distortions.false_colour(shown[None, None])[0, 0], expected, atol=2e-3)


@pytest.mark.parametrize(("name", "kept"), [("low_pass", 0), ("high_pass", 1)])
def test_filters_keep_coarse_or_fine(name, kept):
    shares = []
    for waves in (2, SIZE // 2 - 2):
        light = np.tile(0.5 + 0.4 * np.cos(2 * np.pi * waves * np.arange(SIZE) / SIZE), (SIZE, 1))
        out = getattr(distortions, name)(light, 2)
        shares.append(out[12:-12, 12:-12].std() / light[12:-12, 12:-12].std())
    assert shares[kept] > 0.8
    assert shares[1 - kept] < 0.3


def test_what_changes_nothing():
    """Four quarters are a whole turn; an eidolon is further from the picture the longer its reach, which may be 0."""
    far = [abs(distortions.eidolon(PICTURE, reach) - distortions.grey(PICTURE)).mean() for reach in (1, 4, 16)]
    assert far == sorted(far)
    np.testing.assert_allclose(distortions.eidolon(PICTURE, 0), distortions.grey(PICTURE), atol=1e-12)
    out = PICTURE
    for _ in range(4):
        out = distortions.rotation(out, 90)
    np.testing.assert_array_equal(out, distortions.grey(PICTURE))
    np.testing.assert_array_equal(distortions.rotation(PICTURE, 180), distortions.grey(PICTURE)[::-1, ::-1])
