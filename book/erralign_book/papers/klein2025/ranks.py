"""Models in the order of their error consistency with people."""

import pandas as pd

from erralign.measures import short_name
from erralign.resampling import ConsistencyWithPeople
from erralign.sources import model_vs_human as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import consistency_of
from erralign_book.papers.klein2025.models import ANSWERS, complete_models, sound_models


@frozen(inputs=ANSWERS)
def ranking() -> pd.DataFrame:
    """Return error consistency with people over the whole benchmark (Figure 4), without and with models at chance."""
    groups = {"sound": sound_models(), "with models at chance": complete_models()}
    return pd.concat([scores(consistency_of(tuple(group))).assign(models=name) for name, group in groups.items()])


def scores(found: ConsistencyWithPeople) -> pd.DataFrame:
    """Put our intervals and the paper's beside each other."""
    limits = found.percentile_draws.quantile([(1 - found.level) / 2, (1 + found.level) / 2])
    table = (
        found.table.rename(columns=short_name)
        .drop(columns="n_conditions")
        .assign(percentile_low=limits.iloc[0], percentile_high=limits.iloc[1])
    )
    table = table.sort_values("EC", ascending=False).rename_axis("system").reset_index()
    person = table["system"] == "people"
    table.insert(1, "family", table["system"].map(source.models()["family"]).fillna("Human"))
    table.insert(2, "rank", (~person).cumsum().where(~person) - 1)
    return table


@frozen(inputs=ANSWERS)
def phase_scrambling() -> pd.DataFrame:
    """Return error consistency with people on phase-scrambled photographs alone (Figure 8)."""
    return scores(consistency_of(tuple(sound_models()), ("phase-scrambling",)))
