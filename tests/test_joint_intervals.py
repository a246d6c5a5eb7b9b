"""Intervals of all pairs, from trials that are drawn once and shared."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from builders import guessers, make_responses
from scipy.stats import binomtest
from textbook import kappa

from erralign import (
    accuracy_intervals,
    class_level_error_similarity,
    confidence_interval,
    pairwise,
    pairwise_intervals,
)
from erralign.behaviour.class_level import CLES_VARIANTS
from erralign.resampling.class_level_error_similarity import drawn_similarities
from erralign.resampling.worlds import _pseudo_trials, drawn_kappas


def test_two_perfect_systems_among_others_have_no_limits():
    responses = guessers()
    perfect = responses.answers.assign(s0=responses.truth, s1=responses.truth)
    table = pairwise_intervals(
        make_responses(responses.truth, perfect, 5),
        ["error_consistency"],
        n_resamples=100,
    ).set_index(["system_a", "system_b"])
    assert table.loc[("s0", "s1")].filter(like="error_consistency_").iloc[:2].isna().all()
    assert table.loc[("s0", "s2")].filter(like="error_consistency").notna().all()


@pytest.mark.parametrize("order", range(2, 40, 7))
def test_pseudo_trials_are_balanced_for_pairs_and_triples(order):
    rows, share = _pseudo_trials(order)
    rng = np.random.default_rng(order)
    for size in (2, min(order, 3)):
        chosen = rng.choice(order, size=size, replace=False)
        _, counts = np.unique(rows[:, chosen], axis=0, return_counts=True)
        assert len(counts) == 2**size
        assert len(set(counts)) == 1
    assert len(rows) * share == pytest.approx(2.0)  # half a count for each of four cells


def test_joint_draws_have_the_margins_of_the_dirichlet_form():
    """The accuracy of one system among many is Beta(right + 1, wrong + 1): half a count in each of two cells, twice."""
    rng = np.random.default_rng(0)
    right = rng.random((5, 60)) < 0.9
    alone = np.quantile(drawn_kappas(right, *np.triu_indices(5, k=1), 20_000, rng), [0.1, 0.5, 0.9], axis=0)
    table = [
        np.sum(~right[0] & ~right[1]),
        np.sum(~right[0] & right[1]),
        np.sum(right[0] & ~right[1]),
        np.sum(right[0] & right[1]),
    ]
    direct = np.random.default_rng(1).standard_gamma(np.array(table) + 0.5, size=(20_000, 4))
    expected = np.quantile([kappa(row) for row in direct], [0.1, 0.5, 0.9])
    np.testing.assert_allclose(alone[:, 0], expected, atol=0.02)


def test_a_pair_alone_and_among_all_agrees():
    responses = guessers()
    joint = pairwise_intervals(responses, n_resamples=4000)
    pd.testing.assert_frame_equal(joint[pairwise(responses).columns], pairwise(responses))
    for measure, tolerance in (
        ("error_consistency", 0.02),
        ("misclassification_agreement", 1e-12),
        ("class_level_error_similarity", 0.005),
    ):
        row = joint.iloc[2]
        alone = confidence_interval(
            responses.truth,
            responses.answers[row["system_a"]],
            responses.answers[row["system_b"]],
            measure,
            n_classes=5,
            n_resamples=4000,
        )
        assert alone.estimate == pytest.approx(row[measure], abs=1e-12)
        assert alone.n_joint_errors == row["n_joint_errors"]
        assert (alone.low, alone.high) == pytest.approx((row[f"{measure}_low"], row[f"{measure}_high"]), abs=tolerance)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
@pytest.mark.parametrize("variant", CLES_VARIANTS)
def test_resampled_similarity_is_the_measure_of_the_resampled_trials(variant, alpha):
    responses = guessers()
    truth, a, b = (column.to_numpy() for column in (responses.truth, responses.answers["s0"], responses.answers["s1"]))
    chosen = np.random.default_rng(3).integers(len(truth), size=(20, len(truth)))
    pair = np.array([0]), np.array([1])
    form = {"variant": variant, "alpha": alpha}
    drawn = drawn_similarities(truth, np.stack([a, b]), *pair, 5, 20, np.random.default_rng(3), **form)[:, 0]
    expected = [class_level_error_similarity(truth[row], a[row], b[row], n_classes=5, **form) for row in chosen]
    np.testing.assert_allclose(drawn, expected, atol=2e-6)


def test_the_same_seed_gives_the_same_numbers():
    responses = guessers()
    pd.testing.assert_frame_equal(
        pairwise_intervals(responses, n_resamples=200, rng=5), pairwise_intervals(responses, n_resamples=200, rng=5)
    )


def test_accuracy_intervals_are_wilsons():
    responses = guessers()
    table = accuracy_intervals(responses)
    right = (responses.answers["s0"] == responses.truth).sum()
    expected = binomtest(int(right), len(responses.truth)).proportion_ci(method="wilson")
    assert table.loc["s0", ["low", "high"]].tolist() == pytest.approx([expected.low, expected.high], abs=1e-12)


PROGRAM = """
import hashlib, numpy as np
from erralign.resampling.worlds import drawn_kappas
right = np.random.default_rng(0).random((27, 1280)) < 0.8
draws = drawn_kappas(right, *np.triu_indices(27, k=1), 2000, np.random.default_rng(1))
print(hashlib.sha256(draws.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers_on_any_number_of_cores():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in (1, 2, 4)
    }
    assert len(found) == 1
