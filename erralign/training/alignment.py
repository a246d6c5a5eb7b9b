"""One call that says what a loss does for pictures and people that are new."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from erralign.clusters import clusters_of
from erralign.errors import (
    check_choice,
    check_cluster_labels,
    check_features,
    check_range,
    check_responses,
    check_same_trials,
    check_whole,
    checked,
)
from erralign.responses import Responses
from erralign.training.heads import DECAY, Arm, answers_of_heads, folds, shares_of
from erralign.training.losses import LOSSES
from erralign.training.scores import (
    COLUMNS,
    SHORT,
    Scores,
    at,
    minus,
    minus_at_equal_accuracy,
    scores,
    scores_of_people,
)

SPLITS = ("grouped", "random")
# Cross-entropy with several decays, each of a lower accuracy: what a loss is compared with at its own accuracy.
PATH = tuple(Arm("cross-entropy", decay=decay) for decay in (1e-4, DECAY, 1e-3, 3e-3, 1e-2))
BASE = 1  # the one of them that has the decay of all other losses
FEWEST_PEOPLE = 4


@dataclass(frozen=True)
class Alignment:
    """What :func:`align` returns.

    Parameters
    ----------
    values : pandas.DataFrame
        ``loss`` (cross-entropy, the loss, and people: each person with each other), ``split``, ``measure``, ``value``,
        ``low``, ``high``.
    differences : pandas.DataFrame
        The same of the loss ``minus`` cross-entropy, as trained and at equal accuracy, with ``p``, which is not
        corrected for the number of rows.
    answers : pandas.DataFrame
        What the heads of the loss answered to pictures that they had not met, one column per seed.
    """

    values: pd.DataFrame
    differences: pd.DataFrame
    answers: pd.DataFrame


def align(
    features: Any,
    responses: Responses,
    loss: str = "EC",
    *,
    strength: float = 1.0,
    split: str = "grouped",
    level: float = 0.95,
    clusters: Any,
    n_seeds: int = 5,
) -> Alignment:
    """Train a linear head on frozen features to err like people, and test it on other pictures and other people.

    In each seed half of the people train, and the others test. What is tested shares none of ``clusters`` with what was
    trained on. The answers of all folds are pooled before they are measured. Intervals leave out pictures (with what
    they share), people and seeds in turn; they take the trained heads as given.

    Parameters
    ----------
    features : array_like, shape (n_pictures, n_features), or the path of a ``.npy`` file
        What a network computes from each picture, in the order of ``responses``; a DataFrame is aligned by its index.
    responses : Responses
        Answers of at least four people. Networks in it are ignored.
    loss : str
        ``cross-entropy`` to the true class; the same to ``people's shares``, or to ``category's shares``, their mean
        for each true class; ``EC``, ``MA`` or ``CLES``: cross-entropy plus ``strength`` times 1 minus the soft measure;
        ``wrong answers``: plus ``strength`` times :func:`wrong_answers`.
    strength : float
        The factor of what is added to cross-entropy.
    split : {"grouped", "random"}
        ``"random"`` gives as many pictures to each part without regard to what they share, which deceives.
    level : float
        The level of the intervals.
    clusters : array_like of labels, one per picture, or a DataFrame of one or two columns
        What pictures share, such as the photograph that they are made of.
    n_seeds : int
        How often people and pictures are divided anew, at least 2.

    Returns
    -------
    Alignment
        Values, differences and answers.

    Examples
    --------
    >>> align("features.npy", people, "MA", clusters=exemplars).differences  # doctest: +SKIP
    """
    check_responses("responses", responses)
    check_choice("loss", loss, LOSSES)
    check_choice("split", split, SPLITS)
    checked(level=level)
    check_range("strength", strength, 0, 1e6)
    check_whole("n_seeds", n_seeds, 2)
    truth, people = truth_and_people(responses)
    labels = check_cluster_labels(clusters, len(truth), responses.truth.index)
    X = _features(features, responses.truth.index)
    arms, found, testers = [*PATH, Arm(loss, strength)], [], []
    for seed in range(n_seeds):
        trains = halves(len(people), seed)
        cut = folds([np.array(each) for each in labels], truth, np.random.default_rng(seed), grouped=split == "grouped")
        shares = [shares_of(people[trains], len(responses.classes))] * len(arms)
        found.append(pooled(answers_of_heads(X, truth, shares, cut.train, arms), cut.test))
        testers.append(~trains)
    shared = clusters_of(clusters, responses.truth)
    given = truth, np.stack(found), people, np.stack(testers), len(responses.classes), shared
    return _told(
        responses,
        loss,
        split,
        level,
        found,
        scores(*given),
        scores_of_people(truth, people, len(responses.classes), shared),
    )


def truth_and_people(responses: Responses) -> tuple[np.ndarray, np.ndarray]:
    """Return true class ids and the answers of people, shape (n_people, n_pictures)."""
    people = responses.answers.loc[:, (responses.systems["kind"] == "human").to_numpy()].to_numpy().T
    if len(people) < FEWEST_PEOPLE:
        raise ValueError(
            f"responses has {len(people)} people; expected at least {FEWEST_PEOPLE}, of whom half train and half test: "
            "set kind to 'human' in systems for those who are"
        )
    return responses.truth.to_numpy(), people


def halves(n_people: int, seed: int) -> np.ndarray:
    """Return which people train."""
    return np.random.default_rng([seed, 1]).permutation(n_people) < n_people // 2


def pooled(answers: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return for each picture the answer of one head: from (n_arms, n_heads, n_pictures) to (n_arms, n_pictures)."""
    return answers[:, heads, np.arange(len(heads))]


def _features(features: Any, index: pd.Index) -> np.ndarray:
    if isinstance(features, str | PathLike):
        features = np.load(features)
    if hasattr(features, "reindex"):
        features = features.reindex(index)
    array = check_features("features", features)
    check_same_trials("features", len(array), "responses", len(index))
    return array


def _told(
    responses: Responses, loss: str, split: str, level: float, found: list[np.ndarray], heads: Scores, people: Scores
) -> Alignment:
    own = len(PATH)
    named = [("cross-entropy", heads, BASE), (loss, heads, own), ("people", people, 0)]
    rows = [
        {"loss": name, "split": split, "measure": measure} | of.limits(at(arm, measure), level)
        for name, of, arm in named
        for measure in COLUMNS
    ]
    differences = [
        {"loss": loss, "minus": other, "split": split, "measure": measure} | heads.limits(statistic, level)
        for measure in SHORT
        for other, statistic in (
            ("cross-entropy", minus(own, BASE, measure)),
            ("cross-entropy at equal accuracy", minus_at_equal_accuracy(own, slice(own), measure)),
        )
    ]
    names = np.array(responses.classes)
    answers = {f"seed {seed}": names[each[own]] for seed, each in enumerate(found)}
    return Alignment(
        pd.DataFrame(rows).drop(columns="p"),
        pd.DataFrame(differences),
        pd.DataFrame(answers, index=responses.truth.index),
    )
