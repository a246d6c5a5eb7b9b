"""What three EfficientNets answer to the pictures of Geirhos et al. (2020), and how sure they are."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from erralign.datasets.geirhos2020 import DATA_SETS
from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, stimuli
from erralign.datasets.trials import CATEGORIES, class_ids
from erralign.models.categories import MAPPINGS
from erralign.models.networks import PACKAGES, PREPROCESSING
from erralign.responses import Responses
from erralign_book.cells import table

NETWORKS = tuple(PACKAGES)
# Of the parts of the frozen answers, in their order.
SETTINGS = tuple(product(NETWORKS, PREPROCESSING, DATA_SETS))


@cache
def _arrays() -> dict[str, np.ndarray]:
    return table("geirhos2020/efficientnets.npz")


def _rows(name: str, network: str, preprocessing: str, data_set: str) -> np.ndarray:
    its = _arrays()["setting"] == SETTINGS.index((network, preprocessing, data_set))
    return _arrays()[name][its]


def answers(data_set: str, *, preprocessing: str = "own", mapping: str = "mean") -> Responses:
    """Return the answers of the three, to join with those of people and networks."""
    pictures = stimuli(f"geirhos2020/{data_set}")
    column, ids = MAPPINGS.index(mapping), {}
    for name in NETWORKS:
        chosen = _rows("answers", name, preprocessing, data_set)[:, column].astype(np.int64)
        ids[name] = pd.Series(chosen, index=pictures.index)
    return Responses.from_table(
        pd.Series(class_ids(pictures["category"]), index=pictures.index),
        ids,
        classes=CATEGORIES,
        family="CNN",
        source=TEXTURE_VS_SHAPE,
        name=f"geirhos2020/{data_set}",
    )


def confidences(network: str, data_set: str) -> pd.DataFrame:
    """Return how sure one of the three is of each category, picture by picture."""
    sure = np.exp(_rows("log_confidences", network, "own", data_set).astype(np.float64))
    shares = sure / sure.sum(axis=1, keepdims=True)
    return pd.DataFrame(shares, stimuli(f"geirhos2020/{data_set}").index, list(CATEGORIES))
