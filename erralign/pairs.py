"""All pairs of systems at once, with values or with their default intervals; and the accuracy of each system."""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from tqdm import tqdm

from erralign._validation import (
    NO_ANSWER,
    Seed,
    check_choice,
    check_choices,
    check_responses,
    check_shares,
    checked,
    systems_that_lack,
)
from erralign.inference.clusters import Clusters, clusters_of, effects_of_pairs
from erralign.measures import MEASURES_OF_ERRORS, Measure, Resampling, ResponseMatrix, measures_of
from erralign.measures.matrix import ratio, response_matrix, widen, wilson_interval
from erralign.measures.measure import UNREAD
from erralign.measures.registry import Chosen, limit_columns
from erralign.parallel import as_finished
from erralign.responses import Responses
from erralign.responses.model import GUEST

__all__ = ["accuracy_intervals", "equally_accurate", "pairwise", "pairwise_intervals"]

_KINDS = pd.Index(["model-model", "model-human", "human-human"])
_MANY = 1000  # groups of pairs that are compared by themselves, from which on a bar says how far they are
_Compare = TypeVar("_Compare", bound=Callable[..., pd.DataFrame])


def _on_common_trials(compare: _Compare) -> _Compare:
    """Let a function of pairs take Responses in which not all systems were shown all trials.

    Each pair is compared on the trials that both were shown; pairs of systems that share these are compared together.
    """

    @wraps(compare)
    def of_each(
        responses: Responses, *measures: Any, with_: str | Iterable[str] | None = None, clusters: Any = None, **how: Any
    ) -> pd.DataFrame:
        if clusters is not None:
            how["clusters"] = clusters
        if not isinstance(responses, Responses) or not systems_that_lack(responses.answers):
            return compare(responses, *measures, with_=with_, **how)
        names, index = list(map(str, responses.answers)), responses.truth.index
        if isinstance(clusters, np.ndarray | list) and len(clusters) == len(index):
            clusters = pd.Series(clusters, index)
        wanted = names if with_ is None else check_choices("with_", with_, names)
        shown_to = responses.answers.notna()
        groups: dict[bytes, list[tuple[str, str]]] = {}
        for a, b in combinations(names, 2):
            both = (shown_to[a] & shown_to[b]).to_numpy()
            if both.any() and (a in wanted or b in wanted):
                groups.setdefault(both.tobytes(), []).append((a, b))
        tables = []
        bar = tqdm(groups.items(), "pairs on the trials that both saw", disable=None if len(groups) > _MANY else True)
        for common, pairs in bar:
            trials = np.frombuffer(common, dtype=bool)
            part = responses.select(systems=[name for name in names if name in {*chain(*pairs)}], trials=trials)
            if isinstance(clusters, pd.Series | pd.DataFrame):
                how["clusters"] = clusters.loc[part.truth.index]
            table = compare(part, *measures, **how)
            table.insert(list(table).index("n_joint_errors"), "n_trials", trials.sum())
            if len(table) > len(pairs):  # those of others who were shown these trials, and more
                table = table[[pair in pairs for pair in zip(table["system_a"], table["system_b"], strict=True)]]
            tables.append(table)
        if not tables:
            raise ValueError(f"{responses.name}: no two systems were shown the same trials")
        place = {pair: place for place, pair in enumerate(combinations(names, 2))}
        of_all = pd.concat(tables, ignore_index=True)
        ends = zip(of_all["system_a"], of_all["system_b"], strict=True)
        of_all = of_all.iloc[np.argsort([place[pair] for pair in ends])].reset_index(drop=True)
        of_all.attrs = {name: value for name, value in tables[0].attrs.items() if name != "n_trials"}
        return of_all

    return cast(_Compare, of_each)


