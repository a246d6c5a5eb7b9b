"""All pairs of systems: scores, limits, accuracies."""

from functools import cache

import numpy as np
import pandas as pd

from erralign.datasets import xu2024 as source
from erralign.datasets.archives import open_member
from erralign.datasets.trials import MODEL_VS_HUMAN
from erralign.datasets.xu2024 import ERROR_ALIGN
from erralign.inference import pairwise_intervals
from erralign.measures import limit_columns
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import each_data_set

ANSWERS = [ERROR_ALIGN, MODEL_VS_HUMAN]
DATA_SETS = tuple(source.data_sets().index)
SYNTHETIC = tuple(source.data_sets().query("kind == 'synthetic'").index)
BEHAVIOUR = ("EC", "MA", "CLES")
REPRESENTATION = ("CKA", "SOC", "SOCE")


@cache
def answers_on(data_set: str) -> Responses:
    """Return a data set's answers, read once."""
    return source.read(data_set)


@frozen(inputs=ANSWERS, settings=DATA_SETS, by="data_set")
def pairwise_scores(data_set: str) -> pd.DataFrame:
    """Return EC, MA and CLES of all 5,020 pairs, recomputed from the systems' answers."""
    responses = answers_on(data_set)
    pairs = pairwise(responses)
    pairs["CLES printed"] = pairwise(responses, "CLES", variant="printed")["CLES"]
    pairs["CLES unnormalised"] = pairwise(responses, "CLES", variant="printed-unnormalised")["CLES"]
    ends = zip(pairs["system_a"], pairs["system_b"], strict=True)
    pairs["MA in floats"] = [_agreement_in_floats(responses, a, b) for a, b in ends]
    families = ["family_a", "family_b"]
    return pairs[[*pairs.columns.drop(families), *families]]


def _agreement_in_floats(responses: Responses, a: str, b: str) -> float:
    truth, y_a, y_b = (column.to_numpy() for column in (responses.truth, responses.answers[a], responses.answers[b]))
    joint = (y_a != truth) & (y_b != truth)
    if not joint.any():
        return np.nan
    shares_a, shares_b = (np.bincount(y[joint], minlength=len(responses.classes)) / joint.sum() for y in (y_a, y_b))
    chance = np.cumsum(shares_a * shares_b)[-1]  # added up class by class: another order gives another last bit
    return ((y_a == y_b)[joint].mean() - chance) / (1 - chance) if chance < 1 else np.nan


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["colour", "mpii_cooking"], by="data_set")
def pairwise_limits(data_set: str) -> pd.DataFrame:
    """Return 95 % intervals of EC, MA and CLES of all 5,020 pairs, by the default methods."""
    responses = answers_on(data_set)
    table = pairwise_intervals(responses, ["EC", "MA"])
    columns = [column for measure in BEHAVIOUR for column in limit_columns(measure)[:2]]
    table = table.join(pairwise_intervals(responses, "CLES", n_resamples=1000)[columns[-2:]])
    return table[["system_a", "system_b", *columns]].round(6)


@frozen(inputs=ANSWERS, settings=DATA_SETS, by="data_set")
def accuracies(data_set: str) -> pd.DataFrame:
    """Return the accuracy of every system on every data set."""
    responses = answers_on(data_set)
    accuracy = responses.answers.eq(responses.truth, axis=0).mean()
    return responses.systems[["kind", "family"]].assign(accuracy=accuracy).rename_axis("system").reset_index()


def model_pairs() -> pd.DataFrame:
    """Return the pairs of models, with MA as the authors' tables have it: in floats, and 1 where it is 0/0."""
    pairs = pairwise_scores()
    pairs = pairs[pairs["kind"] == "model-model"].drop(columns="kind")
    exact, floats = pairs["MA"].fillna(1.0), pairs["MA in floats"].fillna(1.0)
    return pairs.assign(**{"MA": floats, "MA exact": exact}, accuracy=(pairs["accuracy_a"] + pairs["accuracy_b"]) / 2)


# ---- the authors' released values, and how ours agree with them ---------------------------------------------------


def _released() -> pd.DataFrame:
    released = each_data_set(released_pairs, DATA_SETS).rename(columns={"cka": "CKA", "soc": "SOC", "soce": "SOCE"})
    return released[["data_set", "system_a", "system_b", *REPRESENTATION]].dropna()


def pairs_with_released() -> pd.DataFrame:
    """Return the pairs of models with our measures and the authors' released ones."""
    return model_pairs().merge(_released(), on=["data_set", "system_a", "system_b"], validate="one_to_one")


def released_pairs(data_set: str) -> pd.DataFrame:
    """Read the authors' own values for all pairs of one data set: shown where the data are, never committed."""
    synthetic = source.data_sets()["kind"][data_set] == "synthetic"
    models = f"model_vs_human_mm/{data_set}" if synthetic else data_set
    everyone = f"model_vs_human/{data_set}" if synthetic else data_set
    columns = {name: _matrix(everyone, name) for name in ("ec", "ma", "jsd")}
    columns |= {name: _matrix(models, name) for name in ("cka", "conf_div", "conf_div_e")}
    order = pd.Index(source.systems_of(data_set).index)
    first, second = (order.take(position) for position in np.triu_indices(len(order), k=1))
    pairs = pd.DataFrame({"system_a": first, "system_b": second})
    for name, matrix in columns.items():
        matrix = matrix.reindex(index=order, columns=order)
        pairs[name] = matrix.to_numpy()[np.triu_indices(len(order), k=1)]
    for divergence, similarity in {"jsd": "cles", "conf_div": "soc", "conf_div_e": "soce"}.items():
        pairs[similarity] = 1 / (1 + pairs.pop(divergence))
    return pairs[["system_a", "system_b", "ec", "ma", "cles", "cka", "soc", "soce"]]


def _matrix(folder: str, name: str) -> pd.DataFrame:
    values = np.load(open_member(ERROR_ALIGN, f"data/values_for_metrics/{folder}/{name}.npy"))
    agents = np.load(open_member(ERROR_ALIGN, f"data/values_for_metrics/{folder}/agent_list.npy"))
    return pd.DataFrame(values, index=agents, columns=agents)


@frozen(inputs=ANSWERS, settings=DATA_SETS, by="data_set")
def agreement_with_released(data_set: str) -> pd.DataFrame:
    """Return the largest difference between our EC, MA, CLES and the authors' released matrices."""
    pairs, released = pairwise_scores().query("data_set == @data_set"), released_pairs(data_set)
    gaps = {of: (pairs[of].fillna(1.0).to_numpy() - released[of.lower()]).abs().max() for of in BEHAVIOUR}
    counts = {"n_pairs": [len(pairs)], "undefined_MA": pairs["MA"].isna().sum()}
    return pd.DataFrame(counts | {measure: float(f"{gap:.0e}") for measure, gap in gaps.items()})
