"""The checks of exercises know right answers and the usual wrong ones, on pages and with a student's own numbers."""

import json
import re
from functools import partial
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from conftest import ROOT
from test_chapters import WITH_EXERCISES

from erralign import class_level_error_similarity as cles
from erralign import error_consistency
from erralign.datasets.examples import twelve_pictures
from erralign_book.building.course import CHECK
from erralign_book.course import check
from erralign_book.course.checking import general, hint, on_pages, recorded, verdict
from erralign_book.course.functions import FUNCTIONS

RNG = np.random.default_rng(5)
EXAMPLE = twelve_pictures()
TRUTH = EXAMPLE.truth.to_numpy()
A, TWIN, CONTRARIAN = (EXAMPLE.answers[name].to_numpy() for name in ("A", "Twin", "Contrarian"))
BY_ALPHA = np.array([[cles(TRUTH, A, b, alpha=a) for b in (TWIN, CONTRARIAN)] for a in (0.01, 0.1, 0.5, 2, 10)])
CONFIDENCES = RNG.dirichlet(np.ones(5), size=30)
KINDS = np.repeat([0, 1, 2], 6)
NESTED = np.array([[20, 0], [60, 20]])


def changed(**answers):
    """Let Twin say something else on pictures, such as ``p3=2``."""
    return [answers.get(f"p{place}", answer) for place, answer in enumerate(TWIN)]


def off(*by):
    return (KINDS + np.tile(by, 3)) % 3


EIGHTEEN = [KINDS, off(1, 1, 0, 0, 0, 0), off(2, 2, 0, 0, 0, 0), off(1, 0, 2, 2, 2, 2), off(2, 0, 1, 1, 1, 0)]


def said(exercise, answer, student=None):
    """Return the verdict on an answer, by the road that it takes from a notebook to a grader."""
    return verdict(exercise, json.loads(json.dumps(recorded(exercise, answer))), student)


def vote(said):
    votes = np.array([np.bincount(row + 1, minlength=6)[1:] for row in said])
    return np.where(votes.any(axis=1), votes.argmax(axis=1), -1)


def p_within(a, b, condition, *, everywhere=False, above=False, one=1, joined=False):
    rng = np.random.default_rng(3)
    groups = [np.arange(len(a))] if everywhere else [np.flatnonzero(condition == c) for c in np.unique(condition)]
    alike = []
    for _ in range(2000):
        dealt = b.copy()
        for group in groups:
            dealt[group] = b[rng.permutation(group)]
        dealt = np.concatenate([dealt[group] for group in groups]) if joined else dealt
        alike.append(np.sum(a == dealt))
    return (one + np.sum(np.array(alike) >= np.sum(a == b) + above)) / 2001


def softened(power, *, divided=True):
    raised = CONFIDENCES**power
    return CONFIDENCES, raised / (raised.sum(axis=1, keepdims=True) if divided else 1)


def lesson(answers, labels, test, teaches):
    targets = (answers[teaches][..., None] == np.arange(3)).mean(axis=0)
    for k in (0, 1):
        targets[np.isin(labels[:, k], labels[test, k])] = 0
    return targets


def gain(accuracy, ec, path_accuracy, path_ec):
    return ec - np.interp(accuracy, np.sort(path_accuracy), path_ec[np.argsort(path_accuracy)])


def favourite(logits, shares, right):
    logits, shares = logits.copy(), shares.copy()
    logits[np.arange(len(right)), right] = -np.inf
    shares[np.arange(len(right)), right] = -1
    return (logits.argmax(axis=1) == shares.argmax(axis=1)).mean()


def of_pairs(networks):
    said, labels = [outputs.argmax(axis=1) for _, outputs in networks], np.arange(120) % 4
    return [[error_consistency(labels, a, b) for b in said] for a in said]


def bounds(p, q):
    expected = p * q + (1 - p) * (1 - q)
    return [kappa_of(observed, expected) for observed in (abs(p + q - 1), 1 - abs(p - q))]


