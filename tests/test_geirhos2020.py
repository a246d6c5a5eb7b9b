"""Geirhos et al. 2020: trials in their order, every printed number, the bounds and the bands of chance."""

import csv

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import erralign
from erralign.sources import archives
from erralign.sources import geirhos2020 as source
from erralign_book.papers import geirhos2020

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)
PAPER = "geirhos2020"


# --- the data ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data_set", SETS)
def test_answers_are_those_of_the_files_image_by_image(requires_data, data_set):
    """All saw the same images, networks in one order and people in their own; only people run out of time."""
    responses = erralign.load(f"{PAPER}/{data_set}")
    answers, kinds = responses.answers, responses.systems["kind"]
    row = erralign.catalog().set_index("name").loc[f"{PAPER}/{data_set}"]
    assert answers.shape == (row["trials"], row["systems"]) == (source.DATA_SETS[data_set], 35)
    assert not answers.T.duplicated().any()
    silent = (answers < 0).any()
    assert set(kinds[silent]) == {"human"}
    named = np.array([*responses.classes, "na"])
    for system in answers:
        trials = source.trials_of(data_set, system).set_index("image")
        assert trials.index.is_unique
        assert (list(trials.index) == list(answers.index)) is (kinds[system] == "model")
        assert set(trials.index) == set(answers.index)
        trials = trials.loc[answers.index]
        assert (trials["category"] == named[responses.truth]).all()
        assert (trials["object_response"] == named[answers[system]]).all()


def test_shape_is_the_truth_and_eighty_textures_agree_with_it(requires_data):
    truth = erralign.load(f"{PAPER}/cue-conflict").truth
    shapes = truth.index.str.extract(r"^([a-z]+)", expand=False)
    assert (pd.Index(erralign.load(f"{PAPER}/edges").classes).get_indexer(shapes) == truth).all()
    assert (source.textures(truth.index) == truth).sum() == 80


def test_a_file_about_another_system_is_an_error(requires_data, monkeypatch):
    monkeypatch.setattr(
        source, "trial_file", lambda *_: "raw-data/texture-shape_edges/texture-shape_edges_vgg16session-1.csv"
    )
    with pytest.raises(erralign.DataError, match=r"vgg16session-1.csv.*is about vgg16; expected vgg16-bn"):
        source.trials_of("edges", "vgg16-bn")


def test_the_manifest_lists_just_what_the_reader_names():
    named = {source.trial_file(data_set, system) for data_set in SETS for system in source.systems().index}
    named |= {f"data-analysis/confidence-intervals/{n}_trials.csv" for n in (160, 1280)}
    distorted = [source.distortion_files(experiment).values() for experiment in source.DISTORTIONS]
    named |= {file for files in distorted for session in files for file in session}
    named |= {source.colour_file(person) for person in source.COLOUR_PEOPLE}
    named.add("raw-data/brain-score_metrics/brainscore_metrics.csv")
    assert set(archives.manifest()[source.ERROR_CONSISTENCY]["members"]) == named


# --- known values -----------------------------------------------------------------------------------------------------


PRINTED_OF_A_PART = {  # Figure 3; Figures SF.9 to SF.11; Figure 1 and the repository's
    ("sixteen", "first and fourth of four"): ("0.62 ± 0.01", "0.48 ± 0.03", "0.67 ± 0.02"),
    ("fourteen", "first and fourth of four"): ("0.63 ± 0.01", "0.53 ± 0.02", "0.67 ± 0.03"),
    ("four", "fourth of four"): ("0.55 ± 0.05", "0.55 ± 0.13", "0.62 ± 0.12"),
}


def test_the_part_of_the_trials_that_gives_what_is_printed():
    """The rows that a list of four words finds, of which one or two are a name: no other part gives all three."""
    parts = geirhos2020.parts_of_the_trials()
    for (networks, wanted), printed in PRINTED_OF_A_PART.items():
        shown = {
            rows: tuple(f"{row.EC:.2f} ± {row.width:.2f}" for row in part.sort_values("data_set").itertuples())
            for rows, part in parts[parts["networks"] == networks].groupby("rows")
        }
        assert [rows for rows, values in shown.items() if values == printed] == [wanted]
    every = parts.query("rows == 'all' and networks == 'sixteen'").set_index("data_set")
    pairs = geirhos2020.kinds_of_pairs().query("kind == 'model-model'").set_index("data_set")
    pd.testing.assert_frame_equal(*(table[["EC", "width", "highest"]] for table in (every, pairs)))


