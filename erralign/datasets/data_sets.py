"""Every data set that :func:`erralign.load` knows: a row of ``data-sets.csv``, which names the module that reads it.

Such a module has ``read`` and ``ARCHIVES``, keys of ``data/manifest.json``; the first is the source of its data.
If it reads several data sets, ``read`` takes what stands behind the slash of their names, or a name without a slash.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from erralign.datasets import geirhos2020
from erralign.datasets.archives import manifest
from erralign.responses import Responses

_CATALOGUE = Path(__file__).with_name("data-sets.csv")
# Two papers showed the same pictures to the same people under slightly different names.
TWINS = {
    "model-vs-human/cue-conflict": "geirhos2020/cue-conflict",
    "model-vs-human/edge": "geirhos2020/edges",
    "model-vs-human/silhouette": "geirhos2020/silhouettes",
}


@dataclass(frozen=True)
class DataSet:
    """What is known of a data set before it is read."""

    name: str
    printed: str  # its name in the paper
    paper: str
    kind: str  # as the paper calls it
    trials: int
    people: int
    models: int
    classes: int
    truth: str  # what the true class is
    note: str  # how it differs from another data set
    pictures: str  # where they are public, their folder in stimuli.TEXTURE_VS_SHAPE
    archives: tuple[str, ...]  # the repositories at the commits that hold it
    read: Callable[[], Responses] = field(repr=False)
    clusters: Callable[[pd.Index], pd.DataFrame] | None = None

    @property
    def systems(self) -> int:
        """Return how many people and models answered."""
        return self.people + self.models

    @property
    def source(self) -> str:
        """Return the repository and commit."""
        return self.archives[0] if self.archives else "made up"

    @property
    def licence(self) -> str:
        """Return the licence of the answers."""
        return manifest()[self.source]["licence"] if self.archives else "CC BY 4.0"


@cache
def records() -> dict[str, DataSet]:
    """Return all of them by name, in the order of the catalogue."""
    rows: Any = pd.read_csv(_CATALOGUE, keep_default_na=False)
    n_sets = rows["module"].value_counts()
    every = {}
    for row in rows.to_dict("records"):
        module, name = row.pop("module"), row["name"]
        reader = import_module(f".{module}", __package__)
        read = reader.read if n_sets[module] == 1 else partial(reader.read, name.rpartition("/")[2])
        clusters = _function(row.pop("clusters"))
        every[name] = DataSet(**row, archives=reader.ARCHIVES, read=read, clusters=clusters)
    return every


def _function(name: str) -> Callable[[pd.Index], pd.DataFrame] | None:
    module, _, function = name.partition(".")
    return getattr(import_module(f".{module}", __package__), function) if function else None


@cache
def record(name: str) -> DataSet | None:
    """Return the record of a data set, or of the three of Geirhos et al. as one, which the catalogue does not list."""
    if name != "geirhos2020":
        return records().get(name)
    first = records()["geirhos2020/edges"]
    trials, truth = sum(geirhos2020.DATA_SETS.values()), f"{first.truth}; of cue conflicts the shape"
    whole = replace(first, name=name, trials=trials, truth=truth, note="", pictures="")
    return replace(whole, read=geirhos2020.read_all, clusters=geirhos2020.exemplars_of_all)
