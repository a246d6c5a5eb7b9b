"""Measure our speed beside what a user would write: side by side, one thread, medians of repeated runs.

python benchmarks/run.py              pairs, intervals, p-values (minutes) -> {pairs,parts,machine,import,intervals}.csv
python benchmarks/run.py --intervals  the last of these alone               -> intervals.csv
python benchmarks/run.py --scale      500 simulated systems (a minute)      -> scale.csv

all in data/frozen/benchmarks.
"""

import os
import sys

if __name__ == "__main__" and "--scale" not in sys.argv:
    # One thread for all; it counts only before NumPy is loaded.
    libraries = "OMP", "OPENBLAS", "MKL", "NUMBA"
    os.environ |= {f"{library}_NUM_THREADS": "1" for library in libraries}

import platform
import subprocess
import time
from collections import defaultdict
from importlib.metadata import version
from itertools import product
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from tqdm import tqdm

import erralign
from erralign.errors import DataError
from erralign.sources import xu2024

FROZEN = Path(__file__).parents[1] / "data" / "frozen" / "benchmarks"
EC, MA, CLES = "error_consistency", "misclassification_agreement", "class_level_error_similarity"
DATA_SETS = xu2024.data_sets().query("kind == 'synthetic' or data_set == 'image_net_a'")
ROUNDS_AT_LEAST, SECONDS_AT_LEAST = 5, 1.0
# Where the time goes: functions of erralign.pairs that share none of it with each other, and what they do.
PARTS = {
    "_count_both_right": "counting trials on which both are right",
    "_describe": "names, kinds and accuracies of pairs",
    "_wrong_answers": "sparse products of wrong answers",
    "_count_same_answers": "counting equal answers",
    "_count_errors": "sorting errors into matrices",
    "_shared_parts": "comparing cells of two matrices",
}


def comparisons() -> list[tuple]:
    """List measure, opponent, its function, our goal (how many times as fast), and the form that it computes."""
    import opponents

    return [
        (EC, "scikit-learn, pair by pair", opponents.scikit_learn_ec, 500, "released"),
        (EC, "numba, values alone", opponents.numba_ec, 1, "released"),
        (EC, "numba, with the table", opponents.numba_ec_table, 1, "released"),
        (MA, "scikit-learn, pair by pair", opponents.scikit_learn_ma, 50, "released"),
        (CLES, "SciPy, row by row", opponents.scipy_cles_row_by_row, 60, "printed"),
        (CLES, "SciPy, once per pair", opponents.scipy_cles_once_per_pair, 15, "printed"),
    ]


def responses_of(data_set: str) -> tuple[erralign.Responses, str]:
    """Return a public data set, or, where it is not on this machine, simulated answers of the same size."""
    try:
        return erralign.load(f"xu2024/{data_set}"), "real"
    except DataError:
        return simulate(data_set), "simulated"


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


def durations(function, n: int) -> list[float]:
    """Time a function n times."""
    seconds = []
    for _ in range(n):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return seconds


def side_by_side(ours, theirs) -> tuple[float, float]:
    """Take turns, so that a busy moment of the machine hits both, and return both medians."""
    ours(), theirs()  # compiled, and in the cache
    (once,) = durations(theirs, 1)
    rounds = max(ROUNDS_AT_LEAST, min(20, int(SECONDS_AT_LEAST / once)))
    times = [(durations(ours, 5), durations(theirs, 5 if once < 0.02 else 1)) for _ in range(rounds)]
    return tuple(float(np.median(np.concatenate(side))) for side in zip(*times, strict=True))


def check_equal(responses, measure: str, function, variant: str) -> None:
    """Raise unless the opponent's values are ours."""
    theirs = function(responses)
    ours = erralign.pairwise(responses, [measure], variant=variant)
    if isinstance(theirs, pd.DataFrame):
        pd.testing.assert_frame_equal(theirs, ours, rtol=1e-9)
    else:
        np.testing.assert_allclose(theirs, ours[measure], rtol=0, atol=1e-9)


def compare(responses, measure: str, opponent: str, function, goal: float, variant: str) -> dict:
    """Measure one opponent on one data set."""
    check_equal(responses, measure, function, variant)
    ours, theirs = side_by_side(lambda: erralign.pairwise(responses, [measure]), lambda: function(responses))
    return {
        "measure": measure,
        "opponent": opponent,
        "seconds_ours": ours,
        "seconds_opponent": theirs,
        "ratio": theirs / ours,
        "goal": goal,
    }


