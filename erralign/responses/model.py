"""The data model: what every system answered on every trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api.types import is_bool_dtype

from erralign._validation import (
    NO_ANSWER,
    NOT_SHOWN,
    as_right_or_wrong,
    check_labels,
    check_once,
    expected,
    places_in,
    shown,
)
from erralign.measures.matrix import right_table
from erralign.responses.columns import (
    LACKING,
    align,
    as_answers,
    check_options,
    check_times,
    describe_systems,
    number,
    on_trials,
    options_on,
    read_only,
)

GUEST = "guest"  # the family of a system that a reader brought to a public data set


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """What the measures of errors need: true classes, answers, names of classes, and facts about systems.

    Parameters
    ----------
    name : str
        A name in the catalogue, such as ``"xu2024/stylized"``, or one of your own.
    truth : pandas.Series of int, length n_trials
        True class ids, 0 … C - 1. The index names the trials (by ``condition`` and ``image`` where these are known).
    answers : pandas.DataFrame of int, shape (n_trials, n_systems)
        Class ids, a column per system and the same index; -1 where a system gave no answer in time. In columns of the
        nullable type ``Int64`` missing (``pd.NA``) where a system was not shown the trial.
    classes : tuple of str
        The names of the C classes (or their ids as text). Class-level error similarity depends on C.
    systems : pandas.DataFrame
        Indexed by system, in the order of ``answers``, with the column ``kind`` (``human`` or ``model``) and others.
    options : pandas.Series of int, length n_trials, optional
        How many options each trial offers, at least 2, with the same index. Classes are then positions (A, B, C, …)
        that mean nothing across trials: misclassification agreement takes chance from these numbers, and measures that
        compare classes over trials are not given. Default: every class on every trial.
    times : pandas.DataFrame of float, shape (n_trials, n_timed), optional
        Seconds until a system answered, above 0, with the same index and a column for each system of which any are
        known; missing where one is not. Default: none is known.

    Notes
    -----
    Tables are kept as copies that cannot be written to. Two Responses are equal if they are the same object: compare
    their tables with ``equals``.

    Examples
    --------
    >>> import pandas as pd
    >>> answers = pd.DataFrame({"ann": [0, 1, 0], "net": [1, 1, 0]})
    >>> systems = pd.DataFrame({"kind": ["human", "model"]}, index=["ann", "net"])
    >>> Responses("mine", pd.Series([0, 1, 1]), answers, ("cat", "dog"), systems)
    <Responses 'mine': 3 trials, 2 classes, 2 systems (1 human, 1 model)>
    """

    name: str
    truth: pd.Series
    answers: pd.DataFrame
    classes: tuple[str, ...]
    systems: pd.DataFrame
    options: pd.Series | None = None
    times: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        """Check all parts, so that no measure has to check them again."""
        for field, wanted in {"truth": pd.Series, "answers": pd.DataFrame, "systems": pd.DataFrame}.items():
            if not isinstance(getattr(self, field), wanted):
                raise TypeError(
                    f"{self.name}: {field} is of type {type(getattr(self, field)).__name__}; expected a pandas "
                    f"{wanted.__name__} (Responses.from_table makes all of them out of lists and tables)"
                )
        check_once(self.name, pd.Index(self.classes), "class")
        check_once(f"truth of {self.name}", self.truth.index)
        check_once("answers", self.answers.columns, "system")
        check_labels(f"truth of {self.name}", self.truth, n_classes=len(self.classes))
        for system, answers in self.answers.items():
            shown_to = answers.dropna() if answers.dtype == "Int64" else answers  # what is missing was not shown
            check_labels(f"{self.name}, {system}", shown_to, n_classes=len(self.classes), may_time_out=True)
        if not self.answers.index.equals(self.truth.index):
            raise ValueError(f"{self.name}: answers and truth have different trials; give both the same index")
        self._check_systems()
        check_options(self.name, self.options, {"truth": self.truth} | dict(self.answers.items()), self.classes)
        check_times(self.name, self.times, self.answers)
        whole = [
            system for system, answers in self.answers.items() if answers.dtype == "Int64" and answers.notna().all()
        ]
        if whole:
            object.__setattr__(self, "answers", self.answers.astype(dict.fromkeys(whole, "int64")))
        for field in ("truth", "answers", "systems", "options", "times"):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, read_only(getattr(self, field)))

    def __repr__(self) -> str:
        """Say in one line how much there is."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.systems["kind"].value_counts(sort=False).items())
        n_trials, n_systems = self.answers.shape
        size = f"{n_trials:,} trials, {len(self.classes):,} classes, {n_systems:,} systems ({kinds})"
        return f"<Responses {self.name!r}: {size}>"

    def _repr_html_(self) -> str:
        """Show the same line, and the systems, in a notebook."""
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.systems.to_html(max_rows=10)}"

    def _check_systems(self) -> None:
        listed, answering = self.systems.index, self.answers.columns
        if len(lacking := answering.difference(listed, sort=False)):
            raise ValueError(f"{self.name}: systems has no row for {lacking[0]!r}, which has answers; add one")
        if len(silent := listed.difference(answering, sort=False)):
            raise ValueError(f"{self.name}: systems lists {silent[0]!r}, which has no answers; leave it out")
        if list(listed) != list(answering):
            raise ValueError(
                f"{self.name}: systems and answers hold the same systems in two orders; give systems in the order of "
                "the columns: systems.loc[answers.columns]"
            )
        if "kind" not in self.systems:
            raise ValueError(f"{self.name}: systems has no column kind; expected 'human' or 'model' for each system")
        for name, kind in zip(listed, self.systems["kind"], strict=True):
            if kind not in ("human", "model"):
                raise ValueError(f"{self.name}: kind of {name} is {kind!r}; expected 'human' or 'model'")

    @property
    def guests(self) -> list[str]:
        """The systems that :func:`erralign.load` joined as guests: those whose ``family`` is ``guest``.

        Examples
        --------
        >>> mine = Responses.from_table([0, 1], {"net": [0, 1], "ann": [0, 0]}, family={"net": "guest", "ann": ""})
        >>> mine.guests
        ['net']
        """
        if "family" not in self.systems:
            return []
        return list(self.systems.index[self.systems["family"] == GUEST])

    @classmethod
    def from_table(
        cls,
        truth: Any,
        answers: Any,
        *,
        classes: Iterable[Any] | None = None,
        kind: str | Mapping[str, str] = "model",
        family: str | Mapping[str, str] = "",
        source: str | Mapping[str, str] = "",
        name: str = "mine",
        options: Any = None,
        not_shown: str | Sequence[str] = (),
        absent_not_shown: bool = False,
    ) -> Responses:
        """Make Responses from your own answers, as text or numbers, in any order of trials.

        Parameters
        ----------
        truth : pandas.Series or sequence, length n_trials
            The true class of each trial. The index of a Series names the trials.
        answers : pandas.DataFrame, or mapping of str to Series or sequence
            One column per system (a frame of Polars or PyArrow is a mapping of sequences). Series and frames are
            aligned by their index, lists have the order of the truth. None, NaN, -1 and ``"na"`` mean that a system
            gave no answer. Bools say whether it was right, with a truth of True on all trials: enough for EC, not for
            measures that compare errors.
        classes : sequence, optional
            All classes in the order of their ids; give them if one may not occur, since class-level error similarity
            depends on their number. Default: those that occur, text in alphabetical order and numbers in theirs, with
            the categories of categoricals.
        kind, family, source : str, or mapping of str to str
            ``human`` or ``model``; the group of similar systems, such as ``CNN``; where answers are from: one word for
            all systems, or a mapping from system to word.
        name : str
            What to call the data set.
        options : int, or pandas.Series, mapping or sequence of int, optional
            How many options each trial offers, where answers are positions: letters from A on or numbers, unless
            ``classes`` names them. One number for all trials, or one for each, aligned as answers are.
        not_shown : str or sequence of str
            Words that mean that a system was not shown a trial.
        absent_not_shown : bool
            Whether a trial that the index of a system's Series lacks was not shown to it.

        Returns
        -------
        Responses
            The answers as class ids, with the trials of the truth.

        Examples
        --------
        >>> import pandas as pd
        >>> truth = pd.Series(["cat", "dog", "dog"], index=["img1", "img2", "img3"])
        >>> net = pd.Series(["dog", "na", "cat"], index=["img3", "img1", "img2"])
        >>> ann = pd.Series(["cat", "cat", "dog"], index=truth.index)
        >>> mine = Responses.from_table(truth, {"net": net, "ann": ann})
        >>> mine.answers["net"].to_dict(), mine.classes
        ({'img1': -1, 'img2': 0, 'img3': 1}, ('cat', 'dog'))
        >>> Responses.from_table(["A", "B"], {"net": ["D", "na"]}, options=[4, 3]).classes
        ('A', 'B', 'C', 'D')
        """
        hidden_words = [not_shown] if isinstance(not_shown, str) else list(not_shown)
        true, columns = align(truth, answers, may_lack=absent_not_shown)
        hidden_words += [LACKING] if absent_not_shown else []
        offered = None if options is None else options_on(options, true.index)
        most = None if offered is None else int(offered.max())
        labelled = {"truth": true} | columns
        names: tuple[str, ...] = ("wrong", "right")
        if classes is None and any(isinstance(column.iloc[0], bool | np.bool_) for column in labelled.values()):
            ids = as_right_or_wrong({name: np.array(column.tolist()) for name, column in labelled.items()}, "truth")
            # Of two options one is wrong: where both err, the same error says nothing.
            offered = options_on(2, true.index)
        else:
            ids, names = number(labelled, classes, hidden=hidden_words, n_positions=most)
        answered = {system: as_answers(ids[system]) for system in columns}
        table = pd.DataFrame(answered, index=true.index)
        systems = describe_systems(list(columns), kind=kind, family=family, source=source)
        labels = pd.Series(ids["truth"], index=true.index, name="truth")
        return cls(name, labels, read_only(table, copy=False), names, systems, offered)

    def with_system(
        self, name: str, answers: Any, kind: str = "model", *, family: str = "", source: str = ""
    ) -> Responses:
        """Return the same Responses with one more system, which answered the same trials.

        Parameters
        ----------
        name : str
            What to call the system.
        answers : pandas.Series or sequence, length n_trials
            Names of classes, or class ids, as for :meth:`from_table`.
        kind : {"model", "human"}
            What the system is.
        family, source : str
            More facts about it.

        Returns
        -------
        Responses
            The new system is the last one.

        Examples
        --------
        >>> from erralign.datasets.examples import twelve_pictures
        >>> said = ["cat"] * 3 + ["dog"] * 4 + ["cat"] + ["fox"] * 3 + ["cat"]
        >>> twelve_pictures().with_system("mine", said).systems.loc["mine", "kind"]
        'model'
        """
        about: dict[str, Any] = {"kind": kind, "family": family, "source": source, "name": name}
        return self.join(self.from_table(self.truth, {name: answers}, classes=self.classes, **about))

    def join(self, other: Responses) -> Responses:
        """Return these systems together with others that answered the same trials.

        Parameters
        ----------
        other : Responses
            The other systems, on the same trials in any order, with the same true classes; classes are matched by name.

        Returns
        -------
        Responses
            The name, trials and classes of these Responses, and the systems of both, with their times where known.

        Raises
        ------
        ValueError
            A system that both have, a trial or class that these lack, or a trial on which the two differ.

        Examples
        --------
        >>> import pandas as pd
        >>> from erralign.datasets.examples import twelve_pictures
        >>> people = twelve_pictures()
        >>> mine = Responses.from_table(people.truth, {"mine": people.truth}, classes=people.classes)
        >>> list(people.join(mine).answers)
        ['A', 'Twin', 'Contrarian', 'Stranger', 'mine']
        """
        shared = [name for name in other.answers if name in self.answers]
        if shared:
            raise ValueError(f"{self.name} and {other.name} both have a system {shared[0]!r}; rename one of them")
        places, index = {name: place for place, name in enumerate(self.classes)}, self.truth.index
        unknown = [name for name in other.classes if name not in places]
        if unknown:
            raise ValueError(
                f"{other.name} has a class {unknown[0]!r}, {self.name} has none of that name; "
                f"{expected(unknown[0], places)} (numbers get names by from_table(..., classes=...))"
            )
        ids = np.array([*(places[name] for name in other.classes), NOT_SHOWN, NO_ANSWER])  # found by -2 and -1
        theirs_here = {name: on_trials(str(name), other.answers[name], index) for name in other.answers}
        columns = {name: column.fillna(NOT_SHOWN).to_numpy(np.int64) for name, column in theirs_here.items()}
        self._check_truth(ids[on_trials(other.name, other.truth, index).to_numpy()], other)
        more = pd.DataFrame({name: as_answers(ids[column]) for name, column in columns.items()}, index=index)
        systems = pd.concat([self.systems, other.systems]).fillna("")
        options, theirs = self.options, None if other.options is None else options_on(other.options, index)
        if options is None or theirs is None:
            options = theirs if options is None else options
        elif not options.equals(theirs):
            differs = np.flatnonzero(options != theirs)
            first = differs[0]
            raise ValueError(
                f"trial {shown(index[first])} has {options.iloc[first]} options in {self.name} and "
                f"{theirs.iloc[first]} in {other.name}: {len(differs)} of {len(index)} trials differ; join answers to "
                "the same questions only"
            )
        times = self.times
        if other.times is not None:
            of_both = {str(name): on_trials(str(name), other.times[name], index) for name in other.times}
            known = pd.DataFrame(index=index) if times is None else times
            times = known.join(pd.DataFrame(of_both, index=index))
        answers = read_only(self.answers.join(more), copy=False)
        return replace(self, answers=answers, systems=systems, options=options, times=times)

    def _check_truth(self, truth: np.ndarray, other: Responses) -> None:
        differs = truth != self.truth.to_numpy()
        if differs.any():
            first = int(differs.argmax())
            here, there = (self.classes[ids[first]] for ids in (self.truth.to_numpy(), truth))
            raise ValueError(
                f"trial {shown(self.truth.index[first])} is {here!r} in {self.name} and {there!r} in {other.name}: "
                f"{differs.sum()} of {len(truth)} trials differ; join answers to the same trials only"
            )

    def table(self, a: str, b: str) -> np.ndarray:
        """Count on how many trials, of those that both were shown, both, one or none of two systems are right.

        Parameters
        ----------
        a, b : str
            The names of two systems.

        Returns
        -------
        numpy.ndarray of int, shape (2, 2)
            ``table[a right][b right]``, as :func:`erralign.p_value` takes it.

        Examples
        --------
        >>> from erralign.datasets.examples import twelve_pictures
        >>> twelve_pictures().table("A", "Stranger").tolist()
        [[0, 3], [3, 6]]
        """
        self._check_has(a, b)
        both = self.answers[[a, b]].dropna().astype("int64")
        return right_table(self.truth[both.index].to_numpy(), both[a].to_numpy(), both[b].to_numpy())

    def _check_has(self, *names: str) -> None:
        for name in names:
            if name not in self.answers:
                raise ValueError(f"{self.name} has no system {name!r}; {expected(name, self.answers)}")

    def select(self, *, systems: Sequence[str] | None = None, trials: ArrayLike | None = None) -> Responses:
        """Return the same Responses with only some of the systems, some of the trials, or both.

        Parameters
        ----------
        systems : sequence of str, optional
            Names of systems, in the order that you want. Default: all.
        trials : array_like of bool, or of labels, optional
            One bool per trial (a Series is aligned by its index), or names of trials, in the order that you want.
            Default: all.

        Returns
        -------
        Responses
            The same name and classes, with the chosen systems and trials.

        Examples
        --------
        >>> from erralign.datasets.examples import twelve_pictures
        >>> pictures = twelve_pictures()
        >>> pictures.select(systems=["Twin", "A"], trials=pictures.truth == 0).answers.shape
        (4, 2)
        >>> pictures.select(trials=[1, 12]).truth.index.tolist()
        [1, 12]
        """
        names = list(self.answers) if systems is None else list(systems)
        self._check_has(*names)
        places = slice(None) if trials is None else self._places(trials)
        answers = self.answers[names].iloc[places]
        options = None if self.options is None else self.options.iloc[places]
        truth, facts = self.truth.iloc[places], self.systems.loc[names]
        times = None
        if self.times is not None and len(timed := [name for name in names if name in self.times]):
            times = self.times[timed].iloc[places]
        return replace(self, truth=truth, answers=answers, systems=facts, options=options, times=times)

    def _places(self, trials: Any) -> np.ndarray:
        index = self.truth.index
        if isinstance(trials, pd.Series) and is_bool_dtype(trials) and not trials.index.equals(index):
            trials = trials.iloc[places_in("trials", trials.index, index, "; give one bool per trial")]
        labels = pd.Index(trials)
        if not is_bool_dtype(labels):
            return places_in(self.name, index, labels, "; trials are named by its index")
        if len(labels) != len(index):
            raise ValueError(f"trials has {len(labels)} values, {self.name} {len(index)} trials: give one per trial")
        return labels.to_numpy().nonzero()[0]
