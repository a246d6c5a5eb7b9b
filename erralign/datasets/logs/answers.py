"""From logs to Responses: items are matched by their names, and nothing on which logs disagree goes on unsaid."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import bdtrc

from erralign._validation import NO_ANSWER, check_labels, shown
from erralign._validation.labels import check_same_length
from erralign.datasets.logs import harness, inspect_ai
from erralign.datasets.logs.files import MISSHAPEN, Log, Sample, as_table, misshapen, short, ways_of
from erralign.datasets.own.cells import Paths, files_of, kind_of, say
from erralign.responses import Responses
from erralign.responses.columns import describe_systems

MOST = 3  # examples in a note
KEY = ["task", "item"]
# What logs of the same item must have in common, and what it means where they do not.
SHARED = {"question": "another question", "options": "another number of options", "target": "another key"}


def read_logs(
    path: Paths,
    *,
    metric: str | None = None,
    filter_name: str | None = None,
    subset: bool = False,
    name: str | None = None,
) -> Responses:
    r"""Read the logs of language models, several of which are several systems.

    Items are matched by their names (``doc_id``, or ``id`` of a sample) within a task. How answers were taken, and what
    could not be read, is said in warnings.

    Parameters
    ----------
    path : path, or sequence of paths
        ``samples_*.jsonl`` of lm-evaluation-harness, or ``.eval`` and ``.json`` logs of Inspect; or a folder of them. A
        system is called as the model of an Inspect log, the folder of the harness's files, or the file; several epochs,
        or logs of a model and a task, are its runs: ``model#1``, ….
    metric : str, optional
        Which metric, or which scorer, says what is right. Default: ``acc``, ``exact_match`` or the only one. With
        ``acc_norm`` the answer is the option that is best by that.
    filter_name : str, optional
        Which filter's answers to read, where the harness applied several.
    subset : bool
        Whether to read only the items that all logs have, where some lack others, as those of cancelled runs do.
    name : str, optional
        What to call the data set. Default: the name of the task.

    Returns
    -------
    Responses
        With options per item, if all items have some and every score follows from target and answer; classes are then
        positions, A, B, C, …. Else with the classes ``right`` and ``wrong``, for which there is EC but neither MA nor
        CLES. What could not be read, or names an option which the item lacks, is -1; partial credit is wrong.

    Raises
    ------
    ValueError, ImportError
        A file is no whole log, or differs from another in items, questions, options or targets; there are several
        metrics or filters to choose from; or a file is compressed in a way that nothing here reads.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> line = {"doc_id": 0, "target": "1", "filtered_resps": [[-1.5, False], [-0.5, False]], "acc": 1.0}
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "llama.jsonl")
    ...     _ = file.write_text(json.dumps(line))
    ...     log = read_logs(file)
    >>> log.answers["llama"].to_dict(), log.classes, log.options.tolist()
    ({0: 1}, ('A', 'B'), [2])
    """
    files = files_of(path)
    twice = [(file, n) for file, n in Counter(file.resolve() for file in files).items() if n > 1]
    if twice:
        raise ValueError(f"{twice[0][0].name} is given {twice[0][1]} times; give each log once")
    logs = [_read(file, metric, filter_name, subset) for file in files]
    named = list(dict.fromkeys(log.task for log in logs))
    if len(named) == 2 and "" in named:  # a log that does not name its task is of the only one that is named
        tasks = {next(filter(None, named)): logs}
    else:
        tasks = {task: [log for log in logs if log.task == task] for task in named}
    ways = {task: ways_of(of_task) for task, of_task in tasks.items()}
    is_named = not any(None in each for each, _ in ways.values())
    notes = [f"Answers are only right or wrong: {why}." for _, why in ways.values() if why]
    tables, more = _runs(tasks, {task: each for task, (each, _) in ways.items()}, is_named=is_named)
    tables = _on_the_same_items(tables, subset)
    _check_same(tables, ["question", "options", "target"] if is_named else ["question"])
    fillers = _leave_out_fillers(tables) if is_named else []
    for note in (*notes, *more, *fillers, *_on_answers(tables, is_named=is_named)):
        warnings.warn(note, stacklevel=2)
    return _responses(tables, name or _name(tasks), is_named=is_named)


def _read(file: Path, metric: str | None, filter_name: str | None, subset: bool) -> Log:
    kind = kind_of(file)
    if not kind:
        no_log = f"{file.name} is no log of lm-evaluation-harness (samples_*.jsonl) or Inspect (.eval, .json)"
        raise ValueError(no_log if file.is_file() else f"there is no file {str(file)!r}; give the path of a log")
    first: dict[tuple, Sample] = {}
    try:
        log = inspect_ai.read(file, metric, subset) if kind == "inspect" else harness.read(file, filter_name, metric)
        again = next((each for each in log.samples if first.setdefault((each.item, each.run), each) is not each), None)
    except MISSHAPEN as error:
        raise misshapen(file.name, error) from error
    if again is not None:
        same = first[again.item, again.run].question == again.question
        why = "; give each answer once" if same else ", with two questions: give each task a file of its own"
        raise ValueError(f"{log.file} gives item {shown(again.item)} twice{why}")
    return log


def _runs(
    tasks: Mapping[str, list[Log]], ways: Mapping[str, Sequence[int | None]], *, is_named: bool
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Return a table per system and run; logs of the same system and task are runs of it."""
    parts: list[pd.DataFrame] = []
    notes: list[str] = []
    for task, logs in tasks.items():
        for log, way in zip(logs, ways[task], strict=True):
            table = as_table(log, way, is_named=is_named)
            parts.append(table.assign(task=task, family=log.system, log=len(parts)))
        of, often = f" of {task}" * bool(task), Counter(log.system for log in logs)
        notes += [f"{system} has {n} logs{of}, taken as {n} of its runs." for system, n in often.items() if n > 1]
    every = pd.concat(parts)
    in_turn = every.groupby(["log", "run"]).ngroup()
    run = in_turn.groupby([every["family"], every["task"]]).rank("dense").astype(int)
    again = run.groupby(every["family"]).transform("max") > 1
    names = every["family"].mask(again, every["family"] + "#" + run.astype(str))
    return {str(name): each.set_index(KEY) for name, each in every.groupby(names, sort=False)}, notes


