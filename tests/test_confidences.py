"""SOC and SOCE: SciPy's divergence, bounds, undefined cases, and their intervals."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import refused_otherwise
from scipy.spatial.distance import jensenshannon
from scipy.stats import ttest_1samp

from erralign import confidence_similarity, error_confidence_similarity
from erralign.resampling import confidence_similarity_interval, error_confidence_similarity_interval
from erralign_book.papers import geirhos2020

LOWEST = 1 / (1 + np.log(2))


def confidences(seed, n_trials=60, n_classes=5):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_classes, 0.5), size=n_trials)
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


def softmaxes(n=400, classes=16):
    logits = 2 * np.random.default_rng(5).normal(size=(2, n, classes))
    weights = np.exp(logits)
    return weights / weights.sum(axis=2, keepdims=True)


def test_what_is_off_by_rounding_is_divided_by_its_sum_and_said():
    p, q = softmaxes()
    expected = confidence_similarity(p, q)
    for rounded in (p.round(2), p.round(3), p.astype(np.float16)):
        with pytest.warns(UserWarning, match=r"p_a was rounded: its rows sum to .*; each was divided by its sum"):
            found = confidence_similarity(rounded, q)
        assert found == pytest.approx(expected, abs=0.01)


def test_single_precision_says_nothing(recwarn):
    p, q = softmaxes()
    assert confidence_similarity(p.astype(np.float32), q) == pytest.approx(confidence_similarity(p, q), abs=1e-6)
    assert len(recwarn) == 0


def test_what_is_no_distribution_is_told_apart():
    p, q = softmaxes()
    others = [
        (100 * q, "these are percentages: divide by 100"),
        ((100 * q).round(1), "these are percentages: divide by 100"),
        (np.log(q), "these are log probabilities: take np.exp"),
        (np.log(q) + 1, "apply a softmax if these are logits"),
        (1000 * q, "apply a softmax if these are logits, or divide counts"),
        (q.clip(0, 0.3), "give every class its probability"),
    ]
    start = "p_b is not a probability distribution at trial .*"
    assert not refused_otherwise((start + hint, partial(confidence_similarity, p, other)) for other, hint in others)


def test_frames_are_aligned_by_trials_and_classes():
    p, q = (pd.DataFrame(each[:40, :4], columns=list("wxyz")) for each in softmaxes())
    p, q = (each.div(each.sum(axis=1), axis=0) for each in (p, q))
    truth, ids, turned = pd.Series(list("wxyz") * 10), np.tile(range(4), 10), q.loc[::-1, list("zxyw")]
    assert confidence_similarity(p, turned) == confidence_similarity(p, q)
    numbered = (each.rename(columns="wxyz".index) for each in (p, turned[::-1]))
    calls = (truth.sample(frac=1, random_state=1), p, turned), (ids, *numbered)
    found = [error_confidence_similarity(*each) for each in calls]
    assert found == pytest.approx([error_confidence_similarity(ids, p.to_numpy(), q.to_numpy())] * 2, abs=1e-12)


# --- intervals --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pair():
    """Return true classes and the confidences of two systems that doubt alike on some trials."""
    rng = np.random.default_rng(1)
    p_a, fresh = confidences(0, 4000), confidences(1, 4000)
    p_b = np.where(rng.random((4000, 1)) < 0.6, 0.8 * p_a + 0.2 * fresh, fresh)
    return rng.integers(5, size=4000), p_a, p_b


def test_limits_are_those_of_the_mean_divergence(pair):
    truth, p_a, p_b = (each[:50] for each in pair)
    each = jensenshannon(p_a, p_b, axis=1) ** 2
    joint = (p_a.argmax(axis=1) != truth) & (p_b.argmax(axis=1) != truth)
    found = confidence_similarity_interval(p_a, p_b, level=0.9), error_confidence_similarity_interval(truth, p_a, p_b)
    for interval, part, level in zip(found, (each, each[joint]), (0.9, 0.95), strict=True):
        of_mean = ttest_1samp(part, 0).confidence_interval(level)
        np.testing.assert_allclose([interval.low, interval.high], 1 / (1 + np.array(of_mean)[::-1]), atol=1e-12)
    assert found[0].estimate == pytest.approx(confidence_similarity(p_a, p_b), abs=1e-12)
    assert found[1].estimate == pytest.approx(error_confidence_similarity(truth, p_a, p_b), abs=1e-12)
    assert (found[0].n_joint_errors, found[1].n_joint_errors) == (None, joint.sum())


def width(interval):
    return interval.high - interval.low


def test_trials_that_share_material_widen_the_interval(pair):
    truth, p_a, p_b = (np.repeat(each[:60], 3, axis=0) for each in pair)
    clusters = None, np.repeat(np.arange(60), 3)
    alone = width(confidence_similarity_interval(p_a[::3], p_b[::3]))
    careless, careful = (width(confidence_similarity_interval(p_a, p_b, clusters=each)) for each in clusters)
    assert careless < 0.65 * alone
    assert careful == pytest.approx(alone, rel=0.1)  # three copies of a trial say what one says
    errors = [width(error_confidence_similarity_interval(truth, p_a, p_b, clusters=each)) for each in clusters]
    assert errors[1] > 1.5 * errors[0]


def test_clusters_follow_the_names_of_trials(pair):
    truth, p_a, p_b = (each[:40] for each in pair)
    names = [f"{n}.png" for n in range(40)]
    a, b = (pd.DataFrame(each, index=names) for each in (p_a, p_b))
    labels = pd.Series(np.arange(40) // 4, index=names)
    for function, known, named in (
        (confidence_similarity_interval, (p_a, p_b), (a, b)),
        (error_confidence_similarity_interval, (truth, p_a, p_b), (pd.Series(truth, index=names), a[::-1], b)),
    ):
        expected, found = function(*known, clusters=labels.to_numpy()), function(*named, clusters=labels[::-1])
        np.testing.assert_allclose([found.low, found.high], [expected.low, expected.high], atol=1e-12)


def test_what_is_undefined_and_what_is_at_an_end():
    sure, torn = np.eye(2)[[0, 0, 1]], np.full((3, 2), 0.5)
    assert np.isnan(confidence_similarity_interval(sure[:1], torn[:1]).low)
    none = error_confidence_similarity_interval([0, 0, 1], sure, sure)
    assert np.isnan([none.low, none.high, none.estimate]).all()
    assert none.n_joint_errors == 0
    same = confidence_similarity_interval(torn, torn)
    assert (same.low, same.estimate, same.high) == (1, 1, 1)
    apart = confidence_similarity_interval(sure, sure[:, ::-1])
    assert [apart.low, apart.high] == pytest.approx([LOWEST] * 2)


@pytest.mark.parametrize("data_set", ["cue-conflict", "edges"])
def test_table_of_the_three_networks(data_set):
    """Pictures of shared material widen the intervals of cue conflict."""
    truth = geirhos2020.efficientnet_answers(data_set).truth.to_numpy()
    for row in geirhos2020.efficientnet_similarities(data_set).to_dict("records"):
        systems = row["system_a"], row["system_b"]
        pair = [geirhos2020.efficientnet_confidences(name, data_set).to_numpy() for name in systems]
        expected = confidence_similarity(*pair), error_confidence_similarity(truth, *pair)
        assert (row["SOC"], row["SOCE"]) == pytest.approx(expected, abs=1e-12)
        assert all(row[f"{name}_low"] < row[name] < row[f"{name}_high"] for name in ("EC", "MA", "SOC", "SOCE"))
        wider = (row["SOC_high"] - row["SOC_low"]) / width(confidence_similarity_interval(*pair))
        assert wider > 1.5 if data_set == "cue-conflict" else wider == pytest.approx(1)
