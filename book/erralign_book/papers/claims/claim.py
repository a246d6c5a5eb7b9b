"""A sentence of ours that a reader would repeat, as one object: its arms, its numbers, and its choices."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from erralign_book.papers.leads import limits, verdicts


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


@cache
def texts(file: str) -> dict[str, dict[str, Any]]:
    """Return the words of a file's claims, by name; its first lines hold for all claims that say nothing else."""
    every = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    common = {name: value for name, value in every.items() if not isinstance(value, dict)}
    return {name: common | own for name, own in every.items() if isinstance(own, dict)}


def claim(file: str, name: str, rows: Callable[..., pd.DataFrame], *tables: Callable[[], pd.DataFrame]) -> Claim:
    """Join the words of a claim with what its numbers are computed from."""
    words = texts(file)[name]
    return Claim(name, rows=rows, tables=tables, **words | {"arms": tuple(words["arms"])})


def ours_first(rows: pd.DataFrame, **ours: object) -> pd.DataFrame:
    """Put the rows of our choices before the others, and leave the order as it is."""
    others = (rows[list(ours)] != pd.Series(ours)).any(axis=1)
    return rows.iloc[others.argsort(kind="stable")]
