"""What the intervals of a comparison allow to say, in the sentences of ``sentences.jinja``."""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER
from erralign.measures.registry import too_few
from erralign.reports.averages import BLIND, INDEPENDENT, LEAD, NETWORKS, PEOPLE, SHARE, YOURS, columns_of
from erralign.reports.comparison import AT_MOST, MOST_NAMES, Comparison
from erralign.reports.templates import TEMPLATES
from erralign.reports.verdicts import OF_ERRORS

_MANY_MISSING = 0.2  # of a system's answers: then means with people say where it answered, not where it fails
_DRAWN = {"dirichlet", "dirichlet-by-pair", "recentred"}  # ways that make limits of draws

_MACROS: Any = TEMPLATES.get_template("sentences.jinja").module


@lru_cache(maxsize=1)
def sentences(comparison: Comparison) -> list[str]:
    """Return a paragraph on each of one's own systems beside people and each measure; without people, on each pair.

    First come those that are near chance. What an interval does not exclude is not claimed. Of more than three, they
    are counted.

    Parameters
    ----------
    comparison : Comparison
        As from :func:`compare`.

    Returns
    -------
    list of str
        Paragraphs, each of up to three sentences on a measure.
    """
    paragraphs = list(comparison.near_chance.values())
    if len(paragraphs) > AT_MOST:
        paragraphs = [_said(_MACROS.many_near_chance, list(comparison.near_chance), len(comparison.own), MOST_NAMES)]
    if len(comparison.panel):
        paragraphs.append(_said(_MACROS.of_panel, comparison.panel))
    rows = _rows_beside_people(comparison)
    missing = comparison.responses.answers.eq(NO_ANSWER).mean()
    missing = missing[missing > _MANY_MISSING]
    if len(rows) and len(missing):
        return [*paragraphs, _said(_MACROS.many_missing, missing)]
    n_by_luck, of_all = 0.0, f"your {len(rows)} systems and {PEOPLE}"
    if rows.empty:
        rows = _rows_of_pairs(comparison)
        n_by_luck, of_all = (1 - comparison.level) * len(rows), f"{len(rows)} pairs"
    parts = [rows.iloc[[place]] for place in range(len(rows))]
    if len(rows) > AT_MOST:
        parts = [rows]
    for part in parts:
        for measure in comparison.measures:
            values, leads, ceilings = (_claims(part, measure.short + end, of_all) for end in ("", f"_{LEAD}", "_reach"))
            one = part.iloc[0]
            facts = {"two_people": one.get(f"{measure.short}_{PEOPLE}"), "n_by_luck": n_by_luck}
            facts |= {"habits": one.get(BLIND), "independent": one.get(INDEPENDENT)}
            if measure.short == "EC" and leads:
                facts |= _beside_reach(part, of_all)
            if measure.short == OF_ERRORS and "no_verdict" in part:
                facts["no_verdict"] = part["no_verdict"].value_counts().drop("", errors="ignore").to_dict()
            paragraphs.append(_said(_MACROS.on_measure, measure, values, leads, ceilings, len(part), facts))
    return [paragraph for paragraph in paragraphs if paragraph]


def _beside_reach(rows: pd.DataFrame, of_all: str) -> dict[str, Any]:
    """Return how many are below two people who could not be otherwise, and by H, who is on which side of people."""
    lead, share = (_sides(rows[f"{short}_{LEAD}_low"], rows[f"{short}_{LEAD}_high"]) for short in ("EC", SHARE))
    below = (lead == "below") & (rows["EC_reach"] < rows[f"EC_{PEOPLE}"])
    facts: dict[str, Any] = {"n_out_of_reach": int(below.sum()), "by_share": _claims(rows, f"{SHARE}_{LEAD}", of_all)}
    if len(rows) == 1 and lead.equals(share):  # said of one system where it disagrees
        facts["by_share"] = []
    return facts


def _said(macro: Callable[..., str], *facts: Any) -> str:
    """Return what a macro says, in one line."""
    return " ".join(macro(*facts).split())


def _rows_beside_people(comparison: Comparison) -> pd.DataFrame:
    """Return the means of one's own systems with people, and what two people, habits, and the best answers have."""
    rows = comparison.with_people[comparison.with_people.index.isin(comparison.own)].copy()
    if rows.empty:
        return rows
    two_people = comparison.with_people.to_dict("index")[PEOPLE]
    for measure in comparison.measures:
        rows[f"{measure.short}_{PEOPLE}"] = two_people[measure.short]
        if f"{measure.short}_reach" in rows:
            columns = columns_of(f"{measure.short}_reach")
            rows.loc[~(rows[columns[1]] >= measure.range[0]), columns] = np.nan
    for column in (BLIND, INDEPENDENT):
        if column in comparison.averages:
            rows[column] = comparison.averages.xs(PEOPLE, level="with")[column]
    rows["no_verdict"] = comparison.no_verdict
    return rows.set_axis(rows.index.astype(str) + f" and {PEOPLE}")


def _rows_of_pairs(comparison: Comparison) -> pd.DataFrame:
    """Return one's own pairs.

    What habits give is as uncertain as MA itself where classes have few joint errors, so the claim is made by the
    limits of WMA, which is MA beyond habits. Where trials have options of their own there are no habits: then by MA's.
    """
    rows = comparison.of_own()
    if "EC" in rows:
        rows["EC_side"] = _sides(rows["EC_low"], rows["EC_high"]).mask(too_few(rows), "")
        rows = rows.dropna(subset="EC_low")
    if "WMA_low" in rows:
        rows["MA_side"] = _sides(rows["WMA_low"], rows["WMA_high"])
    return rows.set_axis(rows["system_a"] + " and " + rows["system_b"])


def _sides(low: pd.Series, high: pd.Series) -> pd.Series:
    """Return on which side of 0 each interval lies as a whole."""
    return pd.Series(np.select([low > 0, high < 0], ["above", "below"], ""), low.index)


def _claims(rows: pd.DataFrame, column: str, of_all: str) -> list[tuple[Any, str, list[float]]]:
    """Return who, on which side of 0, and with which value: one system or pair, or how many there are on each side."""
    columns = columns_of(column)
    if columns[1] not in rows:
        return []
    defined = rows.dropna(subset=columns)
    sides = defined.get(f"{column}_side", _sides(defined[columns[1]], defined[columns[2]]))
    if len(rows) == 1:
        return list(zip(defined.index, sides, defined[columns].to_numpy().tolist(), strict=True))
    counts = sides.value_counts()
    return [(f"{counts[side]} of {of_all}", side, []) for side in ("above", "below", "") if side in counts]


# ---- what was compared -----------------------------------------------------------------------------------------------


def heading(comparison: Comparison) -> str:
    """Return a line on what is compared: trials, classes, systems, level."""
    counts = comparison.whose().value_counts().reindex([YOURS, PEOPLE, NETWORKS]).dropna().astype(int)
    return _said(_MACROS.heading, comparison.responses, counts.to_dict(), comparison.level)


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
            by[measure.short] = f"{way}, {attrs['draws']:,} draws" if way in _DRAWN else way
    versions = {name: version(name.lower()) for name in ("erralign", "NumPy", "SciPy")}
    accuracies = {}
    if len(comparison.own) <= AT_MOST:
        accuracies = comparison.accuracies["accuracy"][list(comparison.own)].to_dict()
    errors = comparison.of_own()["n_joint_errors"]
    return _said(_MACROS.methods, comparison, counts, by, versions, accuracies, errors)
