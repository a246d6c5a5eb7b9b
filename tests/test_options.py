"""MA where trials have options of their own; unread answers."""

import json

import numpy as np
import pandas as pd
import pytest
from builders import mixed_systems, typed
from scipy.stats import binomtest
from textbook import agreement_by_options as by_hand

import erralign
from erralign import Responses, confidence_interval, misclassification_agreement, pairwise_intervals
from erralign import within_class_misclassification_agreement as agreement
from erralign.measures import ResponseMatrix
from erralign.measures.measure import _NOT_GIVEN, _OF_POSITIONS


def questions(rng, n, *, systems="abc", most=10, unread=0.1, copied=0.3):
    """Draw questions with two to ten options each, and systems that now and then repeat the first one's answer."""
    options = rng.integers(2, most + 1, n)
    truth = rng.integers(options)
    answers = {}
    for name in systems:
        said = np.where(rng.random(n) < 0.4, truth, rng.integers(options))
        said = np.where(rng.random(n) < copied, answers.get("a", said), said)
        answers[name] = np.where(rng.random(n) < unread, -1, said)
    return truth, answers, options


def responses(truth, answers, options):
    return Responses.from_table(truth, answers, options=options, classes=range(10))


def test_all_roads_give_ma_by_options():
    """Trials with two options say nothing: wrong answers to them must agree."""
    truth, answers, options = questions(np.random.default_rng(0), 300)
    table = pairwise_intervals(responses(truth, answers, options), ["EC", "MA"])
    for (a, b), row in table.set_index(["system_a", "system_b"]).iterrows():
        pair = truth, answers[a], answers[b]
        expected = by_hand(*pair, options)
        assert misclassification_agreement(*pair, n_options=options) == pytest.approx(expected, abs=1e-12)
        alone = erralign.confidence_interval(*pair, "MA", n_options=options)
        assert (row["MA"], *row[["MA_low", "MA_high"]]) == pytest.approx((expected, alone.low, alone.high), abs=1e-12)


def test_leaving_out_each_trial_is_leaving_it_out():
    truth, answers, options = questions(np.random.default_rng(1), 40)
    pairs = np.array([0, 1]), np.array([1, 2])
    matrix = ResponseMatrix(truth, np.stack([*answers.values()]), 10, pairs, options)
    found = erralign.MEASURES["MA"].leave_one_out(matrix)
    for i, kept in enumerate(~np.eye(len(truth), dtype=bool)):
        for pair, (a, b) in enumerate(("ab", "bc")):
            rest = (each[kept] for each in (truth, answers[a], answers[b], options))
            assert found.without[pair, i] == pytest.approx(by_hand(*rest), abs=1e-12)


def test_means_with_people_take_options():
    truth, answers, options = questions(np.random.default_rng(2), 400, systems="abcd")
    kinds = dict(zip("abcd", ["human", "human", "model", "model"], strict=True))
    mine = Responses.from_table(truth, answers, options=options, classes=range(10), kind=kinds)
    expected = np.mean([by_hand(truth, answers["c"], answers[person], options) for person in "ab"])
    found = erralign.consistency_with_people(mine, "MA").table.loc["c"]
    assert found["MA"] == pytest.approx(expected, abs=1e-12)
    assert found["low"] < expected < found["high"]


# Numbers of joint errors, of options, and how often the wrong answers are the same beyond chance.
SETTINGS = [(8, (3, 4, 5), 0.0), (30, (4, 10), 0.2), (400, (3, 4, 10), 0.3), (100, (4,), 0.8)]


