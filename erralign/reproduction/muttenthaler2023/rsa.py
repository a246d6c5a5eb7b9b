"""Representational similarity to people: 48 objects of THINGS, and 92 pictures that 16 people arranged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from erralign.reproduction.frozen import frozen
from erralign.reproduction.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of
from erralign.sources.multi_arrangement import PERTURBATIONS, RSATOOLBOX, forty_eight, ninety_two
from erralign.triplets import representational_similarity, similarity_matrix


@frozen(inputs=(*INPUTS, PERTURBATIONS), needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("VICE", "word2vec"))
def rsa_48(system: str) -> pd.DataFrame:
    """Return how a system's similarities of 48 objects correlate with those of people.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``objects`` (of the 48, those that the system was shown), ``spearman`` (Pearson's kernel),
        ``low``, ``high`` (95 %, jackknife over objects).
    """
    objects, dissimilarities = forty_eight()
    rows = features_of(system)[objects]
    seen = ~np.isnan(rows[:, 0])
    ours, theirs = similarity_matrix(rows[seen]), 1 - dissimilarities[np.ix_(seen, seen)]
    limits = _over_objects(lambda kept: representational_similarity(ours[kept], theirs[kept]), len(ours))
    return pd.DataFrame([{"system": system, "objects": len(ours)} | limits])


def _over_objects(value: Callable[[tuple[np.ndarray, ...]], float], n: int) -> dict[str, float]:
    """Return a correlation over all objects, with limits from leaving out each of them, on Fisher's scale."""
    places = np.arange(n)
    whole = value(np.ix_(places, places))
    left_out = np.arctanh([value(np.ix_(places != i, places != i)) for i in places])
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    low, high = np.tanh(np.arctanh(whole) + np.array([-1, 1]) * stdtrit(n - 1, 0.975) * error)
    return {"spearman": whole, "low": float(low), "high": float(high)}


@frozen(inputs=[RSATOOLBOX])
def rsa_92() -> pd.DataFrame:
    """Return how public matrices of 92 pictures correlate with those of 16 people, person by person.

    Returns
    -------
    pandas.DataFrame
        ``matrix``, ``kind`` (models, brains, people), ``spearman`` (mean over the people), ``low``, ``high`` (95 %, for
        other people). The last two rows say what could be reached: each person with the mean of the others, which is
        less, and with the mean of all, which is more.
    """
    people = list(ninety_two("people").values())
    rows = [
        {"matrix": name, "kind": kind} | _over_people([representational_similarity(matrix, each) for each in people])
        for kind in ("models", "brains")
        for name, matrix in ninety_two(kind).items()
    ]
    ranked = np.array(people)
    means = [(ranked.sum(axis=0) - each) / (len(people) - 1) for each in ranked]
    others = [representational_similarity(mean, each) for mean, each in zip(means, people, strict=True)]
    everybody = [representational_similarity(ranked.mean(axis=0), each) for each in people]
    rows.append({"matrix": "mean of the others", "kind": "people"} | _over_people(others))
    rows.append({"matrix": "mean of all", "kind": "people"} | _over_people(everybody))
    return pd.DataFrame(rows)


def _over_people(values: list[float]) -> dict[str, float]:
    n, mean = len(values), float(np.mean(values))
    half = float(stdtrit(n - 1, 0.975) * np.std(values, ddof=1) / np.sqrt(n))
    return {"spearman": mean, "low": mean - half, "high": mean + half}
