"""The file of printed numbers, as it was typed."""

from functools import cache

import pandas as pd

from erralign.sources.archives import data_folder


@cache
def published() -> pd.DataFrame:
    """Return every printed number and every figure of the papers."""
    return pd.read_csv(data_folder() / "published.csv", dtype=str, keep_default_na=False)
