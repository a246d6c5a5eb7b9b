"""Is the most frequent answer of many systems right more often than the best of them, and than independent ones'?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from erralign.clusters import Clusters, clusters_of
from erralign.clusters.jackknife import jackknife
from erralign.errors import check_responses, checked
from erralign.responses import Responses

DRAWS = 40_000  # votes of independent systems


def vote(
    responses: Responses, *, level: float = 0.95, clusters: Any = None, rng: int | np.random.Generator | None = 0
) -> pd.Series:
    r"""Return how often the most frequent answer is right, beside the best system and beside independent ones.

    Where several answers are equally frequent, lots are drawn: each counts with an equal share. An answer that was not
    given is no vote.

    The best system is the one that was right most often on all *other* clusters of trials, so that nothing is measured
    on the trials on which it was chosen. Independent systems have the same habits: given the true class, each draws its
    answer from those that it gave to trials of this class, and knows nothing of the others.

    The limits are t intervals by the jackknife over trials, or over clusters.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial.
    level : float
        The share of experiments in which an interval should contain the true value.
    clusters : Series, names of index levels, or labels of shape (n_trials,), optional
        What each trial shares with others, in one factor. Default: trials are independent.
    rng : int, Generator or None
        Of the votes of independent systems.

    Returns
    -------
    pandas.Series
        ``accuracy`` of the vote with ``low`` and ``high``; ``best``, the accuracy of the best system; ``gain``, vote
        less best, with ``gain_low`` and ``gain_high``; ``if_independent``, the accuracy of the vote of independent
        systems.

    References
    ----------
    Ladha (1992), correlated votes, https://doi.org/10.2307/2111584.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> vote(twelve_pictures())[["accuracy", "best"]].round(2).tolist()
    [0.83, 0.67]
    """
    checked(level=level)
    check_responses("responses", responses)
    said, truth = responses.answers.to_numpy(), responses.truth.to_numpy()
    shared, right = clusters_of(clusters, responses.truth), said == truth[:, None]
    voted, best = plurality(said, truth, len(responses.classes)), _best_elsewhere(right, shared)
    found = dict(zip(("accuracy", "low", "high"), _limits(voted, shared, level), strict=True))
    found |= {"best": float(best.mean())}
    found |= dict(zip(("gain", "gain_low", "gain_high"), _limits(voted - best, shared, level), strict=True))
    draws = np.random.default_rng(rng)
    return pd.Series(found | {"if_independent": _independent(said, truth, len(responses.classes), draws)})


def _limits(values: np.ndarray, clusters: Clusters | None, level: float) -> tuple[float, float, float]:
    """Return the mean of values, with its limits by the jackknife."""
    mean, half = jackknife(_mean, np.column_stack([np.ones(len(values)), values]), clusters, level)
    return mean, mean - half, mean + half


def plurality(said: np.ndarray, truth: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the chance, trial by trial, that the most frequent answer is right: ties are drawn, gaps are no votes."""
    votes = np.stack([(said == each).sum(axis=1) for each in range(n_classes)], axis=1)
    most = votes.max(axis=1)
    leads = votes == most[:, None]
    return np.where(most > 0, leads[np.arange(len(truth)), truth] / leads.sum(axis=1), 0.0)


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[..., 1] / np.maximum(sums[..., 0], 1)


def _best_elsewhere(right: np.ndarray, clusters: Clusters | None) -> np.ndarray:
    """Return, trial by trial, whether the system is right that was right most often on other clusters."""
    codes = np.arange(len(right)) if clusters is None else clusters.factors[0]
    sums = np.stack([np.bincount(codes, column) for column in right.T], axis=1)
    best = (sums.sum(axis=0) - sums).argmax(axis=1)
    return right[np.arange(len(right)), best[codes]].astype(float)


def _independent(said: np.ndarray, truth: np.ndarray, n_classes: int, rng: np.random.Generator) -> float:
    """Return how often the vote is right if each system answers as on another trial of the same class."""
    times, total = -(-DRAWS // len(truth)), 0.0
    for each in np.unique(truth):
        of_class = said[truth == each]
        rows = rng.integers(len(of_class), size=(times * len(of_class), said.shape[1]))
        drawn = of_class[rows, np.arange(said.shape[1])]
        total += plurality(drawn, np.full(len(drawn), each), n_classes).sum()
    return float(total / (times * len(truth)))
