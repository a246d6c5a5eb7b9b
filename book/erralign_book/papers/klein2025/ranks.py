"""Models in the order of their error consistency with people."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from erralign.behaviour import error_consistency_from_counts
from erralign.bounds import error_consistency_bounds
from erralign.datasets import geirhos2020, xu2024
from erralign.datasets import model_vs_human as source
from erralign.inference import ConsistencyWithPeople, consistency_with_people
from erralign.responses import Responses
from erralign.significance import holm
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025 import answers as benchmark
from erralign_book.papers.klein2025.answers import conditions
from erralign_book.papers.klein2025.copies import EC_OF_FIGURE_3, experiments, pooled_widths
from erralign_book.papers.tables import each_data_set, printed_form, with_limits


@frozen(inputs=benchmark.ANSWERS)
def ranking() -> pd.DataFrame:
    """Return error consistency with people over the whole benchmark (Figure 4), without and with models at chance."""
    groups = {"sound": benchmark.sound_models(), "with models at chance": benchmark.complete_models()}
    return pd.concat(
        [scores(benchmark.consistency_of(tuple(group))).assign(models=name) for name, group in groups.items()]
    )


def scores(found: ConsistencyWithPeople) -> pd.DataFrame:
    """Put our intervals and the paper's beside each other."""
    limits = found.percentile_draws.quantile([(1 - found.level) / 2, (1 + found.level) / 2])
    table = found.table.drop(columns="n_conditions")
    table = table.assign(percentile_low=limits.iloc[0], percentile_high=limits.iloc[1])
    table = table.sort_values("EC", ascending=False).rename_axis("system").reset_index()
    person = table["system"] == "people"
    table.insert(1, "family", table["system"].map(source.models()["family"]).fillna("Human"))
    table.insert(2, "rank", (~person).cumsum().where(~person) - 1)
    return table


@frozen(inputs=benchmark.ANSWERS)
def phase_scrambling() -> pd.DataFrame:
    """Return error consistency with people on phase-scrambled photographs alone (Figure 8)."""
    return scores(benchmark.consistency_of(tuple(benchmark.sound_models()), ("phase-scrambling",)))


# ---- models whose answers lie in other repositories, and the paper's Table 2 --------------------------------------


OTHER_ANSWERS = [*benchmark.ANSWERS, xu2024.ERROR_ALIGN, geirhos2020.ERROR_CONSISTENCY]
FOURTEEN = tuple(name for name in benchmark.DATA_SETS if name in xu2024.data_sets().index)
# As the older repository calls the three others.
THREE = {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}
# Models of the paper's Table 2 in public data: ours, and those of two other repositories, by name.
TABLE_2 = Path(__file__).with_name("table-2.csv")


def with_error_align(data_set: str) -> Responses:
    """Return people and the sound models, with the models of another repository, on the conditions in use."""
    ours, theirs = benchmark.with_models(data_set, benchmark.sound_models()), xu2024.read(data_set)
    # Of all its names, only this one is known to be a model that we have: 99.8 % of its answers are the same, or more.
    others = theirs.systems.query("kind == 'model'").drop(index="resnet50").index
    return _beside(ours, theirs.select(systems=list(others), trials=ours.truth.index))


def _beside(ours: Responses, theirs: Responses) -> Responses:
    """Put answers of other systems to the same trials beside ours."""
    systems = pd.concat([ours.systems, theirs.systems]).rename_axis("system")
    return replace(ours, answers=ours.answers.join(theirs.answers), systems=systems)


@frozen(inputs=OTHER_ANSWERS)
def table_2() -> pd.DataFrame:
    """Return the paper's 52 models: which have public answers, from where, and how consistent with people they are."""
    table = pd.read_csv(TABLE_2, keep_default_na=False)
    found = answers_of_table_2()
    kinds = [table["model_vs_human"] != "", table["error_align"] != "", table["error_consistency"] != ""]
    table["evidence"] = np.select(kinds, ["all 17 sets", "two sources", "three sets only"], "no public answers")
    ours = table["model_vs_human"].where(table["model_vs_human"] != "", table["name"])
    values = {"EC": found.table[found.measure], "bootstraps": found.percentile_draws.mean()}
    return table[["index", "name", "evidence"]].assign(**{name: ours.map(each) for name, each in values.items()})


@cache
def answers_of_table_2() -> ConsistencyWithPeople:
    """Put together the models of Table 2 with answers to all 17 data sets, seven of them out of two repositories."""
    names = pd.read_csv(TABLE_2, keep_default_na=False).set_index("name")
    spliced = names[(names["error_align"] != "") & (names["error_consistency"] != "")]
    own = names.loc[names["model_vs_human"] != "", "model_vs_human"]
    parts = [_renamed(name, xu2024.read(name), spliced["error_align"], own) for name in FOURTEEN]
    parts += [_renamed(ours, geirhos2020.read(old), spliced["error_consistency"], own) for ours, old in THREE.items()]
    return consistency_with_people(parts, level=benchmark.LEVEL, n_resamples=benchmark.N_RESAMPLES, rng=0)


