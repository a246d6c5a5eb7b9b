"""The six tests of all measures, from what the measures say of pairs of trained networks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from erralign.grounding import (
    Chance,
    correlation_to_differences,
    group_conformity,
    group_precision,
    layer_conformity,
    layer_correlation,
    precision_by_chance,
    precision_of_each,
)
from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.papers.klabunde2024.trained_pairs import (
    ASYMMETRIC,
    OF_BEHAVIOUR,
    Compared,
    Rows,
    layer_pairs_of,
    matrices_of,
    pairs_of,
)
from erralign_book.training import Trained

# The networks that are trained for one test, or for the first two together.
BOTH_CORRELATIONS = "correlations"
PARTS = (BOTH_CORRELATIONS, *list(TESTS)[2:])
SEEDS_APART = 10  # sets of seeds have none in common; the first has the benchmark's
IN_A_GROUP = 5
KEYS = ("domain", "data", "network", "seed_set", "test", "score", "measure", "value", "chance", "constant")
MODEL_KEYS = ("domain", "data", "network", "seed_set", "test", "group", "seed", "accuracy")


class Setting(NamedTuple):
    """One part of a table: networks of one architecture and one set of seeds, made for one test."""

    network: str
    seed_set: int  # from 0
    part: str  # one of PARTS


class World(NamedTuple):
    """Data and what is trained on them."""

    domain: str  # as in the paper: graphs, language or vision
    data: str
    settings: tuple[Setting, ...]
    groups: Mapping[str, Sequence[str]]  # of each part, by name


def trained(world: World, setting: Setting, one: Callable[[str, int, str, str], Trained]) -> list[Trained]:
    """Train the networks of one setting; all its groups have the same seeds."""
    network, seed_set, part = setting
    n = 2 * IN_A_GROUP if part == BOTH_CORRELATIONS else IN_A_GROUP
    seeds = range(seed_set * SEEDS_APART, seed_set * SEEDS_APART + n)
    return [one(network, seed, part, group) for group in world.groups[part] for seed in seeds]


def compared(world: World, setting: Setting, models: Sequence[Trained]) -> Rows:
    """Compare all networks of one setting by all measures."""
    compare = layer_pairs_of if setting.part == "layers" else pairs_of
    return compare(models, world.groups[setting.part], world.settings.index(setting))


def scores(world: World, rows: Rows) -> pd.DataFrame:
    """Return the score of every measure in every test."""
    table = []
    for setting, its in by_setting(world, rows):
        common = (world.domain, world.data, setting.network, setting.seed_set)
        score = _SCORED[setting.part]
        table += [(*common, *row) for row in score([*matrices_of(its)])]
    return pd.DataFrame(table, columns=list(KEYS))


def models(world: World, rows: Rows) -> pd.DataFrame:
    """Return the accuracy of every network."""
    table = []
    for setting, its in by_setting(world, rows):
        common = (world.domain, world.data, setting.network, setting.seed_set, setting.part)
        for each in matrices_of(its):
            systems = zip(each.groups, each.seeds, each.accuracies, strict=True)
            table += [(*common, world.groups[setting.part][group], *rest) for group, *rest in systems]
    return pd.DataFrame(table, columns=list(MODEL_KEYS)).drop_duplicates(ignore_index=True)


def by_setting(world: World, rows: Rows) -> Iterator[tuple[Setting, Rows]]:
    """Yield what was trained, setting by setting, with the rows of each."""
    for place in dict.fromkeys(rows["setting"].tolist()):
        its = rows["setting"] == place
        yield world.settings[place], {name: values[its] for name, values in rows.items()}


def _correlations(parts: list[Compared]) -> Iterator[tuple]:
    (systems,) = parts
    named = {("accuracy difference", "Spearman"): "accuracy"}
    named |= {("output difference", kind): kind for kind in ("JSD", "Disagreement")}
    for (test, score), difference in named.items():
        for short in (*OF_REPRESENTATIONS, *OF_BEHAVIOUR):
            value = correlation_to_differences(
                systems.values[short],
                systems.values[difference],
                larger_is_more_similar=MEASURES[short].larger_is_more_similar,
                is_symmetric=short not in ASYMMETRIC,
            )
            yield test, score, short, value, 0.0, float("nan")


def _groups(parts: list[Compared], test: str) -> Iterator[tuple]:
    (systems,) = parts
    for score, (function, chance) in _OF_GROUPS.items():
        by_chance = chance(systems.groups)
        for short in (*OF_REPRESENTATIONS, *OF_BEHAVIOUR):
            larger = MEASURES[short].larger_is_more_similar
            value = function(systems.values[short], systems.groups, larger_is_more_similar=larger)
            yield test, score, short, value, *by_chance


def _layers(parts: list[Compared]) -> Iterator[tuple]:
    for score, (function, by_chance) in _OF_LAYERS.items():
        for short in OF_REPRESENTATIONS:
            larger = MEASURES[short].larger_is_more_similar
            found = [function(each.values[short], larger_is_more_similar=larger) for each in parts]
            known = [value for value in found if not np.isnan(value)]
            yield "layers", score, short, float(np.mean(known)) if known else float("nan"), *by_chance


_OF_GROUPS: dict[str, tuple[Callable, Callable]] = {
    "AUPRC": (group_precision, precision_by_chance),
    "Conformity Rate": (group_conformity, lambda _: Chance(0.5, 0.0)),
}
# Without ties half of the comparisons conform by chance; a constant measure has nothing but ties, which conform.
_OF_LAYERS: dict[str, tuple[Callable, Chance]] = {
    "Conformity Rate": (layer_conformity, Chance(0.5, 1.0)),
    "Spearman": (layer_correlation, Chance(0.0, float("nan"))),
}
_SCORED: dict[str, Callable[[list[Compared]], Iterator[tuple]]] = {
    BOTH_CORRELATIONS: _correlations,
    "layers": _layers,
} | {test: partial(_groups, test=test) for test in PARTS[1:-1]}


# ---- which of its groups a measure finds, test by test -------------------------------------------------------------


ACCURACY = "accuracy"  # what a reader gets who compares nothing but the accuracies of two networks
OF_GROUPS = [test for test, score in TESTS.items() if score == "AUPRC"]
COLUMNS = ["data", "network", "seed_set", "test", "group", "measure", "value"]


def precision_by_group(world: World, rows: Rows) -> pd.DataFrame:
    """Return how well each measure finds the pairs of each single group."""
    settings = ((setting, its) for setting, its in by_setting(world, rows) if setting.part in OF_GROUPS)
    return pd.DataFrame([row for each in settings for row in _of_setting(world, *each)], columns=COLUMNS)


def _of_setting(world: World, setting: Setting, rows: Rows) -> Iterator[tuple]:
    (systems,) = matrices_of(rows)
    common = (world.data, setting.network, setting.seed_set, setting.part)
    for measure in (*OF_REPRESENTATIONS, *OF_BEHAVIOUR, ACCURACY):
        larger = measure != ACCURACY and MEASURES[measure].larger_is_more_similar
        found = precision_of_each(systems.values[measure], systems.groups, larger_is_more_similar=larger)
        for group, value in found.items():
            yield (*common, world.groups[setting.part][group], measure, value)
