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
    both["within"] = _within(*(both[name].to_numpy() for name in ("printed", "mean", "half")))
    columns = both.groupby(["test", "score", "network"])
    return both.assign(shuffled=pd.concat([_if_shuffled(column) for _, column in columns]))


def _within(printed: np.ndarray, mean: np.ndarray, half: np.ndarray) -> np.ndarray:
    return (abs(printed - mean) <= half) | (np.isnan(printed) & np.isnan(mean))


def _if_shuffled(column: pd.DataFrame) -> pd.Series:
    """Return how often each cell would pass if the printed scores were shuffled among the measures."""
    mean, half = (column[name].to_numpy()[:, None] for name in ("mean", "half"))
    return pd.Series(_within(column["printed"].to_numpy(), mean, half).mean(axis=1), column.index)


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
    """Count, test by test, the printed scores on Cora that lie within the spread of our seeds or would if shuffled."""
    both = cora_comparison()
    both = both.assign(off=(both["mean"] - both["printed"]).abs())
    parts = both.groupby(["test", "score", "network"], sort=False)
    table = parts.agg(
        cells=("within", "size"), within=("within", "sum"), shuffled=("shuffled", "sum"), off=("off", "median")
    )
    table["rho"] = parts.apply(lambda part: part["printed"].corr(part["mean"], method="spearman"))
    enough, shuffled = (table[name] >= ENOUGH * table["cells"] for name in ("within", "shuffled"))
    words = ["shuffled scores pass as well", "reproduced within seed spread"]
    table["verdict"] = np.select([enough & shuffled, enough], words, "not reproduced")
    return table.reset_index()
