"""All claims in the order of the book, under all their choices."""

from collections.abc import Sequence

import pandas as pd

from erralign.plot.theme import with_interval
from erralign_book.papers.claims import (
    board,
    errors,
    likeness,
    many_models,
    newer,
    pictures,
    students,
    taught,
    theories,
    yardsticks,
)
from erralign_book.papers.claims.claim import Claim

ROAD = (*pictures.CLAIMS, *errors.CLAIMS, *yardsticks.CLAIMS, *likeness.CLAIMS, *newer.CLAIMS, *taught.CLAIMS)
DEEPER = (*students.CLAIMS, *many_models.CLAIMS, *theories.CLAIMS, *board.CLAIMS)
LEDGER: tuple[Claim, ...] = (*ROAD, *DEEPER)
PLACES = {claim.name: place for place, claim in enumerate(LEDGER, 1)}  # how a page names a claim
PAGES = ["all", *dict.fromkeys(claim.page for claim in LEDGER)]
NUMBERS = ["value", "low", "high", "first", "second", "se", "df", "n", "verdict"]
CLEAR = {"more", "less"}  # what an interval without 0 says


def met_on(page: str) -> list[Claim]:
    """Return the claims that a reader meets first on a page, or all."""
    return [claim for claim in LEDGER if page in ("all", claim.page)]


def under_all_choices(chosen: Sequence[Claim]) -> pd.DataFrame:
    """Return the value of each claim under each of its choices, ours first, with what it says there.

    ``of_largest`` is the value as a share of the claim's largest, since claims have different units.
    """
    return pd.concat([_under_choices(claim) for claim in chosen], ignore_index=True)


def _under_choices(claim: Claim) -> pd.DataFrame:
    found = claim.found()
    choices = found.drop(columns=NUMBERS, errors="ignore")
    words = [", ".join(str(each) for each in row.dropna()) for _, row in choices.iterrows()]
    of_largest = found["value"] / found["value"].abs().max()
    shown = found[["value", "low", "high", "verdict"]].assign(claim=claim.name, says=claim.says, choice=words)
    shown["place"] = PLACES[claim.name]
    return shown.assign(of_largest=of_largest, ours=[True] + [False] * (len(found) - 1))


def listed(chosen: Sequence[Claim]) -> pd.DataFrame:
    """Return one row per claim: what it says, its number, how many choices say otherwise, and whether any does."""
    return pd.DataFrame([_listed(claim) for claim in chosen])


def beside(chosen: Sequence[Claim]) -> pd.DataFrame:
    """Return what the numbers of claims stand beside: what chance gives, what could be reached, what is drawn again."""
    columns = {"chance": "by chance", "reach": "within reach", "drawn_again": "drawn again"}
    rows = pd.DataFrame([{of: getattr(claim, of) for of in columns} for claim in chosen])
    rows["claims"] = [str(PLACES[claim.name]) for claim in chosen]
    alike = rows.groupby(list(columns), sort=False)["claims"].agg(", ".join)
    return alike.reset_index().rename(columns=columns)[["claims", *columns.values()]]


def _listed(claim: Claim) -> dict:
    ours, others = claim.said(), claim.found()["verdict"].iloc[1:]
    differ = others[others != claim.says].value_counts()
    words = ", ".join(f"{count} {verdict}" for verdict, count in differ.items())
    unclear = claim.says == "not clear" and not CLEAR & set(others)
    reserve = _reserve(claim.says, others)
    sentence = f"{'Not clear: ' if reserve and claim.says in CLEAR else ''}{claim.sentence}{reserve}"
    return {
        "claim": f"{PLACES[claim.name]}. {sentence} ({_number(claim)})",
        "value and 95 % interval": with_interval(ours["value"], ours["low"], ours["high"]),
        "other choices": f"{words}, of {len(others)}" if words else f"none of {len(others)} differs",
        "page": claim.page,
        "answer": "not clear" if unclear else "depends" if words else "clear",
    }


def _reserve(says: str, others: pd.Series) -> str:
    """Return what a sentence has to add if most other choices do not say what it says."""
    alike = (others == says).sum()
    if 2 * alike >= len(others) or not CLEAR & {says, *others}:
        return ""
    if says not in CLEAR:
        clearly = " or ".join(sorted(CLEAR & set(others)))
        return f"; clearly {clearly} under {others.isin(CLEAR).sum()} of {len(others)} other choices"
    return f"; clear under only {alike} of {len(others)} other choices" if alike else "; clear only as we chose"


def _number(claim: Claim) -> str:
    """Say what the number of a claim is: a difference of its arms, or the first of them alone."""
    first, second = claim.arms
    return f"{claim.unit}: {first}" + (f" minus {second}" if second != "0" else "")
