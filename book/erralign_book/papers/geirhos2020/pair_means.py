"""All pairs of systems, and their means by kind: from all trials, and from part of them."""

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm, sem

from erralign.datasets import geirhos2020 as source
from erralign.datasets.geirhos2020 import ERROR_CONSISTENCY
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers.frozen import frozen
from erralign_book.papers.kinds import leads_on_a_set
from erralign_book.papers.leads import variance_of
from erralign_book.papers.tables import limits_beside_others

ANSWERS = [ERROR_CONSISTENCY]
# On ImageNet, as the paper's regressions use them: from the analysis helpers of wichmann-lab/error-consistency
# (eb53bdb), data-analysis/data-analysis-helper.R.
IMAGENET_ACCURACIES = pd.read_csv(Path(__file__).with_name("imagenet-accuracies.csv"), index_col="network")
SIXTEEN = tuple(IMAGENET_ACCURACIES.index)


@cache
def answers_on(data_set: str) -> Responses:
    """Return a data set's answers, read once."""
    return source.read(data_set)


def error_consistencies(responses: Responses) -> pd.DataFrame:
    """Return error consistency of all pairs, without the families of networks."""
    pairs = pairwise(responses, "EC")
    return pairs[["system_a", "system_b", "kind", "n_joint_errors", "accuracy_a", "accuracy_b", "EC"]]


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def pairwise_scores(data_set: str) -> pd.DataFrame:
    """Return error consistency and overlap of all 1,785 pairs: 35 systems on three data sets."""
    pairs = with_overlaps(error_consistencies(answers_on(data_set)), source.DATA_SETS[data_set])
    first, second = (pairs[system].map(source.systems()["architecture"]) for system in ("system_a", "system_b"))
    return pairs.assign(architecture_a=first, architecture_b=second)


def with_overlaps(pairs: pd.DataFrame, n_trials: int) -> pd.DataFrame:
    """Add to pairs how often both would be right or both wrong by chance, and how often they were."""
    p_a, p_b = pairs["accuracy_a"], pairs["accuracy_b"]
    # Both wrong, and then both right: 1 - (wrong a) - (wrong b) + (both wrong).
    observed = p_a + p_b - 1 + 2 * pairs["n_joint_errors"] / n_trials
    return pairs.assign(expected=p_a * p_b + (1 - p_a) * (1 - p_b), observed=observed)


@frozen(inputs=ANSWERS, slow=True, settings=tuple(source.DATA_SETS), spot=["edges", "silhouettes"], by="data_set")
def pairwise_limits(data_set: str) -> pd.DataFrame:
    """Return EC, MA and CLES of all 1,785 pairs with 95 % intervals, for readers who compare their own systems."""
    return limits_beside_others(answers_on(data_set)).drop(columns=["accuracy_a", "accuracy_b"])


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def accuracies(data_set: str) -> pd.DataFrame:
    """Return the accuracy of each system on each data set."""
    responses = answers_on(data_set)
    right = responses.answers.eq(responses.truth, axis=0).mean()
    columns = {"kind": responses.systems["kind"], "accuracy": right, "time_outs": (responses.answers < 0).sum()}
    return pd.DataFrame(columns).rename_axis("system").reset_index()


def of_the_paper(pairs: pd.DataFrame) -> pd.DataFrame:
    """Keep the pairs of the ten people and the sixteen networks of the paper's Figure 3."""
    people = source.systems().query("kind == 'human'").index
    chosen = [*people, *SIXTEEN]
    return pairs[pairs["system_a"].isin(chosen) & pairs["system_b"].isin(chosen)]


def groups(pairs: pd.DataFrame) -> pd.Series:
    """Name the group of each pair: its kind in words, and whether two networks share their architecture."""
    names = {"human-human": "two people", "model-human": "a person and a network", "model-model": "two networks"}
    alike = (pairs["kind"] == "model-model") & (pairs["architecture_a"] == pairs["architecture_b"])
    return pairs["kind"].map(names).mask(alike, "two networks of one architecture")


