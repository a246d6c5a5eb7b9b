"""The commands as a reader types them, and what they say when something is wrong."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from functools import partial

import pytest
import yaml
from conftest import ROOT

from erralign_book.building import chapters, sphinx_alone
from erralign_book.papers.code import PACKAGES

HEADER = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
"""
CHAPTER = """# Title

Why?

```{code-cell} python3
import math
```

```{code-cell} python3
:tags: [parameters]
seed = 1  # any whole number
```

```{code-cell} python3
:tags: [remove-cell, check]
from erralign.errors import check_range

check_range("seed", seed, 0, 99, whole=True)
```

```{code-cell} python3
math.sqrt(seed)
```
"""
TOC = {"format": "jb-book", "root": "index", "parts": [{"caption": "Measures", "chapters": [{"file": "second"}]}]}


def erralign(*arguments, cwd=ROOT, **environment):
    command = [sys.executable, "-m", "erralign", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture
def small_book(tmp_path):
    """Copy the book with two small chapters."""
    for name in ("_config.yml", "dodo.py"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("*.ipynb", "erralign_book"))
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(TOC))
    (tmp_path / "notebooks").mkdir()
    for name in ("index", "second"):
        write(tmp_path, name, CHAPTER)
    return tmp_path


def write(book, name, text):
    (book / "notebooks" / f"{name}.md").write_text(HEADER + text)


def assert_one_line(result, status, *parts):
    assert result.returncode == status, result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    for part in parts:
        assert part in result.stdout + result.stderr


def test_broken_cells_are_all_named_and_the_old_book_stays(small_book):
    assert erralign("book", cwd=small_book).returncode == 0
    notebook, page = small_book / "book/index.ipynb", small_book / "_build/html/index.html"
    before = notebook.read_bytes(), page.read_bytes()
    for name in ("index", "second"):
        write(small_book, name, CHAPTER.replace("math.sqrt(seed)", "math.sqrt(-seed)"))
    result = erralign("book", cwd=small_book)
    assert_one_line(result, 1, "index, code cell 4", "second, code cell 4", "math.sqrt(-seed)", "ValueError")
    assert (notebook.read_bytes(), page.read_bytes()) == before


def test_a_warning_of_sphinx_leaves_the_old_site(small_book):
    write(small_book, "second", CHAPTER.replace("Why?", "Why? {ref}`nowhere`"))
    result = erralign("book", cwd=small_book)
    assert_one_line(result, 1, "book/second.ipynb", "nowhere")
    assert not (small_book / "_build/html").exists()


