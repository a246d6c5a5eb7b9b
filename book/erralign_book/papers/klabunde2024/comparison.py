"""Our networks on Cora beside the paper's: does a printed score lie where another set of seeds would put it?"""

import numpy as np
import pandas as pd
from scipy.stats import t

from erralign_book.papers.klabunde2024.results import HALF_A_DIGIT, SAME_MEASURE, meaning_of, results
from erralign_book.papers.klabunde2024.worlds import scores
from erralign_book.papers.tables import printed_form, published

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


# ---- our numbers in the rows and columns as printed ---------------------------------------------------------------


OF_CORA = {f"Table {number}": number for number in range(7, 13)}
COUNTED = {"tests": "test", "measures": "measure", "architectures": "network", "data sets": "data"}


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed."""
    if item in OF_CORA:
        return _of_cora(item, "mean")
    if item != "text":
        return printed_form([])
    every = results()
    counts = [("benchmark", counted, every[column].nunique()) for counted, column in COUNTED.items()]
    vision = every.query("domain == 'vision'")["network"].nunique()
    return printed_form([*counts, ("vision, appendix A.1.3", "architectures", vision)])


def spread(item: str) -> pd.DataFrame:
    """Return how far a printed number may lie from ours, where it depends on the seeds of networks."""
    return _of_cora(item, "half") if item in OF_CORA else printed_form([])


def _of_cora(item: str, what: str) -> pd.DataFrame:
    both = cora_comparison().set_index(BY)[what]
    rows = published().query("paper == 'klabunde2024' and item == @item")
    rows = rows[rows["column"].str.contains("Cora")]
    cells = []
    for row, column in zip(rows["row"], rows["column"], strict=True):
        _, test, score, _, network = meaning_of(OF_CORA[item], column)
        cells.append((row, column, both[test, score, network, SAME_MEASURE.get(row, row)]))
    return printed_form(cells)
