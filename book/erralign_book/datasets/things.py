"""THINGS: which of three things is the odd one out? Answers of people, embeddings of 1,854 concepts, pictures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import loadmat

from erralign._validation import check_choice
from erralign.datasets.archives import manifest, open_member
from erralign.datasets.stimuli import THINGS as PICTURES

SEMANTIC = "MirkoTh/semantic-representations-ID@84e6e82476763ab8c597709e32986c9a0c3a6c52"
VICE = "LukasMut/VICE@5f80103ef4c9eb29477c4cadb1c9c54476d59e97"
PERTURBATIONS = "marrenj/cvpr_perturbations@9820d612f66d3c2386e22159e1a6f841974efeb7"
N_OBJECTS = 1854
# They overlap, and "train" and "test" mean nothing across them: only their union is used.
_ONE_STUDY = (
    "data/test_10.txt",
    "data/test_10_ID.txt",
    "data/test_10_ID_old.txt",
    "data/test_shuffled_10_ID.txt",
    "data/train_90_ID_smallsample.txt",
)
# Ten people of the same study, numbered 0 to 9, then those of a second one.
_TWO_STUDIES = "data/study1-2025-08/ooo_data_modeling_old_and_new_testcase.txt"
EMBEDDINGS: dict[str, tuple[str, str] | np.ndarray] = {
    "SPoSE": (SEMANTIC, "data/spose49-embeddings.npy"),
    "VICE": (VICE, "embeddings/things/final_embedding.npy"),
    "CLIP ViT-B/32": (SEMANTIC, "data/clip-vit-base-p32-embeddings.npy"),
    "word2vec": (SEMANTIC, "data/word2vec-embeddings.npy"),
}
"""Embeddings of the 1,854 concepts to the archive and file that holds each, or to the rows of a reader's network."""
# Two files have their rows, and the second study its numbers, in another order than the list of concepts: by what text
# they are sorted. No document says so; a test shows it from the data.
_SORTED_BY: dict[str, Callable[[str], str]] = {"CLIP ViT-B/32": str.upper, "VICE": "{}_01b".format}
SECOND_STUDY_BY: Callable[[str], str] = str.upper


def _rows(member: str) -> np.ndarray:
    table = pd.read_csv(open_member(SEMANTIC, member), sep=" ", header=None)
    return table.to_numpy(np.int64)


@cache
def _two_studies() -> tuple[np.ndarray, np.ndarray]:
    rows = _rows(_TWO_STUDIES)
    of_first = rows[:, 3] < 10
    return rows[of_first], rows[~of_first]


def sorted_pairs(triplets: np.ndarray) -> np.ndarray:
    """Write triplets in one way: the two that were not chosen in the order of their numbers, then the odd one out."""
    return np.column_stack([triplets[:, :2].min(axis=1), triplets[:, :2].max(axis=1), triplets[:, 2]])


@cache
def triplets() -> np.ndarray:
    """Return what people answered in the first study: each triplet with each answer that somebody gave, once."""
    rows = [*(_rows(member) for member in _ONE_STUDY), _two_studies()[0]]
    answers = np.concatenate([sorted_pairs(each[:, :3]) for each in rows])
    unique = np.unique(answers @ [N_OBJECTS**2, N_OBJECTS, 1])
    found = np.column_stack([unique // N_OBJECTS**2, unique // N_OBJECTS % N_OBJECTS, unique % N_OBJECTS])
    found.flags.writeable = False
    return found


@cache
def concepts() -> pd.DataFrame:
    """List the 1,854 objects, and the picture of each that people judged.

    From the ``image_name`` column of ``data/spose_embedding66d_rescaled.csv`` in marrenj/cvpr_perturbations (9820d61),
    matched by name; the folder is where jobellet/psychophysics (df02d2c) has the picture.
    """
    table = pd.read_csv(Path(__file__).parent / "things-judged-images.csv", keep_default_na=False, index_col="object")
    there = table["folder"] != ""
    member = ("shared-resources/things_images/" + table["folder"] + "/" + table["image"]).where(there, "")
    return table.assign(member=member)


def pictures() -> pd.DataFrame:
    """List the pictures that people judged and that are public."""
    members = manifest()[PICTURES]["members"]
    table = concepts().query("member != ''")[["concept", "member"]]
    return table.assign(sha256=[members[member]["sha256"] for member in table["member"]])


@contextmanager
def registered(name: str, rows: np.ndarray) -> Iterator[None]:
    """Let a reader's network be one more embedding: one row per concept, nan for those of which it saw no picture."""
    EMBEDDINGS[name] = rows
    embedding.cache_clear()
    try:
        yield
    finally:
        del EMBEDDINGS[name]
        embedding.cache_clear()


@cache
def embedding(name: str, *, as_shipped: bool = False) -> np.ndarray:
    """Return an embedding of the 1,854 concepts."""
    check_choice("name", name, EMBEDDINGS)
    place = EMBEDDINGS[name]
    if isinstance(place, np.ndarray):
        return place
    shipped = np.load(open_member(*place)).astype(np.float64)
    rows = shipped if as_shipped or name not in _SORTED_BY else np.empty_like(shipped)
    if rows is not shipped:
        rows[objects_sorted_by(_SORTED_BY[name])] = shipped
    rows.flags.writeable = False
    return rows


def objects_sorted_by(text: Callable[[str], str]) -> np.ndarray:
    """Return which object has each place if the names are sorted by another text of theirs."""
    return np.argsort(concepts()["concept"].map(text).to_numpy(str))


def repeated_triplets() -> pd.DataFrame:
    """Return how far people agree on triplets that many of them were asked."""
    table = pd.read_csv(open_member(SEMANTIC, "data/triplets-delta.csv"))
    columns = {"id_lo": "first", "id_mid": "second", "id_hi": "third"}
    columns |= {"n_per_triplet": "answers", "prop_max": "most_frequent"}
    return table[list(columns)].rename(columns=columns)


def answers_as_given() -> np.ndarray:
    """Return what 264 people of the first study answered, a triplet as often as it was asked."""
    return sorted_pairs(_rows(_ONE_STUDY[1])[:, :3])


@cache
def answers_of_people(*, as_shipped: bool = False) -> pd.DataFrame:
    """Return what each of 199 people of a second study answered to the same 440 triplets.

    Half of the triplets were chosen where two models differ, half at random: people agree less on them than on others,
    so no ceiling follows from them. Their numbers are put right unless they are wanted as shipped.
    """
    rows = _two_studies()[1]
    numbers = rows[:, :3] if as_shipped else objects_sorted_by(SECOND_STUDY_BY)[rows[:, :3]]
    objects = np.sort(numbers, axis=1)
    table = pd.DataFrame(objects, columns=["first", "second", "third"])
    table = table.assign(person=rows[:, 3], odd=(objects < numbers[:, [2]]).sum(axis=1))
    wide = table.set_index(["first", "second", "third", "person"])["odd"].unstack()
    return wide.rename(columns="person {}".format).rename_axis(columns=None)


def forty_eight() -> tuple[np.ndarray, np.ndarray]:
    """Return how differently people see 48 of the objects of THINGS, from all triplets of them."""
    matrix = loadmat(open_member(PERTURBATIONS, "data/RDM48_triplet.mat"))["RDM48_triplet"]  # type: ignore[arg-type]
    names = pd.read_csv(open_member(PERTURBATIONS, "data/spose_embedding66d_rescaled_48val_reordered.csv"))
    places = pd.Index(concepts()["image"]).get_indexer(names["image_name"])
    return places, matrix
