"""All pairs of all systems at once, each with its default interval; and the accuracy of each system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from erralign.clusters import clusters_of
from erralign.errors import check_choice, check_level, check_responses, check_rng
from erralign.measures import MEASURES_OF_ERRORS, Draws, Measure, checked_options, measures_of
from erralign.measures.limits import wilson_interval
from erralign.measures.measure import UNREAD
from erralign.pairs import pairwise
from erralign.resampling.blocks import Asked, limits_of_all_pairs
from erralign.responses import Responses
from erralign.responses.arrays import trials_of


def pairwise_intervals(
    responses: Responses,
    measures: str | Measure | Iterable[str | Measure] = MEASURES_OF_ERRORS,
    *,
    with_: str | Iterable[str] | None = None,
    unread: str = "wrong",
    level: float = 0.95,
    clusters: Any = None,
    n_resamples: int | None = None,
    rng: int | np.random.Generator = 0,
    n_jobs: int = 1,
    scheduler: str = "",
    **options: Any,
) -> pd.DataFrame:
    r"""Compute measures of errors, with their default intervals, for all pairs of systems or for those of chosen ones.

    For EC each draw gives every trial a random weight (exponential, the Bayesian bootstrap). Pseudo-trials, which
    nobody was shown, put half a count into each cell of every pair. All pairs share the draws, and those of each pair
    have the same distribution as in :func:`confidence_interval`. MA needs no draws. CLES resamples the trials once for
    all pairs. With more than 10,000 trials EC draws the four cells of each pair by themselves, and CLES uses
    ``leave-one-out`` of :func:`confidence_interval`.

    Parameters
    ----------
    responses, measures, with_, unread
        As for :func:`erralign.pairwise`. If unread answers are left out, EC draws the four cells of each pair by
        themselves.
    level, rng, **options
        As for :func:`confidence_interval`.
    clusters : Series, DataFrame, names of index levels, or labels of shape (n_trials,), optional
        As for :func:`confidence_interval`, aligned by the index.
    n_resamples : int, optional
        How many draws are made. Default: 10,000, and none for CLES with more than 10,000 trials.
    n_jobs : int
        How many processes share the work; worth it from many thousands of pairs on.
    scheduler : str
        The address of a Dask scheduler, such as ``tcp://scheduler:8786``, whose workers compute the same intervals
        instead. It needs the extra ``cluster``.

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`erralign.pairwise`, and for each measure ``<measure>_low``, ``<measure>_high``,
        ``<measure>_n_undefined`` (draws that were 0/0 and left out). ``attrs["methods"]`` says by which method the
        limits of each measure were found, or why it is not given.

    References
    ----------
    Rubin (1981), the Bayesian bootstrap, https://doi.org/10.1214/aos/1176345338.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> table = pairwise_intervals(twelve_pictures(), ["error_consistency"], n_resamples=1000)
    >>> bool((table["error_consistency_low"] < table["error_consistency"]).all())
    True
    """
    check_level(level)
    chosen = measures_of(measures)
    with_ = with_ if with_ is None or isinstance(with_, str) else list(with_)
    pairs = pairwise(responses, chosen, with_=with_, unread=unread, **checked_options(chosen, options))
    n_draws = 10_000 if n_resamples is None else n_resamples
    trials = trials_of(responses, with_=with_, unread=unread)
    draws = Draws(level, n_draws, check_rng(rng), n_resamples is not None)
    asked = Asked(
        trials,
        pairs[[measure.name for measure in chosen]],
        chosen,
        draws,
        clusters_of(clusters, responses.truth),
        options,
    )
    table = pairs.assign(**limits_of_all_pairs(asked, n_jobs=n_jobs, scheduler=scheduler))
    table.attrs["methods"] = {
        measure.name: measure.why_not(trials.n_classes, trials.n_options)
        or measure.intervals.method_of_all_pairs(len(trials.truth), draws, **measure.own(options))
        for measure in chosen
    }
    return table


def accuracy_intervals(
    responses: Responses, *, unread: str = "wrong", level: float = 0.95, clusters: Any = None
) -> pd.DataFrame:
    """Compute the accuracy of every system, with Wilson's interval of a share.

    Parameters
    ----------
    responses, level
        As for :func:`pairwise_intervals`.
    unread : {"wrong", "left out"}
        What -1 is, no answer or none that could be read; left out, each system has trials of its own.
    clusters : Series, DataFrame, names of index levels, or labels of shape (n_trials,), optional
        What each trial shares with others. The number of trials in Wilson's formula is divided by the design effect of
        the accuracy. Default: trials are independent.

    Returns
    -------
    pandas.DataFrame
        Indexed by system: ``accuracy``, ``low``, ``high`` (shares from 0 to 1) and ``n_errors``.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> accuracy_intervals(twelve_pictures()).loc["A"].round(2).tolist()
    [0.75, 0.47, 0.91, 3.0]
    """
    check_level(level)
    check_responses("responses", responses)
    check_choice("unread", unread, UNREAD)
    right = responses.answers.eq(responses.truth, axis=0)
    counted = responses.answers.ge(0) | (unread == "wrong")
    n, share = counted.sum(), right.sum() / counted.sum()
    found = clusters_of(clusters, responses.truth)
    moved = (right - share).where(counted, 0).to_numpy(float).T
    effects = 1.0 if found is None else np.array([found.effect(each, level=level) for each in moved])
    low, high = wilson_interval(share, n.where(n > 0) / effects, level)
    columns = {"accuracy": share, "low": low, "high": high, "n_errors": n - right.sum()}
    return pd.DataFrame(columns).rename_axis("system")
