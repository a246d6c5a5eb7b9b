"""Intervals and p-values where pictures share material, with that taken into account and without."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from benchmarks.coverage.worlds import N_CLASSES, cells_of_many, consistency_in, held
from erralign._validation import equal_clusters
from erralign.behaviour import misclassification_agreement_from_counts
from erralign.inference import accuracy_intervals, confidence_interval, consistency_with_people, difference_interval
from erralign.measures.matrix import cross_table, joint_answers
from erralign.responses import Responses
from erralign.results import Interval
from erralign.significance import p_value_from_answers
from erralign_book.cells import frozen

PICTURES = 1280
SETS = 1000
RESAMPLES, FEWER_RESAMPLES = 1000, 200


def _ranks(n: int) -> np.ndarray:
    return np.arange(1.0, n + 1)


# What pictures share, in one factor or in two that cross: in what proportion pictures fall into its clusters, and which
# share of what makes a picture hard it has. The last one is the texture, which also draws wrong answers.
SHAPES, TEXTURES = np.ones(160), np.ones(48)
MATERIAL = {
    "nothing": ((SHAPES, 0.0), (TEXTURES, 0.0)),
    "two factors": ((SHAPES, 0.3), (TEXTURES, 0.4)),
    "48, as 1/√rank": ((_ranks(48) ** -0.5, 0.3),),
    "30, as 1/rank": ((1 / _ranks(30), 0.3),),
    "12 equal": ((np.ones(12), 0.3),),
    "12, as 1/rank": ((1 / _ranks(12), 0.3),),
    "one with half": ((np.array([11.0] + [1.0] * 11), 0.3),),
}
# Accuracies of two networks and of people.
ACCURACIES = {"many": (0.8, 0.6, 0.7), "few": (0.97, 0.93, 0.95)}
N_PEOPLE = 3
# Of what makes a picture hard for one system, how much makes it hard for another: by its material, and besides.
ALIKE = 0.7, 0.4
# By material, and besides: how strongly the wrong answer follows the class of the texture.
FOLLOWS = 0.5
SETTINGS = (*product(("nothing", "two factors"), ACCURACIES), *((name, "many") for name in list(MATERIAL)[2:]))


@frozen("coverage/clusters", slow=True, settings=SETTINGS, spot=[("nothing", "few"), ("12 equal", "many")])
def clusters(setting: tuple[str, str]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals where pictures share material, and how often p-values don't reject."""
    # Each of 1,280 pictures belongs to one cluster, or has one of 160 shapes and one of 48 textures.
    rng = np.random.default_rng([SETTINGS.index(setting), 13])
    sets = [_found(*_world(setting, rng), rng) for _ in range(SETS)]
    limits = {name: np.array([each[name] for each, _, _ in sets]) for name in sets[0][0]}
    truths = _truths(setting, limits, np.sum([each for _, each, _ in sets], axis=0))
    worth = min(equal_clusters(_clusters(sizes)) for sizes, _ in MATERIAL[setting[0]])
    joint = np.mean([each.sum() for _, each, _ in sets])
    world = {"material": setting[0], "worth": worth, "errors": setting[1], "joint_errors": joint}
    rows = [
        world | {"value": value, "clusters": given} | held(each[:, 1:], truths[value])
        for (value, given), each in limits.items()
    ]
    p_values = {"coverage": np.mean([p > 0.05 for _, _, p in sets]), "width": np.nan, "undefined": 0.0}
    rows.append(world | {"value": "p of EC", "clusters": True} | p_values)
    return pd.DataFrame(rows)


_SYSTEMS = ["A", "B", *(f"person {i}" for i in range(N_PEOPLE)), "stranger"]
_KINDS = ["model"] * 2 + ["human"] * N_PEOPLE + ["model"]


def _world(setting: tuple[str, str], rng: np.random.Generator) -> tuple[Responses, pd.DataFrame]:
    """Draw new shapes, textures and pictures; the stranger meets the same ones, but finds others hard."""
    factors = MATERIAL[setting[0]]
    material = pd.DataFrame({i: rng.permutation(_clusters(sizes)) for i, (sizes, _) in enumerate(factors)})
    together, besides = ALIKE
    hard = np.sqrt(1 - _by_material(setting)) * _hard(PICTURES, besides, rng)
    for (sizes, share), codes in zip(factors, material.to_numpy().T, strict=True):
        hard += np.sqrt(share) * _hard(len(sizes), together, rng)[:, codes]
    a, b, people = ACCURACIES[setting[1]]
    right = hard < ndtri([a, b, *[people] * N_PEOPLE, b])[:, None]
    truth = rng.integers(N_CLASSES, size=PICTURES)
    answers = np.where(right, truth, _wrong(truth, material.iloc[:, -1].to_numpy(), factors[-1][1], rng))
    columns = pd.DataFrame(answers.T, columns=_SYSTEMS)
    systems = pd.DataFrame({"kind": _KINDS, "family": "", "source": "simulated"}, index=_SYSTEMS)
    classes = tuple(map(str, range(N_CLASSES)))
    return Responses("simulated", pd.Series(truth), columns, classes, systems), material


