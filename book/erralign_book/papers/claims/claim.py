"""A sentence of ours that a reader would repeat, as one object: its arms, its numbers, and its choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from erralign_book.papers.leads import limits, verdicts

MORE, LESS, NOT_CLEAR = "more", "less", "not clear"


@dataclass(frozen=True)
class Claim:
    """What we say, what it is computed from, and what it depends on; ``rows`` has one row per choice, ours first.

    The rows have ``value``, the first arm less the second, and either ``low`` and ``high`` (95 %) or ``se`` and ``df``;
    if there are any, the values of the arms as ``first`` and ``second``; other columns name the choices.
    """

    name: str
    sentence: str
    page: str  # where a reader meets it first
    arms: tuple[str, str]
    unit: str
    tables: tuple[Callable[[], pd.DataFrame], ...]
    rows: Callable[..., pd.DataFrame]
    drawn_again: str  # by the interval
    says: str
    chance: str
    reach: str

    def found(self, level: float = 0.95) -> pd.DataFrame:
        """Return the value under each choice, with its limits and what it says."""
        rows = limits(self.rows(*(table() for table in self.tables)), level)
        return rows.assign(verdict=verdicts(rows))

    def said(self, level: float = 0.95) -> pd.Series:
        """Return the row that the sentence speaks of; a level at which it says something else is an error."""
        row = self.found(level).iloc[0]
        if row["verdict"] != self.says:
            raise ValueError(f"{self.name} says {self.says}; at the level {level:g} it is {row['verdict']}")
        return row
