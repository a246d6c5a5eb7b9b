"""A reader's own answers, in files: wide or long tables, whose columns are named; and what was taken of them."""

import re
import shlex
import warnings
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import bdtr

from erralign._validation import (
    NO_ANSWER,
    NOT_SHOWN,
    check_alike,
    check_once,
    ids_of_labels,
    missing_words,
    nearest,
    read_labels,
    shown,
)
from erralign.datasets.tables import Comparison, check_words, chosen, comparisons, header_of, read_table, tidy
from erralign.responses import Responses
from erralign.responses.columns import (
    as_answers,
    as_named_in,
    declared_classes,
    describe_systems,
    options_on,
    positions,
)

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
ALL = "all"  # in the place of the names of people
_MARKS = {"0", "1", "false", "true"}
_MOST_NAMES = 20  # of classes, systems or columns that a message lists
_ENDING = re.compile(r"(\.(csv|tsv|txt|dat|json|jsonl|xlsx|parquet))?(\.gz)?$", re.IGNORECASE)
_FAILED_FORMULA = re.compile(r"#(calc!|div/0!|name\?|null!|num!|ref!|spill!|value!)", re.IGNORECASE)
_UNLIKELY, _IMPOSSIBLE = 0.01, 1e-4  # how rarely guessing agrees so little: a note says so, or the file is refused
# What other programs and people call these columns, in small letters.
_USUAL = {
    "--trial": {"id", "image_id", "image_name", "imagename", "filename", "file", "item", "stimulus", "picture", "key"},
    "--truth": {"label", "gold", "target", "true", "y_true", "category", "ground_truth", "correct", "correct_response"},
    "--system": {"model", "participant", "subject", "subj", "subject_id", "participant_id", "annotator", "rater"},
    "--answer": {"prediction", "predicted", "pred", "response", "object_response", "y_pred", "choice", "guess"},
}
_USUAL["--system"] |= {"worker", "worker_id", "user", "user_id", "person", "observer", "judge"}
# What stands in the place of a true class where a row is no trial.
_NO_CLASSES = {"class", "classes", "label", "labels", "category", "unit", "units", "total", "sum", "mean", "average"}
_NO_CLASSES |= {"n", "sd", "string", "text", "word", "file", "name", "note", "notes", "comment", "end"}
_FEW_LABELS = 3  # of a row, or systems
_MANY = 20  # trials: two systems do not say the same on all by chance
# Files of other programs: the columns by which they are recognised, and the options that read them.
_KNOWN = {
    ("subj", "imagename", "category", "object_response"): "--trial imagename --truth category --system subj "
    "--answer object_response",
    ("trial_type", "stimulus", "correct_response", "subject"): "--where \"correct_response != ''\" --trial stimulus "
    "--truth correct_response --system subject --answer response",
    ("imageFile", "corrAns", "key_resp.keys", "participant"): "--where \"corrAns != ''\" --trial imageFile "
    "--truth corrAns --system participant --answer key_resp.keys",
    ("Participant Private ID", "Zone Type", "image", "ANSWER"): "--where 'Zone Type == response_button_text' "
    "--truth ANSWER --system 'Participant Private ID' --answer Response",
}


