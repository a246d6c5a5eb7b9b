"""Geirhos et al. 2020, the appendix: Brain-Scores, confusions, easy pictures, points that coincide, chance's cloud."""

import numpy as np
import pytest
from scipy.stats import binomtest, pearsonr
from textbook import cues_named

import erralign
from erralign.sources import geirhos2020 as source
from erralign.sources.trials import CATEGORIES
from erralign_book.papers import geirhos2020

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)


def right_on(data_set):
    responses = erralign.load(f"geirhos2020/{data_set}")
    return responses.answers.eq(responses.truth, axis=0)


# --- parts of the trials ----------------------------------------------------------------------------------------------


def test_a_width_over_systems_is_the_textbook_jackknife():
    pairs = geirhos2020.of_the_paper(geirhos2020.pairwise_scores())
    pairs = pairs[(pairs["kind"] == "human-human") & (pairs["data_set"] == "edges")]
    people = sorted({*pairs["system_a"], *pairs["system_b"]})
    means = [pairs[pairs[["system_a", "system_b"]].ne(one).all(axis=1)]["EC"].mean() for one in people]
    table = geirhos2020.widths_by_system().set_index(["data_set", "kind"])
    width = 1.959964 * np.sqrt(9 / 10 * sum((np.array(means) - np.mean(means)) ** 2))
    assert table.loc[("edges", "human-human"), "width_systems"] == pytest.approx(width, rel=1e-6)


# --- Brain-Score ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data_set", SETS)
def test_lines_without_squeezenets_are_those_of_the_other_networks(data_set):
    found = geirhos2020.lines_without_squeezenets().set_index(["score", "data_set"]).loc[("ImageNet", data_set)]
    pairs = geirhos2020.of_the_paper(geirhos2020.pairwise_scores()).query("kind == 'model-human'")
    pairs = pairs[(pairs["data_set"] == data_set) & ~pairs["system_b"].str.startswith("squeezenet")]
    accuracy = geirhos2020.pair_means.IMAGENET_ACCURACIES["top5"]
    assert found["R2"] == pytest.approx(pearsonr(pairs["system_b"].map(accuracy), pairs["EC"]).statistic ** 2)
    means = pairs.groupby("system_b")["EC"].mean()
    # SciPy doubles the smaller tail of the permutations, which are skewed where one accuracy lies far from the others.
    assert found["p_networks"] == pytest.approx(pearsonr(accuracy[means.index], means).pvalue, abs=0.11)


# --- pictures and answers ---------------------------------------------------------------------------------------------


def test_confusions_are_shares_whose_diagonal_is_accuracy(requires_data):
    """Classes are equally frequent, so the mean of the diagonal is the accuracy; no answer is a time-out."""
    table = geirhos2020.confusions()
    assert table.groupby(["data_set", "observer", "category"])["share"].sum().to_numpy() == pytest.approx(1)
    diagonal = table[table["category"] == table["answer"]].groupby(["data_set", "observer"])["share"].mean()
    silent = table[table["answer"] == "no answer"].groupby(["data_set", "observer"])["share"].mean()
    for data_set, n_trials in source.DATA_SETS.items():
        right = right_on(data_set)
        assert diagonal[data_set, "ResNet-50"] == pytest.approx(right["resnet50"].mean())
        assert diagonal[data_set, "people"] == pytest.approx(right.filter(like="subject").mean(axis=None))
        time_outs = geirhos2020.accuracies().query("data_set == @data_set and kind == 'human'")["time_outs"].sum()
        assert silent[data_set, "people"] == pytest.approx(time_outs / (10 * n_trials))


def first_five(counts, most, fewest):
    """Rank as the released program does: from the most to the fewest right on one side, then up on the other."""
    return sorted(counts, key=lambda image: (-counts[image][most], counts[image][fewest]))[:5]


@pytest.mark.parametrize("data_set", SETS)
def test_easy_pictures_are_those_of_the_two_loops_of_the_released_program(requires_data, data_set):
    right = right_on(data_set)
    images = source.trials_of(data_set, "subject-02")["image"]
    people, networks = right.filter(like="subject").loc[images], right[list(geirhos2020.SIXTEEN)].loc[images]
    counts = dict(zip(images, zip(people.sum(axis=1), networks.sum(axis=1), strict=True), strict=True))
    found = geirhos2020.easy_for_one_side().query("data_set == @data_set").set_index("easy_for")
    assert found.loc["people", "image"].tolist() == first_five(counts, 0, 1)
    assert found.loc["networks", "image"].tolist() == first_five(counts, 1, 0)
    for row in found.itertuples():
        assert counts[row.image] == (row.people, row.networks)
        assert row.alike == list(counts.values()).count((row.people, row.networks))


def test_shape_bias_of_a_category_is_that_of_a_loop(requires_data):
    responses = erralign.load("geirhos2020/cue-conflict")
    table = geirhos2020.shape_bias_by_category().set_index("category")
    for observer, name in {"people": "subject", "CORnet-S": "cornet-s", "ResNet-50": "resnet50$"}.items():
        said = responses.answers.filter(regex=name).to_numpy().T
        shape, texture, n = cues_named(said, responses.truth, source.textures(responses.truth.index)).T
        found = table[table["observer"] == observer].loc[list(CATEGORIES)]
        np.testing.assert_allclose(found["shape_bias"], shape / (shape + texture))
        np.testing.assert_allclose(found["either"], (shape + texture) / n)


# --- CORnet-S ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data_set", SETS)
def test_no_two_points_coincide_in_whole_numbers(requires_data, data_set):
    """Equal points would need an equal product of errors and equally many joint ones; floating point plays no part."""
    right = right_on(data_set)
    people, n, exact = right.filter(like="subject"), len(right), {}
    for network in ("cornet-s", "resnet50"):
        a, b, both = people.sum(), right[network].sum(), people.mul(right[network], axis=0).sum()
        # Expected overlap and EC, times the numbers that make them whole: equal fractions are equal pairs of integers.
        exact[network] = set(zip(a * b + (n - a) * (n - b), n - a - b + 2 * both, strict=True))
    assert not exact["cornet-s"] & exact["resnet50"]
    row = geirhos2020.coinciding_points().set_index("data_set").loc[data_set]
    assert (row["people"], row["equal"], row["equal_any"]) == (10, 0, 0)


# --- distorted photographs, and chance --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_trials", [160, 1280])
def test_the_cloud_of_chance_lies_in_its_band(n_trials):
    cloud = geirhos2020.cloud_of_chance(size=4000, rng=1).query("n_trials == @n_trials").dropna()
    band = geirhos2020.percentile_band(n_trials)
    low, high = (np.interp(cloud["expected"], band["expected"], band[side]) for side in ("EC_low", "EC_high"))
    # The limits of a bin are those of all its pairs, so a little more than 95 % of discrete values are inside.
    assert binomtest(int(cloud["EC"].between(low, high).sum()), len(cloud), 0.955).pvalue > 0.001
