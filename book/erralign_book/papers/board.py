"""The board: what makes a file of answers fit for it (its page has all systems).

A system's answers stand in a CSV file, and what is said about it in a YAML file beside it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import check_choice
from erralign.datasets import load
from erralign.datasets.answers import read_answers
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.files import data_folder

# Data sets, to the names under which archives have answers to their pictures; the first has people's, too.
DATA_SETS = {"geirhos2020/cue-conflict": ("geirhos2020/cue-conflict", "gavrikov2025/cue-conflict")}
FAMILIES = ("classifier", "CLIP", "vision-language", "other")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,59}")
TEXT = ".{3,300}"
# What the YAML file says: the form of each field, and what is expected there.
FIELDS = {
    "by": (TEXT, "who ran the system, in 3 to 300 characters"),
    "family": ("|".join(FAMILIES), f"one of {', '.join(FAMILIES)}"),
    "year": (r"(19|20)\d\d", "the year in which the system was first released"),
    "weights": (r"(https://[!-~]+)?( ?sha256:[0-9a-f]{64})?", "https://…, sha256: and 64 digits, or both"),
    "licence": (TEXT, "the licence of the answers, in 3 to 300 characters"),
    "preprocessing": (TEXT, "how pictures were prepared, in 3 to 300 characters"),
    "prompt": (TEXT, "how the system was asked, in 3 to 300 characters"),
    "reading": (TEXT, "how its outputs became one of the classes, in 3 to 300 characters"),
    "date": (r"20\d\d-\d\d-\d\d", "the day of the run, such as 2026-11-22"),
    "reason": (".{20,300}", "why a file that looks wrong is right, in 20 to 300 characters"),
}
LARGEST = 10_000  # bytes of a YAML file
OPTIONAL = ("preprocessing", "prompt", "reason")  # but one of the first two
COLUMNS = ["kind", "paper", "reason"]


def folder() -> Path:
    """Return where the board's files are."""
    return data_folder().parent / "board"


@cache
def stored(data_set: str) -> Responses:
    """Return the people and the models whose answers are in public archives."""
    together = reduce(Responses.join, map(load, DATA_SETS[data_set]))
    return replace(together, systems=together.systems.reindex(columns=COLUMNS, fill_value=""))


def files(board: Path) -> list[Path]:
    """List what stands for a system on the board: every file but the YAML files that belong to one."""
    found = [file for file in sorted(board.rglob("*")) if not file.is_dir()]
    return [file for file in found if file.suffix != ".yml" or file.with_suffix(".csv") not in found]


def read_entry(file: Path, board: Path) -> Responses:
    """Read a system's answers, with what its YAML file says as further columns of ``systems``."""
    data_set, name = _place(file, board)
    about, others = _about(file.with_suffix(".yml")), stored(data_set)
    if name in others.answers:
        raise ValueError(f"{file} has the name of a system that is on the board already; rename file and column")
    answers = read_answers(file, truth=others.truth, classes=others.classes, name=data_set, quiet=True)
    if list(answers.answers) != [name]:
        columns = ", ".join(map(repr, answers.answers))
        raise ValueError(f"{file} has answers in {columns}; expected one system, called {name!r} as the file is")
    known = answers.systems.assign(**about, paper=about["by"]).reindex(columns=COLUMNS, fill_value="")
    return replace(answers, systems=known)


def _place(file: Path, board: Path) -> tuple[str, str]:
    """Return the data set and the system that a path names."""
    inside, whole = board.resolve(), file.resolve()
    linked = [each for each in (file, file.with_suffix(".yml")) if each.is_symlink()]
    if linked or not whole.is_relative_to(inside):
        raise ValueError(f"{file} leads out of {board}; expected a file of its own, {board}/<data set>/<system>.csv")
    check_choice("the folder", whole.relative_to(inside).parent.as_posix(), DATA_SETS)
    if whole.suffix != ".csv" or not NAME.fullmatch(whole.stem):
        raise ValueError(f"{file.name!r} is no name; expected 2 to 60 of A-Z, a-z, 0-9, '.', '_', '-', and then .csv")
    return whole.relative_to(inside).parent.as_posix(), whole.stem


def _about(file: Path) -> dict[str, str]:
    """Read what is said about a system: one line of text for each field."""
    if not file.is_file():
        raise ValueError(f"{file} is missing; copy the one of another system, and change it")
    said = read_yaml(file)
    if not isinstance(said, dict):
        raise ValueError(f"{file} has no fields; expected lines such as  by: who ran the system")
    problem = next(_problems(said), None)
    if problem:
        raise ValueError(f"{file}: {problem}")
    return {name: str(value).strip() for name, value in said.items()}


