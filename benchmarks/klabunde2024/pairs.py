"""Networks trained anew for the six tests of Klabunde et al. (2024), and what each measure says of all their pairs.

This is what takes hours. The scores of the tests are computed from these tables in the chapters that show them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import softmax

from benchmarks.klabunde2024 import graphs, language, vision
from benchmarks.klabunde2024.planetoid import PLANETOID
from benchmarks.klabunde2024.record import Trained
from benchmarks.klabunde2024.sst2 import SST2
from erralign import measures, resi_tests
from erralign.similarity import pairwise
from erralign_book.cells import frozen

OF_BEHAVIOUR: Final = ("EC", "MA", "CLES", "SOC", "SOCE")
ASYMMETRIC: Final = tuple(
    short for short, each in measures.OF_REPRESENTATIONS.items() if "order of systems" not in each.invariances
)
APART: Final = ("accuracy", "Disagreement", "JSD")  # how far two networks are apart in what they answer
OUTPUTS: Final = "accuracy and outputs"  # the networks of the first two tests, which differ only in their seeds
LAYERS: Final = "layers"
SEEDS_APART: Final = 10  # sets of seeds have none in common; the first has the benchmark's
IN_A_GROUP: Final = 5
ON_GRAPHS: Final = ("torch", "torch_geometric")

Columns = dict[str, np.ndarray]  # one array for each column of a table


class Setting(NamedTuple):
    """Networks of one kind and one set of seeds, made for one test."""

    network: str
    seed_set: int  # from 0
    test: str


# The groups of each test, by their names.
ON_CORA: Final[dict[str, Sequence[str]]] = {
    OUTPUTS: ["0%"],
    "random labels": [*graphs.LABELS],
    "shortcuts": [*graphs.SHORTCUTS],
    "augmentation": [*graphs.AUGMENTATION],
    LAYERS: ["0%"],
}
ON_DIGITS: Final[dict[str, Sequence[str]]] = {
    OUTPUTS: ["0%"],
    "random labels": [*vision.LABELS],
    "shortcuts": [*vision.SHORTCUTS],
    "augmentation": [*vision.AUGMENTATION],
    LAYERS: ["0%"],
}
ON_SENTENCES: Final[dict[str, Sequence[str]]] = {
    OUTPUTS: ["0%"],
    "random labels": [*language.LABELS],
    LAYERS: ["0%"],
    "shortcuts": [*language.SHORTCUTS],
}
OF_GRAPHS = [
    Setting(network, seeds, test) for seeds, network, test in product(range(3), ("GCN", "SAGE", "GAT"), ON_CORA)
]
OF_PICTURES = [Setting(*each) for each in product(("plain", "ResNet", "ViT", "Mixer"), range(2), ON_DIGITS)]
OF_SENTENCES = [Setting("encoder", *each) for each in product(range(2), ON_SENTENCES)]


# ---- what the measures say of all pairs, a row per pair -------------------------------------------------------------


@frozen(
    "klabunde2024/graph_pairs.npz",
    inputs=[PLANETOID],
    needs=ON_GRAPHS,
    slow=True,
    rtol=1e-2,
    settings=OF_GRAPHS,
    spot=[Setting("GCN", 0, LAYERS), Setting("SAGE", 1, "augmentation")],
)
def graph_pairs(setting: Setting) -> Columns:
    """Compare all networks trained on Cora for one test."""
    return compared(setting, trained(setting, ON_CORA, on_cora))


@frozen(
    "klabunde2024/vision_pairs.npz",
    needs=["torch", "timm", "sklearn"],
    slow=True,
    rtol=1e-2,
    settings=OF_PICTURES,
    spot=[Setting("plain", 0, LAYERS), Setting("ViT", 0, LAYERS)],
)
def vision_pairs(setting: Setting) -> Columns:
    """Compare all networks trained on scikit-learn's digits for one test."""
    return compared(setting, trained(setting, ON_DIGITS, on_digits))


