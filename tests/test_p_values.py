"""p-values of error consistency: exact against enumeration, an uncut sum and simulation; right size; never 0."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from builders import make_responses
from scipy.special import betaln, gammaln
from scipy.stats import binomtest

from erralign import p_value
from erralign.nulls import holm, pairwise_p_values
from erralign.nulls.exact import _ceiling_ratio
from erralign_book.simulations.coverage import p_values as rejections


def counts(table):
    (both_wrong, only_b), (only_a, both_right) = np.asarray(table).tolist()
    return both_wrong + only_b + only_a + both_right, both_right + only_a, both_right + only_b, both_right


def posterior_weight(n, k, x, added):
    """P(x of n) after k of n, in fractions: C(n, x) B(x + k + added, …) / B(k + added, …)."""

    def beta(a, b):
        return Fraction(1, a * comb(a + b - 1, a))

    return comb(n, x) * beta(x + k + added, n - x + n - k + added) / beta(k + added, n - k + added)


def enumerated(table, added=1):
    """Go through every null table there is, in whole numbers."""
    n, k_a, k_b, both = counts(table)
    spread, distance = k_a * (n - k_b) + k_b * (n - k_a), abs(n * both - k_a * k_b)
    w_a, w_b = ([posterior_weight(n, k, x, added) for x in range(n + 1)] for k in (k_a, k_b))
    total = Fraction(0)
    for x, y in product(range(n + 1), repeat=2):
        null_spread = x * (n - y) + y * (n - x)
        extreme = sum(
            comb(x, b) * comb(n - x, y - b)
            for b in range(max(0, x + y - n), min(x, y) + 1)
            if null_spread > 0 and abs(n * b - x * y) * spread >= distance * null_spread
        )
        total += w_a[x] * w_b[y] * Fraction(extreme, comb(n, y))
    return float(total)


def uncut(table):
    """Sum logarithms of all null tables that are extreme, one number x of A's right answers after the other."""
    n, k_a, k_b, both = counts(table)
    spread, distance = k_a * (n - k_b) + k_b * (n - k_a), abs(n * both - k_a * k_b)
    j = np.arange(n + 1)
    log_comb = gammaln(n + 1) - gammaln(j + 1) - gammaln(n - j + 1)
    w_a, w_b = (log_comb + betaln(j + k + 1, 2 * n - j - k + 1) - betaln(k + 1, n - k + 1) for k in (k_a, k_b))
    rows = []
    for x in range(n + 1):
        y, b = j[:, None], j[None, : x + 1]
        null_spread = x * (n - y) + y * (n - x)
        extreme = (abs(n * b - x * y) * spread >= distance * null_spread) & (null_spread > 0)
        y, b = (extreme & (b <= y) & (b >= x + y - n)).nonzero()
        cells = gammaln(b + 1) + gammaln(x - b + 1) + gammaln(y - b + 1) + gammaln(n - x - y + b + 1)
        logs = w_a[x] + w_b[y] + gammaln(x + 1) + gammaln(n - x + 1) - log_comb[y] - cells
        if len(logs):
            rows.append(logs.max() + np.log(np.exp(logs - logs.max()).sum()))
    return float(np.exp(np.logaddexp.reduce(rows)))


def all_tables(n):
    return ([[a, b], [c, n - a - b - c]] for a, b, c in product(range(n + 1), repeat=3) if a + b + c <= n)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("prior", ["uniform", "as-printed"])
def test_every_small_table_equals_enumeration(n, prior):
    for table in all_tables(n):
        _, k_a, k_b, both = counts(table)
        no_posterior = prior == "as-printed" and {k_a, k_b} & {0, n}
        found = p_value(table, prior=prior)
        if no_posterior or both == n or k_a + k_b == 0:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(enumerated(table, added=int(prior == "uniform")), rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_tables_up_to_30_trials_equal_enumeration(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 31))
    # At least one disagreement, so that kappa exists.
    table = rng.multinomial(n - 1, rng.dirichlet([0.5] * 4)).reshape(2, 2) + np.array([[0, 1], [0, 0]])
    assert p_value(table) == pytest.approx(enumerated(table), rel=1e-12)


@pytest.mark.parametrize(
    "table",
    [
        [[20, 0], [0, 80]],
        [[20, 0], [10, 70]],
        [[0, 20], [20, 60]],
        [[0, 60], [60, 0]],
        [[0, 0], [10, 150]],
        [[1, 0], [0, 119]],
        [[90, 1], [0, 109]],
        [[12, 70], [65, 13]],
    ],
)
def test_nine_digits_against_the_uncut_sum(table):
    assert p_value(table) == pytest.approx(uncut(table), rel=1e-9)


