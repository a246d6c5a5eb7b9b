"""From the answers in files to Responses."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import check_once, expected, shown
from erralign._validation.labels import FEWEST
from erralign.datasets.own import checks
from erralign.datasets.own.cells import NAMES, Paths, files_of, is_like, is_trec, named_after, plain, read_tables, say
from erralign.datasets.own.checks import TRUTH, check_truth
from erralign.datasets.own.forms import Answers, Column, Request, find_answers, read_labels
from erralign.datasets.own.trec import read as read_trec
from erralign.responses import Responses
from erralign.responses.columns import as_named_in, describe_systems, number, options_on

GIVEN = "the truth given"  # by the caller, beside or in the place of the files'


def read_answers(
    path: Paths,
    *,
    truth: pd.Series | None = None,
    trials: Sequence[str] | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    classes: Iterable[Any] | None = None,
    missing: Iterable[str] = (),
    kind: str | Mapping[str, str] | None = None,
    name: str | None = None,
    subset: bool = False,
    options: int | None = None,
) -> Responses:
    r"""Read your own answers from a CSV file, whose header says which of three forms it has.

    * wide, with one row per trial: columns that name the trial, ``truth``, and one column per system;
    * long, with one row per answer: ``system``, columns that name the trial, ``truth`` and ``answer``;
    * that of model-vs-human: ``subj``, ``imagename``, ``category``, ``object_response``, and ``condition`` if it is
      there. A prefix such as ``0001_cue_dnn_0_knife_00_`` is removed from the names of images.

    Classes are text, or whole numbers from 0 or 1 up. An empty cell, -1, ``na``, ``nan``, ``none``, ``null``, ``-``,
    ``?``, ``#N/A``, ``timeout`` and ``[invalid]`` mean no answer. Warnings say how open questions were settled, and
    which systems are right no more often than by chance.

    Parameters
    ----------
    path : path, or sequence of paths
        A file with commas, semicolons or tabs between its cells, in UTF-8 or UTF-16, which gzip may have compressed; or
        several, such as one per person, whose trials are matched by name; or a folder of them, without its pages (.html
        and .md). Files called ``ann_ses-1.csv`` and ``ann_ses-2.csv`` are one person's if they share no trial. Labels
        in the form of TREC (query, 0, document and grade, with blanks between) have a file per judge, and
        ``columns={"truth": PATH}`` names the file of true labels.
    truth : pandas.Series, optional
        The true classes of a file without them, indexed by trial: names of classes, or ids if you give ``classes``.
        Answers come in its order.
    trials : sequence of str, optional
        The columns that name the trial. Default for wide files: the columns to the left of ``truth`` that hold no
        answers; without ``truth``, those that the index of the argument ``truth`` names, or the first that holds no
        answers. For long files: all columns in which all systems have the same. For model-vs-human: ``condition``, if
        it is there, and the image.
    columns : mapping of str to str, optional
        Which columns hold the ``truth``, the name of the ``system`` and its ``answer``, if they are called otherwise;
        for wide files, ``{"system": ["net_a", "net_b"]}`` lists the columns that hold answers; with ``answer``,
        those whose words together name a system. ``options`` is the column that says how many options each trial
        offers, where answers are their letters or places.
    classes : sequence, optional
        All classes; see :meth:`Responses.from_table`.
    missing : iterable of str
        More words that mean that a system gave no answer.
    kind : str, or mapping of str to str, optional
        ``human`` or ``model``, one for all systems or by system; where some are named as human, all others are models.
        Default: ``model``, but systems such as ``subject-01`` in the form of model-vs-human are human, as are all in a
        column of observers, participants or subjects.
    name : str, optional
        What to call the data set. Default: the name of the (first) file.
    subset : bool
        Whether the file may have fewer trials than ``truth``.
    options : int, optional
        How many options each trial offers, where that is the same number for all.

    Returns
    -------
    Responses
        The answers.

    Raises
    ------
    ValueError, TypeError
        What cannot be read, with its row and column, or a system that agrees with the argument ``truth``
        less than chance would.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pets.csv")
    ...     _ = file.write_text("image,truth,net,ann\n1.png,cat,dog,cat\n2.png,dog,dog,na\n")
    ...     pets = read_answers(file, kind={"net": "model", "ann": "human"})
    >>> pets.name, pets.answers["ann"].to_dict(), pets.classes
    ('pets', {'1.png': 0, '2.png': -1}, ('cat', 'dog'))
    """
    files = files_of(path)
    if is_trec(files[0]):
        given = dict(columns or {}) | {"trials": trials, "missing": missing, "options": options}
        named = {what: which for what, which in given.items() if which}
        return _with_notes(*read_trec(files, truth, named, classes, kind, name, subset=subset))
    classes = classes if classes is None or isinstance(classes, str) else list(classes)
    names = {each for each in (*(classes or ()), *(() if truth is None else truth.unique())) if isinstance(each, str)}
    named_columns = {what: [each] if isinstance(each, str) else list(each) for what, each in (columns or {}).items()}
    tables = read_tables(files, named_columns, trials)
    asked = Request(trials, named_columns, truth, names, len(tables), subset)
    found = [find_answers(each, asked) for each in tables]
    one, truths, notes = _as_one(found, truth, subset)
    if truth is None and not truths:
        check_truth(next(iter(one.systems.values())).cells, others_give_it=False)
    said, on_words = read_labels(truths, one.systems, names, missing, is_listed=classes is not None)
    if truth is not None:
        said = {GIVEN: truth.reindex(one.trials)} | said
    offered = options if options is None else options_on(options, one.trials)
    if one.options is not None:
        offered = pd.Series(_counts(one.options), one.trials, name="options")
    responses = _responses(one, said, truths, classes, kind, files[0].stem if name is None else name, offered)
    notes += checks.notes_on_trials(responses)
    if truth is None and classes is None and offered is None:
        notes += checks.notes_on_classes(responses)
    if truth is not None and not truths:
        by_number = any(isinstance(label, int) for label in said[next(iter(one.systems))].cat.categories)
        checks.check_agreement(responses, by_number=by_number)
    return _with_notes(responses, [*notes, *on_words])


def _with_notes(responses: Responses, notes: Iterable[str]) -> Responses:
    for note in (*notes, *checks.notes_on_agreement(responses)):
        warnings.warn(note, stacklevel=3)
    return responses


def noted(read: Callable[..., Responses], *given: Any, **how: Any) -> tuple[Responses, list[str]]:
    """Return what was read, and the warnings that came with it: notes of a report."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)
        responses = read(*given, **how)
    return responses, [str(each.message) for each in said if each.category is UserWarning]


