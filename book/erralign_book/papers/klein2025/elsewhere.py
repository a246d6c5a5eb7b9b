"""Models whose answers lie in other repositories, and the paper's Table 2."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from erralign.resampling import ConsistencyWithPeople, consistency_with_people
from erralign.responses import Responses
from erralign.sources import geirhos2020, xu2024
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import LEVEL, N_RESAMPLES, with_models
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models

OTHER_ANSWERS = [*ANSWERS, xu2024.ERROR_ALIGN, geirhos2020.ERROR_CONSISTENCY]
FOURTEEN = tuple(name for name in DATA_SETS if name in xu2024.data_sets().index)
# As the older repository calls the three others.
THREE = {"edge": "edges", "silhouette": "silhouettes", "cue-conflict": "cue-conflict"}
# Models of the paper's Table 2 in public data: ours, and those of two other repositories, by name.
TABLE_2 = Path(__file__).with_name("table-2.csv")


def with_error_align(data_set: str) -> Responses:
    """Return people and the sound models, with the models of another repository, on the conditions in use."""
    ours, theirs = with_models(data_set, sound_models()), xu2024.read(data_set)
    # Of all its names, only this one is known to be a model that we have: 99.8 % of its answers are the same, or more.
    others = theirs.systems.query("kind == 'model'").drop(index="resnet50").index
    return _beside(ours, theirs.select(systems=list(others), trials=ours.truth.index))


def _beside(ours: Responses, theirs: Responses) -> Responses:
    """Put answers of other systems to the same trials beside ours."""
    systems = pd.concat([ours.systems, theirs.systems]).rename_axis("system")
    return replace(ours, answers=ours.answers.join(theirs.answers), systems=systems)


@frozen(inputs=OTHER_ANSWERS)
def ranking_on_fourteen() -> pd.DataFrame:
    """Return error consistency with people on 14 of the 17 data sets, where another repository has more models."""
    found = consistency_with_people([with_error_align(name) for name in FOURTEEN], n_resamples=20)
    return found.table[found.measure].rename("EC").sort_values(ascending=False).rename_axis("system").reset_index()


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
    return consistency_with_people(parts, level=LEVEL, n_resamples=N_RESAMPLES, rng=0)


def _renamed(data_set: str, theirs: Responses, names: pd.Series, own: pd.Series) -> Responses:
    """Put people, models of another repository under the names that the paper prints, and our own side by side."""
    ours = with_models(data_set, list(own))
    unshared = [level for level in ours.truth.index.names if level not in theirs.truth.index.names]
    trials = ours.truth.droplevel(unshared).index
    chosen = theirs.select(systems=list(names), trials=trials)
    answers = chosen.answers.set_axis(names.index, axis=1).set_index(ours.truth.index)
    systems = chosen.systems[["kind", "family", "source"]].set_index(names.index)
    return _beside(ours, replace(chosen, truth=ours.truth, answers=answers, systems=systems))


def order_of_table_2() -> pd.DataFrame:
    """Compare the printed order of models with ours, as far as there are public answers to all 17 data sets."""
    table = table_2().dropna(subset="EC")
    groups = {"the four": table[table["evidence"] == "all 17 sets"], "all eleven": table}
    rows = [_in_order(name, group, by) for name, group in groups.items() for by in ("EC", "bootstraps")]
    return pd.DataFrame(rows, columns=["models", "ordered by", "n_models", "tau", "concordant", "pairs"])


def _in_order(name: str, models: pd.DataFrame, by: str) -> tuple:
    tau = float(kendalltau(-models["index"], models[by]).statistic)
    pairs = len(models) * (len(models) - 1) // 2
    return name, by, len(models), tau, round(pairs * (1 + tau) / 2), pairs
