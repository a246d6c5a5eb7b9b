"""A comparison in words: sentences that say no more than intervals allow, tables for a terminal, JSON for programs."""

import json
import tomllib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from textwrap import fill
from typing import Any

import pandas as pd

from erralign.errors import NO_ANSWER
from erralign.measures import Measure
from erralign.plot.words import number, span, with_interval, written
from erralign.reports.averages import BLIND, LEAD, MEANINGS, NETWORKS, PEOPLE, columns_of, sentences
from erralign.reports.averages import table as panel_table
from erralign.reports.cautions import AT_MOST, cautions
from erralign.reports.comparison import Comparison
from erralign.sources.own.cells import LIMITS

Limits = tuple[float, float, float]  # a value and its limits
CANNOT_TELL = "These files cannot tell"
TEXTS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
BOTH, MANY, ONE, BESIDE, REACHES = (TEXTS[name] for name in ("both", "many", "one", "beside", "reaches"))


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
    return [*sentences(comparison.panel), *_one_by_one(comparison), *cautions(comparison)]


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
    gap, (_, low, high) = _of(found, name, f"{short}_{LEAD}"), _of(found, name, short)
    people, side = f"two people's {number(_of(found, PEOPLE, short)[0], 2)}", _side(*gap[1:])
    nearest, farthest = sorted(map(abs, gap[1:]))
    told = [f", {side} {people} by {with_interval(abs(gap[0]), nearest, farthest)}"] if side else []
    difference = with_interval(*gap).replace("(", "[").replace(")", "]")
    unknown = [] if side or pd.isna(gap[0]) else [f"{people} (difference {difference})"]
    if networks is not None:
        median = networks.median()
        side = _side(low - median, high - median)
        words = f"the median of {len(networks)} networks ({number(median, 2)})"
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
    pairs = pairs[pairs["EC_low"].notna()]
    if pairs.empty:
        return [f"{CANNOT_TELL} whether these systems fail on the same trials."]
    if len(pairs) == 1:
        return [_of_one_pair(pairs.iloc[0], comparison.pairs.attrs.get("beyond_habits"))]
    more, less = (pairs["EC_low"] > 0).sum(), (pairs["EC_high"] < 0).sum()
    if more + less == 0:
        wider = "four times as many trials would make intervals about half as wide"
        return [f"{CANNOT_TELL} of any two of these systems whether they fail on the same trials; {wider}."]
    told = f"In {more} of {len(pairs)} pairs both fail on the same trials more often than by chance"
    less_often = f", in {less} less often" if less else ""
    by_chance = (1 - comparison.level) * len(pairs)
    luck = f" (by chance alone about {number(by_chance, 1)} intervals would leave out 0, half on each side)"
    return [f"{told}{less_often}; in {len(pairs) - more - less} these files cannot tell{luck * (by_chance >= 0.5)}."]


def _of_one_pair(row: pd.Series, beyond_habits: tuple[float, float] | None) -> str:
    side, shown = _side(row["EC_low"], row["EC_high"]), with_interval(*row[[*columns_of("EC")]])
    which = "different" if side == "below" else "the same"
    fail = f"{row['system_a']} and {row['system_b']} fail on {which} trials"
    said = f"{fail}, more often than by chance" if side else f"{CANNOT_TELL} whether {fail}"
    return f"{said} (EC {shown}). {_same_wrong_answers(row, beyond_habits)}".strip()


def _same_wrong_answers(row: pd.Series, beyond_habits: tuple[float, float] | None) -> str:
    """Say whether two give the same wrong answers more often than their habits would; nothing where MA says nothing.

    What habits give is as uncertain as MA itself where classes have few joint errors. So a claim has to clear 0, too,
    and so has WMA, MA beyond habits, by its limits.
    """
    if "MA" not in row or (pd.isna(row["MA"]) and row["MA_n"] >= FEW):
        return ""
    value, low, high = row[[*columns_of("MA")]]
    if pd.isna(low):
        return f"Both gave a wrong answer on {row['MA_n']} trials, too few to tell whether it is often the same one."
    chance, same = row.get(BLIND, 0.0), "they give the same wrong answer"
    side = _side(low - max(chance, 0), high - min(chance, 0))
    often = {"above": "more", "below": "less"}.get(
        side if beyond_habits is None or side == _side(*beyond_habits) else ""
    )
    told = f"{same} {often}" if often else f"these files cannot tell whether {same} more"
    zero = f"; habits alone would give {number(chance, 2)}" if BLIND in row else ""
    return f"Where both fail, {told} often than by chance (MA {with_interval(value, low, high)}{zero})."


# ---- tables and formats ----------------------------------------------------------------------------------------------


WIDTH = 80  # characters of a line of prose
FEW = 5  # joint errors below which an interval says little
NO_ERROR = "makes no error"
TOO_FEW = "too few joint errors"  # where an interval would leave the measure's range
REACHED = "What could be reached with people"
PANEL, ACCURACY = "Your systems as a panel", "Accuracy of your systems"  # captions of tables


def heading(comparison: Comparison) -> str:
    """Return a line on what is compared: trials, classes, systems, level."""
    responses, counts = comparison.responses, comparison.whose().value_counts()
    known = {whose: counts[whose] for whose in MANY if whose in counts}
    systems = [f"{n} {(ONE if n == 1 else MANY)[whose]}" for whose, n in known.items()]
    options = responses.options
    choice = f"{len(responses.classes)} classes" if options is None else f"{span(options.min(), options.max())} options"
    parts = [f"{len(responses.truth):,} trials", choice, *systems]
    return f"{', '.join(parts)}; {100 * comparison.level:g} % intervals"


