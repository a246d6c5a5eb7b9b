"""GCN, GraphSAGE and GAT on Cora, trained as the ReSi benchmark trains them."""

import random
import warnings
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from benchmarks.klabunde2024.planetoid import Graph, cora
from benchmarks.klabunde2024.record import Trained
from benchmarks.training.arms import one_thread
from erralign.models.libraries import torch

WIDTH: Final = 64
EPOCHS: Final = 200
DEEP: Final = 6  # layers of the networks whose layers are compared
SEED_OF_TEST_SHORTCUTS: Final = 2024  # the hints on test nodes are the same for all networks
# Share of labels replaced, share of true hints, share of edges dropped: groups by the names of the benchmark.
LABELS: Final = {"0%": 0.0, "25%": 0.25, "100%": 1.0}
SHORTCUTS: Final = {"0%": 0.0, "50%": 0.5, "100%": 1.0}
AUGMENTATION: Final = {"none": 0.0, "20% of edges": 0.2, "80% of edges": 0.8}


@dataclass(frozen=True)
class Recipe:
    """The settings of one architecture, from the paper's Table 4."""

    model: str  # the class in torch_geometric.nn.models
    layers: int  # with the classifier
    dropout: float  # share of activations
    rate: float  # of learning
    decay: float  # of weights
    options: tuple[tuple[str, Any], ...] = ()  # of the class


NETWORKS: Final = {
    "GAT": Recipe("GAT", 2, 0.6, 0.005, 0.0005, (("act", "elu"), ("heads", 8))),
    "GCN": Recipe("GCN", 3, 0.5, 0.01, 0.0),
    "SAGE": Recipe("GraphSAGE", 3, 0.5, 0.005, 0.0005),
}


def geometric() -> ModuleType:
    """Import PyTorch Geometric."""
    try:
        return import_module("torch_geometric")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"training on graphs needs the extra 'graphs' ({error.name} is not installed); get it, in the repository's "
            "folder, with  pip install -e '.[models,graphs]'"
        ) from error


def standard(network: str, seed: int) -> Trained:
    """Train a network on Cora as it is."""
    return _train(network, seed, "0%", cora())


def random_labels(network: str, seed: int, group: str) -> Trained:
    """Train a network on labels some of which are wrong."""
    graph = cora()
    return _train(network, seed, group, graph, labels=wrong_labels(graph.labels, LABELS[group], seed, graph.n_classes))


def shortcuts(network: str, seed: int, group: str) -> Trained:
    """Train a network on nodes whose features hold a hint; test nodes have the same wrong hints for all networks."""
    hints = hints_for(cora(), SHORTCUTS[group], seed)
    return _train(network, seed, group, cora(), hints=hints)


def augmentation(network: str, seed: int, group: str) -> Trained:
    """Train a network that sees only part of the edges, other ones in each epoch."""
    return _train(network, seed, group, cora(), dropped=AUGMENTATION[group])


def deep(network: str, seed: int) -> Trained:
    """Train a network with six layers, of which the first five are compared."""
    return _train(network, seed, "0%", cora(), layers=DEEP)


def wrong_labels(labels: np.ndarray, share: float, seed: int, n_classes: int) -> np.ndarray:
    """Replace some labels by others."""
    draw, replaced = random.Random(seed), labels.copy()
    for place in draw.sample(range(len(labels)), k=int(share * len(labels))):
        replaced[place] = draw.sample([label for label in range(n_classes) if label != labels[place]], k=1)[0]
    return replaced


def hints_for(graph: Graph, share: float, seed: int) -> np.ndarray:
    """Return the class that each node's hint names."""
    hints = graph.labels.copy()
    parts = [(graph.train, 1 - share, seed), (graph.validation, 1 - share, seed)]
    parts.append((graph.test, 1.0, SEED_OF_TEST_SHORTCUTS))
    for nodes, wrong, its_seed in parts:
        hints[nodes] = wrong_labels(graph.labels[nodes], wrong, its_seed, graph.n_classes)
    return hints


def _train(
    network: str,
    seed: int,
    group: str,
    graph: Graph,
    *,
    labels: np.ndarray | None = None,
    hints: np.ndarray | None = None,
    dropped: float = 0.0,
    layers: int | None = None,
) -> Trained:
    recipe = NETWORKS[network]
    with one_thread():
        model = _made(recipe, graph, _features(graph, hints), layers or recipe.layers, seed)
        _fit(model, recipe, graph, graph.labels if labels is None else labels, dropped)
        return _record(model, graph, group, seed)