@frozen(
    "klabunde2024/language_pairs.npz",
    inputs=[SST2],
    needs=["torch"],
    slow=True,
    rtol=1e-2,
    settings=OF_SENTENCES,
    spot=[Setting("encoder", 0, LAYERS), Setting("encoder", 0, OUTPUTS)],
)
def language_pairs(setting: Setting) -> Columns:
    """Compare all encoders trained on SST-2 for one test: not MultiBERTs, which the paper took."""
    return compared(setting, trained(setting, ON_SENTENCES, on_sentences))


@frozen(
    "klabunde2024/agreement",
    inputs=[PLANETOID],
    needs=ON_GRAPHS,
    slow=True,
    rtol=1e-2,
    settings=[(network, differ) for differ in ("training", "seed only") for network in graphs.NETWORKS],
    spot=[("GCN", "seed only"), ("SAGE", "seed only")],
    by=["network", "differ"],
)
def agreement(world: tuple[str, str]) -> pd.DataFrame:
    """Correlate the measures, two by two, over all pairs of networks of one kind.

    Ten differ only in their seeds. Where training differs, there are twenty more, of which no table has the pairs.
    """
    network, differ = world
    models = [graphs.standard(network, seed) for seed in range(2 * IN_A_GROUP)]
    for seed in range(IN_A_GROUP if differ == "training" else 0):
        models += [graphs.random_labels(network, seed, group) for group in ("25%", "100%")]
        models += [graphs.shortcuts(network, seed, "100%"), graphs.augmentation(network, seed, "80% of edges")]
    apart = ~np.eye(len(models), dtype=bool)
    found = pairwise([each.representation for each in models])
    signs = {short: 1 if each.larger_is_more_similar else -1 for short, each in measures.OF_REPRESENTATIONS.items()}
    values = pd.DataFrame({short: signs[short] * matrix[apart] for short, matrix in found.items()})
    r, known = values.corr("spearman"), values.notna().astype(int)
    n = known.T @ known
    pairs = combinations(values, 2)
    return pd.DataFrame({"measure_a": a, "measure_b": b, "r": r.loc[a, b], "pairs": n.loc[a, b]} for a, b in pairs)  # type: ignore[index]


# ---- features, for a reader's own measure ---------------------------------------------------------------------------


@frozen(
    "klabunde2024/cora_features.npz",
    inputs=[PLANETOID],
    needs=ON_GRAPHS,
    slow=True,
    rtol=1e-2,
    settings=["random labels", OUTPUTS, "shortcuts", LAYERS],
    spot=["random labels", OUTPUTS],
)
def cora_features(test: str) -> Columns:
    """Return features of the 1,000 test papers, in half precision: of the GCNs of the first seeds, or of layers of one.

    Of the ten networks of the first two tests, five are those without wrong labels of the third. Those of the test of
    augmentation are left out, to keep the file small.
    """
    models = trained(Setting("GCN", 0, test), ON_CORA, on_cora)
    if test == OUTPUTS:
        models = models[IN_A_GROUP:]
    features = [each.representation for each in models]
    if test == LAYERS:
        features = [*models[0].layers]
        models = models[:1] * len(features)
    return {
        "test": np.full(len(features), test, dtype="U20"),
        "group": np.array([each.group for each in models], dtype="U20"),
        "seed": np.array([each.seed for each in models]),
        "features": np.array(features).astype(np.float16),
    }


# ---- training --------------------------------------------------------------------------------------------------------


def trained(setting: Setting, groups: Mapping[str, Sequence[str]], train: Callable[..., Trained]) -> list[Trained]:
    """Train the networks of one setting; all its groups have the same seeds."""
    n = 2 * IN_A_GROUP if setting.test == OUTPUTS else IN_A_GROUP
    seeds = range(setting.seed_set * SEEDS_APART, setting.seed_set * SEEDS_APART + n)
    its = groups[setting.test]
    return [train(setting.network, seed, setting.test, group, its[0]) for group in its for seed in seeds]


