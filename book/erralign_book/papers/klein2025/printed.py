"""Our numbers in the rows and columns as printed."""

import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.bounds import error_consistency_bounds
from erralign_book.papers.klein2025.answers import conditions
from erralign_book.papers.klein2025.copies import EC_OF_FIGURE_3, experiments, pooled_widths
from erralign_book.papers.klein2025.ranks import ranking
from erralign_book.papers.tables import printed_form


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed."""
    sizes = [("images in a condition", "most", conditions()["n_trials"].max())]  # those that agree are only restated
    return printed_form(sizes + _extremes() + _findings() if item == "text" else [])


def _extremes() -> list[tuple[str, str, float]]:
    """Put what the paper says of single values of EC to the test."""
    equal = "two equally accurate systems, accuracies .5"
    least, most = error_consistency_bounds(0.5, 0.5)
    shares, others = np.full(16, 1 / 16), np.arange(1, 17) / 136
    return [
        ("two indistinguishable systems", "EC", error_consistency_from_counts([[30, 0], [0, 70]])),
        ("independent systems", "EC", error_consistency_from_counts([[25, 25], [25, 25]])),
        ("exactly one system always right", "EC", error_consistency_from_counts([[0, 40], [0, 60]])),
        ("two systems as different as possible, accuracies .5", "lowest EC", least),
        (equal, "lowest EC", least),
        (equal, "highest EC", most),
        ("reference with equal shares of all answers", "factor f", (1 - shares @ shares) / (1 - shares @ others)),
    ]


def _findings() -> list[tuple[str, str, float]]:
    every = experiments()
    figure_3 = every[(every["EC"] == EC_OF_FIGURE_3) & (every["accuracy"] == "0.75")].set_index("n_trials")["width"]
    scores = ranking().query("models == 'sound'").set_index("system")["EC"]
    return [
        ("two models at the mean tau", "chance of being concordant in %", 100 * (1 + 0.88) / 2),
        ("interval at 400 trials, EC .5", "width", figure_3[400]),
        ("true EC with the largest intervals", "EC", pooled_widths().idxmax(axis=1).mean()),
        ("people and machines", "difference of their EC with people", scores["people"] - scores.drop("people").mean()),
    ]
