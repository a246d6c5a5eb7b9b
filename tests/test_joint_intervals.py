"""Intervals of all pairs, from trials that are drawn once and shared, and how often intervals hold the truth."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from builders import guessers, make_responses
from scipy.stats import norm
from textbook import jackknife_error

import erralign
from benchmarks import coverage
from benchmarks.coverage import worlds
from erralign.measures import cles, limit_columns

# Where nothing is drawn, limits are the same to the last digits.
ALL = [("EC", {}, 1e-12), ("H", {}, 0.04), ("MA", {}, 1e-12), ("MA", {"n_options": 5}, 1e-12), ("WMA", {}, 1e-12)]
ALL += [("WEC", {}, 1e-12), ("CLES", {}, 1e-12)]


@pytest.mark.parametrize(("measure", "options", "tolerance"), ALL, ids=str)
def test_pairs_and_differences_alone_turned_round_and_among_all(measure, options, tolerance):
    responses, own = guessers(time_outs=0.1), erralign.MEASURES[measure]
    if "n_options" in options:
        responses = replace(responses, options=pd.Series(5, responses.truth.index))
    sized = options | ({"n_classes": 5} if measure == "CLES" else {})
    truth, (a, _, b, c) = responses.truth, responses.answers.to_numpy().T
    pairs = erralign.pairwise_intervals(responses, measure, n_resamples=4000).set_index(["system_a", "system_b"])
    values = []
    for name, said in (("s0", a), ("s2", b)):
        one = erralign.confidence_interval(truth, said, c, measure, n_classes=5, n_resamples=4000, **options)
        row = pairs.loc[(name, "s3")]
        values.append(own.function(truth, said, c, **sized))
        assert (one.estimate, row[own.short]) == pytest.approx((values[-1], values[-1]), abs=1e-12)
        assert one.low < one.estimate < one.high
        assert (one.low, one.high) == pytest.approx(tuple(row[[*limit_columns(own.short)[:2]]]), abs=tolerance)
    difference = partial(erralign.difference_interval, n_classes=5, n_resamples=4000, rng=1, **options)
    gap, other = (difference(truth, *two, c, measure) for two in ((a, b), (b, a)))
    assert gap.estimate == pytest.approx(values[0] - values[1], abs=1e-12)
    assert gap.low < gap.estimate < gap.high
    assert (gap.low, gap.high) == pytest.approx((-other.high, -other.low), abs=max(tolerance, 0.02))
    assert gap.n_joint_errors == min(np.sum((y != truth) & (c != truth)) for y in (a, b))
    gaps = erralign.pairwise_differences(responses, "s3", measure, n_resamples=4000).set_index(["system_a", "system_b"])
    found = tuple(gaps.loc["s0", "s2"][["difference", "n_joint_errors", "low", "high"]])
    assert found == pytest.approx((gap.estimate, gap.n_joint_errors, gap.low, gap.high), abs=max(tolerance, 0.02))


def test_limits_do_not_depend_on_which_other_pairs_are_asked_for():
    responses = guessers(300, n_systems=4, n_classes=16)
    found = erralign.pairwise_intervals(responses, ["EC", "H", "CLES"], n_resamples=200)
    part = erralign.pairwise_intervals(responses, ["H", "EC", "CLES"], with_="s2", n_resamples=200)
    kept = found[(found["system_a"] == "s2") | (found["system_b"] == "s2")].reset_index(drop=True)
    pd.testing.assert_frame_equal(part[kept.columns], kept, check_exact=True)
    assert found.attrs["methods"] == {"EC": "dirichlet", "H": "dirichlet", "CLES": "leave-one-out"}
    twins = make_responses(responses.truth, dict.fromkeys("ab", responses.answers["s0"]), 16)
    assert erralign.pairwise_intervals(twins, "EC")["EC_high"].tolist() == [1.0]


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_the_standard_error_without_tables_leaves_out_each_trial(alpha):
    """The other road computes the measure anew for each trial that is left out."""
    responses = guessers(n_systems=2)
    truth, (a, b) = responses.truth.to_numpy(), responses.answers.to_numpy().T.copy()
    b[:100] = a[:100]
    of_kept = partial(erralign.class_level_error_similarity, n_classes=5, alpha=alpha)
    for pair in ((a, b), (b, truth), (a, a)):
        three = np.array([truth, *pair])
        expected = norm.ppf(0.975) * jackknife_error(lambda kept, three=three: of_kept(*three[:, kept]), len(truth))[0]
        found = erralign.confidence_interval(truth, *pair, cles(alpha=alpha), n_classes=5)
        assert found.low == pytest.approx(max(found.estimate - expected, 0), abs=1e-12)
        assert found.high == pytest.approx(min(found.estimate + expected, 1), abs=1e-12)


def test_limits_of_similarity_hold_the_truth():
    """In skewed worlds, too, where draws of trials fell short; four standard errors of the study are .015."""
    held = coverage.class_level_error_similarity().set_index(["errors_a", "errors_b"])["coverage"]
    assert held.min() > 0.95 - 0.015
    assert held.loc[[(300, 10), (500, 50)]].between(0.95, 0.98).all()


# --- machines ---------------------------------------------------------------------------------------------------------


PROGRAM = """
import hashlib, numpy as np
from erralign.measures.error_consistency import drawn_kappas
right = np.random.default_rng(0).random((27, 1280)) < 0.8
draws = drawn_kappas(right, np.triu_indices(27, k=1), 2000, np.random.default_rng(1))
print(hashlib.sha256(draws.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers_on_any_number_of_cores():
    threads = [dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), number) for number in "124"]
    call = partial(subprocess.run, [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert len({call(env=os.environ | each).stdout for each in threads}) == 1


# --- coverage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accuracies", [(0.7, 0.9, 0.8), (0.97, 0.5, 0.99)])
def test_cells_of_many_are_those_of_a_simulation(accuracies):
    loadings, rng = np.array([0.6, 0.6, 0.2]), np.random.default_rng(0)
    common, own = rng.standard_normal((400_000, 1)), rng.standard_normal((400_000, 3))
    right = loadings * common + np.sqrt(1 - loadings**2) * own < norm.ppf(accuracies)
    drawn, _ = np.histogramdd(right.astype(float), bins=[2, 2, 2])
    np.testing.assert_allclose(worlds.cells_of_many(accuracies, loadings), drawn / 400_000, atol=0.003)
