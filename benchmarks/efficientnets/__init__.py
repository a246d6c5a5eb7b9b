"""Three EfficientNets from packages answer all pictures of Geirhos et al. (2020), prepared in two ways."""

from itertools import product

import numpy as np

from erralign.datasets.stimuli import TEXTURE_VS_SHAPE, sixteen_categories
from erralign.models import category_confidences, features, load
from erralign.models.categories import MAPPINGS
from erralign.models.networks import PACKAGES, PREPROCESSING
from erralign_book.cells import frozen
from erralign_book.papers.efficientnets import NETWORKS, SETTINGS


@frozen(
    "geirhos2020/efficientnets.npz",
    inputs=[TEXTURE_VS_SHAPE],
    needs=["torch", "timm", *PACKAGES.values()],
    slow=True,
    rtol=1e-2,  # of logarithms that are kept to a thousandth
    settings=SETTINGS,
    spot=tuple(product(NETWORKS[:1], PREPROCESSING, ["edges"])),
)
def efficientnets(setting: tuple[str, str, str]) -> dict[str, np.ndarray]:
    """Return answers by each mapping from 1,000 classes to 16, and confidences by the mean."""
    network, preprocessing, data_set = setting
    model = load(network, preprocessing=preprocessing, device="cpu")
    logits = features(model, f"geirhos2020/{data_set}", layer="logits").to_numpy()
    members = list(sixteen_categories().values())
    by_mapping = {mapping: category_confidences(logits, members, mapping) for mapping in MAPPINGS}
    return {
        "setting": np.full(len(logits), SETTINGS.index(setting), dtype=np.int8),
        "answers": np.column_stack([each.argmax(axis=1) for each in by_mapping.values()]).astype(np.int8),
        "log_confidences": np.log(by_mapping["mean"]).astype(np.float16),
    }
