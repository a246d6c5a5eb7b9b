"""The cases for packages in any language: our values, and those that were recorded of other packages."""

import importlib.util
import json
import re
from fractions import Fraction
from pkgutil import resolve_name

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

import erralign

FOLDER = ROOT / "data/conformance"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["cases"]
FUNCTIONS = {short: measure.function for short, measure in erralign.MEASURES.items()} | {"CAPA": erralign.capa}
NAMES = {"truth": "y_true", "a": "y_a", "b": "y_b"}
SAID = {"name", "measure", "why", "value"}


def expected(case):
    return np.nan if case["value"] is None else float(Fraction(case["value"]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_package_gives_the_value_of_each_case(case):
    given = {NAMES.get(name, name): value for name, value in case.items() if name not in SAID}
    if case["measure"] == "CAPA":  # rows of items with fewer options are shorter
        given["n_options"] = [len(row) for row in case["p_a"]]
        most = max(given["n_options"])
        given |= {name: [row + [0] * (most - len(row)) for row in case[name]] for name in ("p_a", "p_b")}
    found = FUNCTIONS[case["measure"].partition(" ")[0]](**given)
    assert found == pytest.approx(expected(case), abs=1e-12, nan_ok=True)


def test_other_packages_give_what_is_recorded_where_they_are_installed():
    place = ROOT / "benchmarks/conformance.py"
    spec = importlib.util.spec_from_file_location("conformance", place)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    found = pd.DataFrame(script.lines(CASES), columns=["package", "version", "case", "result"])
    recorded = pd.read_csv(FOLDER / "others.csv", dtype=str, keep_default_na=False)
    both = found.merge(recorded, on=["package", "case"], validate="one_to_one")
    assert set(both["package"]) >= {"scikit-learn"}
    assert len(both) == len(found)
    np.testing.assert_allclose(both["result_x"].astype(float), both["result_y"].astype(float), atol=1e-12)


def test_the_steps_that_are_timed_are_functions_of_the_package():
    """They go by name: one that was moved would end a run of twenty minutes."""
    timed = re.findall(r'^    "(measures\.[\w.]+)":', (ROOT / "benchmarks/side_by_side.py").read_text(), re.MULTILINE)
    assert sum(callable(resolve_name(f"erralign.{name}")) for name in timed) == 5
