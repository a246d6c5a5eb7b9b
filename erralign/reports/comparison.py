"""Your own systems compared with others: all that a report shows, computed once, and notes on how."""

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import getsize, isfile
from pathlib import Path
from typing import Any

import pandas as pd

from erralign._validation import NO_ANSWER, check_choices
from erralign.datasets import is_here, load, material, read_logs
from erralign.datasets.answers import Paths, files_of, notes_on, read_answers
from erralign.datasets.archives import is_offline
from erralign.datasets.data_sets import record
from erralign.datasets.logs import log_files
from erralign.measures import Measure
from erralign.measures.measure import JACKKNIFE, UNREAD
from erralign.measures.registry import measures_with_value
from erralign.pairs import accuracy_intervals, pairwise, pairwise_intervals
from erralign.reports import averages
from erralign.reports.averages import BLIND
from erralign.reports.options import OF_TABLES, Options
from erralign.reports.similarities import undefined_when
from erralign.reports.templates import lines_of
from erralign.reports.verdicts import near_chance
from erralign.responses import Responses

_LOG = logging.getLogger(__name__)
AT_MOST = 3  # systems of one's own, or pairs, of which each has a paragraph; of more, they are counted
MOST_NAMES = 6  # files that a title names; of more it names the folder
_LETTERS = set("ABCDEFGHIJ")  # of options of questions
_FAR = 0.05  # from 0, a blind value of MA is worth a note
_LARGE, _MANY = 10**6, 10**4  # bytes of files, and answers, from which it is said what is being done: it takes seconds


@dataclass(frozen=True, eq=False)
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
        What :func:`erralign.pairwise_intervals` returns, without families: first, without limits, the pairs among the
        others, then the pairs with your own systems. ``EC_largest`` is the largest EC that the two accuracies allow,
        ``MA_blind`` the MA that they would have if nothing but the true class linked their answers, ``MA_n`` the number
        of trials on which both gave a wrong answer, ``CLES_independent`` the CLES of systems that err as often in each
        class and give each wrong answer as often, and confuse no classes more than others. EC is nan where a system
        makes no error. ``EC_unread_left_out`` (or ``EC_unread_wrong``) is EC by the other choice; where each trial has
        options of its own, ``MA_margins``, MA with chance from all answers, takes the place of ``MA_blind``. Of few
        pairs, with nobody else, there is ``WMA``, too.
    with_people : pandas.DataFrame
        For each model the mean of each measure with people, taken condition by condition, the same for people with each
        other and, of three or more, for each person with the others. For your own, ``EC_lead`` is the model's mean
        minus that of people, with the interval of the difference (of CLES only where accuracies differ by less than
        .05, and none is near chance), and with EC there is ``H_lead``;
        ``EC_reach`` and ``MA_reach`` are what answers of the model's accuracy can reach that are chosen by these
        people's answers, and ``EC_others`` and ``MA_others`` by other people's
        (:func:`erralign.inference.reach_with_people`). Empty with fewer than two people or without models.
    averages : pandas.DataFrame
        The same means for groups of pairs, such as ``mine with networks``. Empty if there are no others.
    notes : tuple of str
        Sentences on how the comparison was made.
    panel : pandas.DataFrame
        What your systems are worth together, a row per number; empty unless it was asked for.
    near_chance : dict of str to str
        A sentence on each of your systems that is near chance, or gives one answer throughout.
    no_verdict : pandas.Series of str
        By system of yours, why CLES with people gives no verdict: ``near chance``, ``another accuracy``, or nothing.
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
    panel: pd.DataFrame = field(default_factory=pd.DataFrame)
    near_chance: dict[str, str] = field(default_factory=dict)
    no_verdict: pd.Series = field(default_factory=lambda: pd.Series(dtype=str))

    def of_own(self) -> pd.DataFrame:
        """Return one row for each of your systems and each partner.

        Returns
        -------
        pandas.DataFrame
            Rows of ``pairs``, ordered by your systems, with three more columns: ``system`` is yours, ``with`` the
            partner, and ``whose`` says whose the partner is, as :meth:`whose` does.
        """
        rows = averages.own_first(self.pairs, self.whose())
        rows = rows[rows["system"].isin(self.own)].assign(whose=rows["with"].map(self.whose()))
        return rows.sort_values("system", key=lambda names: names.map(self.own.index), kind="stable")

    def whose(self) -> pd.Series:
        """Return for each system whether it is one of the ``people``, one of the ``networks``, or ``yours``.

        Returns
        -------
        pandas.Series of str
            Indexed by system.
        """
        return averages.whose_are(self.responses, self.own)


