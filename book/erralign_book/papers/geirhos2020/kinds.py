"""How far two people are ahead of other pairs in the three experiments, choice by choice."""

from __future__ import annotations

import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, SIXTEEN, answers_on
from erralign_book.papers.kinds import leads_on_a_set
from erralign_book.papers.tables import each_data_set


@frozen(inputs=ANSWERS)
def leads() -> pd.DataFrame:
    """Return how far two people are ahead of other pairs in each experiment, where pairs of both are found."""
    systems = source.systems()
    chosen = [*systems.query("kind == 'human'").index, *SIXTEEN]
    tables = each_data_set(
        lambda name: leads_on_a_set(
            answers_on(name).select(systems=chosen), systems["architecture"], ("EC", "MA", "WMA", "H")
        ),
        source.DATA_SETS,
    )
    return tables.rename(columns={"data_set": "sets"})
