"""Every data set that :func:`erralign.load` knows, a record each: a new one is a record here and its reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import pandas as pd

from erralign.responses import Responses
from erralign.sources import (
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
from erralign.sources.archives import manifest
from erralign.sources.trials import CATEGORIES, MODEL_VS_HUMAN

SHAPE = "the shape; the texture shows another class (in 80 of 1,280 pictures the same)"
STYLE = "the object in the photograph; the texture is that of a painting"
VIDEO, PLACE = "the activity in the video", "the place of the right option"
# Two papers showed the same pictures to the same people under slightly different names; and the folder of the pictures.
SHARED = (
    ("cue-conflict", "cue-conflict", "style-transfer-preprocessed-512"),
    ("edges", "edge", "edges"),
    ("silhouettes", "silhouette", "filled-silhouettes"),
)
SAME = "has the same pictures, people and answers of people, and mostly other networks"
OPTION = "a class is the place of an option, and means something else on each question"


@dataclass(frozen=True)
class DataSet:
    """What is known of a data set before it is read."""

    name: str
    paper: str
    size: tuple[int, int, int]  # trials, systems, classes
    archives: tuple[str, ...]  # of data/manifest.json; the first is the data set's source, systems say which theirs is
    read: Callable[[], Responses] = field(repr=False)
    truth: str = "the object in the picture"  # what the true class is
    note: str = ""  # how it differs from another data set
    pictures: str = ""  # where they are public, their folder in stimuli.TEXTURE_VS_SHAPE
    clusters: Callable[[pd.Index], pd.DataFrame] | None = None  # what trials share, out of their names

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
    groups = _examples(), _xu2024(), _geirhos2020(), _model_vs_human(), _of_the_same_pictures(), _questions()
    return {record.name: record for group in groups for record in group}


def _examples() -> Iterator[DataSet]:
    yield DataSet("example/twelve-pictures", "", (12, 4, 3), (), examples.twelve_pictures, "the animal")
    yield DataSet("example/animals", "", (240, 8, 6), (), examples.animals, "the animal")


def _xu2024() -> Iterator[DataSet]:
    truth = {"stylized": STYLE, "image_net_a": "the ImageNet class of the object"}
    truth |= {"mpii_cooking": VIDEO, "epic_kitchen": VIDEO}
    for name, facts in xu2024.data_sets().iterrows():
        size = facts["trials"], facts["people"] + facts["models"], facts["classes"]
        archives, read = (xu2024.ERROR_ALIGN, MODEL_VS_HUMAN), partial(xu2024.read, str(name))
        record = DataSet(f"xu2024/{name}", "Xu et al. 2024", size, archives, read)
        yield replace(record, truth=truth.get(str(name), record.truth))


def _geirhos2020() -> Iterator[DataSet]:
    size, archives = (35, len(CATEGORIES)), (geirhos2020.ERROR_CONSISTENCY,)
    for name, twin, folder in SHARED:
        read, note = partial(geirhos2020.read, name), f"model-vs-human/{twin} {SAME}"
        trials = geirhos2020.DATA_SETS[name]
        record = DataSet(f"geirhos2020/{name}", "Geirhos et al. 2020", (trials, *size), archives, read, note=note)
        record = replace(record, pictures=f"stimuli/{folder}")
        yield replace(record, truth=SHAPE, clusters=geirhos2020.exemplars) if name == "cue-conflict" else record


def _model_vs_human() -> Iterator[DataSet]:
    twins = {twin: record for (_, twin, _), record in zip(SHARED, _geirhos2020(), strict=True)}
    for name, facts in model_vs_human.data_sets().iterrows():
        size, read = (facts["trials"], facts["people"] + facts["models"], len(CATEGORIES)), model_vs_human.read
        new: dict[str, Any] = {"name": f"model-vs-human/{name}", "paper": "Geirhos et al. 2021", "size": size}
        new |= {"archives": model_vs_human.KEYS, "read": partial(read, str(name))}
        if name in twins:
            yield replace(twins[name], note=f"{twins[name].name} {SAME}", **new)
        else:
            yield DataSet(**new | ({"truth": STYLE} if name == "stylized" else {}))


def _of_the_same_pictures() -> Iterator[DataSet]:
    yield DataSet(
        "gavrikov2025/cue-conflict",
        "Gavrikov et al. 2025",
        (1280, 70, len(CATEGORIES)),
        (gavrikov2025.VLM_SHAPEBIAS,),
        gavrikov2025.read,
        SHAPE,
        "the pictures of geirhos2020/cue-conflict; a model counts once for each way of asking",
        clusters=geirhos2020.exemplars,
    )
    yield DataSet(
        "huber2022/cue-conflict",
        "Huber et al. 2022",
        (240, 11, len(CATEGORIES)),
        (huber2022.DEVELOPMENT,),
        huber2022.read,
        "the shape; the texture shows another class",
        "240 pictures of geirhos2020/cue-conflict and those who saw them all; of 49 more people, "
        "most of them children, each saw fewer: erralign.sources.huber2022.seen_by",
        clusters=geirhos2020.exemplars,
    )


def _questions() -> Iterator[DataSet]:
    for name, trials in naep.SUBJECTS.items():
        yield DataSet(
            f"naep/{name}",
            "Säuberli et al. 2025",
            (trials, 18, len(naep.OPTIONS)),
            (naep.PSYCHOMETRICS,),
            partial(naep.read, name),
            PLACE,
            f"{OPTION}; what share of students chose it: erralign.sources.naep.students",
        )
    yield DataSet(
        "mmlu-pro",
        "Wang et al. 2024",
        (mmlu_pro.N_ITEMS, 28, len(mmlu_pro.LETTERS)),
        (mmlu_pro.MMLU_PRO,),
        mmlu_pro.read,
        PLACE,
        f"{OPTION}; items with one key in all files; what the files hold: erralign.sources.mmlu_pro.items",
    )
    yield DataSet(
        "llmjudge",
        "Rahmani et al. 2025",
        (4423, 33, len(llmjudge.GRADES)),
        (llmjudge.JUDGES, llmjudge.ASSESSORS),
        llmjudge.read,
        "the grade that an assessor gave: how relevant a passage is to a query",
        clusters=llmjudge.queries,
    )
    for name, (_, trials, systems) in agents.BENCHMARKS.items():
        size, read = (trials, systems, len(agents.CLASSES)), partial(agents.read, name)
        truth = "right, on each task: all that is known is right or wrong"
        yield DataSet(name, "Ge et al. 2026", size, (agents.AGENTS,), read, truth)
