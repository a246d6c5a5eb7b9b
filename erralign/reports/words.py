"""A comparison in words: sentences that say no more than intervals allow, and cautions below them."""

import tomllib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER
from erralign.datasets.own.cells import LIMITS
from erralign.measures.measure import UNREAD
from erralign.measures.registry import FEW, too_few
from erralign.plot.theme import number, span, with_interval
from erralign.reports import averages
from erralign.reports.averages import BLIND, LEAD, NETWORKS, NUMBER, OTHERWISE, PEOPLE, columns_of
from erralign.reports.comparison import Comparison

Limits = tuple[float, float, float]  # a value and its limits
CANNOT_TELL = "These files cannot tell"
TEXTS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
BOTH, MANY, ONE = (TEXTS[name] for name in ("both", "many", "one"))
AT_MOST = 3  # systems of one's own, or pairs, of which each has a sentence; of more, they are counted


@lru_cache(maxsize=1)
def verdict(comparison: Comparison) -> list[str]:
    """Return sentences on how one's own systems err beside people; without people, on how they err beside each other.

    An interval without 0 makes a claim, of a value or of the difference of two; all else cannot be told.
    """
    missing = comparison.responses.answers.eq(NO_ANSWER).mean()
    many = [f"{name}: {100 * share:.0f} %" for name, share in missing.items() if share > LIMITS["strange"]]
    # Without people, or where such trials are left out, pairs are counted.
    if many and not comparison.with_people.empty:
        return [
            f"{CANNOT_TELL} who fails where: a missing answer counts as wrong, and many are missing ({'; '.join(many)} "
            "of the trials). --unread 'left out' compares two systems on the trials that both answered."
        ]
    cautions = _closest, _copies, _exchanged, _not_answered
    said = [*_of_panel(comparison.panel), *_one_by_one(comparison)]
    return said + [each for caution in cautions for each in caution(comparison)]


def _one_by_one(comparison: Comparison) -> list[str]:
    found = comparison.with_people
    mine = [name for name in comparison.own if name in found.index]
    if not mine:
        return _without_people(comparison)
    if len(mine) > AT_MOST:
        return _of_many(found, mine) if "EC" in found else []
    said = ([_same_trials(comparison, name), _same_answers(comparison, name)] for name in mine)
    return [" ".join(filter(None, each)) for each in said]


def _of(found: pd.DataFrame, who: str, short: str) -> Limits:
    value, low, high = map(float, found.loc[who, [*columns_of(short)]])
    return value, low, high


def _means_of(comparison: Comparison, those: str, short: str) -> pd.Series:
    found, whose = comparison.with_people, comparison.whose()
    return found[short][found.index.map(whose.get) == those].dropna()


def _same_trials(comparison: Comparison, name: str) -> str:
    found = comparison.with_people
    if "EC" not in found:
        return ""
    mine, networks = _of(found, name, "EC"), _means_of(comparison, NETWORKS, "EC")
    value, low, high = mine
    if pd.isna(value):
        return ""
    shown = f"error consistency (EC) {with_interval(*mine)}"
    beside = _above_or_below(found, name, "EC", networks if len(networks) > 1 else None)
    if pd.isna(low) or low <= 0 <= high:
        told = f"{CANNOT_TELL} whether {name} and people fail on the same trials more often than by chance: {shown}"
        return f"{told}{beside}."
    which = "the same" if low > 0 else "different"
    said = f"{name} and people fail on {which} trials more often than by chance: {shown}{beside}."
    # What a model's accuracy allows with these people, without which a low value is no finding.
    reach = found["EC_reach"].get(name) if "EC_reach" in found else None
    most = "" if pd.isna(reach) else f"A model that is right as often could reach {number(reach, 2)} on average."
    return " ".join(filter(None, [said, _beyond(comparison, name, "EC"), most]))


def _beyond(comparison: Comparison, name: str, short: str) -> str:
    """Say how many people are still farther from the mean of two people than one's own system is, which differs."""
    people, mine = _means_of(comparison, PEOPLE, short), comparison.with_people.loc[name]
    side = _side(*mine[[*columns_of(f"{short}_{LEAD}")[1:]]])
    if people.empty or not side:
        return ""
    n = int((people > mine[short]).sum() if side == "above" else (people < mine[short]).sum())
    has = f"{n or 'none'} {'have' if n > 1 else 'has'} a {'higher' if side == 'above' else 'lower'} {short}"
    return f"Of these {len(people)} people, {has} with the others."