def compare(
    mine: Responses,
    theirs: Responses | None = None,
    *,
    how: Options | None = None,
    clusters: Any = None,
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
    how : Options, optional
        By which measures, at which level, and so on.
    clusters
        Trials that share material, as for :func:`erralign.pairwise_intervals`.
    notes : iterable of str
        More sentences on how the comparison was made.

    Returns
    -------
    Comparison
        What :func:`erralign.reports.as_text`, :func:`~erralign.reports.as_json` and :func:`~erralign.reports.page`
        take.

    Examples
    --------
    >>> from erralign.datasets.examples import twelve_pictures
    >>> all_four = twelve_pictures()
    >>> a, others = all_four.select(systems=["A"]), all_four.select(systems=["Twin", "Stranger"])
    >>> compare(a, others, how=Options(n_resamples=100)).of_own()[["system", "with", "EC"]].round(2)
      system      with    EC
    1      A      Twin  1.00
    2      A  Stranger -0.33
    """
    how, title = how or Options(), mine.name
    kinds = mine.systems["kind"]
    if theirs is not None:
        title = f"{mine.name} beside {theirs.name}"
    elif kinds.nunique() > 1:
        mine, theirs = (mine.select(systems=list(kinds.index[kinds == kind])) for kind in ("model", "human"))
    both, own = mine if theirs is None else theirs.join(mine), tuple(map(str, mine.answers))
    if both.answers.size >= _MANY:
        _LOG.info(f"{len(both.truth):,} trials of {both.answers.shape[1]} systems are compared")
    if both.answers.shape[1] < 2:
        raise ValueError(
            f"{mine.name} has one system, {both.answers.columns[0]!r}, and there is nobody to compare it with; "
            "give a second system, or a data set of others who answered the same trials"
        )
    if how.with_ is not None:
        own = tuple(check_choices("with_", how.with_, own))
    ways = [how.unread]
    if both.answers[list(own)].eq(NO_ANSWER).any(axis=None):
        ways = sorted(UNREAD, key=how.unread.__ne__)  # first as asked, then the other way
    of_trials: dict[str, Any] = {"level": how.level, "clusters": clusters}
    of_pairs = {name: getattr(how, name) for name in ("unread", "n_resamples", "rng", "scheduler")} | of_trials
    measures, why_not = measures_with_value(how.measures, len(both.classes), both.options)
    of_own = pairwise_intervals(both, measures, with_=own, **of_pairs)
    of_own = averages.with_yardsticks(of_own, both, measures, own, ways)
    of_people = pd.DataFrame()
    if how.unread == "wrong" and both.answers.notna().all(axis=None):
        of_people = averages.with_people(both, measures, own, **of_trials)
    if of_people.empty and BLIND in of_own and len(of_own) <= AT_MOST:  # what habits give is as uncertain as MA itself
        beyond_habits = pairwise_intervals(both, "WMA", with_=own, **of_pairs)
        of_own = of_own.assign(**beyond_habits.filter(regex="^WMA(_low|_high)?$"))
    pairs = of_own
    if theirs is not None and theirs.answers.shape[1] > 1:
        others = pairwise(theirs, measures, unread=how.unread)
        others = averages.with_yardsticks(others, theirs, measures, unread=ways)
        pairs = pd.concat([others, of_own], ignore_index=True)
    if "MA" in pairs:
        pairs.insert(list(pairs).index("MA"), "MA_n", averages.joint_answers_of(both, pairs))
    pairs.attrs = of_own.attrs | {"draws": how.n_resamples, "clusters": _in_words(clusters)}
    means = averages.of_groups(both, measures, averages.whose_are(both, own), of_people, ways)
    accuracies = averages.with_other_ways(accuracy_intervals(both, unread=how.unread, **of_trials), both, ways)
    near = near_chance(both, accuracies.loc[list(own)])
    no_verdict = averages.forget_unlike(of_people, both, own, near)
    perfect = list(accuracies.index[accuracies["n_errors"] == 0])
    notes = [*notes, *_notes_on_values(both, measures, why_not, of_own, of_people, perfect)]
    averages.forget_consistency(pairs, pairs[["system_a", "system_b"]].isin(perfect).any(axis=1))
    for table in (of_people, means):
        averages.forget_consistency(table, table.index.get_level_values(0).isin(perfect))
    panel = pd.DataFrame()
    if how.panel:
        panel = averages.panel_of(both.select(systems=list(own)), **of_trials)
    tables = accuracies, pairs, of_people, means
    return Comparison(title, both, own, tuple(measures), how.level, *tables, tuple(notes), panel, near, no_verdict)


def _in_words(clusters: Any) -> str:
    names = getattr(clusters, "columns", [getattr(clusters, "name", clusters)])
    return " and ".join(map(str, names)) if clusters is not None else ""


def _notes_on_values(
    responses: Responses,
    measures: Sequence[Measure],
    why_not: Mapping[str, str],
    pairs: pd.DataFrame,
    means: pd.DataFrame,
    perfect: Sequence[str],
) -> list[str]:
    """Say which values are not given or undefined, and what chance is."""
    not_given: dict[str, list[str]] = {}
    for short, reason in why_not.items():
        if reason:
            not_given.setdefault(reason, []).append(short)
    both_err = pairs[["accuracy_a", "accuracy_b"]].max(axis=1) < 1
    return lines_of(
        "notes_on_values.jinja",
        responses=responses,
        measures=measures,
        pairs=pairs,
        not_given=not_given,
        n_undefined=pairs[both_err].isna().sum(),
        undefined_when=undefined_when,
        without_interval=[name for name in why_not if means.get(f"{name}_low", pd.Series()).isna().any()],
        far=_FAR,
        perfect=perfect,
        of_any_measure=JACKKNIFE,
    )


def compare_file(path: Paths, data_set: str | None = None, *, how: Options | None = None) -> Comparison:
    r"""Compare the systems of files of answers or logs with each other and with those of a public data set.

    Parameters
    ----------
    path : path, or sequence of paths
        The file, or several, such as one per person, as for :func:`erralign.read_answers`; or the logs of language
        models, as for :func:`erralign.read_logs`.
    data_set : str, optional
        A name in :func:`erralign.catalog`, or ``"geirhos2020"`` for its three sets as one, of which *Sit the
        experiment* shows pictures.
    how : Options, optional
        Which columns are read, by which measures systems are compared, and so on.

    Returns
    -------
    Comparison
        As from :func:`compare`.
    """
    how = how or Options()
    logs = log_files(path)
    if logs:
        return _compare_logs(logs, data_set, how)
    theirs, of_files, paths = None, how.of_files(), files_of(path)
    name = ", ".join(file.name for file in paths)
    if len(paths) > MOST_NAMES:
        name = paths[0].parent.name
    if sum(map(getsize, filter(isfile, paths))) >= _LARGE:
        _LOG.info(f"reading {name}")
    if data_set is not None:
        theirs = _others(data_set, how.download)
        of_files |= {"truth": theirs.truth.rename(how.truth), "classes": how.classes or theirs.classes}
    mine = read_answers(paths, **of_files, name=name)
    n_theirs: int | None = None
    shared: Any = how.clusters
    if theirs is not None:
        n_theirs = len(theirs.truth)
        theirs = theirs.select(trials=theirs.truth.index.isin(mine.truth.index))
        shared = how.clusters or material(theirs)
    notes = _notes_on_files(mine, theirs, how, n_theirs, shared)
    return compare(mine, theirs, how=how, clusters=shared, notes=notes)


def _notes_on_files(
    mine: Responses, theirs: Responses | None, how: Options, n_theirs: int | None, shared: Any
) -> list[str]:
    """Say which classes there are, who gave no answer or was not shown a trial, and what trials share."""
    known, on_shared = None, []
    if theirs is not None:
        known = record(theirs.name)
        if not how.clusters and shared is not None:
            on_shared = list(shared)
    return lines_of(
        "notes_on_files.jinja",
        mine=mine,
        theirs=theirs,
        n_theirs=n_theirs,
        how=how,
        known=known,
        of_cles=any(name in str(how.measures) for name in ("CLES", "class_level")),
        letters=_LETTERS,
        n_silent=mine.answers.eq(NO_ANSWER).sum(),
        n_hidden=mine.answers.isna().sum(),
        more=notes_on(mine),
        shared=on_shared,
    )


def _others(data_set: str, download: bool) -> Responses:
    if not is_here(data_set) and is_offline():
        raise ValueError(
            f"{data_set} is not on this machine, and ERRALIGN_OFFLINE=1 forbids the network; unset it, or leave the "
            "data set out: the systems of the file are then compared among themselves"
        )
    if not data_set.startswith("example/"):
        _LOG.info(f"reading {data_set}")
    return load(data_set, download=download)


def _compare_logs(paths: Sequence[Path], data_set: str | None, how: Options) -> Comparison:
    of_tables = [name for name in OF_TABLES if getattr(how, name)]
    if data_set:
        of_tables.insert(0, "data_set")
    if of_tables:
        raise ValueError(f"{' and '.join(of_tables)} can't be given with logs, which say themselves what they hold")
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", UserWarning)
        answers = read_logs(paths, metric=how.metric, filter_name=how.filter_name, subset=how.subset)
    return compare(answers, how=how, clusters=how.clusters, notes=[str(warning.message) for warning in raised])
