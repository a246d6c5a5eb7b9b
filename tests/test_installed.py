"""The package installed alone, as a wheel in an empty environment: each command works or says what it needs."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import version

import pytest
from click import Context
from conftest import ROOT, lacking
from test_chapters import NAMES, code

from erralign.cli import main
from erralign.datasets.examples import my_answers
from erralign.reports import compare_file, page
from erralign_book.building import course

# Beside what a bare wheel brings, Colab and Jupyter have these.
BROUGHT_BY_JUPYTER = {"IPython", "ipykernel"}
pytestmark = pytest.mark.slow


def call(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    if "No matching distribution found" in built.stderr:
        lacking("registry", f"pip could not get what building the wheel takes: {built.stderr}")
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel with its plain dependencies."""
    return environment(tmp_path_factory.mktemp("installed"), [wheel])


@pytest.fixture(scope="module")
def colab(wheel, tmp_path_factory):
    """Install the wheel where Colab's packages are already."""
    return environment(tmp_path_factory.mktemp("colab"), ["-r", ROOT / "tests" / "colab.txt"], [wheel])


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


NOWHERE = {  # arguments, status, a part of what is said
    "--version": ("", 0, version("erralign")),
    "plan": ("--ec .3 --accuracy-a .75 --accuracy-b .6 --width .1", 0, "1,357 trials"),
    "compare": ("answers.csv --report report.html", 2, "there is no file 'answers.csv'"),
    "similarity": ("A.npy B.npy", 2, "there is no file 'A.npy'"),
    "run": ("resnet50 --images .", 1, "pip install 'erralign[models] @ git+https"),
    "fetch": ("", 1, "ERRALIGN_OFFLINE"),
    "join": ("a.csv b.csv", 2, "a.csv"),
    "grade": ("handed-in", 2, "there is no folder 'handed-in'"),
    "board": ("check", 2, "the book's repository"),
}
IN_THE_REPOSITORY = {"book": "book", "test": "test", "pictures": "test", "lint": "lint", "check": "lint"}
IN_THE_REPOSITORY["benchmarks"] = "benchmarks"
OF_THE_BOOK = (*IN_THE_REPOSITORY, "course", "slides", "freeze", "crate", "reproduce")


ONE_BY_ONE = """
import json, sys
from click.testing import CliRunner
from erralign.cli import main
said = [CliRunner().invoke(main, line.split()) for line in sys.argv[1:]]
print(json.dumps([[each.exit_code, each.stdout, each.stderr] for each in said]))
"""


def said(installed, folder, *lines):
    """Return status, output and errors of commands, all from one process: most of each is the start of Python."""
    found = installed("python", "-c", ONE_BY_ONE, *lines, cwd=folder)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


@pytest.mark.weekly
def test_a_command_outside_the_repository_works_or_says_in_a_line_what_it_needs(installed, tmp_path):
    asked = NOWHERE | dict.fromkeys(OF_THE_BOOK, ("", 2, "the book's repository"))
    assert set(asked) - {"--version"} == set(main.list_commands(Context(main)))
    lines = [f"{command} {words}" for command, (words, _, _) in asked.items()]
    for answer, (_, status, part) in zip(said(installed, tmp_path, *lines), asked.values(), strict=True):
        assert (answer[0], answer[2].count("\n")) == (status, int(status > 0)), answer
        assert part in answer[1] + answer[2]
    assert list(tmp_path.iterdir()) == []
    assert installed("erralign", "--version", cwd=tmp_path).returncode == 0  # as a program of its own


@pytest.mark.weekly
def test_a_command_in_the_repository_names_the_extra_that_it_needs(installed):
    for answer, extra in zip(said(installed, ROOT, *IN_THE_REPOSITORY), IN_THE_REPOSITORY.values(), strict=True):
        assert (answer[0], answer[1], answer[2].count("\n")) == (1, "", 1), answer
        assert f"pip install -e '.[{extra}]'" in answer[2]


@pytest.mark.weekly
def test_from_a_file_to_a_page_with_charts_in_two_commands(installed, tmp_path):
    """The first command was ``pip install``; the page is the one that a checkout writes."""
    my_answers().to_csv(tmp_path / "answers.csv", index=False)
    words = ("compare", "answers.csv", "--data", "example/animals", "--report", "report.html")
    found = installed("erralign", *words, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    written = (tmp_path / "report.html").read_text()
    compared = compare_file(tmp_path / "answers.csv", "example/animals")
    here = page(compared, command=" ".join(("erralign", *words)), files=[tmp_path / "answers.csv"])
    assert without_versions(written) == without_versions(here)


def without_versions(page):
    return re.sub('<p class="made-with">.*?</p>|vl-convert [0-9.]*', "", page)


@pytest.mark.weekly
def test_a_chapter_in_colab_finds_all_that_it_imports(installed, tmp_path):
    """What a chapter imports comes with the package: its first cell installs nothing else."""
    cells = [ast.parse(cell.source) for name in NAMES for cell in code(name)]
    lines = {ast.unparse(node) for tree in cells for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    lines = {line for line in lines if line.split()[1].partition(".")[0] not in BROUGHT_BY_JUPYTER}
    glue = "from erralign_book.building.glue import glue"
    assert glue in lines
    lines |= {"glue(EC=0.5)", "check('interval-1', 284)"}
    found = installed("python", "-c", "\n".join(sorted(lines, key=lambda line: line.endswith(")"))), cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "interval-1: right." in found.stdout


@pytest.mark.weekly
@pytest.mark.parametrize("name", course.handed_out(ROOT))
def test_a_students_notebook_runs_with_colabs_versions_and_only_the_wheel(site, colab, name, tmp_path):
    shutil.copy(ROOT / course.STUDENTS / f"{name}.ipynb", tmp_path)
    ran = colab("jupyter", "execute", "--timeout=600", f"{name}.ipynb", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-3000:]


def test_the_wheel_is_typed_and_holds_the_package_only(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "erralign/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "notebooks", "benchmarks"))]


# --- an older Python -------------------------------------------------------------------------------------------------

OLDER = "import sys; sys.version_info, sys.version = (3, 10, 13), '3.10.13 (main)'; "


def test_an_older_python_gets_a_sentence():
    found = call(sys.executable, "-c", f"{OLDER} import runpy; runpy.run_module('erralign')", cwd=ROOT)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == "erralign needs Python 3.11 or newer; this is 3.10.13\n"
    for file in ("__init__.py", "__main__.py"):  # which it reads before that sentence
        ast.parse((ROOT / "erralign" / file).read_text(), feature_version=(3, 8))
