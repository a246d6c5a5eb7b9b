"""Trials of people and networks in the form of model-vs-human: one CSV file per system, one row per trial."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from erralign._validation import DataError
from erralign.datasets.archives import open_member

MODEL_VS_HUMAN = "bethgelab/model-vs-human@79ed7cd1d9ac3a114e71b6638f0a98bdd627316c"
_NAMES = "airplane bear bicycle bird boat bottle car cat chair clock dog elephant keyboard knife oven truck"
CATEGORIES = tuple(_NAMES.split())
# In these sets the part after the last "_" names the image; in all others only the last two parts together do.
_ONE_PART_NAMES = ("sketch", "stylized", "edge", "silhouette", "cue-conflict")


def class_ids(names: Iterable[str]) -> np.ndarray:
    """Turn names of categories into class ids."""
    return pd.Index(CATEGORIES).get_indexer(pd.Index(names)).astype(np.int64)


def person_file(data_set: str, person: int) -> str:
    """Name the file with one person's trials."""
    return f"raw-data/{data_set}/{data_set}_subject-{person:02d}_session_1.csv"


def parts_of_name(data_set: str) -> int:
    """Return how many parts at the end of ``imagename`` name the image in a data set of model-vs-human."""
    return 1 if data_set in _ONE_PART_NAMES else 2


def read_file(key: str, member: str, *, parts: int = 1) -> pd.DataFrame:
    """Read one file of trials, all columns as text, with the image's identity added; ``rt`` is in seconds."""
    # As text: pandas would guess "condition" to be a number in one file and text in the next.
    trials = pd.read_csv(open_member(key, member), dtype=str, keep_default_na=False)
    image = trials["imagename"].str.split("_").str[-parts:].str.join("_")
    return trials.assign(image=image)[["subj", "condition", "image", "category", "object_response", "rt"]]


def times_of(trials: pd.DataFrame, images: pd.Index) -> np.ndarray:
    """Return how many seconds a system took over each image, from its trials by image; missing where not in time."""
    return pd.to_numeric(trials["rt"].loc[images], errors="coerce").to_numpy(float)


def read_file_of(system: str, key: str, member: str, *, parts: int = 1) -> pd.DataFrame:
    """Read one file of trials after a check that it is about the system that it should be about."""
    trials = read_file(key, member, parts=parts)
    if set(trials["subj"]) != {system}:
        raise DataError(f"{member} of {key} is about {trials['subj'].iloc[0]}; expected {system}")
    return trials


def read_trials(data_set: str, person: int) -> pd.DataFrame:
    """Read one person's trials in model-vs-human, all columns as text, with the image's identity added."""
    member = person_file(data_set, person)
    return read_file(MODEL_VS_HUMAN, member, parts=parts_of_name(data_set)).drop(columns="subj")
