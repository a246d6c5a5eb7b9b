"""The commands as a reader types them, and what they say when something is wrong."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import yaml
from builders import typed
from conftest import ROOT

from erralign import cli
from erralign.datasets import answers, archives
from erralign.models import libraries
from erralign.models.running import find_pictures
from erralign_book.building.dependencies import PACKAGES
from erralign_book.commands import COMMANDS

CHAPTER = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
# Title

Why?

```{code-cell} python3
import math
```

```{code-cell} python3
:tags: [parameters]
seed = 1  # any whole number
```

```{code-cell} python3
math.sqrt(seed)
```
"""
TOC = {"format": "jb-book", "root": "index", "parts": [{"caption": "Measures", "chapters": [{"file": "second"}]}]}


def erralign(*arguments, cwd=ROOT, **environment):
    command = [sys.executable, "-m", "erralign", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a book of two small chapters, of which one uses the package."""
    folder = tmp_path_factory.mktemp("built")
    for name in ("_config.yml", "dodo.py", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "book", folder / "book", ignore=shutil.ignore_patterns("*.ipynb", "erralign_book"))
    (folder / "_toc.yml").write_text(yaml.safe_dump(TOC))
    no_course = yaml.safe_load((ROOT / "book/term.yml").read_text()) | {"weeks": []}
    (folder / "book/term.yml").write_text(yaml.safe_dump(no_course))
    (folder / "notebooks").mkdir()
    uses = CHAPTER.replace("import math", "from erralign import bounds")
    write(folder, "index", uses.replace("math.sqrt(seed)", "bounds.overlap_bounds(0.7)"))
    write(folder, "second", CHAPTER)
    assert_says(erralign("book", cwd=folder), 0, "the book: ")
    return folder


@pytest.fixture
def small_book(built, tmp_path):
    """Copy the built book: nothing in it has to be done again."""
    return shutil.copytree(built, tmp_path, dirs_exist_ok=True)


def write(book, name, text):
    (book / "notebooks" / f"{name}.md").write_text(text)


def assert_says(result, status, *parts):
    output = result.stdout + result.stderr
    assert result.returncode == status, output
    assert [part for part in parts if part not in output] == []
    assert "Traceback" not in output


@pytest.mark.weekly
def test_broken_cells_and_warnings_of_sphinx_are_named_and_the_old_book_stays(small_book):
    pages = [small_book / "book" / "index.ipynb", small_book / "_build" / "html" / "second.html"]
    before = [page.read_bytes() for page in pages]
    write(small_book, "second", CHAPTER.replace("Why?", "Why? {ref}`nowhere`"))
    assert_says(erralign("book", cwd=small_book), 1, "book/second.ipynb", "nowhere")
    for name in ("index", "second"):
        write(small_book, name, CHAPTER.replace("math.sqrt(seed)", "math.sqrt(-seed)"))
    result = erralign("book", cwd=small_book)
    assert_says(result, 1, "index, code cell 3", "second, code cell 3", "math.sqrt(-seed)", "ValueError")
    assert [page.read_bytes() for page in pages] == before


@pytest.mark.weekly
def test_a_change_of_code_reruns_just_the_chapters_that_use_it(small_book):
    code = small_book / "code"
    for package in PACKAGES:
        shutil.copytree(package, code / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    (code / "data").symlink_to(ROOT / "data")
    environment = {**os.environ, "PYTHONPATH": str(code)}
    for line, rerun in (("def unused(): return 1", set()), ("def overlap_bounds(expected): return 'other'", {"index"})):
        with (code / "erralign" / "bounds.py").open("a") as file:
            file.write(f"\n\n{line}\n")
        command = [sys.executable, "-m", "doit", "list", "--all", "--status"]
        run = subprocess.run(command, cwd=small_book, capture_output=True, text=True, env=environment, check=True)
        assert set(re.findall(r"R chapter:(\w+)", run.stdout)) == rerun


@pytest.mark.slow
@pytest.mark.parametrize("torn", [lambda whole: whole[: len(whole) // 2], lambda whole: bytes(len(whole))])
def test_what_the_build_remembers_heals_by_itself(small_book, torn):
    memory = small_book / "_build" / "doit.json"
    memory.write_bytes(torn(memory.read_bytes()))
    command = [sys.executable, "-m", "doit", "list", "--all", "--status"]
    run = subprocess.run(command, cwd=small_book, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert set(re.findall(r"R chapter:(\w+)", run.stdout)) == {"index", "second"}


def test_a_page_that_is_none_is_refused(monkeypatch):
    monkeypatch.chdir(ROOT)
    run = typed("book", "--page", "reproducing-xu-2025")
    assert (run.exit_code, run.output.count("\n")) == (2, 1)
    assert "reproducing-xu-2024" in run.output


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_a_command_of_the_book_says_so_where_only_the_library_is_installed(monkeypatch, command):
    monkeypatch.setattr(cli, "_plugged_in", dict)
    run = typed(command)
    assert (run.exit_code, run.output.count("\n")) == (2, 1)
    assert f"{command} is a command of the book" in run.output


def test_too_little_memory_is_said_in_a_line(monkeypatch, tmp_path):
    (tmp_path / "answers.csv").write_text("image,truth,a,b\n1,cat,cat,dog\n2,dog,cat,dog\n")
    monkeypatch.setattr(answers, "read_table", Mock(side_effect=MemoryError("Unable to allocate 8 GiB")))
    run = typed("compare", tmp_path / "answers.csv")
    assert run.exit_code == 1
    assert run.stderr == "erralign: this needs more memory than there is: Unable to allocate 8 GiB\n"


# Windows, a bare container, in which files and streams are ASCII to Python, and a Turkish machine.
PLACES = [
    {"PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
]
ANYWHERE = [
    "compare answers.csv --report report.html",
    "compare answers.csv --report report.md",
    "compare answers.csv --json",
    "compare missing.csv",
    "join answers.csv --to joined.csv",
    "similarity mine.npy theirs.npy",
    "plan --ec .3 --accuracy-a .75 --accuracy-b .6 --width .1",
]


@pytest.mark.slow
@pytest.mark.parametrize("command", ANYWHERE)
def test_a_command_says_and_writes_the_same_bytes_anywhere(tmp_path, command):
    rng, words = np.random.default_rng(113), ["İnek", "ığdır", "Hund", "Katze"]
    said = [[words[(i + (rng.random() < 0.3)) % 4] for i in range(80)] for _ in range(2)]
    rows = [f"bild–{i},{words[i % 4]},{a},{b}" for i, (a, b) in enumerate(zip(*said, strict=True))]
    (tmp_path / "answers.csv").write_text("\n".join(["image,truth,net−1,Zoë", *rows, ""]), encoding="utf-8")
    for name in ("mine", "theirs"):
        np.save(tmp_path / f"{name}.npy", rng.normal(size=(40, 6)))
    before, results = set(tmp_path.iterdir()), []
    for place in ({}, *PLACES):
        line = [sys.executable, "-m", "erralign", *command.split()]
        run = subprocess.run(line, cwd=tmp_path, capture_output=True, env={**os.environ, **place})
        assert b"Traceback" not in run.stderr
        written = {path.name: path.read_bytes() for path in set(tmp_path.iterdir()) - before}
        results.append((run.returncode, run.stdout, run.stderr, written))
        for name in written:
            (tmp_path / name).unlink()
    assert [result == results[0] for result in results] == [True] * 4
    assert results[0][0] == (2 if "missing" in command else 0)


@pytest.mark.slow
def test_the_builder_itself_names_the_command_that_executes_first(tmp_path):
    house = shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks").parent
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, house)
    builder = Path(sys.executable).with_name("jupyter-book")
    run = subprocess.run([builder, "build", "."], cwd=house, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].endswith("type  make book")
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_wrong_words_and_places(tmp_path):
    assert_says(erralign("book", cwd=tmp_path), 2, "_toc.yml", "repository")
    assert_says(erralign("bake"), 2, "bake")
    assert_says(erralign("run", "a", "--data", "geirhos2020/edgess", cwd=tmp_path), 2, "'geirhos2020/edges'")
    assert "Traceback" in erralign("--debug", "book", cwd=tmp_path).stderr
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a.csv").write_text("truth,a,b\n1,1,2\n")
    assert_says(erralign("compare", "a.csv", "--report", "a.pdf", cwd=tmp_path), 2, "'.pdf'", ".html, .md")


@pytest.mark.slow
def test_a_minus_sign_is_written_where_the_code_page_has_none(tmp_path):
    """Where Windows redirects output, it asks for cp1252."""
    rows = "1,cat,dog,cat\n2,dog,dog,cat\n3,cat,cat,cat\n4,fox,fox,fox"
    (tmp_path / "answers.csv").write_text(f"image,truth,a,b\n{rows}\n")
    run = erralign("compare", "answers.csv", cwd=tmp_path, PYTHONIOENCODING="cp1252")
    assert run.returncode == 0, run.stderr
    assert "−0.33" in run.stdout


def test_every_command_that_readme_and_makefile_name_exists():
    commands = set(re.findall(r"^  ([a-z]+)  ", erralign("--help").stdout, flags=re.M))
    readme, makefile = ((ROOT / name).read_text() for name in ("README.md", "Makefile"))
    assert set(re.findall(r"(?:python -m erralign) ([a-z]+)", readme)) <= commands
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.M))
    # In prose "make" is a verb: only what stands as code counts.
    assert set(re.findall(r"(?:^ {4}|`)make ([a-z]+)", readme, flags=re.M)) <= targets


def test_pictures_that_are_missing_are_said_before_torch_is_imported(monkeypatch):
    monkeypatch.setattr(archives, "_places", lambda key: [])
    monkeypatch.setattr(libraries, "check_installed", lambda: None)
    monkeypatch.setattr(libraries, "torch", lambda: pytest.fail("torch was imported"))
    find_pictures.cache_clear()
    run = typed("run", "resnet50", "--data", "geirhos2020/edges")
    first, last = run.stderr.splitlines()
    assert (run.exit_code, run.stdout, first) == (1, "", "looking for the pictures")
    assert "the pictures of geirhos2020/edges are not on this machine: get" in last
