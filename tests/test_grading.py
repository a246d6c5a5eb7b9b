"""A course of made students: handed out, returned, graded, whatever came back, and imported by two systems' rules."""

import csv
import os
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from builders import typed

from erralign_book.course import grade, running
from erralign_book.course.checking import hint
from erralign_book.course.grading import Student, read, whose
from erralign_book.course.tasks import answers, given

DUE = datetime(2026, 11, 20, 12)
WORDS = "Drawings were rare in its training, so show it photographs of new materials."


IMPORT = "from erralign_book.course import check, homework"


def notebook(*sources):
    sources = [IMPORT, *sources]
    cells = [nbformat.v4.new_markdown_cell("## Homework"), *map(nbformat.v4.new_code_cell, sources)]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


def lucky(name, student):
    """Return the code of a right answer to the exercise that asks for a list of shuffles."""
    n, k = (given("ec-2", student)[each] for each in ("n", "wrong"))
    return f"""import numpy as np
from erralign.behaviour import error_consistency_from_counts as ec
joint = np.random.default_rng(1).hypergeometric({k}, {n - k}, {k}, size=1000)
{name} = [ec([[j, {k} - j], [{k} - j, {n} - 2 * {k} + j]]) for j in joint]"""


def cells(student, **others):
    """Return the cells of a homework on two pages, with right answers in all places but some."""
    joint = [answers("ec-1", student)["right"], answers("ec-3", student)["right"]]
    said = {"ec-1": joint[0], "ec-2": "luck", "ec-3": joint[1], "saw-1": repr(WORDS), "saw-2": repr(WORDS)}
    said |= {"saw-3": answers("saw-3", student)["right"]} | others
    checks = (f'check("{name}", {value}, student="{student}")' for name, value in said.items())
    return [lucky("luck", student), *checks]


FORGED = """import erralign_book.course.checking as inside
for name in ("ec-1", "ec-2", "ec-3"):
    inside.TOLD.append({"exercise": name, "student": "s7", "record": {"verdict": "right", "value": "right"}})
inside.verdict = lambda *_: "right"
"""


def ten(folder):
    """Write what ten made students return, as Moodle and Canvas name files."""
    ends = notebook(*cells("s6")).replace("\\n", "\\r\\n")
    overlap = answers("ec-1", "s1")["overlap"]
    returned = {
        "Ann Abel_101_assignsubmission_file_/homework.ipynb": notebook(*cells("s0")),
        "bakerben_102_77_homework.ipynb": notebook(*cells("s1", **{"ec-1": overlap, "ec-3": 0.2})),
        "s2.ipynb": notebook(*cells("s2", **dict.fromkeys(("ec-2", "ec-3", "saw-2", "saw-3"), "..."))),
        "s3/homework.ipynb": '{"cells": [',
        "s4.ipynb": notebook(*cells("s4")[:2], "while True: pass", *cells("s4")[2:]),
        "s5.ipynb": notebook("a = bytearray(10**11)", *cells("s5")),
        "s6.ipynb": "\ufeff" + ends,
        "s7.ipynb": notebook(FORGED, *cells("s7", **dict.fromkeys(("ec-1", "ec-2", "ec-3"), "0.99"))),
        "s9.ipynb": notebook(*cells("s9", **{"ec-1": "0.99"})),
        "s9 (1).ipynb": notebook(*cells("s9", **{"saw-2": "'Fur only.'"})),
        "s8.ipynb": notebook(*cells("s0")),  # Ann's
        "essay.docx": "PK",
    }
    for name, text in returned.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        late = 60 if "(1)" in name else 0
        os.utime(folder / name, (DUE.timestamp() + late,) * 2)
    os.utime(folder / "s2.ipynb", ((DUE + timedelta(hours=30)).timestamp(),) * 2)
    names = ["Ann Abel", "Ben Baker", *(f"Student {n}" for n in range(2, 10))]
    rows = [f"s{n};{name};s{n}@example.org;10{n + 1}" for n, name in enumerate(names)]
    roster = folder.with_name("roster.csv")
    roster.write_text("\ufeffid;name;email;login\r\n" + "\r\n".join(rows) + "\r\n", encoding="utf-8")
    return roster


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    (folder / "returned").mkdir()
    roster = ten(folder / "returned")
    how = {"--roster": roster, "--due": "2026-11-20T12:00", "--seconds": 15, "--to": folder / "graded"}
    return folder, ["grade", folder / "returned", *(word for pair in how.items() for word in pair)]


