"""Grade a folder of notebooks: each runs in a process of its own, and none stops the others."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from erralign.course.cells import code_cells
from erralign.course.checking import GENERAL, exercises, trap
from erralign.errors import check_positive

if TYPE_CHECKING:
    import pandas as pd

CALL = re.compile(r"""\bcheck\(\s*["']([\w-]+)["']""")


def grade(folder: str | os.PathLike[str], *, seconds: float = 300) -> pd.DataFrame:
    """Run all notebooks in a folder, and say which exercises are right and which misconceptions show.

    Each notebook runs in a process of its own, in an empty folder, as often at a time as there are processors. Sockets
    are refused there, so that it finds no network. It is not locked in further: it can read and write what you can, so
    grade what strangers handed in on a machine where that does no harm.

    Parameters
    ----------
    folder : str or path
        Holds the notebooks, also in folders of its own; hidden ones are left out.
    seconds : float
        How long each may run.

    Returns
    -------
    pandas.DataFrame
        One row per file: its name, the points, the number of exercises that it should have (of the same page as those
        that it has; of all pages in the folder if it has none), the misconceptions, the exercises that are missing or
        occur more than once, and how it ended. Of several answers to an exercise the last one counts. Files that are no
        notebooks come last, and are not run.
    """
    check_positive("seconds", seconds)
    if not Path(folder).is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}; give the one that holds the students' notebooks")
    names = {file: file.relative_to(folder).as_posix() for file in sorted(Path(folder).rglob("*")) if file.is_file()}
    names = {file: name for file, name in names.items() if "/." not in f"/{name}"}
    files = [file for file in names if file.suffix.lower() == ".ipynb"]
    if not files:
        raise ValueError(f"there is no notebook (.ipynb) in {folder}")
    called = [_called(file) for file in files]
    asked = set().union(*map(_of_its_pages, called))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        events = list(pool.map(partial(_events, seconds=seconds), files))
    import pandas as pd

    rows = [
        {"file": names[file]} | _marks(calls, _of_its_pages(calls) or asked, said)
        for file, calls, said in zip(files, called, events, strict=True)
    ]
    not_run = _marks({}, set(), [["ended", "this is no notebook (.ipynb), and was not run"]])
    rows += [{"file": name} | not_run for file, name in names.items() if file not in files]
    return pd.DataFrame(rows)


def _called(notebook: Path) -> Counter[str]:
    try:
        return Counter(name for source in code_cells(notebook) for name in CALL.findall(source))
    except (ValueError, OSError):
        return Counter()


def _of_its_pages(calls: Mapping[str, int]) -> set[str]:
    """Name the exercises of the pages that some are from: ``ec-2`` is from the page ``ec``."""
    pages = {name.rpartition("-")[0] for name in calls}
    return {name for name in exercises() if name != GENERAL and name.rpartition("-")[0] in pages}


def _marks(calls: Mapping[str, int], asked: set[str], events: list[list[Any]]) -> dict[str, Any]:
    said = [words for kind, *words in events if kind == "said"]
    verdicts = dict(words for words in said if words[1] != "unanswered")
    traps = {name: trap(name, verdict) for name, verdict in verdicts.items()}
    return {
        "points": sum(verdicts.get(name) == "right" for name in asked),
        "of": len(asked),
        "misconceptions": "; ".join(f"{name}: {found[0]}" for name, found in traps.items() if found),
        "missing": " ".join(sorted(asked - calls.keys())),
        "doubled": " ".join(sorted(name for name, times in calls.items() if times > 1)),
        "ended": "; ".join(words[0] for kind, *words in events if kind in ("failed", "ended")),
    }


def _events(notebook: Path, seconds: float) -> list[list[Any]]:
    """Run a notebook, and return what it wrote down, and how it ended."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        record, place = Path(folder, "record"), Path(folder, "place")
        place.mkdir()
        command = [sys.executable, "-m", "erralign.course.running", str(notebook.resolve()), str(record)]
        here = os.environ | {"ERRALIGN_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        here |= {"PYTHONIOENCODING": "utf-8"}  # on Windows a notebook could not print a minus sign
        none = subprocess.DEVNULL
        try:
            run = subprocess.run(command, stdin=none, stdout=none, stderr=none, cwd=place, env=here, timeout=seconds)
            ended = f"its process died (status {run.returncode})"
        except subprocess.TimeoutExpired:
            ended = f"stopped after {seconds:g} s"
        lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    events: list[list[Any]] = [json.loads(line) for line in lines]
    if not events or events[-1][0] == "ended":
        return events or [["ended", ended]]
    return [*events, ["ended", f"{ended}, in code cell {max(n for kind, n, *_ in events if kind == 'cell')}"]]
