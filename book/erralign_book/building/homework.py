"""Homework to hand out: a notebook per week for students, which ``erralign grade`` takes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode, v4

from erralign.files import write_whole
from erralign_book.building.chapters import finished
from erralign_book.building.course import STUDENTS, TEACHERS, first_cell, titles
from erralign_book.building.pages import BOOK
from erralign_book.building.term import Week, handbook, setup, weeks
from erralign_book.course.checking import at_home

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
RUBRICS = BOOK / "rubrics.toml"
START = """\
from erralign_book.course import check, homework

student = "..."  # the word that your teacher gave you"""


def write(root: Path = Path()) -> None:
    """Write all that the course hands out beside the pages' notebooks."""
    students, teachers = root / STUDENTS, root / TEACHERS
    for folder in (students, teachers):
        folder.mkdir(parents=True, exist_ok=True)
    start = first_cell(root)
    for week in filter(lambda week: week.homework, weeks(root)):
        title = f"# Homework of week {week.number}\n\n{titles(root)[week.page]}"
        opening = [v4.new_markdown_cell(title), v4.new_code_cell(start), v4.new_code_cell(START)]
        notebook = v4.new_notebook(cells=[*opening, *_questions(week)], metadata=KERNEL)
        write_whole(students / f"{week.name}.ipynb", finished(notebook))
    write_whole(teachers / "handbook.html", handbook(root))
    write_whole(students / "setup.html", setup(root))
    shutil.copy(root / RUBRICS, teachers / "rubrics.toml")


def _questions(week: Week) -> Iterator[NotebookNode]:
    """Yield the cells of each exercise: what is asked, what is given, and the check that takes the answer."""
    for name in week.homework:
        known = at_home()[name]
        in_words = known.get("open")
        yield v4.new_markdown_cell(f"## {name}" + (f"\n\n{known['question']}" if in_words else ""))
        if not in_words:
            yield v4.new_code_cell(f'given = homework("{name}", student=student)')
        dots, above = ('"""\n...\n"""', "") if in_words else ("...", "# Your code\n\n")
        call = f'check("{name}", {dots}, student=student)'
        yield v4.new_code_cell(f"{above}{call}  # in place of the dots: {known['asks']}")
