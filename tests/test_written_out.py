"""Each measure that a page writes out equals the library's to 1e-12, on random answers and on degenerate ones."""

import ast
import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import jupytext
import law
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, lacking
from scipy import special, stats
from scipy.spatial import distance
from sklearn.metrics import accuracy_score

import erralign
from erralign import behaviour, bounds, resi_tests, significance, similarity, triplets
from erralign_book.course.checking import recorded, verdict
from erralign_book.course.in_torch import IN_TORCH
from erralign_book.course.labs import LABS

RNG = np.random.default_rng(0)


def answers(n_classes=4, n=60, wrong=0.5):
    truth = RNG.integers(n_classes, size=n)
    return truth, *(np.where(RNG.random(n) < wrong, RNG.integers(n_classes, size=n), truth) for _ in range(2))


TRUTH, A, B = answers()
ALL_RIGHT = (TRUTH, TRUTH, B)
NOBODY_RIGHT = (TRUTH, (TRUTH + 1) % 4, (TRUTH + 2) % 4)
ONE_WORD = (np.zeros(30, dtype=int), np.ones(30, dtype=int), np.ones(30, dtype=int))
SILENT = (TRUTH, np.where(np.arange(60) < 9, -1, A), B)
TRIALS = [answers(), answers(7, 200, 0.2), answers(3, 40, 0.8), ALL_RIGHT, NOBODY_RIGHT, ONE_WORD, SILENT]
WITH_CLASSES = [(*each, 7) for each in TRIALS]
SHARES = [(RNG.dirichlet(np.ones(5), 40), RNG.dirichlet(np.ones(5), 40)) for _ in range(3)]
LABELS = RNG.integers(5, size=40)
FEATURES = [(RNG.normal(size=(30, 8)), RNG.normal(size=(30, 5))) for _ in range(3)]
P = [(RNG.random(n),) for n in (1, 7, 30)]
COUNTS = [(np.array(table),) for table in ([[5, 3], [4, 30]], [[0, 3], [2, 20]], [[9, 0], [0, 9]], [[0, 0], [0, 9]])]
THREE = RNG.permuted(np.tile(np.arange(12), (50, 1)), axis=1)[:, :3]

SQUARES = [(RNG.random((15, 15)),) for _ in range(2)]
SQUARES = [((S + S.T) / 2,) for (S,) in SQUARES] + [(RNG.integers(3, size=(15, 15)),), (np.ones((15, 15)),)]
IN_GROUPS = [(S, np.repeat(["a", "b", "c"], 5)) for (S,) in SQUARES] + [(SQUARES[0][0], np.repeat([1, 2], [2, 13]))]
TO_DIFFERENCES = [(S, RNG.random((15, 15))) for (S,) in SQUARES]
RUNS = [(pd.Series(RNG.random(n), ["GCN"] * n),) for n in (2, 3, 8)]


def in_both_orders(S, differences):
    return resi_tests.correlation_to_differences(S, differences, is_symmetric=False)


def students(scores):
    return [scores.mean(), *stats.ttest_1samp(scores, 0).confidence_interval()]


def with_the_largest(truth, a, b):
    """WEC, and that of answers with as many right in each class, on the same trials wherever possible."""
    classes, nested = np.sort(truth), []
    for answers in (a, b):
        right = answers == truth
        nested.append(np.where(right[np.lexsort([~right, truth])], classes, -1))
    consistency = erralign.within_class_error_consistency
    return [consistency(truth, a, b), consistency(classes, *nested)]


def cles(truth, a, b, n_classes):
    return erralign.class_level_error_similarity(truth, a, b, n_classes=n_classes)


