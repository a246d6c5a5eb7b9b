"""Kinds of pairs at equal accuracy: two people, two networks, a person and a network."""

from __future__ import annotations

import pandas as pd

from erralign.inference.sets import mean_over_sets
from erralign.measures.registry import Chosen
from erralign.pairs import equally_accurate, pairwise
from erralign.responses import Responses

__all__ = ["mean_differences", "means_of_kinds", "pairs_by_strength"]

_KINDS = ["human-human", "model-model", "model-human"]
_STRENGTH = "condition"  # the level of an index of trials that names it


def pairs_by_strength(responses: Responses, measures: Chosen | list[Chosen] = "EC") -> pd.DataFrame:
    """Compare all systems on each strength of a distortion by itself.

    Pooled over strengths, systems are alike because all fail where the distortion is strong.

    Parameters
    ----------
    responses : Responses
        What every system answered. Its trials may be named by a level ``condition``; without it there is one strength.
    measures : str, Measure, function or list of them
        As for :func:`erralign.pairwise`.

    Returns
    -------
    pandas.DataFrame
        The tables of :func:`erralign.pairwise`, one below the other, with the columns ``set`` and ``strength`` before
        them.

    Examples
    --------
    >>> from erralign.datasets.examples import twelve_pictures
    >>> pairs_by_strength(twelve_pictures(), "EC")["strength"].unique().tolist()
    ['']
    """
    index = responses.truth.index
    strengths = pd.Index([""] * len(index))
    if _STRENGTH in index.names:
        strengths = index.get_level_values(_STRENGTH)
    tables = []
    for strength in strengths.unique():
        pairs = pairwise(responses.select(trials=strengths == strength), measures)
        pairs.insert(0, "strength", strength)
        pairs.insert(0, "set", responses.name)
        tables.append(pairs)
    return pd.concat(tables, ignore_index=True)


def means_of_kinds(pairs: pd.DataFrame, measure: str = "EC", *, apart: float = 0.05) -> pd.DataFrame:
    """Return the means of a measure over pairs of people, of networks, and of both, of equal accuracy, on each set.

    A set's mean is over its strengths at which there are pairs of all three kinds, so that all kinds are compared on
    the same trials; a strength's mean is over its pairs. Pairs of a guest are left out.

    Parameters
    ----------
    pairs : DataFrame
        What :func:`pairs_by_strength` returned, of one set or of several below each other; or of
        :func:`erralign.pairwise`, which is taken as one set.
    measure : str
        The column.
    apart : float
        As for :func:`erralign.equally_accurate`.

    Returns
    -------
    pandas.DataFrame
        A row per set that has pairs of all three kinds, a column per kind: ``human-human``, ``model-model`` and
        ``model-human``.

    Examples
    --------
    >>> pairs = pd.DataFrame({"kind": ["human-human", "model-model", "model-human", "model-human"],
    ...                       "accuracy_a": 0.5, "accuracy_b": [0.5, 0.5, 0.5, 0.6], "EC": [0.4, 0.3, 0.1, 0.9]})
    >>> means_of_kinds(pairs).iloc[0].tolist()
    [0.4, 0.3, 0.1]
    """
    for column in ("kind", "accuracy_a", "accuracy_b", measure):
        if column not in pairs:
            raise ValueError(f"pairs have no column {column}; expected a table of erralign.pairwise with this measure")
    near = pairs[equally_accurate(pairs["accuracy_a"], pairs["accuracy_b"], apart)]
    near = near.assign(set=near.get("set", ""), strength=near.get("strength", ""))
    means = near.groupby(["set", "strength", "kind"], sort=False)[measure].mean()
    of_all_kinds = means.unstack("kind").reindex(columns=_KINDS).dropna()
    return of_all_kinds.groupby("set", sort=False).mean()


def mean_differences(means: pd.DataFrame, over: str = "model-human", *, level: float = 0.95) -> pd.DataFrame:
    """Say how far each kind of pairs lies above another on average over sets, with Student's interval.

    Parameters
    ----------
    means : DataFrame
        What :func:`means_of_kinds` returned: a row per set, a column per kind.
    over : str
        The kind with which the others are compared.
    level : float
        The share of experiments with other sets in which the interval should contain the true difference.

    Returns
    -------
    pandas.DataFrame
        A row per other kind: ``mean_difference`` with its limits ``low`` and ``high`` of
        :func:`erralign.inference.mean_over_sets`, and on how many sets it is ``above`` 0, ``of`` how many.

    Examples
    --------
    >>> means = pd.DataFrame({"human-human": [0.4, 0.5, 0.6], "model-human": [0.3, 0.3, 0.3]})
    >>> mean_differences(means).round(3).loc["human-human"].tolist()
    [0.2, -0.048, 0.448, 3.0, 3.0]
    """
    if over not in means:
        raise ValueError(f"over is {over!r}; expected one of the columns: {', '.join(map(str, means))}")
    rows = {}
    for kind in means.columns.drop(over):
        difference = (means[kind] - means[over]).dropna()
        mean = mean_over_sets(difference, level=level)
        limits = {"mean_difference": mean.estimate, "low": mean.low, "high": mean.high}
        rows[kind] = limits | {"above": int((difference > 0).sum()), "of": len(difference)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("kind")
