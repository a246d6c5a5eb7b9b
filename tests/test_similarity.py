"""CKA: textbook forms, invariances, undefined cases, bad input."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from erralign import cka


def textbook_hsic(X, Y):
    n = len(X)
    H = np.eye(n) - 1 / n
    return np.trace(X @ X.T @ H @ Y @ Y.T @ H) / (n - 1) ** 2


def quadruple_hsic(X, Y):
    """Song et al. (2012), equation 4: the U-statistic over all ordered quadruples of different trials."""
    K, L = X @ X.T, Y @ Y.T
    quadruples = list(permutations(range(len(X)), 4))
    return np.mean([K[i, j] * (L[i, j] + L[q, r] - 2 * L[i, q]) for i, j, q, r in quadruples])


def textbook_cka(hsic, X, Y):
    return hsic(X, Y) / np.sqrt(hsic(X, X) * hsic(Y, Y))


def features(seed, n_trials, *sizes):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n_trials, 2))
    return [common @ rng.normal(size=(2, size)) + rng.normal(size=(n_trials, size)) + 1 for size in sizes]


# Fewer features than trials, as many, and more: the package takes another road for each.
@pytest.mark.parametrize("sizes", [(3, 5), (3, 12), (12, 3), (20, 30), (12, 12)])
def test_biased_cka_equals_the_traces(sizes):
    X, Y = features(0, 12, *sizes)
    assert cka(X, Y) == pytest.approx(textbook_cka(textbook_hsic, X, Y), abs=1e-12)


@pytest.mark.parametrize("n_trials", [4, 5, 7])
def test_unbiased_cka_equals_the_sum_over_quadruples(n_trials):
    X, Y = features(3, n_trials, 3, 6)
    assert cka(X, Y, unbiased=True) == pytest.approx(textbook_cka(quadruple_hsic, X, Y), abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_cka_is_symmetric_bounded_and_invariant(seed, unbiased):
    X, Y = features(seed, 8, 4, 6)
    rng = np.random.default_rng(seed)
    value, order = cka(X, Y, unbiased=unbiased), rng.permutation(8)
    moved = -2.5 * Y @ ortho_group.rvs(6, random_state=rng) + rng.normal(size=6)
    assert value <= 1 + 1e-12
    assert unbiased or value >= 0
    for other in (
        cka(Y, X, unbiased=unbiased),
        cka(X, moved, unbiased=unbiased),
        cka(X[order], Y[order], unbiased=unbiased),
    ):
        assert other == pytest.approx(value, abs=1e-10)


def test_other_linear_maps_do_change_cka():
    X, Y = features(1, 20, 4, 4)
    assert cka(X, Y) != pytest.approx(cka(X, Y * [1, 1, 1, 100]), abs=1e-3)


def test_cka_with_itself_is_one():
    (X,) = features(0, 9, 3)
    assert cka(X, X) == pytest.approx(1, abs=1e-12)
    assert cka(X, X, unbiased=True) == pytest.approx(1, abs=1e-12)


def test_bias_grows_with_features_and_the_unbiased_estimate_has_none():
    rng = np.random.default_rng(0)
    pairs = [rng.normal(size=(2, 20, 200)) for _ in range(50)]
    unbiased = [cka(X, Y, unbiased=True) for X, Y in pairs]
    assert np.mean([cka(X, Y) for X, Y in pairs]) > 0.5
    assert abs(np.mean(unbiased)) < 4 * np.std(unbiased) / np.sqrt(50)


@pytest.mark.parametrize("unbiased", [False, True])
def test_features_that_do_not_vary_leave_cka_undefined(unbiased):
    (X,) = features(0, 6, 3)
    assert np.isnan(cka(X, np.ones((6, 2)), unbiased=unbiased))
    assert np.isnan(cka(X, np.full((6, 2), 0.1), unbiased=unbiased))  # 0.1 differs from its own mean in the last bit
    assert cka(np.zeros((6, 2)), X, unbiased=unbiased, replace_undefined_by=0.5) == 0.5


@pytest.mark.parametrize(
    ("X", "Y", "options", "message"),
    [
        (np.ones((3, 2)), np.ones((4, 2)), {}, "Y has 4 trials, X has 3"),
        (np.ones((1, 2)), np.ones((1, 2)), {}, "X has 1 trials; expected at least 2"),
        (np.ones((3, 2)), np.ones((3, 2)), {"unbiased": True}, "X has 3 trials; expected at least 4"),
        (np.ones(3), np.ones((3, 2)), {}, r"X has shape \(3,\)"),
        (np.ones((3, 2)), np.full((3, 2), np.nan), {}, "Y holds NaN or infinite"),
        (np.ones((3, 2)), np.full((3, 2), np.inf), {}, "Y holds NaN or infinite"),
        (np.ones((0, 2)), np.ones((0, 2)), {}, r"X has shape \(0, 2\)"),
    ],
)
def test_bad_features_are_named(X, Y, options, message):
    with pytest.raises(ValueError, match=message):
        cka(X, Y, **options)
