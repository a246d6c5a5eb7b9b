"""Homework as a course for nbgrader: a notebook for each week, whose hidden tests draw numbers anew."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tomllib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from nbformat import NotebookNode, v4

from erralign.files import write_whole
from erralign_book.building import assignments
from erralign_book.building.chapters import finished
from erralign_book.building.course import STUDENTS, TEACHERS, first_cell, titles
from erralign_book.building.pages import BOOK
from erralign_book.building.term import Week, exam, handbook, setup, weeks
from erralign_book.course.checking import at_home

SEED = "ERRALIGN_COURSE_SEED"  # the teacher's secret, for one run
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
RUBRICS, SOLUTIONS = BOOK / "rubrics.toml", BOOK / "solutions.py"  # neither is in a package that students install
CONFIG = """\
import os
import sys

c = get_config()  # noqa: F821
# nbgrader calls alembic by its name, also where its environment is not activated.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
c.CourseDirectory.course_id = "erralign"
c.ClearSolutions.code_stub = {"python": "return ...  # your code"}
c.ClearSolutions.text_stub = "*Your answer:*"
c.Execute.timeout = 120  # seconds for a cell
# What is damaged is given back before the tests run, and a cell that ends the kernel costs its own points only.
ours, theirs = "erralign_book.course.grading", "nbgrader.preprocessors"
c.Autograde.sanitize_preprocessors = [
    f"{theirs}.ClearOutput",
    f"{ours}.Restore",
    *(f"{theirs}.{name}" for name in ("OverwriteKernelspec", "OverwriteCells", "CheckCellMetadata")),
]
c.Autograde.autograde_preprocessors = [
    f"{ours}.ExecuteAll",
    f"{theirs}.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    *(f"{theirs}.{name}" for name in ("LimitOutput", "SaveAutoGrades", "AssignLatePenalties", "CheckCellMetadata")),
]
"""
OPENING = """\
# Homework

{title}

In place of the dots, write what each function returns. The check below it says *right*, or which mistake it sees. It
uses your own numbers; the tests that give points use others. Add cells where you like, but leave those with checks as
they are. You may use the library, `erralign`. Before grading, a cell of yours is left out if it names `erralign_book`,
which has the checks, or `sys`, `exec`, `eval` and their like."""
IMPORTS = """\
import numpy as np

from erralign_book.course import check, homework"""
WORD = 'student = "..."  # the word that your teacher gave you'
# The check in sight, which comes behind it, is called with a word of ours: a student's may be missing.
HIDDEN = """\
from erralign_book.course.tasks import given as drawn

for student in {words}:
    given = drawn("{name}", student)
    verdict = check("{name}", {function}(**given), student=student)
    assert verdict.key == "right", verdict.message"""
FIELD = re.compile(r"\{([\w.]+)(?:\[\d\])?(?::[^}]*)?\}")  # of a question, such as {easy:,} and {levels.size}


def write(root: Path = Path()) -> None:
    """Write the course for nbgrader, and what a teacher and students have beside the pages' notebooks."""
    for folder in (STUDENTS, TEACHERS, assignments.SOURCE):
        (root / folder).mkdir(parents=True, exist_ok=True)
    write_whole(root / assignments.NBGRADER / "nbgrader_config.py", CONFIG)
    asked = {week.name: week for week in weeks(root) if week.homework}
    for folder in (root / assignments.SOURCE).glob("homework-*"):
        if folder.name not in asked:  # of another plan
            shutil.rmtree(folder)
    for name, week in asked.items():
        notebook = v4.new_notebook(cells=list(_cells(week, root)), metadata=KERNEL)
        folder = root / assignments.SOURCE / name
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / f"{name}.ipynb", finished(notebook))
    write_whole(root / TEACHERS / "handbook.html", handbook(root))
    write_whole(root / STUDENTS / "setup.html", setup(root))
    (root / TEACHERS / "exam.html").unlink(missing_ok=True)
    if secret := os.environ.get(SEED):
        write_whole(root / TEACHERS / "exam.html", exam(secret, root))


def _word(name: str, place: int) -> str:
    """Draw a word for hidden tests: from the teacher's secret, so that it comes again, or by luck."""
    if not (secret := os.environ.get(SEED)):
        return secrets.token_hex(4)
    return blake2b(f"{secret} {name} {place}".encode(), digest_size=4).hexdigest()


def _cells(week: Week, root: Path) -> Iterator[NotebookNode]:
    solutions = (root / SOLUTIONS).read_text(encoding="utf-8")
    opening = OPENING.format(title=titles(root)[week.page])
    yield assignments.locked(v4.new_markdown_cell(opening), "opening")
    yield assignments.locked(v4.new_code_cell(first_cell(root)), "packages")
    yield assignments.locked(v4.new_code_cell(IMPORTS), "imports")
    yield v4.new_code_cell(WORD)
    by_name = {function.name: function for function in assignments.functions(solutions)}
    rubrics = tomllib.loads((root / RUBRICS).read_text(encoding="utf-8"))
    for name in week.homework:
        known = at_home()[name]
        question = FIELD.sub(r"`\1`", known["question"])
        yield assignments.locked(v4.new_markdown_cell(f"## {name}\n\n{question}"), f"{name}-question")
        if known.get("open"):
            yield assignments.in_words(name, rubrics[name])
            continue
        function = by_name[name.replace("-", "_")]
        numbers = v4.new_code_cell(f'given = homework("{name}", student=student)')
        yield assignments.locked(numbers, f"{name}-numbers")
        yield assignments.solved(function, known["asks"])
        seen = f'check("{name}", {function.name}(**given), student=student)'
        words = [_word(name, place) for place in range(3)]
        hidden = HIDDEN.format(name=name, function=function.name, words=json.dumps(words))
        yield assignments.test(function, seen, hidden)
