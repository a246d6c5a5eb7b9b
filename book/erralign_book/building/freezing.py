"""Freeze result tables: what each was made from, which are stale, and the work itself, setting by setting."""

import hashlib
import importlib
import json
import os
import pkgutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fnmatch import filter as matching
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from tqdm import tqdm

from erralign._validation import DataError
from erralign.datasets.archives import data_folder, is_there, manifest
from erralign.files import write_whole
from erralign.parallel import as_finished, threads
from erralign_book.building import chapters, dependencies
from erralign_book.cells import FREEZE, hash_of_text
from erralign_book.papers.frozen import FROZEN, FrozenTable

STUDIES = (
    "erralign_book.papers",
    "erralign_book.simulations",
    *(f"benchmarks.{study}" for study in ("coverage", "klabunde2024", "labs", "training")),
)
LIBRARIES = ("numpy", "scipy", "pandas")
MADE_FROM = ("code", "inputs", "content")
# What is expected of a table that was never frozen.
SECONDS = 10.0


def all_tables() -> dict[str, FrozenTable]:
    """Return every result table of every paper and study by its name."""
    for package in STUDIES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    ours = {name: table for name, table in FROZEN.items() if table.function.__module__.startswith(STUDIES)}
    return dict(sorted(ours.items()))


def pages(patterns: Iterable[str]) -> list[str]:
    """Return the chapters that patterns name, or whose cells compute the tables that they name, in order."""
    home, patterns = dependencies.homes(), list(patterns)
    found = set() if patterns else set(home.values())
    for pattern in patterns:
        found |= {home[name] for name in matching(home, pattern)} | {*matching(set(home.values()), pattern)}
    return dependencies.in_order(sorted(found))


def freeze_page(name: str) -> None:
    """Execute a chapter, which freezes the results of its cells."""
    chapter = chapters.prepared(chapters.source(name))
    chapters.run(chapter, name, os.environ | {FREEZE: "1"})


def chosen(patterns: Iterable[str]) -> dict[str, FrozenTable]:
    """Return the result tables of the packages that some patterns name."""
    tables = all_tables()
    patterns = list(patterns)
    found = {pattern: matching(tables, pattern) for pattern in patterns}
    for pattern, names in found.items():
        if not names and pages([pattern]):
            continue
        if not names:
            nearest = ", ".join(get_close_matches(pattern, tables, cutoff=0))
            raise ValueError(f"no result table is called {pattern!r}; the nearest names are {nearest}")
    wanted = {name for names in found.values() for name in names} if patterns else set(tables)
    return {name: table for name, table in tables.items() if name in wanted}


# ---- the index ---------------------------------------------------------------------------------------------------


def origin(table: FrozenTable) -> dict[str, str]:
    """Return what a table is made from and what is in its file, as the index records both."""
    inputs = {key: _short_hash(json.dumps(manifest()[key], sort_keys=True).encode()) for key in table.inputs}
    inputs |= {file: _short_hash(_content(data_folder() / "frozen" / file)) for file in table.tables}
    return {
        "file": _file(table),
        "function": full_name(table),
        "inputs": " ".join(f"{name}={digest}" for name, digest in inputs.items()),
        "code": hash_of_text(table.function),
        "content": _short_hash(_content(table.path)),
    }


def full_name(table: FrozenTable) -> str:
    """Name the function that computes a table."""
    return f"{table.function.__module__}.{table.function.__name__}"


def _file(table: FrozenTable) -> str:
    return f"{table.name}{table.form.ending}"


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""


def _short_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def index() -> pd.DataFrame:
    """Read what ``data/frozen/index.csv`` records of each frozen file."""
    return pd.read_csv(_index_file(), index_col="file", dtype=str, keep_default_na=False)


def _index_file() -> Path:
    return data_folder() / "frozen" / "index.csv"


def stale() -> dict[str, str]:
    """Find the tables whose code, inputs or frozen copies are no longer those that the index recorded."""
    recorded = index()
    found = {}
    for name, table in all_tables().items():
        now = origin(table)
        then = recorded.reindex([now["file"]]).iloc[0]
        changed = [what for what in MADE_FROM if then.get(what) != now[what]]
        if changed:
            said = f"{' and '.join(changed)} changed since it was frozen: run `erralign freeze --changed {name}`"
            found[name] = f"{name}: {said}"
    return found


def is_as_frozen(table: FrozenTable) -> bool:
    """Say whether the frozen copy is what this code made of these inputs with these versions of libraries."""
    now = origin(table) | _versions()
    then = index().reindex([now["file"]]).iloc[0]
    return all(then.get(what) == now[what] for what in (*MADE_FROM, *LIBRARIES))


def _versions() -> dict[str, str]:
    return {library: version(library) for library in LIBRARIES}


