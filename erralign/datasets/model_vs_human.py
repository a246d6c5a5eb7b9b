"""Answers of people and public models on the 17 data sets of the benchmark model-vs-human (Geirhos et al. 2021)."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from erralign._validation import DataError
from erralign.datasets.trials import (
    CATEGORIES,
    MODEL_VS_HUMAN,
    class_ids,
    parts_of_name,
    person_file,
    read_file_of,
    times_of,
)
from erralign.responses import Responses

_SWAG = "bethgelab/model-vs-human@93ee6766db71bc99de23a16cf5216acff181b470"
_THIERINGER = "TizianThieringer/model-vs-human@17729b8167520f682d93d55c340c27de07bb2681"
_ARCHIVE_OF = {"swag": _SWAG, "Thieringer": _THIERINGER}
ARCHIVES = (MODEL_VS_HUMAN, _SWAG, _THIERINGER)
_HERE = Path(__file__).parent


@cache
def data_sets() -> pd.DataFrame:
    """Return the 17 data sets of the benchmark with their sizes."""
    return pd.read_csv(_HERE / "model-vs-human-data-sets.csv", index_col="data_set")


@cache
def models() -> pd.DataFrame:
    """Return every model of which at least one of the two public archives has answers."""
    table = pd.read_csv(_HERE / "model-vs-human-systems.csv", index_col="system", keep_default_na=False)
    return table[["archive", "name", "family", "identical_to", "no_file_for"]]


@cache
def excluded_conditions() -> frozenset[tuple[str, str]]:
    """Return the 32 of 78 conditions that the benchmark leaves out of its scores.

    From the plotting code of bethgelab/model-vs-human (79ed7cd; the same on the branch swag), whose reason is an
    undistorted control condition, or a mean accuracy of people below 0.2.
    """
    table = pd.read_csv(_HERE / "model-vs-human-excluded-conditions.csv", dtype=str, keep_default_na=False)
    return frozenset(table.itertuples(index=False, name=None))


def _model_file(data_set: str, system: str) -> tuple[str, str]:
    """Name the archive and the file with one model's trials."""
    archive, name = map(str, models().loc[system, ["archive", "name"]])
    return _ARCHIVE_OF[archive], f"raw-data/{data_set}/{data_set}_{name.replace('_', '-')}_session-1.csv"


def trials_of(data_set: str, system: str) -> pd.DataFrame:
    """Read the trials of one person or one model in the order of the file."""
    person = system.startswith("subject-")
    key, member = (MODEL_VS_HUMAN, person_file(data_set, int(system[-2:]))) if person else _model_file(data_set, system)
    name = system if person else str(models().loc[system, "name"])
    return read_file_of(name, key, member, parts=parts_of_name(data_set))


@cache
def all_answers(data_set: str) -> tuple[pd.Series, pd.DataFrame]:
    """Read the answers of all who have a file on one data set, copies and all, aligned to the images of subject-01."""
    first = trials_of(data_set, "subject-01")
    index = pd.MultiIndex.from_frame(first[["condition", "image"]])
    truth = pd.Series(class_ids(first["category"]), index=index, name="truth")
    people = [f"subject-{i + 1:02d}" for i in range(data_sets()["people"][data_set])]
    lacking = models()["no_file_for"].str.split().map(lambda data_sets: data_set in data_sets)
    systems = [*people, *models().index[~lacking]]
    columns = {}
    for system in systems:
        trials = trials_of(data_set, system).set_index("image")
        if not trials.index.is_unique or not trials.index.isin(first["image"]).all():
            raise DataError(f"{data_set}, {system}: images do not match subject-01's, each once; fetch them anew")
        ids = pd.Series(class_ids(trials["object_response"]), index=trials.index)
        columns[system] = ids.reindex(first["image"]).to_numpy()
    return truth, pd.DataFrame(columns, index)


def read(data_set: str) -> Responses:
    """Read the answers of people and models on one data set, and people's times."""
    truth, answers = all_answers(data_set)
    images, times = truth.index.get_level_values("image"), {}
    for person in map(str, answers.filter(like="subject-")):
        times[person] = times_of(trials_of(data_set, person).set_index("image"), images)
    again = models().index[models()["identical_to"] != ""]
    answers = answers.drop(columns=again.intersection(answers.columns)).dropna(axis=1).astype(np.int64)
    facts = models().reindex(answers.columns)
    kind = np.where(answers.columns.str.startswith("subject-"), "human", "model")
    source = facts["archive"].map(_ARCHIVE_OF).fillna(MODEL_VS_HUMAN)
    systems = pd.DataFrame({"kind": kind, "family": facts["family"].fillna("Human"), "source": source})
    systems = systems.rename_axis("system")
    seconds = pd.DataFrame(times, index=truth.index)
    return Responses(f"model-vs-human/{data_set}", truth.copy(), answers, CATEGORIES, systems, times=seconds)


def used_conditions(responses: Responses) -> Responses:
    """Keep the trials of the conditions that the benchmark scores."""
    data_set = responses.name.partition("/")[2]
    conditions = responses.truth.index.get_level_values("condition")
    is_used = np.array([(data_set, condition) not in excluded_conditions() for condition in conditions])
    return responses.select(trials=is_used)