@_on_common_trials
def pairwise(
    responses: Responses,
    measures: Chosen | Iterable[Chosen] = MEASURES_OF_ERRORS,
    *,
    with_: str | Iterable[str] | None = None,
    unread: str = "wrong",
    replace_undefined_by: float = np.nan,
) -> pd.DataFrame:
    """Compute measures of errors for all unordered pairs of systems at once, or for the pairs of chosen systems.

    Each value equals that of the function of the same name.

    Parameters
    ----------
    responses : Responses
        What every system answered on every trial, shape (n_trials, n_systems).
    measures : str, Measure, function, or iterable of them
        Functions of your own of ``(y_true, y_a, y_b)``, arrays of class ids in which -1 is no answer; the column is
        called after the function, or ``value`` where it has no name. Or names or abbreviations: ``error_consistency``
        (EC), ``misclassification_agreement`` (MA), ``class_level_error_similarity`` (CLES), ``loevingers_h`` (H),
        ``log_odds_ratio`` (LOR), ``within_class_error_consistency`` (WEC),
        ``within_class_misclassification_agreement`` (WMA), ``blind_misclassification_agreement`` (MA_blind), or of a
        measure that :func:`erralign.register` knows. In another form or with another smoothing CLES is
        :func:`erralign.behaviour.cles`.
    with_ : str or iterable of str, optional
        Only the pairs of these systems, with each other and with all others. Default: all pairs.
    unread : {"wrong", "left out"}
        What -1 is, no answer or none that could be read: wrong, as in model-vs-human, or left out. Each pair then
        leaves out the trials on which either has no answer: of EC, of both accuracies and of ``n_joint_errors``. MA and
        CLES are about answers that were given, in either case.
    replace_undefined_by : float
        The value to return where a measure is 0/0, and for MA and CLES of two classes, on whose one wrong answer any
        two systems agree.

    Returns
    -------
    pandas.DataFrame
        One row per pair, in the order of the columns of ``responses.answers``. Its columns are ``system_a``,
        ``system_b``, ``kind`` (model-model, model-human or human-human; with a guest of :func:`erralign.load`
        guest-model, guest-human or guest-guest), ``family_a`` and ``family_b`` (such as CNN; only where
        ``responses.systems`` names the family of any), ``n_trials`` (those that both were shown; only where not all
        systems were shown all; pairs without any have no row), ``n_joint_errors`` (trials on which both were wrong,
        missing answers included unless they are left out), ``accuracy_a`` and ``accuracy_b`` (from 0 to 1), and one for
        each measure, called by its abbreviation: ``EC``, ``MA``, ``CLES``.

    Examples
    --------
    >>> answers = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [0, 0, 1, 1]}
    >>> mine = Responses.from_table([0, 0, 1, 1], answers)
    >>> pairwise(mine, "EC")[["system_a", "system_b", "n_joint_errors", "EC"]]
      system_a system_b  n_joint_errors   EC
    0        a        b               2  0.5
    1        a        c               0  0.0
    2        b        c               0  0.0

    A measure of your own is a function:

    >>> def same_answer(y_true, y_a, y_b):
    ...     return np.mean(y_a == y_b)
    >>> pairwise(mine, same_answer)["same_answer"].tolist()
    [0.75, 0.5, 0.25]
    """
    chosen = measures_of(measures)
    check_responses("responses", responses)
    return _table_of_pairs(responses, chosen, with_, unread, undefined=replace_undefined_by)[1]


def _table_of_pairs(
    responses: Responses,
    measures: Iterable[Measure],
    with_: str | Iterable[str] | None,
    unread: str,
    *,
    undefined: float = np.nan,
) -> tuple[ResponseMatrix, pd.DataFrame]:
    """Describe pairs and compute measures of them; return the response matrix that they come from, too."""
    for measure in measures if unread != UNREAD[0] else ():
        measure.check_unread(unread)
    if responses.answers.shape[1] < 2:
        raise ValueError(f"{responses.name} has {responses.answers.shape[1]} system; a pair needs two")
    if with_ is not None:
        with_ = check_choices("with_", with_, responses.answers.columns.tolist())
        if not with_:
            raise ValueError("with_ is empty; name at least one system, or leave it out for all pairs")
    matrix = response_matrix(responses, with_=with_, short=True, unread=unread)
    names, (first, second) = responses.answers.columns, matrix.pairs
    human = (responses.systems["kind"].to_numpy() == "human").astype(int)
    n_trials, right_a, right_b, both_right = matrix.counts
    columns: dict[str, Any] = {
        "system_a": names.take(first),
        "system_b": names.take(second),
        "kind": _KINDS.take(human[first] + human[second]),
    }
    families: Any = responses.systems["family"].array if "family" in responses.systems else []
    known = set(families)
    if known - {""}:
        columns |= {"family_a": families.take(first), "family_b": families.take(second)}
    columns |= {
        "n_joint_errors": n_trials - right_a - right_b + both_right,
        "accuracy_a": ratio(right_a, n_trials),
        "accuracy_b": ratio(right_b, n_trials),
    }
    for measure in measures:
        values = columns[measure.short] = measure.of_all_pairs(matrix)
        values[np.isnan(values)] = undefined
    table = pd.DataFrame(columns, index=pd.RangeIndex(len(first)), copy=False)
    if GUEST in known:
        table["kind"] = _kinds_with_guests(table, responses)
    if not matrix.leave_unread:
        table.attrs["n_trials"] = len(matrix.truth)
    return matrix, table