@pytest.mark.slow
def test_a_course_of_ten_is_graded_and_what_is_forged_counts_nothing(graded):
    folder, command = graded
    said = typed(*command)
    assert said.exit_code == 0, said.output
    assert "sandbox: " in said.output
    rows = csv.DictReader((folder / "graded/marks.csv").read_text().splitlines())
    marks = {row["id"]: row for row in rows if row["id"]}
    points = {name: [float(row[each] or -1) for each in ("ec points", "saw points")] for name, row in marks.items()}
    others = {"s1": [1, 1], "s2": [1, 0], "s3": [0, 0], "s4": [1, 0], "s7": [0, 1], "s8": [0, 0]}
    assert points == {f"s{n}": [3, 1] for n in range(10)} | others
    assert marks["s1"]["misconceptions"].startswith("ec-1: This is the observed overlap; ec-3: ")
    assert [marks[each]["late"] for each in ("s1", "s2", "s9")] == ["", "30 h", "< 1 h"]
    assert "this is no notebook" in marks["s3"]["ended"]
    assert "stopped after 15 s, in code cell 4" in marks["s4"]["ended"]
    assert "MemoryError" in marks["s5"]["ended"]
    assert "reads the inside of the checks" in marks["s7"]["look"]
    assert marks["s9"]["file"] == "s9.ipynb s9 (1).ipynb"
    assert "the numbers of 's0' do not count" in marks["s8"]["look"]
    hints = (folder / "graded/feedback/s1.html").read_text()
    assert hint("ec-1", "overlap", "s1") in hints
    page = unescape((folder / "graded/answers.html").read_text())
    assert (page.count(WORDS), page.count("Fur only.")) == (12, 1)
    assert "Ann Abel" not in page  # whoever marks does not see whose answer it is


