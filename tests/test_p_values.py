"""p-values of error consistency: exact against an uncut sum and simulation; right size; never 0."""

from itertools import product

import numpy as np
import pytest
from builders import make_responses
from scipy.special import betaln, gammaln
from scipy.stats import chi2_contingency
from textbook import kappa

from benchmarks.coverage import p_values as rejections
from erralign import p_value, p_value_from_answers
from erralign.significance import holm, independence, pairwise_p_values
from erralign.significance.exact import _ceiling_ratio


def counts(table):
    (both_wrong, only_b), (only_a, both_right) = np.asarray(table).tolist()
    return both_wrong + only_b + only_a + both_right, both_right + only_a, both_right + only_b, both_right


def uncut(table):
    """Sum logarithms of all null tables that are extreme, one number x of A's right answers after the other.

    P(x of n) after k of n: C(n, x) B(x + k + 1, …) / B(k + 1, …).
    """
    n, k_a, k_b, both = counts(table)
    spread, distance = k_a * (n - k_b) + k_b * (n - k_a), abs(n * both - k_a * k_b)
    j, rows = np.arange(n + 1), []
    log_comb = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    grown = ((k + 1, n - k + 1) for k in (k_a, k_b))
    w_a, w_b = (log_comb + betaln(j + right, n - j + wrong) - betaln(right, wrong) for right, wrong in grown)
    for x in range(n + 1):
        y, b = j[:, None], j[None, : x + 1]
        null_spread = x * (n - y) + y * (n - x)
        extreme = (abs(n * b - x * y) * spread >= distance * null_spread) & (null_spread > 0)
        y, b = (extreme & (b <= y) & (b >= x + y - n)).nonzero()
        cells = gammaln(b + 1) + gammaln(x - b + 1) + gammaln(y - b + 1) + gammaln(n - x - y + b + 1)
        logs = w_a[x] + w_b[y] + gammaln(x + 1) + gammaln(n - x + 1) - log_comb[y] - cells
        rows.append(np.logaddexp.reduce(logs))
    return float(np.exp(np.logaddexp.reduce(rows)))


def test_every_small_table_equals_the_uncut_sum():
    for cells in (cells for cells in product(range(6), repeat=4) if sum(cells) in (1, 2, 3, 5)):
        table = np.reshape(cells, (2, 2))
        n, k_a, k_b, both = counts(table)
        expected = np.nan
        if both < n and k_a + k_b > 0:
            expected = uncut(table)
        assert p_value(table) == pytest.approx(expected, rel=1e-11, nan_ok=True)


# The far margins add most to the last: weights cut at 1e-18 of the largest give 9e-101 instead of 3.01e-100.
FAR = [1280 - 233 - 226 + 175, 226 - 175, 233 - 175, 175]
LARGER = [[20, 0, 10, 70], [0, 60, 60, 0], [1, 0, 0, 119], [12, 70, 65, 13], [5, 4, 1, 0], [3, 2, 4, 21]]
LARGER += [[90, 1, 0, 109], [12, 70, 65, 13], [5, 4, 1, 0], [1, 9, 9, 5], [3, 2, 4, 21]]


@pytest.mark.parametrize("cells", [*LARGER, pytest.param(FAR, marks=pytest.mark.slow)])
def test_nine_digits_against_the_uncut_sum(cells):
    table = np.reshape(cells, (2, 2))
    assert p_value(table) == pytest.approx(uncut(table), rel=1e-9)


