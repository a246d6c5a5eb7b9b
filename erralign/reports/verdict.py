"""What a comparison says, in one or two sentences per system: no more than its intervals allow."""

import pandas as pd

from erralign.plot.words import number, with_interval
from erralign.reports.averages import NETWORKS, PEOPLE, columns_of
from erralign.reports.comparison import Comparison

AT_MOST = 3  # systems of one's own of which sentences are written; the tables have all
CANNOT_TELL = "These files cannot tell"


def verdict(comparison: Comparison) -> list[str]:
    """Return sentences on how one's own systems err beside people; without people, on how they err beside each other.

    An interval without 0, or two intervals without a common value, make a claim; all else cannot be told.
    """
    found = comparison.with_people
    mine = [name for name in comparison.own if name in found.index]
    if not mine:
        return _without_people(comparison)
    return [" ".join([*_same_trials(comparison, name), *_same_answers(found, name)]) for name in mine[:AT_MOST]]


def _same_trials(comparison: Comparison, name: str) -> list[str]:
    found, whose = comparison.with_people, comparison.whose()
    if "EC" not in found:
        return []
    value, low, high = found.loc[[name], [*columns_of("EC")]].to_numpy(float)[0]
    if pd.isna(low) or low <= 0 <= high:
        shown = "" if pd.isna(value) else f" (EC {with_interval(value, low, high)})"
        return [f"{CANNOT_TELL} whether {name} fails on the trials on which people fail{shown}."]
    which = "on which people fail" if low > 0 else "on which people are right"
    said = f"{name} fails on the trials {which}, more often than by chance (EC {with_interval(value, low, high)})"
    networks = found[found.index.map(whose.get) == NETWORKS][[*columns_of("EC")]].dropna()
    beside = [_beside(found, name, "EC", "two people do")]
    if len(networks) > 1:
        median = pd.Series(networks.median()).rename("median")
        words = f"the median of {len(networks)} networks ({number(float(median['EC']), 2)})"
        beside.insert(0, _against((value, low, high), tuple(median), words))
    return [f"{said}: {', and '.join(beside)}."]


def _same_answers(found: pd.DataFrame, name: str) -> list[str]:
    if "MA" not in found or found.loc[[name, PEOPLE], list(columns_of("MA"))].isna().any(axis=None):
        return []
    value, low, high = found.loc[[name], [*columns_of("MA")]].to_numpy(float)[0]
    against = _beside(found, name, "MA", "two people give each other's")
    return [f"Where both fail, it gives people's wrong answers {against} (MA {with_interval(value, low, high)})."]


def _beside(found: pd.DataFrame, name: str, short: str, words: str) -> str:
    mine, people = (tuple(found.loc[who, [*columns_of(short)]]) for who in (name, PEOPLE))
    return _against(mine, people, words)


def _against(mine: tuple[float, ...], others: tuple[float, ...], words: str) -> str:
    """Say whether one interval is above another, or that it is neither above nor below."""
    (_, low, high), (_, others_low, others_high) = mine, others
    if low > others_high:
        return f"more often than {words}"
    return f"{'less' if high < others_low else 'not clearly more or less'} often than {words}"


def _without_people(comparison: Comparison) -> list[str]:
    pairs = comparison.pairs
    if "EC_low" not in pairs:
        return []
    pairs = pairs[pairs["EC_low"].notna()]
    if pairs.empty:
        return [f"{CANNOT_TELL} whether these systems fail on the same trials."]
    more, less = (pairs["EC_low"] > 0).sum(), (pairs["EC_high"] < 0).sum()
    if len(pairs) == 1:
        row = pairs.iloc[0]
        both, shown = f"{row['system_a']} and {row['system_b']}", with_interval(*row[[*columns_of("EC")]])
        if more + less == 0:
            return [f"{CANNOT_TELL} whether {both} fail on the same trials (EC {shown})."]
        return [f"{both} fail on {'the same' if more else 'different'} trials, more often than by chance (EC {shown})."]
    told = f"Of {len(pairs)} pairs, {more} fail on the same trials more often than by chance"
    less_often = f", {less} less often" if less else ""
    return [f"{told}{less_often}; of {len(pairs) - more - less} these files cannot tell."]