def _same_answers(comparison: Comparison, name: str) -> str:
    found, means = comparison.with_people, comparison.averages
    if "MA" not in found or found.loc[[name, PEOPLE], list(columns_of("MA"))].isna().any(axis=None):
        return ""
    said = f"misclassification agreement (MA) with people is {with_interval(*_of(found, name, 'MA'))}"
    told = f"Where both fail, {said}{_above_or_below(found, name, 'MA')}. {_beyond(comparison, name, 'MA')}".strip()
    blind = means[BLIND].get(f"{name} with {PEOPLE}") if BLIND in means else None
    return told if pd.isna(blind) else f"{told} Habits alone would give {number(blind, 2)}."


def _above_or_below(found: pd.DataFrame, name: str, short: str, networks: pd.Series | None = None) -> str:
    """Say above and below whose mean one lies, by the interval of the difference, and of whose that cannot be told."""
    gap = _of(found, name, f"{short}_{LEAD}")
    people, side = f"two people's {number(_of(found, PEOPLE, short)[0], 2)}", _side(*gap[1:])
    nearest, farthest = sorted(map(abs, gap[1:]))
    told = [f", {side} {people} by {with_interval(abs(gap[0]), nearest, farthest)}"] if side else []
    difference = with_interval(*gap).replace("(", "[").replace(")", "]")
    unknown = [] if side or pd.isna(gap[0]) else [f"{people} (difference {difference})"]
    if networks is not None:
        side = _side(*_of(found, name, f"{short}_{averages.OVER_MEDIAN}")[1:])
        words = f"the median of {len(networks)} networks ({number(networks.median(), 2)})"
        (told if side else unknown).append(f", {side} {words}" if side else words)
    asked = f"; whether above or below {' or '.join(unknown)}, these files cannot tell"
    return "".join([*told, asked * bool(unknown)])


def _side(low: float, high: float) -> str:
    return "above" if low > 0 else "below" if high < 0 else ""


def _of_many(found: pd.DataFrame, mine: list[str]) -> list[str]:
    """Count the systems of one's own by what can be said of each, and name them where they are few."""
    own = found.loc[mine, [*columns_of("EC")]].sort_values("EC", ascending=False)
    alike, apart = own.index[own["EC_low"] > 0], own.index[own["EC_high"] < 0]
    said = f"{_some(alike)} of your {len(mine)} systems fail on the same trials as people, more often than by chance"
    said += f"; {_some(apart)} on different ones" * (len(apart) > 0)
    unknown = own.index.difference([*alike, *apart], sort=False)
    said += f"; of {_some(unknown)} these files cannot tell" * (len(unknown) > 0)
    luck = " (Each is looked at alone: of forty that have nothing in common with people, about one would look alike.)"
    said += f".{luck * (len(alike) > 0)}"
    said = said.replace("none", "None", 1) if alike.empty else said
    return [" ".join(filter(None, [said, *(_beside_two(found, mine, short) for short in BOTH)]))]


def _beside_two(found: pd.DataFrame, mine: list[str], short: str) -> str:
    """Count those that have more of a measure with people, or less, than two people have with each other."""
    if short not in found or found.loc[PEOPLE, [*columns_of(short)]].isna().any():
        return ""
    _, low, high = columns_of(f"{short}_{LEAD}")
    people, own = _of(found, PEOPLE, short), found.loc[mine].sort_values(short, ascending=False)
    sides = {"lower": own.index[own[high] < 0], "higher": own.index[own[low] > 0]}
    told = [f"that of {_some(names)} with people is {side}" for side, names in sides.items() if len(names)]
    unknown = own.index.difference([name for names in sides.values() for name in names], sort=False)
    told += [f"of {_some(unknown)} these files cannot tell"] * (len(unknown) > 0)
    return f"{BOTH[short]} {with_interval(*people)}; {'; '.join(told)}."


