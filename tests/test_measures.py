"""What the registry says of each measure is true: its names, its variants, and what leaves its value unchanged."""

import inspect
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

import erralign
from erralign.measures import INVARIANCES, MEASURES, OF_REPRESENTATIONS
from erralign.measures.class_level_counts import CLES_VARIANTS

N_CLASSES = 4
CONFIDENCES = ("SOC", "SOCE")


def data_for(short, rng):
    """Draw what a measure compares: true classes, and answers, confidences or features of two systems."""
    truth = rng.integers(N_CLASSES, size=60)
    if short in OF_REPRESENTATIONS:
        shared, scale = rng.standard_normal((60, 3)), rng.choice([0.05, 1])  # SVCCA behaves otherwise on a small scale
        return {"truth": truth} | {name: scale * (1 + shared + rng.standard_normal((60, 3))) for name in "ab"}
    if short in CONFIDENCES:
        return {"truth": truth} | {name: rng.dirichlet(np.ones(N_CLASSES), size=60) for name in "ab"}
    wrong = {name: (truth + rng.choice([1, 1, 2, 3], size=60)) % N_CLASSES for name in "ab"}
    return {"truth": truth} | {name: np.where(rng.random(60) < 0.5, truth, answers) for name, answers in wrong.items()}


def value(short, data, variant=None):
    measure = MEASURES[short]
    needs_truth = "y_true" in inspect.signature(measure.function).parameters
    function = measure.function
    if variant in CLES_VARIANTS:
        function = partial(function, variant=variant)
    elif variant:
        function = measure.variants[variant]
    options = {"n_classes": N_CLASSES} if short == "CLES" else {}
    return function(*([data["truth"]] if needs_truth else []), data["a"], data["b"], **options)


def answers(data, name):
    return data[name].argmax(axis=1) if data[name].ndim == 2 else data[name]


def kept(data, trials):
    return {name: values[trials] for name, values in data.items()}


def renamed(data, rng):
    order = rng.permutation(N_CLASSES)
    # Class c is called order[c] now: so are labels, and so are columns of confidences. No answer, -1, stays.
    called, columns = np.append(order, -1), np.argsort(order)
    return {name: values[:, columns] if values.ndim == 2 else called[values] for name, values in data.items()}


def other_wrong_answers(data, rng):
    truth, said = data["truth"], data["b"]
    other = (truth + rng.integers(1, N_CLASSES, size=len(truth))) % N_CLASSES
    return data | {"b": np.where(said == truth, said, other)}


def other_pairing(data, rng):
    by_class = np.argsort(data["truth"], kind="stable")
    shuffled = np.lexsort([rng.random(len(by_class)), data["truth"]])
    b = data["b"].copy()
    b[by_class] = data["b"][shuffled]
    return data | {"b": b}


def without(data, condition):
    return kept(data, ~condition(*(answers(data, name) == data["truth"] for name in "ab")))


def mapped(data, draw):
    """Map the features of both systems, each by a matrix of its own."""
    return data | {name: data[name] @ draw() for name in "ab"}


def moved(data, rng):
    return data | {name: data[name] + rng.standard_normal(3) for name in "ab"}


CHANGES = {
    "order of systems": lambda data, _: data | {"a": data["b"], "b": data["a"]},
    "order of trials": lambda data, rng: kept(data, rng.permutation(len(data["truth"]))),
    "names of classes": renamed,
    "choice of wrong answers": other_wrong_answers,
    "pairing of trials": other_pairing,
    "correct trials": lambda data, _: without(data, np.logical_and),
    "trials without joint errors": lambda data, _: without(data, np.logical_or),
    "permutation of features": lambda data, rng: mapped(data, lambda: np.eye(3)[rng.permutation([1, 2, 0])]),
    "orthogonal transformation": lambda data, rng: mapped(data, lambda: ortho_group.rvs(3, random_state=rng)),
    "isotropic scaling": lambda data, rng: mapped(data, lambda: np.eye(3) * rng.uniform(0.1, 10)),
    "invertible linear map": lambda data, rng: mapped(data, lambda: rng.standard_normal((3, 3))),
    "translation": lambda data, rng: moved(data, rng),
    "affine map": lambda data, rng: moved(mapped(data, lambda: rng.standard_normal((3, 3))), rng),
}
OF_FEATURES = list(CHANGES)[7:]


def makes_sense(short, change):
    if short in OF_REPRESENTATIONS:
        return change in ("order of systems", "order of trials", *OF_FEATURES)
    return change not in (["choice of wrong answers", *OF_FEATURES] if short in CONFIDENCES else OF_FEATURES)


def forms(short):
    """Return the forms that the registry's invariances are about."""
    return {"CLES": CLES_VARIANTS, "CKA": [*MEASURES["CKA"].variants]}.get(short, [None])


CASES = {short: [change for change in CHANGES if makes_sense(short, change)] for short in MEASURES}


@pytest.mark.parametrize("short", MEASURES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10)
def test_an_invariance_holds(short, seed):
    rounding = {"rel": 1e-7, "abs": 1e-9} if short in OF_REPRESENTATIONS else {"abs": 1e-12}
    for variant, change in product(forms(short), MEASURES[short].invariances):
        rng = np.random.default_rng(seed)
        data = data_for(short, rng)
        if short not in (*OF_REPRESENTATIONS, *CONFIDENCES):
            data["a"][::7] = data["b"][::9] = -1  # no answer
        after = value(short, CHANGES[change](data, rng), variant)
        assert after == pytest.approx(value(short, data, variant), nan_ok=True, **rounding), (variant, change)


@pytest.mark.parametrize("short", MEASURES)
def test_what_is_not_called_an_invariance_changes_the_value(short):
    others = [change for change in CASES[short] if change not in MEASURES[short].invariances]
    for variant, change in product(forms(short), others):
        differs = []
        for seed in range(3):
            rng = np.random.default_rng(seed)
            data = data_for(short, rng)
            after = value(short, CHANGES[change](data, rng), variant)
            differs.append(after != pytest.approx(value(short, data, variant), rel=1e-4, abs=1e-4))
        assert any(differs), (variant, change)


def test_each_invariance_is_in_the_list_and_tested():
    assert set().union(*(measure.invariances for measure in MEASURES.values())) == set(INVARIANCES)
    assert all(set(measure.invariances) <= set(CASES[short]) for short, measure in MEASURES.items())


@pytest.mark.parametrize("short", MEASURES)
def test_direction_and_variants_of_which_the_first_is_the_default(short, monkeypatch):
    monkeypatch.setattr(erralign.similarity.topology, "VECTORS", 20)  # the release's estimate of IMD takes seconds
    data = data_for(short, np.random.default_rng(2))
    assert (value(short, data | {"b": data["a"]}) > value(short, data)) == MEASURES[short].larger_is_more_similar
    if short in OF_REPRESENTATIONS:
        data["b"] = data["b"][:, [0, 1, 2, 0]]  # where LinReg's forms differ
    variants = CLES_VARIANTS if short == "CLES" else getattr(MEASURES[short], "variants", ())
    values = [value(short, data, variant) for variant in variants]
    assert values[:1] in ([], [pytest.approx(value(short, data), nan_ok=True)])
    assert len(set(values)) == len(values)
