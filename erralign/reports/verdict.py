"""What a comparison says, in a sentence or two per system: no more than its intervals allow."""

import pandas as pd

from erralign.plot.words import number, with_interval
from erralign.reports.averages import NETWORKS, PEOPLE, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.panel import sentences

Limits = tuple[float, float, float]  # a value and its limits
AT_MOST = 3  # systems of one's own of which each has a sentence; of more, they are counted
CANNOT_TELL = "These files cannot tell"


def verdict(comparison: Comparison) -> list[str]:
    """Return sentences on how one's own systems err beside people; without people, on how they err beside each other.

    An interval without 0, or two intervals without a common value, make a claim; all else cannot be told.
    """
    return [*sentences(comparison.panel), *_one_by_one(comparison)]


def _one_by_one(comparison: Comparison) -> list[str]:
    found = comparison.with_people
    mine = [name for name in comparison.own if name in found.index]
    if not mine:
        return _without_people(comparison)
    if len(mine) > AT_MOST:
        return _of_many(found, mine) if "EC" in found else []
    said = ([_same_trials(comparison, name), _same_answers(found, name)] for name in mine)
    return [" ".join(filter(None, each)) for each in said]


def _of(found: pd.DataFrame, who: str, short: str) -> Limits:
    value, low, high = map(float, found.loc[who, [*columns_of(short)]])
    return value, low, high


def _networks(comparison: Comparison) -> pd.Series:
    found, whose = comparison.with_people, comparison.whose()
    return found["EC"][found.index.map(whose.get) == NETWORKS].dropna() if "EC" in found else pd.Series(dtype=float)


def _same_trials(comparison: Comparison, name: str) -> str:
    found = comparison.with_people
    if "EC" not in found:
        return ""
    mine, people, networks = _of(found, name, "EC"), _of(found, PEOPLE, "EC"), _networks(comparison)
    value, low, high = mine
    if pd.isna(value):
        return ""
    shown = f"error consistency (EC) {with_interval(*mine)}"
    if pd.isna(low) or low <= 0 <= high:
        told = f"{CANNOT_TELL} whether {name} and people fail on the same trials more often than by chance: {shown}"
        return f"{told}, two people {with_interval(*people)}."
    which = "the same" if low > 0 else "different"
    others = {f"the median of {len(networks)} networks": (networks.median(),) * 3} if len(networks) > 1 else {}
    beside = _beside(mine, others | {"two people": people})
    said = f"{name} and people fail on {which} trials more often than by chance: {shown}{beside}."
    return " ".join(filter(None, [said, _most(found, name), _nearest(comparison, name)]))


def _most(found: pd.DataFrame, name: str) -> str:
    """Say what a model's accuracy allows with these people, without which a low value is no finding."""
    reach = found["EC_reach"].get(name) if "EC_reach" in found else None
    return "" if pd.isna(reach) else f"A model that is right as often could reach {number(reach, 2)}."


def _nearest(comparison: Comparison, name: str) -> str:
    """Name the one of the others whose errors are most like one system's, where that is more than chance."""
    rows = comparison.of_own().dropna(subset="EC")
    rows = rows[rows["system"] == name]
    best = rows.nlargest(1, "EC")
    if len(rows) < 3 or not best["EC_low"].item() > 0:
        return ""
    shown = with_interval(*_of(best.set_index("with"), best["with"].item(), "EC"))
    return f"Of {len(rows)} others its EC is highest with {best['with'].item()}, {shown}."


def _same_answers(found: pd.DataFrame, name: str) -> str:
    if "MA" not in found or found.loc[[name, PEOPLE], list(columns_of("MA"))].isna().any(axis=None):
        return ""
    mine, people = _of(found, name, "MA"), _of(found, PEOPLE, "MA")
    said = f"misclassification agreement (MA) with people is {with_interval(*mine)}"
    return f"Where both fail, {said}{_beside(mine, {'two people': people})}."


def _beside(mine: Limits, others: dict[str, Limits]) -> str:
    """Say above and below whose intervals one lies, and of whose that cannot be told."""
    (_, low, high), sides = mine, dict[str, list[str]]()
    for words, (value, least, most) in others.items():
        side = "above" if low > most else "below" if high < least else ""
        shown = number(value, 2) if least == most else with_interval(value, least, most)
        sides.setdefault(side, []).append(f"{words} ({shown.replace('(', '[').replace(')', ']')})")
    unknown = sides.pop("", [])
    told = [f", {side} that of {' and of '.join(words)}" for side, words in sides.items()]
    asked = f"; whether above or below that of {' or of '.join(unknown)}, these files cannot tell"
    return "".join([*told, asked * bool(unknown)])


def _of_many(found: pd.DataFrame, mine: list[str]) -> list[str]:
    """Count the systems of one's own by what can be said of each, and name them where they are few."""
    own, (_, least, most) = found.loc[mine, [*columns_of("EC")]], _of(found, PEOPLE, "EC")
    alike, apart = own.index[own["EC_low"] > 0], own.index[own["EC_high"] < 0]
    said = [
        f"{_some(alike)} of your {len(mine)} systems fail on the trials on which people fail, more often than by chance"
    ]
    said += [f"{_some(apart)} on those on which people are right"] * (len(apart) > 0)
    unknown = len(mine) - len(alike) - len(apart)
    said += [f"of {unknown} these files cannot tell"] * (unknown > 0)
    beside = {"lower": own.index[own["EC_high"] < least], "higher": own.index[own["EC_low"] > most]}
    told = [
        f" {_some(names)} have a {way} error consistency with people than two people have with each other."
        for way, names in beside.items()
        if len(names)
    ]
    return [f"{'; '.join(said)}.{''.join(told)}"]


def _some(names: pd.Index) -> str:
    return f"{len(names)} ({', '.join(map(str, names))})" if len(names) <= AT_MOST else str(len(names))


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
    if more + less == 0:
        wider = "four times as many trials would make intervals about half as wide"
        return [f"{CANNOT_TELL} of any two of these systems whether they fail on the same trials; {wider}."]
    told = f"Of {len(pairs)} pairs, {more} fail on the same trials more often than by chance"
    less_often = f", {less} less often" if less else ""
    return [f"{told}{less_often}; of {len(pairs) - more - less} these files cannot tell."]
