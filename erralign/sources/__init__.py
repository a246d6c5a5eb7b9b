"""Public data by name."""

from collections.abc import Iterator

import pandas as pd

from erralign.errors import expected
from erralign.responses import Responses
from erralign.sources import (
    agents,
    examples,
    gavrikov2025,
    geirhos2020,
    huber2022,
    mmlu_pro,
    model_vs_human,
    naep,
    xu2024,
)
from erralign.sources.archives import fetch, is_there, manifest
from erralign.sources.logs import read_logs
from erralign.sources.own import read_answers
from erralign.sources.trials import CATEGORIES, MODEL_VS_HUMAN

__all__ = ["EXAMPLES", "READERS", "catalog", "is_here", "load", "material", "read_answers", "read_logs"]

# Paper to the archives that its reader needs, and the reader.
READERS = {
    "xu2024": ((xu2024.ERROR_ALIGN, MODEL_VS_HUMAN), xu2024.read),
    "geirhos2020": ((geirhos2020.ERROR_CONSISTENCY,), geirhos2020.read),
    "model-vs-human": (model_vs_human.KEYS, model_vs_human.read),
    "gavrikov2025": ((gavrikov2025.VLM_SHAPEBIAS,), gavrikov2025.read),
    "huber2022": ((huber2022.DEVELOPMENT,), huber2022.read),
    "naep": ((naep.PSYCHOMETRICS,), naep.read),
    "mmlu-pro": ((mmlu_pro.MMLU_PRO,), lambda _: mmlu_pro.read()),
} | dict.fromkeys(agents.BENCHMARKS, ((agents.AGENTS,), agents.read))
# What the true class is, where it is not the object in the picture and no more.
_SHAPE = "the shape; the texture shows another class (in 80 of 1,280 pictures the same)"
_STYLE = "the object in the photograph; the texture is that of a painting"
TRUTH = {
    "example/animals": "the animal",
    "example/twelve-pictures": "the animal",
    "geirhos2020/cue-conflict": _SHAPE,
    "model-vs-human/cue-conflict": _SHAPE,
    "gavrikov2025/cue-conflict": _SHAPE,
    "huber2022/cue-conflict": "the shape; the texture shows another class",
    "model-vs-human/stylized": _STYLE,
    "xu2024/stylized": _STYLE,
    "xu2024/image_net_a": "the ImageNet class of the object",
    "xu2024/mpii_cooking": "the activity in the video",
    "xu2024/epic_kitchen": "the activity in the video",
    "mmlu-pro": "the place of the right option",
} | {f"naep/{subject}": "the place of the right option" for subject in naep.SUBJECTS}
TRUTH |= dict.fromkeys(agents.BENCHMARKS, "right, on each task: all that is known is right or wrong")
# The two papers show the same pictures to the same people under slightly different names.
_TWINS = {"cue-conflict": "cue-conflict", "edges": "edge", "silhouettes": "silhouette"}
_SAME = "has the same pictures, people and answers of people, and mostly other networks"
NOTES = {f"geirhos2020/{name}": f"model-vs-human/{twin} {_SAME}" for name, twin in _TWINS.items()} | {
    f"model-vs-human/{twin}": f"geirhos2020/{name} {_SAME}" for name, twin in _TWINS.items()
}
NOTES |= {
    "gavrikov2025/cue-conflict": "the pictures of geirhos2020/cue-conflict; a model counts once for each way of asking",
    "huber2022/cue-conflict": "240 pictures of geirhos2020/cue-conflict and those who saw them all; of 49 more people, "
    "most of them children, each saw fewer: erralign.sources.huber2022.seen_by",
} | {
    f"naep/{subject}": "a class is the place of an option, and means something else on each question; what share of "
    "students chose it: erralign.sources.naep.students"
    for subject in naep.SUBJECTS
}
NOTES["mmlu-pro"] = (
    "a class is the place of an option, and means something else on each question; items with one key in all files; "
    "what the files hold: erralign.sources.mmlu_pro.items"
)
EXAMPLES = {"example/twelve-pictures": examples.twelve_pictures, "example/animals": examples.animals}


