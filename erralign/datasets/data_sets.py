"""Every data set that :func:`erralign.load` knows: a row of ``data-sets.csv``, and here its archives and its reader."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from erralign.datasets import (
    agents,
    examples,
    gavrikov2025,
    geirhos2020,
    huber2022,
    llmjudge,
    mmlu_pro,
    model_vs_human,
    naep,
    xu2024,
)
from erralign.datasets.archives import manifest
from erralign.datasets.trials import MODEL_VS_HUMAN
from erralign.responses import Responses

_CATALOGUE = Path(__file__).with_name("data-sets.csv")
# Archives of data/manifest.json, by paper: the first is the data set's source, systems say which theirs is.
_ARCHIVES = {
    "Xu et al. 2024": (xu2024.ERROR_ALIGN, MODEL_VS_HUMAN),
    "Geirhos et al. 2020": (geirhos2020.ERROR_CONSISTENCY,),
    "Geirhos et al. 2021": model_vs_human.KEYS,
    "Gavrikov et al. 2025": (gavrikov2025.VLM_SHAPEBIAS,),
    "Huber et al. 2022": (huber2022.DEVELOPMENT,),
    "Säuberli et al. 2025": (naep.PSYCHOMETRICS,),
    "Wang et al. 2024": (mmlu_pro.MMLU_PRO,),
    "Rahmani et al. 2025": (llmjudge.JUDGES, llmjudge.ASSESSORS),
    "Ge et al. 2026": (agents.AGENTS,),
}
# What reads a data set, by its name; else, by what stands before the slash, what reads all of them.
_READERS = {
    "example/twelve-pictures": examples.twelve_pictures,
    "example/animals": examples.animals,
    "gavrikov2025/cue-conflict": gavrikov2025.read,
    "huber2022/cue-conflict": huber2022.read,
    "mmlu-pro": mmlu_pro.read,
    "llmjudge": llmjudge.read,
}
_READERS_OF_MANY = {
    "xu2024": xu2024.read,
    "geirhos2020": geirhos2020.read,
    "model-vs-human": model_vs_human.read,
    "naep": naep.read,
}
# What trials share, out of their names.
_CLUSTERS = {
    "geirhos2020/cue-conflict": geirhos2020.exemplars,
    "model-vs-human/cue-conflict": geirhos2020.exemplars,
    "gavrikov2025/cue-conflict": geirhos2020.exemplars,
    "huber2022/cue-conflict": geirhos2020.exemplars,
    "llmjudge": llmjudge.queries,
}
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
    read: Callable[[], Responses] = field(repr=False)
    clusters: Callable[[pd.Index], pd.DataFrame] | None = None

    @property
    def archives(self) -> tuple[str, ...]:
        """Return the repositories at the commits that hold it."""
        return _ARCHIVES.get(self.paper, ())

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
    rows: Any = pd.read_csv(_CATALOGUE, keep_default_na=False).to_dict("records")
    return {row["name"]: DataSet(**row, read=_reader(row["name"]), clusters=_CLUSTERS.get(row["name"])) for row in rows}


def _reader(name: str) -> Callable[[], Responses]:
    group, _, rest = name.partition("/")
    if name in _READERS:
        return _READERS[name]
    if group in _READERS_OF_MANY:
        return partial(_READERS_OF_MANY[group], rest)
    return partial(agents.read, name)


@cache
def record(name: str) -> DataSet | None:
    """Return the record of a data set, or of the three of Geirhos et al. as one, which the catalogue does not list."""
    if name != "geirhos2020":
        return records().get(name)
    first = records()["geirhos2020/edges"]
    trials, truth = sum(geirhos2020.DATA_SETS.values()), f"{first.truth}; of cue conflicts the shape"
    whole = replace(first, name=name, trials=trials, truth=truth, note="", pictures="")
    return replace(whole, read=geirhos2020.read_all, clusters=geirhos2020.exemplars_of_all)
