"""Networks on Cora train as plain PyTorch Geometric would train them, on what the benchmark gives its groups."""

import sys

import numpy as np
import pytest

from erralign_book.sources.planetoid import cora
from erralign_book.training import graphs


def plain(network, seed):
    """Make the network with dense features and nothing of ours: the same recipe, written down once more."""
    import torch
    from torch_geometric.nn import models

    options = {"GAT": {"act": "elu", "heads": 8}}.get(network, {})
    name, layers, dropout = {"GCN": ("GCN", 3, 0.5), "SAGE": ("GraphSAGE", 3, 0.5), "GAT": ("GAT", 2, 0.6)}[network]
    model = getattr(models, name)(1433, 64, layers, 7, dropout=dropout, norm="BatchNorm", **options)
    torch.manual_seed(seed)
    model.reset_parameters()
    words = cora().features.toarray()
    x = torch.from_numpy((words / words.sum(axis=1, keepdims=True)).astype(np.float32))
    return model, model(x, torch.from_numpy(cora().edges))


def ours(network, seed):
    recipe = graphs.NETWORKS[network]
    made = graphs._made(recipe, cora(), graphs._features(cora(), None), recipe.layers, seed)
    return made, made.mapped()


@pytest.mark.parametrize("network", graphs.NETWORKS)
def test_sparse_features_give_the_same_outputs_and_gradients(requires_data, requires_models, network):
    import torch

    model, outputs = plain(network, 3)
    made, mapped = ours(network, 3)
    found = made.outputs(mapped, torch.from_numpy(cora().edges))
    np.testing.assert_allclose(found.detach().numpy(), outputs.detach().numpy(), atol=1e-5)
    labels = torch.from_numpy(cora().labels)
    for each in (outputs, found):
        torch.nn.functional.cross_entropy(each[:140], labels[:140]).backward()
    made.pass_on(mapped)
    first = model.convs[0]
    linears = [getattr(first, name) for name in ("lin", "lin_l", "lin_r") if getattr(first, name, None) is not None]
    for linear, its in zip(linears, made.maps, strict=True):
        np.testing.assert_allclose(its.grad.numpy().T, linear.weight.grad.numpy(), atol=1e-6)
    gradients = {name: each.grad for name, each in model.named_parameters()}
    for name, each in made.model.named_parameters():
        np.testing.assert_allclose(each.grad.numpy(), gradients[name].numpy(), atol=1e-5, err_msg=name)


@pytest.mark.parametrize("network", graphs.NETWORKS)
def test_equal_seeds_begin_with_equal_weights_in_all_groups(requires_data, requires_models, monkeypatch, network):
    monkeypatch.setattr(graphs, "EPOCHS", 0)
    first = graphs.standard(network, 1)
    for other in (graphs.random_labels(network, 1, "100%"), graphs.augmentation(network, 1, "80% of edges")):
        np.testing.assert_array_equal(first.logits, other.logits)
    assert not np.array_equal(first.logits, graphs.standard(network, 2).logits)


def test_replaced_labels_are_never_true_and_as_many_as_asked_for():
    labels = np.random.default_rng(0).integers(7, size=1000)
    for share in (0.0, 0.25, 1.0):
        changed = graphs.wrong_labels(labels, share, 5, 7) != labels
        assert changed.sum() == int(share * 1000)


def test_hints_are_as_released(requires_data):
    graph, true = cora(), {}
    for group, share in graphs.SHORTCUTS.items():
        right = graphs.hints_for(graph, share, 4) == graph.labels
        true[group] = [right[nodes].mean() for nodes in (graph.train, graph.test, graph.outside)]
    assert list(true.values()) == [[0, 0, 1], [0.5, 0, 1], [1, 0, 1]]
    of_test = [graphs.hints_for(graph, 0.5, seed)[graph.test] for seed in (0, 1)]
    np.testing.assert_array_equal(*of_test)


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs the extra 'graphs'.*pip install -e '\.\[models,graphs\]'"):
        graphs.geometric()
