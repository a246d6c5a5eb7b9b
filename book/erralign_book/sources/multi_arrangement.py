"""How alike people find pictures: two sets of public dissimilarity matrices, with what to compare them with."""

import numpy as np
import pandas as pd
from scipy.io import loadmat

from erralign.sources.archives import open_member
from erralign_book.sources.things import concepts

PERTURBATIONS = "marrenj/cvpr_perturbations@9820d612f66d3c2386e22159e1a6f841974efeb7"
RSATOOLBOX = "rsagroup/rsatoolbox@f1f83cadb7243492a1aae7460466e0f0140b20ac"
_FILES = {"people": ("92_behavRDMs.mat", "rdms_behav_92"), "models": ("92_modelRDMs.mat", "Models")}
_FILES["brains"] = ("92_brainRDMs.mat", "RDMs")


def forty_eight() -> tuple[np.ndarray, np.ndarray]:
    """Return how differently people see 48 of the objects of THINGS, from all triplets of them."""
    matrix = loadmat(open_member(PERTURBATIONS, "data/RDM48_triplet.mat"))["RDM48_triplet"]  # type: ignore[arg-type]
    names = pd.read_csv(open_member(PERTURBATIONS, "data/spose_embedding66d_rescaled_48val_reordered.csv"))
    places = pd.Index(concepts()["image"]).get_indexer(names["image_name"])
    return places, matrix


def ninety_two(kind: str) -> dict[str, np.ndarray]:
    """Return dissimilarities of 92 pictures."""
    file, key = _FILES[kind]
    source = open_member(RSATOOLBOX, f"demos/92imageData/{file}")
    cells = loadmat(source, squeeze_me=True)[key].ravel()  # type: ignore[arg-type]  # its stubs know paths only
    return {str(cell["name"]): np.asarray(cell["RDM"], dtype=float) for cell in cells}
