"""Geirhos et al. 2020: trials in their order, every printed number, the bounds and the bands of chance."""

import csv
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import erralign
from erralign.sources import archives
from erralign.sources import geirhos2020 as source
from erralign_book.papers import geirhos2020, published

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)
PAPER = "geirhos2020"
# The errata page explains each.
PART_OF_THE_TRIALS = {
    ("Figure SF.9", "cue conflict", "CNNs, mean"),
    ("Figure SF.10", "edge", "CNNs, mean"),
    ("Figure SF.11", "silhouette", "CNNs, mean"),
    ("repository", "cue conflict", "four CNNs, mean"),
    ("repository", "cue conflict", "four CNNs, ±"),
    ("repository", "silhouette", "four CNNs, mean"),
    ("repository", "silhouette", "four CNNs, ±"),
    ("Figure 1", "edge", "CNNs, mean"),
    ("Figure 1", "edge", "CNNs, ±"),
    ("Figure 3", "cue conflict", "CNNs, mean"),
    ("Figure 3", "edge", "CNNs, mean"),
    ("Figure 3", "edge", "CNNs, ±"),
    ("Figure 3", "silhouette", "CNNs, mean"),
    ("text", "DenseNet-121 with ResNet-18, edge", "EC"),
}
OTHER_EXCEPTIONS = {
    ("text", "silhouette", "CNN accuracy, mean"),
    ("text", "silhouette", "F"),
    ("text", "simulation of Figure 2, 160 trials", "experiments"),
    ("text", "CORnet-S", "top-1 accuracy in %"),
    ("Section S.3", "grid of accuracies", "share in the ends, in %"),
    ("Section S.3", "ends of the grid, 1280 trials", "% of the domain at either end"),
}


# --- the data ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data_set", SETS)
def test_size_and_systems(requires_data, data_set):
    responses = erralign.load(f"{PAPER}/{data_set}")
    row = erralign.catalog().set_index("name").loc[f"{PAPER}/{data_set}"]
    assert responses.answers.shape == (row["trials"], row["systems"]) == (source.DATA_SETS[data_set], 35)
    assert responses.systems["kind"].value_counts().to_dict() == {"model": 25, "human": 10}
    assert responses.truth.index.is_unique
    distinct = responses.answers.T.drop_duplicates()
    assert len(distinct) == 35, "no two systems give the same answers"


@pytest.mark.parametrize("data_set", SETS)
def test_answers_are_those_of_the_files_image_by_image(requires_data, data_set):
    """Every system saw the same images, in whatever order; truth and answers belong to the image."""
    responses = erralign.load(f"{PAPER}/{data_set}")
    named = np.array([*responses.classes, "na"])
    for system in responses.systems.index:
        trials = source.trials_of(data_set, system).set_index("image")
        assert trials.index.is_unique
        assert set(trials.index) == set(responses.truth.index)
        trials = trials.loc[responses.truth.index]
        assert (trials["category"] == named[responses.truth]).all()
        assert (trials["object_response"] == named[responses.answers[system]]).all()


@pytest.mark.parametrize("data_set", SETS)
def test_networks_share_an_order_and_people_have_their_own(requires_data, data_set):
    responses = erralign.load(f"{PAPER}/{data_set}")
    same = {
        system: (source.trials_of(data_set, system)["image"].to_numpy() == responses.truth.index).all()
        for system in responses.systems.index
    }
    assert {system for system, agrees in same.items() if agrees} == set(
        responses.systems.query("kind == 'model'").index
    )


def test_only_people_run_out_of_time(requires_data):
    silent = {name: (erralign.load(f"{PAPER}/{name}").answers < 0).sum() for name in SETS}
    assert {name: int(count.sum()) for name, count in silent.items()} == {
        "cue-conflict": 131,
        "edges": 34,
        "silhouettes": 22,
    }
    assert silent["edges"]["subject-09"] == 30
    assert all(count[count.index.str.startswith("subject")].sum() == count.sum() for count in silent.values())