def on_cora(network: str, seed: int, test: str, group: str, first: str) -> Trained:
    """Train one network; those on Cora as it is serve three tests."""
    if test == LAYERS:
        return graphs.deep(network, seed)
    if test == "shortcuts":
        return graphs.shortcuts(network, seed, group)
    if group == first:
        return replace(graphs.standard(network, seed), group=group)
    if test == "random labels":
        return graphs.random_labels(network, seed, group)
    return graphs.augmentation(network, seed, group)


def on_digits(network: str, seed: int, test: str, group: str, first: str) -> Trained:
    """Train one network; those on the pictures as they are serve three tests."""
    if test == "augmentation":
        return vision.augmentation(network, seed, group)
    if test == "shortcuts":
        return vision.shortcuts(network, seed, group)
    if group == first:
        return replace(vision.standard(network, seed), group=group)
    return vision.random_labels(network, seed, group)


def on_sentences(_network: str, seed: int, test: str, group: str, first: str) -> Trained:
    """Train one network; those on phrases as they are serve three tests."""
    if test == "shortcuts":
        return language.shortcuts(seed, group)
    if group == first:
        return language.standard(seed)
    return language.random_labels(seed, group)


# ---- comparing -------------------------------------------------------------------------------------------------------


def compared(setting: Setting, models: Sequence[Trained]) -> Columns:
    """Compare all networks of one setting by all measures, or all layers of each."""
    if setting.test == LAYERS:
        its = joined(
            rows(setting, [model] * len(model.layers), pairwise(model.layers), place)
            for place, model in enumerate(models)
        )
        return its | {name: np.full(len(its["a"]), np.nan) for name in (*OF_BEHAVIOUR, *APART)}
    its = rows(setting, models, pairwise([each.representation for each in models]))
    others = [of_outputs(models[a], models[b]) for a, b in zip(its["a"], its["b"], strict=True)]
    return its | {name: np.array([each[name] for each in others]) for name in others[0]}


def rows(setting: Setting, models: Sequence[Trained], found: dict[str, np.ndarray], place: int = 0) -> Columns:
    """Put what the measures say of all pairs into a table, a row per pair."""
    a, b = np.triu_indices(len(models), 1)
    groups, seeds, accuracies = (
        np.array([getattr(each, name) for each in models]) for name in ("group", "seed", "accuracy")
    )
    names = {
        name: np.full(len(a), value, dtype="U20") for name, value in zip(("network", "test"), setting[::2], strict=True)
    }
    places = {"seed_set": np.full(len(a), setting.seed_set), "model": np.full(len(a), place), "a": a, "b": b}
    of_both = {
        f"{name}_{end}": values[which]
        for name, values in (("group", groups.astype("U20")), ("seed", seeds), ("accuracy", accuracies))
        for end, which in (("a", a), ("b", b))
    }
    values = {short: matrix[a, b] for short, matrix in found.items()}
    turned = {f"{short}, turned": found[short][b, a] for short in ASYMMETRIC}
    return names | places | of_both | values | turned


def joined(parts: Iterable[Columns]) -> Columns:
    """Put tables below each other."""
    parts = [*parts]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def of_outputs(one: Trained, other: Trained) -> dict[str, float]:
    """Return what measures say of the answers and the outputs of two networks, and how far these are apart."""
    n_classes = one.logits.shape[1]
    sure = [softmax(each.logits.astype(np.float64), axis=1) for each in (one, other)]
    data: dict = dict.fromkeys(("EC", "MA", "CLES"), (one.labels, one.answers, other.answers))
    data |= {"SOC": (*sure,), "SOCE": (one.labels, *sure)}
    values = {}
    for short in OF_BEHAVIOUR:
        more = {"n_classes": n_classes} if short == "CLES" else {}
        values[short] = measures.MEASURES[short].function(*data[short], **more)
    values["accuracy"] = abs(one.accuracy - other.accuracy)
    values["Disagreement"] = resi_tests.disagreement(one.logits, other.logits)
    values["JSD"] = resi_tests.output_divergence(one.logits, other.logits)
    return values
