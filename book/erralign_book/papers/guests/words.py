"""What is said about a guest: direction, size and interval of a difference, or that its answers cannot tell."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from erralign.plot.theme import number, with_interval

CANNOT_TELL = "these answers cannot tell"
FEW = 3  # data sets of which each has a sentence; of more, they are counted


class Lead(NamedTuple):
    """Two values, and the first minus the second with its interval; limits are nan where there are too few errors."""

    mine: float
    theirs: float
    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Return "higher", "lower" or "cannot tell"."""
        if np.isnan([self.low, self.high]).any() or self.low <= 0 <= self.high:
            return "cannot tell"
        return "higher" if self.low > 0 else "lower"


def compared(name: str, where: str, of: str, lead: Lead, whom: str) -> str:
    """Say whether a guest has more or less of something than others, by how much, or that it cannot be told."""
    mine, theirs = number(lead.mine, 2), number(lead.theirs, 2)
    beside = f"{mine} beside {theirs}, a difference of {with_interval(lead.value, lead.low, lead.high)}"
    if np.isnan(lead.mine) or np.isnan(lead.theirs):
        return f"On {where}, {CANNOT_TELL} how {name} differs: its {of}, or what {whom}, is undefined."
    if np.isnan(lead.low):
        few = "there are too few errors for an interval"
        return (
            f"On {where}, {few}, so {CANNOT_TELL} whether {name} has a higher {of} than {whom}: {mine} beside {theirs}."
        )
    if lead.verdict == "cannot tell":
        return f"On {where}, {CANNOT_TELL} whether {name} has a higher or a lower {of} than {whom}: {beside}."
    return f"On {where}, {name} has a {lead.verdict} {of} than {whom}: {beside}."


def difference(lead: Lead, sentence: str) -> str:
    """Put "more", "less" or that it cannot be told into a sentence about two shares, with their difference."""
    way = {"higher": "more", "lower": "less", "cannot tell": "more or less"}[lead.verdict]
    unknown = f" ({CANNOT_TELL} which)" if lead.verdict == "cannot tell" else ""
    values = f"{number(lead.mine, 2)} beside {number(lead.theirs, 2)}"
    size = "" if np.isnan(lead.value) else f", a difference of {with_interval(*lead[2:])}"
    return f"{sentence.format(way)}{unknown}: {values}{size}."


def over_sets(name: str, of: str, leads: Mapping[str, Lead], whom: str) -> list[str]:
    """Say it of each data set, or of many count the sets on which it is so."""
    if len(leads) <= FEW:
        return [compared(name, where, of, lead, whom) for where, lead in leads.items()]
    counts = Counter(lead.verdict for lead in leads.values())
    told = [f"{way} on {counts[way]}" for way in ("higher", "lower") if counts[way]]
    told += [f"on {counts['cannot tell']} {CANNOT_TELL}"] if counts["cannot tell"] else []
    return [f"The {of} of {name} on {len(leads)} data sets, beside what {whom}: {'; '.join(told)}."]