def _some(names: pd.Index) -> str:
    if names.empty:
        return "none"
    return f"{len(names)} ({', '.join(map(str, names))})" if len(names) <= AT_MOST else str(len(names))


def _without_people(comparison: Comparison) -> list[str]:
    pairs = comparison.pairs
    if "EC_low" not in pairs:
        return []
    few = too_few(pairs)
    pairs = pairs.assign(few=few)[pairs["EC_low"].notna()]
    if pairs.empty:
        return [f"{CANNOT_TELL} whether these systems fail on the same trials."]
    if len(pairs) == 1:
        return [_of_one_pair(pairs.iloc[0], comparison.pairs.attrs.get("beyond_habits"))]
    more, less = (((pairs[end] * sign > 0) & ~pairs["few"]).sum() for end, sign in (("EC_low", 1), ("EC_high", -1)))
    if more + less == 0:
        wider = "four times as many trials would make intervals about half as wide"
        return [f"{CANNOT_TELL} of any two of these systems whether they fail on the same trials; {wider}."]
    told = f"In {more} of {len(pairs)} pairs both fail on the same trials more often than by chance"
    less_often = f", in {less} less often" if less else ""
    by_chance = (1 - comparison.level) * len(pairs)
    luck = f" (by chance alone about {number(by_chance, 1)} intervals would leave out 0, half on each side)"
    unknown = f"; in {len(pairs) - more - less} these files cannot tell" * int(len(pairs) - more - less > 0)
    return [f"{told}{less_often}{unknown}{luck * (by_chance >= 0.5)}."]


def _of_one_pair(row: pd.Series, beyond_habits: tuple[float, float] | None) -> str:
    side = "" if row["few"] else _side(row["EC_low"], row["EC_high"])
    shown = with_interval(*row[[*columns_of("EC")]])
    which = "different" if side == "below" else "the same"
    fail = f"{row['system_a']} and {row['system_b']} fail on {which} trials"
    said = f"{fail}, more often than by chance" if side else f"{CANNOT_TELL} whether {fail}"
    why = "; too few on which both fail, or both are right, are seen or expected" * bool(row["few"])
    return f"{said} (EC {shown}{why}). {_same_wrong_answers(row, beyond_habits)}".strip()


def _same_wrong_answers(row: pd.Series, beyond_habits: tuple[float, float] | None) -> str:
    """Say whether two give the same wrong answers more often than their habits would; nothing where MA says nothing.

    What habits give is as uncertain as MA itself where classes have few joint errors. So a claim has to clear 0, too,
    and so has WMA, MA beyond habits, by its limits.
    """
    if "MA" not in row or (pd.isna(row["MA"]) and row["MA_n"] >= FEW):
        return ""
    value, low, high = row[[*columns_of("MA")]]
    if pd.isna(low):
        trials = "trial" if row["MA_n"] == 1 else "trials"
        return f"Both gave a wrong answer on {row['MA_n']} {trials}, too few to tell whether it is often the same one."
    chance, same = row.get(BLIND, 0.0), "they give the same wrong answer"
    side = _side(low - max(chance, 0), high - min(chance, 0))
    often = {"above": "more", "below": "less"}.get(
        side if beyond_habits is None or side == _side(*beyond_habits) else ""
    )
    told = f"{same} {often}" if often else f"these files cannot tell whether {same} more"
    zero = f"; habits alone would give {number(chance, 2)}" if np.isfinite(row.get(BLIND, np.nan)) else ""
    return f"Where both fail, {told} often than by chance (MA {with_interval(value, low, high)}{zero})."


# ---- what was compared -----------------------------------------------------------------------------------------------


DRAWN = {"dirichlet"}  # ways that make limits of draws


def heading(comparison: Comparison) -> str:
    """Return a line on what is compared: trials, classes, systems, level."""
    responses, counts = comparison.responses, comparison.whose().value_counts()
    known = {whose: counts[whose] for whose in MANY if whose in counts}
    systems = [f"{n} {(ONE if n == 1 else MANY)[whose]}" for whose, n in known.items()]
    options = responses.options
    choice = f"{len(responses.classes)} classes" if options is None else f"{span(options.min(), options.max())} options"
    parts = [f"{len(responses.truth):,} trials", choice, *systems]
    return f"{', '.join(parts)}; {100 * comparison.level:g} % intervals"