def _clusters(proportions: np.ndarray) -> np.ndarray:
    """Return the cluster of each picture."""
    ends = np.rint(PICTURES * proportions.cumsum() / proportions.sum()).astype(int)
    return np.repeat(np.arange(len(proportions)), np.diff(ends, prepend=0))


def _by_material(setting: tuple[str, str]) -> float:
    return sum(share for _, share in MATERIAL[setting[0]])


def _hard(n: int, alike: float, rng: np.random.Generator) -> np.ndarray:
    """Draw how hard each of n things is for each system: in part the same for all but the stranger."""
    own, same = rng.standard_normal((len(_SYSTEMS), n)), rng.standard_normal(n)
    shared = np.sqrt(alike) * same + np.sqrt(1 - alike) * own
    shared[-1] = own[-1]
    return shared


def _wrong(truth: np.ndarray, texture: np.ndarray, by_texture: float, rng: np.random.Generator) -> np.ndarray:
    """Draw a wrong answer of every system to every picture: the class of the texture, or any other."""
    drawn = rng.standard_normal(texture.max() + 1)[texture] * np.sqrt(by_texture)
    drawn = drawn + np.sqrt(1 - by_texture) * rng.standard_normal((len(_SYSTEMS), len(truth)))
    other = (truth + rng.integers(1, N_CLASSES, size=drawn.shape)) % N_CLASSES
    named = texture % N_CLASSES
    return np.where((drawn < ndtri(FOLLOWS)) & (named != truth), named, other)


def _found(responses: Responses, material: pd.DataFrame, rng: np.random.Generator) -> tuple:
    """Return values and limits, how often two wrong answers meet, and the p-value of a system that meets nobody."""
    truth, (a, b, c, *_, stranger) = responses.truth.to_numpy(), responses.answers.to_numpy().T
    options: dict[str, Any] = {"clusters": material, "n_resamples": FEWER_RESAMPLES, "n_classes": N_CLASSES, "rng": rng}
    everybody = responses.select(systems=_SYSTEMS[:-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about few clusters
        found = _of_one_pair(responses, None, rng) | _of_one_pair(responses, material, rng)
        found["CLES", True] = _ends(confidence_interval(truth, a, b, "CLES", **options))
        rng.integers(len(truth), size=(FEWER_RESAMPLES, len(truth)))  # as drawn for CLES when other rows were frozen
        found["EC difference", True] = _ends(difference_interval(truth, a, b, c, **options))
        mean = consistency_with_people([everybody], clusters=[material])
        p = p_value_from_answers(truth, a, stranger, clusters=material)
    found["mean EC", True] = tuple(mean.table.loc["A", [mean.measure, "low", "high"]])
    return found, cross_table(*joint_answers(truth, a, b), N_CLASSES), p


def _of_one_pair(responses: Responses, clusters: pd.DataFrame | None, rng: np.random.Generator) -> dict:
    truth, (a, b, *_) = responses.truth.to_numpy(), responses.answers.to_numpy().T
    options: dict[str, Any] = {"clusters": clusters, "n_resamples": RESAMPLES, "n_classes": N_CLASSES, "rng": rng}
    found = {name: _ends(confidence_interval(truth, a, b, name, **options)) for name in ("EC", "MA")}
    accuracy = accuracy_intervals(responses.select(systems=["A"]), clusters=clusters)
    found["accuracy"] = tuple(accuracy.loc["A", ["accuracy", "low", "high"]])
    return {(name, clusters is not None): limits for name, limits in found.items()}


def _ends(interval: Interval) -> tuple[float, float, float]:
    return interval.estimate, interval.low, interval.high


def _truths(setting: tuple[str, str], limits: dict, agreement: np.ndarray) -> dict[str, float]:
    """Return the true values; those of CLES, at these error counts, and of MA come from all data sets together."""
    together, besides = ALIKE
    alike = _by_material(setting) * together + (1 - _by_material(setting)) * besides
    a, b, people = ACCURACIES[setting[1]]
    # The loading of each is the root of what two have in common.
    cells = cells_of_many([a, b, people], [np.sqrt(alike)] * 3)
    of_pair, with_a, with_b = (consistency_in(cells, *pair) for pair in ((0, 1), (0, 2), (1, 2)))
    return {
        "EC": of_pair,
        "MA": misclassification_agreement_from_counts(agreement),
        "CLES": float(np.nanmean(limits["CLES", True][:, 0])),
        "accuracy": a,
        "EC difference": with_a - with_b,
        "mean EC": with_a,
    }