def test_shape_is_the_truth_and_eighty_textures_agree_with_it(requires_data):
    truth = erralign.load(f"{PAPER}/cue-conflict").truth
    shapes = truth.index.str.extract(r"^([a-z]+)", expand=False)
    assert (pd.Index(erralign.load(f"{PAPER}/edges").classes).get_indexer(shapes) == truth).all()
    assert (source.textures(truth.index) == truth).sum() == 80


def test_a_name_that_looks_alike_is_another_network(requires_data):
    answers = erralign.load(f"{PAPER}/cue-conflict")
    right = answers.answers.eq(answers.truth, axis=0).mean().round(3)
    assert (right["vgg16"], right["vgg16-bn"]) == (0.116, 0.145)


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


def test_sanity_values():
    """Values of the note that came with the data."""
    accuracy = geirhos2020.accuracies()
    networks = accuracy[accuracy["system"].isin(geirhos2020.SIXTEEN)].groupby("data_set")["accuracy"].mean()
    people = accuracy.query("kind == 'human'").groupby("data_set")["accuracy"].mean()
    assert people.round(3).tolist() == [0.776, 0.871, 0.753]
    assert networks.round(3).tolist() == [0.180, 0.228, 0.452]
    means = geirhos2020.kinds_of_pairs().set_index(["data_set", "kind"])
    assert means["EC"].xs("human-human", level="kind").round(3).tolist() == [0.331, 0.318, 0.476]
    assert means["n_pairs"].unstack().drop_duplicates().to_numpy().tolist() == [[45, 160, 120]]


@pytest.mark.parametrize("data_set", SETS)
def test_pairs_equal_a_textbook_form(requires_data, data_set):
    responses = erralign.load(f"{PAPER}/{data_set}")
    right = responses.answers.eq(responses.truth, axis=0)
    for row in geirhos2020.pairwise_scores().query("data_set == @data_set").itertuples():
        a, b = right[row.system_a], right[row.system_b]
        observed, expected = (a == b).mean(), a.mean() * b.mean() + (1 - a.mean()) * (1 - b.mean())
        assert row.observed == pytest.approx(observed, abs=1e-12)
        assert row.expected == pytest.approx(expected, abs=1e-12)
        ec = (observed - expected) / (1 - expected)
        np.testing.assert_allclose(row.EC, ec, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "item",
    [
        "Table 1",
        "Figure 1",
        "Figure 3",
        *geirhos2020.printed.OF_BRAIN_SCORES,
        "Section S.3",
        "Section S.6",
        "repository",
        "text",
    ],
)
def test_printed_numbers_are_reproduced(requires_data, item):
    """Every number; an exception must stay one."""
    found = published.compare(geirhos2020.table(item), PAPER, item)
    differs = {(item, row.row, row.column) for row in found.query("verdict == 'differs'").itertuples()}
    assert differs == {exception for exception in PART_OF_THE_TRIALS | OTHER_EXCEPTIONS if exception[0] == item}


def test_half_of_the_trials_gives_what_is_printed():
    """The rows that a list of four words, first and last the name, finds: every network number of Figure 3."""
    parts = geirhos2020.parts_of_the_trials().query("networks == 'sixteen'").set_index(["rows", "data_set"])
    half = parts.loc["first and fourth of four"]
    shown = {name: f"{row['EC']:.2f} ± {row['width']:.2f}" for name, row in half.iterrows()}
    assert shown == {"cue-conflict": "0.62 ± 0.01", "edges": "0.48 ± 0.03", "silhouettes": "0.67 ± 0.02"}
    highest = half.loc["edges"]
    assert (round(highest["highest"], 3), highest["highest_a"], highest["highest_b"]) == (
        0.793,
        "densenet121",
        "resnet18",
    )
    others = parts.drop(index="first and fourth of four", level="rows").xs("edges", level="data_set")
    assert (others["highest"].round(3) != 0.793).all()


