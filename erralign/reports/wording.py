"""What the intervals of a comparison allow to say, in the sentences of ``sentences.jinja``."""

from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment

from erralign._validation import NO_ANSWER
from erralign.measures import Measure
from erralign.measures.registry import too_few
from erralign.plot.theme import number, span, with_interval
from erralign.reports.averages import BLIND, LEAD, OVER_NEXT, PEOPLE, columns_of
from erralign.reports.comparison import AT_MOST, Comparison

MANY_MISSING = 0.2  # of a system's answers: then means with people say where it answered, not where it fails
DRAWN = {"dirichlet", "dirichlet-by-pair", "recentred"}  # ways that make limits of draws

_ENVIRONMENT = Environment(autoescape=False)  # text; a page escapes it
_ENVIRONMENT.filters |= {
    "number": number,
    "with_interval": lambda limits, digits=2: with_interval(limits[0], limits[1], limits[2], digits),
    "without_sign": lambda gap: [abs(gap[0]), *sorted(map(abs, gap[1:]))],
}
WORDS: Any = _ENVIRONMENT.from_string(Path(__file__).with_name("sentences.jinja").read_text(encoding="utf-8")).module


@lru_cache(maxsize=1)
def sentences(comparison: Comparison) -> list[str]:
    """Return a paragraph on each of one's own systems beside people and each measure; without people, on each pair.

    What an interval does not exclude is not claimed. Of more than three, they are counted.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.

    Returns
    -------
    list of str
        Paragraphs, each of up to three sentences on a measure.
    """
    paragraphs = []
    if len(comparison.panel):
        paragraphs.append(WORDS.of_panel(comparison.panel))
    mine = [name for name in comparison.own if name in comparison.with_people.index]
    missing = comparison.responses.answers.eq(NO_ANSWER).mean()
    shares = [f"{name}: {100 * share:.0f} %" for name, share in missing.items() if share > MANY_MISSING]
    if mine and shares:
        paragraphs.append(WORDS.many_missing("; ".join(shares)))
    elif mine:
        for names in _one_by_one(mine):
            paragraphs += [_beside_people(comparison, measure, names) for measure in comparison.measures]
        paragraphs.append(" ".join(_closest(comparison, mine)))
    else:
        paragraphs += _of_pairs(comparison)
    return [paragraph for paragraph in paragraphs if paragraph]


def _one_by_one(names: list) -> list[list]:
    if len(names) > AT_MOST:
        return [names]
    return [[name] for name in names]


def side_of(low: float, high: float) -> str:
    """Return on which side of 0 an interval lies as a whole."""
    if low > 0:
        return "above"
    return "below" if high < 0 else ""


def _told(rows: pd.DataFrame, of_all: str, few: pd.Series | None = None) -> list[tuple[Any, str, list[float]]]:
    """Return who, on which side of 0, and with which value: one system or pair, or how many there are on each side."""
    sides = pd.Series([side_of(*limits) for limits in rows.iloc[:, 1:].to_numpy()], rows.index)
    if few is not None:
        sides = sides.mask(few, "")
    defined = rows.dropna()
    if len(rows) == 1:
        return [(name, sides[name], defined.loc[name].tolist()) for name in defined.index]
    counts = sides[defined.index].value_counts()
    return [(f"{counts[side]} of {of_all}", side, []) for side in ("above", "below", "") if side in counts]


def _beside_people(comparison: Comparison, measure: Measure, names: list[str]) -> str:
    """Say of one's own systems how their means with people lie beside chance, two people, and the noise ceiling."""
    short, means = measure.short, comparison.with_people.loc[names]
    of_all = f"your {len(names)} systems"
    lines: list[str] = []
    for who, side, value in _told(means[columns_of(short)], of_all):
        if short == "EC":
            lines.append(WORDS.same_trials(f"{who} and people", side, value))
        elif value:
            lines.append(WORDS.plain_value(f"{who} with people", measure, value, _habits(comparison, who, short)))
    for who, side, gap in _told(means[columns_of(f"{short}_{LEAD}")], of_all):
        lines.append(WORDS.beside_people(who, short, side, gap, comparison.with_people.loc[PEOPLE, short]))
    if f"{short}_reach" in means and len(names) == 1:
        ceiling = [float(limit) for limit in means[columns_of(f"{short}_reach")].iloc[0]]
        if ceiling[1] >= measure.range[0]:
            lines.append(WORDS.noise_ceiling(names[0], short, ceiling))
    return " ".join(lines)


