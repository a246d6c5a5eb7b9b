"""Trials that share material: design effects, and what every interval and p-value makes of them."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, norm, t

import erralign
from erralign.inference.clusters import Clusters, _influence_of_trials, clusters_of
from erralign.inference.conditions import few_trials
from erralign.measures import ResponseMatrix, measure_of
from erralign.measures.matrix import wilson_interval
from erralign.responses import Responses

N, CLASSES = 240, 4


def answers_by_group(seed, n=N, n_groups=24, n_systems=4, depends=0.8):
    """Simulate systems that tend to be wrong on whole groups of trials, and say the same there."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % n_groups
    truth = rng.integers(0, CLASSES, n)
    hard = rng.random((n_systems, n_groups)) < 0.5
    favourite = rng.integers(1, CLASSES, n_groups)
    wrong = np.where(rng.random((n_systems, n)) < depends, hard[:, group], rng.random((n_systems, n)) < 0.3)
    step = np.where(rng.random((n_systems, n)) < depends, favourite[group], rng.integers(1, CLASSES, (n_systems, n)))
    return truth, np.where(wrong, (truth + step) % CLASSES, truth), group


def responses_by_group(seed, kinds=("human", "human", "model", "model"), **options):
    truth, answers, group = answers_by_group(seed, **options)
    index = pd.MultiIndex.from_arrays([group, np.arange(len(truth))], names=["photograph", "picture"])
    columns = pd.DataFrame(answers.T, index=index, columns=list("abcd"))
    kind = dict(zip(columns, kinds, strict=True))
    return Responses.from_table(pd.Series(truth, index=index), columns, classes=tuple("wxyz"), kind=kind)


TRUTH, (A, B, C, _), GROUP = answers_by_group(2)
RESPONSES = responses_by_group(2)


# --- influences and design effects ------------------------------------------------------------------------------------


def influence(measure, truth, a, b):
    return _influence_of_trials(measure_of(measure), ResponseMatrix(truth, np.stack([a, b]), CLASSES))


def test_errors_in_few_clusters_do_not_show_how_alike_their_trials_are():
    videos, wrong = np.repeat(np.arange(30), 20), np.isin(np.arange(600), [0, 20])  # two errors, in two of thirty
    assert Clusters((videos,)).effect(wrong - wrong.mean()) == pytest.approx((2 * 1.5 + 2 * 20) / 4, rel=0.1)


def test_the_effect_of_means_is_that_of_the_textbook(rng):
    """Cameron, Gelbach and Miller for one factor or two, each cluster left out, over that of independent trials."""
    first, second = np.sort(rng.integers(0, 15, N) * rng.integers(0, 2, N)), rng.integers(0, 12, N)
    influence = rng.standard_normal(15)[first] + rng.standard_normal(12)[second] + rng.standard_normal(N)
    influence -= influence.mean()
    squares = influence**2

    def variance(together):
        changes = influence / (1 - together.mean(axis=0))
        return np.outer(changes, changes)[together].sum()

    for factors in ([first], [first, second]):
        same = [np.equal.outer(factor, factor) for factor in factors]
        shared = sum(map(variance, same)) - (variance(same[0] & same[1]) if len(factors) == 2 else 0)
        *worth, single = (squares.sum() ** 2 / (squares @ each @ squares) for each in (*same, np.eye(N)))
        m = min(*worth, *(N**2 / each.sum() for each in same))
        wider = t.ppf(0.975, m - 1) / t.ppf(0.975, single - 1)
        expected = shared / (N / (N - 1) * squares.sum()) * wider**2 * m / (m - 1)
        assert Clusters(tuple(factors)).effect(influence) == pytest.approx(expected)


# --- every interval and p-value ---------------------------------------------------------------------------------------


def everything(responses, clusters):
    """Call all that takes clusters, and return the limits of each result."""
    truth, (a, b, c, _) = responses.truth, responses.answers.to_numpy().T
    drawn = {"n_resamples": 200, "clusters": clusters}
    found = {"accuracy": erralign.accuracy_intervals(responses, clusters=clusters)[["low", "high"]]}
    every = erralign.pairwise_intervals(responses, **drawn)
    for measure in ("EC", "MA", "CLES"):
        pair = erralign.confidence_interval(truth, a, b, measure, n_classes=4, **drawn)
        gap = erralign.difference_interval(truth, a, b, c, measure, n_classes=4, **drawn)
        gaps_of_all = erralign.pairwise_differences(responses, "a", measure, **drawn)
        found |= {f"{measure} of a pair": (pair.low, pair.high), f"{measure}, a difference": (gap.low, gap.high)}
        found |= {f"{measure} against a": gaps_of_all[["low", "high"]]}
        found |= {f"{measure} of all pairs": every[[f"{measure}_low", f"{measure}_high"]]}
    mean = erralign.consistency_with_people([responses], clusters=clusters)
    gap = mean.difference("c", "d")
    found |= {"mean": mean.table[["low", "high"]], "difference of means": (gap.low, gap.high)}
    p = erralign.significance.pairwise_p_values(responses, clusters=clusters)["p_value"]
    found["p"] = np.column_stack([-p, p])
    return {name: np.asarray(limits, dtype=float).reshape(-1, 2) for name, limits in found.items()}


