"""Intervals and p-values where pictures share material, with that taken into account and without."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign.behaviour import misclassification_agreement_from_counts
from erralign.behaviour.counting import cross_table, joint_answers
from erralign.nulls import p_value_from_answers
from erralign.resampling import accuracy_intervals, confidence_interval, consistency_with_people, difference_interval
from erralign.responses import Responses
from erralign.results import Interval
from erralign_book.papers.frozen import frozen
from erralign_book.simulations.coverage.worlds import N_CLASSES, cells_of_many, consistency_in, held

PICTURES = 1280
SETS = 400
RESAMPLES = 400
# How many photographs give shapes and how many give textures; which share of what makes a picture hard either has.
MATERIAL = {
    "nothing": (160, 48, 0.0, 0.0),
    "little": (160, 48, 0.3, 0.1),
    "more": (160, 48, 0.2, 0.3),
    "much": (160, 48, 0.3, 0.4),
    "ten textures": (160, 10, 0.0, 0.3),
}
# Accuracies of two networks and of people.
ACCURACIES = {"many": (0.8, 0.6, 0.7), "few": (0.97, 0.93, 0.95)}
N_PEOPLE = 3
# Of what makes a picture hard for one system, how much makes it hard for another: by its material, and besides.
ALIKE = 0.7, 0.4
# By material, and besides: how strongly the wrong answer follows the class of the texture.
FOLLOWS = 0.5
SETTINGS = (*product(("nothing", "little", "more", "much"), ACCURACIES), ("ten textures", "many"))
VALUES = ("EC", "MA", "CLES", "accuracy", "EC difference", "accuracy difference", "mean EC", "mean EC difference")


@frozen(inputs=[], slow=True, settings=SETTINGS, spot=[("nothing", "few"), ("much", "few")])
def clusters(setting: tuple[str, str]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals where pictures share material, and how often p-values of EC reject.

    Each of 1,280 pictures has one of 160 shapes and one of 48 textures (or ten).
    """
    rng = np.random.default_rng([len(setting[0]), len(setting[1]), 13])
    sets = [_limits(*_world(setting, rng)) for _ in range(SETS)]
    estimates, alone, shared = (np.array([each[i] for each in sets]) for i in range(3))
    p_values, joint = np.array([each[3] for each in sets]), np.mean([each[4] for each in sets])
    truths = _truths(setting, estimates, np.sum([each[5] for each in sets], axis=0))
    world = {"material": setting[0], "errors": setting[1], "joint_errors": joint}
    rows = [
        world
        | {"value": value, "truth": truth, "inflation": _inflation(estimates[:, i], alone[:, i])}
        | {"clusters": given}
        | held(limits[:, i], truth)
        for i, (value, truth) in enumerate(zip(VALUES, truths, strict=True))
        for given, limits in ((False, alone), (True, shared))
    ]
    rows += [
        world
        | {"value": "p of EC", "truth": 0.0, "inflation": np.nan, "clusters": given}
        | {"coverage": np.mean(p_values[:, i] > 0.05), "width": np.nan, "undefined": np.isnan(p_values[:, i]).mean()}
        for i, given in enumerate((False, True))
    ]
    return pd.DataFrame(rows)


def _inflation(estimates: np.ndarray, limits: np.ndarray) -> float:
    suggested = np.nanmean(limits[:, 1] - limits[:, 0]) / (2 * ndtri(0.975))
    return float(np.nanstd(estimates) / suggested)


_SYSTEMS = ["A", "B", *(f"person {i}" for i in range(N_PEOPLE)), "stranger"]
_KINDS = ["model"] * 2 + ["human"] * N_PEOPLE + ["model"]