def aligned(X, Y):
    X, Y = (Z - Z.mean(axis=0) for Z in (X, Y))
    return np.sum((X @ X.T) * (Y @ Y.T)) / np.sqrt(np.sum((X @ X.T) ** 2) * np.sum((Y @ Y.T) ** 2))


def left_out(X, triplets):
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return [np.argmax([X[b] @ X[c], X[a] @ X[c], X[a] @ X[b]]) for a, b, c in triplets]


def kappa_of(observed, expected):
    return (observed - expected) / (1 - expected)


# Exercise -> a right function; the usual mistakes of these are as functions.py computes them.
RIGHT = {
    "odd-4": lambda shares, chosen: shares[np.arange(len(chosen)), chosen].mean(),
    "models-4": vote,
    "align-1": lesson,
    "align-2": gain,
    "align-4": favourite,
    "align-5": lambda low: 1 + (low > 0).sum(axis=0),
    "class_level_error_similarity": lambda truth, a, b, n_classes: cles(truth, a, b),
    "ec_bounds": bounds,
    "cka": aligned,
    "odd_one_out": left_out,
    "compare-4": lambda X, Y: np.corrcoef(np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1))[0, 1],
    "notice-4": of_pairs,
}


def ec_of(truth, a, b, *, chance=lambda p, q: p * q + (1 - p) * (1 - q), both=False):
    right_a, right_b = a == truth, b == truth
    observed = np.mean(right_a & right_b) if both else np.mean(right_a == right_b)
    return kappa_of(observed, chance(right_a.mean(), right_b.mean()))


def agreement(kept, *, chance=None):
    """Return a function that computes kappa of answers on the trials that are kept."""

    def of(truth, a, b):
        its = kept(a != truth, b != truth)
        expected = sum(np.mean(a[its] == word) * np.mean(b[its] == word) for word in range(4))
        return kappa_of(np.mean(a[its] == b[its]), chance(truth, a, b) if chance else expected)

    return of


def share(truth, a, b):
    return np.mean(a[(a != truth) & (b != truth)] == b[(a != truth) & (b != truth)])


def chance_apart(truth, a, b):
    return sum(np.mean(a[a != truth] == word) * np.mean(b[b != truth] == word) for word in range(4))


OF_MEASURES = {
    "error_consistency": {
        "right": ec_of,
        "overlap": lambda truth, a, b: np.mean((a == truth) == (b == truth)),
        "beyond": lambda truth, a, b: np.mean((a == truth) == (b == truth)) - ec_chance(truth, a, b),
        "both_right": lambda *given: ec_of(*given, chance=lambda p, q: p * q),
        "only_right": lambda *given: ec_of(*given, chance=lambda p, q: p * q, both=True),
        "expected": lambda *given: ec_chance(*given),
        "one_half": lambda *given: ec_of(*given, chance=lambda p, q: 0.5),
        "undivided": lambda truth, a, b: np.mean((a == truth) == (b == truth)) / ec_chance(truth, a, b) - 1,
        "answers": agreement(lambda a, b: a | True),
        "accuracy": lambda truth, a, b: np.mean(a == truth),
        "nothing": lambda truth, a, b: None,
    },
    "misclassification_agreement": {
        "right": agreement(np.logical_and),
        "share": share,
        "of_all": lambda truth, a, b: np.mean((a != truth) & (a == b)),
        "all_trials": agreement(lambda a, b: a | True),
        "either": agreement(np.logical_or),
        "beyond": lambda truth, a, b: share(truth, a, b) - ma_chance(truth, a, b),
        "apart": agreement(np.logical_and, chance=chance_apart),
        "evenly": agreement(np.logical_and, chance=lambda *_: 1 / 3),
        "classes": agreement(np.logical_and, chance=lambda *_: 1 / 4),
        "outcome": ec_of,
    },
}


def draws_of(truth, a, b, n_draws, rng, *, replace=True, apart=False):
    values = []
    for _ in range(n_draws):
        one = rng.choice(len(truth), len(truth), replace=replace)
        other = rng.choice(len(truth), len(truth), replace=replace) if apart else one
        values.append(ec_of(truth[one], a[one], b[other]))
    return values


