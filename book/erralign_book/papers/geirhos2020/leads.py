"""How far two people are ahead of other pairs in the three experiments, choice by choice."""

from functools import cache

import pandas as pd

from erralign.datasets import geirhos2020 as source
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import leads_on_a_set

ANSWERS = [source.ERROR_CONSISTENCY]


@cache
def answers_on(data_set: str) -> Responses:
    """Return a data set's answers, read once."""
    return source.read(data_set)


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="sets")
def leads(data_set: str) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs in each experiment, where pairs of both are found."""
    systems = source.systems()
    chosen = [*systems.query("kind == 'human'").index, *source.SIXTEEN]
    responses = answers_on(data_set).select(systems=chosen)
    return leads_on_a_set(responses, systems["architecture"])
