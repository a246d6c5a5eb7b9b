"""Our networks on Cora beside the paper's: does a printed score lie where another set of seeds would put it?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import t

from erralign_book.papers.klabunde2024.results import results
from erralign_book.papers.klabunde2024.worlds import scores

HALF_A_DIGIT = 0.005 + 1e-9  # the tables of graphs have two digits
LEVEL = 0.95
BY = ["test", "score", "network", "measure"]
ENOUGH = 0.9  # of the cells, for a test to count as reproduced


def cora_comparison() -> pd.DataFrame:
    """Set the scores of our networks on Cora beside the paper's columns in Tables 7 to 12."""
    ours = scores("graphs").query("reading == 'released'")
    values = ours.groupby(BY)["value"]
    summary = pd.DataFrame({"mean": values.mean(), "sd": values.std(), "sets": values.count()})
    printed = results().query("data == 'Cora'").rename(columns={"value": "printed"})
    both = printed[["table", *BY, "printed"]].merge(summary.reset_index(), on=BY, how="left")
    both["half"] = half_width(both)
    undefined = both["printed"].isna() & both["mean"].isna()
    return both.assign(within=((both["printed"] - both["mean"]).abs() <= both["half"]) | undefined)


def half_width(table: pd.DataFrame) -> pd.Series:
    """Return how far the score of one further set of seeds may lie from the mean of those at hand.

    Few sets say little about how much a score varies.
    """
    freedom = table["sets"] - 1
    sums = table.assign(freedom=freedom, squares=freedom * table["sd"] ** 2)
    pooled = sums.groupby(["test", "score", "measure"])[["freedom", "squares"]].transform("sum")
    quantile = pd.Series(t.ppf((1 + LEVEL) / 2, pooled["freedom"]), table.index)
    spread = np.sqrt(pooled["squares"] / pooled["freedom"] * (1 + 1 / table["sets"]))
    return pd.Series(quantile * spread + HALF_A_DIGIT, table.index)


def cora_verdicts() -> pd.DataFrame:
    """Count, test by test, how many printed scores on Cora lie within the spread of our seeds."""
    both = cora_comparison()
    both = both.assign(off=(both["mean"] - both["printed"]).abs())
    parts = both.groupby(["test", "score", "network"], sort=False)
    table = parts.agg(cells=("within", "size"), within=("within", "sum"), off=("off", "median"))
    table["rho"] = parts.apply(lambda part: part["printed"].corr(part["mean"], method="spearman"))
    enough = table["within"] >= ENOUGH * table["cells"]
    table["verdict"] = np.where(enough, "reproduced within seed spread", "not reproduced")
    return table.reset_index()