@pytest.mark.parametrize(("n", "choices", "agreement"), SETTINGS)
def test_limits_contain_the_true_value_as_often_as_they_should(n, choices, agreement):
    """How many joint errors there are is drawn, too; the agreement differs from trial to trial."""
    rng, inside, sets = np.random.default_rng(n), 0, 2000
    for _ in range(sets):
        offered = rng.choice(choices, rng.binomial(2 * n, 0.5))
        chance = 1 / (offered - 1)
        own = np.clip(2 * agreement * rng.random(len(chance)), 0, 1) if agreement <= 0.5 else agreement
        same = rng.random(len(chance)) < chance + (1 - chance) * own
        answers = np.zeros(len(same), dtype=int), np.ones(len(same), dtype=int), np.where(same, 1, 2)
        low, high, *_ = confidence_interval(*answers, "MA", n_classes=3, n_options=offered)
        inside += low <= agreement <= high
    assert 0.93 <= inside / sets <= 0.975


def test_the_interval_of_many_errors_is_as_wide_as_their_jackknife_says():
    """What an error adds to chance counts, since trials with few options are those on which two agree."""
    rng = np.random.default_rng(5)
    chance = 1 / (rng.choice([3, 4, 10], 4000) - 1)
    same = rng.random(4000) < chance
    answers = np.zeros(4000, dtype=int), np.ones(4000, dtype=int), np.where(same, 1, 2)
    low, high, *_ = confidence_interval(*answers, "MA", n_classes=3, n_options=1 + 1 / chance)
    without = ((same - chance).sum() - (same - chance)) / ((1 - chance).sum() - (1 - chance))
    assert (high - low) / (2 * 1.959964) == pytest.approx(np.sqrt(3999) * without.std(), rel=0.01)


def test_measures_that_compare_classes_over_trials_are_not_given():
    mine = responses(*questions(np.random.default_rng(4), 60))
    table = pairwise_intervals(mine, ["EC", "CLES", "WMA", "MA_blind"])
    assert table.filter(regex="(class|blind).*(agreement|similarity|low|high)$").isna().all(axis=None)
    assert set(table.attrs["methods"].values()) == {"dirichlet", _OF_POSITIONS}


def test_options_are_matched_by_name_and_kept():
    truth = pd.Series(["A", "B", "D"], ["q1", "q2", "q3"])
    answers = {"net": pd.Series(["C", "na", "A"], truth.index)}
    mine = Responses.from_table(truth, answers, options=pd.Series({"q3": 5, "q1": 4, "q2": 3}))
    assert mine.classes == tuple("ABCDE")
    assert mine.options.to_dict() == {"q1": 4, "q2": 3, "q3": 5}
    assert mine.select(trials=["q3", "q1"]).options.to_list() == [5, 4]
    plain = Responses.from_table(truth, {"other": truth}, classes=mine.classes)
    assert plain.join(mine).options.equals(mine.options)
    other = Responses.from_table(truth[::-1], {"other": truth[::-1]}, options=[5, 4, 4])
    with pytest.raises(ValueError, match="trial 'q2' has 3 options in mine and 4 in mine: 1 of 3 trials differ"):
        mine.join(other)
    given = [pd.Series(each, [2, 1]) for each in ([0, 0], [1, 3], [2, 3], [3, 4])]
    one = misclassification_agreement(given[0][::-1], *given[1:3], n_options=given[3])
    assert one == pytest.approx(by_hand(*(each.to_numpy() for each in given)))


def test_unread_answers_are_left_out_pair_by_pair():
    truth, answers, options = questions(np.random.default_rng(5), 300, unread=0.2)
    answers["silent"] = np.full(300, -1)
    mine = responses(truth, answers, options)
    table = pairwise_intervals(mine, ["EC", "MA"], unread="left out").set_index(["system_a", "system_b"])
    for a, b in (("a", "b"), ("b", "c")):
        kept = (answers[a] >= 0) & (answers[b] >= 0)
        alone = pairwise_intervals(mine.select(systems=[a, b], trials=kept), ["EC", "MA"]).iloc[0, 3:].astype(float)
        np.testing.assert_allclose(table.loc[(a, b), alone.index].astype(float), alone, atol=0.01)
    assert table.loc[("a", "silent"), ["accuracy_a", "EC", "EC_low"]].isna().all()
    read, clusters = answers["a"] >= 0, np.arange(300) // 10
    accuracies = erralign.accuracy_intervals(mine, unread="left out", clusters=clusters)
    part = mine.select(systems=["a"], trials=read)
    expected = erralign.accuracy_intervals(part, clusters=clusters[read]).loc["a"]
    np.testing.assert_allclose(accuracies.loc["a"], expected, rtol=0.001)
    assert accuracies.loc["silent", ["accuracy", "low"]].isna().all()


