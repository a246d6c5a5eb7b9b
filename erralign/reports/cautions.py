"""Sentences below a verdict: who is closest to people, who may be a copy, whose labels may be wrong, who was silent."""

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER
from erralign.measures.measure import UNREAD
from erralign.plot.words import number, with_interval
from erralign.reports.averages import OTHERWISE, OVER_NEXT, PEOPLE, columns_of
from erralign.reports.comparison import Comparison

AT_MOST = 3  # systems of one's own, or pairs, of which each has a sentence; of more, they are counted
# No two networks, language models or people of the book's tables of pairs are so alike (tests/test_verdict.py).
COPIES, COPIES_BY_EC, ENOUGH = 0.8, 0.95, 20  # EC and MA; EC where MA is undefined; joint errors
OF_CLASS = 10  # trials of a class, to say that most of its answers have the name of another one
SHARED = 1 / 3  # of the joint errors of a pair, from which it is said that neither gave an answer


def cautions(comparison: Comparison) -> list[str]:
    """Return what a reader should know before the verdict is repeated."""
    return [*_closest(comparison), *_copies(comparison), *_exchanged(comparison), *_not_answered(comparison)]


def _closest(comparison: Comparison) -> list[str]:
    """Say which of one's own models has the highest EC with people, and whether it is clear of the next one."""
    found, columns = comparison.with_people, ["EC", *columns_of(f"EC_{OVER_NEXT}")]
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
