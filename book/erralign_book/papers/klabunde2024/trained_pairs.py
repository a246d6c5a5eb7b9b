"""All pairs of trained networks, or of the layers of one, and what each measure says of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from erralign.grounding import disagreement, output_divergence
from erralign.measures import MEASURES, OF_REPRESENTATIONS
from erralign.similarity import pairwise
from erralign_book.training import Trained

OF_BEHAVIOUR = ("EC", "MA", "CLES", "SOC", "SOCE")
ASYMMETRIC = tuple(short for short, each in OF_REPRESENTATIONS.items() if "order of systems" not in each.invariances)
DIFFERENCES = ("accuracy", "Disagreement", "JSD")
COLUMNS = (*OF_REPRESENTATIONS, *OF_BEHAVIOUR, *DIFFERENCES)
# A pair: which network's layers it belongs to (else 0), both places in the list, their groups' places, their seeds.
PLACES = ("network", "a", "b", "group_a", "group_b", "seed_a", "seed_b")

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
    outputs = [compare(one.logits, other.logits) for compare in (disagreement, output_divergence)]
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
