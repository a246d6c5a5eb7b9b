"""Answers of ten people and 25 networks on the three data sets of Geirhos, Meding & Wichmann (2020)."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from erralign.datasets.trials import CATEGORIES, class_ids, read_file_of, times_of
from erralign.responses import Responses

ERROR_CONSISTENCY = "wichmann-lab/error-consistency@eb53bdb5d8e48166c56b9201842b19e8259506c5"
ARCHIVES = (ERROR_CONSISTENCY,)
_HERE = Path(__file__).parent
DATA_SETS = {"cue-conflict": 1280, "edges": 160, "silhouettes": 160}
_NAMED_WITHOUT_UNDERSCORE = ("vgg16", "vgg19")
# Accuracy on ImageNet of the networks of the paper's Figure 3, as its regressions use it: from the repository's
# data-analysis/data-analysis-helper.R.
IMAGENET = pd.read_csv(_HERE / "geirhos2020-imagenet.csv", index_col="network")
SIXTEEN = tuple(IMAGENET.index)
# Figure 1 shows four of them, Figures SF.9 to SF.11 the fourteen that have Brain-Scores.
FOUR = ("alexnet", "vgg16-bn", "inception-v3", "resnet50")
FOURTEEN = tuple(network for network in SIXTEEN if network not in ("vgg11-bn", "vgg13-bn"))
# ResNet-50 that learned from pictures redrawn in the style of paintings (section S.6).
_STYLIZED = ("SIN-and-IN-then-finetuned-on-IN", "SIN-and-IN", "SIN")
ON_STYLIZED = tuple(f"resnet50-trained-on-{pictures}" for pictures in _STYLIZED)


@cache
def systems() -> pd.DataFrame:
    """Return the systems, the same 35 in each data set: people first, then the networks of the accuracy table."""
    table = pd.read_csv(_HERE / "geirhos2020-systems.csv", index_col="system")
    kind = np.where(table["family"] == "Human", "human", "model")
    return table.assign(kind=kind, source=ERROR_CONSISTENCY)[["kind", "family", "source", "architecture"]]


def _trial_file(data_set: str, system: str) -> str:
    """Name the file with one system's trials."""
    ending = "_session_1" if systems().loc[system, "kind"] == "human" else "_session-1"
    ending = ending.removeprefix("_") if system in _NAMED_WITHOUT_UNDERSCORE else ending
    return f"raw-data/texture-shape_{data_set}/texture-shape_{data_set}_{system}{ending}.csv"


def trials_of(data_set: str, system: str) -> pd.DataFrame:
    """Read one system's trials in the order of its file."""
    return read_file_of(system, ERROR_CONSISTENCY, _trial_file(data_set, system))


def read(data_set: str) -> Responses:
    """Read the answers of all systems on one data set."""
    by_system = {system: trials_of(data_set, system).set_index("image") for system in systems().index}
    first = by_system["alexnet"]
    answers = {name: class_ids(trials["object_response"].loc[first.index]) for name, trials in by_system.items()}
    truth = pd.Series(class_ids(first["category"]), index=first.index, name="truth")
    times = {}
    for person in systems().index[systems()["kind"] == "human"]:
        times[person] = times_of(by_system[person], first.index)
    tables = pd.DataFrame(answers, index=first.index), CATEGORIES, systems()
    return Responses(f"geirhos2020/{data_set}", truth, *tables, times=pd.DataFrame(times, index=first.index))


def read_all() -> Responses:
    """Read all three as one: a trial has the name of its set in front, as pictures of *Sit the experiment* have."""
    parts = {data_set: read(data_set) for data_set in DATA_SETS}
    truth = pd.concat([part.truth.rename(f"{name}/{{}}".format) for name, part in parts.items()])
    answers = pd.concat([part.answers.rename(f"{name}/{{}}".format) for name, part in parts.items()])
    times = {name: part.times for name, part in parts.items() if part.times is not None}
    seconds = pd.concat([its.rename(f"{name}/{{}}".format) for name, its in times.items()])
    return Responses("geirhos2020", truth, answers, CATEGORIES, systems(), times=seconds)


def textures(images: pd.Index) -> np.ndarray:
    """Return the class of the texture of cue-conflict images, out of their names."""
    return class_ids(images.str.extract(r"-([a-z]+)\d+\.png$", expand=False))


def exemplars(trials: pd.Index) -> pd.DataFrame:
    """Return the two photographs of which each cue-conflict image is made, out of its name."""
    images = trials.get_level_values("image")
    return images.str.extract(r"^(?P<shape>[a-z]+\d+)-(?P<texture>[a-z]+\d+)\.png$").set_index(trials)


def exemplars_of_all(trials: pd.Index) -> pd.DataFrame:
    """Return the same for the three sets as one: what is no cue conflict has a shape, and itself as texture."""
    images = trials.get_level_values("image")
    parts = images.str.extract(r"^(?:.*/)?(?P<shape>[a-z]+\d+)(?:-(?P<texture>[a-z]+\d+))?\.png$")
    return parts.assign(texture=parts["texture"].fillna(images.to_series(index=parts.index))).set_index(trials)