def _features(graph: Graph, hints: np.ndarray | None) -> sp.csr_matrix:
    """Return each node's words, which add up to 1, and behind them its hint."""
    words = sp.diags(1 / np.maximum(np.asarray(graph.features.sum(axis=1)).ravel(), 1)) @ graph.features
    if hints is None:
        return sp.csr_matrix(words)
    return sp.csr_matrix(sp.hstack([words, sp.csr_matrix(np.eye(graph.n_classes)[hints])]))


@dataclass
class _Network:
    """A model whose first linear maps are applied outside it, since they take sparse features."""

    # Linear maps and sums over neighbours may change places, so that the model's first layer gets the mapped features.
    model: Any
    maps: list[Any]  # from words to channels
    bias: Any  # of the last map, or None
    features: Any
    transposed: Any

    @property
    def parameters(self) -> list[Any]:
        own = [*self.maps] + ([] if self.bias is None else [self.bias])
        return [*self.model.parameters(), *own]

    def mapped(self) -> list[Any]:
        """Return the features of all nodes after each map, as leaves that gather their gradients."""
        with torch().no_grad():
            found = [self.features @ each for each in self.maps]
            if self.bias is not None:
                found[-1] += self.bias
        return [each.requires_grad_() for each in found]

    def outputs(self, mapped: list[Any], edges: Any) -> Any:
        return self.model(mapped[0] if len(mapped) == 1 else tuple(mapped), edges)

    def pass_on(self, mapped: list[Any]) -> None:
        """Give the maps the gradients of what they made."""
        for each, its in zip(self.maps, mapped, strict=True):
            each.grad = self.transposed @ its.grad
        if self.bias is not None:
            self.bias.grad = mapped[-1].grad.sum(dim=0)


def _made(recipe: Recipe, graph: Graph, features: sp.csr_matrix, layers: int, seed: int) -> _Network:
    sizes = {"in_channels": features.shape[1], "hidden_channels": WIDTH, "out_channels": graph.n_classes}
    kind = getattr(geometric().nn.models, recipe.model)
    model = kind(**sizes, num_layers=layers, dropout=recipe.dropout, norm="BatchNorm", **dict(recipe.options))
    torch().manual_seed(seed)
    model.reset_parameters()
    first = model.convs[0]
    # GraphSAGE maps neighbours and node apart; the bias of the former may as well be added to the latter.
    names = [name for name in ("lin", "lin_l", "lin_r") if getattr(first, name, None) is not None]
    linears = [getattr(first, name) for name in names]
    biases = [each.bias for each in linears if each.bias is not None]
    for name in names:
        setattr(first, name, torch().nn.Identity())
    maps = [torch().nn.Parameter(each.weight.detach().T.contiguous()) for each in linears]
    return _Network(model, maps, biases[0] if biases else None, _sparse(features), _sparse(features.T.tocsr()))


def _sparse(matrix: sp.csr_matrix) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls this layout new
        parts = (torch().from_numpy(part.astype(np.int64)) for part in (matrix.indptr, matrix.indices))
        values = torch().from_numpy(matrix.data.astype(np.float32))
        return torch().sparse_csr_tensor(*parts, values, size=matrix.shape, check_invariants=False)


def _fit(network: _Network, recipe: Recipe, graph: Graph, labels: np.ndarray, dropped: float) -> None:
    edges, train = torch().from_numpy(graph.edges), torch().from_numpy(graph.train)
    wanted = torch().from_numpy(labels[graph.train])
    optimiser = torch().optim.Adam(network.parameters, lr=recipe.rate, weight_decay=recipe.decay)
    network.model.train()
    for _ in range(EPOCHS):
        optimiser.zero_grad()
        seen = geometric().utils.dropout_edge(edges, p=dropped)[0] if dropped else edges
        mapped = network.mapped()
        torch().nn.functional.cross_entropy(network.outputs(mapped, seen)[train], wanted).backward()
        network.pass_on(mapped)
        optimiser.step()


def _record(network: _Network, graph: Graph, group: str, seed: int) -> Trained:
    """Return what the network says of the test nodes, with what its inner convolutions give out."""
    layers: list[Any] = []
    network.model.eval()
    hooks = [each.register_forward_hook(lambda *found: layers.append(found[-1])) for each in network.model.convs[:-1]]
    with torch().no_grad():
        logits = network.outputs(network.mapped(), torch().from_numpy(graph.edges))
    for hook in hooks:
        hook.remove()
    of_test = [each.numpy()[graph.test] for each in (logits, *layers)]
    return Trained(group, seed, graph.labels[graph.test], of_test[0], tuple(of_test[1:]))
