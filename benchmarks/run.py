"""Measure our speed beside what a user would write: side by side, one thread, medians of repeated runs.

python benchmarks/run.py          all tables (some 20 minutes) -> data/frozen/benchmarks
python benchmarks/run.py scale    this table alone, printed and not stored

The tables of data/frozen/benchmarks come from one run, and so from one machine: they are written when the last of them
is there. ``machine.csv`` says which run that was.
"""

import os
import sys

if __name__ == "__main__":
    # One thread for all; it counts only before NumPy is loaded.
    libraries = "OMP", "OPENBLAS", "MKL", "NUMBA"
    os.environ |= {f"{library}_NUM_THREADS": "1" for library in libraries}

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import intervals
import pandas as pd
import representations
import scale
import side_by_side
from tqdm import tqdm

from erralign_book.cells import keep, table

TABLES = {
    "pairs": side_by_side.pairs,
    "parts": side_by_side.parts,
    "import": side_by_side.imports,
    "intervals": intervals.measure,
    "scale": scale.measure,
    "representations": representations.measure,
}


def machine() -> pd.DataFrame:
    """Name the run, and what its figures depend on."""
    packages = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "rsatoolbox")
    facts = {"run": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"), "python": platform.python_version()}
    facts |= {name: version(name) for name in packages}
    facts |= {"processor": processor(), "cores": os.cpu_count(), "data": side_by_side.data_are()}
    facts |= {"load at the start": round(os.getloadavg()[0], 2)}  # a figure taken on a busy machine should say so
    return pd.DataFrame(facts.items(), columns=["name", "value"])


def processor() -> str:
    """Return the processor's name, as Linux gives it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def measure_all() -> None:
    """Measure all tables, and put them in their place when the last is there."""
    tables = {"machine": machine()}
    progress = tqdm(TABLES.items(), desc="tables", file=sys.stderr)
    for name, measure in progress:
        progress.set_postfix_str(name)
        tables[name] = measure()
    for name, timings in tables.items():
        keep(f"benchmarks/{name}", timings)
    print(f"data/frozen/benchmarks: {', '.join(tables)}")


def main(names: list[str]) -> None:
    """Measure the named tables and print them, or all and store them."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        sys.exit(f"there is no table {unknown[0]!r}; expected names out of {', '.join(TABLES)}")
    for name in names:
        print(TABLES[name]().to_string(float_format="%.4g"))
    if not names:
        measure_all()
        print(side_by_side.summary(table("benchmarks/pairs")))


if __name__ == "__main__":
    main(sys.argv[1:])
