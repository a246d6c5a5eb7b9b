"""People, networks and mixed pairs: who shares failures and wrong answers with whom."""

from __future__ import annotations

from functools import partial

import pandas as pd

from erralign_book.papers import geirhos2020, klein2025, xu2024
from erralign_book.papers.claims.claim import LESS, MORE, NOT_CLEAR, Claim
from erralign_book.papers.kinds import FOURTEEN, KINDS
from erralign_book.papers.leads import lead

PEOPLE, MIXED, NETWORKS = KINDS
OF_XU, OF_GEIRHOS = "Xu et al.'s 22 networks", "Geirhos et al.'s 16 networks"
# The choices that our sentences are about; all others are tried beside them.
FAIR = {
    "pooling": "one at a time",
    "strengths": "all strengths",
    "near-copies": "near-copies out",
    "accuracies": "within 0.05",
}
CHANCE = {
    "EC": "hardly more than 0: classes alone make failures alike a little",
    "MA": "0, or more: classes alone make answers alike",
    "WMA": "0 for both arms",
}
NEARLY_1 = "less than 1, least for two networks, since accuracies differ; the share of it is one of the choices"
ANY = {"accuracies": "any accuracies"}


def leads_of_people(measure: str, over: str) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs under all choices, the networks among them."""
    every = _by_measure(measure, over).assign(yardstick=measure)
    if measure == "EC":
        equal = _by_measure("H", over).query("accuracies != 'any accuracies'")
        every = pd.concat([every, equal.assign(yardstick="share of the largest EC")])
    known = {"near-copies": "near-copies out", "pooling": "one at a time", "strengths": "all strengths"}
    return every.dropna(subset="value").fillna(known)


def _by_measure(name: str, over: str) -> pd.DataFrame:
    stored = pd.concat([geirhos2020.leads().assign(networks=OF_GEIRHOS), klein2025.leads_with_other_networks()])
    others = stored.query("measure == @name and over == @over").drop(columns=["measure", "over"])
    return pd.concat([xu2024.leads(name, PEOPLE, over).assign(networks=OF_XU), others], ignore_index=True)


def _ours_first(every: pd.DataFrame, sets: tuple[str, ...], ours: dict[str, str]) -> pd.DataFrame:
    kept = every[every["sets"].isin(sets)]
    is_ours = (kept[list(ours)] == pd.Series(ours)).all(axis=1)
    return pd.concat([kept[is_ours], kept[~is_ours]], ignore_index=True)


def _lead(name: str, sentence: str, says: str, measure: str, over: str, ours: dict, also: tuple = (), **more) -> Claim:
    """Return a claim about the lead of two people under our choices, on our set of pictures and on some others."""
    known = {
        "page": "so-do-they" if measure == "EC" else "misclassification-agreement",
        "drawn_again": "sets of pictures; on a single set pictures, people and networks",
        "chance": CHANCE[measure],
        "reach": NEARLY_1 if measure == "EC" else "1 for both arms, if people's answers had no noise",
    }
    return Claim(
        name,
        sentence,
        arms=("two people", "a person and a network" if over == MIXED else "two networks"),
        unit=measure,
        tables=(partial(leads_of_people, measure, over),),
        rows=partial(_ours_first, sets=(ours["sets"], *also), ours=FAIR | {"yardstick": measure} | ours),
        says=says,
        **(known | more),
    )


FOURTEEN_SETS = {"sets": FOURTEEN, "networks": OF_XU}
THE_THREE = ("edges", "silhouettes", "cue-conflict")

PEOPLE_OVER_MIXED = _lead(
    "people-over-mixed",
    "Two people share more failures than an equally accurate person and network do",
    *(MORE, "EC", MIXED, FOURTEEN_SETS),
)
ALL_PAIRS = _lead(
    "people-over-mixed-all-pairs",
    "Of all pairs, equally accurate or not, two people share more failures than a person and a network do",
    *(MORE, "EC", MIXED, FOURTEEN_SETS | ANY),
    page="error-consistency",
    reach="less than 1 for mixed pairs: their accuracies differ more",
)
ON_LINE_DRAWINGS = _lead(
    "people-over-mixed-line-drawings",
    "On line drawings two people may be ahead of a person and an equally accurate network; it is not clear",
    *(NOT_CLEAR, "EC", MIXED, {"sets": "edges", "networks": klein2025.LARGER}),
)
ON_SILHOUETTES = _lead(
    "people-over-mixed-silhouettes",
    "On silhouettes networks trained on more data share about as many failures with people as people with each other",
    *(NOT_CLEAR, "EC", MIXED, {"sets": "silhouettes", "networks": klein2025.LARGER}),
)
PEOPLE_OVER_NETWORKS = _lead(
    "people-over-networks",
    "Whether two people or two networks share more failures depends on which networks, and on how one compares",
    *(NOT_CLEAR, "EC", NETWORKS, FOURTEEN_SETS),
)
NETWORKS_ON_LINE_DRAWINGS = _lead(
    "people-over-networks-line-drawings",
    "On line drawings it is not clear whether two people or two networks share more failures",
    *(NOT_CLEAR, "EC", NETWORKS, {"sets": "edges", "networks": OF_GEIRHOS}),
)
NETWORKS_ON_SILHOUETTES = _lead(
    "people-over-networks-silhouettes",
    "On silhouettes two equally accurate networks of 2020 share more failures than two such people do",
    *(LESS, "EC", NETWORKS, {"sets": "silhouettes", "networks": OF_GEIRHOS}),
)
NETWORKS_ON_CUE_CONFLICTS = _lead(
    "people-over-networks-cue-conflicts",
    "On cue conflicts two networks share more failures than two people do",
    *(LESS, "EC", NETWORKS, {"sets": "cue-conflict", "networks": OF_GEIRHOS}),
)
SAME_WRONG_ANSWER = _lead(
    "people-over-networks-wrong-answers",
    "Whether two networks agree on wrong answers more than two people depends on which, and on how one compares",
    *(NOT_CLEAR, "MA", NETWORKS, FOURTEEN_SETS, THE_THREE),
)
SAME_WRONG_ON_DRAWINGS = _lead(
    "people-over-networks-wrong-answers-line-drawings",
    "On line drawings it is not clear whether two people or two networks give the same wrong answer more often",
    *(NOT_CLEAR, "MA", NETWORKS, {"sets": "edges", "networks": OF_GEIRHOS}),
)
BEYOND_CLASS = _lead(
    "people-over-networks-beyond-class",
    "Two of Xu et al.'s networks share more wrong answers about single distorted photographs than two people do",
    *(LESS, "WMA", NETWORKS, FOURTEEN_SETS, THE_THREE),
)
PEOPLE_SAME_WRONG_ANSWER = _lead(
    "people-over-mixed-wrong-answers",
    "On distorted photographs, where both fail, two people agree on a wrong answer more than a person and a network do",
    *(MORE, "MA", MIXED, FOURTEEN_SETS, THE_THREE),
)
PEOPLE_BEYOND_CLASS = _lead(
    "people-over-mixed-beyond-class",
    "Two people share more wrong answers about single distorted photographs than a person and a network do",
    *(MORE, "WMA", MIXED, FOURTEEN_SETS, THE_THREE),
)


def _short_of_shuffled(found: pd.DataFrame) -> pd.DataFrame:
    """Compare how far mixed pairs and two people score below their own shuffled tables, at equal numbers of errors."""
    found = found[(found["kind"] != NETWORKS) & (found["strength"] != "all")]
    both = found.groupby(["data_set", "strength", "n_errors", "pictures"])["kind"].transform("nunique") == 2
    found = found[both].assign(short=found["shared"] - found["CLES"])
    means = found.groupby(["n_errors", "pictures", "data_set", "kind"])["short"].mean().unstack()
    rows = [
        lead(part[MIXED] - part[PEOPLE])
        | {"first": part[MIXED].mean(), "second": part[PEOPLE].mean(), "errors": str(n), "pictures": pictures}
        for (n, pictures), part in means.groupby(level=["n_errors", "pictures"], sort=False)
    ]
    return pd.DataFrame(rows).sort_values("errors", ascending=False, ignore_index=True)


SAME_HABITS = Claim(
    "habits-of-mixed-pairs",
    "The confusions of two people differ less than those of a person and a network",
    page="class-level-error-similarity",
    arms=("a mixed pair's CLES below that of its shuffled tables", "two people's"),
    unit="CLES",
    tables=(xu2024.habits_at_equal_numbers,),
    rows=_short_of_shuffled,
    drawn_again="sets of pictures",
    says=MORE,
    chance="0 for both arms",
    reach="cannot be said: CLES has no scale at so few errors",
)
OVER_MIXED = (PEOPLE_OVER_MIXED, ON_LINE_DRAWINGS, ON_SILHOUETTES)
OVER_NETWORKS = (PEOPLE_OVER_NETWORKS, NETWORKS_ON_LINE_DRAWINGS, NETWORKS_ON_SILHOUETTES, NETWORKS_ON_CUE_CONFLICTS)
CLAIMS = (
    *OVER_MIXED,
    ALL_PAIRS,
    *OVER_NETWORKS,
    SAME_WRONG_ANSWER,
    SAME_WRONG_ON_DRAWINGS,
    BEYOND_CLASS,
    PEOPLE_SAME_WRONG_ANSWER,
    PEOPLE_BEYOND_CLASS,
    SAME_HABITS,
)