def test_with_one_trial_each_clusters_change_no_bit():
    responses = responses_by_group(0)
    alone, shared = everything(responses, None), everything(responses, "picture")
    for name, limits in alone.items():
        np.testing.assert_array_equal(shared[name], limits, err_msg=name)


def test_shared_material_widens_every_interval_and_raises_every_p_value():
    alone, shared = everything(RESPONSES, None), everything(RESPONSES, "photograph")
    wider = []
    for name, limits in alone.items():
        assert (shared[name][:, 0] <= limits[:, 0]).all(), name
        assert (shared[name][:, 1] >= limits[:, 1]).all(), name
        wider.append((np.diff(shared[name]) > 1.05 * np.diff(limits)).any())
    # Agreement of one pair, and differences of it, may happen not to go by the photograph.
    assert sum(wider) >= len(wider) - 3


def test_four_counts_take_the_effect_that_answers_have():
    effect, table = erralign.design_effect(TRUTH, A, B, clusters=GROUP), pd.crosstab(A == TRUTH, B == TRUTH).to_numpy()
    shared = erralign.confidence_interval(TRUTH, A, B, clusters=GROUP)
    assert erralign.inference.error_consistency_limits(table, design_effect=effect) == (shared.low, shared.high)
    p = erralign.significance.pairwise_p_values(RESPONSES, clusters="photograph")["p_value"].iloc[0]
    assert erralign.p_value(table, design_effect=effect) == pytest.approx(p, rel=1e-12)
    assert erralign.p_value_from_answers(TRUTH, A, B, clusters=GROUP) == pytest.approx(p, rel=1e-12)


def test_a_difference_is_as_wide_as_clusters_move_it():
    def gap(kept):
        two = (erralign.error_consistency(TRUTH[kept], each[kept], C[kept]) for each in (A, B))
        return np.array([np.subtract(*two)])

    shared, moved = Clusters((GROUP,)), np.subtract(*(influence("EC", TRUTH, each, C) for each in (A, B)))
    effect = shared.effect(moved, shared.changes(gap), 0.95)
    alone, wider = (erralign.difference_interval(TRUTH, A, B, C, clusters=by) for by in (None, GROUP))
    assert wider.high - wider.estimate == pytest.approx(np.sqrt(effect) * (alone.high - alone.estimate))


def test_limits_of_a_difference_stay_in_their_range():
    group = np.repeat(np.arange(20), 2)
    c = group % 2
    nearly, opposite = np.where(group == 0, 1 - c, c), np.where(group == 3, c, 1 - c)
    found = erralign.difference_interval(np.zeros(40, int), nearly, opposite, c, clusters=group)
    assert found.high == 2  # which a difference of two values from -1 to 1 may be


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_variances_of_means_are_those_of_leaving_out_each_cluster(level):
    responses = responses_by_group(4, kinds=("human", "human", "human", "model"))
    truth, (*people, model) = responses.truth.to_numpy(), responses.answers.to_numpy().T
    moves = np.mean([influence("EC", truth, model, each) for each in people], axis=0)
    group = responses.truth.index.get_level_values("photograph").to_numpy()
    parts = (group != cluster for cluster in range(-1, 24))
    consistencies = ([erralign.error_consistency(truth[i], model[i], each[i]) for each in people] for i in parts)
    whole, *without = map(np.mean, consistencies)
    wider = (Clusters((group,)).widening(moves[:, None], level) * few_trials(moves[:, None], level))[0]
    expected = np.square(np.subtract(without, whole)).sum() * wider**2 * (N - 1) / N
    found = erralign.consistency_with_people([responses], clusters=[group], level=level)
    assert found.covariance.loc["d", "d"] == pytest.approx(expected, rel=1e-9)


