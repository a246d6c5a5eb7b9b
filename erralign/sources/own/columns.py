"""What the columns of a file are: told by what they hold, and only then by where they stand."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS
from erralign.errors.options import FEWEST
from erralign.sources.own.cells import Cells

TRUTH = "truth"
# What others call the column of true classes; no name for a system.
TRUTH_ELSEWHERE = {"category", "class", "correct", "gt", "ground_truth", "label", "labels", "target", "true", "y_true"}
ANSWERS_ELSEWHERE = {"answer", "object_response", "pred", "predicted", "prediction", "response"}
RIGHT_OR_WRONG = {"0", "1", "true", "false"}
# How columns are called that hold times, or the seed of an order.
MEASURED = re.compile(r"(.*_)?(ms|rt|seconds|seed)", re.IGNORECASE)
OPTIONS = re.compile(r"(n_)?options", re.IGNORECASE)
NUMBER = re.compile(r"-?\d+([.,]\d+)?")


def plain(word: str) -> str:
    """Write a class as it is without what a column of decimals adds: 3.0, or 3,0, is 3."""
    whole, point, rest = word.replace(",", ".").partition(".")
    return whole if point and rest and not rest.strip("0") and whole.lstrip("-").isdigit() else word


def check_named(cells: Cells, columns: Mapping[str, str | Sequence[str]], trials: Sequence[str] | None) -> None:
    """Refuse names of columns that the file does not have."""
    for what, names in {**columns, "trials": trials or ()}.items():
        for name in _listed(names):
            if name not in cells.header:
                raise ValueError(
                    f"{cells.file} has no column {name!r} for {what}; its header is {', '.join(cells.header)}"
                )


def _listed(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def check_truth(cells: Cells, others_give_it: bool) -> None:
    """Refuse a file without true classes, unless others give them and no column could be meant to hold them."""
    lacks = f"{cells.file} has no column {TRUTH!r}"
    offered = [column for column in cells.header if column.lower() in TRUTH_ELSEWHERE | {TRUTH}]
    if offered:
        raise ValueError(
            f"{lacks}, but a column {offered[0]!r}: if it holds the true classes, call it {TRUTH!r}, or say --truth "
            f"{offered[0]} (columns={{{TRUTH!r}: {offered[0]!r}}}); if it holds the answers of a system, give it the "
            "system's name"
        )
    if others_give_it:
        return
    if all(_marks(cells, column) <= RIGHT_OR_WRONG for column in cells.header[1:]):
        raise ValueError(
            f"{lacks}; if its columns say which answers are right, add a column {TRUTH!r} with that word, 1 or True, "
            "in each row: EC needs no more, MA and CLES need the answers"
        )
    raise ValueError(
        f"{lacks}; expected trial, truth and a column per system, or system, trial, truth and answer, or the columns "
        f"of model-vs-human; its header is {', '.join(cells.header)}"
    )


def offers(cells: Cells, columns: Mapping[str, str | Sequence[str]], trials: Sequence[str] | None) -> str | None:
    """Return the column that says how many options each trial offers: the one named, or one that looks like it."""
    if "options" in columns:
        return str(columns["options"])
    named = {name for names in (*columns.values(), trials or ()) for name in _listed(names)}
    possible = [column for column in cells.header if OPTIONS.fullmatch(column) and column not in named]
    numbers = (word.isdecimal() and int(word) >= FEWEST for column in possible for word in _marks(cells, column))
    return possible[0] if possible and all(numbers) else None


def of_wide(cells: Cells, truth: str | None, classes: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """Return which columns name the trial, which are systems, and what must be said of that."""
    header = _without_numbers_of_rows(cells)
    if truth is None:
        named = ([column for column in header if not _holds(cells, column, classes)] or header)[:1]
        return named, [column for column in header if column not in named], []
    before, after = header[: header.index(truth)], header[header.index(truth) + 1 :]
    after, notes = without_times(cells, after, classes)
    doubtful = [column for column in before if _holds(cells, column, classes)]
    trials = [column for column in before if column not in doubtful]
    if not trials:
        of_rows = (each for each in after if _names_rows(cells, [each]) and not _holds(cells, each, classes))
        trials = list(islice(of_rows, 1))
    enough = _names_rows(cells, trials) if trials else not _names_rows(cells, doubtful)
    for column in doubtful:
        if enough and _agrees(cells, column, truth):
            notes.append(f"{column!r} stands before {truth!r} and holds classes: it is taken for a system.")
        else:
            trials = [each for each in header if each in {*trials, column}]
            notes.append(
                f"{column!r} holds classes and is taken as part of the trial's name; if it holds a system's answers, "
                "name the columns that name trials with --trials (trials=[...])."
            )
    systems = [column for column in [*before, *after] if column not in trials]
    _check_no_scores(cells, systems, truth)
    return trials, systems, notes


def without_times(cells: Cells, columns: list[str], classes: Collection[str]) -> tuple[list[str], list[str]]:
    """Leave out columns that are called like times and hold only numbers that are no classes; say so in a note."""
    times = [
        column
        for column in columns
        if MEASURED.fullmatch(column)
        and all(NUMBER.fullmatch(word) for word in _marks(cells, column) - NO_ANSWER_WORDS)
        and not _holds(cells, column, classes)
    ]
    note = f"{', '.join(map(repr, times))}: left out, as times or a seed."
    return [column for column in columns if column not in times], [note] if times else []


def _without_numbers_of_rows(cells: Cells) -> list[str]:
    """Leave out the column without a name in which pandas writes the numbers of rows, if others name the trials."""
    first = cells.header[0]
    if first or len(cells.header) < 3 or cells.header[1] == TRUTH:
        return cells.header
    counted = (str(row) for row in range(len(cells.codes)))
    return cells.header[all(map(str.__eq__, cells.text(first), counted)) :]


def _holds(cells: Cells, column: str, classes: Collection[str]) -> bool:
    """Say whether a column looks like answers: at least half are true classes, and no number is a row's own."""
    counts = np.bincount(cells.column(column), minlength=len(cells.words))
    if counts.max() == 1 and len(cells.codes) > 2 * len(classes):
        return False
    words = {plain(cells.words[place]): int(counts[place]) for place in np.flatnonzero(counts)}
    given = {word: n for word, n in words.items() if word.casefold() not in NO_ANSWER_WORDS}
    among = [n for word, n in given.items() if word in classes]
    are_rows = counts.max() == 1 and all(word.lstrip("-").isdigit() for word in given)
    return bool(among) and 2 * sum(among) >= sum(given.values()) and not are_rows


