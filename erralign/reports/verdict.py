"""What a comparison says, in a sentence or two per system: no more than its intervals allow."""

import pandas as pd

from erralign.plot.words import number, with_interval
from erralign.reports.averages import NETWORKS, PEOPLE, columns_of
from erralign.reports.comparison import Comparison
from erralign.reports.panel import sentences

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


def in_numbers(comparison: Comparison) -> str:
    """Return the numbers behind the sentences on few systems beside people."""
    found, networks = comparison.with_people, _networks(comparison)
    mine = [name for name in comparison.own if name in found.index]
    said = []
    behind = [each for each in comparison.measures if each.short in {"EC", "MA"} and 0 < len(mine) <= AT_MOST]
    for short, words in ((each.short, each.words) for each in behind):
        values = {each: _of(found, each, short) for each in (*mine, PEOPLE)}
        known = ((each, three) for each, three in values.items() if pd.notna(three[0]))
        shown = [f"{each} {with_interval(value, low, high)}" for each, (value, low, high) in known]
        if short == "EC" and len(networks) > 1:
            shown.append(f"median of networks {number(float(networks.median()), 2)}")
        said += [f"{words[0].upper()}{words[1:]} ({short}) with people: {', '.join(shown)}."] if shown else []
    return " ".join(said)


def _of(found: pd.DataFrame, who: str, short: str) -> tuple[float, ...]:
    return tuple(found.loc[who, [*columns_of(short)]])


def _networks(comparison: Comparison) -> pd.Series:
    found, whose = comparison.with_people, comparison.whose()
    return found["EC"][found.index.map(whose.get) == NETWORKS].dropna() if "EC" in found else pd.Series(dtype=float)


def _same_trials(comparison: Comparison, name: str) -> str:
    found = comparison.with_people
    if "EC" not in found:
        return ""
    mine, networks = _of(found, name, "EC"), _networks(comparison)
    _, low, high = mine
    if pd.isna(low) or low <= 0 <= high:
        return f"{CANNOT_TELL} whether {name} fails on the trials on which people fail."
    others = {"two people": _of(found, PEOPLE, "EC")}
    if len(networks) > 1:
        others = {f"the median of {len(networks)} networks": (networks.median(),) * 3} | others
    which = "on which people fail" if low > 0 else "on which people are right"
    said = [
        f"{name} fails more often than by chance on the trials {which}.",
        *_beside(mine, others, "does so"),
        _most(found, name),
    ]
    return " ".join(filter(None, [*said, _nearest(comparison, name)]))


def _most(found: pd.DataFrame, name: str) -> str:
    """Say what a model's accuracy allows with these people, without which a low value is no finding."""
    reach = found["EC_reach"].get(name) if "EC_reach" in found else None
    if pd.isna(reach):
        return ""
    return f"A model that is right as often could reach an error consistency (EC) of {number(reach, 2)} with them."


def _nearest(comparison: Comparison, name: str) -> str:
    """Name the one of the others whose errors are most like one system's, where that is more than chance."""
    rows = comparison.of_own().dropna(subset="EC")
    rows = rows[rows["system"] == name]
    if len(rows) < 3 or not (best := rows.loc[rows["EC"].idxmax()])["EC_low"] > 0:
        return ""
    return f"Of {len(rows)} others it errs most like {best['with']} (EC {with_interval(*best[[*columns_of('EC')]])})."


def _same_answers(found: pd.DataFrame, name: str) -> str:
    if "MA" not in found or found.loc[[name, PEOPLE], list(columns_of("MA"))].isna().any(axis=None):
        return ""
    others = {"two people give each other's": _of(found, PEOPLE, "MA")}
    return " ".join(_beside(_of(found, name, "MA"), others, "gives people's wrong answers", "where both fail, "))


def _beside(mine: tuple[float, ...], others: dict[str, tuple[float, ...]], what: str, where: str = "") -> list[str]:
    """Say below and above whose intervals one lies, and of whose that cannot be told."""
    (_, low, high), sides = mine, {}
    for words, (_, least, most) in others.items():
        side = "more" if low > most else "less" if high < least else ""
        sides.setdefault(side, []).append(words)
    unknown = sides.pop("", [])
    told = ", and ".join(f"{side} often than {' and '.join(words)}" for side, words in sides.items())
    asked = f"{CANNOT_TELL[0].lower()}{CANNOT_TELL[1:]} whether it {what} as often as {' or '.join(unknown)}."
    said = [f"{where}it {what} {told}."] * bool(told) + [f"{where}{asked}"] * bool(unknown)
    return [f"{sentence[0].upper()}{sentence[1:]}" for sentence in said]


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
