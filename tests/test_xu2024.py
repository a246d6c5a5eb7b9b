"""Findings on the data of Xu et al. (2024): what one habit would give, and what accuracy explains."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from erralign.behaviour import class_level_error_similarity_from_counts
from erralign.sources import xu2024 as source
from erralign_book.charts.hard_for_one_hard_for_all import from_points_to_ticks
from erralign_book.papers import xu2024
from erralign_book.papers.xu2024 import accuracy, habits

INSIDE, OUTSIDE = ["CKA", "SOC", "SOCE"], ["EC", "MA", "CLES"]
KINDS = ["human-human", "model-human", "model-model"]


def answers(seed, n_trials=400):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 16, n_trials)
    systems = [np.where(rng.random(n_trials) < 0.4, rng.integers(0, 16, n_trials), truth) for _ in range(2)]
    return truth, *systems


def errors_of(truth, answers):
    matrix = np.zeros((16, 16), dtype=int)
    wrong = answers != truth
    np.add.at(matrix, (truth[wrong], answers[wrong]), 1)
    return matrix


# ---- one habit ---------------------------------------------------------------------------------------------------


def test_deals_keep_the_numbers_of_errors_and_the_heap():
    truth, a, b = answers(0)
    errors_a, errors_b = errors_of(truth, a), errors_of(truth, b)
    deals = list(habits._deals(truth, a, b, np.random.default_rng(1)))
    assert len(deals) == habits.DEALS
    for dealt_a, dealt_b in deals:
        np.testing.assert_array_equal(dealt_a.sum(axis=1), errors_a.sum(axis=1))
        np.testing.assert_array_equal(dealt_a + dealt_b, errors_a + errors_b)
    assert len({dealt_a.tobytes() for dealt_a, _ in deals}) == habits.DEALS


def plainly_shared(truth, a, b, rng):
    """Deal by shuffling the answers themselves, class by class: another way to the same values."""
    dealt_a, dealt_b = a.copy(), b.copy()
    swapped = (a != truth) & (b != truth) & (rng.random(len(truth)) < 0.5)
    dealt_a[swapped], dealt_b[swapped] = b[swapped], a[swapped]
    for label in range(16):
        only_a, only_b = (np.flatnonzero((truth == label) & (x != truth) & (y == truth)) for x, y in ((a, b), (b, a)))
        heap = rng.permutation(np.concatenate([a[only_a], b[only_b]]))
        dealt_a[only_a], dealt_b[only_b] = np.split(heap, [len(only_a)])
    return class_level_error_similarity_from_counts(errors_of(truth, dealt_a), errors_of(truth, dealt_b))


def test_one_habit_is_what_plain_shuffling_gives(requires_data):
    responses = source.read("colour")
    truth, rng = responses.truth.to_numpy(), np.random.default_rng(3)
    table = xu2024.shared_habits().query("data_set == 'colour'")
    for kind in KINDS:
        row = table[table["kind"] == kind].iloc[0]
        a, b = (responses.answers[row[system]].to_numpy() for system in ("system_a", "system_b"))
        shuffled = [plainly_shared(truth, a, b, rng) for _ in range(60)]
        # Both means have an error.
        margin = 4 * np.std(shuffled) * np.sqrt(1 / 60 + 1 / habits.DEALS)
        assert row["shared"] == pytest.approx(np.mean(shuffled), abs=margin)


def test_each_kind_has_its_own_reference_in_the_chart():
    means = pd.DataFrame(
        {"data_set": "colour", "kind": KINDS, "CLES": [0.91, 0.88, 0.94], "one habit": [0.9, 0.91, 0.93]}
    )
    spec = from_points_to_ticks(means, "CLES", "one habit", "CLES", "Title", "ticks: one habit").to_dict()
    (ticks,) = [part for part in spec["layer"] if part["mark"]["type"] == "tick"]
    assert ticks["encoding"]["x"]["field"] == "one habit"
    assert "aggregate" not in ticks["encoding"]["x"]
    assert ticks["encoding"]["yOffset"]["field"] == "kind"


# ---- accuracy taken out ------------------------------------------------------------------------------------------


def test_partial_r_is_the_textbook_formula_for_one_ranking():
    rng = np.random.default_rng(0)
    z = rng.normal(size=80)
    pairs = pd.DataFrame({"x": z + rng.normal(size=80), "y": z + rng.normal(size=80), "z": z})
    x_y, x_z, y_z = (spearmanr(pairs[a], pairs[b])[0] for a, b in ("xy", "xz", "yz"))
    expected = (x_y - x_z * y_z) / np.sqrt((1 - x_z**2) * (1 - y_z**2))
    assert accuracy._partial_r(pairs, "x", "y", ["z"]) == pytest.approx(expected)
