"""Differences between two systems, each beside the same third."""

import numpy as np
import pandas as pd
import pytest
from builders import guessers, three_systems
from textbook import kappa

from erralign import (
    confidence_interval,
    design_effect,
    difference_interval,
    difference_test,
    pairwise_differences,
)
from erralign_book.simulations.coverage import worlds


def test_a_difference_is_that_of_a_dirichlet_distribution_with_a_quarter_a_cell():
    """Of three systems each of the eight cells gets a quarter, each of the four cells of a pair a half."""
    rng = np.random.default_rng(9)
    right = worlds.rights_and_wrongs(worlds.cells_of_many((0.9, 0.85, 0.9), (0.6, 0.6, 0.6)), 160, rng)
    counts, _ = np.histogramdd(right.T.astype(float), bins=[2, 2, 2])
    drawn = rng.dirichlet(counts.ravel() + 0.25, size=40_000).T.reshape(2, 2, 2, -1)
    with_c = [kappa(drawn.sum(axis=other).reshape(4, -1)) for other in (1, 0)]
    expected = np.quantile(with_c[0] - with_c[1], [0.025, 0.975])
    found = difference_interval(np.ones(160, int), *right, n_resamples=40_000)
    assert (found.low, found.high) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    "measure", ["error_consistency", "misclassification_agreement", "class_level_error_similarity"]
)
def test_difference_is_that_of_the_two_values_and_turns_its_sign_with_the_order(measure):
    truth, a, b, c = three_systems(np.random.default_rng(1), 400, (0.7, 0.75, 0.7))
    one = difference_interval(truth, a, b, c, measure, n_resamples=4000)
    other = difference_interval(truth, b, a, c, measure, n_resamples=4000)
    first, second = (confidence_interval(truth, y, c, measure, n_resamples=100).estimate for y in (a, b))
    assert one.estimate == pytest.approx(first - second)
    assert one.low < one.estimate < one.high
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.02)
    assert one.n_joint_errors == min(np.sum((y != truth) & (c != truth)) for y in (a, b))


def test_a_difference_is_known_better_than_two_intervals_suggest():
    rng = np.random.default_rng(2)
    truth, a, _, c = three_systems(rng, 400, (0.7, 0.7, 0.7))
    cousin = np.where(rng.random(400) < 0.9, a, c)
    one, other = (confidence_interval(truth, y, c) for y in (a, cousin))
    between = difference_interval(truth, a, cousin, c)
    assert between.high - between.low < 0.8 * np.hypot(one.high - one.low, other.high - other.low)


def test_two_that_never_differed_may_still_differ():
    truth, a, _, c = three_systems(np.random.default_rng(3), 200, (0.7, 0.7, 0.7))
    none = difference_interval(truth, a, a, c)
    assert none.estimate == 0
    assert -0.1 < none.low < 0 < none.high < 0.1


@pytest.mark.parametrize(
    "measure", ["error_consistency", "misclassification_agreement", "class_level_error_similarity"]
)
def test_a_difference_alone_and_among_all(measure):
    responses = guessers()
    table = pairwise_differences(responses, "s3", measure, n_resamples=8000).set_index(["system_a", "system_b"])
    row = table.loc[("s0", "s2")]
    truth, answers = responses.truth, responses.answers
    alone = difference_interval(
        truth, answers["s0"], answers["s2"], answers["s3"], measure, n_classes=5, n_resamples=8000, rng=1
    )
    assert row["difference"] == pytest.approx(alone.estimate)
    assert row["n_joint_errors"] == alone.n_joint_errors
    assert (row["low"], row["high"]) == pytest.approx((alone.low, alone.high), abs=0.02)


def test_a_reference_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="reference is 'nobody'; expected one of s0, s1"):
        pairwise_differences(guessers(), "nobody")


def test_difference_of_accuracies_against_the_normal_interval_of_paired_shares():
    truth, a, b, _ = three_systems(np.random.default_rng(4), 5000, (0.7, 0.8, 0.7), copied=0.3)
    found = difference_interval(truth, a, b, measure="accuracy")
    each = (a == truth).astype(int) - (b == truth).astype(int)
    half = 1.96 * each.std() / np.sqrt(len(each))
    assert (found.low, found.high) == pytest.approx((each.mean() - half, each.mean() + half), abs=0.001)


def test_difference_of_an_undefined_value_is_undefined():
    found = difference_interval([0, 0], [0, 0], [0, 1], [0, 0])
    assert np.isnan([found.low, found.estimate, found.high]).all()


def test_difference_asks_for_the_partner_that_it_needs():
    with pytest.raises(ValueError, match="only accuracy goes without y_c"):
        difference_interval([0, 1], [0, 1], [0, 0])
    with pytest.raises(ValueError, match="only accuracy goes without y_c"):
        difference_interval([0, 1], [0, 1], [0, 0], [0, 1], "accuracy")


def test_names_of_classes_and_any_order_of_trials_do_as_ids_do():
    ids = three_systems(np.random.default_rng(4), 60, (0.7, 0.6, 0.7))
    named = [pd.Series(np.array(["bear", "cat", "dog", "elk", "fox", "owl"])[each]) for each in ids]
    mixed = [named[0], *(each.sample(frac=1, random_state=0) for each in named[1:])]
    for compare in (difference_interval, difference_test):
        assert compare(*mixed) == compare(*ids)
    groups = np.arange(60) // 3
    assert design_effect(*mixed[:3], clusters=groups) == design_effect(*ids[:3], clusters=groups)
