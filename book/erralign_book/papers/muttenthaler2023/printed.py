"""Our numbers in the rows and columns as printed."""

import pandas as pd

from erralign_book.papers.muttenthaler2023.table_b1 import LARGE, table_b1
from erralign_book.papers.tables import printed_form

RESPONSES = 1460  # thousands


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed."""
    return printed_form(_counts() + _folds() if item == "text" else [])


def _counts() -> list[tuple[str, str, float]]:
    every = table_b1()
    lowest = every.loc[every["group"] == LARGE, "probing"].min()
    return [
        ("image/text and JFT models", "lowest probing accuracy in %", lowest),
        ("Ecoset", "networks", (every["data"] == "Ecoset").sum()),
        ("Kornblith et al. 2019b", "networks", (every["source"] == "Kornblith et al., 2019b").sum()),
    ]


def _folds() -> list[tuple[str, str, float]]:
    """Return how many triplets have all three objects on one side of a split of the objects."""
    shares = {"three": (2 / 3, 1 / 3), "four": (3 / 4, 1 / 4)}
    return [
        (f"{folds} folds", f"{side} triplets in thousands", RESPONSES * share**3)
        for folds, both in shares.items()
        for side, share in zip(("train", "test"), both, strict=True)
    ]