def _as_one(
    found: Sequence[Answers], truth: pd.Series | None, subset: bool
) -> tuple[Answers, dict[str, Column], list[str]]:
    """Bring the systems of all files onto the trials of a truth that is given, or of the first file.

    Also return the files' columns of true classes, and what is to be said.
    """
    notes = [note if len(found) == 1 else f"{each.file}: {note}" for each in found for note in each.notes]
    first, wanted, whose = found[0], found[0].trials, found[0].file
    if truth is not None:
        check_once("truth", truth.index)
        wanted, whose = truth.index, _called(truth)
        if isinstance(first.trials, pd.RangeIndex):
            notes.append(say("by_place", files=f"{first.file} and {whose}"))
    notes += _paired_by_place([each.trials for each in found], [each.file for each in found])
    named = []
    for each in found:
        trials, more = _on_others(each.trials, wanted, each.file)
        notes += more
        if not (subset and trials.isin(wanted).any()):
            _check_known(each, trials, wanted, whose)
        named.append(trials)
    orders = [trials.get_indexer(wanted) for trials in named]
    every = np.min(orders, axis=0) >= 0
    if not every.any() or not (subset or every.all()):
        lacks, order = next(pair for pair in zip(found, orders, strict=True) if (pair[1] < 0).any())
        fields = {"trial": shown(wanted[int((order < 0).argmax())]), "n": (order < 0).sum(), "other": whose}
        raise ValueError(say("row_of_other" if truth is None else "row_of_truth", file=lacks.file, **fields))
    n_named = len(named[0].append(named[1:]).unique())
    if n_named > every.sum():
        notes.append(say("subset", n=f"{n_named - every.sum():,}", all=f"{n_named:,}"))
    one = Answers(first.file, wanted[every], None, {})
    truths: dict[str, Column] = {}
    called, renamed = _names(found)
    for each, names, order in zip(found, called, orders, strict=True):
        here = each.kept(order[every])
        kinds = {names[name]: kind for name, kind in here.kinds.items()}
        systems = {names[name]: column for name, column in here.systems.items()}
        options = one.options or here.options
        one = replace(one, systems=one.systems | systems, kinds=one.kinds | kinds, options=options)
        if here.truth:
            truths[f"{TRUTH} in {each.file}" if truths else TRUTH] = here.truth
    return one, truths, notes + renamed