@pytest.mark.slow
def test_nine_digits_near_1e_minus_100():
    """The far margins add most here: weights cut at 1e-18 of the largest give 9e-101."""
    table = [[1280 - 233 - 226 + 175, 226 - 175], [233 - 175, 175]]
    expected = uncut(table)
    assert 3.01e-100 < expected < 3.02e-100
    assert p_value(table) == pytest.approx(expected, rel=1e-9)


def random_tables(number):
    rng = np.random.default_rng(11)
    while number:
        a, b, n = *rng.uniform(0.2, 0.97, 2), rng.choice([20, 60, 160, 400])
        copied = rng.choice([0, 0, 0.1])
        cells = np.array([(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b]) * (1 - copied)
        table = rng.multinomial(n, cells + np.array([copied * (1 - a), 0, 0, copied * a])).reshape(2, 2)
        if table[0, 0] < n > table[1, 1]:
            number -= 1
            yield table


def test_exact_and_simulated_agree_on_200_random_tables():
    """Two-sided binomial tests of 200 tables; the smallest of 200 uniform p-values is below 5e-6 once in 1,000."""
    m = 4000
    off = [
        binomtest(round(p_value(table, method="simulated", n_samples=m, rng=i) * (m + 1)) - 1, m, p_value(table)).pvalue
        for i, table in enumerate(random_tables(200))
    ]
    assert min(off) > 5e-6
    assert np.mean(np.array(off) < 0.05) < 0.12


def test_as_printed_differs_in_the_posterior_and_in_the_comparison():
    """16 trials have few values of kappa, so that leaving out ties shows; the exact sum knows their probability."""
    table, m = [[2, 2], [2, 10]], 40_000
    strict = p_value(table, method="as-printed", n_samples=m)
    with_ties = p_value(table, method="simulated", prior="as-printed", n_samples=m)
    assert with_ties == pytest.approx(p_value(table, prior="as-printed"), abs=4 * 0.5 / m**0.5)
    assert strict < with_ties - 0.01
    assert p_value(table, method="as-printed", prior="uniform", n_samples=m) == strict


def test_a_perfect_observer_has_a_p_value():
    """Regression: public code of the field crashes on a perfect observer, whose printed posterior does not exist."""
    table = [[0, 0], [3, 9]]
    assert p_value(table) == pytest.approx(enumerated(table), rel=1e-12)
    assert 0.9 < p_value(table, method="simulated") < 1
    for undefined in ({"prior": "as-printed"}, {"method": "as-printed"}):
        assert np.isnan(p_value(table, **undefined))


@pytest.mark.parametrize("method", ["exact", "simulated", "as-printed"])
@pytest.mark.parametrize("table", [[[80, 0], [0, 80]], [[0, 80], [80, 0]], [[5000, 0], [0, 5000]]])
def test_p_is_never_zero(table, method):
    """Regression: public code of the field returns 0."""
    assert 0 < p_value(table, method=method, n_samples=99) <= 1 / 100


def test_same_seed_same_p():
    """Regression: public code of the field draws from a generator without a seed."""
    table = [[8, 5], [7, 60]]
    drawn = [p_value(table, method="simulated", n_samples=500, rng=seed) for seed in (3, 3, np.random.default_rng(3))]
    assert len(set(drawn)) == 1
    assert p_value(table, method="simulated", n_samples=500) == p_value(table, method="simulated", n_samples=500, rng=0)


def test_which_system_is_which_does_not_matter_nor_what_right_means():
    table = np.array([[8, 5], [17, 60]])
    for other in (table.T, table[::-1, ::-1]):
        assert p_value(other) == pytest.approx(p_value(table), rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(("accuracies", "n"), [((0.75, 0.6), 160), ((0.9, 0.8), 400), ((0.95, 0.95), 160)])
def test_independent_observers_are_rejected_as_often_as_promised(accuracies, n):
    """Accuracies are estimated, so no test is exact here; what is rejected at .05 and .2 stays near that."""
    a, b = accuracies
    rng = np.random.default_rng(12)
    tables = rng.multinomial(n, [(1 - a) * (1 - b), (1 - a) * b, a * (1 - b), a * b], size=800)
    distinct, places = np.unique(tables, axis=0, return_inverse=True)
    found = np.array([p_value(table.reshape(2, 2)) for table in distinct])[places.ravel()]
    for level in (0.05, 0.2):
        assert np.mean(found <= level) == pytest.approx(level, abs=0.01 + 3.5 * np.sqrt(level * (1 - level) / 800))


def test_simulated_levels_are_what_the_docstring_says():
    found = rejections().query("method == 'exact' and prior == 'uniform'")
    assert found["rejected"].min() > 0.005
    assert found["rejected"].max() < 0.07
    assert found.query("trials == 1280")["rejected"].between(0.04, 0.06).all()


def test_the_printed_posterior_does_not_exist_for_many_small_tables():
    found = rejections().query("trials == 40 and accuracy_a == 0.99").set_index(["method", "prior"])["undefined"]
    assert found["exact", "uniform"] == 0
    assert found["as-printed", "as-printed"] > 0.5


def test_thresholds_are_exact_where_products_overflow():
    rng = np.random.default_rng(13)
    for n in (1000, 90_000, 900_000):
        k_a, k_b, both = sorted(rng.integers(1, n, 3).tolist())[::-1]
        c, d = abs(n * both - k_a * k_b), k_a * (n - k_b) + k_b * (n - k_a)
        for line in ((d - 2 * c, c * n, 0, d * n), (d + 2 * c, -c * n, c * n * n, d * n)):
            x, y = np.append(rng.integers(0, n + 1, (2, 50)), [[k_a], [k_b]], axis=1)
            tops = [line[0] * i * j + line[1] * (i + j) + line[2] for i, j in zip(x.tolist(), y.tolist(), strict=True)]
            assert _ceiling_ratio(x, y, *line).tolist() == [-(-top // line[3]) for top in tops]


def test_many_trials():
    table = [[100, 300], [400, 99_200]]
    found = p_value([[5, 345], [395, 99_255]], method="exact")
    assert p_value([[5, 345], [395, 99_255]], method="simulated") == pytest.approx(found, abs=4 * 0.5 / 100)
    assert 0 < p_value(table) < 1e-50


def made_up(n=160, n_systems=6):
    rng = np.random.default_rng(14)
    right = rng.random((n, n_systems)) < rng.uniform(0.5, 0.95, n_systems)
    right[:, 1] = np.where(rng.random(n) < 0.4, right[:, 0], right[:, 1])
    right[:, 4], right[:, 5] = True, True
    return make_responses(np.zeros(n, int), (~right).astype(int), 2), right


@pytest.mark.parametrize("prior", ["uniform", "as-printed"])
def test_all_pairs_equal_one_at_a_time(prior):
    responses, right = made_up()
    pairs = pairwise_p_values(responses, prior=prior)
    names = list(responses.answers.columns)
    for pair in pairs.itertuples():
        a, b = right[:, names.index(pair.system_a)], right[:, names.index(pair.system_b)]
        table = [[np.sum(~a & ~b), np.sum(~a & b)], [np.sum(a & ~b), np.sum(a & b)]]
        assert pair.p_value == pytest.approx(p_value(table, prior=prior), rel=1e-10, nan_ok=True)
    undefined = 1 if prior == "uniform" else 9
    assert (len(pairs), int(pairs["p_value"].isna().sum())) == (15, undefined)


def test_answers_are_counted_into_a_table():
    responses, _ = made_up()
    truth, (a, b) = responses.truth, responses.answers.to_numpy().T[:2]
    table = np.histogram2d(a == truth, b == truth, bins=2)[0].astype(int)
    assert p_value(truth, a, b) == p_value(table)
    assert p_value(truth, y_a=a, y_b=b, prior="as-printed") == p_value(table, prior="as-printed")
    with pytest.raises(TypeError, match="y_b is missing; expected a 2 x 2 table alone, or y_true, y_a and y_b"):
        p_value(truth, a)
    with pytest.raises(ValueError, match="y_b has 159 answers, y_true has 160"):
        p_value(truth, a, b[1:])


def test_holm_counts_the_pairs_of_the_table():
    responses, _ = made_up()
    pairs = pairwise_p_values(responses, adjust="holm")
    defined = pairs["p_value"].notna()
    assert pairs["n_tests"].tolist() == [14] * 15
    np.testing.assert_array_equal(pairs["p_holm"], holm(pairs["p_value"]))
    assert pairs["p_holm"][pairs["p_value"].idxmin()] == pytest.approx(14 * pairs["p_value"].min())
    assert (pairs["p_holm"] >= pairs["p_value"])[defined].all()
    some = pairwise_p_values(responses, adjust="holm", with_="1")
    assert some["n_tests"].tolist() == [5] * 5
    held = (pairs["system_a"] == "1") | (pairs["system_b"] == "1")
    np.testing.assert_array_equal(some["p_value"], pairs["p_value"][held])
    assert "p_holm" not in pairwise_p_values(responses)
    with pytest.raises(ValueError, match="adjust is 'bonferroni'; expected one of holm"):
        pairwise_p_values(responses, adjust="bonferroni")


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([[0, 0], [0, 0]], {}, "table is empty"),
        ([[1, 2, 3]] * 3, {}, "expected 2 x 2"),
        ([[1, 1], [1, 1]], {"method": "bootstrap"}, "method is 'bootstrap'; expected one of exact"),
        ([[1, 1], [1, 1]], {"prior": "jeffreys"}, "prior is 'jeffreys'; expected one of uniform"),
        ([[1, 1], [1, 1]], {"n_samples": 0}, "n_samples is 0; expected a whole number from 9 up"),
    ],
)
def test_wrong_use_is_named(table, options, message):
    with pytest.raises(ValueError, match=message):
        p_value(table, **options)
