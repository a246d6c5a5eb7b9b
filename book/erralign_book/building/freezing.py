"""Freeze results: of chapters, by executing them; of scripts, setting by setting, side by side."""

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
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tqdm import tqdm

from erralign._validation import DataError
from erralign.datasets.archives import is_there, manifest
from erralign.parallel import as_finished, threads
from erralign_book.building import chapters, dependencies
from erralign_book.cells import CALLS, FREEZE, RESULTS, Result, archives_of, content_hash, is_frozen, joined, record
from erralign_book.files import data_folder

STUDIES = tuple(
    f"benchmarks.{study}" for study in ("coverage", "efficientnets", "klabunde2024", "labs", "planning", "training")
)
MADE_FROM = ("text", "values", "inputs", "content")
# What is expected of a result that was never frozen.
SECONDS = 10.0


def of_scripts() -> dict[str, Result]:
    """Return the results of scripts by their names, each behind those that it reads."""
    for package in STUDIES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    ours = {name: result for name, result in sorted(RESULTS.items()) if result.function.__module__.startswith(STUDIES)}
    order = TopologicalSorter({name: ours.keys() & {*result.inputs} for name, result in ours.items()})
    return {name: ours[name] for name in order.static_order()}


def pages(patterns: Iterable[str]) -> list[str]:
    """Return the chapters that patterns name, or whose cells compute the tables that they name, in order."""
    home, patterns = dependencies.homes(), list(patterns)
    chosen_pages = set() if patterns else set(home.values())
    for pattern in patterns:
        chosen_pages |= {home[name] for name in matching(home, pattern)} | {*matching(set(home.values()), pattern)}
    return dependencies.in_order(sorted(chosen_pages))


def freeze_page(name: str) -> None:
    """Execute a chapter, which freezes the results of its cells, and remove copies of calls that it no longer makes."""
    chapter = chapters.prepared(chapters.source(name))
    with TemporaryDirectory() as folder:
        notes = Path(folder, "calls.txt")
        notes.touch()  # where no cell makes one
        chapters.run(chapter, name, os.environ | {FREEZE: "1", CALLS: str(notes)})
        calls = notes.read_text(encoding="utf-8").split()
    for copy in left_over(name, calls):
        print(f"removed, since no cell of {name} computes it: {copy}")
        for suffix in (".csv", ".npz", ".json"):
            (data_folder() / "frozen" / f"{copy.removesuffix('.npz')}{suffix}").unlink(missing_ok=True)


def left_over(page: str, calls: Iterable[str]) -> list[str]:
    """Return the copies of a chapter's results, with other arguments than those of the calls that it makes."""
    own = {name for name, home in dependencies.homes().items() if home == page}
    made = set(calls)
    return [copy for copy in copies() if copy.rpartition("/")[0] in own and copy not in made]


def copies() -> list[str]:
    """Return the names of all that was frozen, as ``table`` takes them."""
    folder = data_folder() / "frozen"
    return [dependencies.name_of(path) for path in sorted(folder.rglob("*.json"))]


def homeless() -> list[str]:
    """Return the copies that neither a script nor a cell computes; timings, whose record has no text, are nobody's."""
    prefixes = tuple(name if name.endswith(("/", "_")) else f"{name}/" for name in dependencies.homes())
    known = {*of_scripts(), *dependencies.homes()}
    computed = [copy for copy in copies() if "text" in record(copy)]
    return [copy for copy in computed if copy not in known and not copy.startswith(prefixes)]


def chosen(patterns: Iterable[str]) -> dict[str, Result]:
    """Return the results of scripts that some patterns name."""
    results, wanted = of_scripts(), set()
    for pattern in patterns:
        names = matching(results, pattern)
        if not names and not pages([pattern]):
            nearest = ", ".join(get_close_matches(pattern, results, cutoff=0))
            raise ValueError(f"no result table is called {pattern!r}; the nearest names are {nearest}")
        wanted |= {*names}
    return {name: result for name, result in results.items() if name in wanted or not patterns}


# ---- what scripts' results were made from ------------------------------------------------------------------------


def origin(result: Result) -> dict[str, str]:
    """Return what a result is made from and what is in its file, as its record has both."""
    inputs = {}
    for key in archives_of(result.inputs):
        listed = json.dumps(manifest()[key], sort_keys=True).encode()
        inputs[key] = hashlib.sha256(listed).hexdigest()[:12]
    inputs |= {name: content_hash(name) for name in filter(is_frozen, result.inputs)}
    made_from = " ".join(f"{name}={content}" for name, content in inputs.items())
    return {**result.hashes(), "inputs": made_from, "content": content_hash(result.file)}


def stale() -> dict[str, str]:
    """Find the results of scripts whose code, inputs or copies are no longer those that were recorded."""
    messages = {}
    for name, result in of_scripts().items():
        now, then = origin(result), record(name)
        changed = " and ".join(what for what in MADE_FROM if then.get(what) != now[what])
        if changed:
            messages[name] = f"{name}: {changed} changed since it was frozen: run `erralign freeze --changed {name}`"
    return messages


