"""``erralign.pairwise`` beside what a user would write, where its time goes, and how long the import takes."""

from __future__ import annotations

import importlib
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from itertools import product
from typing import NamedTuple
from unittest import mock

import numpy as np
import opponents
import pandas as pd
from tqdm import tqdm

import erralign
from erralign._validation import DataError
from erralign.behaviour import cles
from erralign.datasets import xu2024

EC, MA, CLES = "EC", "MA", "CLES"
DATA_SETS = xu2024.data_sets().query("kind == 'synthetic' or data_set == 'image_net_a'")
ROUNDS_AT_LEAST, SECONDS_AT_LEAST = 5, 1.0
# Where the time goes: functions of erralign that share none of it with each other, and what they do.
PARTS = {
    "measures.matrix.count_together": "counting trials on which both are right",
    "measures.misclassification_agreement._joint_errors_and_chance": "sparse products of wrong answers",
    "measures.class_level_error_similarity._one_sided": "comparing cells of two matrices",
}
# What a new process does, and the seconds of processor time beyond a bare Python that we aim at.
IMPORTS = {
    "import erralign": 0.3,
    "import erralign; erralign.error_consistency": None,
    "import erralign; erralign.pairwise": None,
}


class Comparison(NamedTuple):
    """A measure, an opponent, and how many times as fast we want to be.

    SciPy has the printed form of CLES only: the released form, ours by default, is timed beside it too.
    """

    measure: str
    opponent: str
    function: Callable[[erralign.Responses], np.ndarray | pd.DataFrame]
    goal: float | None
    timed: str = "released"
    equal: str = "released"


COMPARISONS = (
    Comparison(EC, "scikit-learn, pair by pair", opponents.scikit_learn_ec, 500),
    Comparison(EC, "numba, values alone", opponents.numba_ec, 1),
    Comparison(EC, "numba, with the table", opponents.numba_ec_table, 1),
    Comparison(MA, "scikit-learn, pair by pair", opponents.scikit_learn_ma, 50),
    Comparison(CLES, "SciPy, row by row", opponents.scipy_cles_row_by_row, 60, equal="printed"),
    Comparison(CLES, "SciPy, once per pair", opponents.scipy_cles_once_per_pair, 15, equal="printed"),
    Comparison(CLES, "SciPy, once per pair", opponents.scipy_cles_once_per_pair, None, "printed", "printed"),
)


def pairs() -> pd.DataFrame:
    """Measure every opponent on every data set."""
    rows = []
    progress = tqdm(DATA_SETS.index, desc="data sets", file=sys.stderr, leave=False)
    for data_set in progress:
        progress.set_postfix_str(data_set)
        responses = responses_of(data_set)
        rows += [{"data": data_set} | compare(responses, comparison) for comparison in COMPARISONS]
    return pd.DataFrame(rows)


def compare(responses: erralign.Responses, comparison: Comparison) -> dict:
    """Measure one opponent on one data set."""
    check_equal(responses, comparison)
    ours, theirs = side_by_side(
        lambda: values_of_pairs(responses, comparison.measure, comparison.timed),
        lambda: comparison.function(responses),
    )
    form = "" if comparison.timed == "released" else f", {comparison.timed}"
    return {
        "measure": f"{comparison.measure}{form}",
        "opponent": comparison.opponent,
        "seconds_ours": ours,
        "seconds_opponent": theirs,
        "ratio": theirs / ours,
        "goal": comparison.goal,
    }


def check_equal(responses: erralign.Responses, comparison: Comparison) -> None:
    """Raise unless the opponent's values are ours."""
    theirs = comparison.function(responses)
    ours = values_of_pairs(responses, comparison.measure, comparison.equal)
    if isinstance(theirs, pd.DataFrame):
        pd.testing.assert_frame_equal(theirs, ours, rtol=1e-9)
    else:
        np.testing.assert_allclose(theirs, ours[comparison.measure], rtol=0, atol=1e-9)


def values_of_pairs(responses: erralign.Responses, measure: str | erralign.Measure, variant: str) -> pd.DataFrame:
    """Call ``pairwise`` for one measure; only CLES comes in variants."""
    if measure == CLES:
        measure = cles(variant=variant)
    return erralign.pairwise(responses, measure)