def test_material_may_be_shared_over_conditions_and_data_sets():
    one = responses_by_group(5)
    half = np.where(np.arange(N) < N // 2, "plain", "noisy")
    index = pd.MultiIndex.from_frame(one.truth.index.to_frame().assign(condition=half))
    both = Responses("two", one.truth.set_axis(index), one.answers.set_axis(index), one.classes, one.systems)
    parts = [both.select(trials=half == name) for name in ("plain", "noisy")]
    shuffled = both.select(trials=index[np.random.default_rng(0).permutation(N)])
    ways = ([both], "photograph"), (parts, "photograph"), ([shuffled], ["photograph"])
    within, across, mixed = (erralign.consistency_with_people(one, clusters=by).covariance for one, by in ways)
    np.testing.assert_allclose(across, within, rtol=1e-9)
    np.testing.assert_allclose(mixed, within, rtol=1e-9)


def test_accuracies_have_wilsons_limits_of_fewer_trials():
    right, photographs = (RESPONSES.answers["a"] == RESPONSES.truth).to_numpy(float), RESPONSES.truth.index.droplevel(1)
    for level in (0.95, 0.8):
        effect = Clusters((photographs.to_numpy(),)).effect(right - right.mean(), level=level)
        found = erralign.accuracy_intervals(RESPONSES, level=level, clusters="photograph").loc["a", ["low", "high"]]
        expected = wilson_interval(right.mean(), N / effect, level)
        assert (found["low"], found["high"]) == pytest.approx(expected, abs=1e-12)


# --- what says who shares what ----------------------------------------------------------------------------------------


def test_labels_come_in_many_forms():
    responses = responses_by_group(6)
    truth, index = responses.truth, responses.truth.index
    group = pd.Series(index.get_level_values("photograph"), index=index)
    plain = group.tolist(), pd.Index(group), index.droplevel("picture")
    forms = group, group.sample(frac=1, random_state=0), group.to_frame(), *plain, "photograph", ["photograph"]
    crossed = [[group, index.get_level_values("picture") % 11], group.to_frame("a").assign(b=np.arange(N) % 11)]
    for same in (forms, crossed):
        found = [clusters_of(form, truth).effect(np.arange(N) - (N - 1) / 2) for form in same]
        assert found == pytest.approx([found[0]] * len(same))


# --- tests by permutation ---------------------------------------------------------------------------------------------


def test_agreement_by_shared_answers_is_no_surprise_within_a_group():
    truth, (a, b, *_), group = answers_by_group(3)
    alone, shared = (
        erralign.significance.misclassification_agreement_test(truth, a, b, clusters=by) for by in (None, group)
    )
    assert shared.pvalue > alone.pvalue
    assert (shared.statistic, shared.null) == (alone.statistic, alone.null)
    each = erralign.significance.misclassification_agreement_test(truth, a, b, clusters=np.arange(N))
    assert each.pvalue == alone.pvalue


def of_ten_classes(rng, accuracies=(0.95, 0.93), of_each=128, spread=0.0):
    """Draw two systems whose wrong answers match with probability 0.4, more or less by class, on ten classes."""
    truth = np.repeat(np.arange(10), of_each)
    hard = np.sqrt(0.4) * rng.normal(size=len(truth)) + np.sqrt(0.6) * rng.normal(size=(2, len(truth)))
    alike = rng.random(len(truth)) < (0.4 + spread * rng.choice([-1, 1], size=10))[truth]
    said = (truth + rng.integers(1, 10, size=(2, len(truth)))) % 10
    said[1, alike] = said[0, alike]
    return truth, *np.where(hard > norm.ppf(accuracies)[:, None], said, truth)


def test_to_agreement_a_class_is_as_many_trials_as_joint_errors(rng):
    """With ten classes and a dozen joint errors, intervals were up to three times as wide as without clusters."""
    for _ in range(20):
        truth, a, b = of_ten_classes(rng)
        alone, shared = (erralign.confidence_interval(truth, a, b, "MA", clusters=by) for by in (None, truth))
        assert shared.high - shared.low < 2.5 * (alone.high - alone.low)
        matrix = ResponseMatrix(truth, np.stack([a, b]), 10)
        counted = _influence_of_trials(measure_of("MA"), matrix) != 0
        np.testing.assert_array_equal(counted, (a != truth) & (b != truth))


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0, 0.25])
def test_agreement_by_ten_classes_holds_the_truth(spread, rng):
    held = []
    for _ in range(300):
        truth, a, b = of_ten_classes(rng, (0.7, 0.6), spread=spread)
        found = erralign.confidence_interval(truth, a, b, "MA", clusters=truth)
        held.append(found.low <= 0.4 <= found.high)
    assert binomtest(sum(held), 300, 0.95, alternative="less").pvalue > 0.001
