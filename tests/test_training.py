"""Losses made of the measures, grouped folds, and what the study of them found."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import refused_otherwise
from conftest import ROOT

import erralign
from erralign import training
from erralign.models import libraries
from erralign.training import heads
from erralign.training.scores import minus_at_equal_accuracy
from erralign_book.simulations import training as study

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
    shares = torch.tensor(heads.shares_of(b[None], 5))
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
    logits, shares = torch.randn(200, 5), torch.tensor(heads.shares_of(np.stack([a, b]), 5)).float()
    moved = logits + 3 * torch.eye(5)[truth]
    told = [training.wrong_answers(each, torch.tensor(truth), shares).item() for each in (logits, moved)]
    assert told[0] == pytest.approx(told[1], rel=1e-5)


# --- folds ------------------------------------------------------------------------------------------------------------


def made_of(seed=0):
    """Return the photographs of pictures, their true classes and folds."""
    exemplars = study.material().exemplars
    truth = study.material().truth
    return exemplars, truth, study.folds_of(seed)


@pytest.mark.usefixtures("requires_data")
@pytest.mark.parametrize("seed", [0, 7])
def test_grouped_folds_share_neither_shape_nor_texture(seed):
    exemplars, truth, cut = made_of(seed)
    for head, train in enumerate(cut.train):
        for of in (exemplars[name] for name in exemplars):
            assert not set(of[train]) & set(of[cut.test == head])
    assert cut.train[cut.seen, np.arange(len(truth))].all()
    assert not cut.train[cut.test, np.arange(len(truth))].any()


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


def toy(n=240, n_classes=4, n_people=6):
    """Return features that tell the class and one habit, and people who share that habit."""
    rng = np.random.default_rng(0)
    truth = np.arange(n) % n_classes
    hard = rng.random(n)
    answers = {
        f"person {i}": np.where(hard + 0.2 * rng.normal(size=n) > 0.7, (truth + 1) % n_classes, truth)
        for i in range(n_people)
    }
    X = np.column_stack([np.eye(n_classes)[truth] + 0.8 * rng.normal(size=(n, n_classes)), hard, hard**2])
    index = [f"picture {i}" for i in range(n)]
    responses = erralign.Responses.from_table(
        pd.Series(truth, index), pd.DataFrame(answers, index), classes=list("abcd"), kind="human"
    )
    return X, responses, np.arange(n) // 6


@pytest.mark.slow
def test_align_finds_a_habit_that_can_be_learned(torch, tmp_path):
    X, responses, material = toy()
    np.save(tmp_path / "features.npy", X)
    found = training.align(tmp_path / "features.npy", responses, "wrong answers", clusters=material, n_seeds=3)
    gain = found.differences.set_index(["measure", "minus"])
    assert gain.loc[("MA", "cross-entropy"), "low"] > 0
    assert list(found.answers) == ["seed 0", "seed 1", "seed 2"]
    shuffled = pd.DataFrame(X, responses.truth.index).sample(frac=1, random_state=0)
    again = training.align(shuffled, responses, "wrong answers", clusters=material, n_seeds=3)
    pd.testing.assert_frame_equal(found.values, again.values)


def test_align_refuses_what_it_cannot_use():
    X, responses, material = toy()
    align = partial(training.align, clusters=material)
    cases = {
        "loss is 'ec2'; expected one of": partial(align, X, responses, "ec2"),
        "features has 3 trials, responses has 240": partial(align, X[:3], responses),
        "features holds NaN or infinite values": partial(align, X * np.nan, responses),
        "n_seeds is 1": partial(align, X, responses, n_seeds=1),
        "split is 'by hand'": partial(align, X, responses, split="by hand"),
        "responses has 3 people; expected at least 4": partial(align, X, toy(n_people=3)[1]),
    }
    assert not refused_otherwise(cases.items())


# --- what the study found ---------------------------------------------------------------------------------------------


def test_a_difference_is_what_the_loss_has_more():
    values = study.values().set_index(["split", "loss", "measure"])["value"]
    found = study.differences().set_index("minus").loc[[study.BASE_NAME, *study.COPIES.values()]].reset_index()
    first, second = (values.loc[pd.MultiIndex.from_frame(found[["split", of, "measure"]])] for of in ("loss", "minus"))
    np.testing.assert_allclose(found["value"], first.to_numpy() - second.to_numpy(), atol=1e-12)


def test_the_gain_of_the_ec_loss_is_compared_with_what_is_left():
    reach, gains = study.within_reach(), study.differences().query("split == 'grouped' and loss == 'EC loss'")
    gain = gains.loc[(gains["minus"] == study.EQUAL) & (gains["measure"] == "EC"), "value"].item()
    expected = pd.DataFrame({"gain": gain, "value": gain - reach["room"], "share_value": gain / reach["room"]})
    np.testing.assert_allclose(reach[list(expected)], expected, atol=1e-12)


def test_the_page_says_what_each_loss_is_for():
    page = (ROOT / "notebooks" / "how-to-train.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in page.splitlines() if row.startswith("| ")]
    told = {loss: target for losses, _, target in rows for loss in losses.split(", ")}
    for name, aim in study.AIMS.items():
        loss = study.LOSSES[name]
        assert told[loss] == ("the measure" if loss == aim.target else aim.target), name
