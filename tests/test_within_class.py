"""MA's blind value and the form of MA whose zero is chance: simulation from two to 100 classes, roads, intervals."""

import json

import numpy as np
import pytest
from builders import mixed_systems, typed
from scipy.stats import binomtest

import erralign
from erralign import blind_misclassification_agreement as blind_agreement
from erralign import misclassification_agreement
from erralign import within_class_misclassification_agreement as agreement
from erralign.measures.measure import NOT_GIVEN
from erralign_book.papers.within_class import WITHIN_CLASSES


def habits(rng, n_classes, strength):
    """Draw how often each wrong class is said in each true class; rows sum to one."""
    rows = rng.gamma(strength, size=(n_classes, n_classes)) * ~np.eye(n_classes, dtype=bool)
    return rows / rows.sum(axis=1, keepdims=True)


def said(rng, truth, accuracy, rows):
    """Answer each trial by one's accuracy in its class and one's habits, and by nothing else."""
    wrong = (rng.random(len(truth))[:, None] > rows.cumsum(axis=1)[truth, :-1]).sum(axis=1)
    return np.where(rng.random(len(truth)) < accuracy[truth], truth, wrong)


def world(rng, n_classes, n, strength=1.0):
    """Draw two systems that nothing but the true class links, with unequal margins, accuracies and habits."""
    truth = rng.choice(n_classes, size=n, p=rng.dirichlet(np.full(n_classes, 5.0)))
    return truth, *(said(rng, truth, rng.uniform(0.2, 0.8, n_classes), habits(rng, n_classes, strength)) for _ in "ab")


def test_the_blind_value_is_the_mean_under_shuffles_within_classes_and_the_three_hang_together():
    """The test's null keeps each error's agreement with itself, which matters little with many errors per class."""
    truth, a, b = world(np.random.default_rng(3), 4, 4000)
    b = np.where(np.random.default_rng(4).random(len(truth)) < 0.3, a, b)
    ma, blind = misclassification_agreement(truth, a, b), blind_agreement(truth, a, b)
    null = erralign.nulls.misclassification_agreement_test(truth, a, b, n_permutations=99).null
    assert blind == pytest.approx(null, abs=0.002)
    assert agreement(truth, a, b) == pytest.approx((ma - blind) / (1 - blind), abs=1e-12)
    assert ma - blind > 0.1


def test_chance_compares_each_error_with_the_others_of_its_class():
    """The formula, word by word: J errors, each with the n - 1 others of its class."""
    for seed in range(5):
        truth, a, b = world(np.random.default_rng(seed), 4, 40)
        every = [i for i in range(40) if truth[i] not in (a[i], b[i])]
        others = {i: [j for j in every if j != i and truth[j] == truth[i]] for i in every}
        joint = [i for i in every if others[i]]
        same = sum(a[i] == b[i] for i in joint) / len(joint)
        chance = sum(sum(a[j] == b[i] for j in others[i]) / len(others[i]) for i in joint) / len(joint)
        assert agreement(truth, a, b) == pytest.approx((same - chance) / (1 - chance), abs=1e-12)


def test_undefined_without_two_joint_errors_of_a_class_or_without_a_choice():
    for truth, said in (([0, 1], [0, 1]), ([0, 1, 2], [1, 2, 0]), ([0, 0, 1, 1], [1, 1, 0, 0])):
        assert np.isnan(agreement(truth, said, said))
        assert agreement(truth, said, said, replace_undefined_by=7) == 7
    assert blind_agreement([0, 1], [0, 1], [0, 1], replace_undefined_by=7) == 7
    assert agreement([0, 0, 1], [1, 2, 2], [1, 2, 0]) == 1  # the third is alone in its class


def test_chance_may_be_above_what_few_errors_show_of_it():
    """Where no answers agree, the lower limit is that of chance: Wilson's, of the pairs of errors of a class."""
    for a, b, alike in (([1, 2], [3, 4], 0), ([1, 1, 2, 2], [2, 2, 1, 1], 8)):
        n, pairs = len(a), len(a) * (len(a) - 1)
        chance, most = alike / pairs, binomtest(alike, pairs).proportion_ci(method="wilson").high
        found, room = erralign.confidence_interval([0] * n, a, b, "WMA"), 1 - chance
        assert found.estimate == pytest.approx(-chance / room)
        assert found.estimate - found.low == pytest.approx((n + 1) / (n + 2) * (most - chance) / room**2)