def _on_the_same_items(tables: Mapping[str, pd.DataFrame], subset: bool) -> dict[str, pd.DataFrame]:
    """Bring tables into one order; without ``subset``, none may lack an item that another has."""
    items = next(iter(tables.values())).index
    for table in tables.values():
        if not table.index.equals(items):
            items = items.intersection(table.index, sort=False) if subset else items.union(table.index, sort=False)
    if not len(items):
        raise ValueError(f"{' and '.join(list(tables)[:MOST])} have no item in common: are they logs of one task?")
    for system, table in tables.items():
        lacking = items.difference(table.index, sort=False)
        if len(lacking):
            counts = {"n": f"{len(lacking):,}", "all": f"{len(items):,}", "item": _item(lacking[0])}
            raise ValueError(say("lacks_items", system=system, **counts))
    return {system: table.loc[items] for system, table in tables.items()}


def _item(item: tuple) -> str:
    return shown(item[1]) if not item[0] else f"{shown(item[1])} of {item[0]}"


def _check_same(tables: Mapping[str, pd.DataFrame], columns: Sequence[str]) -> None:
    first, *others = tables
    for system in others:
        for column in columns:
            ours, theirs = tables[first][column], tables[system][column]
            differs = (ours != theirs) & (ours != "") & (theirs != "")
            if differs.any():
                counts = {"n": f"{differs.sum():,}", "all": f"{len(ours):,}"}
                items = ", ".join(map(_item, ours.index[differs][:MOST]))
                what = SHARED[column]
                raise ValueError(say("other_items", system=system, what=what, first=first, items=items, **counts))


def _leave_out_fillers(tables: dict[str, pd.DataFrame]) -> list[str]:
    """Take an option that is written where nothing could be read as no answer, and say so."""
    notes = []
    for system, table in tables.items():
        hidden = ~table["is_in_response"]
        if found := filler(table["answer"].to_numpy(), hidden.to_numpy()):
            is_filler = hidden & (table["answer"] == found.option)
            tables[system] = table.assign(answer=table["answer"].mask(is_filler, NO_ANSWER))
            notes.append(f"{warning_of(system, found, _letters(found.option + 1))} There it is taken as none.")
    return notes


