"""Intervals of SOC and SOCE: the values in them, coverage by simulation, shared material, undefined cases."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, ttest_1samp
from test_confidences import LOWEST, confidences, textbook_divergence

from erralign import confidence_similarity, error_confidence_similarity
from erralign.resampling import confidence_similarity_interval, error_confidence_similarity_interval
from erralign_book.papers import geirhos2020


@pytest.fixture(scope="module")
def pair():
    """Return true classes and the confidences of two systems that doubt alike on some trials."""
    rng = np.random.default_rng(1)
    p_a, fresh = confidences(0, 4000), confidences(1, 4000)
    p_b = np.where(rng.random((4000, 1)) < 0.6, 0.8 * p_a + 0.2 * fresh, fresh)
    return rng.integers(5, size=4000), p_a, p_b


def test_limits_are_those_of_the_mean_divergence(pair):
    truth, p_a, p_b = (each[:50] for each in pair)
    each = np.array([textbook_divergence(*rows) for rows in zip(p_a, p_b, strict=True)])
    joint = (p_a.argmax(axis=1) != truth) & (p_b.argmax(axis=1) != truth)
    found = confidence_similarity_interval(p_a, p_b, level=0.9), error_confidence_similarity_interval(truth, p_a, p_b)
    for interval, part, level in zip(found, (each, each[joint]), (0.9, 0.95), strict=True):
        of_mean = ttest_1samp(part, 0).confidence_interval(level)
        np.testing.assert_allclose([interval.low, interval.high], 1 / (1 + np.array(of_mean)[::-1]), atol=1e-12)
    assert found[0].estimate == pytest.approx(confidence_similarity(p_a, p_b), abs=1e-12)
    assert found[1].estimate == pytest.approx(error_confidence_similarity(truth, p_a, p_b), abs=1e-12)
    assert (found[0].n_joint_errors, found[1].n_joint_errors) == (None, joint.sum())


@pytest.mark.parametrize("n_trials", [40, 160])
def test_coverage(pair, n_trials):
    truth, p_a, p_b = pair
    soc, soce = confidence_similarity(p_a, p_b), error_confidence_similarity(truth, p_a, p_b)
    rng, inside = np.random.default_rng(n_trials), []
    for _ in range(400):
        drawn = rng.integers(len(truth), size=n_trials)
        a = confidence_similarity_interval(p_a[drawn], p_b[drawn])
        b = error_confidence_similarity_interval(truth[drawn], p_a[drawn], p_b[drawn])
        inside.append((a.low <= soc <= a.high, b.low <= soce <= b.high))
    for hits in np.sum(inside, axis=0):
        assert binomtest(int(hits), 400, 0.95).pvalue > 0.001


def test_trials_that_share_material_widen_the_interval(pair):
    truth, p_a, p_b = (np.repeat(each[:60], 3, axis=0) for each in pair)
    photographs = np.repeat(np.arange(60), 3)
    alone = confidence_similarity_interval(p_a[::3], p_b[::3])
    careless, careful = (confidence_similarity_interval(p_a, p_b, clusters=labels) for labels in (None, photographs))
    widths = [each.high - each.low for each in (alone, careless, careful)]
    assert widths[1] < 0.65 * widths[0]
    assert widths[2] == pytest.approx(widths[0], rel=0.03)  # three copies of a trial say what one says
    errors = [error_confidence_similarity_interval(truth, p_a, p_b, clusters=each) for each in (None, photographs)]
    assert errors[1].high - errors[1].low > 1.5 * (errors[0].high - errors[0].low)


def test_clusters_follow_the_names_of_trials(pair):
    truth, p_a, p_b = (each[:40] for each in pair)
    names = [f"{n}.png" for n in range(40)]
    frames = [pd.DataFrame(each, index=names) for each in (p_a, p_b)]
    labels = pd.Series(np.arange(40) // 4, index=names)
    expected = confidence_similarity_interval(p_a, p_b, clusters=labels.to_numpy())
    assert confidence_similarity_interval(*frames, clusters=labels[::-1]) == expected
    expected = error_confidence_similarity_interval(truth, p_a, p_b, clusters=labels.to_numpy())
    mixed = pd.Series(truth, index=names), frames[0][::-1], frames[1]
    found = error_confidence_similarity_interval(*mixed, clusters=labels[::-1])
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
    assert apart.low == pytest.approx(LOWEST) == pytest.approx(apart.high)
    with pytest.raises(ValueError, match="level"):
        confidence_similarity_interval(sure, torn, level=95)


@pytest.mark.parametrize("data_set", ["cue-conflict", "edges"])
def test_table_of_the_three_networks(data_set):
    table = geirhos2020.efficientnet_similarities(data_set)
    found = geirhos2020.efficientnet_answers(data_set)
    truth = found.truth.to_numpy()
    for row in table.to_dict("records"):
        pair = [
            geirhos2020.efficientnet_confidences(row[name], data_set).to_numpy() for name in ("system_a", "system_b")
        ]
        assert row["SOC"] == pytest.approx(confidence_similarity(*pair), abs=1e-12)
        assert row["SOCE"] == pytest.approx(error_confidence_similarity(truth, *pair), abs=1e-12)
        assert all(row[f"{name}_low"] < row[name] < row[f"{name}_high"] for name in ("EC", "MA", "SOC", "SOCE"))
        alone = confidence_similarity_interval(*pair)
        wider = (row["SOC_high"] - row["SOC_low"]) / (alone.high - alone.low)
        assert wider > 1.5 if data_set == "cue-conflict" else wider == pytest.approx(1)
