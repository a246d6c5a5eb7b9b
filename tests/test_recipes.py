"""A measure, a data set and a page are added in a copy of the repository, as CONTRIBUTING says to the letter."""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
from conftest import ROOT

KNOW_ALL_MEASURES = ["behaviour", "house", "malformed", "measures", "names", "own_measures", "private_names", "reports"]
KNOW_ALL_DATA_SETS = ["house", "names", "private_names", "sources"]
KNOW_ALL_PAGES = ["chapters", "house", "law", "written_out"]
ANSWERS = "image,truth,ann,ben,net\n1,cat,cat,cat,cat\n2,cat,cat,cat,cat\n3,cat,dog,dog,dog\n"
ANSWERS += "4,dog,dog,dog,cat\n5,dog,dog,dog,dog\n6,dog,dog,cat,dog\n"


@pytest.fixture
def house(tmp_path):
    """Return a copy of the repository."""
    left_out = shutil.ignore_patterns(".venv", "_build", ".git", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, tmp_path / "house", ignore=left_out)
    return tmp_path / "house"


def followed(house, title):
    """Write the files that a recipe shows at the end of those that it names; return their names, and its commands."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text().partition(f"## {title}")[2].partition("</details>")[0]
    files = re.findall(r"`([\w/.-]+)`[^\n]*:\n\n(`{3,})\w+\n(.*?)^\2$", recipe, flags=re.S | re.M)
    for path, _, text in files:
        with (house / path).open("a", encoding="utf-8") as file:
            file.write(text)
    return [path for path, _, _ in files], re.findall(r"^python -m erralign (.*)$", recipe, flags=re.M)


def run(house, *words, **environment):
    there = {**os.environ, "PYTHONPATH": os.pathsep.join([str(house), str(house / "book")]), **environment}
    done = subprocess.run([sys.executable, *words], cwd=house, env=there, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passes(house, names, **environment):
    tests = [f"tests/test_{name}.py" for name in names]
    return run(house, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-m", "not slow", *tests, **environment)


@pytest.mark.slow
def test_a_measure(house):
    files, _ = followed(house, "Adding a measure")
    assert len(files) == 4
    run(house, "-m", "ruff", "check", "--fix", "erralign")
    passes(house, [*KNOW_ALL_MEASURES, "phi_coefficient"])


@pytest.mark.slow
def test_a_data_set(house, tmp_path):
    place = tmp_path / "data/somebody/animals/archive/0123abc.tar.gz"
    place.parent.mkdir(parents=True)
    with tarfile.open(place, "w:gz") as archive:
        entry = tarfile.TarInfo("animals-0123abc/data/answers.csv")
        entry.size = len(ANSWERS)
        archive.addfile(entry, io.BytesIO(ANSWERS.encode()))
    files, (command,) = followed(house, "Adding a data set")
    assert len(files) == 3
    here = {"ERRALIGN_DATA": str(tmp_path / "data"), "ERRALIGN_OFFLINE": "1", "ERRALIGN_REQUIRE": ""}
    listed = run(house, "-m", "erralign", *re.sub("'", "", command.replace("MIT (LICENSE)", "MIT")).split(), **here)
    assert listed == "data/answers.csv\n"
    passes(house, KNOW_ALL_DATA_SETS, **here)
    # Its own test needs all data, by its fixture; this machine may have only its archive.
    own = "import test_animals2026 as its; its.test_the_answers_are_those_of_the_file(None)"
    sizes = "import erralign; seen = erralign.load('animals2026'); print(erralign.catalog('animals2026')['trials'][0])"
    here["PYTHONPATH"] = os.pathsep.join([str(house), str(house / "book"), str(house / "tests")])
    assert run(house, "-c", f"{own}; {sizes}; assert len(seen.truth) == 6", **here) == "6\n"


@pytest.mark.slow
def test_a_page(house):
    files, commands = followed(house, "Adding a page")
    assert len(files) == 3
    for command in commands:
        run(house, "-m", "erralign", *command.split())
    assert "The hardest is" in (house / "_build/page/_build/html/who-is-right.html").read_text()
    assert (house / "data/frozen/who_is_right").is_dir()
    passes(house, KNOW_ALL_PAGES)
