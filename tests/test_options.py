"""Trials with options of their own, unread answers, fillers, several runs of one model."""

import json

import numpy as np
import pandas as pd
import pytest
from builders import typed
from textbook import agreement_by_options as by_hand

import erralign
from erralign import Responses, confidence_interval, misclassification_agreement, pairwise, pairwise_intervals
from erralign.measures import ResponseMatrix
from erralign.measures.measure import OF_POSITIONS
from erralign.sources.logs.answers import filler, warning_of

LETTERS = np.array([*"ABCDEFGHIJ", "na"], dtype=object)


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
    truth, answers, options = questions(np.random.default_rng(0), 300)
    mine = responses(truth, answers, options)
    table = pairwise_intervals(mine, ["EC", "MA"]).set_index(["system_a", "system_b"])
    for (a, b), row in table.iterrows():
        pair = truth, answers[a], answers[b]
        expected = by_hand(*pair, options)
        assert misclassification_agreement(*pair, n_options=options) == pytest.approx(expected, abs=1e-12)
        assert row["misclassification_agreement"] == pytest.approx(expected, abs=1e-12)
        alone = erralign.confidence_interval(*pair, "MA", n_options=options)
        limits = row[["misclassification_agreement_low", "misclassification_agreement_high"]]
        assert (alone.low, alone.high) == pytest.approx(tuple(limits), abs=1e-12)


def test_leaving_out_each_trial_is_leaving_it_out():
    truth, answers, options = questions(np.random.default_rng(1), 40)
    pairs = np.array([0, 1]), np.array([1, 2])
    matrix = ResponseMatrix(truth, np.stack([*answers.values()]), 10, pairs, options)
    found = erralign.MEASURES["MA"].leave_one_out(matrix)
    for i, kept in enumerate(~np.eye(len(truth), dtype=bool)):
        for pair, (a, b) in enumerate(("ab", "bc")):
            rest = (each[kept] for each in (truth, answers[a], answers[b], options))
            assert found.without[pair, i] == pytest.approx(by_hand(*rest), abs=1e-12)


