"""How far does one value walk? Files, functions and changes of room that a call of the library enters.

A room is a first-level folder or file of ``erralign``. ``python benchmarks/walk.py`` prints one line per call.
"""

import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

import erralign
from erralign.cli import main

HOUSE = Path(erralign.__file__).parent


def walk(call: Callable[[], object]) -> tuple[int, int, int]:
    """Count the files, the functions and the changes of room of a call; the second call, so that no import counts."""
    call()
    entered: list[tuple[str, int]] = []

    def note(frame, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(HOUSE)) and code.co_name != "<module>":
            entered.append((code.co_filename, code.co_firstlineno))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    rooms = [Path(file).relative_to(HOUSE).parts[0] for file, _ in entered]
    changes = sum(room != before for before, room in pairwise(rooms))
    return len({file for file, _ in entered}), len(set(entered)), changes


def walks() -> dict[str, tuple[int, int, int]]:
    """Count for three calls on a table of 60 rows and four systems."""
    rng = np.random.default_rng(0)
    truth, answers = rng.integers(3, size=60), rng.integers(3, size=(4, 60))
    named = dict(zip("abcd", np.where(answers == 0, truth, answers), strict=True))
    responses = erralign.Responses.from_table(truth, named)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "mine.csv"
        pd.DataFrame({"truth": truth} | named).to_csv(table, index=False)
        compare = ["compare", str(table), "--report", str(Path(folder) / "report.html")]
        calls = {
            "confidence_interval": lambda: erralign.confidence_interval(truth, named["a"], named["b"]),
            "pairwise_intervals": lambda: erralign.pairwise_intervals(responses, "EC"),
            "compare": lambda: main(compare, standalone_mode=False),
        }
        return {name: walk(call) for name, call in calls.items()}


if __name__ == "__main__":
    for name, counts in walks().items():
        print("{}: {} files, {} functions, {} changes of room".format(name, *counts))
