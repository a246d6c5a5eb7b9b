"""What the answers that were read look like: notes, what can't be meant, names of trials, an option for no answer."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import bdtr

from erralign.errors import NO_ANSWER, check_once
from erralign.responses import Responses
from erralign.responses.columns import as_named_in
from erralign.sources.own.cells import LIMITS, counted, is_like, listed, say

LETTERS = set("ABCDEFGHIJ")  # of options of questions


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


def of_part(responses: Responses, part: str) -> pd.Series:
    """Return what a part of the names of trials says of each, for ``clusters=`` of intervals."""
    trials = responses.truth.index
    if part not in trials.names:
        raise ValueError(say("no_part", part=part, names=", ".join(map(str, trials.names))))
    return pd.Series(trials.get_level_values(part), index=trials)


def notes_on_classes(responses: Responses, file: str) -> list[str]:
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
                many = {"n": f"{n:,}", "all": f"{n_given:,}", "words": _most(said, names)}
                raise ValueError(say("too_strange", file=file, system=system, **many))
            strange += said
        notes += [say("strange", words=_most(strange, names))] if strange.any() else []
    for rare in np.flatnonzero((sizes > 0) & (sizes <= LIMITS["rare"])):
        often = sizes >= LIMITS["times_rarer"] * sizes[rare]
        near = (names[each] for each in np.flatnonzero(often) if _one_letter_apart(names[rare], names[each]))
        other = next(near, None)
        if other is not None:
            fields = {"word": names[rare], "n": sizes[rare], "all": f"{len(truth):,}", "other": other}
            notes.append(say("near", **fields))
    return notes


def _most(counts: np.ndarray, names: Sequence[str]) -> str:
    order = [int(each) for each in np.argsort(-counts, kind="stable") if counts[each]]
    listed = int(LIMITS["listed"])
    more = f" and {len(order) - listed} more" if len(order) > listed else ""
    return counted((names[each], int(counts[each])) for each in order[:listed]) + more


def _one_letter_apart(one: str, other: str) -> bool:
    """Say whether a letter that is left out, put in or changed, or two that change places, turn one into the other."""
    if one == other or max(len(one), len(other)) < 3 or any(map(str.isdigit, one + other)):
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1:2] + a[:1] == b[:2] and a[2:] == b[2:])


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
    if bdtr(right, n, chance) < LIMITS["by_chance"]:
        return "below"
    most = n * chance + 2 * np.sqrt(n * chance * (1 - chance))  # two standard deviations above what guessing gets right
    return "by_chance" if n >= LIMITS["enough"] and right <= most else ""


def check_agreement(responses: Responses, file: str, *, by_number: bool) -> None:
    """Refuse answers that agree with others' truth less than chance would: something is in another order.

    Classes that are ``by_number`` may be in another order, which also gives answers no better than chance.
    """
    for system, right, n, chance in agreement(responses):
        if _beside_chance(right, n, chance) in ("below", *["by_chance"] * by_number):
            fields = {"right": f"{right:,}", "n": f"{n:,}", "chance": f"{chance * n:,.0f}"}
            first = ", ".join(responses.classes[:3])
            raise ValueError(say("as_chance", file=file, system=system, classes=first, **fields))


def notes_on_answers(mine: Responses, *, others: bool, listed: bool, unread: str) -> list[str]:
    """Say which classes there are, how often systems are right, and who gave no answer."""
    notes = []
    if not (others or listed) and mine.options is None:
        named = f" ({', '.join(mine.classes)})" if len(mine.classes) <= LIMITS["names"] else ""
        notes.append(say("classes", n=len(mine.classes), file=mine.name, names=named))
        if len(mine.classes) > 2 and set(mine.classes) <= LETTERS:
            notes.append(say("letters"))
        if mine.truth.nunique() == 1:
            notes.append(say("always", word=mine.classes[mine.truth.iloc[0]]))
    notes += notes_on_agreement(mine) + notes_on_copies(mine)
    silent = (mine.answers == NO_ANSWER).sum()
    then = {"wrong": "that counts as wrong", "left out": "its pairs leave them out"}[unread]
    fields = {"all": f"{len(mine.truth):,}", "then": then}
    return notes + [say("silent", system=system, n=f"{n:,}", **fields) for system, n in silent[silent > 0].items()]


def paired_by_place(trials: Sequence[pd.Index], files: Sequence[str]) -> list[str]:
    """Say so where the trials of several files are counted in the order of rows, and have no names."""
    counts = all(
        each.nlevels == 1 and each.inferred_type == "integer" and np.array_equal(each, np.arange(len(each)) + each[0])
        for each in trials
    )
    return [say("by_place", files=" and ".join(files))] if counts and len(files) > 1 else []


# ---- names of trials -------------------------------------------------------------------------------------------------


PARTS = {"train": "train", "test": "test"} | dict.fromkeys(["dev", "val", "valid", "validation"], "val")
ENDING = re.compile(r"\.[A-Za-z]\w{1,4}$")  # .png, .jpeg, .JPG


def on_others(trials: pd.Index, wanted: pd.Index, file: str) -> tuple[pd.Index, list[str]]:
    """Return trials with the names that others give them, by their stems where these are enough, and a note on that."""
    renamed = _by_stems(trials, wanted)
    apart = [] if renamed is trials else list(_folders_apart(trials, wanted))
    for one, other in (pair[:2] for pair in apart if pair[2]):
        raise ValueError(say("folders", file=file, one=one, other=other))
    named = as_named_in(renamed, wanted, file)
    check_once(file, named)
    if renamed is trials:
        return named, []
    doubt = [f" Is {one!r} a copy of {other!r}?" for one, other, _ in apart]
    return named, [f"Trials of {file} are matched by their names without folders and endings.{''.join(doubt)}"]


def _by_stems(trials: pd.Index, wanted: pd.Index) -> pd.Index:
    if isinstance(trials, pd.MultiIndex):
        own_levels = [trials.get_level_values(place) for place in range(trials.nlevels)]
        levels = [_by_stems(level, _level(wanted, level.name)) for level in own_levels]
        same = all(level is own for level, own in zip(levels, own_levels, strict=True))
        return trials if same else pd.MultiIndex.from_arrays(levels, names=trials.names)
    theirs = _level(wanted, trials.name).unique()
    own = trials.unique()
    if "string" not in (theirs.inferred_type, own.inferred_type) or own.isin(theirs).all():
        return trials
    called = {_stem(name): name for name in theirs.astype(str)}
    stems = own.astype(str).map(_stem)
    if len(called) < len(theirs) or not stems.is_unique or not stems.isin(list(called)).any():
        return trials
    names = dict(zip(own, (called.get(stem, name) for stem, name in zip(stems, own, strict=True)), strict=True))
    return trials.map(names)


def _folders_apart(trials: pd.Index, wanted: pd.Index) -> Iterator[tuple[str, str, bool]]:
    """Yield folders of all trials, and of all others, that differ too much, and if that is sure, as val and test."""
    for level in map(trials.get_level_values, range(trials.nlevels)):
        both = (level.unique().astype(str), _level(wanted, level.name).unique().astype(str))
        own, theirs = (set.intersection(*(set(re.split(r"[/\\]", name)[:-1]) for name in names)) for names in both)
        for one, other in product(sorted(own - theirs), sorted(theirs - own)):
            parts = {PARTS.get(one.lower()), PARTS.get(other.lower())} - {None}
            same = re.sub(r"\d+", "", one) == re.sub(r"\d+", "", other)
            if same or len(parts) > 1:
                yield one, other, len(parts) > 1 or is_like("degree", one)


def _level(index: pd.Index, name) -> pd.Index:
    return index.get_level_values(name if name in index.names else -1)


def _stem(name: str) -> str:
    return ENDING.sub("", re.split(r"[/\\]", name)[-1])
