"""How much experiments tell, of two systems and of people and systems: for the page on planning, and its form."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds
from erralign.planning import expected_width, power_with_people
from erralign_book.cells import frozen

PEOPLE, PICTURES = (4, 8, 12, 24, 48), (100, 200, 400, 800, 1600)
# Accuracy, EC and difference; people of Geirhos et al. (2020) have about the first EC with each other on cue conflict.
WORLDS = tuple(
    (accuracy, ec, difference) for accuracy in (0.6, 0.75, 0.9) for ec in (0.3, 0.5) for difference in (0.05, 0.1, 0.2)
)


@frozen("planning/power", slow=True, settings=WORLDS, spot=WORLDS[:2], by=["accuracy", "ec", "difference"])
def power(setting: tuple[float, float, float]) -> pd.DataFrame:
    """Return how often a difference of mean EC with people is found, by people and pictures, in 18 worlds."""
    accuracy, ec, difference = setting
    found = power_with_people(PEOPLE, PICTURES, accuracy=accuracy, ec=ec, difference=difference)
    return found.drop(columns="repetitions").round(4)


ACCURACIES, CONSISTENCIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
TRIALS = (50, 100, 200, 400, 800, 1600, 3200, 6400)
PAIRS = tuple(combinations_with_replacement(ACCURACIES, 2))


@frozen("planning/widths", slow=True, settings=PAIRS, spot=(PAIRS[0], PAIRS[-1]))
def widths(setting: tuple[float, float]) -> pd.DataFrame:
    """Return how wide the interval of EC of two systems will be, by pictures; nan where accuracies forbid the EC."""
    largest = float(error_consistency_bounds(*setting)[1])
    rows = [
        (*setting, largest, ec, n, expected_width(n, ec, *setting, n_tables=128) if ec <= largest else np.nan)
        for ec in CONSISTENCIES
        for n in TRIALS
    ]
    columns = ["accuracy_a", "accuracy_b", "largest", "ec", "pictures", "width"]
    return pd.DataFrame(rows, columns=columns).round({"largest": 4, "width": 4})