def _problems(said: dict[Any, Any]) -> Iterator[str]:
    unknown = [name for name in said if name not in FIELDS]
    if unknown:
        yield f"{unknown[0]!r} is no field; the fields are {', '.join(FIELDS)}"
    if not {"preprocessing", "prompt"} & said.keys():
        yield "expected the field preprocessing, or prompt, or both"
    for name, (form, what) in FIELDS.items():
        if name in said or name not in OPTIONAL:
            value = said.get(name)
            text = str(value).strip() if isinstance(value, str | int | date) else ""
            if isinstance(value, dict | list):  # which may repeat itself a billion times
                yield f"{name} holds several things; expected {what}"
            elif not (text and text.isprintable() and re.fullmatch(form, text)):
                yield f"{name} is {value!r}; expected {what}"


def read_yaml(file: Path) -> Any:
    """Read a YAML file, without building anything but text, numbers, lists and dictionaries."""
    import yaml  # the extra `book`; who reads the board needs none

    if file.stat().st_size > LARGEST:
        raise ValueError(f"{file} has {file.stat().st_size:,} bytes; expected a few lines, {LARGEST:,} bytes at most")
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(f"{file} is nested too deeply; expected lines such as  by: who ran the system") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is not YAML: {' '.join(str(error).split())}") from error


# ---- what a file cannot honestly be: a copy, the truth, or shuffled; its YAML file may say why it is so --------------


# Of the 98 models that the board began with, two agreed on at most .948 of the pictures (a CLIP under two prompts), the
# most accurate was right on .630, and each had a mean EC of at least .223 with all others. Of 29,400 shuffles of their
# answers the highest had .068. People have .09 to .22 with them: a model that is like one would be nearer to shuffles.
MOST_ALIKE, MOST_ACCURATE, LEAST_CONSISTENT = 0.95, 0.65, 0.1
HONEST = "if that is so, say why in the field reason"


def relations(responses: Responses) -> pd.DataFrame:
    """Return each model's accuracy, the system that is nearest, the share of equal answers, and mean EC with models."""
    kinds, names, codes = responses.systems["kind"], responses.answers.columns, responses.answers.to_numpy().T
    same = np.array([(codes == one).mean(axis=1) for one in codes])
    np.fill_diagonal(same, 0)
    models = responses.select(systems=list(kinds.index[kinds == "model"]))
    pairs = pairwise(models, "EC")
    both = pd.concat([pairs.set_index(side)["EC"] for side in ("system_a", "system_b")])
    table = pd.DataFrame({"nearest": names[same.argmax(axis=1)], "same_answers": same.max(axis=1)}, index=names)
    accuracy = models.answers.eq(models.truth, axis=0).mean()
    return table.loc[accuracy.index].assign(accuracy=accuracy, EC_with_models=both.groupby(level=0).mean())


def refusals(asked: Iterable[Path], board: Path) -> dict[Path, str]:
    """Return for each file why the board refuses it: an empty text where it is accepted."""
    every = {file: _read(file, board) for file in dict.fromkeys([*asked, *files(board)])}
    # A file with a reason is accepted, and does not cast doubt on the one that it copies.
    read = {file: each for file, each in every.items() if not isinstance(each, str)}
    plain = {file: each for file, each in read.items() if not each.systems["reason"].item()}
    doubts = _doubts_by_system(plain.values())
    of = {file: "; ".join(doubts[each.name, str(each.answers.columns[0])]) for file, each in plain.items()}
    why = {file: f"{text}: {HONEST}" for file, text in of.items() if text}
    return {file: each if isinstance(each := every[file], str) else why.get(file, "") for file in asked}


def _read(file: Path, board: Path) -> Responses | str:
    try:
        return read_entry(file, board)
    except (ValueError, TypeError, OSError) as error:
        return str(error)


def _doubts_by_system(entries: Iterable[Responses]) -> dict[tuple[str, str], list[str]]:
    once = {(each.name, str(each.answers.columns[0])): each for each in entries}
    found: dict[tuple[str, str], list[str]] = {}
    for data_set in {data_set for data_set, _ in once}:
        own = {name: each for (of, name), each in once.items() if of == data_set}
        table = relations(reduce(Responses.join, own.values(), stored(data_set))).loc[list(own)]
        found |= {(data_set, str(name)): list(_doubts(row)) for name, row in table.iterrows()}
    return found


def _doubts(of: pd.Series) -> Iterator[str]:
    if of["same_answers"] > MOST_ALIKE:
        yield f"it gives the answers of {of['nearest']} to {100 * of['same_answers']:.1f} % of the pictures, a copy"
    if of["accuracy"] == 1:
        yield "its answers are the true classes"
    elif of["accuracy"] > MOST_ACCURATE:
        yield f"it is right on {100 * of['accuracy']:.1f} %; no stored one is on more than {100 * MOST_ACCURATE:.0f} %"
    if not of["EC_with_models"] >= LEAST_CONSISTENT:
        yield f"its mean EC with the other models is {of['EC_with_models']:.2f}, as if its answers were shuffled"