def printed_form(responses) -> dict:
    """Measure the printed form of CLES, which has no fast road, beside the faster of SciPy's two."""
    import opponents

    ours, theirs = side_by_side(
        lambda: erralign.pairwise(responses, [CLES], variant="printed"),
        lambda: opponents.scipy_cles_once_per_pair(responses),
    )
    return {
        "measure": f"{CLES}, printed",
        "opponent": "SciPy, once per pair",
        "seconds_ours": ours,
        "seconds_opponent": theirs,
        "ratio": theirs / ours,
    }


def measure_pairs() -> tuple[pd.DataFrame, str]:
    """Measure every opponent on every data set."""
    rows, origins = [], set()
    progress = tqdm(DATA_SETS.index, desc="data sets", file=sys.stderr)
    for data_set in progress:
        progress.set_postfix_str(data_set)
        responses, origin = responses_of(data_set)
        origins.add(origin)
        results = [compare(responses, *comparison) for comparison in comparisons()]
        rows += [{"data": data_set} | result for result in [*results, printed_form(responses)]]
    return pd.DataFrame(rows), " and ".join(sorted(origins))


def measure_parts(n: int = 50) -> pd.DataFrame:
    """Say where our time goes: median seconds of each step, and of what is left (the DataFrame, mostly)."""
    rows = []
    for data_set, measure in product(("stylized", "image_net_a"), (EC, MA, CLES)):
        responses, _ = responses_of(data_set)
        runs = [parts_of_one_run(responses, measure) for _ in range(n)]
        medians = pd.DataFrame(runs).fillna(0).median()
        rows += [
            {"data": data_set, "measure": measure, "part": part, "seconds": medians[part]} for part in medians.index
        ]
    return pd.DataFrame(rows)


def parts_of_one_run(responses, measure: str) -> dict:
    """Run ``pairwise`` once with a clock around each step."""
    seconds = defaultdict(float)

    def with_clock(function, part):
        def clocked(*arguments, **options):
            start = time.perf_counter()
            result = function(*arguments, **options)
            seconds[part] += time.perf_counter() - start
            return result

        return clocked

    clocks = {name: with_clock(getattr(erralign.pairs, name), part) for name, part in PARTS.items()}
    with mock.patch.multiple(erralign.pairs, **clocks):
        (whole,) = durations(lambda: erralign.pairwise(responses, [measure]), 1)
    return seconds | {"the rest, most of it the DataFrame": whole - sum(seconds.values())}


def measure_import(n: int = 11) -> pd.DataFrame:
    """Time new processes that import erralign, and bare ones; both files and bytecode are warm."""

    def process(code: str):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    with_package, bare = side_by_side(process("import erralign"), process("pass"))
    return pd.DataFrame([{"seconds": with_package - bare, "bare_python": bare, "goal": 0.7}])


def describe_machine(data: str, load: float) -> pd.DataFrame:
    """Name what the figures depend on."""
    packages = ("numpy", "scipy", "pandas", "scikit-learn", "numba")
    facts = {"python": platform.python_version()} | {name: version(name) for name in packages}
    facts |= {"cores": os.cpu_count(), "data": data, "load at the start": round(load, 2)}
    return pd.DataFrame(facts.items(), columns=["name", "value"])


def store(table: pd.DataFrame, name: str) -> None:
    """Write a table beside its place, and move it in when it is whole."""
    FROZEN.mkdir(parents=True, exist_ok=True)
    beside = FROZEN / f".{name}.csv"
    table.to_csv(beside, index=False, float_format="%.4g")
    beside.replace(FROZEN / f"{name}.csv")
    print(f"{FROZEN / name}.csv")


def main(arguments: list[str]) -> None:
    """Run what was asked for."""
    if "--scale" in arguments:
        import scale

        return store(scale.measure(), "scale")
    import intervals

    if "--intervals" in arguments:
        return store(intervals.measure(), "intervals")
    load, *_ = os.getloadavg()  # a figure taken on a busy machine should say so
    pairs, data = measure_pairs()
    if data != "real":
        print(f"the data are {data}: answers of the same sizes were drawn where the raw data are not on this machine")
    store(pairs, "pairs")
    store(describe_machine(data, load), "machine")
    store(measure_parts(), "parts")
    store(measure_import(), "import")
    store(intervals.measure(), "intervals")
    large = pairs["data"].eq("image_net_a").rename("ImageNet-A")
    medians = pairs.groupby(["measure", "opponent", large])[["ratio", "goal"]].median()
    print(medians.to_string(float_format="%.2f"))
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
