"""Intervals of a paired difference: is A or B closer to a third system?"""

import numpy as np
import pandas as pd

from benchmarks.coverage import worlds
from erralign.behaviour import class_level_error_similarity as value
from erralign.inference import difference_interval
from erralign.measures.error_consistency import drawn_kappas
from erralign.measures.matrix import percentile_limits
from erralign_book.cells import frozen

# Accuracies of A, B and C; how much the difficulty of a picture decides for A and B, and for C; trials.
THREE_SYSTEMS = {
    "many errors": (0.7, 0.6, 0.8, 0.6, 0.6, 1280),
    "some errors": (0.8, 0.7, 0.85, 0.6, 0.6, 160),
    "about one joint error": (0.97, 0.93, 0.95, 0.6, 0.6, 160),
    "a third of a joint error": (0.985, 0.95, 0.98, 0.6, 0.6, 160),
    "easy, many trials": (0.985, 0.95, 0.98, 0.6, 0.6, 1280),
    "two seeds of one network": (0.75, 0.75, 0.85, 0.95, 0.6, 400),
    "independent of people": (0.97, 0.93, 0.95, 0.0, 0.6, 160),
}
JOINT_ERRORS = (10, 30, 100)
ERRORS = (50, 200, 1000)
SETTINGS = (
    *(("error_consistency", name) for name in THREE_SYSTEMS),
    *(("misclassification_agreement", n) for n in JOINT_ERRORS),
    *(("class_level_error_similarity", n) for n in ERRORS),
)


@frozen(
    "coverage/differences",
    slow=True,
    settings=SETTINGS,
    spot=[("misclassification_agreement", 10), ("misclassification_agreement", 30)],
)
def differences(setting: tuple[str, str | int]) -> pd.DataFrame:
    """Return the coverage of 95 % intervals of paired differences of EC, MA, CLES and accuracy."""
    measure, world = setting
    if measure == "error_consistency":
        return pd.DataFrame(_of_consistency(str(world)))
    if measure == "misclassification_agreement":
        return pd.DataFrame([_of_agreement(int(world), repeated) for repeated in (0.0, 0.8)])
    return pd.DataFrame([_of_similarity(int(world))])


def _of_consistency(setting: str) -> list[dict]:
    *accuracies, of_models, of_people, n = THREE_SYSTEMS[setting]
    cells = worlds.cells_of_many(accuracies, [of_models, of_models, of_people])
    rng = np.random.default_rng(list(setting.encode()))
    found = np.array([_limits(worlds.rights_and_wrongs(cells, n, rng), rng) for _ in range(worlds.DATA_SETS)])
    with_c = [n * cells[0, :, 0].sum(), n * cells[:, 0, 0].sum()]
    of_ec = worlds.consistency_in(cells, 0, 2) - worlds.consistency_in(cells, 1, 2)
    truths = {("error_consistency", "dirichlet"): of_ec, ("error_consistency", "percentile"): of_ec}
    truths["accuracy", "dirichlet"] = accuracies[0] - accuracies[1]
    return [
        {"setting": setting, "measure": measure, "method": method, "trials": n, "joint_errors_a": with_c[0]}
        | {"joint_errors_b": with_c[1], "truth": truth}
        | worlds.held(found[:, i], truth)
        for i, ((measure, method), truth) in enumerate(truths.items())
    ]


def _limits(right: np.ndarray, rng: np.random.Generator) -> list[tuple[float, float]]:
    a, b, c = right
    truth, n_resamples = np.ones_like(a), 2 * worlds.FEWER_RESAMPLES
    of_ec = difference_interval(truth, a, b, c, n_resamples=n_resamples, rng=rng)
    of_accuracy = difference_interval(truth, a, b, measure="accuracy", n_resamples=n_resamples, rng=rng)
    pairs = np.array([0, 1]), np.array([2, 2])
    draws = drawn_kappas(right > 0, pairs, n_resamples, rng, half_counts=False)
    plain = percentile_limits(draws[:, 0] - draws[:, 1], 0.95)[:2]
    return [(of_ec.low, of_ec.high), plain, (of_accuracy.low, of_accuracy.high)]


def _of_agreement(n: int, repeated: float) -> dict:
    """All err on every trial: A gives C's answer with probability .4; B repeats A's, or gives C's with .2."""
    rng = np.random.default_rng([n, 3])
    truth, limits, gap = np.full(n, worlds.N_CLASSES), [], 0.2 * (1 - repeated)
    for _ in range(worlds.DATA_SETS):
        c, *own = rng.integers(worlds.N_CLASSES, size=(3, n))
        a, b = (np.where(rng.random(n) < copied, c, said) for copied, said in zip((0.4, 0.2), own, strict=True))
        b = np.where(rng.random(n) < repeated, a, b)
        found = difference_interval(truth, a, b, c, "misclassification_agreement", n_classes=worlds.N_CLASSES + 1)
        limits.append((found.low, found.high))
    world: dict = {"setting": f"{n} joint errors" + ", a cousin" * (repeated > 0)}
    world |= {"measure": "misclassification_agreement", "method": "wilson", "trials": n}
    world |= {"joint_errors_a": n, "joint_errors_b": n, "truth": gap}
    return world | worlds.held(np.array(limits), gap)


def _of_similarity(errors: int) -> dict:
    """Give A the habits of C, and B others; all err on half of the trials, each on its own."""
    rng = np.random.default_rng([errors, 4])
    own, other = worlds.two_habits()
    systems, n = [(own, 0.5), (other, 0.5), (own, 0.5)], 2 * errors
    truth = float(np.mean([_difference_of_values(worlds.answers(rng, n, *systems)) for _ in range(worlds.DATA_SETS)]))
    measure, limits = "class_level_error_similarity", []
    for _ in range(worlds.DATA_SETS):
        y_true, y_a, y_b, y_c = worlds.answers(rng, n, *systems)
        found = difference_interval(y_true, y_a, y_b, y_c, measure, n_classes=worlds.N_CLASSES)
        limits.append((found.low, found.high))
    world = {"setting": f"{errors} errors each", "measure": measure, "method": "leave-one-out", "trials": n}
    world |= {"joint_errors_a": n / 4, "joint_errors_b": n / 4, "truth": truth}
    return world | worlds.held(np.array(limits), truth)


def _difference_of_values(trials: list[np.ndarray]) -> float:
    y_true, y_a, y_b, y_c = trials
    return value(y_true, y_a, y_c, n_classes=worlds.N_CLASSES) - value(y_true, y_b, y_c, n_classes=worlds.N_CLASSES)
