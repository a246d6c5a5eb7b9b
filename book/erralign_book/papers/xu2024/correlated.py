"""Correlations of the measures with each other, tested and with intervals."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from erralign.datasets import xu2024 as source
from erralign.significance import correlation_interval, mantel_test
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import printed_form
from erralign_book.papers.xu2024 import pair_scores
from erralign_book.papers.xu2024.pair_scores import ANSWERS, BEHAVIOUR, DATA_SETS, REPRESENTATION, SYNTHETIC, accuracies

COMPARED = (*BEHAVIOUR, *REPRESENTATION, "MA exact", "CLES printed", "CLES unnormalised", "accuracy")


@cache
def _by_data_set() -> dict[str, pd.DataFrame]:
    return {str(name): pairs for name, pairs in pair_scores.pairs_with_released().groupby("data_set", sort=False)}


@frozen(inputs=ANSWERS, settings=DATA_SETS, by="data_set")
def correlations(data_set: str) -> pd.DataFrame:
    """Return Spearman's r between all measures, data set by data set, over pairs of models."""
    pairs = _by_data_set()[data_set]
    r, p = (np.asarray(each) for each in spearmanr(pairs[list(COMPARED)]))
    ends = combinations(range(len(COMPARED)), 2)
    rows = [(COMPARED[i], COMPARED[j], len(pairs), r[i, j], p[i, j]) for i, j in ends]
    return pd.DataFrame(rows, columns=["measure_a", "measure_b", "n_pairs", "r", "p_naive"])


@frozen(inputs=ANSWERS, slow=True, settings=DATA_SETS, spot=["colour", "mpii_cooking"], by="data_set")
def mantel_tests(data_set: str) -> pd.DataFrame:
    """Return a permutation test and an interval of each printed correlation, which respect that pairs share systems."""
    pairs, rows = _by_data_set()[data_set], []
    for a, b in combinations((*BEHAVIOUR, *REPRESENTATION), 2):
        both = _matrix(pairs, a), _matrix(pairs, b)
        test, interval = mantel_test(*both, rng=0), correlation_interval(*both)
        rows.append((a, b, test.statistic, test.pvalue, interval.low, interval.high))
    return pd.DataFrame(rows, columns=["measure_a", "measure_b", "r", "p_mantel", "low", "high"])


def _matrix(pairs: pd.DataFrame, measure: str) -> pd.DataFrame:
    systems = list(dict.fromkeys([*pairs["system_a"], *pairs["system_b"]]))
    half = pairs.pivot(index="system_a", columns="system_b", values=measure)
    half = half.reindex(index=systems, columns=systems).fillna(0)
    return half + half.T


def _groups_of_pairs() -> dict[tuple[str, str], pd.DataFrame]:
    models = pair_scores.pairs_with_released()
    everyone = pair_scores.pairwise_scores().fillna({"MA": 1.0})  # 1 where it is 0/0, as in the tables
    synthetic = everyone[everyone["data_set"].isin(SYNTHETIC)]
    return {
        ("synthetic", "model-model"): models[models["data_set"].isin(SYNTHETIC)],
        ("naturalistic", "model-model"): models[~models["data_set"].isin(SYNTHETIC)],
        ("synthetic", "all"): synthetic,
        ("synthetic", "with people"): synthetic[synthetic["kind"] != "model-model"],
    }


@frozen(inputs=ANSWERS)
def global_correlations() -> pd.DataFrame:
    """Return Spearman's r over all pairs of a group of data sets, and the mean of the r within data sets (Figure 5)."""
    rows = [
        (*group, a, b, len(pairs), spearmanr(pairs[a], pairs[b])[0], _average_r(pairs, a, b))
        for group, pairs in _groups_of_pairs().items()
        for a, b in combinations((*BEHAVIOUR, *REPRESENTATION, "CLES printed"), 2)
        if {a, b} <= set(pairs)
    ]
    return pd.DataFrame(rows, columns=["group", "pairs", "measure_a", "measure_b", "n_pairs", "r_global", "r_average"])


def _average_r(pairs: pd.DataFrame, a: str, b: str) -> float:
    return float(np.mean([spearmanr(part[a], part[b])[0] for _, part in pairs.groupby("data_set")]))


# Kinds of pairs, two measures. The authors released nothing on the representations of people.
@frozen(inputs=ANSWERS)
def without_resnet50() -> pd.DataFrame:
    """Return correlations with CKA on ImageNet-A with and without resnet50, against which that data set was chosen."""
    pairs = pair_scores.pairs_with_released().query("data_set == 'image_net_a'")
    others = pairs.query("system_a != 'resnet50' and system_b != 'resnet50'")
    rows = [(name, *(spearmanr(each[name], each["CKA"])[0] for each in (pairs, others))) for name in BEHAVIOUR]
    return pd.DataFrame(rows, columns=["measure", "r", "r_without"])


# ---- our numbers in the rows and columns of the printed tables -----------------------------------------------------


OF_TABLE_1 = (*combinations(BEHAVIOUR, 2), *product(["CKA"], BEHAVIOUR))


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed table or for the numbers of the text, in the rows and columns as printed."""
    if item == "Table 1":
        return _printed_correlations()[[f"{a} vs {b}" for a, b in OF_TABLE_1]]
    return _text() if item == "text" else _table_with_accuracy(item)


def _printed_correlations() -> pd.DataFrame:
    found = correlations()
    both = pd.concat([found, found.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    both["column"] = both["measure_a"] + " vs " + both["measure_b"]
    wide = both.pivot(index="data_set", columns="column", values="r")
    return wide.loc[source.data_sets().index].set_axis(source.data_sets()["printed"])


def _table_with_accuracy(item: str) -> pd.DataFrame:
    reference = {"Table 2": "CKA", "Table 3": "SOC", "Table 4": "SOCE"}[item]
    others = [measure for measure in (*REPRESENTATION, *BEHAVIOUR) if measure != reference]
    models = accuracies().query("kind == 'model'").groupby("data_set", sort=False)["accuracy"]
    # Population deviation, as printed: these are all models of the study, not a sample of them.
    spread = pd.DataFrame({"mean accuracy": 100 * models.mean(), "accuracy sd": 100 * models.std(ddof=0)})
    spread = spread.set_axis(source.data_sets()["printed"])
    return spread.join(_printed_correlations()[[f"{reference} vs {other}" for other in others]])


def _text() -> pd.DataFrame:
    found = global_correlations().query("pairs == 'model-model' and measure_a == 'EC' and measure_b == 'MA'")
    rows = found["group"] + ", all pairs of models together"
    return printed_form(zip(rows, ["EC vs MA"] * len(found), found["r_global"], strict=True))
