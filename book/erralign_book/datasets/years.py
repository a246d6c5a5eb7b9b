"""When the networks of the older archives were published."""

from functools import cache
from pathlib import Path

import pandas as pd

from erralign.datasets import gavrikov2025, geirhos2020


@cache
def years() -> pd.Series:
    """Return the year in which each system's paper or page appeared, of a conference paper that of the conference.

    Of :mod:`~erralign.datasets.geirhos2020` and :mod:`~erralign.datasets.gavrikov2025` all networks, of
    :mod:`~erralign.datasets.model_vs_human` those that neither of these has, in another form either.
    """
    known = pd.read_csv(Path(__file__).parent / "years.csv", index_col="architecture")["year"]
    of = geirhos2020.systems().query("kind == 'model'")["architecture"]
    of = of.mask(of.index.str.contains("-SIN"), "ResNet on stylised pictures")
    newer = gavrikov2025.systems()["year"].astype(int)
    return pd.concat([of.map(known), newer, known[known.index.str.contains("_")]]).rename_axis("system")
