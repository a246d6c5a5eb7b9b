"""How are answers read, and what do the files hold where none could be read?"""

from __future__ import annotations

from itertools import combinations

import pandas as pd
from scipy.stats import binomtest

from erralign.sources import mmlu_pro
from erralign.sources.own.fillers import filler
from erralign_book.papers.frozen import frozen
from erralign_book.papers.many_models.together import MODELS, models


def _of(model: str) -> pd.DataFrame:
    return mmlu_pro.items(model).loc[models().truth.index]


@frozen(inputs=MODELS)
def fillers() -> pd.DataFrame:
    """Return, file by file, which share of answers could not be read, and what the file has there.

    ``letter`` fills most of these gaps. ``filled`` is how many have any letter, ``filled_right`` the share of those
    where it is right, and ``broad`` how many a broader reading can read.
    """
    rows = []
    for model in map(str, models().answers):
        table = _of(model)
        unread = table["said"] < 0
        found, gaps = filler(table["pred"], unread), table[unread]
        given = gaps[gaps["pred"] >= 0]
        facts = {"model": model, "accuracy": (table["said"] == table["key"]).mean(), "unread": unread.mean()}
        facts |= {"n_unread": len(gaps), "filled": len(given), "filled_right": (given["pred"] == given["key"]).mean()}
        facts |= {"broad": (gaps["broad"] >= 0).sum()}
        filled = (
            {"letter": mmlu_pro.LETTERS[found.option], "share": found.share_unread} if found else {"letter": "none"}
        )
        rows.append(facts | filled)
    return pd.DataFrame(rows)


@frozen(inputs=MODELS)
def several() -> pd.DataFrame:
    """Return, file by file, how many texts name several options, and how often the first, last and our one is right."""
    rows = []
    for model in map(str, models().answers):
        table = _of(model)
        differ, listed = table["first"] != table["last"], table["said"] != table["first"]
        counts = {"model": model, "accuracy_first": (table["first"] == table["key"]).mean(), "n_several": differ.sum()}
        counts |= {
            f"{which}_right": (table[which] == table["key"])[differ].sum() for which in ("first", "last", "said")
        }
        rows.append(counts | {"n_listed": listed.sum()})
    return pd.DataFrame(rows)


@frozen(inputs=MODELS)
def jointly_unread() -> pd.DataFrame:
    """Return how often two files with the same filler agree where both, one or none of them could be read.

    Where both could be read, only the questions count that both got wrong.
    """
    table, rows = fillers(), []
    for _, alike in table[table["letter"] != "none"].groupby("letter"):
        for pair in combinations(alike["model"], 2):
            a, b = map(_of, pair)
            gap_a, gap_b = a["said"] < 0, b["said"] < 0
            both_wrong = ~gap_a & ~gap_b & (a["said"] != a["key"]) & (b["said"] != b["key"])
            chosen = {"neither could be read": gap_a & gap_b, "one could": gap_a ^ gap_b, "both could": both_wrong}
            for what, items in chosen.items():
                found = binomtest(int((a["pred"] == b["pred"])[items].sum()), int(items.sum()))
                rows.append([*pair, what, items.sum(), found.statistic, *found.proportion_ci(0.95, "exact")])
    return pd.DataFrame(rows, columns=["system_a", "system_b", "what", "n_items", "value", "low", "high"])