# ---- the work ----------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """What is computed in one go: the part of one setting, or a whole result."""

    result: Result
    place: int
    expected: float  # seconds


Parts = Iterator[tuple[Result, list[Any], float]]


def freeze(patterns: Iterable[str] = (), *, changed: bool = False, n_jobs: int = 2, scheduler: str = "") -> None:
    """Compute results of scripts anew, or only the changed ones, and write each, once it is whole, to its place."""
    results = _computable(chosen(list(patterns)))
    if changed:
        results = _changed(results, n_jobs, scheduler)
    parts = {name: _parts(result) for name, result in results.items()}
    order = TopologicalSorter({name: parts.keys() & {*result.inputs} for name, result in results.items()})
    order.prepare()
    with _announced(list(chain(*parts.values())), n_jobs, scheduler, f"results: {len(parts)}; parts") as bar:
        while order.is_active():
            ready = order.get_ready()
            now = list(chain(*(parts[name] for name in ready)))
            for result, computed, seconds in _computed(now, bar, n_jobs, scheduler):
                result.store(computed[0] if not result.settings else joined(computed))
                _note(result, seconds, [_rows(part) for part in computed])
            order.done(*ready)
            scheduler = ""  # what comes next builds on copies that are new here only


def _note(result: Result, seconds: float, rows: list[int]) -> None:
    result.note(**origin(result), rows=rows, seconds=round(seconds, 1))


def _rows(part: Any) -> int:
    if isinstance(part, dict):
        return len(next(iter(part.values())))
    return len(part)


def _changed(results: dict[str, Result], n_jobs: int, scheduler: str) -> dict[str, Result]:
    """Return the results whose code or inputs changed; of slow ones with new code, those whose spot rows did, too."""
    messages = stale()
    results = {name: result for name, result in results.items() if name in messages}
    spots = []
    for name, result in results.items():
        now, then = origin(result), record(name)
        if all(now[what] == then.get(what) for what in ("inputs", "content")):
            parts = _parts(result)
            spots += [parts[list(result.settings).index(setting)] for setting in result.spot]
    with _announced(spots, n_jobs, scheduler, "slow results with other code; spot rows") as bar:
        for result, computed, _ in _computed(spots, bar, n_jobs, scheduler):
            differences = [*map(result.difference_of_part, result.spot, computed)]
            if not any(differences):
                then = record(result.name)
                _note(result, then["seconds"], then["rows"])
                del results[result.name]
    return results


def _announced(parts: list[_Part], n_jobs: int, scheduler: str, what: str) -> tqdm:
    if scheduler:
        n_jobs = threads(scheduler)
    seconds = sum(part.expected for part in parts)
    print(f"{what} to compute: {len(parts)}, in about {seconds / n_jobs / 60:.1f} minutes")
    return tqdm(total=seconds, bar_format="{percentage:3.0f}%|{bar:20}| {remaining} left", smoothing=0)


def _computable(results: dict[str, Result]) -> dict[str, Result]:
    archives = {key for result in results.values() for key in archives_of(result.inputs)}
    missing = sorted(key for key in archives if not is_there(key))
    if missing:
        raise DataError(f"{missing[0]} is not on this machine: run `python -m erralign fetch`, or set ERRALIGN_DATA")
    computable = {name: result for name, result in results.items() if result.can_be_computed()}
    if left := sorted(set(results) - set(computable)):
        print(f"left as they are, since a package or a member of an archive is missing: {', '.join(left)}")
    return computable


def _parts(result: Result) -> list[_Part]:
    n_parts = len(result.settings) or 1
    seconds = record(result.name).get("seconds", SECONDS)
    return [_Part(result, place, seconds / n_parts) for place in range(n_parts)]


def _computed(todo: list[_Part], bar: tqdm, n_jobs: int, scheduler: str) -> Parts:
    """Compute parts, longest first, and yield each result with its parts and seconds as soon as all are there."""
    todo = sorted(todo, key=lambda part: -part.expected)
    waiting = Counter(part.result.name for part in todo)
    computed: dict[str, dict[int, Any]] = defaultdict(dict)
    seconds: Counter[str] = Counter()
    # Only names go to the other process: the function under a decorator cannot.
    calls = ((part.result.name, part.place, part.result.function.__module__) for part in todo)
    for at, (part, took) in as_finished(_compute, calls, n_jobs=n_jobs, scheduler=scheduler):
        result, place, expected = todo[at]
        name = result.name
        computed[name][place] = part
        seconds[name] += took
        bar.update(expected)
        if len(computed[name]) == waiting[name]:
            in_order = sorted(computed.pop(name).items())
            yield result, [part for _, part in in_order], seconds[name]


def _compute(call: tuple[str, int, str], _: None) -> tuple[Any, float]:
    name, place, module = call
    importlib.import_module(module)
    start, result = time.perf_counter(), RESULTS[name]
    part = result.part(result.settings[place]) if result.settings else result.compute()
    return part, time.perf_counter() - start
