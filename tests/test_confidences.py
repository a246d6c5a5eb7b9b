"""SOC and SOCE: textbook forms, bounds, undefined cases, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from erralign import confidence_similarity, error_confidence_similarity

LOWEST = 1 / (1 + np.log(2))


def textbook_divergence(p, q):
    middle, total = (p + q) / 2, 0.0
    for p_k, q_k, m_k in zip(p, q, middle, strict=True):
        total += (p_k * np.log(p_k / m_k) if p_k > 0 else 0) / 2
        total += (q_k * np.log(q_k / m_k) if q_k > 0 else 0) / 2
    return total


def confidences(seed, n_trials=60, n_classes=5):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_classes, 0.5), size=n_trials)
    p[0] = np.eye(n_classes)[0]  # certainty: zeros under the logarithm
    return p


@pytest.mark.parametrize("seed", range(3))
def test_soc_equals_textbook_and_scipy(seed):
    p, q = confidences(seed), confidences(seed + 10)[::-1]
    textbook = np.mean([textbook_divergence(*rows) for rows in zip(p, q, strict=True)])
    assert confidence_similarity(p, q) == pytest.approx(1 / (1 + textbook), abs=1e-12)
    assert confidence_similarity(p, q) == pytest.approx(1 / (1 + np.mean(jensenshannon(p, q, axis=1) ** 2)), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_soce_equals_textbook_over_joint_errors(seed):
    p, q = confidences(seed), confidences(seed + 10)
    truth = np.random.default_rng(seed).integers(5, size=60)
    joint = [n for n in range(60) if np.argmax(p[n]) != truth[n] and np.argmax(q[n]) != truth[n]]
    textbook = np.mean([textbook_divergence(p[n], q[n]) for n in joint])
    assert 0 < len(joint) < 60
    assert error_confidence_similarity(truth, p, q) == pytest.approx(1 / (1 + textbook), abs=1e-12)


@st.composite
def pairs_of_confidences(draw):
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    concentration = draw(st.sampled_from([0.01, 0.5, 5.0]))
    return [rng.dirichlet(np.full(shape[1], concentration), size=shape[0]) for _ in range(2)]


@settings(max_examples=50, deadline=None)
@given(pairs_of_confidences(), st.randoms(use_true_random=False))
def test_soc_is_symmetric_bounded_and_blind_to_order_and_names(pair, random):
    p, q = pair
    value = confidence_similarity(p, q)
    trials, classes = (random.sample(range(size), size) for size in p.shape)
    assert LOWEST - 1e-12 <= value <= 1 + 1e-12
    assert confidence_similarity(q, p) == pytest.approx(value, abs=1e-12)
    assert confidence_similarity(p[trials][:, classes], q[trials][:, classes]) == pytest.approx(value, abs=1e-12)


def test_extremes_of_soc():
    p = confidences(0)
    assert confidence_similarity(p, p) == 1
    assert confidence_similarity(np.eye(2), np.eye(2)[::-1]) == pytest.approx(LOWEST, abs=1e-12)


def test_soce_is_undefined_without_joint_errors():
    p, q = [[0.9, 0.1], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]]
    assert np.isnan(error_confidence_similarity([0, 1], p, q))
    assert error_confidence_similarity([0, 1], p, q, replace_undefined_by=1.0) == 1.0


def test_a_tie_counts_as_the_first_class():
    assert np.isnan(error_confidence_similarity([0], [[0.5, 0.5]], [[0.5, 0.5]]))
    assert error_confidence_similarity([1], [[0.5, 0.5]], [[0.5, 0.5]]) == 1.0


GOOD = [[0.5, 0.5], [0.25, 0.75]]
BAD = {
    "sum": ([[0.5, 0.5], [0.5, 0.6]], "p_b is not a probability distribution at trial 1: it sums to 1.1"),
    "logits": ([[3.0, -1.0], [0.5, 0.5]], "p_b .* at trial 0, which holds -1; apply a softmax if"),
    "NaN": ([[np.nan, 1.0], [0.5, 0.5]], "p_b holds NaN or infinite values at trial 0"),
    "other shape": ([[0.2, 0.3, 0.5], [1, 0, 0]], r"p_b has shape \(2, 3\), p_a has \(2, 2\)"),
    "one row": ([0.5, 0.5], r"p_b has shape \(2,\); expected one row per trial"),
    "empty": (np.empty((0, 2)), r"p_b has shape \(0, 2\)"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_confidences_are_named(case):
    confidences_b, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        confidence_similarity(GOOD, confidences_b)
    with pytest.raises(ValueError, match=message):
        error_confidence_similarity([0, 1], GOOD, confidences_b)


def test_text_is_refused():
    with pytest.raises((TypeError, ValueError)):
        confidence_similarity(GOOD, [["a", "b"], ["c", "d"]])


def test_truth_must_fit_the_confidences():
    with pytest.raises(ValueError, match="p_a has 2 trials, y_true has 3"):
        error_confidence_similarity([0, 1, 1], GOOD, GOOD)
    with pytest.raises(ValueError, match="y_true holds the label 2, but n_classes is 2"):
        error_confidence_similarity([0, 2], GOOD, GOOD)


# --- what is nearly a distribution, and what is none ------------------------------------------------------------------


def softmaxes(n=400, classes=16):
    logits = 2 * np.random.default_rng(5).normal(size=(2, n, classes))
    weights = np.exp(logits)
    return weights / weights.sum(axis=2, keepdims=True)


@pytest.mark.parametrize(
    "rounded",
    [lambda p: p.round(2), lambda p: p.round(3), lambda p: p.astype(np.float16)],
    ids=["two decimals", "three decimals", "half precision"],
)
def test_what_is_off_by_rounding_is_divided_by_its_sum_and_said(rounded):
    p, q = softmaxes()
    expected = confidence_similarity(p, q)
    with pytest.warns(UserWarning, match=r"p_a was rounded: its rows sum to .*; each was divided by its sum"):
        found = confidence_similarity(rounded(p), q)
    assert found == pytest.approx(expected, abs=0.01)


def test_single_precision_says_nothing(recwarn):
    p, q = softmaxes()
    assert confidence_similarity(p.astype(np.float32), q) == pytest.approx(confidence_similarity(p, q), abs=1e-6)
    assert len(recwarn) == 0


@pytest.mark.parametrize(
    ("others", "hint"),
    [
        (lambda p: 100 * p, "these are percentages: divide by 100"),
        (lambda p: (100 * p).round(1), "these are percentages: divide by 100"),
        (np.log, "these are log probabilities: take np.exp"),
        (lambda p: np.log(p) + 1, "apply a softmax if these are logits"),
        (lambda p: 1000 * p, "apply a softmax if these are logits, or divide counts"),
        (lambda p: p.clip(0, 0.3), "a softmax is not the remedy"),
    ],
    ids=["percent", "rounded percent", "logs", "logits", "counts", "cut"],
)
def test_what_is_no_distribution_is_told_apart(others, hint):
    p, q = softmaxes()
    with pytest.raises(ValueError, match=f"p_b is not a probability distribution at trial .*{hint}"):
        confidence_similarity(p, others(q))


def test_frames_are_aligned_by_trials_and_classes():
    p, q = (pd.DataFrame(each[:40, :4], columns=list("wxyz")) for each in softmaxes())
    p, q = (each.div(each.sum(axis=1), axis=0) for each in (p, q))
    truth = pd.Series(list("wxyz") * 10)
    ids = truth.map("wxyz".index).to_numpy()
    turned = q.loc[::-1, list("zxyw")]
    assert confidence_similarity(p, turned) == confidence_similarity(p, q)
    expected = error_confidence_similarity(ids, p.to_numpy(), q.to_numpy())
    assert error_confidence_similarity(truth.sample(frac=1, random_state=1), p, turned) == pytest.approx(
        expected, abs=1e-12
    )
    numbered = turned.rename(columns="wxyz".index)
    assert error_confidence_similarity(ids, p.rename(columns="wxyz".index), numbered[::-1]) == pytest.approx(expected)
