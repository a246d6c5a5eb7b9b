"""Both packages installed as wheels in empty environments: the library alone, and with the book where Colab's are."""

import ast
import os
import re
import subprocess
import sys
import venv
import zipfile

import nbformat
import pytest
from conftest import ROOT, lacking
from test_course import read

from erralign.datasets.examples import my_answers
from erralign_book.building import course

pytestmark = pytest.mark.slow


def call(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Build the library's wheel and the book's."""
    folder = tmp_path_factory.mktemp("wheels")
    built = call(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, ROOT / "book")
    if "No matching distribution found" in built.stderr:
        lacking("registry", f"pip could not get what building the wheels takes: {built.stderr}")
    assert built.returncode == 0, built.stderr
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory):
    """Install the library's wheel with its plain dependencies."""
    return environment(tmp_path_factory.mktemp("installed"), wheels[:1])


@pytest.fixture(scope="module")
def colab(wheels, tmp_path_factory):
    """Install both wheels where Colab's packages are already."""
    return environment(tmp_path_factory.mktemp("colab"), ["-r", ROOT / "tests" / "colab.txt"], wheels)


def environment(folder, *steps):
    """Install packages, step by step, and return a function that calls a program of that environment."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    for packages in steps:
        got = call(programs / "python", "-m", "pip", "install", "--quiet", "--no-compile", *packages)
        if got.returncode:
            lacking("registry", f"pip could not install {packages}: {got.stderr}")
    ours = {"PYTHONPATH", "ERRALIGN_DATA", "ERRALIGN_RENDERER"}
    variables = {name: value for name, value in os.environ.items() if name not in ours}
    variables |= {"HOME": str(folder), "XDG_CACHE_HOME": str(folder), "ERRALIGN_OFFLINE": "1"}
    return lambda program, *words, cwd: call(programs / program, *words, cwd=cwd, env=variables)


OF_THE_LIBRARY = {  # command, status, a part of what is said
    "plan --ec .3 --accuracy-a .75 --accuracy-b .6 --width .1": (0, "1,357 trials"),
    "compare answers.csv --report report.html": (2, "there is no file 'answers.csv'"),
    "similarity A.npy B.npy": (2, "there is no file 'A.npy'"),
    "run resnet50 --images .": (1, "pip install 'erralign[models] @ git+https"),
    "features resnet50 --images .": (1, "pip install 'erralign[models] @ git+https"),
    "fetch": (1, "ERRALIGN_OFFLINE"),
    "join a.csv b.csv": (2, "a.csv"),
}
OF_THE_BOOK = dict.fromkeys(("course", "slides", "freeze", "reproduce", "board check"), (2, "the book's repository"))


@pytest.mark.weekly
@pytest.mark.parametrize(("which", "asked"), [("installed", OF_THE_LIBRARY), ("colab", OF_THE_BOOK)])
def test_commands_work_or_name_what_they_need(request, which, asked, tmp_path):
    call_there = request.getfixturevalue(which)
    for command, (status, part) in asked.items():
        answer = call_there("erralign", *command.split(), cwd=tmp_path)
        assert answer.returncode == status, answer
        assert part in answer.stdout + answer.stderr
        assert "Traceback" not in answer.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.weekly
@pytest.mark.parametrize(("command", "extra"), [("book", "book"), ("test", "test"), ("check", "lint")])
def test_in_the_repository_a_command_names_the_extra_that_it_needs(colab, command, extra):
    answer = colab("erralign", command, cwd=ROOT)
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (1, "", 1), answer
    assert f"pip install -e '.[{extra}]'" in answer.stderr


@pytest.mark.weekly
def test_the_library_alone_runs_the_readmes_lines_and_writes_a_page_with_charts(installed, tmp_path):
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S):
        ran = installed("python", "-c", block, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    my_answers().to_csv(tmp_path / "answers.csv", index=False)
    words = ("compare", "answers.csv", "--data", "example/animals", "--report", "report.html")
    found = installed("erralign", *words, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "<svg" in (tmp_path / "report.html").read_text()


@pytest.mark.weekly
@pytest.mark.parametrize("name", course.with_code(ROOT))
def test_a_students_notebook_runs_with_colabs_versions_and_only_the_wheels(site, colab, name, tmp_path):
    nbformat.write(read(course.NOTEBOOKS, name), tmp_path / f"{name}.ipynb")
    ran = colab("jupyter", "execute", "--timeout=600", f"{name}.ipynb", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-3000:]


def test_the_librarys_wheel_is_typed_and_small_and_holds_nothing_of_the_book(wheels):
    names = zipfile.ZipFile(wheels[0]).namelist()
    assert "erralign/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"erralign", "erralign-0.1.0.dist-info"}
    assert [name for name in names if re.search("frozen|course|exercises|published|assets/stimuli", name)] == []
    assert wheels[0].stat().st_size < 2**20


# --- an older Python -------------------------------------------------------------------------------------------------

OLDER = "import sys; sys.version_info, sys.version = (3, 10, 13), '3.10.13 (main)'; "


def test_an_older_python_gets_a_sentence():
    found = call(sys.executable, "-c", f"{OLDER} import runpy; runpy.run_module('erralign')", cwd=ROOT)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == "erralign needs Python 3.11 or newer; this is 3.10.13\n"
    for file in ("__init__.py", "__main__.py"):  # which it reads before that sentence
        ast.parse((ROOT / "erralign" / file).read_text(), feature_version=(3, 8))
