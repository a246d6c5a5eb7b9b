"""Two pictures that are drawn by a few lines of code, for a network to name where there are no photographs."""

import numpy as np

SIZE = 224  # pixels a side, as networks take them
DRAWINGS = ("clock", "keyboard")
LIGHT, DARK, AROUND = 0.95, 0.1, 0.58


def clock() -> np.ndarray:
    """Draw a clock on a wall."""
    down, right = (np.mgrid[:SIZE, :SIZE] - SIZE / 2) / SIZE
    radius, angle = np.hypot(down, right), np.arctan2(right, -down)
    picture = np.select([radius < 0.41, radius < 0.45], [LIGHT, DARK], AROUND)
    from_an_hour = np.abs((angle + np.pi / 12) % (np.pi / 6) - np.pi / 12) * radius
    picture[(from_an_hour < 0.008) & (radius > 0.33) & (radius < 0.39)] = DARK
    for hour, length, width in ((10.15, 0.2, 0.014), (1.8, 0.31, 0.009)):
        turn = hour * np.pi / 6
        along = right * np.sin(turn) - down * np.cos(turn)
        across = np.abs(right * np.cos(turn) + down * np.sin(turn))
        picture[(across < width) & (along > -0.04) & (along < length)] = DARK
    return picture


def keyboard() -> np.ndarray:
    """Draw a keyboard, seen from above."""
    picture = np.full((SIZE, SIZE), AROUND)
    picture[60:164, 6:218] = 2 * DARK
    for row in range(5):
        for column in range(13):
            top, left = 66 + 19 * row, 10 + 16 * column
            in_space_bar = row == 4 and 3 <= column <= 8
            picture[top : top + 16, left : left + (16 if in_space_bar else 13)] = LIGHT
    return picture


def drawn(name: str, noise: float, rng: int = 0) -> np.ndarray:
    """Draw one of the two, under noise."""
    plain = {"clock": clock, "keyboard": keyboard}[name]()
    noisy = plain + noise * np.random.default_rng(rng).normal(size=plain.shape)
    return np.repeat(np.round(255 * noisy.clip(0, 1))[..., None], 3, axis=2).astype(np.uint8)