def _record(table: FrozenTable, seconds: float, checked: str) -> None:
    """Enter one table into the index; names of functions that moved and tables that are gone are put right."""
    tables = {_file(each): each for each in all_tables().values()}
    entry = origin(table) | _versions()
    entry |= {"seconds": f"{seconds:.1f}", "checked": checked}
    rows = index().reindex(columns=list(entry)[1:], fill_value="")
    rows.loc[entry["file"]] = list(entry.values())[1:]
    rows = rows.loc[sorted(file for file in rows.index if file in tables)]
    rows["function"] = [full_name(tables[file]) for file in rows.index]
    write_whole(_index_file(), rows.to_csv())


# ---- the work ----------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """What is computed in one go: a table, or its rows of one setting."""

    table: FrozenTable
    number: int
    expected: float


def freeze(patterns: Iterable[str] = (), *, changed: bool = False, n_jobs: int = 2, scheduler: str = "") -> None:
    """Compute result tables anew, or only the changed ones, and write each, once it is whole, to ``data/frozen``."""
    tables = _computable(chosen(patterns))
    if changed:
        tables = _changed(tables, n_jobs, scheduler)
    parts = [part for table in tables.values() for part in _parts(table)]
    with _announced(parts, n_jobs, scheduler, f"tables: {len(tables)}; parts") as bar:
        # Quick tables build on the frozen copies of slow ones, and some slow ones on those of others: all these are
        # computed here, where the copies are new.
        for turn in sorted({_turn(part.table) for part in parts}):
            now = [part for part in parts if _turn(part.table) == turn]
            for table, found in _computed(now, bar, n_jobs, scheduler if turn == FIRST else ""):
                table.store(table.form.joined([part for part, _ in found]))
                _record(table, sum(seconds for _, seconds in found), "whole")


def _changed(tables: dict[str, FrozenTable], n_jobs: int, scheduler: str) -> dict[str, FrozenTable]:
    """Return the tables whose code or inputs changed; of slow ones with new code, those whose spot rows did, too."""
    stale_ones, standing = stale(), set()
    slow = [table for name, table in tables.items() if table.slow and "inputs" not in stale_ones.get(name, "inputs")]
    spots = [_parts(table)[place] for table in slow for place in table.spots()]
    with _announced(spots, n_jobs, scheduler, f"slow tables: {len(slow)}; spot rows") as bar:
        for table, found in _computed(spots, bar, n_jobs, scheduler):
            if not any(table.spot_difference(part) for part, _ in found):
                _record(table, float(index()["seconds"][_file(table)]), "spot")
                standing.add(table.name)
    return {name: table for name, table in tables.items() if name in stale_ones and name not in standing}


FIRST = (False, 0)


def _turn(table: FrozenTable) -> tuple[bool, int]:
    """Say when a table is computed: slow ones first, and each after those whose frozen copies it reads."""
    read = [each for each in FROZEN.values() if _file(each) in table.tables]
    return not table.slow, max((_turn(each)[1] + 1 for each in read), default=0)


def _announced(parts: list[_Part], n_jobs: int, scheduler: str, what: str) -> tqdm:
    seconds, n = sum(part.expected for part in parts), threads(scheduler) if scheduler else n_jobs
    print(f"{what} to compute: {len(parts)}, in about {seconds / n / 60:.1f} minutes")
    return tqdm(total=seconds, bar_format="{percentage:3.0f}%|{bar:20}| {remaining} left", smoothing=0)


def _computable(tables: dict[str, FrozenTable]) -> dict[str, FrozenTable]:
    missing = sorted({key for table in tables.values() for key in table.inputs if not is_there(key)})
    if missing:
        raise DataError(f"{missing[0]} is not on this machine: run `python -m erralign fetch`, or set ERRALIGN_DATA")
    found = {name: table for name, table in tables.items() if table.can_be_computed()}
    if left := sorted(set(tables) - set(found)):
        print(f"left as they are, since a package or a member of an archive is missing: {', '.join(left)}")
    return found


def _parts(table: FrozenTable) -> list[_Part]:
    calls = len(table.calls())
    seconds = float(index()["seconds"].get(_file(table), SECONDS))
    return [_Part(table, number, seconds / calls) for number in range(calls)]


def _computed(parts: list[_Part], bar: tqdm, n_jobs: int, scheduler: str) -> Iterator[tuple[FrozenTable, list]]:
    """Compute parts, longest first, and yield each table with its parts and their seconds as soon as all are there."""
    todo = sorted(parts, key=lambda part: -part.expected)
    waiting = Counter(part.table.name for part in todo)
    found: dict[str, dict[int, tuple[Any, float]]] = defaultdict(dict)
    # Only names go to the other process: the function under a decorator cannot.
    calls = ((part.table.name, part.number, part.table.function.__module__) for part in todo)
    for place, result in as_finished(_compute, calls, n_jobs=n_jobs, scheduler=scheduler):
        table, number, expected = todo[place]
        found[table.name][number] = result
        bar.update(expected)
        if len(found[table.name]) == waiting[table.name]:
            yield table, [part for _, part in sorted(found.pop(table.name).items())]


def _compute(call: tuple[str, int, str], _: None) -> tuple[Any, float]:
    name, number, module = call
    importlib.import_module(module)
    start = time.perf_counter()
    part = FROZEN[name].calls()[number]()
    return part, time.perf_counter() - start
