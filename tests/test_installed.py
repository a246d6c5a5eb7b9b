"""Both packages installed as wheels in empty environments: the library alone, and with the book where Colab's are."""

import ast
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import version

import nbformat
import pytest
from conftest import ROOT, lacking
from test_chapters import NAMES, code
from test_course import without_gaps

from erralign.cli import main
from erralign.datasets.examples import my_answers
from erralign.reports import compare_file, page
from erralign_book.building import course
from erralign_book.commands import COMMANDS

# Beside what a bare wheel brings, Colab and Jupyter have these.
BROUGHT_BY_JUPYTER = {"IPython", "ipykernel"}
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


OF_THE_LIBRARY = {  # arguments, status, a part of what is said
    "plan": ("--ec .3 --accuracy-a .75 --accuracy-b .6 --width .1", 0, "1,357 trials"),
    "compare": ("answers.csv --report report.html", 2, "there is no file 'answers.csv'"),
    "similarity": ("A.npy B.npy", 2, "there is no file 'A.npy'"),
    "run": ("resnet50 --images .", 1, "pip install 'erralign[models] @ git+https"),
    "fetch": ("", 1, "ERRALIGN_OFFLINE"),
    "join": ("a.csv b.csv", 2, "a.csv"),
}
IN_THE_REPOSITORY = {"book": "book", "test": "test", "lint": "lint", "check": "lint", "benchmarks": "benchmarks"}
OF_THE_BOOK = dict.fromkeys(
    (*IN_THE_REPOSITORY, "course", "slides", "freeze", "reproduce"), ("", 2, "the book's repository")
)
OF_THE_BOOK |= {
    "grade": ("handed-in", 2, "there is no folder 'handed-in'"),
    "board": ("check", 2, "the book's repository"),
}


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


def works_or_says_in_a_line_what_it_needs(installed, folder, asked):
    lines = [f"{command} {words}" for command, (words, _, _) in asked.items()]
    for answer, (_, status, part) in zip(said(installed, folder, *lines), asked.values(), strict=True):
        assert (answer[0], answer[2].count("\n")) == (status, int(status > 0)), answer
        assert part in answer[1] + answer[2]
    assert list(folder.iterdir()) == []


@pytest.mark.weekly
def test_the_library_alone_has_its_commands_and_is_imported_in_a_tenth_of_a_second(installed, tmp_path):
    assert set(OF_THE_LIBRARY) == set(main.commands)
    works_or_says_in_a_line_what_it_needs(installed, tmp_path, OF_THE_LIBRARY)
    assert version("erralign") in installed("erralign", "--version", cwd=tmp_path).stdout
    assert "No such command 'grade'" in installed("erralign", "grade", cwd=tmp_path).stderr
    runs = [installed("python", "-X", "importtime", "-c", "import erralign", cwd=tmp_path).stderr for _ in range(5)]
    microseconds = [int(run.splitlines()[-1].split("|")[1]) for run in runs]
    assert min(microseconds) < 100_000


@pytest.mark.weekly
def test_the_books_commands_work_or_name_what_they_need(colab, tmp_path):
    assert set(OF_THE_BOOK) == {command.name for command in COMMANDS}
    works_or_says_in_a_line_what_it_needs(colab, tmp_path, OF_THE_BOOK)
    for answer, extra in zip(said(colab, ROOT, *IN_THE_REPOSITORY), IN_THE_REPOSITORY.values(), strict=True):
        assert (answer[0], answer[1], answer[2].count("\n")) == (1, "", 1), answer
        assert f"pip install -e '.[{extra}]'" in answer[2]


@pytest.mark.weekly
def test_the_library_alone_runs_the_readmes_lines_and_writes_a_page_with_charts(installed, tmp_path):
    """The page is the one that a checkout writes."""
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S):
        ran = installed("python", "-c", block, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
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
def test_a_chapter_in_colab_finds_all_that_it_imports(colab, tmp_path):
    """What a chapter imports comes with the packages: its first cell installs nothing else."""
    cells = [ast.parse(cell.source) for name in NAMES for cell in code(name)]
    lines = {ast.unparse(node) for tree in cells for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    lines = {line for line in lines if line.split()[1].partition(".")[0] not in BROUGHT_BY_JUPYTER}
    glue = "from erralign_book.building.glue import glue"
    assert glue in lines
    lines |= {"glue(EC=0.5)", "check('interval-1', 284)"}
    found = colab("python", "-c", "\n".join(sorted(lines, key=lambda line: line.endswith(")"))), cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "interval-1: right." in found.stdout


@pytest.mark.weekly
@pytest.mark.parametrize("name", course.handed_out(ROOT))
def test_a_students_notebook_runs_with_colabs_versions_and_only_the_wheels(site, colab, name, tmp_path):
    nbformat.write(without_gaps(name), tmp_path / f"{name}.ipynb")
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