def test_the_command_line_shows_both_choices_and_both_forms_of_ma(here):
    truth, answers, _ = questions(np.random.default_rng(7), 120, systems="ab", most=3)
    letters = np.array([*"ABC", ""])
    columns = {"image": range(120), "truth": letters[truth]} | {f"net-{s}": letters[x] for s, x in answers.items()}
    pd.DataFrame(columns).to_csv("answers.csv", index=False)
    assert "as options of questions do, give --options" in typed("compare", "answers.csv").stderr
    how = ["compare", "answers.csv", "--options", "4", "--json", "--unread"]
    wrong, left_out = (json.loads(typed(*how, unread).stdout) for unread in ("wrong", "left out"))
    (pair,), (pair_left_out,) = wrong["pairs"], left_out["pairs"]
    assert pair["EC"] == pair_left_out["EC_unread_wrong"] != pair_left_out["EC"] == pair["EC_unread_left_out"]
    assert pair["MA"] == pair_left_out["MA"] != pair["MA_margins"]
    system = wrong["systems"][0]
    assert system["n_unread"] == (answers["a"] < 0).sum()
    assert system["accuracy_unread_left_out"] == left_out["systems"][0]["accuracy"]


# --- the blind value, and the form of MA whose zero is chance ---------------------------------------------------------


def habits(rng, n_classes):
    """Draw how often each wrong class is said in each true class; rows sum to one."""
    rows = rng.gamma(1.0, size=(n_classes, n_classes)) * ~np.eye(n_classes, dtype=bool)
    return rows / rows.sum(axis=1, keepdims=True)


def said(rng, truth, accuracy, rows):
    """Answer each trial by one's accuracy in its class and one's habits, and by nothing else."""
    wrong = (rng.random(len(truth))[:, None] > rows.cumsum(axis=1)[truth, :-1]).sum(axis=1)
    return np.where(rng.random(len(truth)) < accuracy[truth], truth, wrong)


def world(rng, n_classes, n):
    """Draw two systems that nothing but the true class links, with unequal margins, accuracies and habits."""
    truth = rng.choice(n_classes, size=n, p=rng.dirichlet(np.full(n_classes, 5.0)))
    return truth, *(said(rng, truth, rng.uniform(0.2, 0.8, n_classes), habits(rng, n_classes)) for _ in "ab")


def test_the_blind_value_is_the_mean_under_shuffles_within_classes_and_the_three_hang_together():
    """The test's null keeps each error's agreement with itself, which matters little with many errors per class."""
    truth, a, b = world(np.random.default_rng(3), 4, 4000)
    b = np.where(np.random.default_rng(4).random(len(truth)) < 0.3, a, b)
    ma, blind = misclassification_agreement(truth, a, b), erralign.blind_misclassification_agreement(truth, a, b)
    null = erralign.significance.misclassification_agreement_test(truth, a, b, n_permutations=99).null
    assert blind == pytest.approx(null, abs=0.002)
    assert agreement(truth, a, b) == pytest.approx((ma - blind) / (1 - blind), abs=1e-12)
    assert ma - blind > 0.1