def _in_words(rows: pd.DataFrame, measures: tuple[Measure, ...]) -> pd.DataFrame:
    """Put each measure of a table with its limits under one heading, and what it is to be set against."""
    shown: dict[str, Any] = {}
    for each in measures:
        shown[each.short] = _cells(rows, *columns_of(each.short))
        if each.short == "EC" and "accuracy_a" in rows:
            perfect = rows[["accuracy_a", "accuracy_b"]].max(axis=1) == 1
            shown["EC"] = [NO_ERROR if none else cell for none, cell in zip(perfect, shown["EC"], strict=True)]
        for column in _beside(each, rows):
            shown[BESIDE[column][0]] = rows[column].tolist() if column == "MA_n" else _cells(rows, column)
    return pd.DataFrame(shown, index=rows.index)


def _cells(rows: pd.DataFrame, *columns: str) -> list[tuple]:
    """Return what a cell will write: a value, alone or with its limits."""
    return list(rows[list(columns)].itertuples(index=False, name=None))


def _beside(measure: Measure, rows: pd.DataFrame) -> list[str]:
    return [column for column in BESIDE if column in rows and column.startswith(f"{measure.short}_")]


def table(comparison: Comparison) -> pd.DataFrame:
    """Return the pairs with your own systems, a row each."""
    pairs = comparison.of_own()
    names = ["system", "with"][len(comparison.own) == 1 :]
    shown = pairs[[*names, "n_joint_errors"]].rename(columns={"n_joint_errors": "both wrong"})
    return shown.join(_in_words(pairs, comparison.measures))


def reach_table(comparison: Comparison) -> pd.DataFrame:
    """Return for your own models the means with people beside what could be reached, and beside those of people."""
    found = comparison.with_people
    rows = [
        {"system": system, "measure": short, "with people": _reached(found, system, short)}
        | {words: _reached(found, system, f"{short}_{way}") for way, (words, _) in REACHES.items()}
        | {"people with each other": _reached(found, PEOPLE, short)}
        for system in comparison.own
        for short in (each.short for each in comparison.measures)
        if f"{short}_reach" in found and system in found.index
    ]
    return pd.DataFrame(rows)


def _reached(rows: pd.DataFrame, system: str, short: str) -> Limits | str:
    limits = _of(rows, system, short)
    return TOO_FEW if limits[1] < -1 else limits


def accuracy_table(comparison: Comparison) -> pd.DataFrame:
    """Return the accuracy of your own systems."""
    own = comparison.accuracies.loc[list(comparison.own)]
    shares = _cells(own, "accuracy", "low", "high")
    rows = pd.DataFrame({"system": own.index, "accuracy": shares, "errors": own["n_errors"].astype(int).to_numpy()})
    for way, words in TEXTS["of_accuracy"].items():
        if way in own:
            rows["no answer"], rows[words] = own["n_unread"].to_numpy(), _cells(own, way)
    return rows


@lru_cache(maxsize=1)
def tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return all tables that have rows, by their captions; a page, its LaTeX and a terminal have the same."""
    own = comparison.own
    beside = f"{own[0] if len(own) == 1 else 'Your systems'} beside each of the others"
    made = {
        PANEL: panel_table(comparison.panel),
        ACCURACY: accuracy_table(comparison),
        "Means over pairs": _in_words(comparison.averages, comparison.measures).reset_index(),
        REACHED: reach_table(comparison),
        beside: table(comparison) if comparison.panel.empty else pd.DataFrame(),
    }
    return {caption: written(rows) for caption, rows in made.items() if len(rows)}


def meanings(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what is shown, and what it says."""
    by_options = {} if comparison.responses.options is None else {"MA": TEXTS["by_options"]}
    measures = comparison.measures
    said = [(f"{each.short} ({each.words})", by_options.get(each.short, each.meaning)) for each in measures]
    beside = [BESIDE[column] for each in measures for column in _beside(each, comparison.pairs)]
    reaches = REACHES.values() if REACHED in tables(comparison) else []
    means = [TEXTS["of_means"]] * (not comparison.with_people.empty)
    return [*(MEANINGS if len(comparison.panel) else ()), *said, *beside, *means, *reaches, TEXTS["both_wrong"]]


def as_text(comparison: Comparison) -> str:
    """Write a comparison as text for a terminal.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.

    Returns
    -------
    str
        Several lines of text.
    """
    said = [fill(f"{what}: {meaning}", WIDTH) for what, meaning in meanings(comparison)]
    blocks = [rows.to_string(index=False, max_colwidth=None) for rows in tables(comparison).values()]
    answer = [fill(sentence, WIDTH) for sentence in verdict(comparison)]
    return "\n\n".join([f"{comparison.title}\n{heading(comparison)}", *answer, *blocks, "\n".join(said)])


def as_json(comparison: Comparison) -> str:
    """Write a comparison as JSON for programs.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        JSON with all digits of each number, and null where a value is undefined or was not computed.
    """
    kinds = comparison.responses.systems["kind"]
    systems = comparison.accuracies.assign(kind=kinds, whose=comparison.whose()).reset_index()
    content = {
        "erralign": version("erralign"),
        "title": comparison.title,
        "level": comparison.level,
        "trials": len(comparison.responses.truth),
        "classes": list(comparison.responses.classes),
        "verdict": verdict(comparison),
        "notes": list(comparison.notes),
        "systems": _records(systems),
        "pairs": _records(comparison.pairs),
        "with people": _records(comparison.with_people.reset_index()),
        "averages": _records(comparison.averages.reset_index()),
        "panel": _records(comparison.panel.rename_axis("what").reset_index()),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def _records(rows: pd.DataFrame) -> list[dict]:
    return rows.astype(object).where(rows.notna(), None).to_dict("records")
