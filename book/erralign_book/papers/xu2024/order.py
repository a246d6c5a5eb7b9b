"""Frames of one video: the released arrays do not say which; does their order?"""

import numpy as np
import pandas as pd

from erralign.clusters import Clusters, effects_of_pairs
from erralign.responses.arrays import response_matrix
from erralign_book.papers.frozen import frozen
from erralign_book.papers.xu2024.pair_scores import ANSWERS, answers_on

VIDEOS = "mpii_cooking"
BLOCK = 50


@frozen(inputs=ANSWERS)
def neighbours() -> pd.DataFrame:
    """Return by how much intervals of EC grow if trials that stand near each other in the arrays share something."""
    responses = answers_on(VIDEOS)
    blocks = Clusters((np.arange(len(responses.truth)) // BLOCK,))
    effects = effects_of_pairs(blocks, "EC", response_matrix(responses), 0.95, {})
    return pd.DataFrame([{"data_set": VIDEOS, "EC": np.median(np.sqrt(effects))}])
