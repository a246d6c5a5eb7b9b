"""Homework to hand out: a notebook per week for students, and the same for servers with nbgrader or otter."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, v4

from erralign.course.checking import at_home
from erralign.course.grading import IN_WORDS
from erralign.files import write_whole
from erralign_book.building.chapters import finished
from erralign_book.building.course import STUDENTS, TEACHERS, first_cell, titles
from erralign_book.building.pages import BOOK
from erralign_book.building.term import Week, handbook, setup, weeks

COURSE = Path("_build/course")
RUBRICS = BOOK / "rubrics.toml"
START = """\
from erralign.course import check, homework

student = "..."  # the word that your teacher gave you"""
ASKED = 'given = homework("{name}", student=student)'
TESTED = 'check("{name}", answer_{ident}, student=student)'
HIDDEN = 'from erralign.course import is_right\nassert is_right("{name}", answer_{ident}, student=student)'


def write(root: Path = Path()) -> None:
    """Write all that the course hands out beside the pages' notebooks."""
    start = first_cell(root)
    for week in filter(lambda week: week.homework, weeks(root)):
        title = f"# Homework of week {week.number}\n\n{titles(root)[week.page]}"
        for place, cells in (("students", _plain), ("nbgrader/source", _nbgrader), ("otter", _otter)):
            folder = root / COURSE / place / (week.name if "nbgrader" in place else "")
            folder.mkdir(parents=True, exist_ok=True)
            opening = [_text(title), _code(start), _code(START)]
            notebook = v4.new_notebook(cells=cells(week, opening), metadata=KERNEL)
            write_whole(folder / f"{week.name}.ipynb", finished(notebook))
    config = 'c = get_config()\nc.CourseDirectory.course_id = "erralign"\n'
    write_whole(root / COURSE / "nbgrader" / "nbgrader_config.py", config)
    (root / TEACHERS).mkdir(parents=True, exist_ok=True)
    write_whole(root / TEACHERS / "handbook.html", handbook(root))
    write_whole(root / STUDENTS / "setup.html", setup(root))
    shutil.copy(root / RUBRICS, root / TEACHERS / "rubrics.toml")


KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
_raw = v4.new_raw_cell


def _code(source: str, **metadata: Any) -> NotebookNode:
    return v4.new_code_cell(source, metadata=metadata)


def _text(source: str, **metadata: Any) -> NotebookNode:
    return v4.new_markdown_cell(source, metadata=metadata)


def _questions(week: Week) -> Iterable[tuple[str, Mapping[str, Any], str, str]]:
    """Yield each exercise: its name, what is known of it, its name in code, and its heading."""
    for name in week.homework:
        known = at_home()[name]
        heading = f"## {name}" + (f"\n\n{known['question']}" if known.get("open") else "")
        yield name, known, name.replace("-", "_"), heading


def _plain(week: Week, opening: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells of a notebook that ``erralign grade`` takes."""
    cells = [*opening]
    for name, known, _, heading in _questions(week):
        dots, above = ('"""\n...\n"""', "") if known.get("open") else ("...", "# Your code\n\n")
        cells.append(_text(heading))
        cells += [] if known.get("open") else [_code(ASKED.format(name=name))]
        cells.append(_code(f'{above}check("{name}", {dots}, student=student)  # in place of the dots: {known["asks"]}'))
    return cells


def _nbgrader(week: Week, opening: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells of an assignment for nbgrader, which takes what is between its marks out of students' copies."""

    def about(ident: str, **how: Any) -> dict[str, Any]:
        kinds = dict.fromkeys(("grade", "solution", "locked", "task"), False)
        return {"nbgrader": kinds | {"schema_version": 3, "grade_id": ident} | how}

    cells = [*opening]
    for name, known, ident, heading in _questions(week):
        cells.append(_text(heading, **about(f"ask_{ident}", locked=True)))
        if known.get("open"):
            graded = about(ident, grade=True, solution=True, points=IN_WORDS)
            cells.append(_text(f"*Hand in {known['asks']}.*", **graded))
            continue
        cells.append(_code(ASKED.format(name=name), **about(f"given_{ident}", locked=True)))
        solution = f"answer_{ident} = ...\n### BEGIN SOLUTION\n### END SOLUTION"
        cells.append(_code(solution, **about(f"answer_{ident}", solution=True)))
        hidden = f"### BEGIN HIDDEN TESTS\n{HIDDEN}\n### END HIDDEN TESTS"
        test = f"{TESTED}\n{hidden}".format(name=name, ident=ident)
        cells.append(_code(test, **about(ident, grade=True, locked=True, points=1)))
    return cells


def _otter(week: Week, opening: list[NotebookNode]) -> list[NotebookNode]:
    """Return the cells of a master notebook for ``otter assign``."""
    config = f"# ASSIGNMENT CONFIG\nname: {week.name}\nrun_tests: false\nexport_cell: false\nsolutions_pdf: false"
    cells = [_raw(config), *opening]
    for name, known, ident, heading in _questions(week):
        worth = f"points: {IN_WORDS}\nmanual: true" if known.get("open") else "points: 1"
        cells.append(_raw(f"# BEGIN QUESTION\nname: {ident}\n{worth}"))
        cells.append(_text(heading))
        if known.get("open"):
            parts = [_raw("# BEGIN SOLUTION"), _text("See rubrics.toml."), _raw("# END SOLUTION")]
        else:
            parts = [_code(ASKED.format(name=name)), _raw("# BEGIN SOLUTION")]
            parts += [_code(f"answer_{ident} = ... # SOLUTION"), _raw("# END SOLUTION")]
            parts += [_code(TESTED.format(name=name, ident=ident)), _raw("# BEGIN TESTS")]
            parts += [_code(f"# HIDDEN\n{HIDDEN}".format(name=name, ident=ident)), _raw("# END TESTS")]
        cells += [*parts, _raw("# END QUESTION")]
    return cells
