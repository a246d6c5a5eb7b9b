"""Every data set that :func:`erralign.load` knows, a record each: a new one is a record here and its reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial

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
from erralign.datasets.trials import CATEGORIES, MODEL_VS_HUMAN
from erralign.responses import Responses

OBJECT = "the object in the picture"
SHAPE = "the shape; the texture shows another class (in 80 of 1,280 pictures the same)"
ONE_OF_THREE = "the object in the picture; of cue conflicts the shape"
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
    size: tuple[int, int, int, int]  # trials, people, models, classes
    archives: tuple[str, ...]  # of data/manifest.json; the first is the data set's source, systems say which theirs is
    read: Callable[[], Responses] = field(repr=False)
    truth: str = OBJECT  # what the true class is
    note: str = ""  # how it differs from another data set
    printed: str = ""  # its name in the paper
    kind: str = ""  # as the paper calls it
    pictures: str = ""  # where they are public, their folder in stimuli.TEXTURE_VS_SHAPE
    clusters: Callable[[pd.Index], pd.DataFrame] | None = None  # what trials share, out of their names

    @property
    def trials(self) -> int:
        """Return how many trials it has."""
        return self.size[0]

    @property
    def people(self) -> int:
        """Return how many people answered."""
        return self.size[1]

    @property
    def models(self) -> int:
        """Return how many models answered."""
        return self.size[2]

    @property
    def systems(self) -> int:
        """Return how many people and models answered."""
        return self.people + self.models

    @property
    def classes(self) -> int:
        """Return how many classes it has."""
        return self.size[3]

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


@cache
def record(name: str) -> DataSet | None:
    """Return the record of a data set, or of the three of Geirhos et al. as one, which the catalogue does not list."""
    size, archives = (sum(geirhos2020.DATA_SETS.values()), 10, 25, len(CATEGORIES)), (geirhos2020.ERROR_CONSISTENCY,)
    read, shared = geirhos2020.read_all, geirhos2020.exemplars_of_all
    all_three = DataSet("geirhos2020", "Geirhos et al. 2020", size, archives, read, ONE_OF_THREE, clusters=shared)
    return all_three if name == all_three.name else records().get(name)


def _examples() -> Iterator[DataSet]:
    yield DataSet("example/twelve-pictures", "", (12, 4, 0, 3), (), examples.twelve_pictures, "the animal")
    yield DataSet("example/animals", "", (240, 4, 4, 6), (), examples.animals, "the animal")


def _xu2024() -> Iterator[DataSet]:
    truth = {"stylized": STYLE, "image_net_a": "the ImageNet class of the object"}
    truth |= {"mpii_cooking": VIDEO, "epic_kitchen": VIDEO}
    for name, facts in xu2024.data_sets().iterrows():
        size = facts["trials"], facts["people"], facts["models"], facts["classes"]
        archives, read = (xu2024.ERROR_ALIGN, MODEL_VS_HUMAN), partial(xu2024.read, str(name))
        record = DataSet(f"xu2024/{name}", "Xu et al. 2024", size, archives, read, truth.get(str(name), OBJECT))
        yield replace(record, printed=facts["printed"], kind=facts["kind"])


def _geirhos2020() -> Iterator[DataSet]:
    for name, twin, folder in SHARED:
        size, archives = (geirhos2020.DATA_SETS[name], 10, 25, len(CATEGORIES)), (geirhos2020.ERROR_CONSISTENCY,)
        read, note = partial(geirhos2020.read, name), f"model-vs-human/{twin} {SAME}"
        record = DataSet(f"geirhos2020/{name}", "Geirhos et al. 2020", size, archives, read, note=note)
        record = replace(record, pictures=f"stimuli/{folder}")
        yield replace(record, truth=SHAPE, clusters=geirhos2020.exemplars) if name == "cue-conflict" else record


def _model_vs_human() -> Iterator[DataSet]:
    twins = {twin: record for (_, twin, _), record in zip(SHARED, _geirhos2020(), strict=True)}
    for name, facts in model_vs_human.data_sets().iterrows():
        size = facts["trials"], facts["people"], facts["models"], len(CATEGORIES)
        read, truth = partial(model_vs_human.read, str(name)), STYLE if name == "stylized" else OBJECT
        new = DataSet(f"model-vs-human/{name}", "Geirhos et al. 2021", size, model_vs_human.KEYS, read, truth)
        if old := twins.get(str(name)):
            new = replace(new, note=f"{old.name} {SAME}", truth=old.truth, pictures=old.pictures, clusters=old.clusters)
        yield new


def _of_the_same_pictures() -> Iterator[DataSet]:
    name, paper, size = "gavrikov2025/cue-conflict", "Gavrikov et al. 2025", (1280, 0, 70, len(CATEGORIES))
    archives, clusters = (gavrikov2025.VLM_SHAPEBIAS,), geirhos2020.exemplars
    note = "the pictures of geirhos2020/cue-conflict; a model counts once for each way of asking"
    yield DataSet(name, paper, size, archives, gavrikov2025.read, SHAPE, note, clusters=clusters)

    name, paper, size = "huber2022/cue-conflict", "Huber et al. 2022", (240, 6, 5, len(CATEGORIES))
    archives, clusters = (huber2022.DEVELOPMENT,), geirhos2020.exemplars
    truth = "the shape; the texture shows another class"
    note = (
        "240 pictures of geirhos2020/cue-conflict and those who saw them all; of 49 more people, most of them "
        "children, each saw fewer: erralign.datasets.huber2022.seen_by"
    )
    yield DataSet(name, paper, size, archives, huber2022.read, truth, note, clusters=clusters)


def _questions() -> Iterator[DataSet]:
    for subject, trials in naep.SUBJECTS.items():
        paper, size, read = "Säuberli et al. 2025", (trials, 0, 18, len(naep.OPTIONS)), partial(naep.read, subject)
        note = f"{OPTION}; what share of students chose it: erralign.datasets.naep.students"
        yield DataSet(f"naep/{subject}", paper, size, (naep.PSYCHOMETRICS,), read, PLACE, note)

    size = (mmlu_pro.N_ITEMS, 0, 28, len(mmlu_pro.LETTERS))
    note = f"{OPTION}; items with one key in all files; what the files hold: erralign.datasets.mmlu_pro.items"
    yield DataSet("mmlu-pro", "Wang et al. 2024", size, (mmlu_pro.MMLU_PRO,), mmlu_pro.read, PLACE, note)

    size, archives = (4423, 0, 33, len(llmjudge.GRADES)), (llmjudge.JUDGES, llmjudge.ASSESSORS)
    truth = "the grade that an assessor gave: how relevant a passage is to a query"
    yield DataSet("llmjudge", "Rahmani et al. 2025", size, archives, llmjudge.read, truth, clusters=llmjudge.queries)

    truth = "right, on each task: all that is known is right or wrong"
    for name, (_, trials, systems) in agents.BENCHMARKS.items():
        size, read = (trials, 0, systems, len(agents.CLASSES)), partial(agents.read, name)
        yield DataSet(name, "Ge et al. 2026", size, (agents.AGENTS,), read, truth)