def test_the_sum_is_what_simulated_observers_give():
    """Ten thousand tables; 16 trials have few values of kappa, so that ties count."""
    (neither, only_b), (only_a, both) = table = [[2, 2], [2, 10]]
    rng, m = np.random.default_rng(0), 10_000
    a, b = (rng.beta(k + 1, 17 - k, m) for k in (both + only_a, both + only_b))
    cells = rng.multinomial(16, np.stack([(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b], axis=1))
    extreme = np.abs(np.array([kappa(each) for each in cells])) >= kappa([neither, only_b, only_a, both]) - 1e-12
    assert p_value(table) == pytest.approx(extreme.mean(), abs=4 * 0.5 / m**0.5)


@pytest.mark.parametrize("cells", [(80, 0, 0, 80), (0, 80, 80, 0), (5000, 0, 0, 5000)])
def test_p_is_never_zero(cells):
    """Regression: public code of the field returns 0."""
    assert 0 < p_value(np.reshape(cells, (2, 2))) <= 1 / 100


def test_billions_of_trials_take_no_memory_and_go_on_where_the_sum_ends(monkeypatch):
    billions = [[10**9, 10**9], [10**9, 10**9 + 10**5]]
    assert p_value(billions) == pytest.approx(chi2_contingency(billions, correction=False).pvalue, rel=1e-6)
    assert p_value([[10**9, 0], [0, 10**9]]) > 0
    table = [[420, 3580], [3300, 32_700]]
    exact = p_value(table)
    monkeypatch.setattr(independence, "_MOST_TRIALS", 1000)
    assert p_value(table) == pytest.approx(exact, rel=0.02)


def test_simulated_levels_are_right():
    found = rejections().query("method == 'exact' and prior == 'uniform'").set_index("trials")["rejected"]
    assert 0.005 < found.min() < found.max() < 0.07
    assert found[1280].between(0.04, 0.06).all()


def test_thresholds_are_exact_where_products_overflow(rng):
    for n in (1000, 90_000, 900_000):
        k_a, k_b, both = sorted(rng.integers(1, n, 3).tolist())[::-1]
        c, d = abs(n * both - k_a * k_b), k_a * (n - k_b) + k_b * (n - k_a)
        x, y = np.append(rng.integers(0, n + 1, (2, 50)), [[k_a], [k_b]], axis=1)
        for a, b, e in ((d - 2 * c, c * n, 0), (d + 2 * c, -c * n, c * n * n)):
            tops = [a * i * j + b * (i + j) + e for i, j in zip(x.tolist(), y.tolist(), strict=True)]
            assert _ceiling_ratio(x, y, a, b, e, d * n).tolist() == [-(-top // (d * n)) for top in tops]


def made_up():
    rng = np.random.default_rng(14)
    right = rng.random((160, 6)) < rng.uniform(0.5, 0.95, 6)
    right[:, 1] = np.where(rng.random(160) < 0.4, right[:, 0], right[:, 1])
    right[:, 4:] = True
    return make_responses(np.zeros(160, int), (~right).astype(int), 2)


def test_all_pairs_equal_one_at_a_time_from_answers_and_from_tables():
    responses = made_up()
    truth, answers = responses.truth, responses.answers
    pairs = pairwise_p_values(responses)
    for pair in pairs.itertuples():
        found = p_value(responses.table(pair.system_a, pair.system_b))
        assert pair.p_value == pytest.approx(found, rel=1e-10, nan_ok=True)
        of_answers = p_value_from_answers(truth, answers[pair.system_a], answers[pair.system_b])
        assert np.array_equal(of_answers, found, equal_nan=True)
    assert (len(pairs), int(pairs["p_value"].isna().sum())) == (15, 1)


def test_holm_counts_the_pairs_of_the_table():
    pairs = pairwise_p_values(made_up(), adjust="holm")
    assert pairs["n_tests"].tolist() == [14] * 15
    np.testing.assert_array_equal(pairs["p_holm"], holm(pairs["p_value"]))
    some = pairwise_p_values(made_up(), adjust="holm", with_="1")
    assert some["n_tests"].tolist() == [5] * 5


# --- many tests at once -----------------------------------------------------------------------------------------------


def test_holm_against_a_loop_and_without_tests_that_have_no_p_value():
    p = np.array([0.02, 0.001, 0.7, 0.011, 0.6, 0.011])
    expected, order, highest = np.empty(6), np.argsort(p), 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, (6 - place) * p[index]))
        expected[index] = highest
    np.testing.assert_array_equal(holm([*p[:3], np.nan, *p[3:]]), [*expected[:3], np.nan, *expected[3:]])
