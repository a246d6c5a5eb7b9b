"""Answers of people and public models on the 17 data sets of the benchmark model-vs-human (Geirhos et al. 2021)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from erralign.errors import DataError
from erralign.responses import Responses
from erralign.sources.trials import CATEGORIES, MODEL_VS_HUMAN, class_ids, parts_of_name, person_file, read_file_of

SWAG = "bethgelab/model-vs-human@93ee6766db71bc99de23a16cf5216acff181b470"
THIERINGER = "TizianThieringer/model-vs-human@17729b8167520f682d93d55c340c27de07bb2681"
ARCHIVES = {"swag": SWAG, "Thieringer": THIERINGER}
KEYS = (MODEL_VS_HUMAN, SWAG, THIERINGER)
HERE = Path(__file__).parent


@cache
def data_sets() -> pd.DataFrame:
    """Return the 17 data sets of the benchmark with their sizes.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``data_set`` (the folder's name): ``trials``, ``conditions``, ``people``, and ``models`` (with an
        answer to every trial).

    Examples
    --------
    >>> int(data_sets()["conditions"].sum())
    78
    """
    return pd.read_csv(HERE / "model-vs-human-data-sets.csv", index_col="data_set")


@cache
def models() -> pd.DataFrame:
    """Return every model of which at least one of the two public archives has answers.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, 34 rows: ``archive`` (key of :data:`ARCHIVES`), ``name`` (as in the files), ``family``,
        ``identical_to`` (another system with the same answers to every trial; empty for most), ``no_file_for`` (data
        sets without a file, between spaces). Where two archives have one name, the system's name ends with the
        archive, unless the answers are the same in both.

    Examples
    --------
    >>> [name for name in models().index if name.startswith("resnet50 ")]
    ['resnet50 (swag)', 'resnet50 (Thieringer)']
    """
    table = pd.read_csv(HERE / "model-vs-human-systems.csv", index_col="system", keep_default_na=False)
    return table[["archive", "name", "family", "identical_to", "no_file_for"]]


@cache
def excluded_conditions() -> frozenset[tuple[str, str]]:
    """Return the 32 of 78 conditions that the benchmark leaves out of its scores.

    From the plotting code of bethgelab/model-vs-human (79ed7cd; the same on the branch swag), whose reason is an
    undistorted control condition, or a mean accuracy of people below 0.2. Labels are the text of the files with trials.

    Returns
    -------
    frozenset of tuple of str
        Data set and condition.

    Examples
    --------
    >>> len(excluded_conditions()), ("colour", "cr") in excluded_conditions()
    (32, True)
    """
    table = pd.read_csv(HERE / "model-vs-human-excluded-conditions.csv", dtype=str, keep_default_na=False)
    return frozenset(table.itertuples(index=False, name=None))


def model_file(data_set: str, system: str) -> tuple[str, str]:
    """Name the archive and the file with one model's trials.

    Parameters
    ----------
    data_set : str
        A name in :func:`data_sets`.
    system : str
        A name in :func:`models`.

    Returns
    -------
    tuple of str
        ``owner/name@commit`` and the path; file names have ``-`` where the model's name has ``_``.

    Examples
    --------
    >>> model_file("edge", "swag_vit_b16_in1k")[1]
    'raw-data/edge/edge_swag-vit-b16-in1k_session-1.csv'
    """
    row = _facts(system)
    return ARCHIVES[row["archive"]], f"raw-data/{data_set}/{data_set}_{row['name'].replace('_', '-')}_session-1.csv"


def has_file(data_set: str, system: str) -> bool:
    """Return whether a model has a file of trials on a data set, complete or not.

    Parameters
    ----------
    data_set : str
        A name in :func:`data_sets`.
    system : str
        A name in :func:`models`.

    Returns
    -------
    bool
        False for ten data sets of one model.

    Examples
    --------
    >>> has_file("edge", "inception_v1"), has_file("sketch", "inception_v1")
    (True, False)
    """
    return data_set not in _facts(system)["no_file_for"].split()


def _facts(system: str) -> dict[str, str]:
    """Return the row of :func:`models` for one of them."""
    return dict(models().loc[[system]].iloc[0])


def trials_of(data_set: str, system: str) -> pd.DataFrame:
    """Read the trials of one person or one model in the order of the file.

    Parameters
    ----------
    data_set : str
        A name in :func:`data_sets`.
    system : str
        ``"subject-01"`` …, or a name out of :func:`models`.

    Returns
    -------
    pandas.DataFrame
        As :func:`erralign.sources.trials.read_file` returns it.

    Raises
    ------
    DataError
        The file is missing or damaged, or is about another system.
    """
    person = system.startswith("subject-")
    key, member = (MODEL_VS_HUMAN, person_file(data_set, int(system[-2:]))) if person else model_file(data_set, system)
    name = system if person else _facts(system)["name"]
    return read_file_of(name, key, member, parts=parts_of_name(data_set))


@cache
def all_answers(data_set: str) -> tuple[pd.Series, pd.DataFrame]:
    """Read the answers of everybody who has a file on one data set, each aligned to the images of subject-01.

    Every file of models is in it: copies, systems at chance, and files that lack trials.

    Parameters
    ----------
    data_set : str
        A name in :func:`data_sets`.

    Returns
    -------
    tuple
        True class ids, indexed by ``condition`` and ``image``; and a DataFrame of answers with one column per system,
        with -1 for "no answer in time" and nan where a file has no such trial.

    Raises
    ------
    DataError
        A file is missing or damaged, repeats an image, or shows one that people did not see.
    """
    first = trials_of(data_set, "subject-01")
    index = pd.MultiIndex.from_frame(first[["condition", "image"]])
    truth = pd.Series(class_ids(first["category"]), index=index, name="truth")
    people = [f"subject-{i + 1:02d}" for i in range(data_sets()["people"][data_set])]
    systems = [*people, *(system for system in models().index if has_file(data_set, system))]
    columns = {system: _aligned(data_set, system, first["image"]) for system in systems}
    return truth, pd.DataFrame(columns).set_index(index)


def _aligned(data_set: str, system: str, images: pd.Series) -> np.ndarray:
    trials = trials_of(data_set, system).set_index("image")
    if not trials.index.is_unique or not trials.index.isin(images).all():
        raise DataError(f"{data_set}, {system}: images do not match those of subject-01, each once; fetch them anew")
    ids = pd.Series(class_ids(trials["object_response"]), index=trials.index)
    return ids.reindex(images).to_numpy()


def read(data_set: str) -> Responses:
    """Read the answers of people and models on one data set.

    Parameters
    ----------
    data_set : str
        A name in :func:`data_sets`.

    Returns
    -------
    Responses
        People first. Trials are named by ``condition`` (the text of people's files) and ``image``, and aligned by
        image. A model whose file lacks trials is left out of that data set, and of two models with the same answers to
        every trial of all data sets the second is. Models at chance, and copies under another name, are in:
        :func:`erralign_book.papers.klein2025.model_files` lists them. -1 where a person gave no answer in time.

    Raises
    ------
    DataError
        A file is missing or damaged.
    """
    truth, answers = all_answers(data_set)
    again = models().index[models()["identical_to"] != ""]
    answers = answers.drop(columns=again.intersection(answers.columns)).dropna(axis=1).astype(np.int64)
    systems = _systems(answers.columns)
    return Responses(f"model-vs-human/{data_set}", truth.copy(), answers, CATEGORIES, systems)


def _systems(names: pd.Index) -> pd.DataFrame:
    table = models().reindex(names)
    human = names.str.startswith("subject-")
    return pd.DataFrame(
        {
            "kind": np.where(human, "human", "model"),
            "family": table["family"].fillna("Human"),
            "source": table["archive"].map(ARCHIVES).fillna(MODEL_VS_HUMAN),
        },
        index=names,
    ).rename_axis("system")


def used_conditions(responses: Responses) -> Responses:
    """Keep the trials of the conditions that the benchmark scores.

    Parameters
    ----------
    responses : Responses
        A data set as :func:`read` returns it.

    Returns
    -------
    Responses
        46 of the 78 conditions over all 17 data sets; each data set keeps at least one.
    """
    data_set = responses.name.partition("/")[2]
    conditions = responses.truth.index.get_level_values("condition")
    kept = np.array([(data_set, condition) not in excluded_conditions() for condition in conditions])
    return responses.select(trials=kept)
