"""Bounds against every table of 30 trials, and the estimator of chance agreement against its exact expectation."""

import itertools

import numpy as np
import pytest
from scipy.stats import multinomial

from erralign import behaviour, bounds
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
    assert (observed >= low - 1e-12).all()
    assert (observed <= high + 1e-12).all()
    # Equal accuracies reach the lower bound where they fail apart, accuracies that add up to 1 the upper one.
    never_together = (p_a == p_b) & (np.minimum(tables[:, 0], tables[:, 3]) == 0)
    nested = np.isclose(p_a + p_b, 1) & (np.minimum(tables[:, 1], tables[:, 2]) == 0)
    assert observed[never_together & (expected >= 0.5)] == pytest.approx(low[never_together & (expected >= 0.5)])
    assert observed[nested & (expected <= 0.5)] == pytest.approx(high[nested & (expected <= 0.5)], abs=1e-7)


def test_error_consistency_bounds_from_overlap_hold_and_are_reached(tables):
    *_, expected, observed = overlaps(tables)
    defined = expected < 1 - 1e-12
    expected, observed = expected[defined], observed[defined]
    ec = (observed - expected) / (1 - expected)
    low, high = bounds.error_consistency_bounds_from_overlap(expected)
    assert (ec >= low - 1e-12).all()
    assert (ec <= high + 1e-12).all()
    assert np.isclose(ec, low).sum() > N
    assert np.isclose(ec, high).sum() > N


def test_bounds_of_two_accuracies_are_the_extremes_of_all_tables_with_them(tables):
    p_a, p_b, *_ = overlaps(tables)
    values = kappa(*tables.T.astype(float))
    keys = np.rint(N * p_a).astype(int) * (N + 1) + np.rint(N * p_b).astype(int)
    for key in np.unique(keys):
        right_a, right_b = divmod(key, N + 1)
        low, high = bounds.error_consistency_bounds(right_a / N, right_b / N)
        found = values[keys == key]
        if np.isnan(found).all():
            assert right_a == right_b
            assert right_a in (0, N)
            assert np.isnan([low, high]).all()
        else:
            assert (low, high) == pytest.approx((found.min(), found.max()), abs=1e-12)


def test_bounds_of_two_accuracies_lie_within_those_of_their_overlap():
    a, b = np.meshgrid(np.linspace(0.01, 0.99, 50), np.linspace(0.01, 0.99, 50))
    tight, wide = (
        bounds.error_consistency_bounds(a, b),
        bounds.error_consistency_bounds_from_overlap(a * b + (1 - a) * (1 - b)),
    )
    assert ((tight[0] >= wide[0] - 1e-12) & (tight[1] <= wide[1] + 1e-12)).all()
    assert (tight[1] < wide[1] - 0.1).any()


def test_edges_of_the_bounds():
    assert bounds.error_consistency_bounds(1, 0.3) == (0, 0)
    assert np.isnan(bounds.error_consistency_bounds(0, 0)).all()
    assert np.isnan(bounds.error_consistency_bounds_from_overlap(1)).all()
    assert bounds.overlap_bounds(1) == (1, 1)
    assert bounds.error_consistency_bounds(0.4, 0.4)[1] == 1


def test_range_of_accuracies_against_every_table():
    """Thirty trials, each number of right answers: the highest error consistency falls below k just outside."""
    n = 30
    for right_a, ec in itertools.product((6, 15, 24), (0.1, 0.4, 0.8)):
        a = right_a / n
        low, high = bounds.accuracy_bounds(ec, a)
        for right_b in range(1, n):
            both = min(right_a, right_b)
            most = kappa(*np.array([n - right_a - right_b + both, right_b - both, right_a - both, both], dtype=float))
            assert (most >= ec - 1e-9) == (low - 1e-9 <= right_b / n <= high + 1e-9)


# --- chance agreement without bias ------------------------------------------------------------------------------------


def expectations(shares, n):
    """Return the exact expectation of expected overlap, of its unbiased form, and of both kappas, over all tables."""
    cells = every_table(n)
    weights = multinomial.pmf(cells, n, shares)
    *_, expected, observed = overlaps(cells)
    unbiased = (n * expected - observed) / (n - 1)
    plain = np.array([behaviour.error_consistency_from_counts(cell.reshape(2, 2)) for cell in cells])
    corrected = np.array([behaviour.unbiased_error_consistency_from_counts(cell.reshape(2, 2)) for cell in cells])
    kept = ~np.isnan(plain)
    means = [(values * weights)[kept].sum() / weights[kept].sum() for values in (plain, corrected)]
    return weights @ expected, weights @ unbiased, *means


@pytest.mark.parametrize("shares", [(0.4, 0.1, 0.1, 0.4), (0.1, 0.1, 0.2, 0.6), (0.3, 0.3, 0.1, 0.3)])
def test_unbiased_chance_and_less_bias(shares):
    *_, expected, _ = overlaps([shares])
    plain_chance, unbiased_chance, plain, corrected = expectations(shares, 20)
    assert unbiased_chance == pytest.approx(expected.item(), abs=1e-12)
    assert abs(plain_chance - expected.item()) > 1e-4
    truth = float(kappa(*np.array(shares)))
    assert abs(corrected - truth) < 0.7 * abs(plain - truth)


def test_unbiased_form_is_kappa_with_the_unbiased_chance(tables):
    for cell in tables[::97]:
        *_, expected, observed = (float(value[0]) for value in overlaps([cell]))
        chance = (N * expected - observed) / (N - 1)
        if chance < 1 - 1e-12:
            ours = behaviour.unbiased_error_consistency_from_counts(cell.reshape(2, 2))
            assert ours == pytest.approx((observed - chance) / (1 - chance), abs=1e-12)


def test_unbiased_form_where_it_is_undefined():
    assert np.isnan(behaviour.unbiased_error_consistency_from_counts([[0, 0], [0, 5]]))
    assert np.isnan(behaviour.unbiased_error_consistency_from_counts([[0, 1], [1, 0]]))
    assert behaviour.unbiased_error_consistency_from_counts([[0, 0], [1, 0]], replace_undefined_by=0) == 0
    for table in ([[0, 0], [3, 9]], [[0, 2], [0, 0]]):
        assert behaviour.unbiased_error_consistency_from_counts(table) == 0
    with pytest.raises(ValueError, match="table is empty"):
        behaviour.unbiased_error_consistency_from_counts([[0, 0], [0, 0]])
