"""People whom we made, for features that a network computed of 1,280 pictures, and heads of two labs."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign.datasets import geirhos2020 as source
from erralign.datasets.stimuli import stimuli
from erralign.responses import Responses
from erralign.training.linear import COMPONENTS, Head, Recipe, linear_head, main_directions
from erralign_book.cells import table
from erralign_book.studies.training.scores import shuffled_within

NETWORK, DATA_SET = "tf_efficientnet_lite0", "cue-conflict"
# The network and the pictures of each part of the frozen features.
PICTURES = (
    (NETWORK, DATA_SET),
    (NETWORK, "edges"),
    (NETWORK, "silhouettes"),
    ("tf_efficientnet_lite2", DATA_SET),
)
N_PEOPLE = 10
HIDDEN = 8  # of the widest directions of the features: what made people look at
LOOK, KNOW, NOISE = 2.0, 2.0, 0.5  # how much they go by that, by the right answer, and by chance


def features_of(network: str, data_set: str) -> pd.DataFrame:
    """Return the frozen features of a data set's pictures, indexed by picture."""
    arrays = table("training/features.npz")
    rows = arrays["features"][arrays["setting"] == PICTURES.index((network, data_set))]
    return pd.DataFrame(rows.astype(np.float64), index=stimuli(f"geirhos2020/{data_set}").index)


class Made(NamedTuple):
    """A world for the labs."""

    features: pd.DataFrame  # of the network, 128 main directions, the widest first: one row per picture
    people: Responses
    material: pd.DataFrame  # the shape and the texture of which each picture is made


@cache
def _pictures() -> tuple[pd.DataFrame, pd.Series, pd.DataFrame]:
    rows = features_of(NETWORK, DATA_SET)
    truth = stimuli(f"geirhos2020/{DATA_SET}")["category"].loc[rows.index]
    X = rows.to_numpy()
    features = main_directions(X @ X.T, np.arange(len(X)))[:, ::-1]
    return pd.DataFrame(features, rows.index), truth, source.exemplars(rows.index)


def _looked_at() -> np.ndarray:
    """Return what made people see of each picture."""
    seen = _pictures()[0].to_numpy()[:, :HIDDEN]
    return seen / seen.std(axis=0)


@cache
def _impressions() -> np.ndarray:
    """Return what each picture looks like by that: log-probabilities of a linear head."""
    codes = np.unique(_pictures()[1], return_inverse=True)[1]
    seen = _looked_at()
    return np.log(linear_head(decay=1e-3)(seen, codes, np.eye(codes.max() + 1)[codes])(seen))


def made(share: float = 1, *, rng: int = 0) -> Made:
    """Return features, and ten people whose failures share a cause.

    They see eight directions of the features and name what a picture looks like by these, unless they know better. Only
    a ``share`` of that impression is the picture's own, and the rest that of another picture of its class. With a share
    of 0 they still fail together, but no feature tells where.
    """
    features, truth, material = _pictures()
    draw, impressions = np.random.default_rng(rng), _impressions()
    classes, codes = np.unique(truth, return_inverse=True)
    if share < 1:
        impressions = share * impressions + (1 - share) * impressions[shuffled_within(codes, draw)]
    leaning = LOOK * impressions + KNOW * np.eye(len(classes))[codes]
    answers = {
        f"made {number + 1}": classes[(leaning + draw.gumbel(0, NOISE, leaning.shape)).argmax(axis=1)]
        for number in range(N_PEOPLE)
    }
    people = Responses.from_table(
        truth, pd.DataFrame(answers, index=features.index), classes=list(classes), kind="human", name="made people"
    )
    return Made(features, people, material)


def made_choices(n_pictures: int = 160, n_triplets: int = 3000, *, rng: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of some pictures, and which of three of them made people find the odd one out: the third.

    They look at the same eight directions, and guess now and then. Triplets number the pictures that were drawn.
    """
    draw, looked_at = np.random.default_rng(rng), _looked_at()
    places = np.sort(draw.permutation(len(looked_at))[:n_pictures])
    triplets = np.stack([draw.choice(n_pictures, 3, replace=False) for _ in range(n_triplets)])
    told = looked_at[places][triplets]
    others = np.stack([(told[:, (k + 1) % 3] * told[:, (k + 2) % 3]).sum(axis=1) for k in range(3)], axis=1)
    odd = (others + draw.gumbel(size=others.shape)).argmax(axis=1)
    order = np.stack([(odd + 1) % 3, (odd + 2) % 3, odd], axis=1)
    return places, np.take_along_axis(triplets, order, axis=1)


def through(W: np.ndarray | None, recipe: Recipe) -> Recipe:
    """Return the recipe of a head that sees pictures through a map, by their main directions after it."""

    def fit(X: Any, truth: np.ndarray, shares: np.ndarray) -> Head:
        Z = X if W is None else X @ W
        mean = Z.mean(axis=0)
        _, sizes, directions = np.linalg.svd(Z - mean, full_matrices=False)
        basis = directions[:COMPONENTS].T * np.sqrt(len(Z) / (sizes**2).sum())
        head = recipe((Z - mean) @ basis, truth, shares)
        return lambda new: head(((new if W is None else new @ W) - mean) @ basis)

    return fit
