"""What the files around the package say of it: README, citation, the first cell of a notebook."""

import json
import re
import sys
import tomllib
import types
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import ROOT
from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement
from pybtex.database import parse_file

import erralign
from erralign.errors import REPOSITORY, install_line
from erralign_book.building import crate
from erralign_book.building.course import FIRST_CELL

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
COMMIT = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}\b")
LINK = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([0-9a-f]+)/([^)\s]+)")


def test_the_citation_names_version_date_and_every_paper_of_the_ledger():
    entries = parse_file(ROOT / "book/references.bib").entries
    titles = {name: re.sub("[{}]", "", entry.fields["title"]) for name, entry in entries.items()}
    cited = {reference["title"] for reference in CITATION["references"]}
    papers = set(pd.read_csv(ROOT / "data/published.csv")["paper"])
    assert {titles[paper] for paper in papers} <= cited <= set(titles.values())


def test_a_cited_commit_is_the_newest_that_its_file_needs():
    """As stored copies of the repositories had them in November 2026, by ``git log -1 --format=%H HEAD -- FILE``."""
    known = pd.read_csv(Path(__file__).with_name("citations.csv"))
    pages = "\n".join(page.read_text() for page in sorted((ROOT / "notebooks").glob("*.md")))
    newest = {*known["newest"], *known["head"]}
    assert [cited for cited in COMMIT.findall(pages) if not any(sha.startswith(cited) for sha in newest)] == []
    linked = known.set_index(["repository", "file"])
    for repository, commit, file in LINK.findall(pages):
        assert commit in linked.loc[(repository, file)].to_numpy(), file
    assert all(repository in pages for repository in known["repository"])


def test_one_version_and_one_date_stand_in_all_files():
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert CITATION["version"] == codemeta["version"] == erralign.__version__
    assert codemeta["datePublished"] == str(CITATION["date-released"])
    assert heading in ("Unreleased", f"{erralign.__version__} ({CITATION['date-released']})")


def test_every_line_that_installs_an_extra_is_the_one_of_the_package():
    """A page that says less installs nothing: the package is on no index yet."""
    texts = [ROOT / "README.md", *(ROOT / "notebooks").glob("*.md"), *(ROOT / "erralign").rglob("*.py")]
    found = {line for path in texts for line in re.findall(r"pip install '?erralign\[[^`\n]*", path.read_text())}
    found.remove("pip install 'erralign[{extra}] @ git+{REPOSITORY}'\"")  # the line that makes them
    assert found == {install_line(extra) for extra in ("models", "inspect")}
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"] == REPOSITORY


def test_the_crate_is_what_the_frozen_tables_say(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert (ROOT / crate.FILE).read_text() == crate.written(), "write it anew: python -m erralign crate"


@pytest.mark.parametrize("place", ["Colab", "elsewhere"])
def test_the_first_cell_of_a_notebook_that_is_handed_out_installs_the_package_in_colab_only(monkeypatch, place):
    called = []
    shell = InteractiveShell()
    shell.register_magic_function(called.append, magic_name="pip")
    if place == "Colab":
        monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    shell.run_cell(FIRST_CELL.format(repository=REPOSITORY, commit="abc1234")).raise_error()
    kept = " ".join(f"{name}=={version(name)}" for name in ("numpy", "pandas", "scipy"))
    assert called == ([f"install --quiet {kept} git+{CITATION['repository-code']}@abc1234"] if place == "Colab" else [])


def test_conda_and_binder_install_what_the_package_needs_and_no_torch():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {str(Requirement(each)) for each in project["dependencies"]}
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    named = {str(Requirement(each)) for each in conda if isinstance(each, str)}
    others = {"jupyterlab", "pip", "vl-convert-python", "python"}
    assert needed <= named
    assert {Requirement(each).name for each in named - needed} == others
    (lock,) = re.findall(r"^-r (.*)$", (ROOT / ".binder/requirements.txt").read_text(), re.M)
    pinned = set(re.findall(r"^([\w.-]+)", (ROOT / ".binder" / lock).read_text(), re.M))
    assert {Requirement(each).name for each in needed} <= pinned
    assert "torch" not in pinned
