"""Pictures that share material: how uncertain is error consistency on cue conflict if exemplars are what is drawn?"""

import numpy as np
import pandas as pd

from erralign.clusters import clusters_of, effects_of_pairs
from erralign.measures import MEASURES_OF_ERRORS, limit_columns, short_name
from erralign.measures.matrix import kappa, response_matrix
from erralign.nulls import pairwise_p_values
from erralign.nulls.correlations import less_extreme
from erralign.resampling import consistency_with_people, pairwise_intervals
from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020 import pair_means
from erralign_book.papers.tables import with_limits

NEAR = 0.01
RESAMPLES = 4000


def photographs() -> pd.DataFrame:
    """Return which photographs the pictures of cue conflict are made of."""
    return source.exemplars(pair_means.answers_on("cue-conflict").truth.index)


@frozen(inputs=pair_means.ANSWERS)
def shared_material() -> pd.DataFrame:
    """Return standard errors of error consistency on cue conflict, where pictures or their exemplars are resampled."""
    pairs = pair_means.error_consistencies(pair_means.answers_on("cue-conflict"))
    exemplars = photographs()
    units = {"pictures": np.arange(len(exemplars))}
    units |= {f"{name}s": pd.factorize(of)[0] for name, of in exemplars.items()}
    a, b = _right("cue-conflict", pairs)
    errors = {name: _resampled(a, b, unit).std(axis=0, ddof=1) for name, unit in units.items()}
    return pairs[["system_a", "system_b", "kind", "EC"]].assign(**errors)


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


@frozen(inputs=pair_means.ANSWERS, slow=True, settings=range(40), spot=(0, 1))
def found_on_fewer_pictures(draw: int) -> pd.DataFrame:
    """Return the share of mixed pairs with p <= 0.05 on random pictures of cue conflict, as many as edges has."""
    responses, n = pair_means.answers_on("cue-conflict"), source.DATA_SETS["edges"]
    kept = np.random.default_rng(draw).permutation(len(responses.truth)) < n
    people = responses.systems.index[responses.systems["kind"] == "human"]
    pairs = pairwise_p_values(responses.select(trials=kept), with_=people).query("kind == 'model-human'")
    found = (pairs["p_value"] <= 0.05).mean()
    return pd.DataFrame([{"draw": draw, "pairs": len(pairs), "share_found": found}])


@frozen(inputs=pair_means.ANSWERS)
def alexnet_less_cornet_by_material() -> pd.DataFrame:
    """Return by how much AlexNet is more consistent with people than CORnet-S, by clusters of pictures."""
    responses, exemplars = pair_means.answers_on("cue-conflict"), photographs()
    rows = []
    for name, clusters in {"shapes": exemplars["shape"], "shapes and textures": exemplars}.items():
        found = consistency_with_people([responses], n_resamples=20, clusters=clusters)
        rows.append({"clusters": name} | with_limits(found.difference("alexnet", "cornet-s"), "difference"))
    return pd.DataFrame(rows)


@frozen(inputs=pair_means.ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def networks_less_people(data_set: str) -> pd.DataFrame:
    """Return how far two networks are ahead of two people, with its standard error over pictures."""
    pairs = pair_means.of_the_paper(pair_means.error_consistencies(pair_means.answers_on(data_set)))
    shapes = photographs()["shape"] if data_set == "cue-conflict" else np.arange(source.DATA_SETS[data_set])
    networks, people = (
        _resampled(*_right(data_set, pairs[pairs["kind"] == kind]), pd.factorize(shapes)[0]).mean(axis=1)
        for kind in ("model-model", "human-human")
    )
    means = pairs.groupby("kind")["EC"].mean()
    lead = means["model-model"] - means["human-human"]
    return pd.DataFrame([{"lead": lead, "over_pictures": (networks - people).std(ddof=1)}])


def _right(data_set: str, pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    responses = pair_means.answers_on(data_set)
    right = responses.answers.eq(responses.truth, axis=0)
    return right[pairs["system_a"]].to_numpy(float).T, right[pairs["system_b"]].to_numpy(float).T


def _resampled(a: np.ndarray, b: np.ndarray, unit: np.ndarray) -> np.ndarray:
    n_units = unit.max() + 1
    drawn = np.random.default_rng(0).multinomial(n_units, np.full(n_units, 1 / n_units), size=RESAMPLES)
    weights = drawn[:, unit].astype(float)
    right_a, right_b, both = (weights @ right.T for right in (a, b, a * b))
    wrong = weights.sum(axis=1, keepdims=True) - right_a - right_b + both
    return kappa(wrong, right_b - both, right_a - both, both)


# ---- CORnet-S beside ResNet-50: which points coincide ----------------------------------------------------------------


@frozen(inputs=pair_means.ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def coinciding_points(data_set: str) -> pd.DataFrame:
    """Return how many points of CORnet-S and ResNet-50 coincide (Figures 4b and SF.6)."""
    scores = pair_means.pairwise_scores()
    pairs = scores[(scores["data_set"] == data_set) & (scores["kind"] == "model-human")].set_index("system_a")
    a, b = (pairs.loc[pairs["system_b"] == name, ["expected", "EC"]] for name in ("cornet-s", "resnet50"))
    apart = np.linalg.norm(a.to_numpy()[:, None] - b.loc[a.index].to_numpy(), axis=2)
    same, equal = np.diag(apart), apart < 1e-12
    found = {"people": len(a), "equal": np.diag(equal).sum(), "equal_any": equal.sum()}
    return pd.DataFrame([found | {"near": (same <= NEAR).sum(), "farthest": same.max()}])
