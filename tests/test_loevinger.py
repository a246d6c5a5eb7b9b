"""Loevinger's H: EC over the largest EC of any table with these accuracies, on all roads, with its interval."""

import numpy as np
import pytest
from builders import mixed_systems, small_benchmark
from scipy.stats import binomtest
from test_bounds import every_table
from textbook import kappa

import erralign
from erralign.behaviour import loevingers_h_from_counts
from erralign.planning import expected_table


def test_it_is_ec_over_the_largest_ec_of_all_tables_with_these_accuracies():
    n, largest = 12, {}
    tables = [cells for cells in every_table(n) if 0 < cells[2] + cells[3] < n and 0 < cells[1] + cells[3] < n]
    for cells in tables:
        margins = (cells[2] + cells[3], cells[1] + cells[3])
        largest[margins] = max(largest.get(margins, -1), kappa(cells))
    for cells in tables:
        most = largest[cells[2] + cells[3], cells[1] + cells[3]]
        assert loevingers_h_from_counts(cells.reshape(2, 2)) == pytest.approx(kappa(cells) / most, abs=1e-12)


def test_it_is_also_phi_over_the_largest_phi():
    """Warrens (2008): corrected for its largest value, the correlation of right and wrong is H, too."""
    truth, a, b = np.zeros(200, int), *(np.random.default_rng(0).random((2, 200)) < [[0.3], [0.45]]).astype(int)
    phi, (p_better, p_worse) = np.corrcoef(a, b)[0, 1], (np.mean(a == 0), np.mean(b == 0))
    largest = np.sqrt(p_worse * (1 - p_better) / (p_better * (1 - p_worse)))
    assert erralign.loevingers_h(truth, a, b) == pytest.approx(phi / largest, abs=1e-12)


def test_it_is_undefined_where_no_other_ec_than_0_is_possible():
    for table in ([[0, 0], [3, 7]], [[0, 4], [0, 6]], [[5, 0], [5, 0]], [[3, 7], [0, 0]], [[0, 0], [0, 9]]):
        assert np.isnan(loevingers_h_from_counts(table))
        assert loevingers_h_from_counts(table, replace_undefined_by=0) == 0
    perfect = erralign.confidence_interval([0] * 9, [0] * 9, [0] * 6 + [1] * 3, "H", n_resamples=50)
    assert np.isnan([perfect.low, perfect.estimate, perfect.high]).all()


def test_limits_alone_among_all_and_of_differences():
    responses = mixed_systems(3, n_systems=4, n_trials=400)
    table = erralign.pairwise_intervals(responses, ["EC", "H"])
    for row in table.itertuples():
        pair = [responses.answers[name] for name in (row.system_a, row.system_b)]
        one = erralign.confidence_interval(responses.truth, *pair, "H")
        together = row.loevingers_h_low, row.loevingers_h, row.loevingers_h_high
        assert one.low < one.estimate < one.high
        assert together == pytest.approx((one.low, one.estimate, one.high), abs=0.05 * (one.high - one.low))
    a, b, c, _ = responses.answers.to_numpy().T
    gap = erralign.difference_interval(responses.truth, a, b, c, "H")
    assert gap.low < gap.estimate < gap.high
    means = erralign.consistency_with_people(small_benchmark(), "H", n_resamples=20).table
    assert (means["low"] < means["loevingers_h"]).all()


def test_a_system_whose_failures_lie_within_those_of_the_other_may_be_so_always():
    found = erralign.confidence_interval([0] * 100, [0] * 80 + [1] * 20, [0] * 95 + [1] * 5, "H")
    assert (found.estimate, found.high) == (1, 1)
    assert found.low < 0.9


# Equal accuracies, where luck makes the largest EC look smaller than 1: draws that let the two systems change places
# contain the true value in 88 %. And accuracies that are far apart.
@pytest.mark.slow
@pytest.mark.parametrize(("accuracies", "h"), [((0.5, 0.5), 0.9), ((0.78, 0.18), 0.5)])
def test_nineteen_of_twenty_intervals_contain_the_true_value(accuracies, h):
    rng, n = np.random.default_rng(0), 160
    most = erralign.bounds.error_consistency_bounds(*accuracies)[1]
    cells = expected_table(h * most, *accuracies).ravel()
    held = 0
    for counts in rng.multinomial(n, cells, size=400):
        a, b = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], counts, axis=1)
        found = erralign.confidence_interval(np.zeros(n, int), a, b, "H", n_resamples=500, rng=rng)
        held += found.low <= h <= found.high
    assert binomtest(held, 400, 0.95).pvalue > 0.01