def test_a_quarter_of_the_trials_gives_what_the_figures_of_four_networks_print():
    """Where only the last of the four words is a name in the table: Figure 1 (edges), and the repository's like it."""
    parts = geirhos2020.parts_of_the_trials().query("networks == 'four'").set_index(["rows", "data_set"])
    printed = {"cue-conflict": "0.55 ± 0.05", "edges": "0.55 ± 0.13", "silhouettes": "0.62 ± 0.12"}
    shown = {
        rows: {name: f"{row['EC']:.2f} ± {row['width']:.2f}" for name, row in part.droplevel(0).iterrows()}
        for rows, part in parts.groupby(level="rows")
    }
    assert [rows for rows, values in shown.items() if values == printed] == ["fourth of four"]


def test_all_trials_as_a_part_equal_the_pairs():
    parts = geirhos2020.parts_of_the_trials().query("rows == 'all' and networks == 'sixteen'").set_index("data_set")
    pairs = geirhos2020.kinds_of_pairs().query("kind == 'model-model'").set_index("data_set")
    pd.testing.assert_frame_equal(parts[["EC", "width", "highest"]], pairs[["EC", "width", "highest"]])


def test_every_item_of_the_paper_has_a_row_and_every_figure_a_verdict():
    items = set(published.published().query("paper == @PAPER")["item"])
    figures = {f"Figure {i}" for i in range(1, 5)} | {f"Figure SF.{i}" for i in range(1, 13)}
    assert items == figures | {"Table 1", "Section S.3", "Section S.4", "Section S.6", "repository", "text"}
    verdicts = published.figures(PAPER)
    assert set(verdicts["item"]) == figures
    assert set(verdicts["verdict"]) == {"redrawn", published.NOT_COMPUTABLE}


def test_distorted_photographs(requires_data):
    """Both networks saw the same pictures, people others; easy pictures are easy, and the hardest are guesses."""
    for experiment in source.DISTORTIONS:
        trials = source.distorted(experiment)
        seen = trials.groupby("subj")[["condition", "image"]].apply(lambda rows: set(map(tuple, rows.to_numpy())))
        assert set(trials["subj"]) == set(source.distortion_files(experiment))
        assert seen["cornet-s"] == seen["resnet50"]
        people = seen.filter(like="subject")
        assert all(len(person & seen["cornet-s"]) < 0.1 * len(person) for person in people)
    table = geirhos2020.distortions()
    easiest, hardest = table[table["strength"] == 1], table.groupby("experiment").tail(1)
    assert (easiest[["people", "cornet-s", "resnet50"]] > 0.8).all(axis=None)
    assert (hardest[["people", "cornet-s", "resnet50"]] < 0.1).all(axis=None)


# --- colour -----------------------------------------------------------------------------------------------------------


def test_who_saw_which_photographs(requires_data):
    """Two people the same; the third none of theirs in the same way, but all those of model-vs-human."""
    first, *others = (source.in_colour_and_grey(person) for person in source.COLOUR_PEOPLE)
    benchmark = erralign.load("model-vs-human/colour").truth
    for trials in (first, *others):
        assert trials.index.is_unique
        assert trials.groupby(level="condition").size().to_dict() == {"bw": 640, "cr": 640}
    assert set(others[0].index) == set(others[1].index)
    assert (others[0]["truth"] == others[1]["truth"].loc[others[0].index]).all()
    assert len(set(first.index) & set(others[0].index)) < 30
    assert set(first.index) == set(benchmark.index)
    assert (first["truth"].loc[benchmark.index] == benchmark).all()
    assert [int((trials["answer"] < 0).sum()) for trials in (first, *others)] == [1, 30, 25]


def test_the_third_person_is_none_of_the_four_of_the_benchmark(requires_data):
    """A copied file would agree fully; another order of trials does not hide it."""
    answers = geirhos2020.colour._in_colour_and_grey(geirhos2020.FIVE_PEOPLE).answers
    agreement = answers.drop(columns="subject-01").eq(answers["subject-01"], axis=0).mean()
    assert agreement.between(0.8, 0.95).all()


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


def test_means_over_people_are_those_of_the_pairs():
    pairs = geirhos2020.colour_pairs().query("pictures == @geirhos2020.FIVE_PEOPLE")
    means = pairs.groupby(["kind", "colour"])["EC"].mean().unstack()
    found = geirhos2020.colour_contrasts().query("measure == 'EC'").set_index("of")
    for of, kind in (("five people", "human-human"), ("resnet50 with five people", "model-human")):
        np.testing.assert_allclose(found.loc[of, ["colour", "grey"]].astype(float), means.loc[kind], atol=1e-12)