def _names_rows(cells: Cells, columns: list[str]) -> bool:
    """Say whether no two rows have the same in all columns."""
    return not cells.codes[columns].duplicated().any()


def _agrees(cells: Cells, column: str, truth: str) -> bool:
    """Say whether a column agrees with the truth more often than chance would, by three standard deviations."""
    said, true = (_plainly(cells, name) for name in (column, truth))
    size = len(cells.words)
    chance = np.bincount(said, minlength=size) @ np.bincount(true, minlength=size) / len(true) ** 2
    return bool((said == true).mean() > chance + 3 * np.sqrt(chance * (1 - chance) / len(true)))


def _plainly(cells: Cells, column: str) -> np.ndarray:
    """Return a number per row, the same where a column holds the same class."""
    return pd.factorize(np.array(list(map(plain, cells.words)), dtype=object))[0][cells.column(column)]


def _check_no_scores(cells: Cells, systems: list[str], truth: str) -> None:
    """Refuse a column that says whether another is right, which would pass for answers where classes are numbers."""
    if _marks(cells, truth) <= RIGHT_OR_WRONG:
        return
    for scores in systems:
        marks = _marks(cells, scores)
        if len(marks) < 2 or not marks <= RIGHT_OR_WRONG:
            continue
        right = np.array([plain(word).casefold() in ("1", "true") for word in cells.text(scores)])
        for other in systems:
            if (right == (_plainly(cells, other) == _plainly(cells, truth))).all():
                raise ValueError(
                    f"{cells.file}: column {scores!r} says whether {other!r} is right, and holds no answers; leave it "
                    f"out, or name the systems' columns with --system (columns={{'system': [...]}})"
                )


def _marks(cells: Cells, column: str) -> set[str]:
    return {plain(word).casefold() for word in cells.words[np.unique(cells.column(column))]}


def of_long(cells: Cells, system: str, candidates: list[str]) -> tuple[list[str], list[str]]:
    """Return which columns name the trial, those in which all systems have the same, and what must be said of that."""
    n_systems = cells.codes[system].nunique()
    kept: list[str] = []
    for column in sorted(candidates, key=lambda name: -cells.codes[name].nunique()):
        trial = [*kept, column]
        answered = cells.codes[[*trial, system]].drop_duplicates()
        if len(answered) == n_systems * len(answered[trial].drop_duplicates()):
            kept = trial
    if not kept or not _names_rows(cells, [*kept, system]):
        return candidates, []  # an answer is missing or doubled, which is said of it
    left = [column for column in candidates if column not in kept]
    words = f"{', '.join(map(repr, left))} {'differs' if len(left) == 1 else 'differ'} between systems"
    names = [column for column in candidates if column in kept]
    note = f"{words}, so trials are named by {', '.join(map(repr, names))} alone; --trials names other columns."
    return names, [note] if left else []
