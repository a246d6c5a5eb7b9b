"""CKA against textbook forms, and all pairs of representations at once."""

from itertools import permutations

import numpy as np
import pytest

from erralign import cka, similarity
from erralign.measures import OF_REPRESENTATIONS
from erralign.similarity.profiles import cosines


def quadruple_hsic(X, Y):
    """Song et al. (2012), equation 4: the U-statistic over all ordered quadruples of different trials."""
    K, L = X @ X.T, Y @ Y.T
    quadruples = list(permutations(range(len(X)), 4))
    return np.mean([K[i, j] * (L[i, j] + L[q, r] - 2 * L[i, q]) for i, j, q, r in quadruples])


def textbook_cka(hsic, X, Y):
    return hsic(X, Y) / np.sqrt(hsic(X, X) * hsic(Y, Y))


def features(seed, n_trials, *sizes):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n_trials, 2))
    return [common @ rng.normal(size=(2, size)) + rng.normal(size=(n_trials, size)) + 1 for size in sizes]


@pytest.mark.parametrize("n_trials", [4, 5, 7])
def test_unbiased_cka_equals_the_sum_over_quadruples(n_trials):
    X, Y = features(3, n_trials, 3, 6)
    assert cka(X, Y, unbiased=True) == pytest.approx(textbook_cka(quadruple_hsic, X, Y), abs=1e-12)


@pytest.mark.parametrize("unbiased", [False, True])
def test_features_that_do_not_vary_leave_cka_undefined(unbiased):
    (X,) = features(0, 6, 3)
    assert np.isnan(cka(X, np.ones((6, 2)), unbiased=unbiased))
    assert np.isnan(cka(X, np.full((6, 2), 0.1), unbiased=unbiased))  # 0.1 differs from its own mean in the last bit
    assert cka(np.zeros((6, 2)), X, unbiased=unbiased, replace_undefined_by=0.5) == 0.5


# --- all pairs --------------------------------------------------------------------------------------------------------


RNG = np.random.default_rng(3)
SHARED = RNG.standard_normal((40, 5))
SYSTEMS = {
    "ann": SHARED + 0.3 * RNG.standard_normal((40, 5)) + 1,
    "ben": SHARED @ RNG.standard_normal((5, 9)) + RNG.standard_normal((40, 9)),
    "eve": RNG.standard_normal((40, 5)),
    "wide": RNG.standard_normal((40, 60)),
    "constant": np.full((40, 3), 0.1),
}


@pytest.fixture(scope="module")
def tables():
    before = SYSTEMS["ann"].copy()
    found = similarity.pairwise(SYSTEMS)
    np.testing.assert_array_equal(SYSTEMS["ann"], before)  # features are left as they are
    return found


def test_each_pair_is_what_the_measure_gives(tables):
    assert list(tables) == list(OF_REPRESENTATIONS)
    for short, table in tables.items():
        each = [[OF_REPRESENTATIONS[short].function(X, Y) for Y in SYSTEMS.values()] for X in SYSTEMS.values()]
        np.testing.assert_allclose(table, each, rtol=1e-11, atol=1e-12, err_msg=short)


def test_a_sequence_and_names_of_functions_do_as_well(tables):
    found = similarity.pairwise(list(SYSTEMS.values()), ["rank_similarity", "CKA", "RankSim"])
    assert list(found) == ["RankSim", "CKA"]
    for short, table in found.items():
        np.testing.assert_array_equal(table, tables[short])


def test_cosines_of_long_vectors_are_taken_in_blocks():
    profiles = RNG.standard_normal((3, 100_000))
    lengths = np.linalg.norm(profiles, axis=1)
    np.testing.assert_allclose(cosines(profiles), profiles @ profiles.T / np.outer(lengths, lengths), atol=1e-13)


def test_what_is_of_the_size_of_all_pairs_of_trials_can_be_dropped():
    x = similarity.Prepared(SYSTEMS["ann"])
    before = similarity.rsm_norm_difference(x, SYSTEMS["eve"])
    x.forget()
    assert "distances" not in vars(x)
    assert similarity.rsm_norm_difference(x, SYSTEMS["eve"]) == before
