"""SOC, SOCE and CAPA: SciPy's divergence, the values of released code, undefined cases, and intervals."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import ttest_1samp

import erralign
from erralign import confidence_similarity, error_confidence_similarity
from erralign.inference import confidence_similarity_interval, error_confidence_similarity_interval


def confidences(seed, n_trials=60, n_classes=5):
    p = np.random.default_rng(seed).dirichlet(np.full(n_classes, 0.5), size=n_trials)
    p[0] = np.eye(n_classes)[0]  # certainty: zeros under the logarithm
    return p


@pytest.mark.parametrize("seed", range(3))
def test_soc_and_soce_equal_scipy(seed):
    p, q = confidences(seed), confidences(seed + 10)
    truth = np.random.default_rng(seed).integers(5, size=60)
    each = jensenshannon(p, q, axis=1) ** 2
    joint = [n for n in range(60) if np.argmax(p[n]) != truth[n] and np.argmax(q[n]) != truth[n]]
    assert 0 < len(joint) < 60
    assert confidence_similarity(p, q) == pytest.approx(1 / (1 + each.mean()), abs=1e-12)
    assert error_confidence_similarity(truth, p, q) == pytest.approx(1 / (1 + each[joint].mean()), abs=1e-12)


def test_soce_is_undefined_without_joint_errors_and_a_tie_counts_as_the_first_class():
    p, q = [[0.9, 0.1], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]]
    assert np.isnan(error_confidence_similarity([0, 1], p, q))
    assert error_confidence_similarity([0, 1], p, q, replace_undefined_by=1.0) == 1.0
    assert np.isnan(error_confidence_similarity([0], [[0.5, 0.5]], [[0.5, 0.5]]))
    assert error_confidence_similarity([1], [[0.5, 0.5]], [[0.5, 0.5]]) == 1.0


# --- what is nearly a distribution, and what is none ------------------------------------------------------------------


P, Q = confidences(5, 400, 16), confidences(6, 400, 16)


def test_what_is_off_by_rounding_is_divided_by_its_sum_and_said():
    expected = confidence_similarity(P, Q)
    for rounded in (P.round(2), P.astype(np.float16)):
        with pytest.warns(UserWarning, match=r"p_a was rounded: its rows sum to .*; each was divided by its sum"):
            found = confidence_similarity(rounded, Q)
        assert found == pytest.approx(expected, abs=0.01)
    with warnings.catch_warnings(action="error"):
        assert confidence_similarity(P.astype(np.float32), Q) == pytest.approx(expected, abs=1e-6)


def test_frames_are_aligned_by_trials_and_classes():
    p, q = (pd.DataFrame(each[:40, :4] + 0.01, columns=list("wxyz")) for each in (P, Q))
    p, q = (each.div(each.sum(axis=1), axis=0) for each in (p, q))
    truth, ids, turned = pd.Series(list("wxyz") * 10), np.tile(range(4), 10), q.loc[::-1, list("zxyw")]
    assert confidence_similarity(p, turned) == confidence_similarity(p, q)
    numbered = (each.rename(columns="wxyz".index) for each in (p, turned[::-1]))
    calls = (truth.sample(frac=1, random_state=1), p, turned), (ids, *numbered)
    found = [error_confidence_similarity(*each) for each in calls]
    assert found == pytest.approx([error_confidence_similarity(ids, p.to_numpy(), q.to_numpy())] * 2, abs=1e-12)


# --- intervals --------------------------------------------------------------------------------------------------------


# True classes, and the confidences of two systems that doubt alike on some trials.
P_A, FRESH = confidences(0, 4000), confidences(1, 4000)
P_B = np.where(np.random.default_rng(1).random((4000, 1)) < 0.6, 0.8 * P_A + 0.2 * FRESH, FRESH)
PAIR = np.random.default_rng(2).integers(5, size=4000), P_A, P_B


def test_limits_are_those_of_the_mean_divergence():
    truth, p_a, p_b = (each[:50] for each in PAIR)
    each = jensenshannon(p_a, p_b, axis=1) ** 2
    joint = (p_a.argmax(axis=1) != truth) & (p_b.argmax(axis=1) != truth)
    found = confidence_similarity_interval(p_a, p_b, level=0.9), error_confidence_similarity_interval(truth, p_a, p_b)
    for interval, part, level in zip(found, (each, each[joint]), (0.9, 0.95), strict=True):
        of_mean = ttest_1samp(part, 0).confidence_interval(level)
        np.testing.assert_allclose([interval.low, interval.high], 1 / (1 + np.array(of_mean)[::-1]), atol=1e-12)
    assert found[0].estimate == pytest.approx(confidence_similarity(p_a, p_b), abs=1e-12)
    assert found[1].estimate == pytest.approx(error_confidence_similarity(truth, p_a, p_b), abs=1e-12)
    assert (found[0].n_joint_errors, found[1].n_joint_errors) == (None, joint.sum())


def test_trials_that_share_material_widen_the_interval():
    """Three copies of a trial say what one says, also where clusters go by the names of trials."""
    once = [each[:60] for each in PAIR]
    groups = pd.Series(np.repeat(np.arange(60), 3), index=[f"{n}.png" for n in range(180)])
    truth, a, b = (np.repeat(each, 3, axis=0) for each in once)
    truth, a, b = pd.Series(truth, groups.index), pd.DataFrame(a, groups.index), pd.DataFrame(b, groups.index)
    for function, of_one, of_three in (
        (confidence_similarity_interval, once[1:], (a, b)),
        (error_confidence_similarity_interval, once, (truth, a, b)),
    ):
        limits = [function(*of_one), function(*of_three), function(*of_three, clusters=groups[::-1])]
        alone, careless, careful = (each.high - each.low for each in limits)
        assert careless < 0.65 * alone
        assert careful == pytest.approx(alone, rel=0.2)


def test_what_is_undefined_and_what_is_at_an_end():
    sure, torn = np.eye(2)[[0, 0, 1]], np.full((3, 2), 0.5)
    assert np.isnan(confidence_similarity_interval(sure[:1], torn[:1]).low)
    none = error_confidence_similarity_interval([0, 0, 1], sure, sure)
    assert np.isnan([none.low, none.high, none.estimate]).all()
    assert none.n_joint_errors == 0
    apart = confidence_similarity_interval(sure, sure[:, ::-1])
    assert [apart.low, apart.high] == pytest.approx([1 / (1 + np.log(2))] * 2)


# --- CAPA -------------------------------------------------------------------------------------------------------------


# lmsim/metrics.py of model-similarity/lm-similarity at 3ac0c64, CAPA(prob=False).compute_k with one-hot rows of these.
# What it gives for probabilities is recorded in data/conformance.
def test_answers_and_certain_probabilities_have_the_value_of_the_released_code():
    truth, options = [0, 2, 1, 3, 4, 0, 2, 1], [2, 3, 4, 4, 5, 3, 4, 2]
    answers = [1, 0, 0, 3, 2, 2, 1, 1], [0, 0, 2, 1, 3, 2, 1, 0]
    for given in (answers, [np.eye(5)[each] for each in answers]):
        assert erralign.capa(truth, *given, n_options=options) == pytest.approx(-0.007874015748031496, abs=1e-14)


def test_capa_is_undefined_where_all_are_sure_and_right_or_nothing_was_read():
    assert erralign.capa([0, 1], [0, 1], [0, 1], replace_undefined_by=1) == 1
    assert np.isnan(erralign.capa([0, 1], [-1, -1], [0, 1]))


def test_the_lower_limit_is_that_of_confidences_that_never_overlap():
    p_a, p_b = [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]]
    interval = confidence_similarity_interval(p_a, p_b)
    assert interval.low == pytest.approx(confidence_similarity([[1.0, 0.0]], [[0.0, 1.0]])) == 1 / (1 + np.log(2))
