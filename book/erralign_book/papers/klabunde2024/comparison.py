"""Our networks on Cora beside the paper's: does a printed score lie where another set of seeds would put it?"""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t

from erralign.grounding.outputs import correlation
from erralign_book.papers.klabunde2024.claims import HALF_A_DIGIT, main_scores
from erralign_book.papers.klabunde2024.results import TESTS, results
from erralign_book.papers.klabunde2024.worlds import scores

LEVEL = 0.95
BY = ["test", "score", "network", "measure"]
ENOUGH = 0.9  # of the cells, for a test to count as reproduced


def cora_comparison() -> pd.DataFrame:
    """Set the scores of our networks on Cora beside the paper's columns in Tables 7 to 12."""
    ours = scores("graphs")
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
    """Return how far the score of one further set of seeds may lie from the mean of those at hand."""
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


# ---- whether measures that do well in the paper do well in our small worlds, too -----------------------------------


PRINTED = {"vision": "ImageNet100"}


def patterns() -> pd.DataFrame:
    """Compare how measures rank in our networks on digits with how they rank in the paper's on ImageNet100."""
    ours = scores("vision")
    ours = ours[ours["score"] == ours["test"].map(TESTS)]
    printed = main_scores().query("domain == 'vision' and data == @PRINTED['vision']")
    return pd.DataFrame([_compared(test, score, ours, printed) for test, score in TESTS.items()])


def _compared(test: str, score: str, ours: pd.DataFrame, printed: pd.DataFrame) -> dict[str, object]:
    here, there = _by_network(ours, test), _by_network(printed, test)
    known = here.dropna(how="all").index.intersection(there.dropna(how="all").index)
    here, there = here.loc[known], there.loc[known]
    mean_here, mean_there = (each.rank().mean(axis=1).to_numpy() for each in (here, there))
    return {
        "domain": "vision",
        "data": ours["data"].iloc[0],
        "printed": PRINTED["vision"],
        "test": test,
        "score": score,
        "measures": len(known),
        "rho": correlation(mean_here, mean_there),
        "rho_ours": _agreement(here),
        "rho_printed": _agreement(there),
    }


def _by_network(every: pd.DataFrame, test: str) -> pd.DataFrame:
    """Return one test's scores, a row per measure, a column per network; means over sets of seeds."""
    its = every[every["test"] == test]
    return its.pivot_table(index="measure", columns="network", values="value", dropna=False)


def _agreement(every: pd.DataFrame) -> float:
    columns = [every[network].to_numpy(dtype=float) for network in every]
    return float(np.nanmean([correlation(one, other) for one, other in combinations(columns, 2)]))