@frozen(inputs=ANSWERS)
def kinds_of_pairs() -> pd.DataFrame:
    """Return the mean error consistency over pairs of people, of the sixteen networks, and mixed pairs.

    The paper's "±" stands beside one that takes systems, not pairs, for the units.
    """
    groups = of_the_paper(pairwise_scores()).groupby(["data_set", "kind"], sort=False)
    rows = [
        {"data_set": name, "kind": kind, "n_pairs": len(pairs)}
        | _mean_of(pairs)
        | {"lowest": pairs["EC"].min(), "highest": pairs["EC"].max(), "width_systems": _width_by_system(pairs)}
        for (name, kind), pairs in groups
    ]
    return pd.DataFrame(rows)


def _mean_of(pairs: pd.DataFrame) -> dict:
    """Return the mean error consistency of a group of pairs, with the paper's "±"."""
    return {"EC": pairs["EC"].mean(), "width": norm.ppf(0.975) * sem(pairs["EC"])}


def _width_by_system(pairs: pd.DataFrame) -> float:
    first, second = set(pairs["system_a"]), set(pairs["system_b"])
    samples = [first | second] if first & second else [first, second]
    ends = pairs[["system_a", "system_b"]]
    without = [[pairs.loc[(ends != out).all(axis=1), "EC"].mean() for out in sorted(systems)] for systems in samples]
    return float(norm.ppf(0.975) * np.sqrt(sum(variance_of(values)[0] for values in without)))


# ---- part of the trials, as the authors' comparison of columns kept them -------------------------------------------


# The paper's Figure 1 shows four of the networks, Figures SF.9 to SF.11 the fourteen that have Brain-Scores.
FOUR = ("alexnet", "vgg16-bn", "inception-v3", "resnet50")
FOURTEEN = tuple(network for network in SIXTEEN if network not in ("vgg11-bn", "vgg13-bn"))


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="data_set")
def parts_of_the_trials(data_set: str) -> pd.DataFrame:
    """Return the networks' error consistency from all trials and from part of them, in the order of the files.

    Where a table of trials is compared with a list of four words, R repeats the list along the rows: row 1 meets the
    first word, row 4 the fourth, row 5 the first again.
    """
    halves = {f"{_ORDINALS[a]} and {_ORDINALS[b]} of four": (a, b) for a, b in combinations(_ORDINALS, 2)}
    quarters = {f"{name} of four": (place,) for place, name in _ORDINALS.items()}
    every = {"all": tuple(_ORDINALS)}
    many = {"sixteen": SIXTEEN, "fourteen": FOURTEEN}
    rows = [(*group, *choice) for group in many.items() for choice in (every | halves).items()]
    rows += [("four", FOUR, *choice) for choice in (every | quarters).items()]
    return pd.DataFrame([_part(data_set, *row) for row in rows])


def _part(data_set: str, label: str, networks: tuple[str, ...], rows: str, places: tuple[int, ...]) -> dict:
    every = answers_on(data_set)
    kept = np.isin(np.arange(len(every.truth)) % 4 + 1, places)
    pairs = error_consistencies(every.select(systems=networks, trials=kept))
    both = pairs.query("system_a == 'densenet121' and system_b == 'resnet18'")["EC"]
    return (
        {"networks": label, "rows": rows}
        | _mean_of(pairs)
        | {"densenet121 with resnet18": both.item() if len(both) else np.nan}
    )


# ---- how far two people are ahead of other pairs in the three experiments, choice by choice -----------------------


@frozen(inputs=ANSWERS, settings=tuple(source.DATA_SETS), by="sets")
def leads(data_set: str) -> pd.DataFrame:
    """Return how far two people are ahead of other pairs in each experiment, where pairs of both are found."""
    systems = source.systems()
    chosen = [*systems.query("kind == 'human'").index, *SIXTEEN]
    responses = answers_on(data_set).select(systems=chosen)
    return leads_on_a_set(responses, systems["architecture"])