def _called(truth: pd.Series) -> str:
    return "the truth" if truth.name in (None, TRUTH) else f"the truth ({truth.name})"


def _names(found: Sequence[Answers]) -> tuple[list[dict[str, str]], list[str]]:
    """Return how systems are called where several files are put together, and what is to be said of that.

    They are called as their file if a name comes again, or says only that these are answers.
    """
    often = Counter(name for each in found for name in each.systems)
    names = []
    for each in found:
        first, cells = next((name, column.cells) for name, column in each.systems.items())
        says_nothing = first.lower() in NAMES["answers"] and (len(found) > 1 or cells.files is not None)
        by_file = len(each.systems) == 1 and (often[first] > 1 or says_nothing)
        names.append({name: named_after(cells) if by_file else name for name in each.systems})
    doubled = [name for name, n in Counter(name for each in names for name in each.values()).items() if n > 1]
    if doubled:
        raise ValueError(f"{' and '.join(each.file for each in found)} have a system {doubled[0]!r} twice; rename one")
    renamed = [each for each in names if not each.keys() <= {*each.values(), *NAMES["answers"]}]
    told = ", ".join(f"{new} ('{old}')" for each in renamed for old, new in each.items())
    return names, [say("by_file", names=told)] if renamed else []


def _kinds(found: Answers, kind: Mapping[str, str]) -> dict[str, str]:
    """Return what was said about kinds by the names of systems, of which several may have commas between."""
    systems = found.systems
    known = {
        each: kind[name] for name in kind for each in ([name] if name in systems else map(str.strip, name.split(",")))
    }
    unknown = [name for name in known if name not in systems]
    if unknown:
        raise ValueError(f"{found.file} has no system {unknown[0]!r}; {expected(unknown[0], systems)}")
    return known


def _check_known(found: Answers, trials: pd.Index, known: pd.Index, whose: str) -> None:
    unknown = known.get_indexer(trials) < 0
    if unknown.any():
        place = int(unknown.argmax())
        fields = {"trial": shown(trials[place]), "whose": whose, "known": shown(known[0])}
        raise ValueError(say("unknown", row=next(iter(found.systems.values())).row(place), **fields))


def _counts(options: Column) -> list[int]:
    """Return how many options each trial offers."""
    words = list(map(plain, options.words()))
    for trial, word in enumerate(words):
        if not word.isdecimal() or int(word) < FEWEST:
            raise ValueError(f"{options.at(trial)} holds {word!r}; expected a number of options, from {FEWEST} up")
    return list(map(int, words))