def test_chance_compares_each_error_with_the_others_of_its_class():
    """The formula, word by word: J errors, each with the n - 1 others of its class."""
    for seed in range(5):
        truth, a, b = world(np.random.default_rng(seed), 4, 40)
        every = [i for i in range(40) if truth[i] not in (a[i], b[i])]
        others = {i: [j for j in every if j != i and truth[j] == truth[i]] for i in every}
        joint = [i for i in every if others[i]]
        same = sum(a[i] == b[i] for i in joint) / len(joint)
        chance = sum(sum(a[j] == b[i] for j in others[i]) / len(others[i]) for i in joint) / len(joint)
        assert agreement(truth, a, b) == pytest.approx((same - chance) / (1 - chance), abs=1e-12)


def test_undefined_without_two_joint_errors_of_a_class_or_without_a_choice():
    for truth, said in (([0, 1], [0, 1]), ([0, 1, 2], [1, 2, 0]), ([0, 0, 1, 1], [1, 1, 0, 0])):
        assert np.isnan(agreement(truth, said, said))
        assert agreement(truth, said, said, replace_undefined_by=7) == 7
    assert agreement([0, 0, 1], [1, 2, 2], [1, 2, 0]) == 1  # the third is alone in its class


def test_chance_may_be_above_what_few_errors_show_of_it():
    """Where no answers agree, the lower limit is that of chance: Wilson's, of the pairs of errors of a class."""
    for a, b, alike in (([1, 2], [3, 4], 0), ([1, 1, 2, 2], [2, 2, 1, 1], 8)):
        n, pairs = len(a), len(a) * (len(a) - 1)
        chance, most = alike / pairs, binomtest(alike, pairs).proportion_ci(method="wilson").high
        found, room = erralign.confidence_interval([0] * n, a, b, "WMA"), 1 - chance
        assert found.estimate == pytest.approx(-chance / room)
        assert found.estimate - found.low == pytest.approx((n + 1) / (n + 2) * (most - chance) / room**2)


@pytest.mark.slow
def test_nineteen_of_twenty_intervals_contain_the_true_value(rng):
    """With so many classes that a joint error has one or two others of its class."""
    n_classes, n, copied = 100, 250, 0.3
    of_a, of_b = habits(rng, n_classes), habits(rng, n_classes)
    shares, never = rng.dirichlet(np.full(n_classes, 5.0)), np.zeros(n_classes)
    chance = shares @ (of_a * (copied * of_a + (1 - copied) * of_b)).sum(axis=1)
    same = shares @ (copied + (1 - copied) * (of_a * of_b).sum(axis=1))
    true, held = (same - chance) / (1 - chance), 0
    for _ in range(400):
        truth = rng.choice(n_classes, size=n, p=shares)
        a, own = said(rng, truth, never, of_a), said(rng, truth, never, of_b)
        b = np.where(rng.random(n) < copied, a, own)
        found = erralign.confidence_interval(truth, a, b, "WMA", n_classes=n_classes)
        held += found.low <= true <= found.high
    assert binomtest(held, 400, 0.95).pvalue > 0.01


# --- two classes ------------------------------------------------------------------------------------------------------


def test_with_two_classes_ma_and_cles_are_not_given_and_the_reason_is(tmp_path):
    responses = mixed_systems(1, n_systems=3, n_classes=2)
    table = erralign.pairwise_intervals(responses, n_resamples=100)
    assert table.filter(regex="(agreement|similarity)(_low|_high)?$").isna().all(axis=None)
    assert [*table.attrs["methods"].values()] == ["dirichlet", _NOT_GIVEN, _NOT_GIVEN]
    names = responses.answers.replace({0: "wrong", 1: "right"}).assign(truth="right")
    names.iloc[:, [-1, 0, 1, 2]].rename_axis("trial").to_csv(tmp_path / "right.csv")
    found = json.loads(typed("compare", tmp_path / "right.csv", "--json").stdout)
    assert not {"MA", "MA_blind", "CLES"} & found["pairs"][0].keys()
    assert f"MA and CLES: {_NOT_GIVEN}." in found["notes"]
