"""How systems are compared: each option once, for Python and for the command line."""

# ruff: noqa: RUF009 (options are declared by a function that returns a field)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from erralign._validation import check_choice

if TYPE_CHECKING:
    import numpy as np

    from erralign.measures import Measure

_FEWEST_DRAWS = 100
_LETTERS_OF_OPTIONS = "Answers are letters of K options, new on each trial; K is a number, or the column with it."
OF_TABLES = (
    "trial",
    "truth",
    "system",
    "answer",
    "person",
    "where",
    "missing",
    "not_shown",
    "absent_not_shown",
    "classes",
    "options",
)
OF_FILES = (
    "classes",
    "trial",
    "truth",
    "system",
    "answer",
    "where",
    "missing",
    "not_shown",
    "absent_not_shown",
    "subset",
)
_OF_SYSTEMS = "Holds a system's answers; with --answer, names the systems. Default: system, or all right of the truth."
_OF_NOT_SHOWN = "Means that a system was not shown the trial."
_OF_CLASSES = "All classes, where some do not occur: between commas, or a file with one per line."
OF_SCHEDULER = "Of a Dask scheduler, such as tcp://scheduler:8786, whose workers do the work."


def _option(flag: str, words: str, default: Any = None) -> Any:
    """Declare an option of the command line, such as ``--level X``; its name in Python is the field's."""
    return field(default=default, metadata={"flag": flag, "help": words})


@dataclass(frozen=True, kw_only=True)
class Options:
    """How systems are compared. Each is an option of ``erralign compare``, whose help says what it does.

    Parameters
    ----------
    person, trial, truth, system, answer, where, missing, not_shown, absent_not_shown
        Which columns and rows are read, and what their words mean, as for :func:`erralign.read_answers`.
    classes : sequence of str, optional
        All classes. Default: those of the data set; without a data set, those that occur.
    metric, filter_name
        What to read in logs, as for :func:`erralign.read_logs`.
    measures, unread, level, n_resamples, scheduler, rng
        As for :func:`erralign.pairwise_intervals`. If a system of yours has unread answers, values of the other choice
        are shown beside.
    panel : bool
        Whether to say what at least three systems of yours are worth together, as :func:`erralign.effective_number`,
        :func:`erralign.all_wrong` and :func:`erralign.diversity.vote` do.
    with_ : iterable of str, optional
        Those of your systems that are compared with all others. Default: all of them.
    options : int or str, optional
        How many options each trial offers, as for :meth:`erralign.Responses.from_table`, or the column that says it.
    clusters : str, optional
        A column: trials with the same word in it are not independent, such as pictures shown twice.
    subset : bool
        Whether trials that a system was not shown, or that one of several logs lacks, are left out for all systems.
    download : bool
        Whether to fetch the data set even if more than 20 MB of it are not on this machine.

    Examples
    --------
    >>> Options(measures=["EC", "MA"], level=0.9).level
    0.9
    """

    trial: Sequence[str] = _option("--trial COLUMN", "Names the trial; may be repeated. Default: image, or trial.", ())
    truth: str | None = _option("--truth COLUMN", "Holds the true classes. Default: truth.")
    system: Sequence[str] = _option("--system COLUMN", _OF_SYSTEMS, ())
    answer: str | None = _option("--answer COLUMN", "Holds the answers, where each has a row. Default: answer.")
    person: Sequence[str] = _option("--person NAME", "A system that is a person; may be repeated; all: all are.", ())
    where: str = _option("--where ROWS", "Which rows are read, such as 'task == response and block != 0'.", "")
    classes: Sequence[str] | None = _option("--classes CLASSES", _OF_CLASSES)
    metric: str | None = _option("--metric NAME", "Of a log: the metric or scorer that says what is right.")
    filter_name: str | None = _option("--filter NAME", "Of a log: the filter whose answers are read.")
    missing: Sequence[str] = _option("--missing WORD", "Means no answer, as empty cells, NA, -1 and - do.", ())
    not_shown: Sequence[str] = _option("--not-shown WORD", _OF_NOT_SHOWN, ())
    absent_not_shown: bool = _option("--absent-not-shown", "A trial without a row was not shown to the system.", False)
    measures: str | Measure | Iterable[str | Measure] = _option(
        "--measures NAMES", "What systems are compared by.", ("EC", "MA", "CLES")
    )
    with_: Iterable[str] | None = _option("--pairs NAMES", "Only these systems of the file beside all others.")
    options: int | str | None = _option("--options K", _LETTERS_OF_OPTIONS)
    unread: str = _option("--unread WORDS", "What no answer is: wrong, or left out.", "wrong")
    panel: bool = _option("--panel", "Also what your systems are worth together, such as a panel of judges.", False)
    level: float = _option("--level X", "Of the intervals.", 0.95)
    clusters: str | None = _option("--clusters COLUMN", "Trials with the same word in it are not independent.")
    n_resamples: int = _option("--resamples N", "Draws of an interval.", 10_000)
    subset: bool = _option("--subset", "Compare on the trials that all systems have.", False)
    download: bool = _option("--download", "Fetch the data set if it is not on this machine.", False)
    rng: int | np.random.Generator = 0
    scheduler: str = _option("--scheduler ADDRESS", OF_SCHEDULER, "")

    def __post_init__(self) -> None:
        """Refuse a third choice about unread answers, and limits of draws so few that they say nothing."""
        check_choice("unread", self.unread, ["wrong", "left out"])
        if self.n_resamples < _FEWEST_DRAWS:
            raise ValueError(f"n_resamples is {self.n_resamples}; expected at least {_FEWEST_DRAWS} draws")

    def of_files(self) -> dict[str, Any]:
        """Return what is asked of files, as the reader of answers takes it."""
        return {name: getattr(self, name) for name in (*OF_TABLES, "clusters", "subset")}
