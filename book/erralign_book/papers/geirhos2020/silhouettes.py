"""What ten people and 25 networks said to each of the 160 silhouettes: who fails, and with which word."""

import numpy as np
import pandas as pd

from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, answers_on

NO_ANSWER = "no answer"
SIDES = {"people": "human", "networks": "model"}
GROUPS = ("neither", "people", "networks", "both")  # whom a picture fools
HABIT = "knife"  # the wrong word that networks like best: the claim saw-knife
HALF, MORE = "half or more", "more than half"


@frozen(inputs=ANSWERS)
def answers_to_silhouettes() -> pd.DataFrame:
    """Return how many people and how many networks gave each word to each silhouette; 0 of both is left out."""
    responses = answers_on("silhouettes")
    answers, kinds = responses.answers, responses.systems["kind"]
    words = {-1: NO_ANSWER, **dict(enumerate(CATEGORIES))}
    counts = {
        side: pd.DataFrame({word: answers.loc[:, kinds == kind].eq(label).sum(axis=1) for label, word in words.items()})
        for side, kind in SIDES.items()
    }
    said = pd.DataFrame({side: table.stack() for side, table in counts.items()}).rename_axis(["image", "answer"])
    said = said[said.any(axis=1)].reset_index()
    said.insert(1, "shows", said["image"].map(responses.truth.map(words)))
    number = said["image"].str.extract(r"(\d+)", expand=False).astype(int)
    order = said.assign(number=number).sort_values(["shows", "number", "answer"]).index
    return said.loc[order].reset_index(drop=True)


def silhouettes(rule: str = HALF, *, time_outs_are_wrong: bool = True) -> pd.DataFrame:
    """Return of each silhouette whom it fools, the commonest wrong word of each side, and who calls it a knife.

    A side is fooled where half or more of it are wrong, and says "knife" where half or more of it do. Of words that are
    equally common, all are named, and none counts as the same as the other side's.
    """
    said = answers_to_silhouettes()
    if not time_outs_are_wrong:
        said = said[said["answer"] != NO_ANSWER]
    table = said.groupby("image", sort=False)[["shows"]].first()
    for side in SIDES:
        counts = said.pivot_table(side, "image", "answer", fill_value=0, sort=False).loc[table.index]
        right = said[said["answer"] == said["shows"]].set_index("image")[side].reindex(table.index, fill_value=0)
        table[f"{side}_fooled"] = _at_least_half(1 - right / counts.sum(axis=1), rule)
        table[f"{side}_say"] = _commonest(said[(said["answer"] != said["shows"]) & (said["answer"] != NO_ANSWER)], side)
        knife = _at_least_half(counts[HABIT] / counts.sum(axis=1), rule)
        table[f"{side}_knife"] = knife & (table["shows"] != HABIT)
    fooled = table["people_fooled"] + 2 * table["networks_fooled"]
    table["fools"] = np.array(GROUPS)[fooled]
    both = table["fools"] == "both"
    split = table["people_say"].str.contains(" or ", na=False)
    table["same"] = both & (table["people_say"] == table["networks_say"]) & ~split
    return table


def _at_least_half(share: pd.Series, rule: str) -> pd.Series:
    return share >= 0.5 if rule == HALF else share > 0.5


def _commonest(wrong: pd.DataFrame, side: str) -> pd.Series:
    most = wrong[wrong[side] == wrong.groupby("image")[side].transform("max").clip(lower=1)]
    return most.groupby("image")["answer"].agg(" or ".join).reindex(wrong["image"].unique()).fillna("")


def silhouettes_by_rule() -> pd.DataFrame:
    """Return how many silhouettes fool whom under each rule; the first is the one that the front page uses."""
    rows = []
    for rule in (HALF, MORE):
        for time_outs in (True, False):
            table = silhouettes(rule, time_outs_are_wrong=time_outs)
            counts = table["fools"].value_counts().reindex(list(GROUPS), fill_value=0)
            knives = {f"{side}_knife": table[f"{side}_knife"].sum() for side in SIDES}
            same = {"same": table["same"].sum(), "same_knife": (table["same"] & (table["people_say"] == HABIT)).sum()}
            rows.append({"wrong": rule, "time_outs_are_wrong": time_outs, **counts, **same, **knives})
    return pd.DataFrame(rows)
