"""What the files around the package say of it: README, citation, a first cell; cases for packages in any language."""

import importlib
import json
import re
import sys
import tomllib
import types
from fractions import Fraction
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT
from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement
from pybtex.database import parse_file

import erralign
from erralign._validation import REPOSITORY, install_line
from erralign_book.building.course import FIRST_CELL, PACKAGES

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def test_the_citation_names_every_paper_of_the_ledger():
    entries = parse_file(ROOT / "book/references.bib").entries
    titles = {name: re.sub("[{}]", "", entry.fields["title"]) for name, entry in entries.items()}
    cited = {reference["title"] for reference in CITATION["references"]}
    assert {titles[paper] for paper in pd.read_csv(ROOT / "data/published.csv")["paper"]} <= cited


def test_one_version_and_one_date_stand_in_all_files():
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    book = tomllib.loads((ROOT / "book/pyproject.toml").read_text())["project"]
    assert CITATION["version"] == codemeta["version"] == book["version"] == erralign.__version__
    assert f"erralign=={erralign.__version__}" in book["dependencies"]
    assert codemeta["datePublished"] == str(CITATION["date-released"])


def test_every_line_that_installs_an_extra_is_the_one_of_the_package():
    """A page that says less installs nothing: the package is on no index yet."""
    texts = [ROOT / "README.md", *(ROOT / "notebooks").glob("*.md")]
    found = {line for path in texts for line in re.findall(r"pip install '?erralign\[[^`\n]*", path.read_text())}
    assert found == {install_line("models"), install_line("inspect")}


def test_the_readmes_three_lines_give_what_they_say():
    code = re.search(r"```python\n(import erralign\n.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)[1]
    names: dict = {}
    exec(code, names)
    said = re.findall(r"^(erralign\.\w+\(.*?\))  # ([\d.]+):", code, re.M)
    assert len(said) == 3
    assert [f"{eval(call, names):.2f}" for call, _ in said] == [value for _, value in said]


@pytest.mark.parametrize("place", ["Colab", "elsewhere"])
def test_the_first_cell_of_a_notebook_that_is_handed_out_installs_both_packages_in_colab_only(monkeypatch, place):
    called = []
    shell = InteractiveShell()
    shell.register_magic_function(called.append, magic_name="pip")
    if place == "Colab":
        monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    packages = PACKAGES.format(repository=REPOSITORY, at="@abc1234")
    shell.run_cell(FIRST_CELL.format(packages=packages)).raise_error()
    kept = " ".join(f"{name}=={version(name)}" for name in ("numpy", "pandas", "scipy"))
    ours = f"git+{CITATION['repository-code']}@abc1234"
    assert called == ([f"install --quiet {kept} {ours} {ours}#subdirectory=book"] if place == "Colab" else [])


OF_CONDA = {"torch": "pytorch"}  # where a package has another name there


def test_conda_installs_what_the_book_and_its_networks_need():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [Requirement(each) for each in [*project["dependencies"], *extras["book"], *extras["models"]]]
    needed += map(Requirement, tomllib.loads((ROOT / "book/pyproject.toml").read_text())["project"]["dependencies"])
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    (by_pip,) = (each["pip"] for each in listed if isinstance(each, dict))
    lines = [each for each in [*listed, *by_pip] if isinstance(each, str)]
    assert {"-e .", "-e book"} <= {*lines}
    there = {each.name: each.specifier for each in map(Requirement, (line for line in lines if line[0] != "-"))}
    for each in needed:
        if each.name != "erralign":
            assert there[OF_CONDA.get(each.name, each.name)] == each.specifier, each.name


def test_binder_installs_what_the_package_needs_and_no_torch():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (lock,) = re.findall(r"^-r (.*)$", (ROOT / ".binder/requirements.txt").read_text(), re.M)
    pinned = set(re.findall(r"^([\w.-]+)", (ROOT / ".binder" / lock).read_text(), re.M))
    assert {Requirement(each).name for each in project["dependencies"]} <= pinned
    assert "torch" not in pinned


# --- cases for packages in any language: our values, and what was recorded of others ----------------------------------


FOLDER = ROOT / "data/conformance"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["cases"]
FUNCTIONS = {short: measure.function for short, measure in erralign.MEASURES.items()} | {"CAPA": erralign.capa}
NAMES = {"truth": "y_true", "a": "y_a", "b": "y_b"}
SAID = {"name", "measure", "why", "value"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_package_gives_the_value_of_each_case(case):
    given = {NAMES.get(name, name): value for name, value in case.items() if name not in SAID}
    if case["measure"] == "CAPA":  # rows of items with fewer options are shorter
        given["n_options"] = [len(row) for row in case["p_a"]]
        most = max(given["n_options"])
        given |= {name: [row + [0] * (most - len(row)) for row in case[name]] for name in ("p_a", "p_b")}
    found, value = FUNCTIONS[case["measure"].partition(" ")[0]](**given), case["value"]
    expected = np.nan if value is None else float(Fraction(value))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_other_packages_give_what_is_recorded_where_they_are_installed(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = importlib.import_module("conformance")
    found = pd.DataFrame(script.lines(CASES), columns=["package", "version", "case", "result"])
    recorded = pd.read_csv(FOLDER / "others.csv", dtype=str, keep_default_na=False)
    both = found.merge(recorded, on=["package", "case"], validate="one_to_one")
    assert "scikit-learn" in set(both["package"])
    assert len(both) == len(found)
    np.testing.assert_allclose(both["result_x"].astype(float), both["result_y"].astype(float), atol=1e-12)