def test_distorted_photographs(requires_data):
    """Both networks saw the same pictures, people others; easy pictures are easy, and the hardest are guesses."""
    for experiment in source.DISTORTIONS:
        seen = (
            source.distorted(experiment)
            .groupby("subj")[["condition", "image"]]
            .apply(lambda rows: set(map(tuple, rows.to_numpy())))
        )
        assert seen["cornet-s"] == seen["resnet50"]
        assert all(len(each & seen["cornet-s"]) < 0.1 * len(each) for each in seen.filter(like="subject"))
    table, who = geirhos2020.distortions(), ["people", "cornet-s", "resnet50"]
    assert (table.loc[table["strength"] == 1, who] > 0.8).all(axis=None)
    assert (table.groupby("experiment").tail(1)[who] < 0.1).all(axis=None)


# --- colour -----------------------------------------------------------------------------------------------------------


def test_who_saw_which_photographs(requires_data):
    """Two people the same; the third those of model-vs-human, and next to none of theirs in the same way."""
    first, second, third = (source.in_colour_and_grey(person) for person in source.COLOUR_PEOPLE)
    benchmark = erralign.load("model-vs-human/colour").truth
    for trials in (first, second, third):
        assert trials.index.is_unique
        assert trials.groupby(level="condition").size().to_dict() == {"bw": 640, "cr": 640}
    assert second["truth"].sort_index().equals(third["truth"].sort_index())
    assert len(set(first.index) & set(second.index)) < 30
    assert (first["truth"].reindex(benchmark.index) == benchmark).all()


def right_by_picture(person):
    """Read one person's file without pandas: condition and picture to right or wrong."""
    lines = archives.open_member(source.ERROR_CONSISTENCY, source.colour_file(person)).read().decode().splitlines()
    rows = csv.DictReader(lines)
    return {
        (row["condition"], row["imagename"].split("_", 5)[5]): row["object_response"] == row["category"] for row in rows
    }


def plain_ec(a, b):
    expected = a.mean(axis=-1) * b.mean(axis=-1) + (~a).mean(axis=-1) * (~b).mean(axis=-1)
    return ((a == b).mean(axis=-1) - expected) / (1 - expected)


def test_the_two_people_line_by_line_and_their_difference_resampled(requires_data):
    people = [right_by_picture(person) for person in ("subject-02", "subject-03")]
    ours = geirhos2020.colour_pairs().query("pictures == @geirhos2020.TWO_PEOPLE").set_index("colour")
    rng, resampled = np.random.default_rng(0), {}
    for colour, condition in (("colour", "cr"), ("grey", "bw")):
        a, b = np.array([[person[key] for key in people[0] if key[0] == condition] for person in people])
        assert ours.loc[colour, "EC"] == pytest.approx(plain_ec(a, b), abs=1e-12)
        assert ours.loc[colour, "n_joint_errors"] == (~a & ~b).sum()
        chosen = rng.integers(0, 640, size=(4000, 640))
        resampled[colour] = plain_ec(a[chosen], b[chosen])
    found = geirhos2020.colour_contrasts().set_index("of").loc["the two people"]
    limits = np.quantile(resampled["colour"] - resampled["grey"], [0.025, 0.975])
    np.testing.assert_allclose(found[["difference_low", "difference_high"]].astype(float), limits, atol=0.01)


def test_limits_of_a_difference_are_the_published_ones():
    """Newcombe (1998), Table II, example (a), method 10: 56 of 70 less 48 of 80."""
    shares = [binomtest(56, 70).proportion_ci(method="wilson"), binomtest(48, 80).proportion_ci(method="wilson")]
    a, b = (
        pd.DataFrame({"": [value], "_low": [share.low], "_high": [share.high]})
        for value, share in zip((56 / 70, 48 / 80), shares, strict=True)
    )
    assert geirhos2020.colour._difference(a, b).iloc[0].round(4).tolist() == [0.2, 0.0524, 0.3339]


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
    assert len(table) == 600
    assert table.groupby(["n_trials", "grid"])["share"].sum().to_numpy() == pytest.approx(1)
    assert table[table["EC_low"].isna()]["expected"].to_numpy() == pytest.approx(1)
    assert geirhos2020.percentiles.table.slow
