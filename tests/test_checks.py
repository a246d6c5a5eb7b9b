"""The checks of exercises know right answers and the usual wrong ones, on pages and with a student's own numbers."""

import json
import re
from functools import partial
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from conftest import ROOT, lacking
from sklearn.metrics import cohen_kappa_score
from test_chapters import WITH_EXERCISES
from textbook import textbook_cles, textbook_ec, textbook_ma

from erralign import class_level_error_similarity as cles
from erralign.datasets.examples import twelve_pictures
from erralign_book.building.course import CHECK
from erralign_book.course import check, checking
from erralign_book.course.checking import at_home, general, hint, on_pages, recorded, verdict
from erralign_book.course.functions import FUNCTIONS, closest
from erralign_book.course.in_torch import IN_TORCH
from erralign_book.course.labs import LABS

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


def p_within(a, b, condition, *, everywhere=False, above=False, one=1):
    rng = np.random.default_rng(3)
    groups = [np.arange(len(a))] if everywhere else [np.flatnonzero(condition == c) for c in np.unique(condition)]
    alike = []
    for _ in range(2000):
        dealt = b.copy()
        for group in groups:
            dealt[group] = b[rng.permutation(group)]
        alike.append(np.sum(a == dealt))
    return (one + np.sum(np.array(alike) >= np.sum(a == b) + above)) / 2001


def draws_of(truth, a, b, n_draws, rng, *, replace=True, apart=False):
    values = []
    for _ in range(n_draws):
        one = rng.choice(len(truth), len(truth), replace=replace)
        other = rng.choice(len(truth), len(truth), replace=replace) if apart else one
        values.append(textbook_ec(1, (a == truth)[one], (b == truth)[other]))
    return values


def softened(power):
    raised = CONFIDENCES**power
    return CONFIDENCES, raised / raised.sum(axis=1, keepdims=True)


def helper(*answers):
    return cles(*answers)


def by_a_helper(head, people):
    return helper(head, people, people)


# Exercises whose values, right ones and those of the usual mistakes, are computed in functions.py.
COMPUTED = {}
for name, asked in FUNCTIONS.items():
    known = asked()[1]
    if isinstance(known, list):  # an entry for each call
        known = {key: value for each in reversed(known) for key, value in each.items()}
    if isinstance(known, dict):
        COMPUTED[name] = {key: value for key, value in known.items() if key != "tolerance"}
