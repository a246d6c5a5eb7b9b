"""Klein et al. 2025: the whole calculation against loops, every printed number, and the claims put to a test."""

import numpy as np
import pandas as pd
import pytest
from builders import make_responses
from scipy.stats import kendalltau, spearmanr

import erralign
from erralign.behaviour.consistency import kappa
from erralign.resampling import consistency_with_people
from erralign.sources import model_vs_human as source
from erralign.sources import xu2024
from erralign_book.papers import klein2025, published

pytestmark = pytest.mark.slow  # its tables are computed where the data are
PAPER = "klein2025"
# The errata page or the chapter explains each.
EXCEPTIONS = {
    ("images in a condition", "most"),
    ("two models at the mean tau", "chance of being concordant in %"),
    ("people in a corruption", "most"),
}


def mean_over_people(responses, system, people):
    """Ten lines instead of the engine: over people within a condition, then over conditions."""
    means = []
    for condition in responses.truth.index.get_level_values("condition").unique():
        truth, answers = responses.truth.loc[condition], responses.answers.loc[condition]
        means.append(np.mean([erralign.error_consistency(truth, answers[system], answers[each]) for each in people]))
    return np.mean(means)


def used(data_set):
    return source.used_conditions(erralign.load(f"model-vs-human/{data_set}"))


# --- printed ----------------------------------------------------------------------------------------------------------


def test_printed_numbers_are_reproduced():
    """Every number; an exception must stay one."""
    found = published.compare(klein2025.table("text"), PAPER, "text")
    differs = {(row.row, row.column) for row in found.query("verdict == 'differs'").itertuples()}
    assert differs == EXCEPTIONS


def test_every_item_of_the_paper_has_a_row_and_every_figure_a_verdict():
    items = set(published.published().query("paper == @PAPER")["item"])
    without_numbers = {f"Figure {i}" for i in range(1, 11)} | {"Table 1", "Table 2"}
    assert items == without_numbers | {"text"}
    verdicts = published.figures(PAPER)
    assert set(verdicts["item"]) == without_numbers
    assert set(verdicts["verdict"]) == {"redrawn", published.NOT_COMPUTABLE}


def test_other_items_print_nothing_that_is_computed():
    assert klein2025.table("Table 2").empty


def test_figures_5_and_7_do_not_count_as_redrawn():
    """The method is tested on other models; Brain-Score's table is not in our copy."""
    verdicts = published.figures(PAPER).set_index("item")["verdict"]
    assert set(verdicts[["Figure 5", "Figure 7"]]) == {published.NOT_COMPUTABLE}
    assert set(verdicts[["Figure 3", "Figure 6", "Figure 10"]]) == {"redrawn"}


def test_the_eleven_models_stand_in_the_printed_order():
    """Neighbours lie as little as .0013 apart: the calculation, and which models the middle ones are, must be right."""
    order = klein2025.order_of_table_2().set_index(["models", "ordered by"])
    assert order["n_models"].tolist() == [4, 4, 11, 11]
    assert order[["concordant", "pairs"]].to_numpy().tolist() == [[6, 6], [6, 6], [55, 55], [55, 55]]
    assert len(klein2025.table_2()) == 52
    assert klein2025.table_2()["evidence"].value_counts().to_dict() == {
        "no public answers": 33,
        "three sets only": 8,
        "two sources": 7,
        "all 17 sets": 4,
    }
    inception = klein2025.table_2().set_index("name")["EC"][["densenet201", "inception_v3", "resnet50"]]
    assert inception.is_monotonic_decreasing
    assert inception["inception_v3"] == pytest.approx(0.2110, abs=5e-5)


def test_the_benchmark_prints_what_we_compute_except_for_clip():
    scores = klein2025.benchmark_scores()
    for ours, printed in (("EC", "EC printed"), ("accuracy", "accuracy printed")):
        rounded = [published.rounds_to(x, y) for x, y in zip(scores[ours], scores[printed], strict=True) if y]
        assert rounded == [ours != "EC", *[True] * (len(rounded) - 1)]


