"""Frames of one video: the released arrays do not say which; does their order?"""

import numpy as np
import pandas as pd

from erralign.clusters import Clusters, effects_of_pairs
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.responses.arrays import trials_of
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, answers_on

VIDEOS = ("mpii_cooking", "epic_kitchen")
BLOCK = 50


@frozen(inputs=ANSWERS)
def neighbours() -> pd.DataFrame:
    """Return whether trials that stand near each other in the arrays of the video sets share something."""
    rows = []
    for data_set in VIDEOS:
        truth = answers_on(data_set).truth.to_numpy()
        for name, order in (
            ("in order", np.arange(len(truth))),
            ("shuffled", np.random.default_rng(0).permutation(len(truth))),
        ):
            same = np.mean(truth[order][1:] == truth[order][:-1])
            rows.append({"data_set": data_set, "trials": name, "same_class": same} | _factors(data_set, order))
    return pd.DataFrame(rows)


def _factors(data_set: str, order: np.ndarray) -> dict[str, float]:
    blocks = np.empty(len(order), dtype=int)
    blocks[order] = np.arange(len(order)) // BLOCK
    trials, shared = trials_of(answers_on(data_set)), Clusters((blocks,))
    effects = {short_name(measure): effects_of_pairs(shared, measure, trials) for measure in MEASURES_OF_ERRORS}
    return {short: float(np.median(np.sqrt(found))) for short, found in effects.items()}
