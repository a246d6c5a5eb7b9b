"""Your own systems compared with others: all that a report shows, computed once, and notes on how."""

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from os.path import getsize, isfile
from pathlib import Path
from typing import Any

import pandas as pd

from erralign._validation import NO_ANSWER, check_choices
from erralign.datasets import is_here, load, material, read_logs
from erralign.datasets.answers import Paths, files_of, notes_on, read_answers
from erralign.datasets.data_sets import record
from erralign.datasets.logs import log_files
from erralign.measures import Measure
from erralign.measures.measure import JACKKNIFE, UNREAD
from erralign.measures.registry import measures_with_value
from erralign.pairs import accuracy_intervals, pairwise, pairwise_intervals
from erralign.plot.theme import number, span
from erralign.reports import averages
from erralign.reports.averages import BLIND
from erralign.reports.options import Options
from erralign.reports.similarities import undefined_when
from erralign.responses import Responses

LOG = logging.getLogger(__name__)
AT_MOST = 3  # systems of one's own, or pairs, of which each has a paragraph; of more, they are counted
MOST_NAMES = 6  # files that a title names; of more it names the folder
LARGE, MANY = 10**6, 10**4  # bytes of files, and answers, from which it is said what is being done: it takes seconds


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
        of trials on which both gave a wrong answer. EC is nan where a system makes no error. ``EC_unread_left_out`` (or
        ``EC_unread_wrong``) is EC by the other choice; where each trial has options of its own, ``MA_margins``, MA with
        chance from all answers, takes the place of ``MA_blind``.
    with_people : pandas.DataFrame
        For each model the mean of each measure with people, taken condition by condition, the same for people with each
        other and, of three or more, for each person with the others. For your own, ``EC_lead`` is the model's mean
        minus that of people, ``EC_over_next`` minus that of your next lower model, with intervals of the difference;
        ``EC_reach`` and ``MA_reach`` are what answers of the model's accuracy can reach that are chosen by these
        people's answers, and ``EC_others`` and ``MA_others`` by other people's
        (:func:`erralign.inference.reach_with_people`). Empty with fewer than two people or without models.
    averages : pandas.DataFrame
        The same means for groups of pairs, such as ``mine with networks``. Empty if there are no others.
    notes : tuple of str
        Sentences on how the comparison was made.
    panel : pandas.DataFrame
        What your systems are worth together, a row per number; empty unless it was asked for.
    beyond_habits : dict
        Of a pair of yours, the limits of WMA, where sentences ask for them.
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
    beyond_habits: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

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
        order = system[system.isin(self.own)].map(self.own.index).sort_values(kind="stable")
        return seen.loc[order.index]

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
    how, title = how or Options(), mine.name if theirs is None else f"{mine.name} beside {theirs.name}"
    kinds = mine.systems["kind"]
    if theirs is None and kinds.nunique() > 1:
        mine, theirs = (mine.select(systems=list(kinds.index[kinds == kind])) for kind in ("model", "human"))
    both, own = mine if theirs is None else theirs.join(mine), tuple(map(str, mine.answers))
    if both.answers.size >= MANY:
        LOG.info(f"{len(both.truth):,} trials of {both.answers.shape[1]} systems are compared")
    if both.answers.shape[1] < 2:
        raise ValueError(
            f"{mine.name} has one system, {both.answers.columns[0]!r}, and there is nobody to compare it with; "
            "give a second system, or a data set of others who answered the same trials"
        )
    own = own if how.with_ is None else tuple(check_choices("with_", how.with_, own))
    silent = both.answers[list(own)].eq(NO_ANSWER).any(axis=None)
    ways = [how.unread, *(each for each in UNREAD if silent and each != how.unread)]
    of_pairs = {name: getattr(how, name) for name in ("unread", "n_resamples", "rng", "scheduler")}
    of_trials: dict[str, Any] = {"level": how.level, "clusters": clusters}
    # First all values, then what is to be said of them.
    chosen, why_not = measures_with_value(how.measures, len(both.classes), both.options)
    pairs = pairwise_intervals(both, chosen, with_=own, **of_trials, **of_pairs)
    accuracies = accuracy_intervals(both, unread=how.unread, **of_trials)
    pairs = of_own = averages.with_yardsticks(pairs, both, own, ways)
    pairs.attrs |= {"draws": how.n_resamples, "clusters": _in_words(clusters)}
    pairs = _with_others(pairs, theirs, chosen, how, ways)
    of_people = pd.DataFrame()
    if how.unread == "wrong" and both.answers.notna().all(axis=None):
        of_people = averages.with_people(both, chosen, own, **of_trials)
    means = averages.of_groups(both, chosen, averages.whose_are(both, own), of_people, ways)
    accuracies = averages.with_other_ways(accuracies, both, ways)
    perfect = list(accuracies.index[accuracies["n_errors"] == 0])
    if "MA" in pairs:
        pairs.insert(list(pairs).index("MA"), "MA_n", averages.joint_answers_of(both, pairs))
    for table in (pairs, of_people, means):
        averages.forget_consistency(table, perfect)
    beyond = _beyond_habits(of_own, both, of_trials | of_pairs) if of_people.empty else {}
    panel = averages.panel_of(both.select(systems=list(own)), **of_trials) if how.panel else pd.DataFrame()
    made = _notes_on_measures(chosen, why_not, of_own, of_people) + _notes_on_chance(both, chosen, of_own)
    made += [f"{system} makes no error, so it has no EC." for system in perfect]
    if "n_trials" in of_own:
        fewest, most = of_own["n_trials"].min(), of_own["n_trials"].max()
        made.append(
            f"Each pair is compared on the trials that both were shown: {span(fewest, most)} of {len(both.truth)}."
        )
    tables = accuracies, pairs, of_people, means
    return Comparison(title, both, own, tuple(chosen), how.level, *tables, (*notes, *made), panel, beyond)