OF_MEASURES["bootstrap"] = {
    "right": draws_of,
    "one": lambda *given: np.mean(draws_of(*given)),
    "length": lambda *given: draws_of(*given)[:100],
    "put_back": lambda *given: draws_of(*given, replace=False),
    "apart": lambda *given: draws_of(*given, apart=True),
}


def ec_chance(truth, a, b):
    p, q = np.mean(a == truth), np.mean(b == truth)
    return p * q + (1 - p) * (1 - q)


def ma_chance(truth, a, b):
    both = (a != truth) & (b != truth)
    return sum(np.mean(a[both] == word) * np.mean(b[both] == word) for word in range(4))


# Exercise -> what it is said to be -> such an answer; those that are numbers are in a file.
ANSWERS = yaml.safe_load(Path(__file__).with_name("checks.yml").read_text(encoding="utf-8"))
ANSWERS |= OF_MEASURES | {
    "ma-3": {"right": changed(p3=2), "unchanged": TWIN, "outcome": changed(p3=0), "several": changed(p3=2, p7=0)},
    "cles-3": {
        "right": np.round(BY_ALPHA.T, 2),
        "fixed": BY_ALPHA[[2] * 5],
        "columns": BY_ALPHA[:, ::-1],
        "rows": BY_ALPHA[::-1],
    },
    "hard-4": {
        "right": p_within,
        "everywhere": lambda *given: p_within(*given, everywhere=True),
        "above": lambda *given: p_within(*given, above=True),
        "uncounted": lambda *given: p_within(*given, one=0),
    },
    "model-3": {
        "right": softened(1 / 4),
        "sharper": softened(4),
        "same": softened(1),
        "sum": softened(1 / 4, divided=False),
    },
    "xu-1": {
        "right": EIGHTEEN,
        "shape": np.array(EIGHTEEN)[:, :12],
        "two": [*EIGHTEEN[:4], EIGHTEEN[2]],
        "agree": [EIGHTEEN[place] for place in (0, 1, 1, 3, 2)],
    },
    "geirhos-1": {
        "right": lambda names, wanted: [name == wanted[row % len(wanted)] for row, name in enumerate(names)],
        "any": np.isin,
        "first": lambda names, wanted: np.array(names) == wanted[0],
        "blocks": lambda names, wanted: np.array(names) == np.repeat(wanted, 4)[: len(names)],
        "length": lambda names, wanted: np.array(names) == np.tile(wanted, len(names) // len(wanted)),
    },
    "further-geirhos-1": {
        "right": [NESTED, NESTED.T],
        "together": [NESTED, NESTED],
        "within": [[[16, 4], [64, 16]], [[16, 64], [4, 16]]],
    },
}


@pytest.mark.parametrize("exercise", ANSWERS)
def test_each_answer_is_recognised(exercise):
    found = {said(exercise, answer): key for key, answer in ANSWERS[exercise].items()}
    assert found == {key: key for key in ANSWERS[exercise]}
    assert said(exercise, ...) == "unanswered"
    assert said(exercise, "a word") == "text"
    assert said(exercise, range(1000)) != "right"


@pytest.mark.parametrize("exercise", RIGHT)
def test_a_right_function_is_right_and_each_usual_mistake_has_its_name(exercise):
    assert said(exercise, RIGHT[exercise]) == "right"
    for key, value in FUNCTIONS[exercise]()[1].items():
        alternatives = value if isinstance(value, tuple) else (value,)
        assert {said(exercise, partial(lambda value, *_: value, each)) for each in alternatives} == {key}
    assert said(exercise, lambda *_: None) == "nothing"


def test_nearly_right_is_not_right_and_rounded_is():
    """What a student found who had only the lessons: conditions put together anew, capitals ignored, two digits."""
    assert said("hard-4", lambda *given: p_within(*given, joined=True)) != "right"
    recycled = ANSWERS["geirhos-1"]["right"]
    assert said("geirhos-1", lambda names, wanted: recycled([name.lower() for name in names], wanted)) != "right"
    assert {said("interval-1", worth) for worth in (276, 280, 284, 285)} == {"right"}  # simulated, rounded


# What came to the mind of somebody who knew the exercises, and not the traps.
WRONG = {
    "ec-1": [0.68, 0.18, 0.64, 0.32, 36, "0.36", -0.36, 0.5, [0.36, 0], 0],
    "sure-1": [0.0849, 0.12, 0.06, 0.0237, 0.093, [0.0135, 0.1065], 0.1106, 4.65, 0.0022],
    "against-1": [[1, 1], [0.65, 0.85], [-0.098, -0.087], [0.348, 0.146], 0.146, [14.6, 34.8], [0.146, 0.38]],
    "hard-2": [0.115, 0.34, 0.522, 0.606, 0.564, 48.3, 0.517],
    "chance-1": [18, 3, 0.094, 2400, 5.775, "15", 0.25],
    "many-1": [320, 480, 226, 80, [160, 640], "640"],
}


def test_few_wrong_answers_are_none_of_the_usual_mistakes():
    """In a reading it was 23 of 52."""
    verdicts = {(name, str(answer)): said(name, answer) for name, answers in WRONG.items() for answer in answers}
    assert "right" not in verdicts.values()
    assert sum(not verdict for verdict in verdicts.values()) <= 0.1 * len(verdicts), verdicts


def test_every_exercise_and_each_of_its_misconceptions_has_an_answer_here():
    known = {name: set(each["traps"]) for name, each in on_pages().items()}
    shared = set(general()["traps"])
    answered = ANSWERS | {name: FUNCTIONS[name]()[1] | {"nothing": None} for name in RIGHT}
    here = {name: answers.keys() - {"right"} - shared for name, answers in answered.items()}
    assert here == {name: traps - shared for name, traps in known.items()}
    assert {name: traps & shared for name, traps in known.items() if not traps & shared <= answered[name].keys()} == {}


def test_no_hint_gives_the_answer():
    for name, each in on_pages().items():
        words = " ".join([each.get("asks", ""), *(" ".join(words[:2]) for words in each["traps"].values())])
        numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d|\d", words)]
        assert "digits" not in each or [number for number in numbers if said(name, number) == "right"] == []


def test_it_says_right_or_names_the_misconception_and_what_to_hand_in(capsys):
    for answer in (284, 1280, 500, ..., lambda: 284):
        check("interval-1", answer)
    check("students-4", [0.1, 0.2])
    right, known, unknown, missing, broken, form = capsys.readouterr().out.splitlines()
    assert right == "interval-1: right."
    assert known == f"interval-1: not yet. {hint('interval-1', 'independent', None)}"
    assert "Hand in the number of pictures" in unknown
    assert "hand in the number of pictures" in missing
    assert "hand in what it returns" in broken
    assert "wrong form. Hand in [[EC of the model" in form
    with pytest.raises(ValueError, match="interval-1"):
        check("intervall-1", 284)


def test_a_program_gets_the_verdict_and_with_strict_an_error(capsys):
    right, wrong, dots = (check("interval-1", answer) for answer in (284, 1280, ...))
    assert [bool(verdict) for verdict in (right, wrong, dots)] == [True, False, False]
    assert (wrong.exercise, wrong.key) == ("interval-1", "independent")
    assert [verdict.message for verdict in (right, wrong, dots)] == capsys.readouterr().out.splitlines()
    assert check("interval-1", 284, strict=True)
    for answer, message in ((1280, wrong.message), (..., dots.message)):
        with pytest.raises(AssertionError, match=re.escape(message)):
            check("interval-1", answer, strict=True)
    assert check("saw-1", "Fur only.", student="p-1", strict=True).key == "noted"


@pytest.mark.parametrize("name", WITH_EXERCISES)
def test_the_solution_on_a_page_is_right(site, name):
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", 4).cells
    called = [(CHECK.findall(cell.source), cell.outputs) for cell in cells if cell.cell_type == "code"]
    for (exercise,), outputs in ((found, outputs) for found, outputs in called if found):
        assert f"{exercise}: right." in "".join(output.get("text", "") for output in outputs)
