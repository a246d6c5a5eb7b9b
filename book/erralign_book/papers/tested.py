"""Claims of a paper, put to a test one by one."""

from collections import Counter
from dataclasses import dataclass, field

import pandas as pd

# How a lead counts each verdict: one, and several.
SAID = {
    "holds": ("holds", "hold"),
    "in part": ("holds in part", "hold in part"),
    "does not hold": ("does not", "do not"),
    "not settled": ("cannot be settled",) * 2,
}


def _kind(verdict: str) -> str:
    return verdict.partition(":")[0]


@dataclass
class Claims:
    """A list of claims that grows along a chapter."""

    rows: list[dict[str, str]] = field(default_factory=list)

    def add(self, claim: str, finding: str, verdict: str) -> None:
        """Add a claim."""
        self.rows.append({"claim": claim, "what we find": finding, "verdict": verdict})

    def table(self) -> pd.DataFrame:
        """Return all claims so far: first those that hold, and last those that cannot be settled."""
        rows = sorted(self.rows, key=lambda row: [*SAID].index(_kind(row["verdict"])))
        return pd.DataFrame(rows).set_index("claim")

    def counted(self) -> str:
        """Say how many claims there are, and how many have which verdict."""
        kinds = Counter(_kind(row["verdict"]) for row in self.rows)
        words = [f"{kinds[kind]} {SAID[kind][kinds[kind] > 1]}" for kind in SAID if kinds[kind]]
        return f"{kinds.total()} claims {', '.join(words[:-1])} and {words[-1]}"
