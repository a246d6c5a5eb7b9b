"""The three forms of a table of answers, wide, long and that of model-vs-human, as one, and the labels in it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Self
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER_WORDS, shown
from erralign.datasets.own import checks
from erralign.datasets.own.cells import NAMES, Cells, is_like, joined, labels_of, listed, plain, refusal, say
from erralign.datasets.own.cells import counted as in_words
from erralign.datasets.own.checks import RIGHT_OR_WRONG, TRUTH

COLUMNS_OF_MODEL_VS_HUMAN = {"subj", "imagename", "category", "object_response"}
PLAIN_NUMBER = r"0|-?[1-9]\d{0,17}"  # one that can be written in no other way, and fits into 64 bits


@dataclass(frozen=True)
class Column:
    """Classes as a file writes them, one per trial, and where."""

    cells: Cells
    name: str  # in the header
    places: np.ndarray  # of the rows in which they stand, one per trial

    def at(self, trial: int) -> str:
        """Return where in the file one is."""
        return f"{self.row(trial)}, column {self.name!r}"

    def row(self, trial: int) -> str:
        """Return in which row of the file one is."""
        return self.cells.at(self.places[trial])

    def ordered(self, order: np.ndarray | slice) -> Self:
        """Return the classes of trials in another order."""
        return replace(self, places=self.places[order])

    def words(self) -> np.ndarray:
        """Return the words, one per trial."""
        return self.cells.words[self.codes()]

    def codes(self) -> np.ndarray:
        """Return the places of the words, one per trial."""
        return self.cells.column(self.name)[self.places]

    def first(self, wanted: Collection[str]) -> int:
        """Return the first trial with one of some words."""
        return next(trial for trial, word in enumerate(self.words()) if word in wanted)

    def counted(self) -> tuple[np.ndarray, list[str], np.ndarray]:
        """Return the words that occur, as codes and texts, and how often each does."""
        codes, words = pd.factorize(self.codes(), sort=True)
        return codes, list(self.cells.words[words]), np.bincount(codes)


@dataclass(frozen=True)
class Answers:
    """What a file says: one row per trial, one column per system, and the truth where it has one."""

    file: str
    trials: pd.Index
    truth: Column | None
    systems: dict[str, Column]
    kinds: dict[str, str] = field(default_factory=dict)  # what the file says about the kinds of systems
    notes: Sequence[str] = ()
    options: Column | None = None  # how many each trial offers

    def kept(self, trials: np.ndarray) -> Self:
        """Return what the file says of some of the trials."""
        truth, options = (each and each.ordered(trials) for each in (self.truth, self.options))
        systems = {name: column.ordered(trials) for name, column in self.systems.items()}
        return replace(self, trials=self.trials[trials], truth=truth, systems=systems, options=options)


@dataclass(frozen=True)
class Request:
    """What a caller says of files: which columns are what, true classes, how many files, if some may lack trials."""

    trials: Sequence[str] | None
    columns: Mapping[str, list[str]]
    truth: pd.Series | None
    classes: Collection[str]
    n_files: int
    subset: bool


def find_answers(cells: Cells, asked: Request) -> Answers:
    """Find out which column is what: from what the caller says, from the header, from what the columns hold."""
    trials, columns = asked.trials, asked.columns
    _check_named(cells, columns, trials)
    offered, left_out = checks.offers(cells, columns, trials), {}
    if offered is not None:
        left_out[offered] = say("options", column=offered)
    if columns.get("truth", [TRUTH]) != [TRUTH] and TRUTH in cells.header and TRUTH not in (trials or ()):
        left_out[TRUTH] = f"{TRUTH!r}: left out, as {columns['truth'][0]!r} was named for the true classes."
    kept = replace(cells, codes=cells.codes.drop(columns=list(left_out)))
    named = {what: names for what, names in columns.items() if what != "options"}
    found = _find(kept, replace(asked, columns=named))
    notes = [note for name, note in left_out.items() if [name] != columns.get("options")]
    options = _of_trials(cells, offered, found.systems, found.trials) if offered and "options" in columns else None
    return replace(found, notes=[*notes, *found.notes], options=options)


def _check_named(cells: Cells, columns: Mapping[str, list[str]], trials: Sequence[str] | None) -> None:
    """Refuse names of columns that the file does not have."""
    named = [(name, what) for what, names in {**columns, "trials": trials or ()}.items() for name in names]
    for name, what in named:
        if name not in cells.header:
            raise refusal(cells, "not_there", name=name, what=what)


def _find(cells: Cells, asked: Request) -> Answers:
    header, columns = set(cells.header), asked.columns
    if header >= COLUMNS_OF_MODEL_VS_HUMAN and not columns:
        return _from_model_vs_human(cells, asked)
    named, (answer,), (true,) = (columns.get(what, [what]) for what in ("system", "answer", TRUTH))
    if true not in header:
        checks.check_truth(cells, asked.truth is not None or asked.n_files > 1)
    true_or_none = true if true in header else None
    found_so = None if {"system", "answer"} & columns.keys() or "system" in header else _people(cells)
    if found_so:
        named, answer = [found_so[0]], found_so[1]
    if {*named, answer} <= header and (len(named) == 1 or "answer" in columns):
        cells, system = joined(cells, named) if len(named) > 1 else cells, " ".join(named)
        found = _from_long(cells, asked, system, true_or_none, answer)
        notes = [say("people", system=system, answer=answer)] if found_so else []
        people = list(found.systems) if any(name.lower() in NAMES["people"] for name in named) else []
        if len(named) > 1:  # a word of a name may say that it is a machine's
            people = [name for name in people if not any(is_like("machine", word) for word in name.split())]
        return replace(found, notes=[*notes, *found.notes], kinds=dict.fromkeys(people, "human"))
    if "system" in header and "system" not in columns:
        offered = [column for column in cells.header if column.lower() in NAMES["answers"]]
        offer = f" (or say --answer {offered[0]}, in Python columns={{'answer': {offered[0]!r}}})" if offered else ""
        raise refusal(cells, "no_answers", offer=offer)
    return _from_wide(cells, asked, true_or_none)


def _people(cells: Cells) -> tuple[str, str] | None:
    """Return which columns name the systems and hold their answers, where they are called as in laboratories."""
    called = [column for column in cells.header if checks.is_who(column)]
    names = [column for column in called if cells.codes[column].nunique() > 1]
    answers = [column for column in cells.header if column.lower() in NAMES["answers"]]
    if not names or len(answers) != 1:
        return None
    if len(names) > 1:
        raise refusal(cells, "which_system", columns=listed(names), column=names[0], answer=answers[0])
    return names[0], answers[0]


def _of_trials(cells: Cells, column: str, systems: Mapping[str, Column], trials: pd.Index) -> Column:
    """Return what a column says of each trial, the same in the rows of all systems."""
    first = Column(cells, column, np.min([each.places for each in systems.values()], axis=0))
    for each in systems.values():
        other = replace(first, places=each.places)
        differs = other.codes() != first.codes()
        if differs.any():
            place = int(differs.argmax())
            word, before = (each.words()[place] for each in (other, first))
            row = cells.codes.index[first.places[place]]
            known = {"word": word, "other": before, "row": row, "trial": shown(trials[place])}
            raise ValueError(say("two_truths", at=other.at(place), **known))
    return first


def _from_wide(cells: Cells, asked: Request, true: str | None) -> Answers:
    trials, systems = asked.trials, asked.columns.get("system", [])
    known = set(map(plain, cells.words[np.unique(cells.column(true))])) if true else asked.classes
    if trials is None and asked.truth is not None:
        of_truth = asked.truth.index.names
        trials = [column for column in cells.header if column in of_truth and column not in systems] or None
    found = [column for column in cells.header if column not in {*(trials or ()), true}]
    notes: list[str] = []
    if trials is None:
        trials, found, notes = checks.of_wide(cells, true, known)
        trials = [column for column in trials if column not in systems]
    found, times = checks.without_times(cells, found, known)
    if true and (systems or found):
        checks.check_rows(cells, true, systems or found, asked.classes)
    if not systems:
        checks.check_systems(cells, found, true, known)
    if not (systems or found):
        raise refusal(cells, "no_systems")
    index, repeated = _once(cells, _index(cells, list(trials)), [], "trial", [*systems, *found])
    every, notes = np.arange(len(cells.codes)), [*notes, *times, *repeated]
    of_systems = {name: Column(cells, name, every) for name in systems or found}
    return Answers(cells.file, index, Column(cells, true, every) if true else None, of_systems, notes=notes)


def _from_long(cells: Cells, asked: Request, system: str, true: str | None, answer: str) -> Answers:
    candidates = [column for column in cells.header if column not in {system, answer, true}]
    if not (asked.trials or candidates):
        raise refusal(cells, "no_trials")
    if not asked.trials:
        checks.check_long(cells, system, true, answer, candidates)
    named, notes = (asked.trials, []) if asked.trials else checks.of_long(cells, system, candidates)
    notes = notes + (_notes_on_marks(cells, true, answer, candidates) if true else [])
    return _by_trial(cells, _index(cells, list(named)), (system, true, answer), {}, notes, asked.subset)


def _notes_on_marks(cells: Cells, truth: str, answer: str, columns: Sequence[str]) -> list[str]:
    """Say so where a column seems to say which answers are right, and in some rows truth and answer say otherwise."""
    notes = []
    for column in filter(partial(is_like, "mark"), columns):
        words = np.array([plain(word).casefold() for word in cells.text(column)])
        true, said = (labels_of(cells)[0][cells.column(name)] for name in (truth, answer))
        differs = np.isin(words, [*RIGHT_OR_WRONG]) & (np.isin(words, ["1", "true"]) != (true == said))
        are_classes = np.array_equal(cells.column(column), cells.column(truth))  # and it says what would be correct
        if differs.any() and checks.marks_in(cells, column) - NO_ANSWER_WORDS <= RIGHT_OR_WRONG and not are_classes:
            place = int(differs.argmax())
            told = {what: cells.text(name)[place] for what, name in (("answer", answer), ("true", truth))}
            told |= {"n": f"{differs.sum():,}", "all": f"{len(words):,}", "column": column}
            notes.append(say("mark", at=cells.at(place, column), word=cells.text(column)[place], **told))
    return notes


def _from_model_vs_human(cells: Cells, asked: Request) -> Answers:
    parts = ["condition"] if "condition" in cells.header else []
    # Before the image: number, experiment, system, condition, category, a second number.
    named = zip(cells.text("imagename"), cells.text("category"), strict=True)
    images = [re.sub(rf"^\d+_.+?_{re.escape(category)}_[^_]*_", "", name) for name, category in named]
    index = _index(cells, list(asked.trials or [*parts, "image"]), image=np.array(images, dtype=object))
    kinds = {name: "human" if name.startswith("subject-") else "model" for name in set(cells.text("subj"))}
    return _by_trial(cells, index, ("subj", "category", "object_response"), kinds, [], asked.subset)


def _by_trial(
    cells: Cells, index: pd.Index, columns: tuple[str, str | None, str], kinds, notes: list[str], subset: bool
) -> Answers:
    """Bring answers that have a row each to one row per trial."""
    system, true, answer = columns
    names = _names(cells, system)
    index, repeated = _once(cells, index, [cells.text(system)], "answer", [answer])
    trials = index.drop_duplicates()
    of_trial = trials.get_indexer(index)
    of_system = pd.factorize(cells.column(system))[0]
    places = np.full((len(trials), len(names)), -1)
    places[of_trial, of_system] = np.arange(len(index))
    notes, whole = [*notes, *repeated], np.all(places >= 0, axis=1)
    if subset and whole.any() and not whole.all():
        notes.append(say("subset", n=f"{(~whole).sum():,}", all=f"{len(whole):,}"))
        trials, places = trials[whole], places[whole]
    lacking = np.argwhere(places.T < 0)
    if len(lacking):
        number, trial = lacking[0]
        by = f" (trials are named by {', '.join(map(str, trials.names))}; --trials says otherwise)"
        known = {"named": by * (trials.nlevels > 1), "trial": shown(trials[trial])}
        raise ValueError(say("lacking", at=cells.at(places[:, number].max(), system), system=names[number], **known))
    systems = {name: Column(cells, answer, places[:, number]) for number, name in enumerate(names)}
    truth = _of_trials(cells, true, systems, trials) if true else None
    return Answers(cells.file, trials, truth, systems, kinds, notes)


def _names(cells: Cells, column: str) -> list[str]:
    """Return the names of systems."""
    names = pd.unique(cells.text(column))
    for nameless in ("", TRUTH):
        if nameless in names:
            place = (cells.text(column) == nameless).argmax()
            raise ValueError(f"{cells.at(place, column)} holds {nameless!r}; expected the name of a system")
    return list(names)


def _index(cells: Cells, trials: list[str], **more: np.ndarray) -> pd.Index:
    """Name trials by columns; numbers that are written as such become numbers."""
    if not trials:
        return pd.RangeIndex(len(cells.codes), name="trial")
    texts = [more[name] if name in more else cells.text(name) for name in trials]
    nameless = np.all([text == "" for text in texts], axis=0)
    if nameless.any():
        raise ValueError(say("no_name", at=cells.at(nameless.argmax(), trials[0]), what="a trial"))
    _check_last(cells, *max(zip(trials, texts, strict=True), key=lambda part: len(set(part[1]))))
    columns = [pd.Series(text, dtype="str") for text in texts]
    columns = [each.astype("int64") if each.str.fullmatch(PLAIN_NUMBER).all() else each for each in columns]
    if len(columns) > 1:
        return pd.MultiIndex.from_arrays(columns, names=trials)
    return pd.Index(columns[0], name=trials[0] or "trial")


def _check_last(cells: Cells, column: str, names: np.ndarray) -> None:
    """Refuse a last trial that is called like a sum, where others are called by more than a mere word."""
    if is_like("sums", names[-1]) and (names == names[-1]).sum() == 1:
        others = [name for name in names if not is_like("sums", name)]
        if others and not any(map(str.isalpha, others)):
            raise refusal(cells, "sum", at=cells.at(-1, column), word=names[-1])


def _once(
    cells: Cells, index: pd.Index, of: list[np.ndarray], what: str, answers: list[str]
) -> tuple[pd.Index, list[str]]:
    """Return trials with their repetitions numbered, which differ in more than the answer; others are refused."""
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    keys = pd.MultiIndex.from_arrays([*of, *levels])
    doubled = keys.duplicated()
    if not doubled.any():
        return index, []
    beside, codes = cells.codes.drop(columns=answers).reset_index(drop=True), pd.factorize(keys)[0]
    again = beside.assign(file=0 if cells.files is None else cells.files).duplicated().to_numpy()
    if again.any() or (not of and cells.files is None):
        place = int((again if again.any() else doubled).argmax())
        row = cells.codes.index[int((codes == codes[place]).argmax())]
        trial = shown(keys[place] if of else index[place])
        raise ValueError(say("again", at=cells.at(place), what=what, trial=trial, row=row))
    number = pd.Series(codes).groupby(codes).cumcount() + 1
    return pd.MultiIndex.from_arrays([*levels, number], names=[*index.names, "repetition"]), [say("repeated")]


# ---- labels ----------------------------------------------------------------------------------------------------------


def read_labels(
    truths: Mapping[str, Column],
    systems: Mapping[str, Column],
    names: Collection[str],
    missing: Iterable[str],
    *,
    is_listed: bool,
) -> tuple[dict[str, pd.Series], list[str]]:
    """Return the classes in columns, and notes on words that mean no answer, or one class written in several ways.

    All words are numbers, or none is, unless the true classes are both. ``names`` are the classes that the caller
    knows, and ``is_listed`` says whether they are all.
    """
    columns = {**truths, **systems}
    counted = {name: column.counted() for name, column in columns.items()}
    absent = (NO_ANSWER_WORDS - {name.casefold() for name in names}) | {word.strip().casefold() for word in missing}
    none = {word for _, words, _ in counted.values() for word in words if word.casefold() in absent}
    present = {name: [word for word in words if word not in none] for name, (_, words, _) in counted.items()}
    for name, words in present.items():
        for what, word in product(("formula", "fraction"), words):
            if word not in names and is_like(what, plain(word)):
                raise ValueError(say(what, at=columns[name].at(columns[name].first([word])), word=word))
    every = sorted(set().union(*present.values()))
    whole = {word: is_like("whole", plain(word)) for word in every}
    if truths and not is_listed:
        _check_as_true(columns, present, len(truths))
    if all(whole.values()):
        as_numbers = not whole.keys() <= set(names)
    else:  # one kind in one system and the other in others are refused when classes are numbered, with their rows
        as_numbers = not is_listed and len({whole[word] for name in truths for word in present[name]}) < 2
    labels = {word: int(plain(word)) if whole[word] and as_numbers else word for word in every}
    merged = [
        f"{listed(ways)} as {number}"
        for number in sorted({each for each in labels.values() if isinstance(each, int)})
        if len(ways := sorted({plain(word) for word in every if labels[word] == number})) > 1
    ]
    _check_alike(columns, present, [word for word in every if not whole[word]])
    for name, column in truths.items():
        if not none.isdisjoint(counted[name][1]):
            place = column.first(none)
            word = column.words()[place]
            raise ValueError(say("no_class", at=column.at(place), read=say("read", word=word) if word else ""))
    found: Counter[str] = Counter()
    for name in systems:
        found.update({word: int(n) for word, n in zip(*counted[name][1:], strict=True) if word in none})
    notes = [say("merged", words="; ".join(merged))] if merged else []
    often = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    notes += [say("missing", words=in_words(often))] if any(found) else []  # empty cells alone speak for themselves
    classes, read = pd.Index(list(dict.fromkeys(labels.values())), dtype=object), {}
    for name, (codes, words, _) in counted.items():
        places = classes.get_indexer(pd.Index([labels.get(word) for word in words], dtype=object))
        read[name] = pd.Series(pd.Categorical.from_codes(places[codes], categories=classes))
    return read, notes


def _check_as_true(columns: Mapping[str, Column], present: Mapping[str, list[str]], n_truths: int) -> None:
    """Refuse systems that say right or wrong, or words beside numbers, where true classes, which come first, do not."""
    names = list(columns)
    parts = (names[:n_truths], names[n_truths:])
    true, said = ([(name, word) for name in part for word in present[name]] for part in parts)
    of_true, of_said = ({plain(word).casefold() for _, word in each} for each in (true, said))
    if len(of_said) > 1 and of_said <= RIGHT_OR_WRONG and not of_true <= RIGHT_OR_WRONG:
        raise refusal(columns[names[0]].cells, "right_or_wrong", lacks="")
    kinds = {is_like("whole", word) for word in of_true}
    for name, word in said if len(kinds) == 1 else ():
        if is_like("whole", plain(word)) not in kinds:
            at = columns[name].at(columns[name].first([word]))
            raise ValueError(say("mixed", at=at, word=word, true=true[0][1]))


def _check_alike(columns: Mapping[str, Column], present: Mapping[str, list[str]], words: list[str]) -> None:
    """Refuse words that differ in capitals, spaces, hyphens, underscores or the width of letters only."""
    known: dict[str, str] = {}
    for word in words:
        form = re.sub(r"[\s_.-]", "", normalize("NFKC", word)).casefold()
        if form and known.setdefault(form, word) != word:
            holders = [next(name for name in columns if each in present[name]) for each in (known[form], word)]
            file = " and ".join(dict.fromkeys(columns[name].cells.file for name in holders))
            raise ValueError(say("alike", file=file, word=word, other=known[form]))