@pytest.mark.slow
def test_nineteen_of_twenty_intervals_contain_the_true_value():
    """With so many classes that a joint error has one or two others of its class."""
    n_classes, n, copied = 100, 250, 0.3
    rng = np.random.default_rng(0)
    of_a, of_b = habits(rng, n_classes, 1.0), habits(rng, n_classes, 1.0)
    shares, never = rng.dirichlet(np.full(n_classes, 5.0)), np.zeros(n_classes)
    chance = shares @ (of_a * (copied * of_a + (1 - copied) * of_b)).sum(axis=1)
    same = shares @ (copied + (1 - copied) * (of_a * of_b).sum(axis=1))
    true, held = (same - chance) / (1 - chance), 0
    for _ in range(400):
        truth = rng.choice(n_classes, size=n, p=shares)
        a, own = said(rng, truth, never, of_a), said(rng, truth, never, of_b)
        b = np.where(rng.random(n) < copied, a, own)
        found = erralign.confidence_interval(truth, a, b, "WMA", n_classes=n_classes)
        held += found.low <= true <= found.high
    assert binomtest(held, 400, 0.95).pvalue > 0.01


# --- two classes ------------------------------------------------------------------------------------------------------


def test_with_two_classes_ma_and_cles_are_not_given_and_the_reason_is(tmp_path):
    responses = mixed_systems(1, n_systems=3, n_classes=2)
    table = erralign.pairwise_intervals(responses, n_resamples=100)
    assert table.filter(regex="(agreement|similarity)(_low|_high)?$").isna().all(axis=None)
    assert [*table.attrs["methods"].values()] == ["dirichlet", NOT_GIVEN, NOT_GIVEN]
    names = responses.answers.replace({0: "wrong", 1: "right"}).assign(truth="right")
    names.iloc[:, [-1, 0, 1, 2]].rename_axis("trial").to_csv(tmp_path / "right.csv")
    found = json.loads(typed("compare", tmp_path / "right.csv", "--json").stdout)
    assert "EC_low" in found["pairs"][0]
    assert not {"MA", "MA_blind", "CLES"} & found["pairs"][0].keys()
    assert f"MA and CLES: {NOT_GIVEN}." in found["notes"]


def test_a_report_of_few_classes_says_where_chance_is(tmp_path):
    truth, a, b = world(np.random.default_rng(1), 3, 900, strength=20.0)
    mine = erralign.Responses.from_table(truth, {"a": a, "b": b})
    comparison = erralign.reports.compare(mine, how=erralign.reports.Options(n_resamples=100))
    blind = comparison.pairs["MA_blind"][0]
    assert blind == blind_agreement(truth, a, b)
    assert 0.2 < blind < 0.4
    assert f"would score {blind:.2f} (MA blind)" in comparison.notes[-1]
    assert "grey ticks: blind values" in erralign.reports.page(comparison)


def test_ec_within_classes_compares_each_picture_with_others_of_its_class():
    rng = np.random.default_rng(4)
    truth = np.append(rng.integers(4, size=60), 4)  # the last one is alone
    a = rng.integers(4, size=61)
    b = np.where(rng.random(61) < 0.4, a, rng.integers(4, size=61))
    of = [(i, j) for i in range(60) for j in range(60) if i != j and truth[i] == truth[j]]
    alike = np.mean((a == truth)[:60] == (b == truth)[:60])
    others = {i: np.mean([(a[i] == truth[i]) == (b[j] == truth[j]) for k, j in of if k == i]) for i in range(60)}
    chance = np.mean(list(others.values()))
    found = erralign.pairwise(erralign.Responses.from_table(truth, {"a": a, "b": b}), [WITHIN_CLASSES])
    assert found["WEC"].item() == pytest.approx((alike - chance) / (1 - chance))
    assert WITHIN_CLASSES.function(truth, a, b) == found["WEC"].item()