def _on_answers(tables: Mapping[str, pd.DataFrame], *, is_named: bool) -> list[str]:
    """Say what could not be read, and what was half right."""
    notes = []
    for system, table in tables.items():
        unread = table[table["answer"] == NO_ANSWER]
        if len(unread):
            lacking = unread["lacks"].map({True: ", which names an option that the item lacks", False: ""})
            said = Counter(unread["said"].map(short) + lacking).most_common()
            named = [f"{words} ({n:,})" for words, n in said[:MOST]]
            named += [f"{len(said) - MOST} others"] if len(said) > MOST else []
            n_unread = f"{len(unread):,} of {len(table):,} answers"
            notes.append(f"{system}: {n_unread} could not be read: {'; '.join(named)}.")
        partial = table["right"].between(0, 1, inclusive="neither").sum()
        if partial and not is_named:
            notes.append(f"{system}: {partial:,} answers that were partly right count as wrong.")
    return notes


def _name(tasks: Mapping[str, list[Log]]) -> str:
    names = [task or ", ".join(log.file for log in logs[:MOST]) for task, logs in tasks.items()]
    return ", ".join(names) if len(names) <= MOST else f"{len(names)} tasks"


def _responses(tables: Mapping[str, pd.DataFrame], name: str, *, is_named: bool) -> Responses:
    first = next(iter(tables.values()))
    trials = first.index if first.index.get_level_values("task").nunique() > 1 else first.index.get_level_values("item")
    answers = pd.DataFrame({system: table["answer"].to_numpy() for system, table in tables.items()}, index=trials)
    options = pd.Series(first["options"].to_numpy(), index=trials, name="options")
    classes = _letters(options.max()) if is_named else ("right", "wrong")
    families = {system: table["family"].iloc[0] for system, table in tables.items()}
    systems = describe_systems(list(tables), kind="model", family=families, source="log")
    truth = pd.Series(first["target"].to_numpy(), index=trials, name="truth")
    return Responses(name, truth, answers, classes, systems, options if is_named else None)


def _letters(n: int) -> tuple[str, ...]:
    return tuple(ascii_uppercase[place] if place < 26 else str(place + 1) for place in range(n))


# ---- an option for no answer -----------------------------------------------------------------------------------------


P = 1e-6  # many systems, each with several options, are looked at
TIMES = 2.0  # so much more frequent than among answers that were read


class Filler(NamedTuple):
    """An option that is far more frequent among answers that could not be read."""

    option: int
    share_unread: float  # among answers that could not be read
    share_read: float  # among those that could
    n_unread: int
    p: float  # one-sided, binomial, times the number of options


def filler(answers: Any, unread: Any) -> Filler | None:
    """Find one option over-represented where no answer could be read; None where there is no such option.

    Its share among unread answers must be at least twice that among read ones (both with one count more), and its
    binomial p, times the number of options that occur, below one in a million. Answers of -1 are no options.
    """
    answers, marks = check_labels("answers", answers, may_time_out=True), np.asarray(unread)
    if marks.dtype != bool:
        raise TypeError(f"unread holds {marks.dtype}; expected True or False for each answer")
    check_same_length(answers=answers, unread=marks)
    given = answers >= 0
    hidden, seen = (np.bincount(answers[given & each], minlength=answers.max() + 1) for each in (marks, ~marks))
    if not hidden.sum():
        return None
    option, n = int(hidden.argmax()), int(hidden.sum())
    share = float(hidden[option] / n)
    usual = (seen + 1) / (seen + 1).sum()
    p = bdtrc(hidden[option] - 1, n, usual[option])  # binomial; scipy.stats would be slow to import
    p = min(1.0, float(p) * np.count_nonzero(hidden + seen))
    if p >= P or share < TIMES * usual[option]:
        return None
    return Filler(option, share, float(seen[option] / max(seen.sum(), 1)), n, p)


def warning_of(name: str, found: Filler, classes: Sequence[str]) -> str:
    """Say in a sentence which option fills the place of unread answers in the file of a system."""
    shares = {"share": f"{found.share_unread:.0%}", "usual": f"{found.share_read:.0%}"}
    return say("filler", system=name, option=classes[found.option], n=f"{found.n_unread:,}", **shares)