def test_limits_of_a_difference_are_the_published_ones():
    """Newcombe (1998), Table II, example (a), method 10: 56 of 70 less 48 of 80."""
    shares = [binomtest(56, 70).proportion_ci(method="wilson"), binomtest(48, 80).proportion_ci(method="wilson")]
    a, b = (
        pd.DataFrame({"": [value], "_low": [share.low], "_high": [share.high]})
        for value, share in zip((56 / 70, 48 / 80), shares, strict=True)
    )
    assert geirhos2020.colour._difference(a, b).iloc[0].round(4).tolist() == [0.2, 0.0524, 0.3339]


# --- bounds and bands -------------------------------------------------------------------------------------------------


def every_table(n):
    """Yield expected and observed overlap for all pairs of right-or-wrong records of n trials, up to order."""
    for both, only_a, only_b in itertools.product(range(n + 1), repeat=3):
        if both + only_a + only_b <= n:
            p_a, p_b = (both + only_a) / n, (both + only_b) / n
            yield p_a * p_b + (1 - p_a) * (1 - p_b), (n - only_a - only_b) / n


def test_bounds_hold_for_every_table_and_are_reached():
    expected, observed = np.array([table for table in every_table(12) if table[0] < 1]).T
    bounds = geirhos2020.bounds(expected)
    assert (observed >= bounds["observed_low"] - 1e-12).all()
    assert (observed <= bounds["observed_high"] + 1e-12).all()
    for side in ("observed_low", "observed_high"):
        assert np.isclose(observed, bounds[side]).sum() > 20
    ec = (observed - expected) / (1 - expected)
    assert (ec >= bounds["EC_low"] - 1e-12).all()
    assert (ec <= bounds["EC_high"] + 1e-12).all()


def test_the_released_percentiles_come_from_two_grids():
    """The right grid leaves the scatter of 4,200² pairs of accuracies, five times each: 88.2 million experiments."""
    found = geirhos2020.percentiles_against_released().set_index(["n_trials", "grid"])["experiments"]
    # 99 bins: the estimate's own standard error is a factor of about 1.15.
    assert 88.2 / 1.4 < found[160, "edges at .15"] < 88.2 * 1.4
    assert 88.2 / 1.4 < found[1280, "edges at .05"] < 88.2 * 1.4
    assert found.drop([(160, "edges at .15"), (1280, "edges at .05")]).max() < 1


def test_false_alarms_against_a_simulation():
    """Independent observers with the two accuracies of a pair: how often they leave the band."""
    pair = geirhos2020.of_the_paper(geirhos2020.pairwise_scores()).query(
        "data_set == 'cue-conflict' and system_a == 'subject-01' and system_b == 'resnet50'"
    )
    n, row = 1280, pair.iloc[0]
    rng = np.random.default_rng(0)
    right_a, right_b = round(n * row["accuracy_a"]), round(n * row["accuracy_b"])
    both = rng.hypergeometric(right_a, n - right_a, right_b, size=100_000)
    ec = ((n - right_a - right_b + 2 * both) / n - row["expected"]) / (1 - row["expected"])
    band = geirhos2020.percentile_band(n)
    low, high = (np.interp(row["expected"], band["expected"], band[side]) for side in ("EC_low", "EC_high"))
    ours = geirhos2020.limits._outside(pair, n)["false_alarms"].item()
    assert ours == pytest.approx(((ec < low) | (ec > high)).mean(), abs=0.006)  # four standard errors


def test_the_slow_table_fits_the_quick_one_that_reads_it():
    """percentiles is not computed anew; its last bin holds those who are always right or always wrong together."""
    table = geirhos2020.percentiles()
    assert len(table) == 600
    assert table.groupby(["n_trials", "grid"])["share"].sum().to_numpy() == pytest.approx(1)
    assert table[table["EC_low"].isna()]["expected"].to_numpy() == pytest.approx(1)
    assert geirhos2020.percentiles.table.slow