def _kinds_with_guests(table: pd.DataFrame, responses: Responses) -> pd.Series:
    """Name pairs of a guest apart, so that it enters no mean of the others: guest-human, guest-model, guest-guest."""
    kinds = responses.systems["kind"].mask(responses.systems.index.isin(responses.guests), "guest")
    ends = pd.DataFrame({end: table[f"system_{end}"].map(kinds) for end in "ab"})
    guests = (ends["a"] == "guest") | (ends["b"] == "guest")
    other = ends["b"].where(ends["a"] == "guest", ends["a"])
    return table["kind"].mask(guests, "guest-" + other)


# How far floats may be from the shares that they stand for; with up to a million trials other shares are farther away.
_ROUNDING = 1e-9


def equally_accurate(accuracy_a: ArrayLike, accuracy_b: ArrayLike, apart: float = 0.05) -> Any:
    """Say whether two accuracies differ by less than ``apart``, as the counts do that they come from.

    Of floats, 0.95 - 0.90 is less than 0.05, and 0.55 - 0.50 is not; both are five points apart, which is not less. So
    ``(pairs["accuracy_a"] - pairs["accuracy_b"]).abs() < 0.05`` keeps some pairs that are exactly five points apart and
    leaves out others.

    Parameters
    ----------
    accuracy_a, accuracy_b : array_like of float
        Shares from 0 to 1, in shapes that broadcast, such as two columns of :func:`erralign.pairwise`.
    apart : float
        The difference from which on accuracies are not equal, above 0. Any above 1 lets all pass.

    Returns
    -------
    array_like of bool
        One value for each two accuracies, as a Series where Series are compared. Unknown accuracies (nan) are not
        equal.

    Examples
    --------
    >>> equally_accurate([0.95, 0.55, 0.54], [0.90, 0.50, 0.50]).tolist()
    [False, False, True]
    """
    for name, shares in (("accuracy_a", accuracy_a), ("accuracy_b", accuracy_b)):
        known = np.asarray(shares, dtype=float)
        check_shares(name, known[~np.isnan(known)])
    if not apart > 0:
        raise ValueError(f"apart is {apart}; expected a number above 0")
    return np.abs(np.subtract(accuracy_a, accuracy_b)) < apart - _ROUNDING


# --- with intervals ---------------------------------------------------------------------------------------------------


_PAIRS = 8_000  # of a block
_TRIALS = 4 * 10**7  # of all pairs of a block


@_on_common_trials
def pairwise_intervals(
    responses: Responses,
    measures: Chosen | Iterable[Chosen] = MEASURES_OF_ERRORS,
    *,
    with_: str | Iterable[str] | None = None,
    unread: str = "wrong",
    level: float = 0.95,
    clusters: Any = None,
    n_resamples: int = 10_000,
    rng: Seed = 0,
    n_jobs: int = 1,
    scheduler: str = "",
) -> pd.DataFrame:
    r"""Compute measures of errors, with their default intervals, for all pairs of systems or for those of chosen ones.

    The limits of each pair are those of :func:`confidence_interval`, whichever other pairs are asked for.

    Parameters
    ----------
    responses, measures, with_, unread
        As for :func:`erralign.pairwise`. Of a function of your own the range is not known, so that limits, by the
        jackknife, may leave it: as an :class:`erralign.Measure` it can be told.
    level, n_resamples, rng
        As for :func:`confidence_interval`.
    clusters : Series, DataFrame, names of index levels, or labels of shape (n_trials,), optional
        As for :func:`confidence_interval`, aligned by the index.
    n_jobs : int
        How many processes share the work; worth it from many thousands of pairs on.
    scheduler : str
        The address of a Dask scheduler, such as ``tcp://scheduler:8786``, whose workers compute the same intervals
        instead. It needs the extra ``cluster``.

    Returns
    -------
    pandas.DataFrame
        The columns of :func:`erralign.pairwise`, and for each measure its limits and the number of draws that were 0/0
        and left out, such as ``EC_low``, ``EC_high`` and ``EC_n_undefined``. ``attrs["methods"]`` says by which method
        the limits of each measure were found, or why it is not given: ``{"EC": "dirichlet"}``.

    Examples
    --------
    >>> from erralign.datasets.examples import twelve_pictures
    >>> table = pairwise_intervals(twelve_pictures(), "EC", n_resamples=1000)
    >>> bool((table["EC_low"] < table["EC"]).all())
    True
    """
    check_responses("responses", responses)
    resampling = Resampling(*checked(level=level, n_resamples=n_resamples, rng=rng))
    chosen = measures_of(measures)
    matrix, table = _table_of_pairs(responses, chosen, with_, unread)
    matrix = replace(matrix, answers=matrix.answers.astype(np.int64))  # labels can be multiplied
    shared = clusters_of(clusters, responses.truth)
    task = _Task(matrix, table[[measure.short for measure in chosen]], chosen, resampling, shared)
    columns, methods = _limits_of_all_pairs(task, n_jobs=n_jobs, scheduler=scheduler)
    table = table.assign(**columns)
    table.attrs["methods"] = methods
    return table