def _world(setting: tuple[str, str], rng: np.random.Generator) -> tuple[Responses, pd.DataFrame]:
    """Draw new shapes, textures and pictures; the stranger meets the same ones, but finds others hard."""
    n_shapes, n_textures, by_shape, by_texture = MATERIAL[setting[0]]
    material = pd.DataFrame(
        {"shape": np.arange(PICTURES) % n_shapes, "texture": rng.permutation(PICTURES) % n_textures}
    )
    shape, texture = material.to_numpy().T
    together, besides = ALIKE
    hard = np.sqrt(by_shape) * _hard(n_shapes, together, rng)[:, shape]
    hard += np.sqrt(by_texture) * _hard(n_textures, together, rng)[:, texture]
    hard += np.sqrt(1 - by_shape - by_texture) * _hard(PICTURES, besides, rng)
    a, b, people = ACCURACIES[setting[1]]
    right = hard < ndtri([a, b, *[people] * N_PEOPLE, b])[:, None]
    truth = rng.integers(N_CLASSES, size=PICTURES)
    answers = np.where(right, truth, _wrong(truth, texture, by_texture, rng))
    columns = pd.DataFrame(answers.T, columns=_SYSTEMS)
    systems = pd.DataFrame({"kind": _KINDS, "family": "", "source": "simulated"}, index=_SYSTEMS)
    classes = tuple(map(str, range(N_CLASSES)))
    return Responses("simulated", pd.Series(truth), columns, classes, systems), material


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


def _limits(responses: Responses, material: pd.DataFrame) -> tuple:
    """Return estimates, limits without and with clusters, p-values, joint errors, and how often two answers meet."""
    truth, (a, b, *_, stranger) = responses.truth.to_numpy(), responses.answers.to_numpy().T
    alone, shared = (np.array(_intervals(responses, clusters)) for clusters in (None, material))
    p_values = [p_value_from_answers(truth, a, stranger, clusters=clusters) for clusters in (None, material)]
    joint = joint_answers(truth, a, b)
    return alone[:, 0], alone[:, 1:], shared[:, 1:], p_values, len(joint[0]), cross_table(*joint, N_CLASSES)


def _intervals(responses: Responses, clusters: pd.DataFrame | None) -> list[tuple[float, float, float]]:
    truth, (a, b, c, *_) = responses.truth.to_numpy(), responses.answers.to_numpy().T
    options: dict[str, Any] = {"clusters": clusters, "n_resamples": RESAMPLES, "n_classes": N_CLASSES}
    of_pair = [confidence_interval(truth, a, b, measure, **options) for measure in ("EC", "MA", "CLES")]
    accuracy = accuracy_intervals(responses.select(systems=["A"]), clusters=clusters)
    differences = [difference_interval(truth, a, b, *third, **options) for third in ((c,), (None, "accuracy"))]
    everybody = responses.select(systems=_SYSTEMS[:-1])
    mean = consistency_with_people([everybody], n_resamples=20, clusters=None if clusters is None else [clusters])
    return [
        *map(_ends, of_pair),
        tuple(accuracy.loc["A", ["accuracy", "low", "high"]]),
        *map(_ends, differences),
        tuple(mean.table.loc["A", [mean.measure, "low", "high"]]),
        _ends(mean.difference("A", "B")),
    ]


def _ends(interval: Interval) -> tuple[float, float, float]:
    return interval.estimate, interval.low, interval.high


def _truths(setting: tuple[str, str], estimates: np.ndarray, agreement: np.ndarray) -> list[float]:
    """Return the true values; those of CLES, at these error counts, and of MA come from all data sets together."""
    _, _, by_shape, by_texture = MATERIAL[setting[0]]
    together, besides = ALIKE
    alike = (by_shape + by_texture) * together + (1 - by_shape - by_texture) * besides
    a, b, people = ACCURACIES[setting[1]]
    # The loading of each is the root of what two have in common.
    cells = cells_of_many([a, b, people], [np.sqrt(alike)] * 3)
    of_pair, with_a, with_b = (consistency_in(cells, *pair) for pair in ((0, 1), (0, 2), (1, 2)))
    agreed = misclassification_agreement_from_counts(agreement)
    similarity = float(np.nanmean(estimates[:, VALUES.index("CLES")]))
    return [of_pair, agreed, similarity, a, with_a - with_b, a - b, with_a, with_a - with_b]