def _renamed(data_set: str, theirs: Responses, names: pd.Series, own: pd.Series) -> Responses:
    """Put people, models of another repository under the names that the paper prints, and our own side by side."""
    ours = benchmark.with_models(data_set, list(own))
    unshared = [level for level in ours.truth.index.names if level not in theirs.truth.index.names]
    trials = ours.truth.droplevel(unshared).index
    chosen = theirs.select(systems=list(names), trials=trials)
    answers = chosen.answers.set_axis(names.index, axis=1).set_index(ours.truth.index)
    systems = chosen.systems[["kind", "family", "source"]].set_index(names.index)
    return _beside(ours, replace(chosen, truth=ours.truth, answers=answers, systems=systems))


def order_of_table_2() -> pd.DataFrame:
    """Count the pairs of models that we order as printed, of those with public answers to all 17 data sets."""
    table = table_2().dropna(subset="EC")
    pairs, ways = len(table) * (len(table) - 1) // 2, ["EC", "bootstraps"]
    taus = np.array([kendalltau(-table["index"], table[by]).statistic for by in ways])
    return pd.DataFrame({"concordant": (pairs * (1 + taus) / 2).round().astype(int), "pairs": pairs}, ways)


# ---- error consistency data set by data set, and whether data sets rank alike -------------------------------------


@frozen(inputs=benchmark.ANSWERS, settings=benchmark.DATA_SETS, by="data_set")
def scores_by_data_set(data_set: str) -> pd.DataFrame:
    """Return error consistency with people on each data set."""
    return _by_data_set(benchmark.with_models(data_set, benchmark.sound_models()))


def _by_data_set(responses: Responses) -> pd.DataFrame:
    return consistency_with_people([responses], n_resamples=20).table["EC"].reset_index()


@frozen(inputs=OTHER_ANSWERS)
def correlations() -> pd.DataFrame:
    """Return how far pairs of data sets rank the models alike (Figure 9)."""
    more = each_data_set(lambda name: _by_data_set(with_error_align(name)), FOURTEEN)
    tables = {"25 models, 17 sets": (scores_by_data_set(), benchmark.DATA_SETS), "46 models, 14 sets": (more, FOURTEEN)}
    return pd.concat(_correlations(*table).assign(models=name) for name, table in tables.items())


def _correlations(by_data_set: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    wide = by_data_set.pivot(index="system", columns="data_set", values="EC").drop(index="people")[list(names)]
    pairs = list(combinations(names, 2))
    table = pd.DataFrame(pairs, columns=["data_set_a", "data_set_b"]).assign(n_models=len(wide))
    table["r"], p = (np.asarray(each)[np.triu_indices(len(names), k=1)] for each in spearmanr(wide.to_numpy()))
    table = table.assign(p=p, p_holm=holm(p))
    table["tau"], table["p_kendall"] = zip(*(kendalltau(wide[a], wide[b]) for a, b in pairs), strict=True)
    return table


# ---- how stable the ranking is, and which models differ -----------------------------------------------------------


@frozen(inputs=benchmark.ANSWERS)
def differences() -> pd.DataFrame:
    """Return the difference of each pair of sound models, tested on the trials that both saw."""
    found = benchmark.consistency_of(tuple(benchmark.sound_models()))
    rows, ranked = [], scores(found).dropna(subset="rank").to_dict("records")
    for a, b in combinations(ranked, 2):
        pair = {"system_a": a["system"], "system_b": b["system"]}
        tested = {"p": found.difference_test(**pair).pvalue, "overlap": a["percentile_low"] <= b["percentile_high"]}
        ranks = {"rank_a": a["rank"], "rank_b": b["rank"]}
        rows.append(pair | ranks | with_limits(found.difference(**pair), "difference") | tested)
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


# ---- our numbers in the rows and columns as printed ----------------------------------------------------------------


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed."""
    sizes = [("images in a condition", "most", conditions()["n_trials"].max())]  # those that agree are only restated
    return printed_form(sizes + _extremes() + _findings() if item == "text" else [])


def _extremes() -> list[tuple[str, str, float]]:
    """Put what the paper says of single values of EC to the test."""
    equal = "two equally accurate systems, accuracies .5"
    least, most = error_consistency_bounds(0.5, 0.5)
    shares, others = np.full(16, 1 / 16), np.arange(1, 17) / 136
    return [
        ("two indistinguishable systems", "EC", error_consistency_from_counts([[30, 0], [0, 70]])),
        ("independent systems", "EC", error_consistency_from_counts([[25, 25], [25, 25]])),
        ("exactly one system always right", "EC", error_consistency_from_counts([[0, 40], [0, 60]])),
        ("two systems as different as possible, accuracies .5", "lowest EC", least),
        (equal, "lowest EC", least),
        (equal, "highest EC", most),
        ("reference with equal shares of all answers", "factor f", (1 - shares @ shares) / (1 - shares @ others)),
    ]


def _findings() -> list[tuple[str, str, float]]:
    every = experiments()
    figure_3 = every[(every["EC"] == EC_OF_FIGURE_3) & (every["accuracy"] == "0.75")].set_index("n_trials")["width"]
    scores = ranking().query("models == 'sound'").set_index("system")["EC"]
    return [
        ("two models at the mean tau", "chance of being concordant in %", 100 * (1 + 0.88) / 2),
        ("interval at 400 trials, EC .5", "width", figure_3[400]),
        ("true EC with the largest intervals", "EC", pooled_widths().idxmax(axis=1).mean()),
        ("people and machines", "difference of their EC with people", scores["people"] - scores.drop("people").mean()),
    ]
