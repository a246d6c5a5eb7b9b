"""Geirhos et al. 2020, and Klein et al. 2025: printed numbers, and the calculations against loops."""

import numpy as np
import pytest
from textbook import cues_named

import erralign
from erralign.datasets import geirhos2020 as source
from erralign.datasets import model_vs_human
from erralign.datasets.trials import CATEGORIES
from erralign.measures.matrix import kappa
from erralign_book.cells import table

pytestmark = pytest.mark.slow  # its tables are computed where the data are

SETS = tuple(source.DATA_SETS)


PRINTED_OF_A_PART = {  # Figure 3; Figures SF.9 to SF.11; Figure 1 and the repository's
    ("sixteen", "first and fourth of four"): ("0.62 ± 0.01", "0.48 ± 0.03", "0.67 ± 0.02"),
    ("fourteen", "first and fourth of four"): ("0.63 ± 0.01", "0.53 ± 0.02", "0.67 ± 0.03"),
    ("four", "fourth of four"): ("0.55 ± 0.05", "0.55 ± 0.13", "0.62 ± 0.12"),
}


def test_the_part_of_the_trials_that_gives_what_is_printed():
    """The rows that a list of four words finds, of which one or two are a name: no other part gives all three."""
    parts = table("geirhos2020/parts_of_the_trials").sort_values("data_set")
    for (networks, wanted), printed in PRINTED_OF_A_PART.items():
        shown = parts[parts["networks"] == networks].groupby("rows")[["EC", "width"]]
        values = {rows: tuple(f"{ec:.2f} ± {width:.2f}" for ec, width in part.to_numpy()) for rows, part in shown}
        assert [rows for rows, each in values.items() if each == printed] == [wanted]


def first_five(counts, most, fewest):
    """Rank as the released program does: from the most to the fewest right on one side, then up on the other."""
    return sorted(counts, key=lambda image: (-counts[image][most], counts[image][fewest]))[:5]


@pytest.mark.parametrize("data_set", SETS)
def test_easy_pictures_are_those_of_the_two_loops_of_the_released_program(requires_data, data_set):
    responses = erralign.load(f"geirhos2020/{data_set}")
    right = responses.answers.eq(responses.truth, axis=0)
    images = source.trials_of(data_set, "subject-02")["image"]
    people, networks = right.filter(like="subject").loc[images], right[list(source.SIXTEEN)].loc[images]
    counts = dict(zip(images, zip(people.sum(axis=1), networks.sum(axis=1), strict=True), strict=True))
    found = table("geirhos2020/easy_for_one_side").query("data_set == @data_set").set_index("easy_for")
    assert found.loc["people", "image"].tolist() == first_five(counts, 0, 1)
    assert found.loc["networks", "image"].tolist() == first_five(counts, 1, 0)
    for row in found.itertuples():
        assert counts[row.image] == (row.people, row.networks)
        assert row.alike == list(counts.values()).count((row.people, row.networks))


def test_shape_bias_of_a_category_is_that_of_a_loop(requires_data):
    responses = erralign.load("geirhos2020/cue-conflict")
    by_category = table("geirhos2020/shape_bias_by_category").set_index("category")
    for observer, name in {"people": "subject", "CORnet-S": "cornet-s", "ResNet-50": "resnet50$"}.items():
        said = responses.answers.filter(regex=name).to_numpy().T
        shape, texture, n = cues_named(said, responses.truth, source.textures(responses.truth.index)).T
        found = by_category[by_category["observer"] == observer].loc[list(CATEGORIES)]
        np.testing.assert_allclose(found["shape_bias"], shape / (shape + texture))
        np.testing.assert_allclose(found["either"], (shape + texture) / n)


# --- Klein et al. 2025: printed ---------------------------------------------------------------------------------------


# --- printed ----------------------------------------------------------------------------------------------------------


def test_the_eleven_models_stand_in_the_printed_order():
    """Neighbours lie as little as .0013 apart: the calculation, and which models the middle ones are, must be right."""
    ranking = table("klein2025/table_2")
    assert len(ranking) == 11
    assert ranking["place in Table 2"].is_monotonic_increasing
    assert ranking["EC"].is_monotonic_decreasing
    assert ranking["bootstraps"].is_monotonic_decreasing


# --- the calculation against others -----------------------------------------------------------------------------------


def test_the_papers_interval_equals_a_bootstrap_by_hand(requires_data, rng):
    """CLIP on phase-scrambled pictures: draw trials within conditions, calculate, take the middle 95 %."""
    responses = model_vs_human.used_conditions(erralign.load("model-vs-human/phase-scrambling"))
    right = responses.answers.eq(responses.truth, axis=0)
    conditions = [part for _, part in right.groupby(level="condition")]
    draws = []
    for _ in range(2000):
        drawn = [part.to_numpy()[rng.integers(len(part), size=len(part))] for part in conditions]
        draws.append(np.mean([ec_with_people(trials, list(right)) for trials in drawn]))
    row = table("klein2025/phase_scrambling").loc["clip"]
    # The quantiles of 2,000 draws have standard errors of about .002.
    assert np.quantile(draws, [0.025, 0.975]) == pytest.approx(row[["percentile_low", "percentile_high"]], abs=0.008)


def ec_with_people(right, names):
    clip = right[:, names.index("clip")]
    people = [right[:, i] for i, name in enumerate(names) if name.startswith("subject-")]
    tables = np.array([np.bincount(2 * clip + person, minlength=4) for person in people], dtype=float)
    return np.nanmean(kappa(*tables.T))
