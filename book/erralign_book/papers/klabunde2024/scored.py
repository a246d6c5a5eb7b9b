"""All pairs of trained networks, or of the layers of one, and what each measure says of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import softmax

from erralign import resi_tests
from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign.similarity import pairwise
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.training import Trained

OF_BEHAVIOUR = ("EC", "MA", "CLES", "SOC", "SOCE")
ASYMMETRIC = tuple(short for short, each in OF_REPRESENTATIONS.items() if "order of systems" not in each.invariances)
DIFFERENCES = ("accuracy", "Disagreement", "JSD")
COLUMNS = (*OF_REPRESENTATIONS, *OF_BEHAVIOUR, *DIFFERENCES)

Rows = dict[str, np.ndarray]


@dataclass(frozen=True)
class Compared:
    """Systems that were all compared with each other."""

    groups: np.ndarray  # their places
    seeds: np.ndarray
    accuracies: np.ndarray
    values: dict[str, np.ndarray]  # a square by measure or kind of difference; nan on the diagonal


def pairs_of(models: Sequence[Trained], groups: Sequence[str], setting: int) -> Rows:
    """Compare all pairs of networks: their last representations, their answers, their outputs."""
    found = pairwise([each.representation for each in models])
    rows = _rows(found, [(groups.index(each.group), each.seed, each.accuracy) for each in models], setting)
    others = [_others(models[a], models[b]) for _, a, b in rows["places"][:, :3]]
    rows["values"][:, len(OF_REPRESENTATIONS) :] = others
    return rows


def layer_pairs_of(models: Sequence[Trained], groups: Sequence[str], setting: int) -> Rows:
    """Compare all pairs of layers of each network."""
    parts = []
    for place, model in enumerate(models):
        system = (groups.index(model.group), model.seed, model.accuracy)
        parts.append(_rows(pairwise(model.layers), [system] * len(model.layers), setting, place))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def matrices_of(rows: Rows) -> Iterator[Compared]:
    """Give back matrices of all measures: of all networks, or one after the other of each network's layers."""
    for network in np.unique(rows["places"][:, 0]):
        its = rows["places"][:, 0] == network
        yield _compared({name: values[its] for name, values in rows.items()})


def _rows(found: dict[str, np.ndarray], systems: list[tuple[int, int, float]], setting: int, network: int = 0) -> Rows:
    a, b = np.triu_indices(len(systems), 1)
    groups, seeds = np.array([each[:2] for each in systems]).T
    accuracies = np.array([each[2] for each in systems])
    values = np.full((len(a), len(COLUMNS)), np.nan)
    values[:, : len(found)] = np.column_stack([matrix[a, b] for matrix in found.values()])
    places = (np.full(len(a), network), a, b, groups[a], groups[b], seeds[a], seeds[b])
    return {
        "setting": np.full(len(a), setting, dtype=np.int16),
        "places": np.column_stack(places).astype(np.int16),
        "accuracies": np.column_stack([accuracies[a], accuracies[b]]),
        "values": values,
        "turned": np.column_stack([found[short][b, a] for short in ASYMMETRIC]),
    }


def _others(one: Trained, other: Trained) -> list[float]:
    n_classes = one.logits.shape[1]
    sure = [softmax(each.logits.astype(np.float64), axis=1) for each in (one, other)]
    data = dict.fromkeys(("EC", "MA", "CLES"), (one.labels, one.answers, other.answers))
    data |= {"SOC": (*sure,), "SOCE": (one.labels, *sure)}  # type: ignore[dict-item]
    more = {short: {"n_classes": n_classes} if MEASURES[short].needs_classes else {} for short in OF_BEHAVIOUR}
    values = [MEASURES[short].function(*data[short], **more[short]) for short in OF_BEHAVIOUR]
    outputs = [compare(one.logits, other.logits) for compare in (resi_tests.disagreement, resi_tests.output_divergence)]
    return [*values, abs(one.accuracy - other.accuracy), *outputs]


def _compared(rows: Rows) -> Compared:
    _, a, b, group_a, group_b, seed_a, seed_b = rows["places"].T
    n = int(b.max()) + 1
    values = {}
    for column, name in enumerate(COLUMNS):
        matrix = np.full((n, n), np.nan)
        matrix[a, b] = matrix[b, a] = rows["values"][:, column]
        if name in ASYMMETRIC:
            matrix[b, a] = rows["turned"][:, ASYMMETRIC.index(name)]
        values[name] = matrix
    groups, seeds, accuracies = np.empty(n, dtype=int), np.empty(n, dtype=int), np.empty(n)
    for place, group, seed, accuracy in ((a, group_a, seed_a, 0), (b, group_b, seed_b, 1)):
        groups[place], seeds[place], accuracies[place] = group, seed, rows["accuracies"][:, accuracy]
    return Compared(groups, seeds, accuracies, values)


# ---- the six tests of all measures, from what the measures say of pairs of trained networks -----------------------


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
            value = resi_tests.correlation_to_differences(
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
    "AUPRC": (resi_tests.group_precision, resi_tests.precision_by_chance),
    "Conformity Rate": (resi_tests.group_conformity, lambda _: resi_tests.Chance(0.5, 0.0)),
}
# Without ties half of the comparisons conform by chance; a constant measure has nothing but ties, which conform.
_OF_LAYERS: dict[str, tuple[Callable, resi_tests.Chance]] = {
    "Conformity Rate": (resi_tests.layer_conformity, resi_tests.Chance(0.5, 1.0)),
    "Spearman": (resi_tests.layer_correlation, resi_tests.Chance(0.0, float("nan"))),
}
_SCORED: dict[str, Callable[[list[Compared]], Iterator[tuple]]] = {
    BOTH_CORRELATIONS: _correlations,
    "layers": _layers,
} | {test: partial(_groups, test=test) for test in PARTS[1:-1]}


# ---- which of its groups a measure finds, test by test -------------------------------------------------------------


ACCURACY = "accuracy"  # what a reader gets who compares nothing but the accuracies of two networks
OF_GROUPS = [test for test, score in TESTS.items() if score == "AUPRC"]
PRECISIONS = ["data", "network", "seed_set", "test", "group", "measure", "value"]


def precision_by_group(world: World, rows: Rows) -> pd.DataFrame:
    """Return how well each measure finds the pairs of each single group."""
    settings = ((setting, its) for setting, its in by_setting(world, rows) if setting.part in OF_GROUPS)
    return pd.DataFrame([row for each in settings for row in _of_setting(world, *each)], columns=PRECISIONS)


def _of_setting(world: World, setting: Setting, rows: Rows) -> Iterator[tuple]:
    (systems,) = matrices_of(rows)
    common = (world.data, setting.network, setting.seed_set, setting.part)
    for measure in (*OF_REPRESENTATIONS, *OF_BEHAVIOUR, ACCURACY):
        larger = measure != ACCURACY and MEASURES[measure].larger_is_more_similar
        found = resi_tests.precision_of_each(systems.values[measure], systems.groups, larger_is_more_similar=larger)
        for group, value in found.items():
            yield (*common, world.groups[setting.part][group], measure, value)
