"""Bounds of overlap and EC, and Loevinger's H, which is EC over its bound, against every table of some trials."""

import itertools

import numpy as np
import pandas as pd
import pytest
from builders import make_responses, small_benchmark, three_systems
from scipy.stats import t
from textbook import kappa as textbook_kappa
from textbook import textbook_ec

import erralign
from erralign import bounds
from erralign.behaviour import loevingers_h_from_counts
from erralign.inference import reach_with_people
from erralign.inference.reach import KNOWN
from erralign.measures.matrix import kappa

N = 30


def every_table(n):
    tables = [cells for cells in itertools.product(range(n + 1), repeat=3) if sum(cells) <= n]
    return np.array([(*cells, n - sum(cells)) for cells in tables])  # both wrong, only B, only A, both right


TABLES = every_table(N)


def test_bounds_from_overlap_hold_for_every_table_and_are_reached():
    both_wrong, only_b, only_a, both_right = TABLES.T / N
    p_a, p_b, observed = only_a + both_right, only_b + both_right, both_wrong + both_right
    expected = p_a * p_b + (1 - p_a) * (1 - p_b)
    low, high = bounds.overlap_bounds(expected)
    assert ((low - 1e-12 <= observed) & (observed <= high + 1e-12)).all()
    # Equal accuracies reach the lower bound where they fail apart, accuracies that add up to 1 the upper one.
    apart = (p_a == p_b) & (np.minimum(TABLES[:, 0], TABLES[:, 3]) == 0) & (expected >= 0.5)
    nested = np.isclose(p_a + p_b, 1) & (np.minimum(TABLES[:, 1], TABLES[:, 2]) == 0) & (expected <= 0.5)
    assert observed[apart] == pytest.approx(low[apart])
    assert observed[nested] == pytest.approx(high[nested], abs=1e-7)
    defined = expected < 1 - 1e-12
    ec = ((observed - expected)[defined]) / (1 - expected[defined])
    low, high = bounds.error_consistency_bounds_from_overlap(expected[defined])
    assert ((low - 1e-12 <= ec) & (ec <= high + 1e-12)).all()
    assert min(np.isclose(ec, low).sum(), np.isclose(ec, high).sum()) > N
    assert np.isnan(bounds.error_consistency_bounds_from_overlap(1)).all()


def test_bounds_of_two_accuracies_are_the_extremes_of_all_tables_with_them():
    _, only_b, only_a, both_right = TABLES.T
    kappas = pd.Series(kappa(*TABLES.T.astype(float)))
    found = kappas.groupby([only_a + both_right, only_b + both_right]).agg(["min", "max"])
    right_a, right_b = (found.index.get_level_values(level) / N for level in (0, 1))
    low, high = bounds.error_consistency_bounds(right_a.to_numpy(), right_b.to_numpy())
    np.testing.assert_allclose(np.column_stack([low, high]), found, atol=1e-12)
    assert found.index[found["min"].isna()].tolist() == [(0, 0), (N, N)]


def test_range_of_accuracies_against_every_table():
    """Each number of right answers: the highest error consistency falls below k just outside."""
    for right_a, ec in itertools.product((6, 15, 24), (0.1, 0.4, 0.8)):
        low, high = bounds.accuracy_bounds(ec, right_a / N)
        right_b = np.arange(1, N)
        both = np.minimum(right_a, right_b)
        cells = N - right_a - right_b + both, right_b - both, right_a - both, both
        most = kappa(*(cell.astype(float) for cell in cells))
        np.testing.assert_array_equal(most >= ec - 1e-9, (low - 1e-9 <= right_b / N) & (right_b / N <= high + 1e-9))


# --- with people's answers --------------------------------------------------------------------------------------------


def of_three(seed, n=9, n_people=3, n_classes=4):
    """Answers of people who share some errors, since one more is added to what they were asked."""
    rng = np.random.default_rng(seed)
    truth, shared = rng.integers(n_classes, size=(2, n))
    people = np.where(rng.random((n_people, n)) < 0.5, truth, rng.integers(n_classes, size=(n_people, n)))
    return truth, np.where(rng.random((n_people, n)) < 0.3, shared, people)


@pytest.mark.parametrize("seed", range(5))
def test_no_answers_of_an_accuracy_agree_more_with_people(seed):
    truth, people = of_three(seed)
    every = np.array(list(itertools.product([0, 1], repeat=len(truth))))
    right = (people == truth).astype(int)
    of_all = np.mean([[textbook_ec(1, one, each) for each in right] for one in every], axis=1)
    for n_right in range(1, len(truth)):
        found = bounds.largest_mean_error_consistency(right, n_right / len(truth))
        assert found == pytest.approx(of_all[every.sum(axis=1) == n_right].max(), abs=1e-12)


