"""A comparison in words: sentences, a table for a terminal, JSON for programs."""

from __future__ import annotations

import json
from importlib.metadata import version

import pandas as pd

from erralign.charts import PAIRS
from erralign.measures import MEASURES, MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.reports.comparison import Comparison

SHORT = tuple(map(short_name, MEASURES_OF_ERRORS))
FEW = 5  # joint errors below which an interval says little
MEANING = {
    "EC": "do they fail on the same trials? 1: always; 0: no more often than their accuracies make likely by chance.",
    "MA": "where both fail, do they give the same wrong answer? 1: always; 0: no more often than by chance, if their "
    "answers to these trials have nothing to do with each other.",
    "CLES": "do they confuse the same classes, whatever the trial? 1: the same confusions. It has no zero: systems "
    "without any habits come close to 1 too, so compare the values with each other.",
}


def with_interval(value: float, low: float, high: float) -> str:
    """Write a value and its interval.

    Parameters
    ----------
    value, low, high : float
        nan where a value is undefined, or has no interval.

    Returns
    -------
    str
        With two digits and a minus sign.

    Examples
    --------
    >>> with_interval(0.123, -0.05, 0.3), with_interval(float("nan"), 0, 1)
    ('0.12 (−0.05 to 0.30)', 'undefined')
    """
    if pd.isna(value):
        return "undefined"
    interval = "" if pd.isna(low) else f" ({low:z.2f} to {high:z.2f})"
    return f"{value:z.2f}{interval}".replace("-", "−")


def heading(comparison: Comparison) -> str:
    """Say what is compared: trials, classes, systems, level.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        A line.
    """
    responses = comparison.responses
    counts = [(comparison.others("human"), "person", "people"), (comparison.others("model"), "network", "networks")]
    others = [f"{len(names)} {one if len(names) == 1 else many}" for names, one, many in counts if names]
    trials = f"{len(responses.truth):,} trials, matched by name" if others else f"{len(responses.truth):,} trials"
    own = f"{len(comparison.own)} of your own systems" if len(comparison.own) > 1 else "your own system"
    parts = [trials, f"{len(responses.classes)} classes", own, *others]
    return f"{', '.join(parts)}; {100 * comparison.level:g} % intervals"


def sentences(comparison: Comparison) -> list[str]:
    """Say how close each of one's own systems comes to people and to networks, and how close these are to each other.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    list of str
        A sentence per measure; without others, none.
    """
    return [each for short in SHORT if (each := _means(comparison, short))]


def _means(comparison: Comparison, short: str) -> str:
    systems = comparison.responses.systems["kind"]
    pairs = comparison.own_pairs
    parts = []
    for own in comparison.own:
        others = pairs["system_a"].where(pairs["system_b"] == own, pairs["system_b"])[
            (pairs["system_a"] == own) | (pairs["system_b"] == own)
        ]
        parts += [
            f"{own} with {PEOPLE[kind]} {_mean(pairs.loc[others.index[others.isin(comparison.others(kind))], short])}"
            for kind in PEOPLE
            if comparison.others(kind)
        ]
    published = comparison.pairs.drop(pairs.index)
    parts += [f"{PAIRS[kind]} {_mean(part[short])}" for kind, part in published.groupby("kind")]
    return f"Mean {short}: {'; '.join(parts)}." if len(systems) > len(comparison.own) else ""


PEOPLE = {"human": "people", "model": "networks"}


def _mean(values: pd.Series) -> str:
    return with_interval(values.mean(), float("nan"), float("nan"))


def table(comparison: Comparison) -> pd.DataFrame:
    """Return the pairs with one's own systems as a reader wants them: a row a pair, values with their intervals.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    pandas.DataFrame
        Text, but for the number of joint errors.
    """
    pairs, own = comparison.own_pairs, comparison.own
    second = pairs["system_b"].isin(own)
    columns = {
        "system": pairs["system_b"].where(second, pairs["system_a"]),
        "with": pairs["system_a"].where(second, pairs["system_b"]),
        "both wrong": pairs["n_joint_errors"],
    }
    for short in SHORT:
        rows = pairs[[short, *limit_columns(short)[:2]]].itertuples(index=False, name=None)
        columns[short] = pd.Series([with_interval(*row) for row in rows], index=pairs.index)
    return pd.DataFrame(columns).sort_values("system", key=lambda names: names.map(own.index), kind="stable")


def accuracy_table(comparison: Comparison) -> pd.DataFrame:
    """Return the accuracy of one's own systems.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    pandas.DataFrame
        ``system``, ``accuracy`` with its interval, ``errors``.
    """
    own = comparison.accuracies.loc[list(comparison.own)]
    shares = [with_interval(*row) for row in own[["accuracy", "low", "high"]].itertuples(index=False, name=None)]
    return pd.DataFrame({"system": own.index, "accuracy": shares, "errors": own["n_errors"].astype(int).to_numpy()})


def as_text(comparison: Comparison) -> str:
    """Write a comparison for a terminal.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        Several lines.
    """
    tables = [each.to_string(index=False) for each in (accuracy_table(comparison), table(comparison))]
    meanings = [f"{short} ({MEASURES[short].name.replace('_', ' ')}): {MEANING[short]}" for short in SHORT]
    means = sentences(comparison)
    blocks = [f"{comparison.title}\n{heading(comparison)}", *tables, *(["\n".join(means)] if means else [])]
    return "\n\n".join([*blocks, "\n".join(meanings)])


def as_json(comparison: Comparison) -> str:
    """Write a comparison for programs.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        JSON: all numbers in full, null where a value is undefined or was not computed.
    """
    kinds = comparison.responses.systems["kind"]
    systems = comparison.accuracies.assign(kind=kinds, own=kinds.index.isin(comparison.own)).reset_index()
    content = {
        "erralign": version("erralign"),
        "title": comparison.title,
        "level": comparison.level,
        "trials": len(comparison.responses.truth),
        "classes": list(comparison.responses.classes),
        "notes": list(comparison.notes),
        "systems": _records(systems),
        "pairs": _records(comparison.pairs),
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def _records(rows: pd.DataFrame) -> list[dict]:
    return rows.astype(object).where(rows.notna(), None).to_dict("records")
