"""What a teacher hands back of a graded folder: tables for Moodle and Canvas, feedback, and answers side by side."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment

from erralign.files import write_whole
from erralign_book.course.checking import at_home
from erralign_book.course.grading import Marks

# A button of the second page saves the points as a file that `erralign grade --points` reads.
TEMPLATE = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
PAGES: Any = Environment(autoescape=True, trim_blocks=True).from_string(TEMPLATE).module
SAID = {"noted": "read by a person", "": "wrong, and no usual mistake", "none": "no answer with your word"}


def write(marks: Marks, folder: Path, rubrics: Mapping[str, Any]) -> list[str]:
    """Write all that is handed back into a folder, and name it."""
    (folder / "feedback").mkdir(parents=True, exist_ok=True)
    files = {"marks.csv": marks.table.to_csv(index=False)}
    if marks.students:
        files |= {"moodle.csv": moodle(marks), "canvas.csv": canvas(marks)}
        files |= {f"feedback/{each.id}.html": feedback(marks, each.id) for each in marks.students}
    if any(each["text"] for each in marks.answers):
        files["answers.html"] = side_by_side(marks, rubrics)
    for name, text in files.items():
        write_whole(folder / name, text)
    return [name for name in files if "/" not in name]


def read_points(file: Path) -> dict[tuple[str, str], float]:
    """Read what answers in words got."""
    rows = csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines())
    return {(row["id"], row["exercise"]): float(row["points"]) for row in rows}


def _sums(marks: Marks) -> tuple[list[str], dict[str, list[str]], list[int]]:
    """Return the pages, each student's points for them (none while an answer is unread), and out of how many."""
    pages: dict[str, list[str]] = {}
    for exercise in marks.of:
        pages.setdefault(exercise.rpartition("-")[0], []).append(exercise)
    rows = marks.table[marks.table["id"] != ""].set_index("id")
    given = {
        str(student): ["" if row[names].isna().any() else f"{row[names].sum():g}" for names in pages.values()]
        for student, row in rows.iterrows()
    }
    titles = [f"Homework {page}" for page in pages]
    return titles, given, [sum(marks.of[each] for each in names) for names in pages.values()]


def moodle(marks: Marks) -> str:
    """Return a table for Moodle's import of grades from CSV: map *ID number* or *Email address*, and each homework."""
    titles, given, _ = _sums(marks)
    rows = [[each.id, each.email, each.name, *(points or "-" for points in given[each.id])] for each in marks.students]
    return pd.DataFrame(rows, columns=["ID number", "Email address", "Full name", *titles]).to_csv(index=False)


def canvas(marks: Marks) -> str:
    """Return a table for Canvas's import into the gradebook, with the points possible in its second row."""
    titles, given, of = _sums(marks)
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
    rows = [[each.name, "", each.id, each.login, each.section, *given[each.id]] for each in marks.students]
    possible = ["    Points Possible", "", "", "", "", *of]
    return pd.DataFrame([possible, *rows], columns=head).to_csv(index=False)


def feedback(marks: Marks, student: str) -> str:
    """Return what a student reads: points, and hints where an answer is not right yet."""
    row = marks.table[marks.table["id"] == student].iloc[0]
    own = [each for each in marks.answers if each["id"] == student]
    return str(PAGES.feedback(student, row, own, marks.of, SAID))


def side_by_side(marks: Marks, rubrics: Mapping[str, Any]) -> str:
    """Return all answers in words, question by question, each with the rubric and a field for points, without names."""
    open_ones = [name for name in marks.of if at_home().get(name, {}).get("open")]
    texts = {name: [each for each in marks.answers if each["exercise"] == name and each["text"]] for name in open_ones}
    return str(PAGES.side_by_side(texts, marks.of, at_home(), rubrics))
