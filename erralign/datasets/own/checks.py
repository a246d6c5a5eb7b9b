"""What columns of a file hold, and what the answers that were read look like: notes, and what can't be meant."""

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd
from scipy.special import bdtr

from erralign._validation import NO_ANSWER, NO_ANSWER_WORDS
from erralign._validation.labels import FEWEST
from erralign.datasets.own.cells import (
    LIMITS,
    NAMES,
    NEWER,
    Cells,
    is_like,
    labels_of,
    listed,
    most_of,
    one_letter_apart,
    plain,
    refusal,
    say,
)
from erralign.responses import Responses

TRUTH = "truth"
FEWEST_ROWS = LIMITS["few"]
RIGHT_OR_WRONG = set(NAMES["right_or_wrong"])
LETTERS = set("ABCDEFGHIJ")  # of options of questions


def check_truth(cells: Cells, others_give_it: bool) -> None:
    """Refuse a file without true classes, unless others give them and no column could be meant to hold them."""
    called = [column for column in cells.header if column.lower() in {*NAMES["truth"], TRUTH}]
    offered = [each for each in called if each.lower() != "correct" or not marks_in(cells, each) <= RIGHT_OR_WRONG]
    if offered:
        true, answers = offered[0], [column for column in cells.header if column.lower() in NAMES["answers"]]
        others = [column for column in cells.header if column not in (true, *answers)]
        trials = [column for column in others if not (is_like("recorded", column) or is_like("times", column))]
        whose = [column for column in others if is_who(column) and cells.codes[column].nunique() > 1]
        command = f"--truth {true} (columns={{'truth': '{true}'}})"
        if len(answers) == 1 and (whose or trials):  # without names of systems, as one person's answers are written
            more = [whose[0], "--answer", *answers] if whose else [*answers, "--trials", trials[0]]
            command = shlex.join(["--truth", true, "--system", *more])
        raise refusal(cells, "truth_elsewhere", column=true, command=command)
    if not others_give_it:
        marks = all(marks_in(cells, column) <= RIGHT_OR_WRONG for column in cells.header[1:])
        why = "one_column" if len(cells.header) == 1 else "right_or_wrong" if marks else "no_truth"
        raise refusal(cells, why, lacks=f" has no column '{TRUTH}'")


def is_who(column: str) -> bool:
    """Say whether a column is called as if it named people or models."""
    return column.lower() in {*NAMES["people"], *NAMES["models"], "system"}