def _habits(comparison: Comparison, name: str, short: str) -> float | None:
    """Return the mean of MA that habits alone would give a system with people, where there is one."""
    if short != "MA" or BLIND not in comparison.averages:
        return None
    return _finite(comparison.averages.loc[f"{name} with {PEOPLE}", BLIND])


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _closest(comparison: Comparison, mine: list[str]) -> list[str]:
    """Say which of one's own systems has the most of a measure with people, and whether it is clear of the next."""
    lines = []
    for measure in comparison.measures:
        means = comparison.with_people.loc[mine].dropna(subset=[measure.short]).nlargest(2, measure.short)
        if len(means) == 2:
            gap = means[columns_of(f"{measure.short}_{OVER_NEXT}")].iloc[0].tolist()
            lines.append(WORDS.closest(*means.index, measure.short, side_of(*gap[1:]), gap))
    return lines


def _of_pairs(comparison: Comparison) -> list[str]:
    """Say of one's own pairs whether they fail on the same trials and, of few, whether with the same answers."""
    pairs = comparison.pairs
    if "EC_low" not in pairs:
        return []
    few = too_few(pairs)
    pairs = pairs.assign(few=few)[pairs["EC_low"].notna()]
    pairs.index = pd.Index(pairs["system_a"] + " and " + pairs["system_b"])
    paragraphs = []
    for names in _one_by_one(list(pairs.index)):
        rows = pairs.loc[names]
        told = _told(rows[columns_of("EC")], f"{len(rows)} pairs", rows["few"])
        lines = [WORDS.same_trials(*line) for line in told]
        if len(names) == 1:
            lines += _of_one_pair(rows.iloc[0], names[0], comparison)
        by_chance = (1 - comparison.level) * len(rows)
        if by_chance >= 0.5 and any(side for _, side, _ in told):
            lines.append(WORDS.by_luck(by_chance))
        paragraphs.append(" ".join(lines))
    return paragraphs


def _of_one_pair(row: pd.Series, who: str, comparison: Comparison) -> list[str]:
    """Say whether two give the same wrong answers more often than their habits would, and how alike their habits are.

    What habits give is as uncertain as MA itself where classes have few joint errors, so the claim is made by the
    limits of WMA, which is MA beyond habits. Where trials have options of their own there are no habits: then by MA's.
    """
    lines = []
    for measure in comparison.measures:
        columns = columns_of(measure.short)
        if measure.short == "EC" or columns[1] not in row or row[columns].isna().any():
            continue
        value = [float(row[column]) for column in columns]
        if measure.short == "MA":
            limits = comparison.beyond_habits.get((row["system_a"], row["system_b"]), (value[1], value[2]))
            lines.append(WORDS.same_answers(who, side_of(*limits), value, _finite(row.get(BLIND, np.nan))))
        else:
            lines.append(WORDS.plain_value(who, measure, value, None))
    return lines


# ---- what was compared -----------------------------------------------------------------------------------------------


def heading(comparison: Comparison) -> str:
    """Return a line on what is compared: trials, classes, systems, level."""
    options = comparison.responses.options
    choice = f"{len(comparison.responses.classes)} classes"
    if options is not None:
        choice = f"{span(options.min(), options.max())} options"
    counts = comparison.whose().value_counts().reindex(["yours", "people", "networks"]).dropna().astype(int)
    return WORDS.heading(len(comparison.responses.truth), choice, counts.to_dict(), comparison.level)


def methods(comparison: Comparison) -> str:
    """Say in a sentence or two what was compared, by what, and by which intervals.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.

    Returns
    -------
    str
        What the section on methods of a paper needs.
    """
    counts = comparison.whose().drop(list(comparison.own)).value_counts().to_dict()
    attrs, by = comparison.pairs.attrs, {}
    for measure in comparison.measures:
        if way := attrs["methods"].get(measure.short):
            by[measure.short] = f"{way}, {attrs['draws']:,} draws" if way in DRAWN else way
    versions = {words: version(words.lower()) for words in ("erralign", "NumPy", "SciPy")}
    errors = comparison.of_own()["n_joint_errors"]
    accuracies = {}
    if len(comparison.own) <= AT_MOST:
        accuracies = comparison.accuracies["accuracy"][list(comparison.own)].to_dict()
    return WORDS.methods(comparison, by, counts, versions, accuracies, span(errors.min(), errors.max()))