def test_a_change_of_code_reruns_just_the_chapters_that_use_it(small_book):
    code = small_book / "code"
    for package in PACKAGES:
        shutil.copytree(package, code / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    (code / "data").symlink_to(ROOT / "data")
    uses = CHAPTER.replace("import math", "from erralign import bounds")
    write(small_book, "index", uses.replace("math.sqrt(seed)", "bounds.overlap_bounds(0.7)"))

    def executed():
        command, environment = [sys.executable, "-m", "doit", "run", "chapter"], {**os.environ, "PYTHONPATH": str(code)}
        said = subprocess.run(command, cwd=small_book, capture_output=True, text=True, env=environment, check=True)
        return set(re.findall(r"chapter:(\w+) done", said.stdout))

    def append(line):
        with (code / "erralign" / "bounds.py").open("a") as file:
            file.write(f"\n\n{line}\n")

    assert executed() == {"index", "second"}
    append("def unused(): return 1")
    assert executed() == set()
    append("def overlap_bounds(expected): return 'changed'")
    assert executed() == {"index"}
    assert "changed" in (small_book / "book" / "index.ipynb").read_text()


def test_sphinx_alone_renders_the_same_pages(small_book):
    for name in ("index", "second"):
        chapters.execute(chapters.source(name, small_book), small_book / "book" / f"{name}.ipynb")
    html = sphinx_alone.render(small_book)
    assert {path.stem for path in html.glob("*.html")} == {"index", "second", "search", "genindex", "404"}
    page = (html / "second.html").read_text()
    for part in ("Why?", "sqrt", "made-with", "mybinder.org", "style.css"):
        assert part in page
    assert not re.search(r'<script[^>]*src="http', page)


def test_parameters_give_a_page_of_its_own(small_book):
    (small_book / "params.yml").write_text("second: {seed: 16}")
    page = small_book / "_build/with-parameters/html/second.html"
    said = erralign("book", "--params", "params.yml", cwd=small_book)
    assert_one_line(said, 0, f"with your parameters: {page}")
    assert re.search(">4.0.*your values|your values.*>4.0", page.read_text(), flags=re.S)
    assert ">1.0" in page.with_name("index.html").read_text()
    assert "4.0" not in (small_book / "book/second.ipynb").read_text()
    assert not (small_book / "_build/html").exists()


def test_wrong_parameters(small_book):
    place = small_book / "params.yml"
    for params, parts in {
        "second: {sede: 16}\nindex: {seed: 1}": ["second", "'sede'", "it has seed"],
        "seconds: {seed: 16}": ["'seconds'", "index, second"],
        "second: {seed: much}": ["seed is 'much'; expected a whole number from 0 to 99"],
        "[1, 2]": ["mapping"],
        "second: {": ["params.yml", "not YAML"],
    }.items():
        place.write_text(params)
        assert_one_line(erralign("book", "--params", "params.yml", cwd=small_book), 2, *parts)
        assert not (small_book / "_build").exists()


@pytest.mark.slow
def test_wrong_words_and_places(tmp_path):
    assert_one_line(erralign("book", cwd=tmp_path), 2, "_toc.yml", "repository")
    assert_one_line(erralign("serve", cwd=tmp_path), 1, "python -m erralign book")
    assert_one_line(erralign("serve", "--port", "70000", cwd=tmp_path), 2, "70000", "65535")
    assert_one_line(erralign("bake"), 2, "bake")
    assert "Traceback" in erralign("--debug", "serve", cwd=tmp_path).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_fetch_without_a_network(tmp_path):
    home = str(tmp_path)
    result = erralign("fetch", cwd=tmp_path, ERRALIGN_OFFLINE="1", ERRALIGN_DATA="", HOME=home, XDG_CACHE_HOME=home)
    assert_one_line(result, 1, "ERRALIGN_OFFLINE", "ERRALIGN_DATA")
    assert list(tmp_path.iterdir()) == []


# --- the site on this machine -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_busy_port_offers_the_next(tmp_path):
    (tmp_path / "_build/html").mkdir(parents=True)
    (tmp_path / "_build/html/index.html").write_text("a page")
    with socket.create_server(("localhost", 0)) as busy:
        port = busy.getsockname()[1]
        command = [sys.executable, "-u", "-m", "erralign", "serve", "--port", str(port)]
        # A test run in the background ignores Ctrl-C, and so would its children.
        hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, preexec_fn=hears) as server:
            try:
                assert server.stdout.readline().startswith(f"port {port} is busy; the next that is free is ")
                address = re.match(r"http://localhost:(\d+)", server.stdout.readline())
                assert int(address[1]) > port
                assert urllib.request.urlopen(address[0]).read() == b"a page"
            finally:
                server.send_signal(signal.SIGINT)
    assert server.wait(10) == 0


TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.M))


def test_every_command_in_the_readme_exists():
    readme = (ROOT / "README.md").read_text()
    commands = set(re.findall(r"^  ([a-z]+)  ", erralign("--help").stdout, flags=re.M))
    # In prose "make" is a verb: only what stands as code counts.
    assert set(re.findall(r"(?:^ {4}|`)make ([a-z]+)", readme, flags=re.M)) <= TARGETS <= commands | {"env", "help"}
    assert set(re.findall(r"(?:python -m erralign) ([a-z]+)", readme)) <= commands


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_make_help_lists_every_target():
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"make ([a-z]+)", listed)) >= TARGETS
