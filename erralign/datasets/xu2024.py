"""Answers of 12 to 29 systems on the 17 data sets of Xu et al. (2024)."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign.datasets.archives import open_member
from erralign.datasets.trials import CATEGORIES, MODEL_VS_HUMAN, read_trials
from erralign.responses import Responses

ERROR_ALIGN = "xubinxia/error_align@dff7ca29084640c03815b40322ca6b01e2eaf478"
ARCHIVES = (ERROR_ALIGN, MODEL_VS_HUMAN)  # of networks, of people
_HERE = Path(__file__).parent
_SORTED_BY_IMAGE = ("sketch", "stylized")


@cache
def data_sets() -> pd.DataFrame:
    """Return the 17 data sets of the paper with their sizes."""
    return pd.read_csv(_HERE / "xu2024-data-sets.csv", index_col="data_set")


def _size(data_set: str) -> dict[str, Any]:
    """Return the row of :func:`data_sets` for one of them."""
    return dict(data_sets().loc[[data_set]].iloc[0])


def systems_of(data_set: str) -> pd.DataFrame:
    """Return the systems of one data set, people first, then models by family, as in the paper's heatmaps."""
    size = _size(data_set)
    table = pd.read_csv(_HERE / "xu2024-systems.csv", index_col="system")
    table = table[table["task"] == size["task"]]
    human = table["family"] == "Human"
    chosen = pd.concat([table[human].head(size["people"]), table[~human]])
    kind = np.where(chosen["family"] == "Human", "human", "model")
    return chosen.assign(kind=kind, source=ERROR_ALIGN)[["kind", "family", "source"]]


@cache
def architectures() -> pd.Series:
    """Return the architecture of each system: pairs of networks of one architecture are often near-copies."""
    return pd.read_csv(_HERE / "xu2024-systems.csv", index_col="system")["architecture"]


def read(data_set: str) -> Responses:
    """Read the answers of all systems on one data set."""
    systems = systems_of(data_set)
    index = trial_names(data_set)
    truth = pd.Series(_array(data_set, "true_cls"), index=index, name="truth")
    answers = pd.DataFrame({system: _array(data_set, system) for system in systems.index}, index=index)
    return Responses(f"xu2024/{data_set}", truth, answers, _classes(data_set), systems)


def _array(data_set: str, system: str) -> np.ndarray:
    folder = f"model_vs_human/{data_set}" if _size(data_set)["kind"] == "synthetic" else data_set
    return np.load(open_member(ERROR_ALIGN, f"data/predictions/{folder}/{system}.npy")).astype(np.int64)


def trial_names(data_set: str) -> pd.Index:
    """Return the condition and image of each trial of a synthetic set, in the order of the released arrays."""
    size = _size(data_set)
    if size["kind"] != "synthetic":
        return pd.RangeIndex(size["trials"], name="trial")
    first = read_trials(data_set, 1)
    first = first.sort_values("image") if data_set in _SORTED_BY_IMAGE else first
    return pd.MultiIndex.from_frame(first[["condition", "image"]])


def _classes(data_set: str) -> tuple[str, ...]:
    size = _size(data_set)
    if size["kind"] == "synthetic":
        return CATEGORIES
    if data_set == "image_net_a":
        return tuple(pd.read_csv(_HERE / "imagenet-a-classes.csv").sort_values("class_id")["name"])
    return tuple(str(i) for i in range(size["classes"]))


def heatmap_order() -> list[str]:
    """Return all systems, people first, then models by family, as the paper's heatmaps have them."""
    table = pd.read_csv(_HERE / "xu2024-systems.csv")
    return [*table.loc[table["family"] == "Human", "system"], *table.loc[table["family"] != "Human", "system"]]
