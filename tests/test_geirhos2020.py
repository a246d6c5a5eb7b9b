"""Geirhos et al. 2020: printed numbers, easy pictures, shape bias of a category, bands of chance and their cloud."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, hypergeom, pearsonr
from textbook import cues_named

import erralign
from erralign.sources import geirhos2020 as source
from erralign.sources.trials import CATEGORIES
from erralign_book.papers import geirhos2020

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)


PRINTED_OF_A_PART = {  # Figure 3; Figures SF.9 to SF.11; Figure 1 and the repository's
    ("sixteen", "first and fourth of four"): ("0.62 ± 0.01", "0.48 ± 0.03", "0.67 ± 0.02"),
    ("fourteen", "first and fourth of four"): ("0.63 ± 0.01", "0.53 ± 0.02", "0.67 ± 0.03"),
    ("four", "fourth of four"): ("0.55 ± 0.05", "0.55 ± 0.13", "0.62 ± 0.12"),
}


def test_the_part_of_the_trials_that_gives_what_is_printed():
    """The rows that a list of four words finds, of which one or two are a name: no other part gives all three."""
    parts = geirhos2020.parts_of_the_trials().sort_values("data_set")
    for (networks, wanted), printed in PRINTED_OF_A_PART.items():
        shown = parts[parts["networks"] == networks].groupby("rows")[["EC", "width"]]
        values = {rows: tuple(f"{ec:.2f} ± {width:.2f}" for ec, width in part.to_numpy()) for rows, part in shown}
        assert [rows for rows, each in values.items() if each == printed] == [wanted]


def test_the_slow_table_fits_the_quick_one_that_reads_it():
    """percentiles is not computed anew; its last bin holds those who are always right or always wrong together."""
    table = geirhos2020.percentiles()
    assert table.groupby(["n_trials", "grid"])["share"].sum().to_numpy() == pytest.approx(1)
    assert table[table["EC_low"].isna()]["expected"].to_numpy() == pytest.approx(1)


def test_false_alarms_are_those_of_all_tables_with_the_margins():
    band, n = geirhos2020.percentile_band(160), 160
    for right_a, right_b in ((80, 120), (144, 128), (48, 48)):
        expected = (right_a * right_b + (n - right_a) * (n - right_b)) / n**2
        low, high = (np.interp(expected, band["expected"], band[side]) for side in ("EC_low", "EC_high"))
        both = np.arange(max(0, right_a + right_b - n), min(right_a, right_b) + 1)
        observed = (n - right_a - right_b + 2 * both) / n
        ec, chance = (observed - expected) / (1 - expected), hypergeom.pmf(both, n, right_a, right_b)
        pairs = {"accuracy_a": right_a / n, "accuracy_b": right_b / n, "expected": expected}
        found = geirhos2020.limits._outside(pd.DataFrame({"observed": observed, "EC": ec} | pairs), n)
        assert found["false_alarms"].to_numpy() == pytest.approx(chance[(ec < low) | (ec > high)].sum())
        assert (found["above"] == (ec > high)).all()
        assert (found["above_own_limit"] == (chance[::-1].cumsum()[::-1] <= 0.025)).all()


@pytest.mark.parametrize("data_set", SETS)
def test_lines_without_squeezenets_are_those_of_the_other_networks(data_set):
    found = (
        geirhos2020.lines_without()
        .set_index(["left_out", "score", "data_set"])
        .loc["SqueezeNets", "ImageNet", data_set]
    )
    pairs = geirhos2020.of_the_paper(geirhos2020.pairwise_scores()).query("kind == 'model-human'")
    pairs = pairs[(pairs["data_set"] == data_set) & ~pairs["system_b"].str.startswith("squeezenet")]
    accuracy = geirhos2020.pair_means.IMAGENET_ACCURACIES["top5"]
    assert found["R2"] == pytest.approx(pearsonr(pairs["system_b"].map(accuracy), pairs["EC"]).statistic ** 2)
    means = pairs.groupby("system_b")["EC"].mean()
    # SciPy doubles the smaller tail of the permutations, which are skewed where one accuracy lies far from the others.
    assert found["p_networks"] == pytest.approx(pearsonr(accuracy[means.index], means).pvalue, abs=0.11)


def first_five(counts, most, fewest):
    """Rank as the released program does: from the most to the fewest right on one side, then up on the other."""
    return sorted(counts, key=lambda image: (-counts[image][most], counts[image][fewest]))[:5]


@pytest.mark.parametrize("data_set", SETS)
def test_easy_pictures_are_those_of_the_two_loops_of_the_released_program(requires_data, data_set):
    responses = erralign.load(f"geirhos2020/{data_set}")
    right = responses.answers.eq(responses.truth, axis=0)
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


@pytest.mark.parametrize("n_trials", [160, 1280])
def test_the_cloud_of_chance_lies_in_its_band(n_trials):
    cloud = geirhos2020.cloud_of_chance(size=4000, rng=1).query("n_trials == @n_trials").dropna()
    band = geirhos2020.percentile_band(n_trials)
    low, high = (np.interp(cloud["expected"], band["expected"], band[side]) for side in ("EC_low", "EC_high"))
    # The limits of a bin are those of all its pairs, so a little more than 95 % of discrete values are inside.
    assert binomtest(int(cloud["EC"].between(low, high).sum()), len(cloud), 0.955).pvalue > 0.001
