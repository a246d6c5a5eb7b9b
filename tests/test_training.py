"""Losses made of the measures, and what the study of them found."""

import numpy as np
import pandas as pd
import pytest

import erralign
from erralign import training
from erralign.models import libraries
from erralign.training.losses import EXTRAS, total_loss
from erralign.training.scores import minus_at_equal_accuracy, shares_of
from erralign_book.simulations import training as study
from erralign_book.simulations.training.comparisons import _further_above
from erralign_book.training.heads import PATH

MEASURES = {"soft_ec": "EC", "soft_ma": "MA", "soft_cles": "CLES"}


@pytest.fixture
def torch(requires_models):
    return libraries.torch()


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
    classes = {"n_classes": 5} if own.needs_classes else {}
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
    return truth, answers, study.CONTROLS[name](answers, truth, np.random.default_rng(1))


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
    assert all((np.bincount(before[0][truth == c]) == np.bincount(after[0][truth == c])).all() for c in range(3))
    agreed = [(each[0] == each[1])[(each[:2] != truth).all(axis=0)].mean() for each in (before, after)]
    assert agreed[0] == pytest.approx(agreed[1])  # people stay together, on another picture


def test_equal_accuracy_is_on_the_line_between_two_decays():
    arms = np.zeros((4, 4))
    arms[:3, 0], arms[:3, 1], arms[3, :2] = [0.4, 0.2, 0.3], [0.10, 0.02, 0.04], [0.35, 0.1]
    assert minus_at_equal_accuracy(3, slice(3), "EC")(arms) == pytest.approx(0.1 - 0.07)
    arms[3, 0] = 0.5  # beyond the end, the end counts
    assert minus_at_equal_accuracy(3, slice(3), "EC")(np.stack([arms, arms])) == pytest.approx([0, 0])


def test_a_loss_is_further_above_the_path_than_its_copy_by_the_difference_where_the_path_is_flat():
    arms = np.random.default_rng(0).random((len(PATH) + 2, 4))
    arms[: len(PATH), 1] = 0.3
    loss, copy = range(len(PATH), len(PATH) + 2)
    assert _further_above(loss, copy, "EC")(arms) == pytest.approx(arms[loss, 1] - arms[copy, 1])


# --- what the study found ---------------------------------------------------------------------------------------------


def test_a_difference_is_what_the_loss_has_more():
    values = study.values().set_index(["split", "loss", "measure"])["value"]
    found = study.differences().set_index("minus").loc[[study.BASE_NAME, *study.COPIES.values()]].reset_index()
    first, second = (values.loc[pd.MultiIndex.from_frame(found[["split", of, "measure"]])] for of in ("loss", "minus"))
    np.testing.assert_allclose(found["value"], first.to_numpy() - second.to_numpy(), atol=1e-12)
