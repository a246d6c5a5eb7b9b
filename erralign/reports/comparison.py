"""Your own systems compared with others: all that a report shows, computed once."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER, check_choices
from erralign.measures import MEASURES_OF_ERRORS, Measure, measures_of
from erralign.measures.measure import UNREAD
from erralign.pairs import pairwise
from erralign.reports.averages import (
    LARGEST,
    NETWORKS,
    OTHERWISE,
    PEOPLE,
    YOURS,
    averages,
    with_people,
    with_yardsticks,
)
from erralign.reports.notes import notes_on_chance, notes_on_lacking, notes_on_means, notes_on_methods, notes_on_others
from erralign.resampling import accuracy_intervals, pairwise_intervals
from erralign.responses import Responses
from erralign.sources import is_here, load, material
from erralign.sources.logs.answers import read_and_note as read_logs_and_note
from erralign.sources.logs.files import kind_of
from erralign.sources.own.answers import Paths, read_and_note
from erralign.sources.own.checks import notes_on_answers

LOG = logging.getLogger(__name__)
LARGE = 5 * 10**6  # bytes of a file, or answers, from which it is said what is being done


@dataclass(frozen=True)
class Comparison:
    """Your own systems compared with others.

    Parameters
    ----------
    title : str
        What is compared with what.
    responses : Responses
        The answers of all systems: first the others, then your own.
    own : tuple of str
        The names of your own systems.
    measures : tuple of Measure
        What the systems are compared by.
    level : float
        The level of the intervals.
    accuracies : pandas.DataFrame
        What :func:`erralign.accuracy_intervals` returns. If yours lack answers, also ``n_unread``, how many, and
        ``accuracy_unread_left_out`` (or ``accuracy_unread_wrong``), the accuracy by the other choice.
    pairs : pandas.DataFrame
        What :func:`erralign.pairwise_intervals` returns, with abbreviated names of measures: first, without limits, the
        pairs among the others, then the pairs with your own systems. ``EC_largest`` is the largest EC that the two
        accuracies allow, ``MA_blind`` the MA that they would have if nothing but the true class linked their answers,
        ``MA_n`` the number of trials on which both gave a wrong answer. EC is nan where a system makes no error.
        ``EC_unread_left_out`` (or ``EC_unread_wrong``) is EC by the other choice; where each trial has options of its
        own, ``MA_margins``, MA with chance from all answers, takes the place of ``MA_blind``.
    with_people : pandas.DataFrame
        For each model the mean of each measure with people, taken condition by condition, and the same for people with
        each other. For your own, ``EC_reach`` and ``MA_reach`` are what answers of the model's accuracy can reach that
        are chosen by these people's answers, and ``EC_others`` and ``MA_others`` by other people's
        (:func:`erralign.resampling.reach_with_people`). Empty with fewer than two people or without models.
    averages : pandas.DataFrame
        The same means for groups of pairs, such as ``mine with networks``. Empty if there are no others.
    notes : tuple of str
        Sentences on how the comparison was made.
    """

    title: str
    responses: Responses
    own: tuple[str, ...]
    measures: tuple[Measure, ...]
    level: float
    accuracies: pd.DataFrame
    pairs: pd.DataFrame
    with_people: pd.DataFrame
    averages: pd.DataFrame
    notes: tuple[str, ...]

    def of_own(self) -> pd.DataFrame:
        """Return one row for each of your systems and each partner.

        Returns
        -------
        pandas.DataFrame
            Rows of ``pairs``, ordered by your systems, with three more columns: ``system`` is yours, ``with`` the
            partner, and ``whose`` says whose the partner is, as :meth:`whose` does.
        """
        second = self.pairs["system_b"].isin(self.own)
        system = self.pairs["system_b"].where(second, self.pairs["system_a"])
        other = self.pairs["system_a"].where(second, self.pairs["system_b"])
        seen = self.pairs.assign(system=system, whose=other.map(self.whose())).assign(**{"with": other})
        return seen[system.isin(self.own)].sort_values(
            "system", key=lambda names: names.map(self.own.index), kind="stable"
        )

    def whose(self) -> pd.Series:
        """Return for each system whether it is one of the ``people``, one of the ``networks``, or ``yours``.

        Returns
        -------
        pandas.Series of str
            Indexed by system.
        """
        return _whose(self.responses, self.own)


def compare(
    mine: Responses,
    theirs: Responses | None = None,
    *,
    measures: str | Measure | Iterable[str | Measure] = MEASURES_OF_ERRORS,
    with_: Iterable[str] | None = None,
    unread: str = "wrong",
    level: float = 0.95,
    clusters: Any = None,
    n_resamples: int | None = None,
    rng: int | np.random.Generator = 0,
    scheduler: str = "",
    notes: Iterable[str] = (),
) -> Comparison:
    """Compare your own systems with each other and with other systems that answered the same trials.

    Parameters
    ----------
    mine : Responses
        The answers of your own systems.
    theirs : Responses, optional
        The answers of the others; trials are matched by name. Without them, the models in ``mine`` are compared with
        the people in ``mine``.
    with_ : iterable of str, optional
        Those of your systems that are compared with all others. Default: all of them.
    measures, unread, level, clusters, n_resamples, rng, scheduler
        As for :func:`erralign.pairwise_intervals`. If a system of yours has unread answers, values of the other choice
        are shown beside.
    notes : iterable of str
        More sentences on how the comparison was made.

    Returns
    -------
    Comparison
        What :func:`erralign.reports.as_text`, :func:`~erralign.reports.as_json` and :func:`~erralign.reports.page`
        take.

    Examples
    --------
    >>> from erralign.sources.examples import twelve_pictures
    >>> all_four = twelve_pictures()
    >>> a, others = all_four.select(systems=["A"]), all_four.select(systems=["Twin", "Stranger"])
    >>> compare(a, others, n_resamples=100).of_own()[["system", "with", "EC"]].round(2)
      system      with    EC
    1      A      Twin  1.00
    2      A  Stranger -0.33
    """
    title = mine.name if theirs is None else f"{mine.name} beside {theirs.name}"
    mine, theirs = (mine, theirs) if theirs is not None else _models_and_people(mine)
    both, own = mine if theirs is None else theirs.join(mine), tuple(map(str, mine.answers))
    if both.answers.size >= LARGE:
        LOG.info(f"{len(both.truth):,} trials of {both.answers.shape[1]} systems are compared")
    if both.answers.shape[1] < 2:
        raise ValueError(
            f"{mine.name} has one system, {own[0]!r}, and there is nobody to compare it with; "
            "give a second system, or a data set of others who answered the same trials"
        )
    own = own if with_ is None else tuple(check_choices("with_", with_, own))
    asked, how = measures_of(measures), {"level": level, "clusters": clusters}
    silent, classes = both.answers[list(own)].eq(NO_ANSWER).any(axis=None), (len(both.classes), both.options)
    ways = [unread, *(each for each in UNREAD if silent and each != unread)]
    chosen = [each for each in asked if not each.why_not(*classes)] or asked[:1]
    chosen[0].check_classes(*classes)
    draws: dict[str, Any] = {"n_resamples": n_resamples, "rng": rng, "scheduler": scheduler}
    pairs = pairwise_intervals(both, chosen, with_=own, unread=unread, **draws, **how)
    notes = [*notes, *notes_on_methods(chosen, pairs.attrs["methods"])]
    pairs = with_yardsticks(pairs, both, own, ways)
    notes += [*notes_on_lacking(asked, *classes), *notes_on_chance(both, chosen, pairs)]
    if theirs is not None and theirs.answers.shape[1] > 1:
        among = pairwise(theirs, chosen, unread=unread)
        pairs = pd.concat([with_yardsticks(among, theirs, unread=ways), pairs], ignore_index=True)
    whose = _whose(both, own)
    # A person of one's own is none of the people with whom systems are compared.
    own_people = both.systems.index[(whose == YOURS) & (both.systems["kind"] == "human")]
    others = both.select(systems=[str(name) for name in both.answers if name not in own_people])
    of_people = with_people(others, chosen, own, **how) if unread == "wrong" else pd.DataFrame()
    notes += notes_on_means(chosen, of_people)
    means = averages(both, chosen, whose, of_people, ways)
    accuracies = _accuracies(both, ways, **how)
    perfect = list(accuracies.index[accuracies["n_errors"] == 0])
    notes += [f"{system} makes no error, so there is no EC of it and others." for system in perfect]
    if "MA" in pairs:
        pairs.insert(list(pairs).index("MA"), "MA_n", _joint_answers(both, pairs))
    _forget_consistency(pairs, pairs[["system_a", "system_b"]].isin(perfect).any(axis=1))
    _forget_consistency(of_people, of_people.index.isin(perfect))
    _forget_consistency(means, means.index.astype(str).str.startswith(tuple(f"{system} with " for system in perfect)))
    return Comparison(title, both, own, tuple(chosen), level, accuracies, pairs, of_people, means, tuple(notes))


def _accuracies(responses: Responses, unread: Sequence[str], **how: Any) -> pd.DataFrame:
    accuracies = accuracy_intervals(responses, unread=unread[0], **how)
    for way in unread[1:]:
        other = accuracy_intervals(responses, unread=way)["accuracy"]
        n_unread = responses.answers.eq(NO_ANSWER).sum()
        accuracies = accuracies.assign(n_unread=n_unread, **{f"accuracy_{OTHERWISE[way]}": other})
    return accuracies


def _joint_answers(responses: Responses, pairs: pd.DataFrame) -> np.ndarray:
    """Return on how many trials both systems of each pair answered and were wrong: MA is computed from these alone."""
    answers, truth = responses.answers.to_numpy(), responses.truth.to_numpy()[:, None]
    wrong = ((answers != truth) & (answers != NO_ANSWER)).astype(float)
    a, b = (responses.answers.columns.get_indexer(pd.Index(pairs[system])) for system in ("system_a", "system_b"))
    return (wrong.T @ wrong)[a, b].astype(int)


def _forget_consistency(table: pd.DataFrame, rows: Any) -> None:
    """Leave no EC where a system makes no error: 0, with an interval from 0 to 0, would look like a finding."""
    names = [column for column in table if f"{column}_".startswith("EC_") and column != LARGEST]
    table.loc[rows, names] = np.nan


def _models_and_people(mine: Responses) -> tuple[Responses, Responses | None]:
    names = {kind: [str(name) for name in rows.index] for kind, rows in mine.systems.groupby("kind")}
    if len(names) < 2:
        return mine, None
    return mine.select(systems=names["model"]), mine.select(systems=names["human"])


def _whose(responses: Responses, own: Sequence[str]) -> pd.Series:
    kinds = responses.systems["kind"].map({"human": PEOPLE, "model": NETWORKS})
    return kinds.mask(kinds.index.isin(own), YOURS)


def compare_file(
    path: Paths,
    data_set: str | None = None,
    *,
    trials: Sequence[str] | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    measures: str | Measure | Iterable[str | Measure] = MEASURES_OF_ERRORS,
    with_: Iterable[str] | None = None,
    options: int | str | None = None,
    unread: str = "wrong",
    people: Sequence[str] = (),
    classes: Sequence[str] | None = None,
    missing: Iterable[str] = (),
    level: float = 0.95,
    download: bool = False,
    subset: bool = False,
    metric: str | None = None,
    filter_name: str | None = None,
    n_resamples: int | None = None,
    scheduler: str = "",
) -> Comparison:
    r"""Compare the systems of CSV files or logs with each other and with those of a public data set.

    Parameters
    ----------
    path : path, or sequence of paths
        The file, or several, such as one per person, as for :func:`erralign.read_answers`; or the logs of language
        models, as for :func:`erralign.read_logs`.
    data_set : str, optional
        A name in :func:`erralign.catalog`.
    trials, columns, missing
        As for :func:`erralign.read_answers`.
    measures, with_, unread, level, n_resamples, scheduler
        As for :func:`compare`.
    options : int or str, optional
        How many options each trial offers, as for :meth:`erralign.Responses.from_table`, or the column that says it.
    people : sequence of str
        Systems of the file that are people.
    classes : sequence of str, optional
        All classes. Default: those of the data set; without a data set, those that occur.
    download : bool
        Whether to fetch the data set if it is not on this machine.
    subset : bool
        Whether trials that the file, or one of several logs, lacks are left out for all systems.
    metric, filter_name
        What to read in logs, as for :func:`erralign.read_logs`.

    Returns
    -------
    Comparison
        As from :func:`compare`.
    """
    paths = [Path(path)] if isinstance(path, str | PathLike) else [Path(each) for each in path]
    name = ", ".join(each.name for each in paths)
    if sum(each.stat().st_size for each in paths if each.is_file()) >= LARGE:
        LOG.info(f"reading {name}")
    how: dict[str, Any] = {"measures": measures, "with_": with_, "unread": unread, "level": level}
    how |= {"n_resamples": n_resamples, "scheduler": scheduler}
    if any(map(kind_of, paths)):
        of_tables = {"data_set": data_set, "trials": trials, "columns": columns, "people": people, "missing": missing}
        _check_of_logs(of_tables | {"classes": classes, "options": options})
        of_logs, notes = read_logs_and_note(paths, metric=metric, filter_name=filter_name, subset=subset)
        return compare(of_logs, notes=notes, **how)
    if data_set is not None and not (download or is_here(data_set)):
        raise ValueError(
            f"{data_set} is not on this machine; get it with --download (download=True), or all public data with  "
            "erralign fetch, or leave it out: the systems of the file are then compared among themselves"
        )
    theirs = None if data_set is None else load(data_set, download=download)
    known: dict[str, Any] = {"classes": classes}
    if theirs is not None:
        known = {"truth": theirs.truth, "classes": classes or theirs.classes}
    known |= {"trials": trials, "columns": columns, "missing": missing, "kind": dict.fromkeys(people, "human")}
    if isinstance(options, str):
        known["columns"] = {**(columns or {}), "options": options}
    n_options = options if isinstance(options, int) else None
    mine, reading, on_missing = read_and_note(paths, name=name, subset=subset, options=n_options, **known)
    n_all = None if theirs is None else len(theirs.truth)
    if theirs is not None:  # in their order
        theirs = theirs.select(trials=theirs.truth.index.isin(mine.truth.index))
    shared = None if theirs is None else material(theirs)
    of_answers = notes_on_answers(mine, others=theirs is not None, listed=classes is not None, unread=unread)
    notes = [*notes_on_others(theirs), *reading, *of_answers, *on_missing]
    if theirs is not None and n_all != len(mine.truth):
        notes.append(f"All systems are compared on the {len(mine.truth):,} of {n_all:,} trials that {mine.name} has.")
    if theirs is not None and shared is not None:
        notes.append(
            f"Trials of {theirs.name} share material ({', '.join(map(str, shared))}), so they are not independent; "
            "the intervals take that into account."
        )
    return compare(mine, theirs, clusters=shared, notes=notes, **how)


def _check_of_logs(of_tables: Mapping[str, Any]) -> None:
    given = [name for name, value in of_tables.items() if value]
    if given:
        raise ValueError(f"{' and '.join(given)} can't be given with logs, which say themselves what they hold")