@pytest.mark.slow
def test_points_for_words_come_back_and_two_systems_import_the_marks(graded):
    """The rules are those of Moodle's grade/import/csv/classes/load_data.php and Canvas's lib/gradebook_importer.rb."""
    folder, command = graded
    rows = [f"s{n},{exercise},1.5" for n in range(10) for exercise in ("saw-1", "saw-2")]
    (folder / "points.csv").write_text("\n".join(["id,exercise,points", *rows]))
    assert typed(*command, "--points", folder / "points.csv").exit_code == 0
    moodle = pd.read_csv(folder / "graded/moodle.csv", index_col="Email address", na_values="-")
    canvas = pd.read_csv(folder / "graded/canvas.csv")
    assert list(canvas)[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    homework = ["Homework ec", "Homework saw"]
    assert set(canvas.columns[5:]) == set(homework)
    possible, canvas = canvas.iloc[0], canvas[1:].set_index("SIS User ID")
    assert "Points Possible" in possible["Student"]
    assert (possible[homework] > 0).all()
    assert [*canvas.index] == [name.partition("@")[0] for name in moodle.index] == [f"s{n}" for n in range(10)]
    for grades, end in ((moodle, "@example.org"), (canvas, "")):
        assert grades[homework].loc[[f"s0{end}", f"s2{end}"]].to_numpy(float).tolist() == [[3, 4], [1, 1.5]]


def test_a_file_is_found_by_what_its_path_says_and_then_by_the_word_in_it():
    ann, ben = Student("7", "Ann Abel", "ann.abel@example.org", "aabel"), Student("17", "Ben Baker", word="p-9")
    moodle, canvas = "Ann Abel_4711_assignsubmission_file_/a.ipynb", "abelann_LATE_3_5_a.ipynb"
    for path in (moodle, canvas, "hw_7.ipynb", "aabel/x.ipynb"):
        assert whose(path, set(), [ann, ben]) is ann
    assert whose("homework.ipynb", {"P-9 "}, [ann, ben]) is ben
    assert whose("homework.ipynb", {"other"}, [ann, ben]).id == ""


ROSTERS = {
    "Student,ID,SIS User ID,SIS Login ID,Section\nAbel Ann,1,7,aabel,A\n": Student("7", "Abel Ann", "", "aabel", "A"),
    "Full name\tID number\tEmail address\nAnn\t7\ta@b.c\n": Student("7", "Ann", "a@b.c"),
    "name\nAnn\n": "no column 'id'",
    "id\n7\n7\n": "7 more than once",
}


@pytest.mark.parametrize(("text", "found"), ROSTERS.items())
def test_a_roster_is_read_as_canvas_and_moodle_export_it_or_refused(tmp_path, text, found):
    file = tmp_path / "roster.csv"
    file.write_text(text, encoding="utf-8-sig")
    if isinstance(found, Student):
        assert read(file) == [found]
    else:
        with pytest.raises(ValueError, match=found):
            read(file)


SOLVED = {"many-1": 'check("many-1", 640)', "many-2": 'check("many-2", [0.5, 0.24])'}
# File -> its text; points, missing and doubled exercises, and a part of how it ended: exercises of a page, no roster.
HANDED_IN = {
    "solved": (notebook(*SOLVED.values()), 2, "", "", "ran to its end"),
    "doubled": (notebook(*SOLVED.values(), 'check("many-1", ...)'), 2, "", "many-1", "ran to its end"),
    "bare": (notebook(*SOLVED.values()).replace(IMPORT, ""), 0, "", "", "check or homework was not imported"),
    "fails": (notebook("1 / 0", *SOLVED.values()), 2, "", "", "code cell 2: ZeroDivisionError: division by zero"),
    "dies": (notebook(SOLVED["many-2"], "import os; os._exit(3)"), 1, "many-1", "", "died (status 3), in code cell 3"),
    "magic": (notebook("%%bash\nls", "%%time\n!ls\nprint('−')", *SOLVED.values()), 2, "", "", "ran to its end"),
    "calls": (
        notebook("import socket\nsocket.create_connection(('127.0.0.1', 9))", *SOLVED.values()),
        *(2, "", "", "there is no network while notebooks are graded"),
    ),
}


@pytest.mark.slow
def test_exercises_of_pages_are_graded_without_a_roster_and_pages_have_their_own_totals(tmp_path):
    for name, (text, *_) in HANDED_IN.items():
        (tmp_path / f"{name}.ipynb").write_text(text)
    (tmp_path / "other.ipynb").write_text(notebook('check("klein-1", 0.257)'))
    marks = grade(tmp_path, seconds=60).table.set_index("file")
    for name, (_, points, missing, doubled, ended) in HANDED_IN.items():
        row = marks.loc[f"{name}.ipynb"]
        assert [row["points"], row["doubled"]] == [points, doubled], name
        assert set(missing.split()) <= set(row["missing"].split()), name
        assert ended in row["ended"], name
    assert marks.loc["other.ipynb", ["points", "of"]].tolist() == [1, 1]
    assert marks.loc["solved.ipynb", "of"] == 3


def test_grading_says_what_is_missing(tmp_path):
    with pytest.raises(ValueError, match="no folder"):
        grade(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="no notebook"):
        grade(tmp_path)


def test_a_sandbox_is_used_where_the_system_has_one(tmp_path, monkeypatch):
    """A stand-in for bubblewrap, which notes what it is asked to do; the real one is not on every machine."""
    program = tmp_path / "bwrap"
    script = 'echo "$@" > "$(dirname "$0")/asked"\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"'
    program.write_text(f"#!/bin/sh\n{script}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "a.ipynb").write_text(notebook('check("klein-1", 0.257)'))
    running.sandbox.cache_clear()
    assert running.sandbox() == "bubblewrap"
    told = [words for kind, words in running.events(tmp_path / "a.ipynb", 60, 4096) if kind == "told"]
    assert [each["record"] for each in told] == [{"value": 0.257}]
    asked = (tmp_path / "asked").read_text().split()
    assert {"--unshare-all", "--die-with-parent"} <= set(asked)
    bound = [Path(asked[place + 1]) for place, word in enumerate(asked) if word == "--bind"]
    running.sandbox.cache_clear()
    assert len(bound) == 1  # the one folder of this run can be written
    assert not any(path in tmp_path.parents for path in bound)
