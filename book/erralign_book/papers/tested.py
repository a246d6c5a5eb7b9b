"""Claims of a paper, put to a test one by one."""

from dataclasses import dataclass, field

import pandas as pd


@dataclass
class Claims:
    """A list of claims that grows along a chapter."""

    rows: list[dict[str, str]] = field(default_factory=list)

    def add(self, claim: str, finding: str, verdict: str) -> None:
        """Add a claim."""
        self.rows.append({"claim": claim, "what we find": finding, "verdict": verdict})

    def table(self) -> pd.DataFrame:
        """Return all claims so far."""
        return pd.DataFrame(self.rows).set_index("claim")
