"""Compute again what stands in ``data/frozen``, paper by paper, and say what came out the same."""

import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

from tqdm import tqdm

from erralign_book.building.freezing import all_tables, chosen, index
from erralign_book.papers.frozen import FrozenTable
from erralign_book.papers.published import TABLES, verdicts

# A slow table of which only the rows of its spot settings were computed; one that lacks data or packages here.
SPOT, NOT_HERE, EQUAL, DIFFERENT = "equal in part", "not rechecked", "equal", "different"


def parts() -> list[str]:
    """Return the papers and studies that have result tables."""
    return sorted({name.partition("/")[0] for name in all_tables()})


def reproduce(papers: Iterable[str], *, whole: bool) -> Iterator[dict[str, str | int | float]]:
    """Yield how the tables (slow ones at spot settings, or ``whole``) and printed numbers of each paper came out."""
    for paper in papers:
        with ProcessPoolExecutor(1) as alone:  # so that its memory is its own
            yield alone.submit(_reproduced, paper, whole=whole).result()


def _reproduced(paper: str, *, whole: bool) -> dict[str, str | int | float]:
    start = time.perf_counter()
    tables = chosen([f"{paper}/*"]).values()
    found = Counter(_compared(table, whole=whole) for table in tqdm(tables, desc=paper, leave=False))
    row: dict[str, str | int | float] = {"paper": paper, "tables": len(tables)}
    row |= {state: found[state] for state in (EQUAL, SPOT, DIFFERENT, NOT_HERE)}
    numbers = Counter(verdicts(paper)["verdict"]) if paper in TABLES else Counter()
    row |= {"numbers reproduced": numbers["reproduced"], "numbers that differ": numbers["differs"]}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    recorded = index()["seconds"].astype(float).filter(regex=f"^{paper}/").sum() / 60
    took = {"seconds": round(time.perf_counter() - start), "minutes whole": round(recorded, 1)}
    return row | took | {"megabytes": round(peak)}


def _compared(table: FrozenTable, *, whole: bool) -> str:
    if not table.can_be_computed():
        return NOT_HERE
    parts = [table.part(setting) for setting in table.spot] if table.slow and not whole else []
    differences = [table.spot_difference(part) for part in parts] or [table.difference(table.fresh(), table.stored())]
    for difference in filter(None, differences):
        tqdm.write(difference, file=sys.stderr)
    return DIFFERENT if any(differences) else SPOT if parts else EQUAL