# --- the calculation against others -----------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["clip", "bagnet9", "swag_vit_h14_in1k"])
def test_ranking_equals_loops(requires_data, system):
    means = [
        mean_over_people(responses, system, [name for name in responses.answers if name.startswith("subject-")])
        for responses in map(used, klein2025.DATA_SETS)
    ]
    ranking = klein2025.ranking().query("models == 'sound'").set_index("system")
    assert ranking.loc[system, "EC"] == pytest.approx(np.mean(means), abs=1e-12)


def test_people_among_themselves_equal_loops(requires_data):
    means = []
    for responses in map(used, klein2025.DATA_SETS):
        people = [name for name in responses.answers if name.startswith("subject-")]
        each = [mean_over_people(responses, person, [x for x in people if x != person]) for person in people]
        means.append(np.mean(each))
    ranking = klein2025.ranking().query("models == 'sound'").set_index("system")
    assert ranking.loc["people", "EC"] == pytest.approx(np.mean(means), abs=1e-12)


def test_the_papers_interval_equals_a_bootstrap_by_hand(requires_data):
    """CLIP on phase-scrambled pictures: draw trials within conditions, calculate, take the middle 95 %."""
    responses, rng = used("phase-scrambling"), np.random.default_rng(1)
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
    parts = [klein2025.elsewhere._renamed(name, answers, renamed, own) for name, answers in theirs.items()]
    spliced = consistency_with_people(parts, n_resamples=20).table.loc["spliced", "EC"]
    known = klein2025.ranking().query("models == 'sound'").set_index("system").loc["resnet50 (swag)", "EC"]
    assert spliced == pytest.approx(known, abs=0.0005)


def test_a_name_is_no_proof(requires_data):
    """Of the two CLIPs and the two noisy students, each pair differs by much more than the intervals allow."""
    table = klein2025.ranking_on_fourteen().set_index("system")
    assert table.loc["clip", "low"] > table.loc["clip_v (error_align)", "high"]
    assert (table["family"] == "").sum() == 0
    assert table["rank"].max() == 45


def test_taus_equal_scipy():
    rng = np.random.default_rng(0)
    values = pd.Series([0.4, 0.1, 0.3, 0.2, 0.5], index=list("abcde"))
    draws = pd.DataFrame(values.to_numpy() + rng.normal(0, 0.1, (20, 5)), columns=values.index)
    found = consistency_like(values, draws)
    expected = [kendalltau(values, draw).statistic for draw in draws.to_numpy()]
    np.testing.assert_allclose(
        klein2025.stability.kendall_taus(klein2025.stability.agreement_with_ranking(found)[1]), expected, atol=1e-12
    )


def consistency_like(values, draws):
    table = pd.DataFrame({"EC": [*values, 0.9]}, index=[*values.index, "people"])
    return erralign.ConsistencyWithPeople(table, draws, draws, 0.95, draws.cov())


def test_every_system_in_every_resample_has_its_own_row_of_taus():
    """What the random choices of models average to is what all models have."""
    stability = klein2025.rank_stability().set_index("models")
    random = stability[stability.index.str.contains("random")]
    assert (random["tau"] - stability.loc["sound", "tau"]).abs().max() < 4 * (0.083 / np.sqrt(200))


def test_differences_are_of_what_they_say():
    ranking = klein2025.ranking().query("models == 'sound'").set_index("system")
    pairs = klein2025.differences()
    assert len(pairs) == 25 * 24 // 2
    expected = ranking["EC"].loc[pairs["system_a"]].to_numpy() - ranking["EC"].loc[pairs["system_b"]].to_numpy()
    np.testing.assert_allclose(pairs["difference"], expected, atol=1e-12)
    assert (pairs["difference"] >= 0).all()
    # A difference is known better than two values that were drawn on their own would let us think.
    half_widths = (ranking["high"] - ranking["low"]) / 2
    alone = np.hypot(half_widths.loc[pairs["system_a"]].to_numpy(), half_widths.loc[pairs["system_b"]].to_numpy())
    assert ((pairs["high"] - pairs["low"]) / 2 < alone).mean() > 0.9