# Exercise -> what it is said to be -> such an answer; those that are numbers are in a file.
ANSWERS = yaml.safe_load(Path(__file__).with_name("checks.yml").read_text(encoding="utf-8"))
ANSWERS |= {
    "bootstrap": {
        "right": draws_of,
        "one": lambda *given: np.mean(draws_of(*given)),
        "length": lambda *given: draws_of(*given)[:100],
        "put_back": lambda *given: draws_of(*given, replace=False),
        "apart": lambda *given: draws_of(*given, apart=True),
    },
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
        "sum": (CONFIDENCES, CONFIDENCES ** (1 / 4)),
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


def returning(outputs):
    """Return a function that gives these outputs, one after another and again."""
    calls = cycle(outputs)
    return lambda *_: next(calls)


def calls_of(known):
    return known if isinstance(known, list) else [known]


def alternatives(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("exercise", sorted(COMPUTED.keys() - IN_TORCH.keys()))
def test_a_right_function_is_right_and_each_usual_mistake_has_its_name(exercise):
    calls = calls_of(FUNCTIONS[exercise]()[1])
    right = [known["right"] for known in calls]
    for place, known in enumerate(calls):
        for key in known.keys() - {"tolerance"}:
            # What always returns the right output is known by fresh inputs.
            expected = "fresh" if key == "right" and exercise in LABS else key
            outputs = [[*right[:place], each, *right[place + 1 :]] for each in alternatives(known[key])]
            assert {said(exercise, returning(each)) for each in outputs} == {expected}
    assert said(exercise, lambda *_: None) == "nothing"


def test_measures_as_a_student_writes_them():
    written = {"error_consistency": textbook_ec, "misclassification_agreement": textbook_ma}
    for exercise, function in (written | {"class_level_error_similarity": textbook_cles}).items():
        assert said(exercise, function) == "right"
    assert said("error_consistency", lambda truth, a, b: cohen_kappa_score(a, b)) == "answers"
    assert said("misclassification_agreement", lambda truth, a, b: cohen_kappa_score(a, b)) == "all_trials"
    assert said("misclassification_agreement", textbook_ec) == "outcome"


@pytest.mark.parametrize("exercise", LABS)
def test_in_a_lab_fresh_inputs_tell_right_and_each_usual_mistake_apart(exercise):
    for seed in range(20):
        for known in calls_of(LABS[exercise](seed)[1]):
            for key in known.keys() - {"tolerance"}:
                assert {closest(each, **known) for each in alternatives(known[key])} == {key}


def ec_of(right_a, right_b):
    return textbook_ec(True, right_a, right_b)


def ends(values, outer=0.05):
    return np.quantile(values, [outer / 2, 1 - outer / 2])


def drawn(a, b, n_draws, rng, pictures=None):
    """Return the EC of draws; pictures(rng, n) says which."""
    pictures = pictures or (lambda rng, n: rng.integers(n, size=n))
    values = []
    for _ in range(n_draws):
        which = pictures(rng, len(a))
        right_a, right_b = a[which], b[which]
        p, q = right_a.mean(), right_b.mean()
        chance = p * q + (1 - p) * (1 - q)
        values.append((np.mean(right_a == right_b) - chance) / (1 - chance))
    return np.array(values)


def from_counts(a, b, n_draws, rng):
    counts = np.array([np.sum(a & b), np.sum(a & ~b), np.sum(~a & b), np.sum(~a & ~b)])
    both, only_a, only_b, wrong = rng.multinomial(len(a), counts / len(a), size=n_draws).T / len(a)
    p, q = both + only_a, both + only_b
    chance = p * q + (1 - p) * (1 - q)
    return ends((both + wrong - chance) / (1 - chance))


def sorted_ends(a, b, n_draws, rng):
    values = np.sort(drawn(a, b, n_draws, rng))
    return values[int(0.025 * n_draws)], values[int(0.975 * n_draws) - 1]


def overlaps(a, b, n_draws, rng):
    """Return the observed number of pictures with the same outcome, and that of each shuffle."""
    return np.sum(a == b), np.array([np.sum(a == rng.permutation(b)) for _ in range(n_draws)])


def p_of(a, b, n_draws, rng, above=1, below=1):
    observed, shuffled = overlaps(a, b, n_draws, rng)
    return (above + np.sum(shuffled >= observed)) / (below + n_draws)


# Functions as students write them: right ones, and wrong ones with what is said of them.
RIGHT = {
    "ec_interval": [
        lambda *given: ends(drawn(*given)),
        lambda *given: ends(drawn(*given, lambda rng, n: rng.choice(n, n))).tolist(),
        from_counts,
        sorted_ends,
    ],
    "shuffled_p": [p_of, lambda *given: np.array([p_of(*given)]), lambda a, b, *others: p_of(b, a, *others)],
    "expected_overlap": [
        lambda p, q: float(p * q + (1 - p) * (1 - q)),
        lambda p, q: max(0, 1 - p * (1 - q) - q * (1 - p)),
        lambda p, q: [np.dot([p, 1 - p], [q, 1 - q])],
        lambda p, q: np.float32(p) * np.float32(q) + np.float32(1 - p) * np.float32(1 - q),
    ],
}
WRONG = {
    "ec_interval": {
        "normal": [
            lambda a, b, *others: ec_of(a, b) + np.array([-1.96, 1.96]) * drawn(a, b, *others).std(),
            lambda a, b, *others: ec_of(a, b) + np.array([-2, 2]) * drawn(a, b, *others).std(),
            lambda *given: (values := drawn(*given)).mean() + np.array([-1.96, 1.96]) * values.std(),
        ],
        "narrow": [lambda *given: ends(drawn(*given), 0.1)],
        "": [
            lambda *given: ends(drawn(*given), 0.06),
            lambda *given: ends(drawn(*given, lambda rng, n: rng.integers(n, size=n - 1))),
        ],
        "left_out": [lambda *given: ends(drawn(*given, lambda rng, n: rng.integers(n - 1, size=n)))],
        "reversed": [lambda a, b, *others: 2 * ec_of(a, b) - ends(drawn(a, b, *others))[::-1]],
    },
    "shuffled_p": {
        "uncounted": [lambda *given: p_of(*given, 0, 0), lambda *given: p_of(*given, below=0)],
        "": [lambda *given: p_of(*given, below=2)],
    },
    "expected_overlap": {"both_right": [lambda p, q: p * q], "": [lambda p, q: (p + q) / 2]},
}


@pytest.mark.slow
@pytest.mark.parametrize("exercise", RIGHT)
def test_in_a_lab_functions_are_judged_by_what_they_return(exercise):
    assert [said(exercise, function) for function in RIGHT[exercise]] == len(RIGHT[exercise]) * ["right"]
    for key, functions in WRONG[exercise].items():
        assert [said(exercise, function) for function in functions] == len(functions) * [key]


@pytest.mark.slow
def test_an_interval_needs_the_first_picture_as_well():
    assert said("ec_interval", lambda *given: ends(drawn(*given, lambda rng, n: rng.integers(1, n, size=n)))) != "right"


def test_confidences_may_be_in_single_precision():
    def confidences(logits, temperature):
        scaled = logits.astype(np.float32) / np.float32(temperature)
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    assert {said("confidences", confidences) for _ in range(20)} == {"right"}


def test_what_is_no_answer_is_told_in_words(capsys):
    """An input changed in place, and a function that uses one that is not written yet."""

    def in_place(right_a, right_b):
        right_a &= right_b
        return 0.5

    for exercise, function, words in (
        ("ec", in_place, "changes what it is given"),
        ("ec", lambda a, b: np.mean(a == b) - ..., "still three dots"),
        ("ec", lambda a, b: ..., "not written yet"),
    ):
        assert words in check(exercise, function).message
    assert "(changed)" not in capsys.readouterr().out
    assert said("ec-1", np.array(...)) == said("ec-1", [np.array(...)]) == "unwritten"


@pytest.fixture
def torch_functions():
    """Return functions of the lab on networks as students write them: per exercise the right one and wrong ones."""
    if not find_spec("torch"):
        lacking("models", "pip install torch")
    import torch
    from torch.nn.functional import cross_entropy, kl_div, log_softmax, softmax

    def distilled(z, t, by, own, factor):
        return -factor * (softmax(t / by, 1) * log_softmax(z / own, 1)).sum(1).mean()

    def unlike(rows):
        return 1 - torch.corrcoef(rows)

    def upper(matrix, first=1):
        return matrix[tuple(torch.triu_indices(*matrix.shape, first))]

    def r(a, b):
        return torch.corrcoef(torch.stack([a, b]))[0, 1]

    def ranks(values):
        return values.argsort().argsort().double()

    def mean_divergence(z, t, T):
        return T**2 * kl_div(log_softmax(z / T, 1), softmax(t / T, 1), reduction="mean")

    def trained(network, X, loss_of, decay, rate, steps, wrong=""):
        kind = torch.optim.Adam if wrong == "adam" else torch.optim.AdamW if wrong == "adamw" else torch.optim.SGD
        weight_decay = {"no_decay": 0, "half_decay": decay, "counted": 0}.get(wrong, 2 * decay)
        optimiser = kind(network.parameters(), rate, weight_decay=weight_decay)
        losses = []
        for _ in range(steps + {"early": -1, "late": 1}.get(wrong, 0)):
            loss = loss_of(network(X))
            if wrong == "counted":
                loss = loss + decay * (network.weight**2).sum()
            if wrong != "accumulated":
                optimiser.zero_grad()
            (-loss if wrong == "uphill" else loss).backward()
            if wrong == "zeroed":
                optimiser.zero_grad()
            if wrong != "still":
                optimiser.step()
            losses.append((loss_of(network(X)) if wrong == "after" else loss).item())
        return loss if wrong == "last" else losses

    wrong_loops = [
        "accumulated",
        "still",
        "uphill",
        "no_decay",
        "half_decay",
        "counted",
        "adam",
        "early",
        "late",
        "after",
    ]
    loops = {name: [partial(trained, wrong=name)] for name in [*wrong_loops, "last"]}
    loops["still"].append(partial(trained, wrong="zeroed"))
    loops["adam"].append(partial(trained, wrong="adamw"))
    return {
        "distillation_in_torch": {
            "right": [
                lambda z, t, T: distilled(z, t, T, T, T**2),
                lambda z, t, T: T**2 * cross_entropy(z / T, softmax(t / T, 1)),
            ],
            "unscaled": [lambda z, t, T: distilled(z, t, T, T, 1)],
            "once": [lambda z, t, T: distilled(z, t, T, T, T)],
            "temperature": [lambda z, t, T: distilled(z, t, 1, 1, 1)],
            "teacher_only": [lambda z, t, T: distilled(z, t, T, 1, T**2)],
            "student_only": [lambda z, t, T: distilled(z, t, 1, T, T**2)],
            "multiplied": [lambda z, t, T: distilled(z, t, 1 / T, 1 / T, T**2)],
            "hard": [lambda z, t, T: T**2 * cross_entropy(z / T, t.argmax(1))],
            "turned": [lambda z, t, T: distilled(t, z, T, T, T**2)],
            "divergence": [
                lambda z, t, T: T**2 * kl_div(log_softmax(z / T, 1), softmax(t / T, 1), reduction="batchmean")
            ],
            "cells": [mean_divergence, lambda z, t, T: distilled(z, t, T, T, T**2) / z.shape[1]],
            "sum": [lambda z, t, T: len(z) * distilled(z, t, T, T, T**2)],
            "sign": [lambda z, t, T: -distilled(z, t, T, T, T**2)],
            "detached": [
                lambda z, t, T: distilled(z, t, T, T, T**2).item(),
                lambda z, t, T: distilled(z.detach(), t, T, T, T**2),
            ],
        },
        "rsa_in_torch": {
            "right": [lambda z, p: 1 - r(upper(unlike(z)), upper(p))],
            "likeness": [lambda z, p: r(upper(unlike(z)), upper(p))],
            "sign": [lambda z, p: r(upper(unlike(z)), upper(p)) - 1],
            "similarity": [lambda z, p: 1 - r(upper(torch.corrcoef(z)), upper(p))],
            "ranks": [lambda z, p: 1 - r(ranks(upper(unlike(z))), ranks(upper(p)))],
            "diagonal": [
                lambda z, p: 1 - r(upper(unlike(z), 0), upper(p, 0)),
                lambda z, p: 1 - r(unlike(z).flatten(), p.flatten()),
            ],
            "cosine": [lambda z, p: 1 - r(upper(1 - (u := z / z.norm(dim=1, keepdim=True)) @ u.T), upper(p))],
            "euclidean": [lambda z, p: 1 - r(torch.pdist(z), upper(p))],
            "uncentred": [lambda z, p: 1 - torch.cosine_similarity(upper(unlike(z)), upper(p), dim=0)],
            "squares": [lambda z, p: (upper(unlike(z)) - upper(p)).square().mean()],
            "detached": [lambda z, p: 1 - r(upper(unlike(z)), upper(p)).item()],
        },
        "training_in_torch": {"right": [trained]} | loops,
    }


def test_in_torch_a_right_function_is_right_and_each_usual_mistake_has_its_name(torch_functions):
    for exercise, functions in torch_functions.items():
        assert functions.keys() == COMPUTED[exercise].keys()
        for key, alternatives in functions.items():
            assert {said(exercise, function) for function in alternatives} == {key}, (exercise, key)
        assert said(exercise, lambda *_: None) == "nothing"


@pytest.mark.parametrize("exercise", IN_TORCH)
def test_without_torch_the_check_says_that_it_did_not_check(monkeypatch, capsys, exercise):
    monkeypatch.setattr(checking, "find_spec", lambda name: None)
    assert not check(exercise, lambda *_: 0)
    assert "not checked" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="needs torch"):
        check(exercise, lambda *_: 0, strict=True)
    assert said(exercise, ...) == "unanswered"
    assert said(exercise, cles) == "library"


def test_in_a_lab_a_function_must_do_without_the_library_by_whatever_name():
    def by_name(truth, a, b):
        return [cles(truth, row, b) for row in a]

    def by_import(head, people):
        from erralign.training.losses import soft_ec

        return soft_ec(head, people, people)

    def own(head, people):
        overlap, h, s = np.mean(head * people + (1 - head) * (1 - people)), head.mean(), people.mean()
        return (overlap - h * s - (1 - h) * (1 - s)) / (h + s - 2 * h * s)

    for function in (by_name, by_import, cles, by_a_helper):
        assert said("soft_ec", function) == "library"
    assert said("soft_ec", own) == "right"


def test_nearly_right_is_not_right_and_rounded_is():
    """What a student found who had only the lessons: capitals ignored, two digits."""
    recycled = ANSWERS["geirhos-1"]["right"]
    assert said("geirhos-1", lambda names, wanted: recycled([name.lower() for name in names], wanted)) != "right"
    assert {said("interval-1", worth) for worth in (276, 280, 284, 285)} == {"right"}  # simulated, rounded


def test_every_exercise_and_each_of_its_misconceptions_has_an_answer_here():
    known = {name: set(each["traps"]) for name, each in on_pages().items()}
    shared = set(general()["traps"])
    answered = ANSWERS | {name: COMPUTED[name] | {"nothing": None} for name in COMPUTED}
    here = {name: answers.keys() - {"right"} - shared for name, answers in answered.items()}
    assert here == {name: traps - shared for name, traps in known.items()}
    assert {name: traps & shared for name, traps in known.items() if not traps & shared <= answered[name].keys()} == {}


def test_the_words_of_an_exercise_win_over_those_for_any_answer():
    n_own = 0
    for student, exercises in ((None, on_pages()), ("ann", at_home())):
        for name, each in exercises.items():
            for key in each["traps"].keys() & general()["traps"].keys():
                n_own += 1
                assert hint(name, key, student).startswith(each["traps"][key][0]), (name, key)
    assert n_own > 30


def test_no_hint_gives_the_answer():
    for name, each in on_pages().items():
        words = " ".join([each.get("asks", ""), *(" ".join(words[:2]) for words in each["traps"].values())])
        numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d|\d", words)]
        assert "digits" not in each or [number for number in numbers if said(name, number) == "right"] == []


def test_a_program_gets_the_verdict_and_with_strict_an_error(capsys):
    right, wrong, dots = (check("interval-1", answer) for answer in (284, 1280, ...))
    assert [bool(verdict) for verdict in (right, wrong, dots)] == [True, False, False]
    assert (wrong.exercise, wrong.key) == ("interval-1", "independent")
    assert [verdict.message for verdict in (right, wrong, dots)] == capsys.readouterr().out.splitlines()
    assert check("interval-1", 284, strict=True)
    for answer, message in ((1280, wrong.message), (..., dots.message)):
        with pytest.raises(AssertionError, match=re.escape(message)):
            check("interval-1", answer, strict=True)
    assert wrong.message == f"interval-1: not yet. {hint('interval-1', 'independent', None)}"
    for exercise, answer, words in (
        ("interval-1", 500, "Hand in the number of pictures"),
        ("interval-1", lambda: 284, "hand in what it returns"),
        ("students-4", [0.1, 0.2], "wrong form. Hand in [[EC of the model"),
    ):
        assert words in check(exercise, answer).message
    with pytest.raises(ValueError, match="interval-1"):
        check("intervall-1", 284)


@pytest.mark.parametrize("name", WITH_EXERCISES)
def test_the_solution_on_a_page_is_right(site, name):
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", 4).cells
    called = [(CHECK.findall(cell.source), cell.outputs) for cell in cells if cell.cell_type == "code"]
    for (exercise,), outputs in ((found, outputs) for found, outputs in called if found):
        printed = "".join(output.get("text", "") for output in outputs)
        skipped = exercise in IN_TORCH and f"{exercise}: not checked" in printed
        assert skipped or f"{exercise}: right." in printed