def test_means_with_people_and_shared_material_take_options():
    truth, answers, options = questions(np.random.default_rng(2), 400, systems="abcd")
    index = pd.MultiIndex.from_product([["easy", "hard"], range(200)], names=["condition", "question"])
    given = {name: pd.Series(said, index) for name, said in answers.items()}
    kinds = dict(zip("abcd", ["human", "human", "model", "model"], strict=True))
    whole = Responses.from_table(pd.Series(truth, index), given, options=options, classes=range(10), kind=kinds)
    halves = [whole.select(trials=index.get_level_values(0) == each) for each in ("easy", "hard")]
    people = [pairwise(half, "MA", with_="c").set_index(["system_a", "system_b"]).iloc[:, -1] for half in halves]
    expected = np.mean([half.loc[[("a", "c"), ("b", "c")]].mean() for half in people])
    found = erralign.consistency_with_people(whole, "MA").table.loc["c"]
    assert found["misclassification_agreement"] == pytest.approx(expected, abs=1e-12)
    assert found["low"] < expected < found["high"]
    wider, alone = (pairwise_intervals(whole, "MA", clusters=each) for each in (np.arange(400) // 8, None))
    assert (np.ptp(wider.iloc[:, -3:-1], axis=1) >= np.ptp(alone.iloc[:, -3:-1], axis=1) - 1e-12).all()


# Numbers of joint errors, of options, and how often the wrong answers are the same beyond chance.
SETTINGS = [(8, (3, 4, 5), 0.0), (30, (4, 10), 0.2), (100, (3, 10), 0.5), (400, (3, 4, 10), 0.3), (100, (4,), 0.8)]


@pytest.mark.parametrize(("n", "choices", "agreement"), SETTINGS)
def test_limits_contain_the_true_value_as_often_as_they_should(n, choices, agreement):
    """How many joint errors there are is drawn, too; the agreement differs from trial to trial.

    With two options wrong answers must agree, so trials with two say nothing.
    """
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
    more = (np.append(each, [said] * 9) for each, said in zip(answers, (0, 1, 1), strict=True))
    two = confidence_interval(*more, "MA", n_classes=3, n_options=np.append(offered, [2] * 9))
    assert tuple(two) == pytest.approx((low, high))


def test_measures_that_compare_classes_over_trials_are_not_given():
    mine = responses(*questions(np.random.default_rng(4), 60))
    table = pairwise_intervals(mine, ["EC", "CLES", "WMA", "MA_blind"])
    assert table.filter(regex="(class|blind).*(agreement|similarity|low|high)$").isna().all(axis=None)
    assert set(table.attrs["methods"].values()) == {"dirichlet", OF_POSITIONS}


def test_options_are_matched_by_name_and_kept():
    truth = pd.Series(["A", "B", "D"], ["q1", "q2", "q3"])
    mine = Responses.from_table(truth, {"net": ["C", "na", "A"]}, options=pd.Series({"q3": 5, "q1": 4, "q2": 3}))
    assert mine.classes == tuple("ABCDE")
    assert mine.options.to_dict() == {"q1": 4, "q2": 3, "q3": 5}
    assert mine.select(trials=["q3", "q1"]).options.to_list() == [5, 4]
    assert mine.with_system("more", ["A", "C", "E"]).options.equals(mine.options)
    plain = Responses.from_table(truth, {"other": truth}, classes=mine.classes)
    assert plain.join(mine).options.equals(mine.options)
    other = Responses.from_table(truth[::-1], {"other": truth[::-1]}, options=[5, 4, 4])
    with pytest.raises(ValueError, match="trial 'q2' has 3 options in mine and 4 in mine: 1 of 3 trials differ"):
        mine.join(other)
    assert Responses.from_table([1, 2], {"net": [3, -1]}, options=[4, 3]).classes == ("1", "2", "3", "4")
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
        alone = pairwise(mine.select(systems=[a, b], trials=kept), ["EC", "MA"]).iloc[0, 3:].astype(float)
        np.testing.assert_allclose(table.loc[(a, b), alone.index].astype(float), alone, atol=1e-12)
        interval = erralign.confidence_interval(truth[kept], answers[a][kept], answers[b][kept])
        limits = table.loc[(a, b), ["error_consistency_low", "error_consistency_high"]].astype(float)
        np.testing.assert_allclose(limits, [interval.low, interval.high], atol=0.01)
    assert table.loc[("a", "silent"), ["accuracy_a", "error_consistency", "error_consistency_low"]].isna().all()
    read, clusters = answers["a"] >= 0, np.arange(300) // 10
    accuracies = erralign.accuracy_intervals(mine, unread="left out", clusters=clusters)
    part = mine.select(systems=["a"], trials=read)
    expected = erralign.accuracy_intervals(part, clusters=clusters[read]).loc["a"]
    np.testing.assert_allclose(accuracies.loc["a"], expected, rtol=0.001)
    assert accuracies.loc["silent", ["accuracy", "low"]].isna().all()
    whole = mine.select(systems=["a", "b"])
    part = whole.select(trials=(whole.answers >= 0).all(axis=1))
    together = pairwise_intervals(whole, "EC", unread="left out", clusters=clusters).iloc[0, -3:-1]
    alone = pairwise_intervals(part, "EC", clusters=clusters[part.truth.index]).iloc[0, -3:-1]
    assert tuple(together) == pytest.approx(tuple(alone), abs=0.02)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Write answers of two models to questions with four options, some of them missing."""
    monkeypatch.chdir(tmp_path)
    truth, answers, _ = questions(np.random.default_rng(7), 120, systems="ab", most=3)
    columns = {"question": range(120), "truth": LETTERS[truth]} | {f"net-{s}": LETTERS[x] for s, x in answers.items()}
    table = pd.DataFrame(columns).replace("na", "")
    table.to_csv("answers.csv", index=False)
    return answers


def test_the_command_line_shows_both_choices_and_both_forms_of_ma(file):
    assert "as options of questions do, give --options" in typed("compare", "answers.csv").stderr
    found = {}
    for unread in ("wrong", "left out"):
        how = ["compare", "answers.csv", "--options", "4", "--unread", unread]
        said = typed(*how)
        assert said.exit_code == 0
        assert "120 trials, 4 options, 2 systems of yours" in said.stdout
        assert "MA by letters" in said.stdout
        assert "MA blind" not in said.stdout
        assert "CLES: not given" in said.stderr
        assert "Trials offer 4 options" in said.stderr
        found[unread] = json.loads(typed(*how, "--json").stdout)
    (wrong,), (left_out,) = (found[unread]["pairs"] for unread in ("wrong", "left out"))
    assert wrong["EC"] == left_out["EC_unread_wrong"] != left_out["EC"] == wrong["EC_unread_left_out"]
    assert wrong["MA"] == left_out["MA"] != wrong["MA_margins"]
    systems = {each["system"]: each for each in found["wrong"]["systems"]}
    assert systems["net-a"]["n_unread"] == (file["a"] < 0).sum()
    assert systems["net-a"]["accuracy_unread_left_out"] == found["left out"]["systems"][0]["accuracy"]


def test_a_column_may_say_how_many_options_each_question_has(file):
    pd.read_csv("answers.csv").assign(choices=[3, 4, 5] * 40).to_csv("answers.csv", index=False)
    said = typed("compare", "answers.csv", "--options", "choices")
    assert "120 trials, 3 to 5 options, 2 systems of yours" in said.stdout


def test_a_filler_is_named():
    rng = np.random.default_rng(8)
    answers, unread = rng.integers(10, size=2000), rng.random(2000) < 0.1
    assert filler(answers, unread) is None
    filled = np.where(unread & (rng.random(2000) < 0.9), 6, answers)
    found = filler(filled, unread)
    shares = (filled[unread] == 6).mean(), (filled[~unread] == 6).mean()
    assert (found.option, found.share_unread, found.share_read) == (6, *shares)
    assert found.p < 1e-50
    assert "net has 'G' on 9" in warning_of("net", found, LETTERS)
    assert filler(np.where(unread, -1, answers), unread) is None
    assert filler(filled[unread][:4], unread[unread][:4]) is None
    with pytest.raises(TypeError, match="expected True or False"):
        filler(filled, np.flatnonzero(unread))


def test_chance_alone_rarely_looks_like_a_filler():
    rng = np.random.default_rng(9)
    said = [rng.choice(10, 1000, p=rng.dirichlet(np.full(10, 2.0))) for _ in range(300)]
    assert not any(filler(each, rng.random(1000) < 0.2) for each in said)
