"""Odd one out: choices, accuracies and their variance, against forms that a reader can type."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import binomtest

from erralign import resampling, triplets
from erralign.resampling.triplets import mean_interval, odd_one_out_interval

RNG = np.random.default_rng(5)
X = RNG.standard_normal((30, 4))
TRIPLETS = np.array([RNG.choice(30, 3, replace=False) for _ in range(400)])


def textbook_choice(x, triplet, similarity):
    i, j, k = x[triplet]
    if similarity == "cosine":
        i, j, k = (each / np.linalg.norm(each) for each in (i, j, k))
    return int(np.argmax([j @ k, i @ k, i @ j]))


@pytest.mark.parametrize("similarity", triplets.SIMILARITIES)
def test_choices_are_those_of_the_textbook(similarity):
    found = triplets.odd_one_out(X, TRIPLETS, similarity=similarity)
    assert found.tolist() == [textbook_choice(X, triplet, similarity) for triplet in TRIPLETS]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_within_a_triplet_does_not_matter(order):
    odd = TRIPLETS[np.arange(400), triplets.odd_one_out(X, TRIPLETS)]
    other = TRIPLETS[:, order]
    assert (other[np.arange(400), triplets.odd_one_out(X, other)] == odd).all()


def test_cosine_ignores_length_and_rotation_and_dot_ignores_rotation():
    rotation = np.linalg.qr(RNG.standard_normal((4, 4)))[0]
    lengths = RNG.uniform(0.1, 10, (30, 1))
    assert (triplets.odd_one_out(X, TRIPLETS) == triplets.odd_one_out(X @ rotation * lengths, TRIPLETS)).all()
    dot = [triplets.odd_one_out(each, TRIPLETS, similarity="dot") for each in (X, 3 * X @ rotation, X * lengths)]
    assert (dot[0] == dot[1]).all()
    assert (dot[0] != dot[2]).any()


def test_ties_and_lengths_of_zero_are_no_choice():
    same = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    assert triplets.odd_one_out(same, [[0, 1, 2], [0, 1, 3]]).tolist() == [-1, -1]
    assert triplets.odd_one_out_accuracy(same, [[0, 1, 2]]) == 0
    assert triplets.odd_one_out(same, [[0, 1, 3]], similarity="dot").tolist() == [2]


def test_a_random_representation_is_at_chance():
    right = int((triplets.odd_one_out(X, TRIPLETS) == 2).sum())
    assert binomtest(right, 400, 1 / 3).pvalue > 0.001


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ([[0, 1]], ValueError, r"triplets has shape \(1, 2\); expected a row per triplet"),
        ([[0, 1, 30]], ValueError, "triplets holds object 30; expected 0 to 29"),
        ([[0, 1, 1]], ValueError, "triplets has an object twice in row 0"),
        ([[0.0, 1.0, 2.0]], TypeError, "triplets holds float64; expected numbers of objects"),
        (np.empty((0, 3), dtype=int), ValueError, r"triplets has shape \(0, 3\)"),
    ],
)
def test_wrong_triplets_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        triplets.odd_one_out(X, wrong)


def test_probabilities_follow_equation_1():
    similar = triplets.pair_similarities(X, TRIPLETS, similarity="dot")
    expected = np.exp(2 * similar) / np.exp(2 * similar).sum(axis=1, keepdims=True)
    found = triplets.choice_probabilities(similar, 2)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(triplets.triplet_entropy(found), -(expected * np.log(expected)).sum(axis=1), rtol=1e-9)
    assert triplets.triplet_entropy([[1 / 3] * 3])[0] == pytest.approx(np.log(3))
    with pytest.raises(ValueError, match="temperature is 0"):
        triplets.choice_probabilities(similar, 0)


# ---- how much an accuracy varies -----------------------------------------------------------------------------------


def test_the_variance_counts_each_pair_of_triplets_with_a_common_object_once():
    values = RNG.integers(2, size=60).astype(float)
    some = TRIPLETS[:60] % 12
    some = some[[len(set(each)) == 3 for each in some]]
    values = values[: len(some)]
    residuals = values - values.mean()
    share = np.array([[bool(set(a) & set(b)) for b in some] for a in some.tolist()])
    m, n = len(np.unique(some)), len(some)
    expected = max(m / (m - 1) * residuals @ share @ residuals, residuals @ residuals) / n**2
    assert triplets.object_variance(values, some) == pytest.approx(expected, rel=1e-12)


def test_many_objects_give_the_same_variance_as_few_numbers(monkeypatch):
    values = RNG.integers(2, size=400)
    expected = triplets.object_variance(values, TRIPLETS)
    monkeypatch.setattr(triplets.variance, "MANY", 10)
    assert triplets.object_variance(values, TRIPLETS * 1000) == pytest.approx(expected)


def world(rng, n_objects=60, n_triplets=1500):
    """Draw objects, some of which make all their triplets hard; the true accuracy on other objects is 0.6."""
    drawn = np.array([rng.choice(n_objects, 3, replace=False) for _ in range(n_triplets)])
    hard = rng.standard_normal(n_objects) * np.sqrt(0.1)
    threshold = 0.2533471  # the normal point of 0.6
    right = hard[drawn].sum(axis=1) + np.sqrt(0.7) * rng.standard_normal(n_triplets) < threshold
    return right, drawn


def test_objects_keep_their_promise_and_triplets_do_not():
    rng = np.random.default_rng(3)
    n_sets, held, held_alone = 200, 0, 0
    for _ in range(n_sets):
        right, drawn = world(rng)
        found = odd_one_out_interval(right, drawn)
        low, high = resampling.interval.wilson_interval(right.mean(), len(right), 0.95)
        held += found.low <= 0.6 <= found.high
        held_alone += low <= 0.6 <= high
    assert binomtest(held, n_sets, 0.93, alternative="less").pvalue > 0.001
    assert binomtest(held_alone, n_sets, 0.8, alternative="greater").pvalue > 0.5


def test_a_mean_has_the_width_of_the_share():
    right, drawn = world(np.random.default_rng(1))
    share, mean = odd_one_out_interval(right, drawn), mean_interval(right, drawn)
    assert mean.estimate == share.estimate
    assert mean.high - mean.low == pytest.approx(share.high - share.low, rel=0.02)


def test_all_right_has_an_interval_and_it_ends_at_one():
    found = odd_one_out_interval(np.ones(400), TRIPLETS)
    assert 0.9 < found.low < found.high == pytest.approx(1)