def offers(cells: Cells, columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> str | None:
    """Return the column that says how many options each trial offers: the one named, or one that looks like it."""
    if "options" in columns:
        return columns["options"][0]
    named = {name for names in (*columns.values(), trials or ()) for name in names}
    possible = [column for column in cells.header if is_like("options", column) and column not in named]
    numbers = (word.isdecimal() and int(word) >= FEWEST for column in possible for word in marks_in(cells, column))
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
        words = marks_in(cells, column) - NO_ANSWER_WORDS
        are_whole = all(is_like("whole", word) for word in words)
        why = {
            "recorded": is_like("recorded", column) or (truth is not None and column.lower() in NAMES["truth"]),
            "counter": are_whole and len(words) == n > max(2 * len(classes), FEWEST_ROWS),
            "same": words and are_whole and len(marks_in(cells, column)) == 1 < len(classes) and n > FEWEST_ROWS,
        }
        for reason in filter(why.__getitem__, why):
            raise refusal(cells, reason, column=column, word=cells.text(column)[0])


def check_rows(cells: Cells, truth: str, systems: list[str], classes: Collection[str]) -> None:
    """Refuse a row at an edge that is of no trial, as a second heading or a sum: no other row has any of its words.

    A rare class is no such row: a system is right about it, or rows in the middle have rare ones too.
    """
    places, distinct = labels_of(cells)
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
        and all(is_like("number", word) for word in marks_in(cells, column) - NO_ANSWER_WORDS)
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
    said, true = _plainly(cells, [column, truth])
    size = len(cells.words)
    chance = np.bincount(said, minlength=size) @ np.bincount(true, minlength=size) / len(true) ** 2
    return bool((said == true).mean() > chance + 3 * np.sqrt(chance * (1 - chance) / len(true)))


def _plainly(cells: Cells, columns: Sequence[str]) -> list[np.ndarray]:
    """Return a number per row of each column, the same where columns hold the same class."""
    same = pd.factorize(np.array(list(map(plain, cells.words)), dtype=object))[0]
    return [same[cells.column(column)] for column in columns]


def _check_no_scores(cells: Cells, systems: list[str], truth: str) -> None:
    """Refuse a column that says whether another is right, which would pass for answers where classes are numbers."""
    marks = {each: marks_in(cells, each) for each in (truth, *systems)}
    scores = [each for each in systems if len(marks[each]) > 1 and marks[each] <= RIGHT_OR_WRONG]
    is_luck = marks[truth] <= RIGHT_OR_WRONG and len(cells.codes) <= FEWEST_ROWS  # then answers may equal it
    if len(marks[truth]) < 2 or not scores or is_luck:
        return
    # Where the truth is 0 or 1 too, who is always right says the same as where a constant answer is right.
    others = [each for each in systems if len(marks[each]) > 1 or not marks[truth] <= RIGHT_OR_WRONG]
    true, *said = _plainly(cells, [truth, *others])
    right = {(codes == true).tobytes(): other for codes, other in zip(said, others, strict=True)}
    is_one = np.array([plain(word).casefold() in ("1", "true") for word in cells.words])
    for each in reversed(scores):  # then each of two says where the other is right; the first holds answers
        other = right.get(is_one[cells.column(each)].tobytes())
        if other is not None:
            raise refusal(cells, "score", column=each, other=other)


def marks_in(cells: Cells, column: str) -> set[str]:
    """Return the classes of a column in small letters."""
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


# ---- answers that were read ------------------------------------------------------------------------------------------


def notes_on_trials(responses: Responses) -> list[str]:
    """Propose to take trials together that show one thing: one part of their names comes again, and tells most.

    Where another part is a name of each trial, only a part that is called like a source, such as a video, is meant so.
    """
    trials = responses.truth.index
    sizes = {str(part): trials.unique(part).size for part in trials.names if trials.nlevels > 1}
    whole = len(trials) in sizes.values()
    again = [part for part, n in sizes.items() if 2 < n <= len(trials) / 2 and part != "repetition"]
    again = [part for part in again if not whole or is_like("source", part)]
    return [say("shared", column=max(again, key=lambda part: sizes[part]))] if again else []


def notes_on_classes(responses: Responses) -> list[str]:
    """Say which answers are no true class, and which true classes may be misspelt; refuse a system with many such."""
    truth, names = responses.truth, responses.classes
    sizes = np.bincount(truth, minlength=len(names))
    notes = []
    if (sizes > 0).sum() > 1:
        strange = np.zeros(len(names), int)
        for system, given in responses.answers.items():
            said = np.bincount(given[given >= 0], minlength=len(names)) * (sizes == 0)
            n, n_given = said.sum(), int((given >= 0).sum())
            if n > LIMITS["few"] and n > LIMITS["strange"] * n_given:
                many = {"n": f"{n:,}", "all": f"{n_given:,}", "words": most_of(said, names)}
                many["file"] = responses.systems["source"].to_dict()[system]
                raise ValueError(say("too_strange", system=system, **many))
            strange += said
        notes += [say("strange", words=most_of(strange, names))] if strange.any() else []
    for rare in np.flatnonzero((sizes > 0) & (sizes <= LIMITS["rare"])):
        often = sizes >= LIMITS["times_rarer"] * sizes[rare]
        near = (names[each] for each in np.flatnonzero(often) if one_letter_apart(names[rare], names[each]))
        other = next(near, None)
        if other is not None:
            fields = {"word": names[rare], "n": sizes[rare], "all": f"{len(truth):,}", "other": other}
            notes.append(say("near", **fields))
    return notes


def agreement(responses: Responses) -> Iterator[tuple[str, int, int, float]]:
    """Yield, for each system that answers, on how many trials it is right, of how many, and its chance to be so."""
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy().T
    true = np.bincount(truth, minlength=len(responses.classes)) / len(truth)
    for system, given in zip(responses.answers, answers, strict=True):
        said = given[given >= 0]
        if len(said):
            yield str(system), int((given == truth).sum()), len(said), float(true[said].mean())


def notes_on_agreement(responses: Responses) -> list[str]:
    """Name systems that are right less often than by chance, and those that are about as often."""
    systems: dict[str, list[str]] = {"below": [], "by_chance": [], "": []}
    for system, right, n, chance in agreement(responses) if responses.truth.nunique() > 1 else ():
        systems[_beside_chance(right, n, chance)].append(system)
    return [say(what, systems=", ".join(names)) for what, names in systems.items() if what and names]


def notes_on_copies(responses: Responses) -> list[str]:
    """Name systems that say the same on all trials, that are the vote of the others, or are called like sums."""
    truth, answers = responses.truth.to_numpy(), responses.answers.to_numpy()
    known = dict(zip(map(str, responses.answers), answers.T, strict=True))
    fallible = {name: given for name, given in known.items() if len(truth) >= LIMITS["many"] and (given != truth).any()}
    same: dict[bytes, list[str]] = {}
    for name, given in fallible.items():
        same.setdefault(given.tobytes(), []).append(name)
    notes = [say("copies", systems=listed(names), n=f"{len(truth):,}") for names in same.values() if len(names) > 1]
    votes = [name for place, name in enumerate(known) if name in fallible and _is_vote(answers, place)]
    sums = [name for name in known if len(known) > 1 and is_like("sums", name)]
    return notes + [say("vote", system=name) for name in votes] + ([say("sums", systems=listed(sums))] if sums else [])


def _is_vote(answers: np.ndarray, place: int) -> bool:
    """Say whether one of four systems or more gives the others' most frequent answer, on all trials that have one."""
    n_decided = 0
    for given in (row.tolist() for row in answers) if answers.shape[1] > 3 else []:
        (most, n), *others = Counter([*given[:place], *given[place + 1 :]]).most_common(2)
        is_decided = not others or others[0][1] < n
        n_decided += is_decided
        if is_decided and given[place] != most:
            return False
    return n_decided >= LIMITS["many"]


def _beside_chance(right: int, n: int, chance: float) -> str:
    """Say whether a system is right less often than by chance, ``below``, or about as often, ``by_chance``."""
    if bdtr(right, n, chance) < NEWER["limits"]["unlikely"]:
        return "below"
    most = n * chance + 2 * np.sqrt(n * chance * (1 - chance))  # two standard deviations above what guessing gets right
    return "by_chance" if n >= LIMITS["enough"] and right <= most else ""


def check_agreement(responses: Responses, *, by_number: bool) -> None:
    """Refuse answers that agree with others' truth less than chance would: something is in another order.

    Classes that are ``by_number`` may be in another order, which also gives answers no better than chance.
    """
    for system, right, n, chance in agreement(responses):
        if bdtr(right, n, chance) < LIMITS["by_chance"] or (by_number and _beside_chance(right, n, chance)):
            fields = {"right": f"{right:,}", "n": f"{n:,}", "chance": f"{chance * n:,.0f}"}
            fields |= {"classes": ", ".join(responses.classes[:3]), "file": responses.systems["source"][system]}
            raise ValueError(say("as_chance", system=system, **fields))


def notes_on_answers(mine: Responses, *, others: bool, listed: bool, unread: str, cles: bool = True) -> list[str]:
    """Say which classes there are, which systems look like others, and who gave no answer."""
    notes = []
    if not (others or listed) and mine.options is None:
        are_marks = {each.casefold() for each in mine.classes} <= RIGHT_OR_WRONG
        named = f" ({', '.join(mine.classes)})" if len(mine.classes) <= LIMITS["names"] else ""
        notes += [say("classes", n=len(mine.classes), file=mine.name, names=named)] * (cles and not are_marks)
        if len(mine.classes) > 2 and set(mine.classes) <= LETTERS:
            notes.append(say("letters"))
        if mine.truth.nunique() == 1:
            notes.append(say("always", word=mine.classes[mine.truth.iloc[0]]))
        elif are_marks:
            notes.append(say("binary", one=mine.classes[-1], words=" and ".join(mine.classes)))
    notes += notes_on_copies(mine)
    silent = (mine.answers == NO_ANSWER).sum()
    then = {"wrong": "that counts as wrong", "left out": "its pairs leave them out"}[unread]
    fields = {"all": f"{len(mine.truth):,}", "then": then}
    return notes + [say("silent", system=system, n=f"{n:,}", **fields) for system, n in silent[silent > 0].items()]