# Page -> its function -> the library's, and what both are given.
WRITTEN = {
    "error-consistency": {
        "error_consistency": (erralign.error_consistency, TRIALS),
        "error_consistency_within_classes": (erralign.within_class_error_consistency, TRIALS),
    },
    "what-they-saw": {"accuracy": (accuracy_score, [(truth, said) for truth, said, _ in TRIALS])},
    "misclassification-agreement": {
        "misclassification_agreement": (erralign.misclassification_agreement, TRIALS),
        "misclassification_agreement_within_classes": (erralign.within_class_misclassification_agreement, TRIALS),
    },
    "class-level-error-similarity": {"class_level_error_similarity": (cles, WITH_CLASSES)},
    "representations-and-confidences": {
        "confidence_similarity": (erralign.confidence_similarity, SHARES),
        "error_confidence_similarity": (
            erralign.error_confidence_similarity,
            [(LABELS, *SHARES[0]), (LABELS, *SHARES[1]), (np.argmax(SHARES[0][0], axis=1), *SHARES[0])],
        ),
        "cka": (erralign.cka, FEATURES),
    },
    "what-should-a-good-measure-notice": {
        "auprc": (resi_tests.group_precision, IN_GROUPS),
        "conformity_rate": (resi_tests.group_conformity, IN_GROUPS),
        "difference_correlation": (in_both_orders, TO_DIFFERENCES),
        "layer_correlation": (resi_tests.layer_correlation, SQUARES),
        "mean_with_interval": (students, RUNS),
    },
    "comparing-representations": {
        "orthogonal_procrustes_distance": (
            similarity.orthogonal_procrustes_distance,
            [(RNG.normal(size=(30, 4)), RNG.normal(size=(30, 4))), (FEATURES[0][0], 3 * FEATURES[0][0][:, ::-1] + 1)],
        )
    },
    "odd-one-out": {"odd_one_out": (triplets.odd_one_out, [(RNG.normal(size=(12, 4)), THREE)])},
    "which-interval": {
        "ec_of": (lambda *n: behaviour.error_consistency_from_counts(np.reshape(n, (2, 2))),
                  [(3, 4, 5, 20), (0, 16, 4, 140), (7, 0, 0, 5), (1, 1, 1, 1)]),
        "holm": (significance.holm, P),
        "p_value": (erralign.p_value, COUNTS),
    },
}  # fmt: skip
WRITTEN["what-to-set-a-value-against"] = {
    "within_classes": (with_the_largest, TRIALS),
    "ec_bounds": (bounds.error_consistency_bounds, [(0.75, 0.6), (0.5, 0.5), (0.95, 0.3), (0.2, 0.9)]),
}
BUILD_IT = ["lab-measures", "lab-soft-labels", "lab-probe", "lab-representations", "lab-project"]
DRAWN = {"how-sure-are-we": {"bootstrap"}}  # random: below
CASES = [(page, name) for page, functions in WRITTEN.items() for name in functions]


@cache
def functions_of(page):
    """Run the imports of a page, and what it defines that nothing is frozen of; nothing is loaded."""
    names = {}
    for cell in law.code(jupytext.read(ROOT / "notebooks" / f"{page}.md")):
        for node in ast.parse(cell.source).body:
            imports = isinstance(node, ast.Import | ast.ImportFrom)
            plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
            if imports or plain:
                exec(ast.unparse(node), names)
    return names


@pytest.mark.parametrize(("page", "name"), CASES)
def test_a_measure_written_out_equals_the_library(page, name):
    ours = functions_of(page)[name]
    library, cases = WRITTEN[page][name]
    for given in cases:
        with warnings.catch_warnings(action="ignore"):  # 0/0
            np.testing.assert_allclose(ours(*given), library(*given), rtol=0, atol=1e-12)


def as_form(given, form):
    """Give arrays another form, where they can have it: a Series has labels that are no places."""
    if not isinstance(given, np.ndarray):
        return given
    if form == "lists":
        return given.tolist()
    if form == "booleans":
        return given == 1
    if form == "pandas":
        labels = [f"p{place}" for place in range(len(given), 0, -1)]
        return pd.Series(given, labels) if given.ndim == 1 else pd.DataFrame(given, labels)
    return given if given.dtype.kind == "U" else given.astype("float64" if form == "floats" else "int8")


# Functions of right and wrong, or of two classes, get booleans; of whole numbers, integers of another kind.
OF_ANSWERS = [case for case in CASES if isinstance(WRITTEN[case[0]][case[1]][1][0][0], np.ndarray)]


@pytest.mark.parametrize("form", ["lists", "pandas", "floats", "integers", "booleans"])
@pytest.mark.parametrize(("page", "name"), OF_ANSWERS)
def test_a_measure_written_out_takes_any_form_of_its_input(page, name, form):
    ours = functions_of(page)[name]
    given = WRITTEN[page][name][1][0]
    whole = all(np.array_equal(array, np.round(array)) for array in given if isinstance(array, np.ndarray))
    if form in ("integers", "booleans") and not whole:
        return  # shares and features are no whole numbers
    if form == "booleans":
        expected = ours(*(np.where(array == 1, 1, 0) if isinstance(array, np.ndarray) else array for array in given))
    else:
        expected = ours(*given)
    np.testing.assert_allclose(ours(*(as_form(array, form) for array in given)), expected, rtol=0, atol=1e-12)


RIGHT = np.random.default_rng(1).random((60, 5)) < 0.6


