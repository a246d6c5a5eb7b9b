"""CAPA: the values of its authors' code, what it adds up, refusals, and its interval."""

import numpy as np
import pytest
from builders import mixed_systems

import erralign
from erralign.resampling import capa_interval

OPTIONS, TRUTH = [2, 3, 4, 4, 5, 3, 4, 2], [0, 2, 1, 3, 4, 0, 2, 1]


def probabilities(*shifts):
    """Return one distribution per trial, over as many options as it has, and zeros up to five."""
    rows = [np.exp(np.sin(np.arange(k) * 1.7 + shift)) for k, shift in zip(OPTIONS, shifts, strict=True)]
    return np.stack([np.pad(row / row.sum(), (0, 5 - len(row))) for row in rows])


A, B = probabilities(*range(8)), probabilities(*range(1, 16, 2))


# lmsim/metrics.py of model-similarity/lm-similarity at 3ac0c64, with a = [row[:k] for row, k in zip(A, OPTIONS)], b
# likewise from B, and one-hot rows of their largest places:
#   CAPA().compute_k(a, b, TRUTH); CAPA(prob=False).compute_k(hot_a, hot_b, TRUTH)
def test_values_are_those_of_the_released_code():
    assert erralign.capa(TRUTH, A, B, n_options=OPTIONS) == pytest.approx(-0.053942811309394205, abs=1e-14)
    answers = A.argmax(axis=1), B.argmax(axis=1)
    assert erralign.capa(TRUTH, *answers, n_options=OPTIONS) == pytest.approx(-0.007874015748031496, abs=1e-14)
    hot = (np.eye(5)[each] for each in answers)
    assert erralign.capa(TRUTH, *hot, n_options=OPTIONS) == pytest.approx(-0.007874015748031496, abs=1e-14)


def test_with_two_options_it_is_error_consistency():
    truth, a, b = np.random.default_rng(0).integers(0, 2, (3, 90))
    assert erralign.capa(truth, a, b) == pytest.approx(erralign.error_consistency(truth, a, b), abs=1e-14)


def test_it_adds_up_error_consistency_and_agreement_on_wrong_answers():
    responses, c = mixed_systems(1, n_systems=2, n_trials=120), 1 / 5
    truth, (a, b) = responses.truth.to_numpy(), responses.answers.to_numpy().T.copy()
    right_a, right_b, wrong = a == truth, b == truth, (a != truth) & (b != truth)
    both, p_a, p_b = np.mean(right_a & right_b), right_a.mean(), right_b.mean()
    agreement = (np.mean((a == b)[wrong]) - c) / (1 - c)
    expected = (1 + c) * (both - p_a * p_b) + (1 - c) * wrong.mean() * agreement
    found = erralign.capa(truth, a, b, n_options=6)
    assert found * (1 - p_a * p_b - (1 - p_a) * (1 - p_b) * c) == pytest.approx(expected)
    a[:5], b[3:8] = -1, -1
    rest = erralign.capa(truth[8:], a[8:], b[8:], n_options=6)
    assert erralign.capa(truth, a, b, n_options=6) == pytest.approx(rest)


def test_where_it_is_undefined_and_what_is_refused():
    assert np.isnan(erralign.capa([0, 1], [0, 1], [0, 1]))
    assert erralign.capa([0, 1], [0, 1], [0, 1], replace_undefined_by=1) == 1
    assert np.isnan(erralign.capa([0, 1], [-1, -1], [0, 1]))
    for options, said in (
        ([2, 2, 3, 4, 5, 3, 4, 2], "y_true names option 2 on trial 1, which has only 2 options"),
        ([3, 4], "give one number, or one per trial"),
        (1, "n_options holds 1; expected whole numbers from 2 up"),
    ):
        with pytest.raises(ValueError, match=said):
            erralign.capa(TRUTH, A, B, n_options=options)


def test_the_interval_is_a_jackknife_and_contains_the_value_of_all_trials():
    rng = np.random.default_rng(1)

    def draw(n):
        shared = rng.standard_normal((n, 4))
        logits = (shared + rng.standard_normal((n, 4)) + 2 * np.eye(4)[0] for _ in range(2))
        return np.zeros(n, int), *(np.exp(each) / np.exp(each).sum(axis=1, keepdims=True) for each in logits)

    truth, p_a, p_b = draw(40)
    found = capa_interval(truth, p_a, p_b)
    rest = [np.arange(40) != trial for trial in range(40)]
    without = np.array([erralign.capa(truth[kept], p_a[kept], p_b[kept]) for kept in rest])
    error = np.sqrt(39 / 40 * ((without - without.mean()) ** 2).sum())
    assert 2 * error < found.high - found.estimate < 2.5 * error
    true = erralign.capa(*draw(200_000))
    held = sum(each.low <= true <= each.high for each in (capa_interval(*draw(100)) for _ in range(300)))
    assert 0.91 * 300 <= held <= 0.99 * 300
    assert np.isnan(capa_interval([0, 0, 0, 0], [0, 1, 1, 2], [0, 1, 2, 1], n_options=4).low)
