"""People, networks and mixed pairs: who shares failures and wrong answers with whom."""

from functools import partial

import pandas as pd

from erralign_book.papers import geirhos2020, klein2025, xu2024
from erralign_book.papers.claims.claim import Claim, claim, ours_first, texts
from erralign_book.papers.kinds import KINDS
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
    "EC": "more than 0, since some classes are hard for everybody; within classes, one of the choices, 0",
    "MA": "0, or more: classes alone make answers alike",
    "WMA": "0 for both arms",
}
# The page of a claim, and what could be reached.
OF_EC = (
    "so-do-they",
    "less than 1, least for two networks, since accuracies differ; the share of it is one of the choices",
)
OF_OTHERS = ("misclassification-agreement", "1 for both arms, if people's answers had no noise")


def leads_of_people(measure: str, over: str) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs under all choices, the networks among them."""
    every = _by_measure(measure, over).assign(yardstick=measure)
    if measure == "EC":
        equal = _by_measure("H", over).query("accuracies != 'any accuracies'")
        within = _by_measure("WEC", over).assign(yardstick="EC within classes")
        every = pd.concat([every, equal.assign(yardstick="share of the largest EC"), within])
    return every.dropna(subset="value").fillna(FAIR)


def _by_measure(name: str, over: str) -> pd.DataFrame:
    stored = xu2024.leads().assign(networks=OF_XU), geirhos2020.leads().assign(networks=OF_GEIRHOS)
    every = pd.concat([*stored, klein2025.leads_with_other_networks()], ignore_index=True)
    return every[(every["measure"] == name) & (every["over"] == over)].drop(columns=["measure", "over"])


def _of_sets(every: pd.DataFrame, sets: tuple[str, ...], ours: dict[str, str]) -> pd.DataFrame:
    return ours_first(every[every["sets"].isin(sets)], **ours).reset_index(drop=True)


def _lead(name: str) -> Claim:
    """Return a claim about the lead of two people under our choices, on our set of pictures and on some others."""
    words = texts("errors.toml")[name]
    measure, over, ours = (words[of] for of in ("unit", "over", "ours"))
    page, reach = OF_EC if measure == "EC" else OF_OTHERS
    known = {"page": page, "reach": reach, "chance": CHANCE[measure]} | words
    return Claim(
        name,
        arms=("two people", "a person and a network" if over == MIXED else "two networks"),
        tables=(partial(leads_of_people, measure, over),),
        rows=partial(_of_sets, sets=(ours["sets"], *words.get("also", ())), ours=FAIR | {"yardstick": measure} | ours),
        drawn_again="sets of pictures, with their people, and networks; on a single set pictures, people and networks",
        **{of: known[of] for of in ("sentence", "page", "unit", "says", "chance", "reach")},
    )


PEOPLE_OVER_MIXED = _lead("people-over-mixed")
ON_LINE_DRAWINGS = _lead("people-over-mixed-line-drawings")
ON_SILHOUETTES = _lead("people-over-mixed-silhouettes")
PEOPLE_OVER_NETWORKS = _lead("people-over-networks")
SAME_WRONG_ANSWER = _lead("people-over-networks-wrong-answers")
BEYOND_CLASS = _lead("people-over-networks-beyond-class")
PEOPLE_SAME_WRONG_ANSWER = _lead("people-over-mixed-wrong-answers")
PEOPLE_BEYOND_CLASS = _lead("people-over-mixed-beyond-class")


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


SAME_HABITS = claim("errors.toml", "habits-of-mixed-pairs", _short_of_shuffled, xu2024.habits_at_equal_numbers)
OVER_MIXED = (PEOPLE_OVER_MIXED, ON_LINE_DRAWINGS, ON_SILHOUETTES)
CLAIMS = (
    *OVER_MIXED,
    _lead("people-over-mixed-all-pairs"),
    PEOPLE_OVER_NETWORKS,
    *(_lead(f"people-over-networks-{name}") for name in ("line-drawings", "silhouettes", "cue-conflicts")),
    SAME_WRONG_ANSWER,
    _lead("people-over-networks-wrong-answers-line-drawings"),
    BEYOND_CLASS,
    PEOPLE_SAME_WRONG_ANSWER,
    PEOPLE_BEYOND_CLASS,
    SAME_HABITS,
)
