"""Losses made of the measures, what the study of them found, and networks that are trained for other pages."""

import numpy as np
import pytest

import erralign
from benchmarks.klabunde2024 import families, graphs, language
from benchmarks.klabunde2024.planetoid import cora
from benchmarks.training import heads as study
from benchmarks.training.arms import total_loss
from erralign import training
from erralign.training.losses import EXTRAS
from erralign_book.studies.training.scores import minus_at_equal_accuracy, shares_of

MEASURES = {"soft_ec": "EC", "soft_ma": "MA", "soft_cles": "CLES"}


def drawn(seed=0, n=200, n_classes=5):
    """Return true classes, and answers of two systems, one of which now and then gives none."""
    rng = np.random.default_rng(seed)
    truth, a = rng.integers(n_classes, size=(2, n))
    return truth, np.where(rng.random(n) < 0.5, truth, a), rng.integers(-1, n_classes, size=n)


# --- losses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("seed", range(3))
def test_a_soft_measure_of_answers_that_are_certain_is_the_measure(torch, name, seed):
    truth, a, b = drawn(seed)
    shares = torch.tensor(shares_of(b[None], 5))
    soft = getattr(training, name)(torch.tensor(1e3 * np.eye(5)[a]), torch.tensor(truth), shares)
    own = erralign.MEASURES[MEASURES[name]]
    classes = {"n_classes": 5} if own.short == "CLES" else {}
    assert soft.item() == pytest.approx(own.function(truth, a, b, **classes), abs=1e-12)


@pytest.mark.parametrize("name", [*MEASURES, "wrong_answers"])
def test_padding_does_not_count(torch, name):
    draw = torch.Generator().manual_seed(1)
    logits, shares = torch.randn(2, 30, 5, generator=draw, dtype=torch.float64)
    truth, loss = torch.randint(5, (30,), generator=draw), getattr(training, name)
    padded = loss(logits, truth, shares.softmax(-1), (torch.arange(30) < 20).double())
    assert padded.item() == pytest.approx(loss(logits[:20], truth[:20], shares.softmax(-1)[:20]).item())


def test_wrong_answers_do_not_ask_how_probable_the_true_class_is(torch):
    truth, a, b = drawn()
    logits, shares = torch.randn(200, 5), torch.tensor(shares_of(np.stack([a, b]), 5)).float()
    moved = logits + 3 * torch.eye(5)[truth]
    told = [training.wrong_answers(each, torch.tensor(truth), shares).item() for each in (logits, moved)]
    assert told[0] == pytest.approx(told[1], rel=1e-5)


@pytest.mark.parametrize("name", [*EXTRAS, "people's shares", "category's shares"])
def test_gradients_are_those_of_small_steps(torch, name):
    draw = torch.Generator().manual_seed(2)
    logits, shares = torch.randn(2, 12, 4, generator=draw, dtype=torch.float64)
    truth, weights = torch.randint(4, (12,), generator=draw), torch.rand(12, generator=draw, dtype=torch.float64)
    given = truth, 0.9 * shares.softmax(-1), weights
    assert torch.autograd.gradcheck(lambda z: total_loss(name, 2.0, z, *given), logits.requires_grad_())


# --- controls, and the comparison at equal accuracy -------------------------------------------------------------------


def spoiled(name, n_people=3, n_classes=5):
    rng = np.random.default_rng(0)
    truth = rng.integers(n_classes, size=400)
    answers = np.where(rng.random((n_people, 400)) < 0.6, truth, rng.integers(n_classes, size=(n_people, 400)))
    return truth, answers, study.controls()[name](answers, truth, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["shuffled", "relabelled", "random errors"])
def test_each_control_keeps_how_often_people_are_right_in_each_category(name):
    truth, before, after = spoiled(name)
    for category in range(5):
        of = truth == category
        assert ((before == truth)[:, of].sum(axis=1) == (after == truth)[:, of].sum(axis=1)).all()
    assert (before != after).any()


def test_each_control_spoils_what_it_is_meant_to():
    truth, before, after = spoiled("relabelled")
    assert ((before == truth) == (after == truth)).all()  # where people are wrong stays
    assert (before != after)[before != truth].all()
    truth, before, after = spoiled("shuffled")
    agreed = [(each[0] == each[1])[(each[:2] != truth).all(axis=0)].mean() for each in (before, after)]
    assert agreed[0] == pytest.approx(agreed[1])  # people stay together, on another picture


def test_equal_accuracy_is_on_the_line_between_two_decays():
    arms = np.zeros((4, 4))
    arms[:3, 0], arms[:3, 1], arms[3, :2] = [0.4, 0.2, 0.3], [0.10, 0.02, 0.04], [0.35, 0.1]
    assert minus_at_equal_accuracy(3, slice(3), "EC")(arms) == pytest.approx(0.1 - 0.07)
    arms[3, 0] = 0.5  # beyond the end, the end counts
    assert minus_at_equal_accuracy(3, slice(3), "EC")(arms) == pytest.approx(0)


@pytest.mark.parametrize("network", ["plain", "ViT"])
def test_the_last_layer_is_what_the_classifier_gets(torch, network):
    torch.manual_seed(0)
    built = families.family(network, 8, 10)
    built.model.eval()
    logits, layers = families.with_layers(built, torch.rand(3, 3, 8, 8))
    np.testing.assert_allclose(built.classifier(layers[-1]).detach(), logits, rtol=1e-5, atol=1e-6)


# --- networks that are trained for other pages ------------------------------------------------------------------------


def test_the_share_of_new_labels_is_as_wanted_and_they_are_equally_frequent():
    labels = np.arange(20_000) % 2
    drawn = language.renamed(labels, 0.75, np.random.default_rng(0))
    new = drawn >= language.CLASSES
    assert new.mean() == pytest.approx(0.75, abs=0.02)
    assert np.array_equal(drawn[~new], labels[~new])
    counts = np.bincount(drawn[new])[language.CLASSES :]
    np.testing.assert_allclose(counts / counts.sum(), 1 / language.NEW_LABELS, atol=0.02)


@pytest.mark.parametrize("share", language.SHORTCUTS.values())
def test_hints_are_right_as_often_as_wanted_and_come_before_the_words(share):
    shown = language.Sentences(((language.FIRST, 9, 8),) * 5_000, np.arange(5_000) % 2)
    tokens = np.array(language.with_hints(shown, share, np.random.default_rng(0)).tokens)
    assert (tokens[:, [0, 2, 3]] == [language.FIRST, 9, 8]).all()
    assert (tokens[:, 1] - language.HINT == shown.labels).mean() == pytest.approx(share, abs=0.02)


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
def test_sparse_features_give_the_same_outputs_and_gradients(requires_data, torch, network):
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