def read_answers(
    path: Paths,
    *,
    trial: str | Sequence[str] = (),
    truth: str | pd.Series | None = None,
    system: str | Sequence[str] = (),
    answer: str | None = None,
    person: str | Sequence[str] = (),
    where: str = "",
    missing: str | Sequence[str] = (),
    not_shown: str | Sequence[str] = (),
    absent_not_shown: bool = False,
    classes: Iterable[Any] | None = None,
    options: int | str | None = None,
    clusters: str | None = None,
    subset: bool = False,
    name: str | None = None,
    quiet: bool = False,
) -> Responses:
    r"""Read answers from files, wide or long, whose columns you name.

    * wide: a row per trial, and a column per system;
    * long: a row per answer, with columns that name the trial and the ``system`` and hold its ``answer``. Without a
      column of systems a file is one system's, called as the file is.

    Parameters
    ----------
    path : path, or sequence of paths
        CSV with commas, semicolons or tabs, in UTF-8 or UTF-16, gzipped or not; JSON with an object per row; with the
        extra ``files`` also XLSX (its first sheet) and Parquet. Or several files, or a folder of them: trials are
        matched by name.
    trial : str or sequence of str, optional
        The columns that together name the trial. Default: ``image`` (in a wide file with ``condition``, if it is
        there), else ``trial``; beside a ``truth`` that is handed in, the names of its index.
    truth : str, or pandas.Series, optional
        The column of the true classes. Default: ``truth``. Or the true classes themselves, by trial: names of
        classes, or their numbers if you give ``classes``; a column that is called as the Series is, or ``truth``, must
        then say the same.
    system : str or sequence of str, optional
        Wide: the columns that hold systems' answers. Default: all to the right of trial and truth. Long: the column
        (with ``answer`` also several) that names the system. Default: ``system``.
    answer : str, optional
        Long: the column that holds the answer. Default: ``answer``.
    person : str or sequence of str, optional
        Systems that are people; ``"all"`` for all of them. The others are models.
    where : str, optional
        Which rows are read: ``"trial_type == response and block != 'practice'"``. Words are compared as text.
    missing : str or sequence of str, optional
        Further words that mean that a system gave no answer, which is wrong. An empty cell and -1 always do; ``na``,
        ``nan``, ``none``, ``null``, ``-``, ``?``, ``timeout`` and the like do unless they are classes.
    not_shown : str or sequence of str, optional
        Words that mean that a system was not shown a trial. Pairs are then compared on the trials that both saw.
    absent_not_shown : bool
        Whether a trial for which a system has no row was not shown to it.
    classes : sequence, optional
        All classes; see :meth:`Responses.from_table`. Words that look alike are different classes if they are listed.
    options : int or str, optional
        How many options each trial offers, where answers are their letters or places: a number, or a column.
    clusters : str, optional
        A column that says which trials are not independent. It becomes a part of the trials' names, which
        ``clusters=`` of other functions takes.
    subset : bool
        Whether only the trials are read that all systems were shown.
    name : str, optional
        What to call the data set. Default: the name of the (first) file.
    quiet : bool
        Whether to print nothing. Else it is said what was taken: rows, trials, systems, classes, columns that were left
        out, how many answers are none, and how many were not shown.

    Returns
    -------
    Responses
        The answers: -1 where a system gave none, missing where a system was not shown the trial.

    Raises
    ------
    ValueError, TypeError
        What cannot be read, with its row and column, and the argument that helps.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "pets.csv")
    ...     _ = file.write_text("image,truth,net,ann\n1.png,cat,dog,cat\n2.png,dog,dog,na\n")
    ...     pets = read_answers(file, person="ann")
    pets.csv: 2 rows, 2 trials, named by image
    models: net
    people: ann
    classes: cat, dog
    no answer: 1 of 4 cells ('na')
    >>> pets.answers["ann"].to_dict(), pets.classes
    ({'1.png': 0, '2.png': -1}, ('cat', 'dog'))
    """
    true = truth if isinstance(truth, pd.Series) else None
    column = tidy(truth) if isinstance(truth, str) else None
    if true is not None:
        check_once("truth", true.index)
        column = None if true.name is None else str(true.name)
    options = tidy(options) if isinstance(options, str) else options
    of_options = options if isinstance(options, str) else None
    answer, clusters = answer and tidy(answer), clusters and tidy(clusters)
    named = _Named(_words(trial), column, _words(system), answer, of_options, clusters)
    tables, asked = {file: read_table(file) for file in files_of(path)}, comparisons(where)
    check_words(list(tables.values()), asked)
    parts = [_part(file, table, asked, named, true) for file, table in tables.items()]
    declared = None if classes is None else list(map(str, declared_classes(_read_as_cells(classes))))
    truths = _truths(parts, true, declared, column)
    trials = _trials_of(parts, true, subset=subset)
    _check_common(parts, subset=subset)
    coded = {system: _coded(words) for system, words in _together(parts, trials).items()}
    if not coded:
        raise ValueError(
            f"{parts[0].file} has no column of a system; expected trial, truth, and then a column per system"
        )
    if not (subset or absent_not_shown):
        _check_lacking(coded, trials, parts)
    true_words = list(dict.fromkeys(word for _, words in truths for word in _coded(words)[1]))
    said = list(dict.fromkeys(word for _, words in coded.values() for word in words))
    silent, hidden = _words(missing), _words(not_shown)
    _check_special({"--missing": silent, "--not-shown": hidden}, said, declared or ())
    meanings = read_labels(
        dict.fromkeys([*true_words, *said]),
        missing=missing_words(declared or true_words, declared or ()),
        hidden=hidden,
        where=str,
    )
    meanings |= dict.fromkeys(silent, NO_ANSWER)
    if declared is None:
        _check_no_lists(parts, meanings)
        _check_trials(parts, truths)
        meanings |= _without_decimals(meanings)
    offered = _options(parts, trials, options)
    true_classes = {str(meanings[word]) for word in true_words}
    for part in parts:
        if declared is None:
            _check_one_system(part, true_classes)
        for system in map(str, part.answers):
            classes_of = {meaning for word in coded[system][1] if isinstance(meaning := meanings[word], str)}
            _check_system(part, system, classes_of, true_classes, is_declared=declared is not None)
    names = declared or _classes(parts, meanings, offered)
    numbered = _by_number(names, meanings, said) | _by_number(names, meanings, true_words)
    meanings |= numbered
    ids = ids_of_labels(meanings, names, lambda word: _first(parts, word))
    one_truth = _one_truth(truths, trials, ids)
    table = pd.DataFrame({system: as_answers(_as_ids(words, ids)) for system, words in coded.items()}, index=trials)
    people = list(coded) if _words(person) == (ALL,) else _people(_words(person), list(coded))
    kinds = dict.fromkeys(coded, "model") | dict.fromkeys(people, "human")
    sources = {str(system): part.file for part in parts for system in part.answers}
    described = describe_systems(list(coded), kind=kinds, family="", source=sources)
    responses = Responses(name or _ENDING.sub("", parts[0].file), one_truth, table, tuple(names), described, offered)
    if subset:
        responses = responses.select(trials=responses.answers.notna().all(axis=1).to_numpy())
    if true is not None and len(truths) == 1:
        used = {word for _, words in coded.values() for word in words}
        _check_none_is_truth(responses, parts)
        _check_agreement(responses, by_number=not any(map(str.isdecimal, names)) and any(map(str.isdecimal, used)))
    if not quiet:
        print("\n".join(_taken(responses, parts, where, ids, coded, numbered)))
    return responses


