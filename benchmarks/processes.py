"""Work in processes of their own, one after the other, so that each has its own peak of memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from tqdm import tqdm


def peak_mb() -> float:
    """Return this program's largest memory so far, in MB.

    Read from Linux itself, since ``resource.getrusage`` also counts the memory of the process that started this one.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    kibibytes = next(line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(kibibytes) * 1024 / 1e6


def rows_of(file: str, jobs: Sequence[tuple], unit: str) -> pd.DataFrame:
    """Run a script once for each job; it prints a row of the table as JSON."""
    rows = []
    for job in tqdm(jobs, desc=unit, file=sys.stderr, leave=False):
        done = subprocess.run([sys.executable, file, *map(str, job)], check=True, stdout=subprocess.PIPE, text=True)
        rows.append(json.loads(done.stdout))
    return pd.DataFrame(rows)
