"""All pairs of representations at once are what each pair gives, and no bad input goes unnamed."""

import numpy as np
import pytest
from scipy.stats import rankdata

from erralign import similarity
from erralign.measures import OF_REPRESENTATIONS
from erralign.similarity.profiles import average_ranks, cosines

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
    return similarity.pairwise(SYSTEMS)


def test_all_measures_are_there(tables):
    assert list(tables) == list(OF_REPRESENTATIONS)
    assert {table.shape for table in tables.values()} == {(5, 5)}


@pytest.mark.parametrize("short", OF_REPRESENTATIONS)
def test_each_pair_is_what_the_measure_gives(tables, short):
    each = [[OF_REPRESENTATIONS[short].function(X, Y) for Y in SYSTEMS.values()] for X in SYSTEMS.values()]
    np.testing.assert_allclose(tables[short], each, rtol=1e-11, atol=1e-12)


def test_a_sequence_and_names_of_functions_do_as_well(tables):
    found = similarity.pairwise(list(SYSTEMS.values()), ["rank_similarity", "CKA", "RankSim"])
    assert list(found) == ["RankSim", "CKA"]
    for short, table in found.items():
        np.testing.assert_array_equal(table, tables[short])


def test_features_are_left_as_they_are():
    before = SYSTEMS["ann"].copy()
    similarity.pairwise(SYSTEMS)
    np.testing.assert_array_equal(SYSTEMS["ann"], before)


@pytest.mark.parametrize(
    ("representations", "measures", "message"),
    [
        ({}, None, "representations is empty; expected features of at least one system"),
        ({"ann": SHARED, "ben": SHARED[:30]}, None, r"representations\['ben'\] has 30 trials, .*\['ann'\] has 40"),
        ([SHARED, SHARED[:, 0]], None, r"representations\[1\] has shape \(40,\)"),
        ({"ann": SHARED * np.nan}, None, r"representations\['ann'\] holds NaN"),
        ({"ann": SHARED[:1]}, None, r"representations\['ann'\] has 1 trials; expected at least 2"),
        ({"ann": SHARED}, ["CKB"], "measures is 'CKB'; did you mean 'CKA'?"),
    ],
)
def test_bad_input_is_named(representations, measures, message):
    with pytest.raises(ValueError, match=message):
        similarity.pairwise(representations, measures)


@pytest.mark.parametrize(
    "values",
    [
        RNG.standard_normal(5000),
        RNG.integers(0, 9, 5000).astype(float),
        1 + 1e-15 * RNG.integers(0, 100, 5000),
        np.r_[1e300, RNG.standard_normal(500), -0.0, 0.0],
    ],
    ids=["no ties", "ties", "neighbouring floats", "one far away"],
)
def test_ranks_are_those_of_scipy(values):
    np.testing.assert_array_equal(average_ranks(values), rankdata(values) - 1)


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