def methods(comparison: Comparison) -> str:
    """Say in a sentence or two what was compared, by what, and by which intervals."""
    responses, counts = comparison.responses, comparison.whose().drop(list(comparison.own)).value_counts()
    others = " and ".join(f"{n} {(ONE if n == 1 else MANY)[str(whose)]}" for whose, n in counts.items())
    beside = f" with {others}" if others else ""
    measures = ", ".join(f"{each.words} ({each.short})" for each in comparison.measures)
    ways = comparison.pairs.attrs.get("methods", {})
    draws = f", {comparison.pairs.attrs.get('draws', 0):,} draws"
    named = {each.short: ways[each.name] for each in comparison.measures if each.name in ways}
    by = "; ".join(f"{short}: {way}{draws * (way in DRAWN)}" for short, way in named.items())
    shared = comparison.pairs.attrs.get("clusters")
    clustered = f", clustered by {shared}" if shared else ""
    parts = ", taken condition by condition," if "condition" in responses.truth.index.names else ""
    means = f" Means with people{parts} and differences of means have intervals by the jackknife{clustered}."
    means *= PEOPLE in comparison.with_people.index
    of = "" if responses.options is not None else f" of {len(responses.classes)} classes"
    return (
        f"We compared {', '.join(comparison.own)}{beside} on {len(responses.truth):,} trials{of} ({comparison.title}) "
        f"by {measures}, with {100 * comparison.level:g} % intervals ({by}){clustered}.{means}{_made_of(comparison)} "
        f"Computed with erralign {version('erralign')}, NumPy {version('numpy')} and SciPy {version('scipy')}."
    )


def _made_of(comparison: Comparison) -> str:
    """Say what limits the values: how often each system of one's own is right, and the joint errors of its pairs."""
    own, errors = list(comparison.own), comparison.of_own()["n_joint_errors"].agg(["min", "max"])
    right = [f"{name} {comparison.accuracies['accuracy'][name]:.2f}" for name in own]
    return f" Accuracies: {', '.join(right)}. Joint errors per pair: {span(*errors)}." if len(own) <= AT_MOST else ""


# ---- a panel ---------------------------------------------------------------------------------------------------------


def _of_panel(panel: pd.DataFrame) -> list[str]:
    """Say what the panel is worth; nothing where none was asked for."""
    if panel.empty:
        return []
    worth, _, vote, gain = (written(panel, what) for what in panel.index)
    clear = panel["low"].iloc[-1] * panel["high"].iloc[-1] > 0
    said = [
        f"{panel['independent'].iloc[0]:g} systems are worth {worth} independent ones.",
        f"Their most frequent answer is right on {vote} % of the trials. Over the best one alone it gains {gain} points"
        f"{'' if clear else ', which may be none'}.",
    ]
    if n := panel.attrs["n_missed"]:
        share = 100 * panel.attrs["same_answer"]
        said.append(
            f"On {n:,} trials all are wrong, and on {share:.0f} % of these at least half give one wrong answer: look "
            "there first whether the true class is right."
        )
    return [" ".join(said)]


def written(panel: pd.DataFrame, what: str) -> str:
    """Write a number of a panel with its limits."""
    value, low, high = (panel[column][what] for column in ("value", "low", "high"))
    return with_interval(value, low, high, digits=2 if what == NUMBER else 1)


# ---- cautions --------------------------------------------------------------------------------------------------------


# No two networks, language models or people of the book's tables of pairs are so alike (tests/test_verdict.py).
COPIES, COPIES_BY_EC, ENOUGH = 0.8, 0.95, 20  # EC and MA; EC where MA is undefined; joint errors
OF_CLASS = 10  # trials of a class, to say that most of its answers have the name of another one
SHARED = 1 / 3  # of the joint errors of a pair, from which it is said that neither gave an answer


