"""Pictures that share material: how uncertain is error consistency on cue conflict if exemplars are what is drawn?"""

import pandas as pd

from erralign.clusters import clusters_of, effects_of_pairs
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.measures.matrix import response_matrix
from erralign.nulls import pairwise_p_values
from erralign.nulls.correlations import less_extreme
from erralign.resampling import pairwise_intervals
from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020 import pair_means

RESAMPLES = 4000


def photographs() -> pd.DataFrame:
    """Return which photographs the pictures of cue conflict are made of."""
    return source.exemplars(pair_means.answers_on("cue-conflict").truth.index)


@frozen(inputs=pair_means.ANSWERS)
def limits_with_material() -> pd.DataFrame:
    """Return 95 % intervals on cue conflict: as if pictures were independent, and with their shared photographs."""
    responses, exemplars = pair_means.answers_on("cue-conflict"), photographs()
    alone, shared = (pairwise_intervals(responses, n_resamples=RESAMPLES, clusters=by) for by in (None, exemplars))
    p = pairwise_p_values(responses)["p_value"]
    effects = effects_of_pairs(clusters_of(exemplars, responses.truth), "EC", response_matrix(responses), 0.95, {})
    parts = []
    for measure in MEASURES_OF_ERRORS:
        low, high, _ = limit_columns(measure)
        values = {"value": alone[measure], "low": alone[low], "high": alone[high]}
        values |= {"low_shared": shared[low], "high_shared": shared[high]}
        parts.append(alone[["system_a", "system_b", "kind"]].assign(measure=short_name(measure), **values))
    parts[0] = parts[0].assign(p=p, p_shared=less_extreme(p.to_numpy(), effects))
    return pd.concat(parts, ignore_index=True)


# ---- CORnet-S beside ResNet-50: which points coincide ----------------------------------------------------------------
