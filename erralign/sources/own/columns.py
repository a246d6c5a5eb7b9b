"""What the columns of a file hold: the truth, answers of systems, names of trials, and what is none of these."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS
from erralign.errors.labels import FEWEST
from erralign.sources.own.cells import LIMITS, NAMES, Cells, is_like, listed, refusal, say

TRUTH = "truth"
FEWEST_ROWS = LIMITS["few"]
RIGHT_OR_WRONG = set(NAMES["right_or_wrong"])


def plain(word: str) -> str:
    """Write a class as it is without what a column of decimals adds: 3.0, or 3,0, is 3."""
    whole, point, rest = word.replace(",", ".").partition(".")
    return whole if point and rest and not rest.strip("0") and whole.lstrip("-").isdigit() else word


def check_named(cells: Cells, columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> None:
    """Refuse names of columns that the file does not have."""
    named = [(name, what) for what, names in {**columns, "trials": trials or ()}.items() for name in names]
    for name, what in named:
        if name not in cells.header:
            raise refusal(cells, "not_there", name=name, what=what)


def check_truth(cells: Cells, others_give_it: bool) -> None:
    """Refuse a file without true classes, unless others give them and no column could be meant to hold them."""
    called = [column for column in cells.header if column.lower() in {*NAMES["truth"], TRUTH}]
    offered = [each for each in called if each.lower() != "correct" or not _marks(cells, each) <= RIGHT_OR_WRONG]
    if offered:
        true, answers = offered[0], [column for column in cells.header if column.lower() in NAMES["answers"]]
        others = [column for column in cells.header if column not in (true, *answers)]
        trials = [column for column in others if not (is_like("recorded", column) or is_like("times", column))]
        command = f"--truth {true} (columns={{'truth': '{true}'}})"
        if len(answers) == 1 and trials:  # as one person's answers are written
            command = f"--truth {true} --system {answers[0]} --trials {trials[0]}"
        raise refusal(cells, "truth_elsewhere", column=true, command=command)
    if not others_give_it:
        marks = all(_marks(cells, column) <= RIGHT_OR_WRONG for column in cells.header[1:])
        raise refusal(cells, "right_or_wrong" if marks else "no_truth")


def offers(cells: Cells, columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> str | None:
    """Return the column that says how many options each trial offers: the one named, or one that looks like it."""
    if "options" in columns:
        return columns["options"][0]
    named = {name for names in (*columns.values(), trials or ()) for name in names}
    possible = [column for column in cells.header if is_like("options", column) and column not in named]
    numbers = (word.isdecimal() and int(word) >= FEWEST for column in possible for word in _marks(cells, column))
    return possible[0] if possible and all(numbers) else None


def of_wide(cells: Cells, truth: str | None, classes: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """Return which columns name the trial, which are systems, and what must be said of that."""
    header, rows = cells.header, map(str, range(len(cells.codes)))
    if not header[0] and len(header) > 2 and header[1] != TRUTH and all(map(str.__eq__, cells.text(""), rows)):
        header = header[1:]  # in the column without a name pandas writes the numbers of rows; others name the trials
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
            notes.append(say("before", column=column, truth=truth))
        else:
            trials = [each for each in header if each in {*trials, column}]
            notes.append(say("in_name", column=column))
    return trials, [column for column in [*before, *after] if column not in trials], notes


def check_systems(cells: Cells, systems: list[str], truth: str | None, classes: Collection[str]) -> None:
    """Refuse columns that are no systems by their names or by what they hold, but would pass for some."""
    if truth is not None:
        _check_no_scores(cells, systems, truth)
    if len(systems) > 1 and set(systems) == set(classes):
        raise refusal(cells, "per_class", columns=listed(systems))
    n = len(cells.codes)
    for column in systems:
        words = _marks(cells, column) - NO_ANSWER_WORDS
        are_whole = all(is_like("whole", word) for word in words)
        why = {
            "recorded": is_like("recorded", column) or (truth is not None and column.lower() in NAMES["truth"]),
            "counter": are_whole and len(words) == n > max(2 * len(classes), FEWEST_ROWS),
            "same": words and are_whole and len(_marks(cells, column)) == 1 < len(classes) and n > FEWEST_ROWS,
        }
        for reason in filter(why.__getitem__, why):
            raise refusal(cells, reason, column=column, word=cells.text(column)[0])


def check_rows(cells: Cells, truth: str, systems: list[str], classes: Collection[str]) -> None:
    """Refuse a row at an edge that is of no trial, as a second heading or a sum: no other row has any of its words.

    A rare class is no such row: a system is right about it, or rows in the middle have rare ones too.
    """
    labels = [int(plain(word)) if is_like("whole", plain(word)) else word for word in cells.words]
    places, distinct = pd.factorize(np.array(labels, dtype=object))
    columns = [places[cells.column(name)].astype(np.int32) for name in (truth, *systems)]
    n = len(cells.codes)
    first, last = np.full(len(distinct), n), np.zeros(len(distinct), int)
    for codes in columns:
        np.minimum.at(first, codes, np.arange(n))
        np.maximum.at(last, codes, np.arange(n))
    is_alone = (first == last) & [str(word).casefold() not in NO_ANSWER_WORDS for word in distinct]
    odd: list[int] = []
    true, *said = columns
    for row in np.flatnonzero(np.all([is_alone[codes] for codes in columns], axis=0)):
        word = cells.words[cells.column(truth)[row]]
        is_right = len(said) == 1 or any(codes[row] == true[row] for codes in said)
        odd += [int(row)] * (word not in classes and (is_like("heading", word) or not is_right))
    others = np.delete(true, np.array(odd, int))
    is_clear = len(others) >= max(LIMITS["many"], LIMITS["often"] * len(np.unique(others)))
    if odd and is_clear and all(min(row, n - 1 - row) < LIMITS["edge"] for row in odd):
        raise refusal(cells, "no_trial", row=" and ".join(str(cells.codes.index[row]) for row in odd))


def without_times(cells: Cells, columns: list[str], classes: Collection[str]) -> tuple[list[str], list[str]]:
    """Leave out columns that are called like times and hold only numbers that are no classes; say so in a note."""
    times = [
        column
        for column in columns
        if is_like("times", column)
        and all(is_like("number", word) for word in _marks(cells, column) - NO_ANSWER_WORDS)
        and not _holds(cells, column, classes)
    ]
    notes = [say("times", columns=listed(times))] if times else []
    return [column for column in columns if column not in times], notes


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
                raise refusal(cells, "score", column=scores, other=other)


def _marks(cells: Cells, column: str) -> set[str]:
    return {plain(word).casefold() for word in cells.words[np.unique(cells.column(column))]}


def check_long(cells: Cells, system: str, truth: str | None, answer: str, candidates: list[str]) -> None:
    """Refuse answers that were rejected, and systems that only a second column, which is called so, tells apart."""
    for column in candidates:
        n = sum(word.casefold() == "rejected" for word in cells.text(column)) if is_like("status", column) else 0
        if n:
            raise refusal(cells, "rejected", column=column, n=f"{n:,}", all=f"{len(cells.codes):,}")
    for column in candidates:
        words = cells.words[np.unique(cells.column(column))]
        are_kinds = all(is_like("human", word) or is_like("machine", word) for word in words)
        if not (are_kinds or is_like("variant", column)):
            continue
        found, _ = of_long(cells, system, [each for each in candidates if each != column])
        trial = [each for each in found if not is_like("counter", each)] or found
        with_truth = [*trial, truth] if truth else trial
        n_trials, n_true = (len(cells.codes[each].drop_duplicates()) for each in (trial, with_truth))
        is_told = not _names_rows(cells, [system, *trial]) and _names_rows(cells, [system, *trial, column])
        # Where pictures of the same name have several true classes, they are several pictures.
        if is_told and n_trials == n_true > len(words):
            trials = "".join(f" --trials {each}" for each in candidates if each in {*trial, column})
            raise refusal(cells, "apart", system=system, column=column, answer=answer, trials=trials)


def of_long(cells: Cells, system: str, candidates: list[str]) -> tuple[list[str], list[str]]:
    """Return which columns name the trial, those in which all systems have the same, and what must be said of that."""
    n_systems = cells.codes[system].nunique()
    kept: list[str] = []
    # A counter of each person's own is the same for all too, so what else names the trial goes first.
    last = {name: is_like("counter", name) or is_like("recorded", name) for name in candidates}
    for column in sorted(candidates, key=lambda name: (last[name], -cells.codes[name].nunique())):
        trial = [*kept, column]
        answered = cells.codes[[*trial, system]].drop_duplicates()
        if len(answered) == n_systems * len(answered[trial].drop_duplicates()):
            kept = trial
    if not kept:
        return candidates, []  # an answer is missing, which is said of it
    left = [column for column in candidates if column not in kept]
    names = [column for column in candidates if column in kept]
    notes = [say("differ", columns=listed(left), trials=listed(names))] if left else []
    return names, notes + ([say("by_number", column=kept[0])] if len(kept) == 1 and is_like("counter", kept[0]) else [])