def _closest(comparison: Comparison) -> list[str]:
    """Say which of one's own models has the highest EC with people, and whether it is clear of the next one."""
    found, columns = comparison.with_people, ["EC", *columns_of(f"EC_{averages.OVER_NEXT}")]
    mine = found.reindex(comparison.own)[columns].dropna(subset="EC").nlargest(2, "EC") if "EC" in found else found
    if len(mine) < 2:
        return []
    (first, second), gap = mine.index, mine.iloc[0, 1:]
    if gap.iloc[1] > 0:
        return [f"Of your systems, {first} is the closest to people by EC, {with_interval(*gap)} above {second}."]
    shown = with_interval(*gap).replace("(", "[").replace(")", "]")
    return [f"These files cannot tell whether {first} or {second} is closer to people by EC (difference {shown})."]


def _copies(comparison: Comparison) -> list[str]:
    """Name pairs with so much in common that one may be made from the other."""
    rows, people = comparison.of_own(), comparison.with_people.index
    if "EC" not in rows:
        return []
    rows = rows[_alike(rows)]
    if len(rows) > AT_MOST:
        return [f"In {len(rows)} pairs with your systems, errors are so alike that one may be a copy of the other."]
    said = []
    for _, row in rows.iterrows():
        name, other = row["system"], row["with"]
        shown = ", ".join(f"{short} {number(row[short], 2)}" for short in ("EC", "MA") if short in row)
        meant = f" Its means with people include {other}, and say little of the other people."
        meant *= row["whose"] == PEOPLE and name in people
        said.append(f"{name} may be a copy of {other}, or made from it ({shown}).{meant}")
    return said


def _alike(rows: pd.DataFrame) -> pd.Series:
    """Say of each pair whether it has more in common than any two systems of public data."""
    same = rows.get("MA", rows["EC"] * np.nan)
    alike = (rows["EC"] >= np.where(same.isna(), COPIES_BY_EC, COPIES)) & ~(same < COPIES)
    return alike & (rows["n_joint_errors"] >= ENOUGH)


def _exchanged(comparison: Comparison) -> list[str]:
    """Name systems that call most of each of some classes by the name of another of them: labels were exchanged."""
    responses, said = comparison.responses, []
    names = responses.classes
    for system in comparison.own:
        given = pd.DataFrame({"true": responses.truth, "word": responses.answers[system]})
        given = given[given["word"] != NO_ANSWER]
        sizes = given["true"].value_counts().clip(lower=OF_CLASS)
        most = given.value_counts().rename("n").reset_index().drop_duplicates("true").set_index("true").sort_index()
        moved = most["word"][(most["n"] > sizes.reindex(most.index) / 2) & (most["word"] != most.index)]
        is_shifted = len(moved) > max(2, len(sizes) / 2) and moved.is_unique
        if len(moved) and (is_shifted or set(moved) == set(moved.index)):
            shown = list(zip(moved.index.tolist(), moved.tolist(), strict=True))[:AT_MOST]
            pairs = ", ".join(f"{names[true]!r} {names[word]!r}" for true, word in shown)
            more = f" and so on, {len(moved)} classes in all" * (len(moved) > AT_MOST)
            said.append(f"{system} calls most of {pairs}{more}: were labels exchanged? Then nothing above holds.")
    return said


def _not_answered(comparison: Comparison) -> list[str]:
    """Name pairs of which many joint errors are trials that neither answered."""
    rows, other = comparison.of_own(), f"EC_{OTHERWISE[UNREAD[1]]}"
    if other not in rows:
        return []
    none = comparison.responses.answers.eq(NO_ANSWER)
    rows["neither"] = [(none[a] & none[b]).sum() for a, b in zip(rows["system_a"], rows["system_b"], strict=True)]
    rows = rows[rows["neither"] >= SHARED * rows["n_joint_errors"].clip(lower=1)]
    way = "--unread 'left out' compares systems on the trials that both answered."
    if len(rows) > AT_MOST:
        return [f"In {len(rows)} pairs, at least a third of the joint errors are trials that neither answered. {way}"]
    pairs = rows[["system_a", "system_b", "neither", "n_joint_errors", other]].itertuples(index=False, name=None)
    what = "But on {2:,} of the {3:,} trials that {0} and {1} both miss, neither gave an answer. Where both did, EC"
    return [f"{what.format(*pair)} is {number(pair[-1], 2)}. {way}" for pair in pairs]
