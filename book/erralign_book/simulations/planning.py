"""Power of experiments with people and systems, for the page on planning."""

import pandas as pd

from erralign.planning import power_with_people
from erralign_book.papers.frozen import frozen

PEOPLE, PICTURES = (4, 8, 12, 24, 48), (100, 200, 400, 800, 1600)
# Accuracy, EC and difference; people of Geirhos et al. (2020) have about the first EC with each other on cue conflict.
WORLDS = tuple(
    (accuracy, ec, difference) for accuracy in (0.6, 0.75, 0.9) for ec in (0.3, 0.5) for difference in (0.05, 0.1, 0.2)
)


@frozen(inputs=[], slow=True, settings=WORLDS, spot=WORLDS[:2])
def power(setting: tuple[float, float, float]) -> pd.DataFrame:
    """Return how often a difference of mean EC with people is found, by people and pictures, in 18 worlds."""
    accuracy, ec, difference = setting
    found = power_with_people(PEOPLE, PICTURES, accuracy=accuracy, ec=ec, difference=difference)
    world = pd.DataFrame([setting] * len(found), columns=["accuracy", "ec", "difference"])
    return pd.concat([world, found.drop(columns="repetitions").round(4)], axis=1)