def test_by_other_people_ties_are_broken_by_lot():
    """Of those who are right where most others are, the mean: two of four trials that all others name."""
    right, others = [[1, 0, 0, 1, 0, 1]], [[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0]]
    lots = [[int(trial in two) for trial in range(6)] for two in itertools.combinations(range(4), 2)]
    expected = np.mean([textbook_ec(1, np.array(lot), np.array(right[0])) for lot in lots])
    assert bounds.largest_mean_error_consistency(right, 1 / 3, known=others) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_no_wrong_options_agree_more_with_people_than_their_favourites(seed):
    truth, people = of_three(seed, n=5)

    def mean_ma(answers):
        values = [erralign.misclassification_agreement(truth, answers, person, n_options=4) for person in people]
        return np.nanmean(values) if np.isfinite(values).any() else -np.inf

    every = [np.array(each) for each in itertools.product(range(4), repeat=5) if not (np.array(each) == truth).any()]
    favourites = bounds.favourite_wrong_answers(truth, people, (truth + 1) % 4, n_options=4)
    assert mean_ma(favourites) == pytest.approx(max(map(mean_ma, every)))


def test_a_favourite_is_no_option_that_a_trial_lacks_and_right_answers_stay():
    people = [[0, 1, -1], [0, 1, -1]]
    answers = bounds.favourite_wrong_answers([0, 0, 1], people, [1, 0, -1], n_options=[2, 3, 2])
    assert answers.tolist() == [1, 0, -1]
    habit = bounds.favourite_wrong_answers([0, 0, 0], [[0, 3, 3], [0, 2, 0]], [1, 0, 1])  # nobody errs on the first
    assert habit.tolist() == [3, 0, 3]


def test_what_is_reached_is_the_mean_over_people_of_those_who_know_these_or_all_others():
    (responses,) = small_benchmark(n_sets=1, n_models=1, n_conditions=1)
    model, *people = responses.answers.eq(responses.truth, axis=0).to_numpy().T
    these = bounds.largest_mean_error_consistency(people, model.mean())
    others = []
    for place, person in enumerate(people):
        known = np.delete(people, place, axis=0)
        others.append(bounds.largest_mean_error_consistency([person], model.mean(), known=known))
    for known, expected in zip(KNOWN, (these, np.mean(others)), strict=True):
        assert reach_with_people(responses, known=known).loc["m0", "reach"] == pytest.approx(expected)


def test_an_interval_of_what_can_be_reached_counts_what_trials_move_once():
    """Of MA by other people's favourites: people by their variance, less what trials have of it, and trials."""
    n, rng = 60, np.random.default_rng(0)
    truth, *people = three_systems(rng, n, (0.5, 0.4, 0.4), n_classes=5)
    model = (truth + np.arange(n) % 2) % 5
    answers, kinds = np.column_stack([model, *people]), ["model", "human", "human", "human"]
    responses = make_responses(truth, answers, 5, kinds)
    moved, values = [], []
    for place, person in enumerate(people):
        favourite = bounds.favourite_wrong_answers(truth, np.delete(people, place, axis=0), model)
        three = np.array([truth, favourite, person])
        each = [erralign.misclassification_agreement(*np.delete(three, i, axis=1)) for i in range(n)]
        moved.append(np.subtract(each, np.mean(each)))
        values.append(erralign.misclassification_agreement(*three))
    together = np.mean(moved, axis=0)
    apart = np.var(values, ddof=1) / 3 - np.square(moved - together).sum() / (3 * 2)
    found = reach_with_people(responses, "MA", known=KNOWN[1]).loc["0"]
    assert apart > 0.2 * (together @ together)
    half = t.ppf(0.975, 2) * np.sqrt(together @ together + apart)
    assert found["reach"] - found["low"] == pytest.approx(half)


# --- Loevinger's H ----------------------------------------------------------------------------------------------------


def test_it_is_ec_over_the_largest_ec_of_all_tables_with_these_accuracies():
    for cells in every_table(12):
        a, b = (cells[2] + cells[3]) / 12, (cells[1] + cells[3]) / 12
        if 0 < a < 1 and 0 < b < 1:
            expected = textbook_kappa(cells) / bounds.error_consistency_bounds(a, b)[1]  # the largest, see above
            assert loevingers_h_from_counts(cells.reshape(2, 2)) == pytest.approx(expected, abs=1e-12)


def test_it_is_undefined_where_no_other_ec_than_0_is_possible():
    for table in ([[0, 0], [3, 7]], [[0, 4], [0, 6]], [[5, 0], [5, 0]], [[3, 7], [0, 0]], [[0, 0], [0, 9]]):
        assert np.isnan(loevingers_h_from_counts(table))
        assert loevingers_h_from_counts(table, replace_undefined_by=0) == 0
