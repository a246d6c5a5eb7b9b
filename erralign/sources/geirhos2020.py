"""Answers of ten people and 25 networks on the three data sets of Geirhos, Meding & Wichmann (2020)."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from erralign.responses import Responses
from erralign.sources.archives import open_member
from erralign.sources.trials import CATEGORIES, class_ids, read_file, read_file_of

ERROR_CONSISTENCY = "wichmann-lab/error-consistency@eb53bdb5d8e48166c56b9201842b19e8259506c5"
HERE = Path(__file__).parent
DATA_SETS = {"cue-conflict": 1280, "edges": 160, "silhouettes": 160}
NAMED_WITHOUT_UNDERSCORE = ("vgg16", "vgg19")
# Experiment with distorted photographs: its folder, the prefix of people's files, the people, sessions of people and of
# networks.
DISTORTIONS = {
    "uniform noise": ("uniform-noise", "noise-experiment", (1, 2, 3, 5, 6), 1, 7),
    "contrast": ("contrast-png", "contrast-png-experiment", (1, 5, 6), 1, 7),
    "low-pass": ("low-pass", "lowpass-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "high-pass": ("high-pass", "highpass-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "phase scrambling": ("phase-scrambling", "phase-scrambling-experiment", (1, 2, 3, 4, 5, 6), 1, 6),
    "eidolon": ("eidolon", "eidolon-experiment", (3, 5, 6, 7, 8), 3, 2),
}
DISTORTED_NETWORKS = ("cornet-s", "resnet50")
# People to whom photographs were shown in colour (condition cr) or in grey (bw).
COLOUR_PEOPLE = ("subject-01", "subject-02", "subject-03")
BRAIN_SCORE_NAMES = {"resnet-50_v1": "resnet50", "resnet-101_v1": "resnet101", "resnet-152_v1": "resnet152"}


@cache
def systems() -> pd.DataFrame:
    """Return the systems, the same 35 in each data set: people first, then the networks of the accuracy table."""
    table = pd.read_csv(HERE / "geirhos2020-systems.csv", index_col="system")
    kind = np.where(table["family"] == "Human", "human", "model")
    return pd.DataFrame(
        {"kind": kind, "family": table["family"], "source": ERROR_CONSISTENCY, "architecture": table["architecture"]},
        index=table.index,
    )


@cache
def imagenet_accuracies() -> pd.DataFrame:
    """Return the accuracies of the paper's sixteen networks on ImageNet, as the paper's regressions use them.

    From the analysis helpers of wichmann-lab/error-consistency (eb53bdb), ``data-analysis/data-analysis-helper.R``.
    """
    return pd.read_csv(HERE / "geirhos2020-imagenet-accuracies.csv", index_col="network")


def efficientnet_accuracies() -> pd.DataFrame:
    """Return the accuracies of the three EfficientNets on ImageNet, which are not in the paper.

    From the library that runs them, huggingface/pytorch-image-models (0173a13), ``results/results-imagenet.csv``, each
    at its own size of pictures.
    """
    return pd.read_csv(HERE / "efficientnet-imagenet-accuracies.csv", index_col="network")


def trial_file(data_set: str, system: str) -> str:
    """Name the file with one system's trials."""
    ending = "_session-1"
    if system in NAMED_WITHOUT_UNDERSCORE:
        ending = "session-1"
    elif systems().loc[system, "kind"] == "human":
        ending = "_session_1"
    return f"raw-data/texture-shape_{data_set}/texture-shape_{data_set}_{system}{ending}.csv"


def trials_of(data_set: str, system: str) -> pd.DataFrame:
    """Read one system's trials in the order of its file."""
    return read_file_of(system, ERROR_CONSISTENCY, trial_file(data_set, system))


def read(data_set: str) -> Responses:
    """Read the answers of all systems on one data set."""
    by_system = {system: trials_of(data_set, system).set_index("image") for system in systems().index}
    first = by_system["alexnet"]
    answers = {name: class_ids(trials["object_response"].loc[first.index]) for name, trials in by_system.items()}
    truth = pd.Series(class_ids(first["category"]), index=first.index, name="truth")
    return Responses(f"geirhos2020/{data_set}", truth, pd.DataFrame(answers, index=first.index), CATEGORIES, systems())


def textures(images: pd.Index) -> np.ndarray:
    """Return the class of the texture of cue-conflict images, out of their names."""
    return class_ids(images.str.extract(r"-([a-z]+)\d+\.png$", expand=False))


def exemplars(trials: pd.Index) -> pd.DataFrame:
    """Return the two photographs of which each cue-conflict image is made, out of its name."""
    images = trials.get_level_values("image")
    return images.str.extract(r"^(?P<shape>[a-z]+\d+)-(?P<texture>[a-z]+\d+)\.png$").set_index(trials)


def distorted(experiment: str) -> pd.DataFrame:
    """Read the trials of one experiment with distorted photographs.

    People saw almost only other pictures than networks did, and than each other (but for two of them under phase
    scrambling); the two networks saw the same.
    """
    name, prefix, people, of_people, of_networks = DISTORTIONS[experiment]
    folder = f"raw-data/noise-generalisation_{name}/"
    starts = {f"{folder}{prefix}_subject-{person:02d}_session_": of_people for person in people}
    starts |= {f"{folder}noise-generalisation_{name}_{network}_session-": of_networks for network in DISTORTED_NETWORKS}
    files = [f"{start}{session + 1}.csv" for start, sessions in starts.items() for session in range(sessions)]
    return pd.concat([read_file(ERROR_CONSISTENCY, file, parts=2) for file in files], ignore_index=True)


def colour_file(person: str) -> str:
    """Name the file of one person's trials with photographs in colour and in grey."""
    return f"raw-data/noise-generalisation_colour/noise-generalisation_colour_{person}_session_1.csv"


def in_colour_and_grey(person: str) -> pd.DataFrame:
    """Read one person's trials with photographs in colour and in grey: the second and the third saw the same ones."""
    trials = read_file(ERROR_CONSISTENCY, colour_file(person), parts=2)
    trials["image"] = trials["image"].str.replace(".JPEG", ".png", regex=False)
    ids = pd.DataFrame({"truth": class_ids(trials["category"]), "answer": class_ids(trials["object_response"])})
    return ids.set_index(pd.MultiIndex.from_frame(trials[["condition", "image"]]))


def released_percentiles(n_trials: int) -> pd.DataFrame:
    """Read the authors' simulated 95 % percentiles for independent observers: compared with, never committed."""
    member = f"data-analysis/confidence-intervals/{n_trials}_trials.csv"
    columns = ["row", "expected", "observed_low", "observed_high", "EC_low", "EC_high"]
    return pd.read_csv(open_member(ERROR_CONSISTENCY, member), names=columns, header=0).drop(columns="row")


def brain_scores() -> pd.DataFrame:
    """Read the Brain-Scores of those of the sixteen networks that have one, as the paper's appendix uses them."""
    table = pd.read_csv(
        open_member(ERROR_CONSISTENCY, "raw-data/brain-score_metrics/brainscore_metrics.csv"), skipinitialspace=True
    )
    names = table.iloc[:, 0].replace(BRAIN_SCORE_NAMES)
    names = names.replace({"vgg-16": "vgg16-bn", "vgg-19": "vgg19-bn", "inception_v3": "inception-v3"})
    names = names.str.replace(r"^(densenet|resnet)-(\d+)$", r"\1\2", regex=True)
    names = names.str.replace(r"^squeezenet1_", "squeezenet1-", regex=True)
    return table.iloc[:, 1:].set_axis(names.rename("network"))