def test_correlations_equal_scipy_pair_by_pair():
    wide = klein2025.scores_by_data_set().query("system != 'people'")
    wide = wide.pivot(index="system", columns="data_set", values="EC")
    for row in klein2025.correlations().query("models == '25 models, 17 sets'").iloc[::17].itertuples():
        expected = spearmanr(wide[row.data_set_a], wide[row.data_set_b])
        assert (row.r, row.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


def test_p_values_are_about_the_comparisons(requires_data):
    table = klein2025.clip_p_values()
    row = table.query("data_set == 'stylized' and person == 'subject-03'").iloc[0]
    responses = erralign.load("model-vs-human/stylized")
    expected = erralign.error_consistency(responses.truth, responses.answers["clip"], responses.answers["subject-03"])
    assert row["EC"] == pytest.approx(expected, abs=1e-12)
    assert len(table) == klein2025.conditions()["people"].sum()
    assert (table[["p", "p_printed", "p_simulated"]] > 0).all(axis=None)
    # Simulated as printed, against exact with the same posterior; 10,000 tables, ties left out.
    assert (table["p_simulated"] - table["p_printed"]).abs().max() < 0.12


# --- the method for Brain-Score, and perfect models -------------------------------------------------------------------


def test_copies_in_place_of_trials_give_intervals_that_are_too_narrow():
    """A fault of the method, not of an implementation: people saw the same pictures, the simulated ones did not."""
    ranking = klein2025.ranking().query("models == 'sound'").set_index("system")
    copies = klein2025.copy_intervals().set_index(["way", "system"])
    width = (copies["high"] - copies["low"]).unstack("way")
    # Against the paper's intervals, and against ours, which the jackknife gives.
    for low, high in (("percentile_low", "percentile_high"), ("low", "high")):
        shares = width.div(ranking[high] - ranking[low], axis=0).drop("people")
        assert (shares.drop(columns="one sequence").median() < 0.62).all()
        assert 1.1 < shares["one sequence"].median() < 1.3
        assert shares["Figure 7"].max() < 0.35
        assert (shares["Figure 5"] > 1).sum() <= 1
        assert shares["real trials"].max() < 0.7
    assert (copies["EC"].unstack("way").sub(ranking["EC"], axis=0).abs() < 0.01).drop("people").all(axis=None)


def test_a_perfect_model_has_0_with_people_by_the_benchmarks_own_rule(requires_data):
    """The rule of modelvshuman/plotting/analyses.py: 1 where all outcomes are the same, else kappa."""
    means, perfect = [], 0
    for name in klein2025.DATA_SETS:
        by_condition = []
        for _, right in klein2025.answers.conditions_in_use(name):
            model, people = right["efficientnet_l2_noisy_student_475"], right.filter(like="subject-")
            by_condition.append(np.mean([by_the_benchmark(model, people[person]) for person in people]))
            perfect += model.all()
        means.append(np.mean(by_condition))
    row = klein2025.perfect_models().set_index("system").loc["efficientnet_l2_noisy_student_475"]
    assert (row["as_0"], row["perfect"]) == (pytest.approx(np.mean(means), abs=1e-12), perfect)
    assert klein2025.perfect_models()["alike"].sum() == 0
    # With 1 it would not be where Table 2 has it.
    places = klein2025.table_2().dropna(subset="EC").set_index("index")["EC"]
    assert places[38] > row["left_out"] > row["as_0"]
    assert places[18] > row["as_1"] > places[19]


def by_the_benchmark(a, b):
    expected = a.mean() * b.mean() + (1 - a.mean()) * (1 - b.mean())
    observed = (a == b).mean()
    return 1.0 if observed == 1 else (observed - expected) / (1 - expected)


# --- claims -----------------------------------------------------------------------------------------------------------


def test_not_all_correlations_are_significant():
    for models, pairs in klein2025.correlations().groupby("models"):
        for p in ("p", "p_kendall", "p_pearson"):
            assert (pairs[p] > 0.05).mean() > 0.3, models
    assert (klein2025.correlations()["p_holm"] >= klein2025.correlations()["p"]).all()


def test_the_majority_of_comparisons_with_clip_is_significant():
    table = klein2025.clip_p_values()
    assert (table["p"] <= 0.05).mean() > 0.5
    assert (table.query("used")["p_holm"] <= 0.05).mean() > 0.5
    assert (table["p_holm"] <= 0.05).mean() < 0.5


def test_figure_10_has_one_condition_more_with_the_printed_posterior():
    first = klein2025.clip_and_subject_01()
    found = (first[["p", "p_printed", "p_simulated"]] <= 0.05).sum()
    assert (len(first), *found) == (46, 41, 42, 42)
    known = klein2025.clip_p_values().query("used and person == 'subject-01'").set_index(["data_set", "condition"])
    again = first.set_index(["data_set", "condition"])["p"]
    np.testing.assert_allclose(again.reindex(known.index), known["p"], rtol=1e-12)
    # 50,000 tables: four standard errors at p = .3, and ties, which do not count.
    assert (first["p_simulated"] - first["p_printed"]).abs().max() < 0.03


def test_rankings_of_bootstraps_go_with_the_ranking():
    """What the released notebook of Figure 9 tests: all are significant, for each choice of models."""
    significant = klein2025.rank_stability().set_index("models")["significant"].dropna()
    assert len(significant) == 4
    assert (significant > 0.995).all()


def test_a_slow_table_that_no_longer_fits_the_quick_ones_is_found():
    seeds = klein2025.seeds().set_index(["item", "quantity"])["seed_0"]
    tau = klein2025.rank_stability().set_index("models").loc["sound", "tau"]
    assert seeds["Figure 4", "mean tau"] == pytest.approx(tau, abs=1e-9)
    resolved = (klein2025.differences()["p_holm"] <= klein2025.ALPHA).sum()
    assert seeds["Figure 4", "pairs resolved after correction"] == resolved
    pooled = klein2025.pooled_widths()
    assert seeds["Figure 6", "mean width"] == pytest.approx(pooled.mean(axis=None), rel=0.01)
    middle = klein2025.experiments().query("EC == 0.5 and accuracy != 'pooled'")["width"]
    assert seeds["Figure 3", "mean width"] == pytest.approx(middle.mean(), rel=0.01)


# --- a fault of public code: the absolute value of a mean -------------------------------------------------------------


def contrarian():
    """Two people who fail alike, and a model that fails where they do not."""
    truth = pd.Series(0, index=pd.MultiIndex.from_product([["a", "b"], range(40)], names=["condition", "image"]))
    person = np.tile([0, 0, 0, 1], 20)
    answers = pd.DataFrame({"ann": person, "ben": person, "model": np.tile([1, 0, 0, 0], 20)}, index=truth.index)
    return make_responses(truth, answers, 2, ["human", "human", "model"])


def test_who_errs_against_people_keeps_the_sign():
    found = consistency_with_people([contrarian()], n_resamples=200)
    assert found.table.loc["model", "EC"] == pytest.approx(-1 / 3)
    assert found.table.loc["model", "high"] < 0
    assert (found.percentile_draws["model"] < 0).all()


def test_the_spread_over_conditions_is_no_error_of_a_score():
    table = klein2025.leaderboard()
    ranking = klein2025.ranking().query("models == 'sound'").set_index("system")
    assert table["EC"].to_numpy() == pytest.approx(ranking["EC"].loc[table["system"]].to_numpy(), abs=1e-12)
    assert (table["sd"] > 4 * table["half_width"]).all()
    assert (table["absolute"] >= table["EC"] - 1e-12).all()
    assert (table.loc[table["below_0"] > 0, "absolute"] > table.loc[table["below_0"] > 0, "EC"]).all()


def test_no_copy_is_ranked_twice():
    files = klein2025.model_files().set_index("system")["verdict"]
    ranked = klein2025.ranking().query("system != 'people'").groupby("models")["system"].agg(set)
    assert ranked["sound"] == set(files.index[files == "sound"])
    assert ranked["with models at chance"] - ranked["sound"] == set(files.index[files == "at chance"])
