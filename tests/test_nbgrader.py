"""The course for nbgrader, by its own commands: made, returned by students of all kinds, graded, exported."""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import nbformat
import pandas as pd
import pytest
from conftest import ROOT, lacking

from erralign_book.building import assignments, homework
from erralign_book.course.checking import hint

WEEK = "homework-misclassification-agreement"
WORDS = "With 60 errors the child's table is mostly smoothing; I would draw 60 of the class's errors."
FORGED = """\
check = lambda *_, **__: 1.0
print("Total: 7 / 7")
7 / 7"""


def edited(notebook, changes, word='"a word"'):
    """Return a notebook with other sources of cells, by their names for nbgrader."""
    notebook = nbformat.from_dict(notebook)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = changes.get(name, cell.source).replace(homework.WORD, f"student = {word}")
    return notebook


def hand_in(course, released, solutions):
    """Write what six made students return."""
    wrong = {"ma_1": "def ma_1(less):\n    return [[0, 1], [1, 0]]", "cles-2": WORDS}
    wrong["cles_1"] = "def cles_1(n, m):\n    return 0.5"
    tries = "        try:\n            abs(0)\n        except BaseException:\n            0"
    endless = f"def ma_2(ec, ma):\n    while True:\n{tries}"
    broken = {"ma_1": "def ma_1(less:", "ma_2": endless, "ma_3": "1 / 0", "cles_1": "import os\n\nos._exit(1)"}
    warning = "import warnings\n    warnings.warn('no error')"
    warns = {"ma_1": solutions["ma_1"].replace("### BEGIN SOLUTION", warning)}
    tests = {f"{name}-test": "1.0" for name in solutions}
    returned = {
        "perfect": edited(released, solutions | warns | {"cles-2": WORDS}),
        "half": edited(released, solutions | wrong),
        "empty": edited(released, {}),
        "broken": edited(released, solutions | broken),
        "forger": edited(released, tests | {"ma_1": FORGED}),
    }
    returned |= {student: edited(released, solutions | changed) for student, changed in CHEATS.items()}
    returned |= {student: damaged(edited(released, solutions), student) for student in DAMAGED}
    returned["number"] = edited(released, solutions, word="1234567")
    returned["no word"] = edited(released, solutions, word='"..."')
    for student, notebook in returned.items():
        folder = course / "submitted" / student / WEEK
        folder.mkdir(parents=True)
        name = f"{WEEK} (1)" if student == "renamed" else WEEK
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    shutil.copytree(course / "submitted/empty", course / "submitted/torn")
    (course / f"submitted/torn/{WEEK}/{WEEK}.ipynb").write_text('{"cells": [')
    (course / f"submitted/printed/{WEEK}").mkdir(parents=True)
    (course / f"submitted/printed/{WEEK}/homework.pdf").touch()


DAMAGED = ("twice", "test twice", "deleted", "stripped", "renamed")
CHEATS = {  # what each puts in place of its first function
    "patches": {
        "ma_1": "import erralign_book.course\n\nerralign_book.course.check = lambda *_, **__: None\nma_1 = abs"
    },
    "verdict": {"ma_1": "type(check('ma-1', 0, student='x')).key = 'right'\nma_1 = abs"},
    "hidden name": {"ma_1": "def ma_1(less):\n    return __import__('err' + 'align_book.course.tasks').course"},
    "from": {
        "ma_1": "from erralign_book.course import tasks\n\n\ndef ma_1(less):\n    return tasks.given('ma-1', 'x')"
    },
    "exec": {"ma_1": "exec('import err' + 'align_book')\nma_1 = abs"},
}


