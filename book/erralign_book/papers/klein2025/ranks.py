"""Our numbers in the rows and columns as printed, until the build collects what the chapters set beside each other."""

import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.bounds import error_consistency_bounds
from erralign_book import cells
from erralign_book.papers.tables import printed_form


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item."""
    if item != "text":
        return printed_form([])
    experiments, ranking = cells.table("klein2025/experiments"), cells.table("klein2025/ranking")["EC"]
    (width,) = experiments.query("EC == 0.5 and accuracy == '0.75' and n_trials == 400")["width"]
    pooled = experiments.query("accuracy == 'pooled' and EC in [0, 0.25, 0.5, 0.75, 0.95, 0.999]")
    widest = pooled.loc[pooled.groupby("n_trials")["width"].idxmax(), "EC"].mean()
    equal = "two equally accurate systems, accuracies .5"
    least, most = error_consistency_bounds(0.5, 0.5)
    shares, others = np.full(16, 1 / 16), np.arange(1, 17) / 136
    facts = [
        ("images in a condition", "most", cells.table("klein2025/conditions")["n_trials"].max()),
        ("two indistinguishable systems", "EC", error_consistency_from_counts([[30, 0], [0, 70]])),
        ("independent systems", "EC", error_consistency_from_counts([[25, 25], [25, 25]])),
        ("exactly one system always right", "EC", error_consistency_from_counts([[0, 40], [0, 60]])),
        ("two systems as different as possible, accuracies .5", "lowest EC", least),
        (equal, "lowest EC", least),
        (equal, "highest EC", most),
        ("reference with equal shares of all answers", "factor f", (1 - shares @ shares) / (1 - shares @ others)),
        ("two models at the mean tau", "chance of being concordant in %", 100 * (1 + 0.88) / 2),
        ("interval at 400 trials, EC .5", "width", width),
        ("true EC with the largest intervals", "EC", widest),
        ("people and machines", "difference of their EC with people", ranking["people"] - ranking[1:].mean()),
    ]
    return printed_form(facts)
