"""Odd one out: choices, accuracies and their variance, against forms that a reader can type."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest, norm, spearmanr, t

from benchmarks.probes import loss_on
from erralign import triplets
from erralign.inference.triplets import odd_one_out_interval
from erralign.measures.matrix import wilson_interval
from erralign.triplets.probing import penalised_loss

RNG = np.random.default_rng(5)
X = RNG.standard_normal((30, 4))
TRIPLETS = np.array([RNG.choice(30, 3, replace=False) for _ in range(400)])


def textbook_choice(x, triplet, similarity):
    i, j, k = x[triplet]
    if similarity == "cosine":
        i, j, k = (each / np.linalg.norm(each) for each in (i, j, k))
    return int(np.argmax([j @ k, i @ k, i @ j]))


def test_choices_are_those_of_the_textbook():
    for similarity in triplets.choices._SIMILARITIES:
        found = triplets.odd_one_out(X, TRIPLETS, similarity=similarity)
        assert found.tolist() == [textbook_choice(X, triplet, similarity) for triplet in TRIPLETS]


def test_ties_and_lengths_of_zero_are_no_choice():
    same = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    assert triplets.odd_one_out(same, [[0, 1, 2], [0, 1, 3]]).tolist() == [-1, -1]
    assert triplets.odd_one_out_accuracy(same, [[0, 1, 2]]) == 0
    assert triplets.odd_one_out(same, [[0, 1, 3]], similarity="dot").tolist() == [2]


def test_probabilities_follow_equation_1():
    similar = triplets.pair_similarities(X, TRIPLETS, similarity="dot")
    expected = np.exp(2 * similar) / np.exp(2 * similar).sum(axis=1, keepdims=True)
    found = triplets.choice_probabilities(similar, 2)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# ---- how much an accuracy varies -----------------------------------------------------------------------------------


def test_the_variance_is_that_of_leaving_out_each_object_less_what_counts_twice():
    some = TRIPLETS[:60] % 12
    some = some[[len(set(each)) == 3 for each in some]]
    values = (some < 4).sum(axis=1).astype(float)
    together = 0
    for group in (set(each) for size in (1, 2, 3) for each in combinations(range(12), size)):
        kept = values[[not group <= set(each) for each in some.tolist()]]
        together += (-1) ** (len(group) + 1) * (kept.mean() - values.mean()) ** 2
    assert together > values.var() / len(some)
    assert triplets.object_variance(values, some) == pytest.approx(together, rel=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_few_objects_widen_an_accuracy_as_students_t_does(level):
    right, drawn = np.arange(40) % 4 > 0, np.tile([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]], (10, 1))
    # The last object is in no triplet with an error: by squared residuals, three times .6875 and .1875, m is below 4.
    m = (3 * 0.6875 + 0.1875) ** 2 / (3 * 0.6875**2 + 0.1875**2)
    wider = t.ppf((1 + level) / 2, m - 1) / norm.ppf((1 + level) / 2)
    variance = triplets.object_variance(right, drawn) * m / (m - 1) * wider**2
    with pytest.warns(UserWarning, match=r"objects are worth 4\.0"):
        found = odd_one_out_interval(right, drawn, level=level)
    assert (found.low, found.high) == pytest.approx(wilson_interval(0.75, 0.75 * 0.25 / variance, level))


def test_many_objects_give_the_same_variance_as_few_numbers(monkeypatch, rng):
    values = rng.integers(2, size=400)
    expected = triplets.object_variance(values, TRIPLETS)
    monkeypatch.setattr(triplets.choices, "_MANY", 10)
    assert triplets.object_variance(values, TRIPLETS * 1000) == pytest.approx(expected)


def many_triplets(n_objects, n_triplets):
    found = np.random.default_rng(n_objects).integers(n_objects, size=(2 * n_triplets, 3))
    return found[[len(set(each)) == 3 for each in found.tolist()]][:n_triplets]


def test_representational_similarity_is_the_correlation_of_scipy(rng):
    matrices = np.corrcoef(X), np.corrcoef(X @ rng.standard_normal((4, 7)) + rng.standard_normal((30, 7)))
    upper = np.triu_indices(30, 1)
    for a, b in (matrices, [np.round(each, 1) for each in matrices]):  # with ties
        assert triplets.representational_similarity(a, b) == pytest.approx(spearmanr(a[upper], b[upper])[0], abs=1e-12)
    assert np.isnan(triplets.representational_similarity(matrices[0], np.ones((30, 30))))


# ---- probes ---------------------------------------------------------------------------------------------------------


def odd_last(x, drawn):
    """Put the odd one out of a representation last, as people's choice stands."""
    odd = triplets.odd_one_out(x, drawn, similarity="dot")
    rows, drawn = np.arange(len(drawn)), drawn.copy()
    drawn[rows, odd], drawn[:, 2] = drawn[:, 2], drawn[rows, odd]
    return drawn


