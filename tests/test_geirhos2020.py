"""Geirhos et al. 2020: trials in their order, every printed number, bounds, bands of chance, shared material."""

import csv

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, hypergeom
from textbook import textbook_ec

import erralign
from erralign.behaviour import error_consistency
from erralign.clusters import clusters_of, effects_of_pairs, influence_of_trials
from erralign.measures import measure_of
from erralign.measures.matrix import response_matrix
from erralign.sources import archives
from erralign.sources import geirhos2020 as source
from erralign_book.papers import geirhos2020

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)
PAPER = "geirhos2020"


# --- the data ---------------------------------------------------------------------------------------------------------


def test_shape_is_the_truth_and_eighty_textures_agree_with_it(requires_data):
    truth = erralign.load(f"{PAPER}/cue-conflict").truth
    shapes = truth.index.str.extract(r"^([a-z]+)", expand=False)
    assert (pd.Index(erralign.load(f"{PAPER}/edges").classes).get_indexer(shapes) == truth).all()
    assert (source.textures(truth.index) == truth).sum() == 80


# --- known values -----------------------------------------------------------------------------------------------------


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


def test_distorted_photographs(requires_data):
    """Both networks saw the same pictures, people others; easy pictures are easy, and the hardest are guesses."""
    for experiment in geirhos2020.colour.DISTORTIONS:
        trials = geirhos2020.colour.distorted(experiment).groupby("subj")
        seen = {name: {*zip(rows["condition"], rows["image"], strict=True)} for name, rows in trials}
        of_networks = seen.pop("cornet-s")
        assert seen.pop("resnet50") == of_networks
        assert all(len(each & of_networks) < 0.1 * len(each) for each in seen.values())
    table, who = geirhos2020.distortions(), ["people", "cornet-s", "resnet50"]
    assert table.loc[table["strength"] == 1, who].min(axis=None) > 0.8
    assert table.groupby("experiment").tail(1)[who].max(axis=None) < 0.1


# --- colour -----------------------------------------------------------------------------------------------------------


def test_who_saw_which_photographs(requires_data):
    """Two people the same; the third those of model-vs-human, and next to none of theirs in the same way."""
    first, second, third = (geirhos2020.colour.in_colour_and_grey(person) for person in geirhos2020.colour.PEOPLE)
    benchmark = erralign.load("model-vs-human/colour").truth
    for trials in (first, second, third):
        assert trials.index.is_unique
        assert trials.groupby(level="condition").size().to_dict() == {"bw": 640, "cr": 640}
    assert second["truth"].sort_index().equals(third["truth"].sort_index())
    assert len(set(first.index) & set(second.index)) < 30
    assert (first["truth"].reindex(benchmark.index) == benchmark).all()


def right_by_picture(person):
    """Read one person's file without pandas: condition and picture to right or wrong."""
    content = archives.open_member(source.ERROR_CONSISTENCY, geirhos2020.colour.colour_file(person)).read().decode()
    rows = [(row, row["imagename"].split("_", 5)[5]) for row in csv.DictReader(content.splitlines())]
    return {(row["condition"], image): row["object_response"] == row["category"] for row, image in rows}


def test_the_two_people_line_by_line(requires_data):
    people = [right_by_picture(person) for person in ("subject-02", "subject-03")]
    ours = geirhos2020.colour_pairs().query("pictures == @geirhos2020.TWO_PEOPLE").set_index("colour")
    for colour, condition in (("colour", "cr"), ("grey", "bw")):
        a, b = np.array([[person[key] for key in people[0] if key[0] == condition] for person in people])
        assert ours.loc[colour, "EC"] == pytest.approx(textbook_ec(True, a, b), abs=1e-12)
        assert ours.loc[colour, "n_joint_errors"] == (~a & ~b).sum()


def test_limits_of_a_difference_are_the_published_ones():
    """Newcombe (1998), Table II, example (a), method 10: 56 of 70 less 48 of 80."""
    shares = []
    for right, n in ((56, 70), (48, 80)):
        limits = binomtest(right, n).proportion_ci(method="wilson")
        shares.append(pd.DataFrame({"": [right / n], "_low": [limits.low], "_high": [limits.high]}))
    assert geirhos2020.colour._difference(*shares).iloc[0].round(4).tolist() == [0.2, 0.0524, 0.3339]


# --- bounds and bands -------------------------------------------------------------------------------------------------


def test_the_released_percentiles_come_from_two_grids():
    """The right grid leaves the scatter of 4,200² pairs of accuracies, five times each: 88.2 million experiments."""
    found = geirhos2020.percentiles_against_released().set_index(["n_trials", "grid"])["experiments"]
    # 99 bins: the estimate's own standard error is a factor of about 1.15.
    assert 88.2 / 1.4 < found[160, "edges at .15"] < 88.2 * 1.4
    assert 88.2 / 1.4 < found[1280, "edges at .05"] < 88.2 * 1.4
    assert found.drop([(160, "edges at .15"), (1280, "edges at .05")]).max() < 1


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


# --- standard errors where pictures share material --------------------------------------------------------------------


def test_a_standard_error_is_that_of_plain_resampling(requires_data):
    responses, rng = source.read("cue-conflict"), np.random.default_rng(5)
    truth, networks = responses.truth.to_numpy(), ["vgg16", "vgg19"]
    first, second = responses.answers[networks].to_numpy().T
    drawn = [rng.integers(0, len(truth), len(truth)) for _ in range(800)]
    plain = np.std([error_consistency(truth[i], first[i], second[i]) for i in drawn])
    table = geirhos2020.shared_material().set_index(["system_a", "system_b"])
    assert table.loc[tuple(networks), "pictures"] == pytest.approx(plain, rel=0.1)


def test_design_effects_are_those_of_resampled_exemplars(requires_data):
    """Standard errors with one factor as clusters, without what makes up for few clusters, against resampling."""
    responses, table = source.read("cue-conflict"), geirhos2020.shared_material()
    photographs = source.exemplars(responses.truth.index)
    for column in ("shapes", "textures"):
        ratio = table[column] / table["pictures"]
        trials, shared = response_matrix(responses), clusters_of(photographs[column[:-1]], responses.truth)
        pairs = [trials.only(a, b) for a, b in zip(*trials.pairs, strict=True)]
        moved = [influence_of_trials(measure_of("EC"), pair, {})[:, None] for pair in pairs]
        widening = [shared.widening(each)[0] for each in moved]
        formula = np.sqrt(effects_of_pairs(shared, "EC", trials, 0.95, {})) / widening
        larger = ratio > 1.1  # below 1 the formula takes it for chance
        assert np.median(formula[larger] / ratio[larger]) == pytest.approx(1, abs=0.03)