def side_by_side(ours: Callable, theirs: Callable) -> tuple[float, float]:
    """Take turns, so that a busy moment of the machine hits both, and return both medians."""
    ours(), theirs()  # compiled, and in the cache
    (once,) = durations(theirs, 1)
    rounds = max(ROUNDS_AT_LEAST, min(20, int(SECONDS_AT_LEAST / once)))
    times = [(durations(ours, 5), durations(theirs, 5 if once < 0.02 else 1)) for _ in range(rounds)]
    return tuple(float(np.median(np.concatenate(side))) for side in zip(*times, strict=True))


def durations(function: Callable, n: int) -> list[float]:
    """Time a function n times."""
    seconds = []
    for _ in range(n):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return seconds


def summary(table: pd.DataFrame) -> str:
    """Set medians beside goals: ImageNet-A, and the small sets."""
    large = table["data"].eq("image_net_a").rename("ImageNet-A")
    medians = table.groupby(["measure", "opponent", large])[["ratio", "goal"]].median()
    return medians.to_string(float_format="%.2f")


def parts(n: int = 50) -> pd.DataFrame:
    """Say where our time goes: median seconds of each step, and of what is left (the DataFrame, mostly)."""
    rows = []
    for data_set, measure in product(("stylized", "image_net_a"), (EC, MA, CLES)):
        responses = responses_of(data_set)
        medians = pd.DataFrame([parts_of_one_run(responses, measure) for _ in range(n)]).fillna(0).median()
        rows += [
            {"data": data_set, "measure": measure, "part": part, "seconds": medians[part]} for part in medians.index
        ]
    return pd.DataFrame(rows)


def parts_of_one_run(responses: erralign.Responses, measure: str) -> dict:
    """Run ``pairwise`` once with a clock around each step."""
    seconds = defaultdict(float)

    def with_clock(function, part):
        def clocked(*arguments, **options):
            start = time.perf_counter()
            result = function(*arguments, **options)
            seconds[part] += time.perf_counter() - start
            return result

        return clocked

    with ExitStack() as clocks:
        for name, part in PARTS.items():
            module, _, function = name.rpartition(".")
            module = importlib.import_module(f"erralign.{module}")
            clocks.enter_context(mock.patch.object(module, function, with_clock(getattr(module, function), part)))
        (whole,) = durations(lambda: erralign.pairwise(responses, [measure]), 1)
    return seconds | {"the rest, most of it the DataFrame": whole - sum(seconds.values())}


def imports(n: int = 21) -> pd.DataFrame:
    """Time new processes that import erralign, beside bare ones; both files and bytecode are warm.

    It is processor time: a process is so short that what else runs on the machine would decide by the clock.
    """
    seconds = defaultdict(list)
    for _ in tqdm(range(n), desc="imports", file=sys.stderr, leave=False):
        for code in ("pass", *IMPORTS):
            before = processor_time_of_children()
            subprocess.run([sys.executable, "-c", code], check=True)
            seconds[code].append(processor_time_of_children() - before)
    bare = float(np.median(seconds["pass"]))
    return pd.DataFrame(
        {"code": code, "seconds": float(np.median(seconds[code])) - bare, "bare_python": bare, "goal": goal}
        for code, goal in IMPORTS.items()
    )


def processor_time_of_children() -> float:
    """Return how long the processors have worked for the processes that this one has started and seen end."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def data_are() -> str:
    """Say whether the public data are on this machine, or answers of the same sizes take their place."""
    return "simulated" if responses_of(DATA_SETS.index[0]).name.startswith("simulated") else "real"


def responses_of(data_set: str) -> erralign.Responses:
    """Return a public data set, or, where the data are not on this machine, simulated answers of the same size."""
    try:
        return erralign.load(f"xu2024/{data_set}")
    except DataError:
        return simulate(data_set)


def simulate(data_set: str) -> erralign.Responses:
    """Draw answers of as many systems, trials and classes; errors fall near the true class, as confusions do."""
    size, systems, rng = DATA_SETS.loc[data_set], xu2024.systems_of(data_set), np.random.default_rng(0)
    truth = np.sort(rng.integers(size["classes"], size=size["trials"]))
    shape = size["trials"], len(systems)
    error_rate = 0.85 if data_set == "image_net_a" else 0.4
    offsets = 1 + rng.exponential(size["classes"] / 8, size=shape).astype(int)
    answers = (truth[:, None] + np.where(rng.random(shape) < error_rate, offsets, 0)) % size["classes"]
    classes = tuple(map(str, range(size["classes"])))
    return erralign.Responses(
        f"simulated/{data_set}", pd.Series(truth), pd.DataFrame(answers, columns=systems.index), classes, systems
    )
