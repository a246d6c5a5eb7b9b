"""Klein et al. 2025: the whole calculation against loops, every printed number, and the claims put to a test."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

import erralign
from erralign.measures.matrix import kappa
from erralign.planning import simulate_copies
from erralign.resampling import consistency_with_people
from erralign.sources import model_vs_human as source
from erralign.sources import xu2024
from erralign_book.papers import klein2025

pytestmark = pytest.mark.slow  # its tables are computed where the data are


# --- printed ----------------------------------------------------------------------------------------------------------


def test_the_eleven_models_stand_in_the_printed_order():
    """Neighbours lie as little as .0013 apart: the calculation, and which models the middle ones are, must be right."""
    order = klein2025.order_of_table_2().set_index(["models", "ordered by"])
    assert (order["concordant"] == order["pairs"]).all()
    assert set(order["n_models"]) == {4, 11}


# --- the calculation against others -----------------------------------------------------------------------------------


def test_the_papers_interval_equals_a_bootstrap_by_hand(requires_data):
    """CLIP on phase-scrambled pictures: draw trials within conditions, calculate, take the middle 95 %."""
    responses = source.used_conditions(erralign.load("model-vs-human/phase-scrambling"))
    rng = np.random.default_rng(1)
    right = responses.answers.eq(responses.truth, axis=0)
    conditions = [part for _, part in right.groupby(level="condition")]
    draws = []
    for _ in range(2000):
        drawn = [part.to_numpy()[rng.integers(len(part), size=len(part))] for part in conditions]
        draws.append(np.mean([ec_with_people(trials, list(right)) for trials in drawn]))
    row = klein2025.phase_scrambling().set_index("system").loc["clip"]
    # The quantiles of 2,000 draws have standard errors of about .002.
    assert np.quantile(draws, [0.025, 0.975]) == pytest.approx(row[["percentile_low", "percentile_high"]], abs=0.008)


def ec_with_people(right, names):
    clip = right[:, names.index("clip")]
    people = [right[:, i] for i, name in enumerate(names) if name.startswith("subject-")]
    tables = np.array([np.bincount(2 * clip + person, minlength=4) for person in people], dtype=float)
    return np.nanmean(kappa(*tables.T))


def test_a_model_put_together_from_two_sources_is_the_one_that_we_have(requires_data):
    """The one model of which all sources have answers: put together as the seven others are, its score is the same."""
    theirs = {name: xu2024.read(name) for name in klein2025.FOURTEEN}
    theirs |= {ours: erralign.load(f"geirhos2020/{old}") for ours, old in klein2025.THREE.items()}
    renamed, own = pd.Series({"spliced": "resnet50"}), pd.Series(dtype=object)
    parts = [klein2025.ranks._renamed(name, answers, renamed, own) for name, answers in theirs.items()]
    spliced = consistency_with_people(parts, n_resamples=20).table.loc["spliced", "error_consistency"]
    known = klein2025.ranking().query("models == 'sound'").set_index("system").loc["resnet50 (swag)", "EC"]
    assert spliced == pytest.approx(known, abs=0.0005)


def test_correlations_equal_scipy_pair_by_pair():
    wide = klein2025.scores_by_data_set().query("system != 'people'")
    wide = wide.pivot(index="system", columns="data_set", values="EC")
    row = klein2025.correlations().query("models == '25 models, 17 sets'").iloc[17]
    expected = spearmanr(wide[row["data_set_a"]], wide[row["data_set_b"]])
    assert (row["r"], row["p"]) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


def test_models_differ_where_the_interval_of_their_difference_leaves_out_0():
    assert klein2025.differences().eval("(p <= 0.05) == ((low > 0) | (high < 0))").all()


def test_bootstraps_in_which_somebody_never_fails_explain_part_of_the_bias():
    rng = np.random.default_rng(1)
    tables = simulate_copies(40, 0.5, 0.95, 0.95, n_sets=50_000, variant="fixed-count", rng=rng).reshape(-1, 4)
    counts = rng.multinomial(40, tables / 40)
    values, kept = np.nan_to_num(kappa(*counts.T)), (counts @ [[0, 0], [0, 1], [1, 0], [1, 1]] < 40).all(axis=1)
    expected = (values[kept].mean() - values.mean()) / (0.5 - values.mean())
    assert klein2025.copies.explained_in_bootstraps(40) == pytest.approx(expected, abs=0.03)
