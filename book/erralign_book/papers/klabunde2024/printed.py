"""Our numbers in the rows and columns as printed."""

import pandas as pd

from erralign_book.papers.klabunde2024.comparison import BY, cora_comparison
from erralign_book.papers.klabunde2024.results import SAME_MEASURE, meaning_of, results
from erralign_book.papers.tables import printed_form
from erralign_book.papers.typed import published

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
