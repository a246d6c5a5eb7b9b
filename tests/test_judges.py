"""Judges: labels in the form of TREC, what a panel is worth, a key that is wrong, and a vote."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from builders import typed
from scipy.stats import norm
from test_diversity import of_wrongs, wrongs
from textbook import jackknife_error

import erralign
from erralign import plot
from erralign.diversity import vote
from erralign_book.papers import judges
from erralign_book.papers.judges import independent, weighted_kappa
from erralign_book.simulations.coverage.panels import _truths
from erralign_book.simulations.coverage.single_pairs import _agreement_limits
from erralign_book.simulations.coverage.worlds import held

RNG = np.random.default_rng(0)


@pytest.mark.slow
def test_one_command_says_what_a_panel_is_worth_by_query(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    true = RNG.integers(3, size=60)
    given = {f"labels/{name}.txt": np.where(RNG.random(60) < 0.6, true, RNG.integers(3, size=60)) for name in "abcd"}
    Path("labels").mkdir()
    for file, grades in {"qrels.txt": true, **given}.items():
        Path(file).write_text("\n".join(f"q{i // 10} 0 d{i} {grade}" for i, grade in enumerate(grades)))
    said = typed("compare", "labels", "--truth", "qrels.txt", "--panel", "--report", "report.html")
    assert said.exit_code == 0, said.output
    panel = erralign.read_answers("labels", columns={"truth": "qrels.txt"})
    found = erralign.effective_number(panel, clusters="query")
    assert f"4 systems are worth {found.estimate:.2f} ({found.low:.2f} to {found.high:.2f}) independent" in said.output
    voted = vote(panel, clusters="query")
    expected = plot.number(100 * (voted["if_independent"] - voted["best"]), 1)
    assert re.search(rf"vote less best, % .* {expected}\n", said.output)
    assert "Labels of one query are not independent" in said.output
    assert "What are they worth together?" in Path("report.html").read_text()
    of_two = typed("compare", "labels/a.txt", "labels/b.txt", "--truth", "qrels.txt", "--panel")
    assert "panel is for at least 3 systems" in of_two.output


# --- votes ------------------------------------------------------------------------------------------------------------


def test_a_vote_is_compared_with_the_best_elsewhere_and_with_independent_systems():
    wrong = wrongs(np.random.default_rng(0), 400)
    found = vote(of_wrongs(wrong))
    majority = wrong.sum(axis=1) < 2
    assert found["accuracy"] == pytest.approx(majority.mean())
    assert found["gain"] == pytest.approx(majority.mean() - (1 - wrong[:, 0]).mean())  # the first is far ahead
    p = 1 - wrong.mean(axis=0)
    alone = sum(np.prod(np.where(r, p, 1 - p)) for r in product((0, 1), repeat=3) if sum(r) > 1)
    assert found["if_independent"] == pytest.approx(alone, abs=0.01)


def test_limits_of_a_gain_choose_the_best_system_anew_without_each_trial():
    wrong = wrongs(np.random.default_rng(1), 240)

    def gain(kept):
        return (wrong[kept].sum(axis=1) < 2).mean() - (1 - wrong[kept]).mean(axis=0).max()

    found, trials, (_, half) = vote(of_wrongs(wrong)), np.arange(240), jackknife_error(gain, 240)
    assert found["gain"] == pytest.approx(gain(trials))
    assert found["gain_high"] - found["gain"] == pytest.approx(half)
    together = vote(of_wrongs(np.repeat(wrong, 5, axis=0)), clusters=np.repeat(trials, 5))
    assert together["gain_high"] == pytest.approx(found["gain_high"], rel=0.05)


def test_the_vote_of_independent_judges_is_exact():
    rng = np.random.default_rng(2)
    given, truth = rng.integers(4, size=(50, 3)), rng.integers(4, size=50)
    expected = 0.0
    for grade in range(4):
        habits = np.array([[(given[truth == grade, j] == g).mean() for g in range(4)] for j in range(3)])
        for said in product(range(4), repeat=3):
            times = np.bincount(said, minlength=4)
            right = (times[grade] == times.max()) / (times == times.max()).sum()
            expected += (truth == grade).mean() * right * np.prod(habits[range(3), said])
    assert independent(given, truth) == pytest.approx(expected)


# --- the key ----------------------------------------------------------------------------------------------------------


def test_what_is_seen_beside_a_wrong_key_is_turned_round():
    rng = np.random.default_rng(1)
    truth, hard = rng.integers(4, size=200_000), rng.standard_normal(200_000)
    other = (truth[:, None] + rng.integers(1, 4, (len(truth), 4))) % 4
    right = 0.6 * hard[:, None] + 0.8 * rng.standard_normal((len(truth), 4)) < [0.3, 0, 0.6, 0.2]
    given = np.where(right, truth[:, None], other)
    key = np.where(rng.random(len(truth)) < 0.7, truth, (truth + rng.integers(1, 4, len(truth))) % 4)
    beside_truth, seen = (judges.Seen.of(given, given == by[:, None], 4) for by in (truth, key))
    assert beside_truth.number(1) == pytest.approx(judges.number(~right))
    assert seen.number(1) < 2.1
    assert seen.number(0.7) == pytest.approx(beside_truth.number(1), abs=0.03)
    independent = np.where(rng.random(given.shape) < 0.6, truth[:, None], other)
    seen = judges.Seen.of(independent, independent == key[:, None], 4)
    assert seen.vanishing() == pytest.approx(0.7, abs=0.01)
    assert 0.65 < seen.least < 0.71  # where four agree they are nearly always right, and the key is right as anywhere


def test_weighted_kappa_is_that_of_quadratic_weights():
    from sklearn.metrics import cohen_kappa_score

    a, b = np.random.default_rng(3).integers(4, size=(2, 80))
    assert weighted_kappa(a, b) == pytest.approx(cohen_kappa_score(a, b, weights="quadratic"))


# --- counts, and what simulations take for true -----------------------------------------------------------------------


def test_a_grade_that_is_off_by_one_counts_as_right_and_none_does_not(monkeypatch):
    grades = erralign.Responses.from_table([0, 0, 1, 2], {"a": [-1, 1, 3, 2], "b": [2, 0, 0, -1]}, classes=range(4))
    monkeypatch.setattr(judges, "judges", lambda: grades)
    assert judges.within(1).answers.to_dict("list") == {"a": [-1, 0, 3, 2], "b": [2, 0, 1, -1]}


def test_what_a_simulation_takes_for_true_is_found_by_drawing():
    rates, shared = np.linspace(0.2, 0.5, 9), 0.5
    hard, own = RNG.standard_normal((200_000, 1)), RNG.standard_normal((200_000, 9))
    wrong = np.sqrt(shared) * hard + np.sqrt(1 - shared) * own < norm.ppf(rates)
    number, gain = _truths(rates, shared)
    assert gain == pytest.approx((wrong.sum(axis=1) < 5).mean() - 0.8, abs=0.005)
    assert number == pytest.approx(9 * wrong.var(axis=0).sum() / wrong.sum(axis=1).var(), rel=0.02)


def test_two_simulated_systems_agree_as_often_as_is_taken_for_true():
    for ma in (0.1, 0.4):
        low, high = _agreement_limits(np.full(16, 1 / 16), ma, 40_000, RNG)
        assert (low + high) / 2 == pytest.approx(ma, abs=0.01)


def test_limits_hold_what_lies_between_them_and_undefined_ones_are_left_out():
    limits = np.array([[0, 0.4], [0.5, 0.9], [0.6, 0.9], [np.nan, np.nan]])
    assert held(limits, 0.5) == {"coverage": 1 / 3, "width": pytest.approx(1.1 / 3), "undefined": 0.25}