def loss_of(x, drawn, W, penalty):
    similar = triplets.pair_similarities(x @ W, drawn, similarity="dot")
    return -np.log(triplets.choice_probabilities(similar)[:, 2]).mean() + penalty * (W**2).sum()


def test_a_probe_minimises_equation_2_from_any_start(rng):
    x, drawn = np.random.default_rng(12).standard_normal((40, 6)), many_triplets(40, 2000)
    drawn = odd_last(x[:, :3], drawn)
    starts = None, np.eye(6), rng.standard_normal((6, 6)) / 10
    found = [triplets.probe(x, drawn, 0.02, start=start) for start in starts]
    losses = [loss_of(x, drawn, W, 0.02) for W in found]
    np.testing.assert_allclose(losses, losses[0], rtol=1e-4)
    np.testing.assert_allclose(found[0] @ found[0].T, found[2] @ found[2].T, atol=0.02)
    for _ in range(20):
        assert loss_of(x, drawn, found[0] + rng.standard_normal((6, 6)) / 100, 0.02) > losses[0]


def test_torch_computes_the_same_loss_and_finds_the_same_probe(requires_models, rng):
    x, drawn = np.random.default_rng(12).standard_normal((40, 6)), many_triplets(40, 2000)
    drawn, at = odd_last(x[:, :3], drawn), rng.standard_normal((6, 6))
    losses = penalised_loss, loss_on("cpu")
    ours, theirs = (loss(x, drawn, 0.02)(at) for loss in losses)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-10, atol=1e-13)
    assert_same_probe(x, drawn, losses[1])
    folds = [triplets.cross_validate_probe(x, drawn, loss=loss, penalties=(0.1, 0.01)) for loss in losses]
    np.testing.assert_allclose(folds[0].new, folds[1].new, atol=0.02)
    with pytest.raises(ValueError, match="device is 'abacus'"):
        loss_on("abacus")


def assert_same_probe(x, drawn, other):
    found = [triplets.probe(x, drawn, 0.02, loss=loss) for loss in (penalised_loss, other)]
    np.testing.assert_allclose(found[0] @ found[0].T, found[1] @ found[1].T, atol=0.02)


def test_a_gpu_finds_the_same_probe(requires_gpu):
    x, drawn = np.random.default_rng(12).standard_normal((40, 6)), many_triplets(40, 2000)
    assert_same_probe(x, odd_last(x[:, :3], drawn), loss_on("cuda"))


def test_probes_recover_what_is_there_on_new_objects_and_nothing_where_there_is_nothing():
    x, drawn = np.random.default_rng(11).standard_normal((120, 8)), many_triplets(120, 20_000)
    found = triplets.cross_validate_probe(x, odd_last(x[:, :2], drawn), penalties=(0.1, 0.01))
    assert found.accuracy > triplets.odd_one_out_accuracy(x, odd_last(x[:, :2], drawn)) + 0.2
    assert found.accuracy_seen >= found.accuracy - 0.02
    assert found.accuracy_chosen_on_test >= found.accuracy
    shuffled = triplets.cross_validate_probe(x, drawn, penalties=(0.1, 0.01))
    assert binomtest(int(shuffled.right.sum()), len(shuffled.right), 1 / 3).pvalue > 0.001
    assert shuffled.accuracy_seen > shuffled.accuracy


def test_no_fit_sees_the_objects_that_it_is_tested_on():
    """Of 27 objects 18 are outside a fold, and 12 outside a fold of these."""
    seen = []

    def loss(rows, *others):
        seen.append(len(rows))
        return penalised_loss(rows, *others)

    triplets.cross_validate_probe(X[:27], many_triplets(27, 800), penalties=(1.0, 0.1), loss=loss)
    assert set(seen) == {12, 18}