# --- block after block ------------------------------------------------------------------------------------------------


class _Task(NamedTuple):
    """What limits are asked for. The measures themselves go to other processes, where nobody registered them."""

    matrix: ResponseMatrix
    values: pd.DataFrame
    measures: Sequence[Measure]
    resampling: Resampling
    clusters: Clusters | None


class _Block(NamedTuple):
    columns: dict[str, np.ndarray]
    methods: dict[str, str]
    state: Any  # of the generator, after the draws


def _limits_of_all_pairs(task: _Task, *, n_jobs: int, scheduler: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Find the default limits of measures of all pairs: in bounded memory, on several cores or on a cluster.

    Each block repeats the same draws, so limits do not depend on how pairs are divided.
    """
    n_pairs = len(task.values)
    size = min(_PAIRS, max(1, _TRIALS // len(task.matrix.truth)))
    parts = [(start, start + size) for start in range(0, n_pairs, size)]
    done = as_finished(_of_block, parts, task, n_jobs=n_jobs, scheduler=scheduler)
    blocks = dict(tqdm(done, "pairs", len(parts), unit="block", disable=None if len(parts) > 1 else True))
    first = blocks[0]
    task.resampling.rng.bit_generator.state = first.state
    columns = {}
    for name in first.columns:
        columns[name] = np.concatenate([blocks[place].columns[name] for place in range(len(parts))])
    return columns, first.methods


def _of_block(places: tuple[int, int], task: _Task) -> _Block:
    (first, second), here = task.matrix.pairs, slice(*places)
    block = replace(task.matrix, selected=(first[here], second[here]))
    columns: dict[str, np.ndarray] = {}
    methods = {}
    state = task.resampling.rng.bit_generator.state
    for measure in task.measures:
        # From the same state, so that no measure's draws depend on the pairs of the one before.
        resampling = deepcopy(task.resampling)
        values = task.values[measure.short].to_numpy()[here]
        low, high, n_undefined, methods[measure.short] = measure.limits_of(block, values, resampling)
        if task.clusters is not None and not measure.why_not(block.n_classes, block.n_options):
            effects = effects_of_pairs(task.clusters, measure, block, resampling.level)
            low, high = widen(low, high, values, effects, measure.range)
        columns |= dict(zip(limit_columns(measure.short), (low, high, n_undefined), strict=True))
        state = resampling.rng.bit_generator.state
    return _Block(columns, methods, state)


# --- single systems ---------------------------------------------------------------------------------------------------


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
    >>> from erralign.datasets.examples import twelve_pictures
    >>> accuracy_intervals(twelve_pictures()).loc["A"].round(2).tolist()
    [0.75, 0.47, 0.91, 3.0]
    """
    checked(level=level)
    check_responses("responses", responses, may_lack=True)
    check_choice("unread", unread, UNREAD)
    shown_to, answers = responses.answers.notna(), responses.answers.fillna(NO_ANSWER).astype("int64")
    right = answers.eq(responses.truth, axis=0)
    counted = shown_to & (answers.ge(0) | (unread == "wrong"))
    n, share = counted.sum(), right.sum() / counted.sum()
    shared = clusters_of(clusters, responses.truth)
    influences = (right - share).where(counted, 0).to_numpy(float).T
    effects = np.ones(len(influences))
    if shared is not None:
        effects = np.array([shared.effect(influence, level=level) for influence in influences])
    low, high = wilson_interval(share, n.where(n > 0) / effects, level)
    columns = {"accuracy": share, "low": low, "high": high, "n_errors": n - right.sum()}
    return pd.DataFrame(columns).rename_axis("system")
