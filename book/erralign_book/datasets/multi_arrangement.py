"""How alike people find 48 of the objects of THINGS: a public matrix of dissimilarities."""

import numpy as np
import pandas as pd
from scipy.io import loadmat

from erralign.datasets.archives import open_member
from erralign_book.datasets.things import concepts

PERTURBATIONS = "marrenj/cvpr_perturbations@9820d612f66d3c2386e22159e1a6f841974efeb7"


def forty_eight() -> tuple[np.ndarray, np.ndarray]:
    """Return how differently people see 48 of the objects of THINGS, from all triplets of them."""
    matrix = loadmat(open_member(PERTURBATIONS, "data/RDM48_triplet.mat"))["RDM48_triplet"]  # type: ignore[arg-type]
    names = pd.read_csv(open_member(PERTURBATIONS, "data/spose_embedding66d_rescaled_48val_reordered.csv"))
    places = pd.Index(concepts()["image"]).get_indexer(names["image_name"])
    return places, matrix
