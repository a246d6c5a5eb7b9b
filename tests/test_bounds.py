"""Bounds against every table of 30 trials, and the estimator of chance agreement against its exact expectation."""

import itertools

import numpy as np
import pandas as pd
import pytest

from erralign import bounds
from erralign.behaviour.consistency import kappa

N = 30


def every_table(n):
    tables = [cells for cells in itertools.product(range(n + 1), repeat=3) if sum(cells) <= n]
    return np.array([(*cells, n - sum(cells)) for cells in tables])  # both wrong, only B, only A, both right


@pytest.fixture(scope="module")
def tables():
    return every_table(N)


def overlaps(cells):
    both_wrong, only_b, only_a, both_right = np.asarray(cells).T / np.sum(cells, axis=1)
    p_a, p_b = only_a + both_right, only_b + both_right
    return p_a, p_b, p_a * p_b + (1 - p_a) * (1 - p_b), both_wrong + both_right


def test_overlap_bounds_hold_for_every_table_and_are_reached(tables):
    p_a, p_b, expected, observed = overlaps(tables)
    low, high = bounds.overlap_bounds(expected)
    assert ((low - 1e-12 <= observed) & (observed <= high + 1e-12)).all()
    # Equal accuracies reach the lower bound where they fail apart, accuracies that add up to 1 the upper one.
    apart = (p_a == p_b) & (np.minimum(tables[:, 0], tables[:, 3]) == 0) & (expected >= 0.5)
    nested = np.isclose(p_a + p_b, 1) & (np.minimum(tables[:, 1], tables[:, 2]) == 0) & (expected <= 0.5)
    assert observed[apart] == pytest.approx(low[apart])
    assert observed[nested] == pytest.approx(high[nested], abs=1e-7)


def test_error_consistency_bounds_from_overlap_hold_and_are_reached(tables):
    *_, expected, observed = overlaps(tables)
    defined = expected < 1 - 1e-12
    ec = ((observed - expected)[defined]) / (1 - expected[defined])
    low, high = bounds.error_consistency_bounds_from_overlap(expected[defined])
    assert ((low - 1e-12 <= ec) & (ec <= high + 1e-12)).all()
    assert min(np.isclose(ec, low).sum(), np.isclose(ec, high).sum()) > N


def test_bounds_of_two_accuracies_are_the_extremes_of_all_tables_with_them(tables):
    table = pd.DataFrame({"kappa": kappa(*tables.T.astype(float))})
    _, only_b, only_a, both_right = tables.T
    found = table.groupby([only_a + both_right, only_b + both_right])["kappa"].agg(["min", "max"])
    right_a, right_b = (found.index.get_level_values(level) / N for level in (0, 1))
    low, high = bounds.error_consistency_bounds(right_a.to_numpy(), right_b.to_numpy())
    np.testing.assert_allclose(np.column_stack([low, high]), found, atol=1e-12)
    assert found.index[found["min"].isna()].tolist() == [(0, 0), (N, N)]


def test_edges_of_the_bounds():
    assert np.isnan(bounds.error_consistency_bounds_from_overlap(1)).all()
    assert bounds.overlap_bounds(1) == (1, 1)


def test_range_of_accuracies_against_every_table():
    """Each number of right answers: the highest error consistency falls below k just outside."""
    for right_a, ec in itertools.product((6, 15, 24), (0.1, 0.4, 0.8)):
        low, high = bounds.accuracy_bounds(ec, right_a / N)
        right_b = np.arange(1, N)
        both = np.minimum(right_a, right_b)
        cells = N - right_a - right_b + both, right_b - both, right_a - both, both
        most = kappa(*(cell.astype(float) for cell in cells))
        np.testing.assert_array_equal(most >= ec - 1e-9, (low - 1e-9 <= right_b / N) & (right_b / N <= high + 1e-9))
