"""Compute again what stands in ``data/frozen``, part by part, and say what came out the same."""

import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest.mock import patch

from tqdm import tqdm

from erralign_book import cells
from erralign_book.building import chapters, dependencies
from erralign_book.building.freezing import of_scripts
from erralign_book.published import published, reproduced

# A slow table of which only the rows of its spot settings were computed; one that lacks data or packages here.
SPOT, NOT_HERE, EQUAL, DIFFERENT = "equal in part", cells.NOT_HERE, cells.EQUAL, cells.DIFFERENT


def parts() -> list[str]:
    """Return the papers, studies and chapters that have result tables."""
    return sorted({name.partition("/")[0] for name in (*of_scripts(), *dependencies.homes())})


def reproduce(names: Iterable[str], *, whole: bool) -> Iterator[dict[str, str | int | float]]:
    """Yield how the tables of each part came out (slow ones at spot settings, or ``whole``), and printed numbers."""
    for name in names:
        with ProcessPoolExecutor(1) as alone:  # so that its memory is its own
            yield alone.submit(_reproduced, name, whole=whole).result()


def _reproduced(part: str, *, whole: bool) -> dict[str, str | int | float]:
    start = time.perf_counter()
    results = [result for name, result in of_scripts().items() if name.startswith(f"{part}/")]
    outcomes = Counter(_compared(result, whole=whole) for result in tqdm(results, desc=part, leave=False))
    minutes = sum(cells.record(result.name)["seconds"] for result in results) / 60
    for name, how in _by_chapters(part, whole=whole).items():
        outcomes[how] += 1
        minutes += cells.record(name)["seconds"] / 60
    row: dict[str, str | int | float] = {"paper": part, "tables": outcomes.total()}
    row |= {state: outcomes[state] for state in (EQUAL, SPOT, cells.LEFT, DIFFERENT, NOT_HERE)}
    of_paper = part in set(published()["paper"])
    numbers = Counter(reproduced(part)["verdict"]) if of_paper else Counter()
    row |= {"numbers reproduced": numbers["reproduced"], "numbers that differ": numbers["differs"]}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    took = {"seconds": round(time.perf_counter() - start), "minutes whole": round(minutes, 1)}
    return row | took | {"megabytes": round(peak)}


def _by_chapters(part: str, *, whole: bool) -> dict[str, str]:
    """Execute the chapters whose cells compute tables of a part, and return how each table came out."""
    pages = {page for name, page in dependencies.homes().items() if name.startswith(f"{part}/")}
    outcomes: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes.jsonl")
        for page in dependencies.in_order(sorted(pages)):
            values = {cells.AGAIN: str(notes)}
            if whole:
                values[cells.WHOLE] = "1"
            with patch.dict(os.environ, values):
                chapters.execute(chapters.source(page), Path(folder, f"{page}.ipynb"))
        notes.touch()  # where no page noted anything
        for line in notes.read_text(encoding="utf-8").splitlines():
            name, how, difference = json.loads(line)
            if name.startswith(f"{part}/"):
                outcomes[name] = how
                if difference:
                    tqdm.write(difference, file=sys.stderr)
    return outcomes


def _compared(result: cells.Result, *, whole: bool) -> str:
    if not result.can_be_computed():
        return NOT_HERE
    in_part = result.slow and not whole
    if in_part:
        differences = [result.difference_of_part(setting, result.part(setting)) for setting in result.spot]
    else:
        differences = [result.difference(cells.as_read(result.compute()))]
    for difference in filter(None, differences):
        tqdm.write(f"{result.name} differs: {difference}", file=sys.stderr)
    if any(differences):
        return DIFFERENT
    return SPOT if in_part else EQUAL
