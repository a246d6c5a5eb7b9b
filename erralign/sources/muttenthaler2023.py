"""The networks of Muttenthaler et al. (2023), as their Table B.1 lists them."""

from functools import cache
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent


@cache
def networks() -> pd.DataFrame:
    """Return the networks of Table B.1, in its order; names that are equal in print say what tells them apart."""
    return pd.read_csv(HERE / "muttenthaler2023-table-b1.csv", index_col="model")