@pytest.mark.parametrize("form", ["lists", "pandas", "floats", "integers"])
def test_means_and_draws_written_out_take_any_form_of_right_and_wrong(form):
    """As booleans, too: products of booleans are no counts."""
    its = functions_of("how-sure-are-we")
    of_all = its["mean_ec"](as_form(RIGHT, form), as_form(RIGHT[:, ::-1], form))
    always = np.ones(60, dtype=bool)
    pairs = [erralign.error_consistency(always, a, b) for a in RIGHT.T for b in RIGHT.T]
    np.testing.assert_allclose([of_all, its["mean_ec"](RIGHT, RIGHT[:, ::-1])], np.mean(pairs), rtol=0, atol=1e-12)
    three = [as_form(array, form) for array in (always, *RIGHT.T[:2])]
    draws = [its["bootstrap"](*each, 20, np.random.default_rng(0)) for each in (three, (always, *RIGHT.T[:2]))]
    np.testing.assert_array_equal(*draws)


def test_draws_of_a_bootstrap_written_out_have_the_limits_of_the_library():
    values = functions_of("how-sure-are-we")["bootstrap"](TRUTH, A, B, 4000, np.random.default_rng(0))
    library = erralign.confidence_interval(TRUTH, A, B)
    np.testing.assert_allclose(np.quantile(values, [0.025, 0.975]), [library.low, library.high], atol=0.03)


def gaps_of(page):
    """Run the imports of NumPy and SciPy of a lab, and the functions that its students write."""
    names = {"np": np, "rankdata": stats.rankdata, "softmax": special.softmax, "log_softmax": special.log_softmax}
    names |= {"pdist": distance.pdist, "squareform": distance.squareform}
    if find_spec("torch"):
        names["torch"] = import_module("torch")
    for cell in law.code(jupytext.read(ROOT / "notebooks" / f"{page}.md")):
        if "gap" in law.tags(cell):
            (function,) = (node for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef))
            exec(ast.unparse(function), names)
    return names


@pytest.mark.parametrize("page", BUILD_IT)
def test_a_check_calls_each_function_of_a_lab_right(page):
    functions = gaps_of(page)
    written = functions.keys() & LABS.keys()
    assert written
    wanted = dict.fromkeys(written, "right")
    if not find_spec("torch"):
        wanted |= dict.fromkeys(written & IN_TORCH.keys(), "torch")
    assert {name: verdict(name, recorded(name, functions[name])) for name in written} == wanted


def test_slopes_of_ones_own_and_those_of_torch_train_the_same_head():
    """With all three losses of the lab, from the same start."""
    if not find_spec("torch"):
        lacking("models", "pip install torch")
    lab, rng = gaps_of("lab-project"), np.random.default_rng(3)
    X, start, teacher = rng.normal(size=(40, 6)), rng.normal(size=(6, 4)), 2 * rng.normal(size=(40, 4))
    shares = rng.dirichlet(np.ones(4), size=40)
    people, decay, rate, steps = 1 - np.corrcoef(shares), 0.01, 0.1, 50
    W = start
    for _ in range(steps):
        slopes = lab["mixed_slopes"](X @ W, teacher, shares, people, (0.5, 0.4, 2), 3)
        W = W - rate * (X.T @ slopes + 2 * decay * W)

    torch = lab["torch"]
    targets, of_teacher, of_people = (torch.tensor(array) for array in (shares, teacher, people))

    def loss_of(logits):
        distilled = lab["distillation_in_torch"](logits, of_teacher, 3)
        rsa = lab["rsa_in_torch"](logits, of_people)
        return 0.5 * distilled + 0.4 * torch.nn.functional.cross_entropy(logits, targets) + 2 * rsa

    network = torch.nn.Linear(6, 4, bias=False, dtype=torch.float64)
    network.load_state_dict({"weight": torch.tensor(start.T)})
    losses = lab["training_in_torch"](network, torch.tensor(X), loss_of, decay, rate, steps)
    assert losses[-1] < losses[0]
    np.testing.assert_allclose(network.weight.detach().numpy().T, W, rtol=0, atol=1e-9)
    assert loss_of(torch.tensor(X @ W)).item() == pytest.approx(loss_of(network(torch.tensor(X))).item(), abs=1e-9)


def test_every_gap_is_written_out_and_compared():
    for path in (ROOT / "notebooks").glob("*.md"):
        gaps = [cell.source for cell in law.code(jupytext.read(path)) if "gap" in law.tags(cell)]
        names = {node.name for node in ast.parse("\n".join(gaps)).body if isinstance(node, ast.FunctionDef)}
        compared = LABS if path.stem in BUILD_IT else WRITTEN.get(path.stem, DRAWN.get(path.stem, []))
        assert names <= set(compared), path.stem