def _responses(found: Answers, said, truths: Mapping[str, Column], classes, kind, name, options) -> Responses:
    trials, of_columns = found.trials, {**truths, **found.systems}
    columns = {"truth": [column for column in said if column not in found.systems], "answers": list(found.systems)}

    def at(column: str, trial: int) -> str:
        return f"truth, trial {shown(trials[trial])}," if column == GIVEN else of_columns[column].at(trial)

    def where(what: str, place: int) -> str:
        return at(columns[what][place // len(trials)], place % len(trials))

    if classes is None:
        _check_common(found, said, columns["truth"])
    known = _known(said, classes, found.file) if options is None else classes
    named = dict.fromkeys(found.systems, kind) if isinstance(kind, str) else _kinds(found, kind or {})
    # Who names the people says that all others are none, whatever the column is called that has all of them.
    kinds = dict.fromkeys(found.systems, "model") | (named if "human" in named.values() else found.kinds | named)
    below = {what: pd.concat([said[each] for each in names], ignore_index=True) for what, names in columns.items()}
    sources = {name: column.cells.file for name, column in found.systems.items()}
    described = describe_systems(columns["answers"], kind=kinds, family="", source=sources)
    ids, names = number(below, known, where, n_positions=None if options is None else options.max())
    true, given = ids["truth"].reshape(-1, len(trials)), ids["answers"].reshape(-1, len(trials))
    if (true != true[0]).any():
        again, place = np.argwhere(true != true[0])[0].tolist()
        first = columns["truth"][0]
        whose = _called(said[GIVEN]) if first == GIVEN else at(first, place)
        raise ValueError(
            f"{at(columns['truth'][again], place)} holds another class than {whose}: {names[true[0, place]]!r}"
        )
    answers = pd.DataFrame(given.T, index=trials, columns=columns["answers"])
    return Responses(name, pd.Series(true[0], trials, name=TRUTH), answers, names, described, options)


def _check_common(found: Answers, said: Mapping[str, pd.Series], true: Sequence[str]) -> None:
    """Refuse a system that never answers with a true class; text beside numbers is refused elsewhere, by its row."""
    known = [label for name in true for label in said[name].dropna().unique()]
    for system, column in found.systems.items():
        labels = [label for label in said[system].dropna().unique() if type(label) is type(known[0])]
        if len(known) > 1 and labels and not {*known} & {*labels}:
            raise ValueError(say("never", file=column.cells.file, system=system, true=known[0], word=labels[0]))


def _known(said: Mapping[str, pd.Series], classes: Sequence[Any] | None, file: str) -> Sequence[Any] | None:
    """Return the classes as declared, by names or by how many they are; of numbers without that, those that occur."""
    occurring = {label for each in said.values() for label in each.unique() if pd.notna(label)}
    one = str(classes[0]) if classes is not None and len(classes) == 1 else ""
    if " " in one and one not in occurring:
        raise ValueError(say("commas", words=one, offer=",".join(one.split())))
    count = int(one) if one.isdecimal() else 0
    if classes is not None and not count:
        return classes
    if not all(isinstance(label, int | np.integer) for label in occurring):
        if 0 < count < len(occurring):
            words = ", ".join(sorted(occurring))
            raise ValueError(say("more_classes", file=file, n=len(occurring), given=count, words=words))
        return [*sorted(occurring), *(f"(unseen {i + 1})" for i in range(count - len(occurring)))] if count else None
    first = int(1 in occurring and 0 not in occurring)
    return list(range(first, first + count)) if count else sorted(int(label) for label in occurring if label >= 0)


# ---- names of trials -------------------------------------------------------------------------------------------------


PARTS = {"train": "train", "test": "test"} | dict.fromkeys(["dev", "val", "valid", "validation"], "val")
ENDING = re.compile(r"\.[A-Za-z]\w{1,4}$")  # .png, .jpeg, .JPG


def _on_others(trials: pd.Index, wanted: pd.Index, file: str) -> tuple[pd.Index, list[str]]:
    """Return trials with the names that others give them, by their stems where these are enough, and a note on that."""
    if trials is wanted:  # of the file whose names others take
        return trials, []
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


def _paired_by_place(trials: Sequence[pd.Index], files: Sequence[str]) -> list[str]:
    """Say so where the trials of several files are counted in the order of rows, and have no names."""
    counts = all(
        each.nlevels == 1 and each.inferred_type == "integer" and np.array_equal(each, np.arange(len(each)) + each[0])
        for each in trials
    )
    return [say("by_place", files=" and ".join(files))] if counts and len(files) > 1 else []