def catalog() -> pd.DataFrame:
    """List the data sets that :func:`load` knows.

    Returns
    -------
    pandas.DataFrame
        One row per data set: ``name``, ``paper``, ``trials``, ``systems``, ``classes``, ``truth`` (what the true class
        of a trial is), ``note`` (how it differs from another data set), ``source`` (repository and commit),
        ``licence``.

    Examples
    --------
    >>> catalog().set_index("name").loc["xu2024/stylized", ["trials", "systems"]].astype(int).tolist()
    [800, 27]
    """
    table = pd.DataFrame(_rows(), columns=["name", "paper", "trials", "systems", "classes", "source"])
    names, licences = table["name"], {key: entry["licence"] for key, entry in manifest().items()}
    table.insert(5, "truth", names.map(TRUTH).fillna("the object in the picture"))
    table.insert(6, "note", names.map(NOTES).fillna(""))
    return table.assign(licence=table["source"].map(licences).fillna("CC BY 4.0"))


def _rows() -> Iterator[tuple[str, str, int, int, int, str]]:
    for name, make in EXAMPLES.items():
        yield name, "", *make().answers.shape, len(make().classes), "made up"
    for data_set, size in xu2024.data_sets().iterrows():
        systems = size["people"] + size["models"]
        yield f"xu2024/{data_set}", "Xu et al. 2024", size["trials"], systems, size["classes"], xu2024.ERROR_ALIGN
    n_classes = len(CATEGORIES)
    for name, n in geirhos2020.DATA_SETS.items():
        source = geirhos2020.ERROR_CONSISTENCY
        yield f"geirhos2020/{name}", "Geirhos et al. 2020", n, len(geirhos2020.systems()), n_classes, source
    # People's repository stands for the three; systems say which one theirs is.
    for data_set, size in model_vs_human.data_sets().iterrows():
        systems = size["people"] + size["models"]
        yield f"model-vs-human/{data_set}", "Geirhos et al. 2021", size["trials"], systems, n_classes, MODEL_VS_HUMAN
    yield "gavrikov2025/cue-conflict", "Gavrikov et al. 2025", 1280, 70, n_classes, gavrikov2025.VLM_SHAPEBIAS
    yield "huber2022/cue-conflict", "Huber et al. 2022", 240, 11, n_classes, huber2022.DEVELOPMENT
    for name, n in naep.SUBJECTS.items():
        n_models, n_options = len(naep.models()), len(naep.OPTIONS)
        yield f"naep/{name}", "Säuberli et al. 2025", n, n_models, n_options, naep.PSYCHOMETRICS
    n_models, n_options = len(mmlu_pro.models()), len(mmlu_pro.LETTERS)
    yield "mmlu-pro", "Wang et al. 2024", mmlu_pro.N_ITEMS, n_models, n_options, mmlu_pro.MMLU_PRO
    for name, (_, n, systems) in agents.BENCHMARKS.items():
        yield name, "Ge et al. 2026", n, systems, len(agents.CLASSES), agents.AGENTS


def is_here(name: str) -> bool:
    """Return whether :func:`load` can load a data set without the network."""
    _check_name(name)
    return name in EXAMPLES or all(map(is_there, READERS[name.partition("/")[0]][0]))


def load(name: str, *, download: bool = False) -> Responses:
    """Load a public data set: what every system answered on every trial.

    Parameters
    ----------
    name : str
        A name in :func:`catalog`, such as ``"xu2024/stylized"``.
    download : bool
        Whether to fetch what is not on this machine. By default, nothing is fetched from the internet.

    Returns
    -------
    Responses
        The true classes, the answers, the names of the classes, and what the systems are.

    Raises
    ------
    ValueError
        The catalogue does not list the name.
    DataError
        The data are not on this machine, or damaged.
    """
    _check_name(name)
    if name in EXAMPLES:
        return EXAMPLES[name]()
    paper, _, data_set = name.partition("/")
    keys, read = READERS[paper]
    for key in keys if download else ():
        fetch(key)
    return read(data_set or paper)


def material(responses: Responses) -> pd.DataFrame | None:
    """Return what trials of a data set share with other trials, for ``clusters=`` of intervals.

    Each of the 1,280 pictures of cue conflict has its shape from one of 160 photographs and its texture from one of 48.
    """
    return geirhos2020.exemplars(responses.truth.index) if responses.name.endswith("/cue-conflict") else None


def _check_name(name: str) -> None:
    names = list(catalog()["name"])
    if name not in names:
        raise ValueError(f"name is {name!r}; {expected(name, names)} (erralign.catalog() lists all {len(names)})")