def damaged(notebook, student):
    """Return a notebook as it comes back by mistake: cells copied with their marks, deleted, or all marks gone."""
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    if student in ("twice", "test twice"):
        place = names.index("ma_1" if student == "twice" else "ma_1-test")
        notebook.cells.insert(place + 1, nbformat.from_dict(notebook.cells[place]))
    if student == "deleted":
        del notebook.cells[names.index("ma_1-test")]
    if student == "stripped":
        for cell in notebook.cells:
            cell.metadata.pop("nbgrader", None)
    return notebook


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Make a course, hand a homework out, take it back and grade it; return its folder and the points."""
    if not find_spec("nbgrader"):
        lacking("course", "pip install -e '.[course]'")
    root = tmp_path_factory.mktemp("course")
    for part in ("_toc.yml", "_config.yml", "notebooks", "book"):
        (root / part).symlink_to(ROOT / part)
    homework.write(root)
    course = root / assignments.NBGRADER

    def nbgrader(*words):
        command = [sys.executable, "-m", "nbgrader", *words]
        return subprocess.run(command, cwd=course, capture_output=True, text=True)

    made = nbgrader("generate_assignment", WEEK)
    assert made.returncode == 0, made.stderr
    source, released = (nbformat.read(course / place / WEEK / f"{WEEK}.ipynb", 4) for place in ("source", "release"))
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in source.cells}
    solutions = {name: cell.source for name, cell in cells.items() if name and f"{name}-test" in cells}
    hand_in(course, released, solutions)
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("timeout = 120", "timeout = 40"))  # a loaded machine imports for long
    command = [sys.executable, "-m", "erralign_book.course.grading", WEEK]
    graded = subprocess.run(command, cwd=course, capture_output=True, text=True)
    mark(course)
    assert nbgrader("generate_feedback", WEEK).returncode == 0
    assert nbgrader("export").returncode == 0
    return course, released, graded.stdout


def mark(course):
    """Give points to answers in words, as a person does in the formgrader."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for student, points in {"perfect": 2, "half": 1.5}.items():
            book.find_grade("cles-2", WEEK, WEEK, student).manual_score = points
        book.db.commit()


@pytest.mark.slow
def test_students_get_questions_as_text_and_neither_solutions_nor_tests_nor_rubrics(graded):
    _, released, _ = graded
    text = "\n".join(cell.source for cell in released.cells)
    assert "have an EC of about `ec` and an MA of about `ma`" in text
    assert text.count("return ...  # your code") == text.count("check(") == 5
    assert not re.search("SOLUTION|HIDDEN|strict|drawn|points", text.replace("the tests that give points", ""))


@pytest.mark.slow
def test_what_breaks_or_is_forged_costs_its_own_points_only(graded):
    course, *_ = graded
    grades = pd.read_csv(course / "grades.csv").set_index("student_id")
    assert set(grades["max_score"]) == {7}
    wanted = {"perfect": 7, "half": 4.5, "empty": 0, "broken": 1, "forger": 0}
    wanted |= dict.fromkeys((*DAMAGED, "number", "no word"), 5) | dict.fromkeys(CHEATS, 4)
    assert grades["score"].to_dict() == wanted
    feedback = (course / f"feedback/half/{WEEK}/{WEEK}.html").read_text()
    assert hint("ma-1", "chance", "a word").partition(". ")[0] in feedback


@pytest.mark.slow
def test_who_handed_in_and_was_not_graded_is_listed_last_with_the_reason(graded):
    *_, lines = graded
    n_graded, *missing = lines.splitlines()[-3:]
    assert (
        n_graded == f"graded: {7 + len(DAMAGED) + len(CHEATS)} of {9 + len(DAMAGED) + len(CHEATS)} who handed in {WEEK}"
    )
    assert missing[0] == "handed in, not graded: printed: there is no notebook, only homework.pdf"
    assert missing[1].startswith("handed in, not graded: torn: the file is no notebook")


@pytest.mark.slow
def test_moodle_and_canvas_import_what_the_lines_of_the_page_write(graded):
    """The rules are those of Moodle's grade/import/csv/classes/load_data.php and Canvas's lib/gradebook_importer.rb."""
    course, *_ = graded
    page = (ROOT / "notebooks/teach.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    done = subprocess.run([sys.executable, "-c", lines], cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    moodle, canvas = (pd.read_csv(course / f"{name}.csv") for name in ("moodle", "canvas"))
    assert list(moodle) == ["ID number", WEEK]
    assert list(canvas) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", WEEK]
    for points in (moodle.set_index("ID number"), canvas.set_index("SIS User ID")):
        assert points.loc[["perfect", "half"], WEEK].tolist() == [7, 4.5]
