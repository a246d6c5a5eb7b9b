"""The board's files: the answers of one system in a CSV file, and what is said about it in a YAML file beside it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache, reduce
from pathlib import Path
from typing import Any

from erralign.errors import check_choice
from erralign.responses import Responses
from erralign.sources import catalog, load
from erralign.sources.archives import data_folder
from erralign.sources.own import read_answers
from erralign_book.sources.years import years

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
OPTIONAL = ("preprocessing", "prompt", "reason")  # but one of the first two
COLUMNS = ["kind", "family", "year", "prompt", "paper", "licence", "reason"]


def folder() -> Path:
    """Return where the board's files are."""
    return data_folder().parent / "board"


@cache
def stored(data_set: str) -> Responses:
    """Return the people and the models whose answers are in public archives, and what is known of them."""
    papers = catalog().set_index("name")[["paper", "licence"]]
    parts = [load(name) for name in DATA_SETS[data_set]]
    parts = [replace(part, systems=part.systems.assign(**papers.loc[part.name])) for part in parts]
    together = reduce(Responses.join, parts)
    known = together.systems.assign(year=years().astype(str)).reindex(columns=COLUMNS, fill_value="").fillna("")
    return replace(together, systems=known.replace({"family": {"CNN": FAMILIES[0], "Human": "people"}}))


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
    answers = read_answers(file, truth=others.truth, classes=others.classes, kind="model", name=data_set)
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
            if not (text and text.isprintable() and re.fullmatch(form, text)):
                yield f"{name} is {value!r}; expected {what}"


def read_yaml(file: Path) -> Any:
    """Read a YAML file, without building anything but text, numbers, lists and dictionaries."""
    import yaml  # the extra `book`; who reads the board needs none

    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is not YAML: {' '.join(str(error).split())}") from error
