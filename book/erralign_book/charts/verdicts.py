"""A printed table beside our numbers."""

import pandas as pd

from erralign.plot.tables import DISAGREES, UNLIKE, Table, table
from erralign.plot.words import number


def verdict_grid(comparisons: pd.DataFrame, caption: str) -> Table:
    """Show a printed table as it is printed, with our number beside each that differs."""
    of_cells = (comparisons[name] for name in ("printed", "ours", "verdict"))
    cells = [_beside(*each) for each in zip(*of_cells, strict=True)]
    rows, columns = (list(comparisons[name].unique()) for name in ("row", "column"))
    grid = comparisons.assign(cell=cells).pivot(index="row", columns="column", values="cell")
    return table(grid.loc[rows, columns].rename_axis(index=None, columns=None), caption, missing="")


def _beside(printed: str, ours: float, verdict: str) -> str:
    digits = len(printed.partition(".")[2])
    return f"{printed} {UNLIKE} {number(ours, digits)}" if verdict in DISAGREES else printed
