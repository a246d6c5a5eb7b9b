"""Error consistency data set by data set, and whether data sets rank alike."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from erralign.nulls import holm
from erralign.resampling import consistency_with_people
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import with_models
from erralign_book.papers.klein2025.elsewhere import FOURTEEN, OTHER_ANSWERS, with_error_align
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models
from erralign_book.papers.tables import each_data_set


@frozen(inputs=ANSWERS)
def scores_by_data_set() -> pd.DataFrame:
    """Return error consistency with people on each data set."""
    return each_data_set(lambda name: _by_data_set(with_models(name, sound_models())), DATA_SETS)


def _by_data_set(responses: Responses) -> pd.DataFrame:
    return consistency_with_people([responses], n_resamples=20).table["error_consistency"].rename("EC").reset_index()


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["edge", "silhouette"])
def people_less_models(data_set: str) -> pd.DataFrame:
    """Return by how much people are closer to people than a model is, on each data set."""
    models = sound_models()
    found = consistency_with_people([with_models(data_set, models)], n_resamples=20)
    limits = [found.difference("people", model) for model in models]
    rows = [(data_set, model, each.estimate, each.low, each.high) for model, each in zip(models, limits, strict=True)]
    return pd.DataFrame(rows, columns=["data_set", "system", "difference", "low", "high"])


@frozen(inputs=OTHER_ANSWERS)
def correlations() -> pd.DataFrame:
    """Return how far pairs of data sets rank the models alike (Figure 9)."""
    more = each_data_set(lambda name: _by_data_set(with_error_align(name)), FOURTEEN)
    tables = {"25 models, 17 sets": (scores_by_data_set(), DATA_SETS), "46 models, 14 sets": (more, FOURTEEN)}
    return pd.concat(_correlations(*table).assign(models=name) for name, table in tables.items())


def _correlations(by_data_set: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    wide = by_data_set.pivot(index="system", columns="data_set", values="EC").drop(index="people")[list(names)]
    pairs = list(combinations(names, 2))
    table = pd.DataFrame(pairs, columns=["data_set_a", "data_set_b"]).assign(n_models=len(wide))
    table["r"], p = (np.asarray(each)[np.triu_indices(len(names), k=1)] for each in spearmanr(wide.to_numpy()))
    table = table.assign(p=p, p_holm=holm(p))
    table["tau"], table["p_kendall"] = zip(*(kendalltau(wide[a], wide[b]) for a, b in pairs), strict=True)
    return table