def _beyond_habits(pairs: pd.DataFrame, both: Responses, how: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """Return the limits of WMA of few pairs, whose answers are told: what habits give is as uncertain as MA itself."""
    limits = {}
    if BLIND in pairs and len(pairs) <= AT_MOST:
        for two in pairs[["system_a", "system_b"]].itertuples(index=False, name=None):
            interval = pairwise_intervals(both.select(systems=list(two)), "WMA", **how).iloc[0]
            limits[two] = tuple(interval.filter(regex="_(low|high)$"))
    return limits


def _in_words(clusters: Any) -> str:
    names = getattr(clusters, "columns", [getattr(clusters, "name", clusters)])
    return " and ".join(map(str, names)) if clusters is not None else ""


def _with_others(
    pairs: pd.DataFrame, theirs: Responses | None, chosen: Sequence[Measure], how: Options, ways: Sequence[str]
) -> pd.DataFrame:
    """Put the pairs among the others before those with one's own systems."""
    if theirs is None or theirs.answers.shape[1] < 2:
        return pairs
    among = averages.with_yardsticks(pairwise(theirs, chosen, unread=how.unread), theirs, unread=ways)
    among.attrs = pairs.attrs  # the methods, which are lost where they differ
    return pd.concat([among, pairs], ignore_index=True)


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
    theirs, asked, paths = None, how.of_files(), files_of(path)
    name = paths[0].parent.name if len(paths) > MOST_NAMES else ", ".join(map(attrgetter("name"), paths))
    if sum(map(getsize, filter(isfile, paths))) >= LARGE:
        LOG.info(f"reading {name}")
    if data_set is not None:
        theirs = _others(data_set, how.download)
        asked |= {"truth": theirs.truth.rename(how.truth), "classes": how.classes or theirs.classes}
    mine = read_answers(paths, **asked, name=name)
    notes = [*_notes_on_others(theirs), *_notes_on_answers(mine, how, alone=theirs is None), *notes_on(mine)]
    if theirs is not None and len(theirs.truth) != len(mine.truth):
        n_all = len(theirs.truth)
        notes.append(f"All systems are compared on the {len(mine.truth):,} of {n_all:,} trials that {mine.name} has.")
        theirs = theirs.select(trials=theirs.truth.index.isin(mine.truth.index))
    shared, on_shared = _shared(mine, theirs, how.clusters)
    return compare(mine, theirs, how=how, clusters=shared, notes=[*notes, *on_shared])


def _shared(mine: Responses, theirs: Responses | None, column: str | None) -> tuple[Any, list[str]]:
    """Return what trials share, and say so where nobody named it."""
    then = "not independent; the intervals take that into account."
    if column:
        return _of_part(mine, column), []
    share = None if theirs is None else material(theirs)
    if theirs is None or share is None:
        return None, []
    return share, [f"Trials of {theirs.name} share material ({', '.join(map(str, share))}), so they are {then}"]


def _of_part(responses: Responses, part: str) -> pd.Series:
    """Return what a part of the names of trials says of each, for ``clusters=`` of intervals."""
    trials = responses.truth.index
    if part not in trials.names:
        names = ", ".join(map(str, trials.names))
        raise ValueError(f"clusters is {part!r}; beside a data set, expected a part of its trials' names: {names}")
    return pd.Series(trials.get_level_values(part), index=trials)


def _others(data_set: str, download: bool) -> Responses:
    if not (download or is_here(data_set)):
        raise ValueError(
            f"{data_set} is not on this machine; get it with --download (download=True), or all public data with  "
            "erralign fetch, or leave it out: the systems of the file are then compared among themselves"
        )
    if not data_set.startswith("example/"):
        LOG.info(f"reading {data_set}")
    return load(data_set, download=download)


def _compare_logs(paths: Sequence[Path], data_set: str | None, how: Options) -> Comparison:
    of_tables = ("trial", "truth", "system", "answer", "person", "where", "missing", "not_shown", "classes", "options")
    given = [*["data_set"] * bool(data_set), *(each for each in of_tables if getattr(how, each))]
    if given:
        raise ValueError(f"{' and '.join(given)} can't be given with logs, which say themselves what they hold")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        found = read_logs(paths, metric=how.metric, filter_name=how.filter_name, subset=how.subset)
    return compare(found, how=how, notes=[str(each.message) for each in told])


# ---- notes -----------------------------------------------------------------------------------------------------------


LETTERS = set("ABCDEFGHIJ")  # of options of questions
FAR = 0.05  # from 0, a blind value of MA is worth a note


def _notes_on_measures(
    measures: Sequence[Measure], why_not: Mapping[str, str], pairs: pd.DataFrame, of_people: pd.DataFrame
) -> list[str]:
    """Say which measures are not given or undefined, which intervals are not by a measure's own method, or lacking."""
    unknown = "Intervals of {} are by the jackknife; nobody has studied how often they hold."
    of_methods, methods = {JACKKNIFE: unknown}, pairs.attrs["methods"]
    by = [of_methods.get(methods[each.short], "").format(each.short) for each in measures]
    lacking = {why: [short for short, each in why_not.items() if each == why] for why in why_not.values() if why}
    both_err = pairs[["accuracy_a", "accuracy_b"]].max(axis=1) < 1
    undefined = [(each, pairs.loc[both_err, each.short].isna().sum()) for each in measures]
    said = "{}: undefined {} ({} of {} pairs)."
    without = [each.short for each in measures if of_people.get(f"{each.short}_low", pd.Series()).isna().any()]
    why = "Means of {} without an interval: in some condition a pair has fewer than five errors to go by."
    return [
        *filter(None, by),
        *(f"{' and '.join(names)}: {reason}." for reason, names in lacking.items()),
        *(said.format(each.short, undefined_when(each), n, len(pairs)) for each, n in undefined if n),
        *[why.format(" and ".join(without))] * bool(without),
    ]


def _notes_on_chance(responses: Responses, measures: Iterable[Measure], pairs: pd.DataFrame) -> list[str]:
    """Say where chance of MA is from, and how far its zero is from it."""
    if responses.options is not None and "MA" in [measure.short for measure in measures]:
        offered = span(responses.options.min(), responses.options.max())
        return [
            f"Trials offer {offered} options, whose letters mean nothing on other trials. MA takes chance from their "
            "number: with k options, two wrong answers are the same with probability 1/(k - 1). Systems that have "
            "nothing in common score 0 on average."
        ]
    blind = pairs[BLIND] if BLIND in pairs else pd.Series(dtype=float)
    if not blind.abs().max() >= FAR:
        return []
    score = span(number(blind.min(), 2), number(blind.max(), 2))
    return [
        f"MA's zero is not chance: with these {len(responses.classes)} classes, habits alone would give {score}. WMA "
        "has its zero there: --measures EC,MA,WMA."
    ]


def _notes_on_answers(mine: Responses, how: Options, *, alone: bool) -> list[str]:
    """Say which classes there are, and who gave no answer or was not shown a trial."""
    notes = []
    if alone and how.classes is None and mine.options is None:
        if any(name in str(how.measures) for name in ("CLES", "class_level")) and len(mine.classes) > 2:
            notes.append(
                f"{len(mine.classes)} classes occur in {mine.name}, and CLES depends on their number: if there are "
                "more, name all of them with --classes."
            )
        if len(mine.classes) > 2 and set(mine.classes) <= LETTERS:
            notes.append("If letters mean something else on each trial, as options of questions do, give --options.")
        if mine.truth.nunique() == 1:
            word = mine.classes[mine.truth.iloc[0]]
            notes.append(f"The true class is always {word!r}: that is read as right, all else as wrong.")
    then = {"wrong": "that counts as wrong", "left out": "its pairs leave them out"}[how.unread]
    for system, given in mine.answers.items():
        n_silent, n_hidden = int((given == NO_ANSWER).sum()), int(given.isna().sum())
        if n_silent:
            notes.append(f"{system} gave no answer on {n_silent:,} of {len(given):,} trials; {then}.")
        if n_hidden:
            notes.append(
                f"{system} was not shown {n_hidden:,} of {len(given):,} trials; its pairs leave them out. (Means with "
                "people need the trials that all were shown: --subset.)"
            )
    return notes


def _notes_on_others(theirs: Responses | None) -> list[str]:
    """Say what the true class of a public data set is, and how means over its conditions are taken."""
    if theirs is None:
        return []
    known = record(theirs.name)
    notes = [f"The true class in {theirs.name} is {known.truth}."] if known and known.archives else []
    if "condition" in theirs.truth.index.names:
        notes.append("Averages are taken condition by condition, pairs over all conditions together.")
    return notes