def _people(names: Sequence[str], systems: Sequence[str]) -> list[str]:
    for name in names:
        if name not in systems:
            raise ValueError(f"person is {name!r}; {nearest(name, systems)}")
    return list(dict.fromkeys(names))


def _words(typed: str | Sequence[str]) -> tuple[str, ...]:
    """Read what was typed as cells are read."""
    return tuple(map(tidy, (typed,) if isinstance(typed, str) else typed))


def _read_as_cells(classes: Iterable[Any]) -> Iterable[Any]:
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        return classes  # which is refused
    return [tidy(label) if isinstance(label, str) else label for label in classes]


def files_of(paths: Paths, *, besides: Path | None = None) -> list[Path]:
    """Return the files that are meant: of a folder those in it, but no reports; refuse to read one to be written."""
    files = [Path(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]
    where = " and ".join(map(str, files)) or paths
    if len(files) == 1 and files[0].is_dir():
        files = sorted(file for file in files[0].iterdir() if not file.name.startswith("."))
        if files and all(file.is_dir() for file in files):
            raise ValueError(f"{where} holds folders and no files; name the files in them: {where}/*/*.csv")
        folders = [file.name for file in files if file.is_dir()]
        if folders:
            warnings.warn(f"{where}: folders in it are passed over ({_listed(folders)})", stacklevel=3)
        files = [file for file in files if file.is_file() and file.suffix.lower() not in (".html", ".md")]
        files = [file for file in files if besides is None or file.resolve() != besides.resolve()]
    if not files:
        raise ValueError(f"there is no file in {where}; give files of answers, or a folder of them")
    if besides is not None and besides.resolve() in [file.resolve() for file in files]:
        raise ValueError(f"{besides} is one of the files to be read, and would be overwritten; name another file")
    return files


# ---- columns ---------------------------------------------------------------------------------------------------------


class _Named(NamedTuple):
    """What a caller calls the columns."""

    trial: tuple[str, ...]
    truth: str | None
    system: tuple[str, ...]
    answer: str | None
    options: str | None
    clusters: str | None


class _Part(NamedTuple):
    """What one file says of each trial: its true class and number of options, if these are there, and the answers."""

    file: str
    table: pd.DataFrame  # of its rows that were chosen, as text
    labels: list[str]  # columns that hold classes
    n_rows: int
    truth: pd.Series | None
    options: pd.Series | None
    answers: pd.DataFrame  # a column per system
    left_out: list[str]
    by_place: bool  # whether systems are what stands to the right of the truth, and nobody named them


def _part(path: Path, table: pd.DataFrame, asked: Sequence[Comparison], named: _Named, true: pd.Series | None) -> _Part:
    """Find out what the columns of a file are: by their names alone."""
    file = path.name.encode(errors="replace").decode()  # on Linux a name may be no text
    n_rows, table = len(table), chosen(table, asked, file)
    system, answer, truth = named.system or ("system",), named.answer or "answer", named.truth or "truth"
    is_alone = answer in table and not named.system and "system" not in table  # one system's, called as the file is
    is_long = is_alone or (answer in table and {*system} <= {*table} and (named.answer or len(system) == 1))
    trial = _trial(table, named, true, file, is_wide=not is_long)
    of_trials = [column for column in (truth, named.options) if column is not None and column in table]
    is_truth = {*table} <= {*trial, truth}  # of systems in other files
    _check_columns(table, trial, of_trials, named, file, is_truth=is_truth)
    systems = list(named.system)
    if is_truth:
        systems = []
    elif not (is_long or systems):
        beside = {named.options, named.clusters} - {*named.trial}  # which may stand anywhere
        systems = _right_of(table.drop(columns=[*beside & {*table}]), [*trial, truth], file)
    labels = [*of_trials[: truth in table], *([answer] if is_long else systems)]
    if labels:
        _refuse_header_again(table, labels, file)
    index = _index(table, trial)
    if is_long:
        who = pd.Series(_ENDING.sub("", file), table.index)
        if not is_alone:
            who = table[list(system)].agg(" ".join, axis=1).map(tidy)
        answers, firsts = _pivot(table, index, who, answer, file)
        for column in of_trials:
            _check_one_each(table, column, index, firsts, file)
    else:
        _check_once(table, index, file)
        answers, firsts = table[systems].set_axis(index), np.ones(len(table), dtype=bool)
    values = {column: table[column][firsts].set_axis(answers.index) for column in of_trials}
    used = {*trial, *labels, *of_trials, *(system if is_long else ())}
    left_out = [column for column in header_of(table) if column and column not in used]
    facts = values.get(truth), values.get(named.options) if named.options else None
    by_place = not (is_long or named.system)
    return _Part(file, table, labels, n_rows, *facts, answers, left_out, by_place)


def _check_columns(
    table: pd.DataFrame, trial: list[str], of_trials: list[str], named: _Named, file: str, *, is_truth: bool
) -> None:
    """Refuse columns that were named and are not there, and trials without a name or a true class."""
    asked: dict[str, Sequence[str | None]] = {"--trial": trial, "--options": [named.options]}
    if not is_truth:
        asked |= {"--system": named.system, "--answer": [named.answer]}
    for option, columns in asked.items():
        for column in columns:
            if column is not None and column not in table:
                raise ValueError(
                    f"{file} has no column {column!r} for {option}{_capitals(column, table)}; its header is "
                    f"{_listed(table)}"
                )
    for column in (*of_trials, trial[0]):
        empty = table[column].to_numpy() == ""
        if empty.any():
            raise ValueError(
                f"{file}, row {table.index[empty.argmax()]}, column {column!r} is empty, and every trial needs it; "
                f"choose the rows of trials, as with  --where \"{column} != ''\"  (where=...){_known(table)}"
            )


def _trial(table: pd.DataFrame, named: _Named, true: pd.Series | None, file: str, *, is_wide: bool) -> list[str]:
    """Return which columns name the trial, with that of clusters."""
    trial = list(named.trial)
    if not trial and true is not None:
        trial = [str(name) for name in true.index.names if name in table]
    if not trial and "image" in table:
        trial = [column for column in header_of(table) if column == "image" or (is_wide and column == "condition")]
    if not trial and "trial" in table:
        trial = ["trial"]
    if not trial:
        if any(column in set(table[column]) for column in table if column):
            raise ValueError(f"{file}: row 1 is a trial: the header is missing; write one, such as  image,truth,net")
        raise ValueError(
            f"{file} has no column 'image'; say which names the trial with --trial COLUMN (trial=...)"
            f"{_capitals('image', table)}{_known(table)}; its header is {_listed(table)}"
        )
    if named.clusters and named.clusters not in trial and true is None:
        trial.append(named.clusters)
    return trial


def _known(table: pd.DataFrame) -> str:
    """Return the options by which a file of a well-known program is read, if it is one, or what its columns may be."""
    options = [words for columns, words in _KNOWN.items() if {*columns} <= {*table}]
    if options:
        return f"; this looks like a file that  {options[0]}  reads"
    likely = []
    for option, usual in _USUAL.items():
        columns = [column for column in header_of(table) if column.casefold() in usual]
        likely += [option, columns[0]] if columns else []
    return f"; its columns may be  {shlex.join(likely)}" if likely else ""


def _capitals(word: str, names: Iterable[object]) -> str:
    """Say that only capitals differ, where a word is one of some names but for these."""
    same = [repr(name) for name in map(str, names) if name.casefold() == word.casefold() and name != word]
    return f"; {' and '.join(same)} differs from it only in capitals" if same else ""


def _listed(names: Iterable[object]) -> str:
    listed = list(map(str, names))
    more = ["…"] if len(listed) > _MOST_NAMES else []
    return ", ".join([*listed[:_MOST_NAMES], *more])


def _right_of(table: pd.DataFrame, before: Sequence[str], file: str) -> list[str]:
    """Return the columns to the right of trial and truth."""
    header = header_of(table)
    if "system" in header:
        raise ValueError(f"{file} has a column 'system', but none called 'answer'; say --answer COLUMN (answer=...)")
    last = max(header.index(column) for column in before if column in header)
    left = [column for column in header[:last] if column and column not in before]
    if last + 1 == len(header) and left:
        named = shlex.join(word for column in left for word in ("--system", column))
        holds = "holds" if len(left) == 1 else "hold"
        hint = f"if {' and '.join(map(repr, left))} {holds} answers, say  {named}"
        raise ValueError(f"{file} has no column to the right of {header[last]!r}; {hint}{_known(table)}")
    return header[last + 1 :]


def _refuse_header_again(table: pd.DataFrame, labels: list[str], file: str) -> None:
    names = [label.casefold() for label in labels]
    again = table[[tidy(word).casefold() == names[0] for word in table[labels[0]]]]
    again = again[[[tidy(word).casefold() for word in row] == names for row in again[labels].to_numpy()]]
    if len(again):
        raise ValueError(
            f"{file}, row {again.index[0]} is the header again; leave it out, or save each table by itself"
        )


def _index(table: pd.DataFrame, trial: list[str]) -> pd.Index:
    levels = [pd.Index([tidy(word) for word in table[column]], name=column) for column in trial]
    return levels[0] if len(levels) == 1 else pd.MultiIndex.from_arrays(levels)


def _check_once(table: pd.DataFrame, keys: pd.Index, file: str) -> None:
    if not keys.is_unique:
        place = int(keys.duplicated().argmax())
        row, first = table.index[[place, int((keys == keys[place]).argmax())]]
        hint = "with --trial which columns name a trial together, such as  --trial image --trial block"
        who = [column for column in header_of(table) if column.casefold() in _USUAL["--system"]]
        if who:
            hint = f"which column names the systems, such as  {shlex.join(['--system', who[0]])}"
        raise ValueError(
            f"{file}, row {row} is about {shown(keys[place])} again, after row {first}; give each once, or say {hint}"
        )


def _pivot(
    table: pd.DataFrame, index: pd.Index, who: pd.Series, answer: str, file: str
) -> tuple[pd.DataFrame, np.ndarray]:
    """Bring rows of one answer each to a row per trial, and say which is the first about each trial."""
    if (who == "").any():
        raise ValueError(
            f"{file}, row {who.index[int((who == '').argmax())]} names no system; choose rows with --where"
        )
    trials, (of_system, systems) = index.unique(), pd.factorize(who)
    of_trial = trials.get_indexer(index)
    keys = [index.get_level_values(level) for level in range(index.nlevels)]
    _check_once(table, pd.MultiIndex.from_arrays([who, *keys]), file)
    words = np.full((len(systems), len(trials)), None, dtype=object)
    words[of_system, of_trial] = table[answer]
    return pd.DataFrame(dict(zip(systems, words, strict=True)), trials, dtype=object), ~index.duplicated()


def _check_one_each(table: pd.DataFrame, column: str, index: pd.Index, firsts: np.ndarray, file: str) -> None:
    """Refuse two true classes, or numbers of options, of one trial."""
    words = table[column].to_numpy()
    first = words[firsts][index[firsts].get_indexer(index)]
    differs = words != first
    if differs.any():
        place = int(differs.argmax())
        raise ValueError(
            f"{file}: {column!r} of trial {shown(index[place])} is {first[place]!r}, and in row {table.index[place]} "
            f"{words[place]!r}; give each trial one, or name trials by more columns (--trial)"
        )


_Coded = tuple[np.ndarray, list[str]]  # the place of each trial's word, -1 where there is none, and the words


# ---- trials ----------------------------------------------------------------------------------------------------------


def _trials_of(parts: Sequence[_Part], true: pd.Series | None, *, subset: bool) -> pd.Index:
    """Return the trials of a truth that was handed in, or of all files."""
    trials = parts[0].answers.index if true is None else true.index
    for part in parts:
        own = as_named_in(part.answers.index, trials, part.file)
        unknown = own[trials.get_indexer(own) < 0]
        if true is None:
            trials = trials.append(unknown)
        elif len(unknown) and (len(unknown) == len(own) or not subset):
            raise ValueError(
                f"{part.file} is about trial {shown(unknown[0])}, which the truth that was given does not know; its "
                f"trials have names such as {shown(trials[0])}{_only_differ(trials, unknown)}"
            )
    return trials


def _check_common(parts: Sequence[_Part], *, subset: bool) -> None:
    """Refuse files of which each has trials of its own, if all should have them, or names differ in nothing else."""
    first, *others = parts
    for part in others:
        names = first.answers.index
        own = as_named_in(part.answers.index, names, part.file)
        if names.isin(own).any():
            continue
        only = _only_differ(names, own)
        if only or (subset and len(first.answers.columns) and len(part.answers.columns)):
            raise ValueError(
                f"{first.file} and {part.file} have no trial in common: their trials have names such as "
                f"{shown(names[0])} and {shown(own[0])}{only}"
            )


def _only_differ(names: pd.Index, others: pd.Index) -> str:
    """Say that names are others' but for capitals, folders or endings, if they are."""
    forms: dict[str, Callable[[str], str]] = {
        "capitals": str.casefold,
        "folders": lambda name: re.split(r"[/\\]", name)[-1],
        "endings": lambda name: name.rpartition(".")[0] or name,
    }
    for what, form in forms.items():
        theirs = {form(str(name)) for name in others}
        if len(theirs) == len(others) and any(form(str(name)) in theirs for name in names):
            return f"; only {what} differ: write each trial's name in one way"
    return ""


def _where(trials: pd.Index, here: Any) -> str:
    """Return the name of the first trial of which something is so."""
    return shown(trials[int(np.argmax(here))])


def _together(parts: Sequence[_Part], trials: pd.Index) -> dict[str, pd.Series]:
    """Return each system's words on all trials; nothing stands where no file has a row."""
    answers: dict[str, pd.Series] = {}
    for part in parts:
        own = part.answers.set_axis(as_named_in(part.answers.index, trials, part.file))
        if not own.index.equals(trials):
            own = own.reindex(trials)
        for system, words in own.items():
            if system in answers:
                both = answers[system].notna() & words.notna()
                if both.any():
                    raise ValueError(
                        f"{part.file}: another file has answers of {system!r} to trial {_where(trials, both)} "
                        "too; rename one of the systems, or give each file once; if each file holds one system's "
                        f"answers, and is called as it is, say  --answer {system}"
                    )
                words = words.where(words.notna(), answers[system])
            answers[str(system)] = words
    return answers


def _check_lacking(coded: Mapping[str, _Coded], trials: pd.Index, parts: Sequence[_Part]) -> None:
    for system, (codes, _) in coded.items():
        lacking = codes < 0
        if lacking.any():
            file = next(part.file for part in parts if system in part.answers)
            raise ValueError(
                f"{file}: {system!r} has no row for trial {_where(trials, lacking)}, one of {lacking.sum():,} "
                "that it lacks. If it saw them and gave no answer, write rows with an empty answer; if it was not "
                "shown them, say  --absent-not-shown  (absent_not_shown=True): each pair is then compared on what both "
                "saw; or compare on the trials that all have with  --subset  (subset=True)"
            )


def _truths(
    parts: Sequence[_Part], true: pd.Series | None, declared: list[str] | None, column: str | None
) -> list[tuple[str, pd.Series]]:
    """Return who says what the true classes are, and the words."""
    truths = [(part.file, part.truth) for part in parts if part.truth is not None]
    if true is not None:
        names = dict(enumerate(declared or []))
        words = true.map(names) if names and true.dtype.kind in "iu" else true.map(str)
        truths.insert(0, ("the truth that was given", words))
    if not truths:
        table = parts[0].table
        raise ValueError(
            f"{parts[0].file} has no column {column or 'truth'!r}; say which holds the true classes with --truth "
            f"COLUMN (truth=...), or name a data set that has them (--data NAME, in Python "
            f"truth=erralign.load(NAME).truth){_capitals(column or 'truth', table)}{_known(table)}; its header is "
            f"{_listed(table)}"
        )
    return truths


def _options(parts: Sequence[_Part], trials: pd.Index, options: int | str | None) -> pd.Series | None:
    """Return how many options each trial offers: the number that was given, or what a column says of it."""
    if not isinstance(options, str):
        return None if options is None else options_on(options, trials)
    words = pd.concat([part.options for part in parts if part.options is not None])
    unfit = ~words.str.strip().str.fullmatch(r"\d{1,6}")
    if unfit.any():
        raise ValueError(f"column {options!r} holds {words[unfit].iloc[0]!r}; expected a number of options")
    return options_on(words[~words.index.duplicated()].astype(int), trials)


# ---- classes ---------------------------------------------------------------------------------------------------------


def _check_special(special: Mapping[str, Sequence[str]], said: Sequence[str], declared: Collection[str]) -> None:
    """Refuse words for no answer, or for what was not shown, that no cell says, and those that are classes."""
    for option, words in special.items():
        for word in words:
            if word in declared:
                raise ValueError(f"{option} {word}: {word!r} is one of the classes; leave it out of one of the two")
            if word in said:
                continue
            hint = nearest(word, said)
            if option == "--not-shown" and word.casefold() == "absent":
                hint = "if rows that are not there were not shown, say  --absent-not-shown  (absent_not_shown=True)"
            raise ValueError(f"{option} {word}: no system's cell says {word!r}; {hint}")


def _check_no_lists(parts: Sequence[_Part], meanings: Mapping[str, str | int]) -> None:
    """Refuse several labels in one cell."""
    for word, meaning in meanings.items():
        if isinstance(meaning, str) and _is_list(word):
            raise ValueError(f"{_first(parts, word)} holds {word!r}; expected one class, and no list of them")


def _is_list(word: str) -> bool:
    if not word.startswith(("[", "{", "(")):
        return False
    try:
        return not isinstance(literal_eval(word), str | int | float)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def _check_trials(parts: Sequence[_Part], truths: Sequence[tuple[str, pd.Series]]) -> None:
    """Refuse a row that is no trial: its true class stands there once, and is a column's name, a total or a unit."""
    counts = pd.concat([words.map(str).map(tidy) for _, words in truths]).value_counts()
    header = {name.casefold() for part in parts for name in header_of(part.table)}
    n_words = sum(not _is_number(word) for word in counts.index)
    if counts.max() > 1:
        for part in parts:
            _check_ends(part)
    for word in counts.index[counts == 1] if counts.max() > 1 else ():
        is_number_among_words = _is_number(word) and n_words == len(counts) - 1 > 1
        if word.casefold() in header | _NO_CLASSES or is_number_among_words:
            raise ValueError(
                f"{_first(parts, word)} holds {word!r}, once: if this row is no trial but a total, a unit or another "
                "header, leave it out; if it is one, list all classes with --classes (classes=[...])"
            )


def _check_ends(part: _Part) -> None:
    """Refuse a first or last row of which no word is in another row, if all others share theirs: a total, a remark."""
    if part.truth is None or len(part.labels) < _FEW_LABELS:
        return
    rows = [list(map(tidy, row)) for row in part.table[part.labels].to_numpy()]
    counts = Counter(word for row in rows for word in row)
    alone = [place for place, row in enumerate(rows) if all(counts[word] == 1 for word in row)]
    if alone in ([0], [len(rows) - 1]):
        row = part.table.index[alone[0]]
        raise ValueError(
            f"{part.file}, row {row}: no other row has one of its words ({', '.join(rows[alone[0]])}): if it is no "
            "trial but a total, a unit or a remark, leave it out; if it is one, list all classes with --classes "
            "(classes=[...])"
        )


def _check_one_system(part: _Part, true: Collection[str]) -> None:
    """Refuse columns that are one system's: its scores of each class, or its first, second and third choices."""
    systems = list(map(str, part.answers))
    words = part.answers.map(tidy) if part.by_place else part.answers.iloc[:, :0]
    of_classes = [name for name in systems if {*re.split(r"[\W_]+", name), name} & {*true}]
    if len(words.columns) and len(of_classes) > 1 and words[of_classes].stack().map(_is_number).all():
        raise ValueError(
            f"{part.file}: {_listed(map(repr, of_classes))} hold a score per class, and no answers; write the class "
            "with the largest as the answer: in pandas  table[[COLUMNS]].idxmax(axis=1)"
        )
    if len(systems) >= _FEW_LABELS and len(words) >= _MANY and (words.nunique(axis=1) == len(systems)).all():
        raise ValueError(
            f"{part.file}: {_listed(map(repr, systems))} never say the same on any trial, as a system's first, second "
            f"and third choices; name the column of the first with  --system {shlex.quote(systems[0])}  "
            "(system=...), or all if each is a system"
        )


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?\d+([.,]\d+)?([eE][+-]?\d+)?", word) is not None


def _without_decimals(meanings: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return whole numbers as which ``0.0`` beside ``0`` is read: pandas writes a column with a gap so."""
    numbers = {word for word, meaning in meanings.items() if isinstance(meaning, str)}
    if not all(re.fullmatch(r"-?\d+(\.0)?", word) for word in numbers):
        return {}
    decimals = {word for word in numbers if word.endswith(".0")}
    if decimals == numbers:
        return {}
    return {word: word.removesuffix(".0") for word in decimals}


def _by_number(names: Sequence[str], meanings: Mapping[str, str | int], words: Sequence[str]) -> dict[str, str | int]:
    """Return the classes of words that are numbers, if the classes have names and all words are numbers."""
    numbers = [word for word in words if isinstance(meanings[word], str)]
    if any(map(str.isdecimal, names)) or not all(map(str.isdecimal, numbers)):
        return {}
    return {word: names[int(word)] for word in numbers if int(word) < len(names)}


def _coded(words: pd.Series) -> _Coded:
    codes, distinct = pd.factorize(words)
    return codes, [tidy(str(word)) for word in distinct]


def _as_ids(coded: _Coded, ids: Mapping[str, int]) -> np.ndarray:
    """Return what each trial's word is: the id of a class, no answer, or not shown, as where there is no word."""
    codes, words = coded
    return np.array([*(ids[word] for word in words), NOT_SHOWN])[codes]


def _classes(parts: Sequence[_Part], meanings: Mapping[str, str | int], options: pd.Series | None) -> list[str]:
    """Return the classes that occur, in order; words that look alike are none."""
    classes = {meaning for meaning in meanings.values() if isinstance(meaning, str)}
    files = _listed(part.file for part in parts)
    broken = [word for word in classes if _FAILED_FORMULA.fullmatch(word)]
    if broken:
        raise ValueError(
            f"{files} holds {broken[0]!r}, which a spreadsheet writes where a formula fails; mend it there"
        )
    check_alike(files, classes)
    are_numbers = all(re.fullmatch(r"-?\d+", word) for word in classes)
    ordered = sorted(classes, key=int) if are_numbers else sorted(classes)
    return ordered if options is None else [str(name) for name in positions(ordered, int(options.max()))]


def _check_system(part: _Part, system: str, words: set[str], true: set[str], *, is_declared: bool) -> None:
    """Refuse a column that is no system: one of a header that is a trial, marks of right and wrong, times, remarks."""
    instead = "leave it out, or name the columns of systems with --system COLUMN (system=[...])"
    if system in part.labels and system in true and not is_declared:
        raise ValueError(
            f"{part.file}: column {system!r} is called as a class is: if row 1 is a trial, the header is missing; "
            "write one, such as  image,truth,net"
        )
    if (
        part.by_place
        and words
        and {word.casefold() for word in words} <= _MARKS
        and not (is_declared and words <= true)
    ):
        raise ValueError(
            f"{part.file}: column {system!r} holds only {' and '.join(sorted(words))}: if these are marks of right and "
            f"wrong, {instead}; if you have nothing else, write right as the truth of every trial, and right and wrong "
            "as answers, which is enough for EC"
        )
    if words and len(true) > 1 and not words & true and not is_declared:
        raise ValueError(
            f"{part.file}: {system!r} never answers with a true class, such as {min(true)!r}, but says {min(words)!r}; "
            f"if it is no system, {instead}; if it is one, list all classes with --classes (classes=[...])"
        )


def _first(parts: Sequence[_Part], word: str) -> str:
    """Return where in the files a word stands first."""
    for part in parts:
        for column in part.labels:
            here = part.table[column].map(tidy) == word
            if here.any():
                return f"{part.file}, row {part.table.index[int(here.argmax())]}, column {column!r}"
    return "the truth that was given"


def _one_truth(truths: Sequence[tuple[str, pd.Series]], trials: pd.Index, ids: Mapping[str, int]) -> pd.Series:
    """Return the class of each trial, after a look whether each has one, and all who say it say the same."""
    known = np.full(len(trials), NOT_SHOWN)
    for who, words in truths:
        labels = words.set_axis(as_named_in(words.index, trials, who))
        if not labels.index.equals(trials):
            labels = labels.reindex(trials)
        here = _as_ids(_coded(labels), ids)
        differs = (known >= 0) & (here >= 0) & (known != here)
        unfit = differs | (here == NO_ANSWER)
        if unfit.any():
            place = int(unfit.argmax())
            why = "means no answer; if it is a class, list all with --classes (classes=[...])"
            if differs[place]:
                why = "is another class than in another file or data set"
            raise ValueError(f"{who}: {labels.iloc[place]!r}, the truth of trial {shown(trials[place])}, {why}")
        known = np.maximum(known, here)
    if (known < 0).any():
        raise ValueError(f"{truths[0][0]}: no true class of trial {_where(trials, known < 0)}")
    return pd.Series(known, trials, name="truth")


# ---- what was taken, and does it look like answers? ------------------------------------------------------------------


def _taken(
    responses: Responses,
    parts: Sequence[_Part],
    where: str,
    ids: Mapping[str, int],
    coded: Mapping[str, _Coded],
    numbered: Mapping[str, str | int],
) -> Iterator[str]:
    """Say what was read, a line for each matter."""
    rows = f"{sum(part.n_rows for part in parts):,} rows"
    if where:
        rows += f", {sum(len(part.table) for part in parts):,} of them chosen by  {where} "
    by = [name for name in responses.truth.index.names if name is not None]
    trials = f"{len(responses.truth):,} trials" + (f", named by {_listed(by)}" if by else "")
    yield f"{_listed(part.file for part in parts)}: {rows}, {trials}"
    human = responses.systems["kind"] == "human"
    for what, names in {"models": human.index[~human], "people": human.index[human]}.items():
        if len(names):
            yield f"{what}: {_listed(names)}"
    true = set(responses.truth.unique())
    never = [name for place, name in enumerate(responses.classes) if place not in true]
    yield f"classes: {_listed(responses.classes)}" + (f" (never true: {_listed(never)})" if never else "")
    if numbered:
        by_number = (f"{word} = {numbered[word]}" for word in sorted(numbered, key=int))
        yield f"numbers are places in the list of classes: {_listed(by_number)}"
    every_word = sorted({word for _, words in coded.values() for word in words})
    decimals = [word for word, place in ids.items() if place >= 0 and re.fullmatch(r"-?\d+\.0", str(word))]
    decimals = [word for word in decimals if word not in responses.classes]
    if decimals:
        yield f"read as whole numbers: {_listed(decimals)}"
    silent, hidden = responses.answers.eq(NO_ANSWER), responses.answers.isna()
    for what, meaning, cells in (("no answer", NO_ANSWER, silent), ("not shown", NOT_SHOWN, hidden)):
        if cells.any(axis=None):
            words = _listed(repr(word) for word in every_word if ids[word] == meaning) or "no row"
            yield f"{what}: {int(cells.sum().sum()):,} of {cells.size:,} cells ({words})"
    sheets = [sheet for part in parts for sheet in part.table.attrs.get("sheets", ())]
    if sheets:
        yield f"sheets not read: {_listed(sheets)}"
    left_out = dict.fromkeys(column for part in parts for column in part.left_out)
    if left_out:
        yield f"columns left out: {_listed(left_out)}"


def _agreement(responses: Responses) -> Iterator[tuple[str, int, int, float]]:
    """Yield, for each system that answers, on how many trials it is right, of how many, and its chance to be so."""
    truth = responses.truth.to_numpy()
    true = np.bincount(truth, minlength=len(responses.classes)) / len(truth)
    for system, column in responses.answers.items():
        ids = column.fillna(NO_ANSWER).to_numpy(np.int64)
        answered = ids[ids >= 0]
        if len(answered):
            yield str(system), int((ids == truth).sum()), len(answered), float(true[answered].mean())


def _check_agreement(responses: Responses, *, by_number: bool) -> None:
    """Refuse answers that agree with others' truth less than chance would: something is in another order.

    Classes that are given by their numbers may be in another order, which also gives answers no better than chance.
    """
    for system, right, n, chance in _agreement(responses):
        as_by_chance = right <= n * chance + 2 * np.sqrt(n * chance * (1 - chance))
        if bdtr(right, n, chance) < _IMPOSSIBLE or (by_number and as_by_chance and n >= _MANY):
            raise ValueError(
                f"{responses.systems['source'][system]}: {system!r} is right on {right:,} of {n:,} trials, no more "
                f"than by chance ({chance * n:,.0f}): are its trials called as the data set's, and its classes "
                f"numbered as there ({', '.join(responses.classes[:3])}, …)? Or write classes as words"
            )


def _check_none_is_truth(responses: Responses, parts: Sequence[_Part]) -> None:
    """Refuse a column that nobody named and that holds the true classes, beside a truth from elsewhere."""
    for part in parts:
        for system in part.answers if part.by_place else ():
            if len(responses.truth) >= _MANY and responses.answers[system].eq(responses.truth).all():
                raise ValueError(
                    f"{part.file}: column {system!r} holds the true class of every trial: say  --truth {system}  if "
                    f"that is what it is, and --system {system} (system=...) if it is a system that makes no error"
                )


def notes_on(responses: Responses) -> list[str]:
    """Name systems that are right less often than by chance, and those that say the same on all trials."""
    notes = []
    truth = responses.truth.to_numpy()
    below = [name for name, right, n, chance in _agreement(responses) if bdtr(right, n, chance) < _UNLIKELY]
    if below and len(set(truth)) > 1:
        why = "are the numbers of classes shifted, or their names mixed up?"
        notes.append(f"{', '.join(below)}: right less often than by chance; {why}")
    same: dict[bytes, list[str]] = {}
    for system, column in responses.answers.items():
        ids = column.fillna(NOT_SHOWN).to_numpy(np.int64)
        if len(ids) >= _MANY and (ids != truth).any():
            same.setdefault(ids.tobytes(), []).append(repr(system))
    copies = [names for names in same.values() if len(names) > 1]
    return notes + [
        f"{', '.join(names)}: the same answers on all trials; is one system given twice?" for names in copies
    ]
