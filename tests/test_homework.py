"""Homework: each student has numbers of their own, whose right answers and misconceptions are computed anew."""

import numpy as np
import pytest
from test_checks import said
from textbook import kappa, textbook_ec

from erralign_book.course import homework
from erralign_book.course.checking import at_home, general
from erralign_book.course.tasks import TASKS, answers, given

RNG = np.random.default_rng(5)


# Exercise -> the answer, made by another road than the package's own.
BY_HAND = {
    "ec-3": lambda g: [kappa([g["wrong"], g["b"], g["a"], g["both"] + n]) for n in (0, g["easy"])],
    "against-2": lambda g: simulated_noise(g["noise"] / 100, g["mistaken"] / 100),
    "hard-2": lambda g: np.cov(g["accuracies"], bias=True) / (np.mean(g["accuracies"]) * np.mean(1 - g["accuracies"])),
    "taught-2": lambda g: both_wrong(g["p"] / 100, g["second"]),
}


def simulated_noise(noise, mistaken, n=400_000):
    rng = np.random.default_rng(0)
    easy = rng.random(n) < 0.5
    ann, ben, net = (easy ^ (rng.random(n) < share) for share in (noise, noise, mistaken))
    return [textbook_ec(True, ann, ben), textbook_ec(True, ann, net)]


def both_wrong(p, ec):
    """Search for the share of joint errors that gives an EC."""
    joint = np.linspace(0, 1 - p, 10_001)
    chance = p**2 + (1 - p) ** 2
    values = (2 * p - 1 + 2 * joint - chance) / (1 - chance)
    return [joint[np.argmin(np.abs(values - wanted))] for wanted in (1, ec)]


@pytest.mark.parametrize("exercise", [name for name, task in TASKS.items() if task.known])
def test_numbers_of_ones_own_have_a_right_answer_and_every_misconception_its_name(exercise):
    asked = []
    for student in (f"p-{number}" for number in range(25)):
        known = answers(exercise, student)
        asked.append(str(given(exercise, student)))
        for name, value in known.items():
            alternatives = value if isinstance(value, tuple) else [value]
            assert {said(exercise, each, student) for each in alternatives} == {name}
        if exercise in BY_HAND:
            assert said(exercise, BY_HAND[exercise](given(exercise, student)), student) == "right", asked[-1]
    assert len(set(asked)) > 15
    assert set(known) - {"right"} <= set(at_home()[exercise]["traps"]) | set(general()["traps"])
    assert said(exercise, 98765.4321, student) != "form"  # a wrong answer that nobody expected


def test_what_a_student_makes_is_judged_by_its_numbers():
    """Tables for a wanted MA and EC, one answer changed, lists of shuffles: right, and as students get them wrong."""
    wanted = given("ma-1", "ann")["less"]
    cycle = np.roll(np.eye(wanted + 1, dtype=int), 1, axis=1)
    assert said("ma-1", cycle, "ann") == "right"
    assert said("ma-1", cycle + np.eye(wanted + 1), "ann") == "alike"
    g = given("ma-3", "ann")
    changed = {name: g["twin"].copy() for name in ("right", "outcome")}
    wrong = np.flatnonzero(g["twin"] != g["truth"])[0]
    changed["right"][wrong] = 3 - g["twin"][wrong] - g["truth"][wrong]
    changed["outcome"][wrong] = g["truth"][wrong]
    assert {name: said("ma-3", each, "ann") for name, each in changed.items()} == {name: name for name in changed}
    assert said("ma-3", g["twin"], "ann") == "unchanged"
    n, k = (given("ec-2", "ann")[name] for name in ("n", "wrong"))
    shuffled = [textbook_ec(True, np.arange(n) >= k, RNG.permutation(n) >= k) for _ in range(1000)]
    assert said("ec-2", shuffled, "ann") == said("ec-2", np.round(shuffled, 2), "ann") == "right"
    assert said("ec-2", [0.5, 0.7] * 500, "ann") == "number"


@pytest.mark.parametrize(("ec", "ma"), [(0.2, 0.9), (0.3, 0.7)])
def test_two_tables_for_an_ec_and_an_ma_belong_together(ec, ma):
    student = next(f"p-{n}" for n in range(99) if given("ma-2", f"p-{n}") == {"ec": ec, "ma": ma})
    tables = {n: [[n, 400 - n], [400 - n, 1200 + n]] for n in range(1, 400)}
    best = min(tables, key=lambda n: abs(kappa(np.ravel(tables[n])) - ec))
    table = [[best, 400 - best], [400 - best, 1200 + best]]
    same = round(best * (1 - (1 - ma) * 2 / 3) / 3)  # of three answers
    rest = best - 3 * same
    matrix = [[same, rest // 3, 0], [0, same, rest // 3], [rest - 2 * (rest // 3), 0, same]]
    assert said("ma-2", (table, matrix), student) == "right"
    assert said("ma-2", ([[best, 9], [9, 9]], matrix), student) == "ec"
    assert said("ma-2", (table, [[1, 0], [0, 1]]), student) == "joint"
    assert said("ma-2", [1, 2, 3], student) == "form"


def test_two_values_may_be_a_row_or_a_column_of_a_table():
    two = BY_HAND["ec-3"](given("ec-3", "ann"))
    forms = (tuple(two), [two], [[each] for each in two], np.float32(two), np.array(two)[:, np.newaxis])
    assert [said("ec-3", form, "ann") for form in forms] == len(forms) * ["right"]
    assert said("ec-3", [two, two], "ann") == "size"


def test_answers_with_the_pages_numbers_are_not_right():
    assert said("ec-1", 0.36, "p-1") == "page"
    with pytest.raises(ValueError, match=r'still empty.* student = "\.\.\."'):
        homework("ec-1", student="...")
    assert homework("saw-1", student="p-1") == {}
