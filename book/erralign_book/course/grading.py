"""Grade a folder of notebooks: whose each is; each runs in a process of its own, and is judged in this one."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from erralign._validation import check_positive
from erralign_book.course.checking import at_home, hint, on_pages, verdict
from erralign_book.course.running import code_cells, events

if TYPE_CHECKING:
    import pandas as pd


# What other systems call the columns in their exports.
COLUMNS = {
    "sis user id": "id",
    "id number": "id",
    "student": "name",
    "full name": "name",
    "email address": "email",
    "sis login id": "login",
    "username": "login",
    "pseudonym": "word",
}


@dataclass(frozen=True)
class Student:
    """A row of a roster."""

    id: str
    name: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    word: str = ""

    def has(self, word: str) -> bool:
        """Say whether somebody's numbers are those of a word."""
        return word.strip().lower() == (self.word or self.id).strip().lower()

    def is_in(self, path: str) -> bool:
        """Say whether a path, as Moodle or Canvas write it, names somebody."""
        whole = path.lower().removesuffix(".ipynb")
        tokens = {*re.split(r"[^\w.@-]+|_", whole), *re.split(r"[\W_]+", whole)}
        known = {self.id, self.login, self.email, self.email.partition("@")[0], self.word} - {""}
        if {each.lower() for each in known} & tokens:
            return True
        names = [_letters(part) for part in re.split(r"[\s,]+", self.name) if part]
        squeezed = _letters(path)
        return len(names) > 1 and any("".join(order) in squeezed for order in (names, [names[-1], *names[:-1]]))


def _letters(text: str) -> str:
    return re.sub(r"[\W\d_]", "", text.lower())


NOBODY = Student(id="")


def read(file: str | os.PathLike[str]) -> list[Student]:
    """Read a roster: commas, semicolons or tabs, with a byte-order mark or without."""
    text = Path(file).read_text(encoding="utf-8-sig")
    head = text.partition("\n")[0]
    rows = csv.DictReader(text.splitlines(), delimiter=max(",;\t", key=head.count))
    named = [COLUMNS.get(name.strip().lower(), name.strip().lower()) for name in rows.fieldnames or []]
    if "id" not in named:
        raise ValueError(f"{Path(file).name} has no column 'id', but {', '.join(named) or 'nothing'}; add one")
    rows.fieldnames = named
    fields = Student.__dataclass_fields__
    students = [Student(**{k: v.strip() for k, v in row.items() if k in fields and v}) for row in rows if row["id"]]
    twice = {each.id for each in students if [other.id for other in students].count(each.id) > 1}
    if twice:
        raise ValueError(f"{Path(file).name} has {', '.join(sorted(twice))} more than once; give each student an id")
    return students


def whose(path: str, words: Collection[str], students: Collection[Student]) -> Student:
    """Return whose a file is: by its path or, where that names nobody or several, by the words in it."""
    named = [student for student in students if student.is_in(path)]
    if len(named) != 1:
        named = [each for each in named or students if any(each.has(word) for word in words)]
    return named[0] if len(named) == 1 else NOBODY


# ---- grading ---------------------------------------------------------------------------------------------------------


CALL = re.compile(r"""\bcheck\(\s*["']([\w-]+)["']""")
UNKNOWN = re.compile(r"NameError: name '(?:check|homework)'")
UNREAD = "check or homework was not imported, so answers could not be read"
INSIDE = re.compile(r"\berralign_book\.course\.\w+|\b(?:TOLD|TASKS|FUNCTIONS|RECOMPUTED)\b")
IN_WORDS = 2  # points for an answer in words, at most; of others 1
SAID = ("misconceptions", "missing", "doubled", "ended", "look")
BLANK = dict.fromkeys(("id", "name", "late", *SAID), "") | {"points": 0.0, "of": 0, "unread": 0}


@dataclass(frozen=True)
class Marks:
    """The points of all students, exercise by exercise, from `grade`.

    Parameters
    ----------
    table : pandas.DataFrame
        A row for each student of the roster, or for each file: points of each exercise (nothing where a person has to
        read an answer), their sums, and what went wrong.
    answers : list of dict
        Each answer: ``id``, ``exercise``, ``verdict`` (``none`` without an answer), ``text`` of one in words, ``hint``.
    of : dict
        How many points each exercise gives at most.
    students : list of Student
        The roster.
    """

    table: pd.DataFrame
    answers: list[dict[str, Any]]
    of: dict[str, int]
    students: list[Student]


@dataclass
class Handed:
    """A notebook, and what was found in it."""

    file: Path
    name: str
    sources: list[str]
    events: list[list[Any]] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> list[Any]:
        """Return what was written down of some kinds."""
        return [words[0] for kind, *words in self.events if kind in kinds]

    def calls(self) -> Counter[str]:
        """Count the checks of each exercise in the source."""
        return Counter(call for source in self.sources for call in CALL.findall(source))


def grade(
    folder: str | os.PathLike[str],
    *,
    roster: str | os.PathLike[str] | None = None,
    due: datetime | None = None,
    points: Mapping[tuple[str, str], float] | None = None,
    seconds: float = 300,
    megabytes: int = 4096,
) -> Marks:
    """Run all notebooks in a folder, and say which exercises are right and which misconceptions show.

    Each notebook runs in a process of its own, in an empty folder, as often at a time as there are processors, with
    limits on time and memory and without a network. Where the system has bubblewrap, it sees neither your files nor
    those of others; elsewhere it can read and write what you can. Its answers, and nothing that it says of them, are
    judged here.

    Parameters
    ----------
    folder : str or path
        Holds the notebooks, also in folders of its own; hidden ones are left out.
    roster : str or path, optional
        CSV with a row for each student: ``id``, and what you have of ``name``, ``email``, ``login``, ``section`` and
        ``word``, that of their numbers (without it the id). A file is found by id, login, email or name in its path,
        or by the word in it.
    due : datetime, optional
        Files that were changed after it are late.
    points : mapping, optional
        What answers in words got, by id and exercise.
    seconds : float
        How long each may run.
    megabytes : int
        How much memory each may take, where the system can limit it (Linux).

    Returns
    -------
    Marks
        Of several answers to an exercise the last one counts; 1 point for each that is right, and 2 at most for words.

    Raises
    ------
    ValueError
        If there is no folder or no notebook, or the roster has no ids.
    """
    check_positive("seconds", seconds)
    check_positive("megabytes", megabytes)
    students = [] if roster is None else read(roster)
    handed, others = _files(Path(folder))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        run = partial(events, seconds=seconds, megabytes=megabytes)
        for each, found in zip(handed, pool.map(run, [each.file for each in handed]), strict=True):
            each.events = found
    is_home = bool(students) or any(told["student"] is not None for each in handed for told in each.of_kind("told"))
    everywhere = _pages(each for notebook in handed for each in notebook.calls())
    rows: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    of: dict[str, int] = {}
    for student, files in _by_student(handed, students):
        pages = everywhere if students else _pages(each for file in files for each in file.calls()) or everywhere
        wanted = {name: each for name, each in (at_home() if is_home else on_pages()).items() if _page(name) in pages}
        of |= {name: IN_WORDS if each.get("open") else 1 for name, each in wanted.items()}
        judged = [_answer(student, files, name, points or {}) for name in wanted]
        answers += judged
        look = ["nobody on the roster"] * (student is NOBODY and bool(students)) + _look(student, files)
        rows.append(_row(student, files, judged, of) | {"late": _late(files, due), "look": "; ".join(look)})
    rows += [BLANK | {"file": name, "ended": "this is no notebook (.ipynb), and was not run"} for name in others]
    return Marks(_table(rows, of), answers, of, students)


def _files(folder: Path) -> tuple[list[Handed], list[str]]:
    """Return the notebooks of a folder, and the names of what is no notebook."""
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}; give the one that holds the students' notebooks")
    names = {file: file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*")) if file.is_file()}
    names = {file: name for file, name in names.items() if "/." not in f"/{name}"}
    notebooks = {file: name for file, name in names.items() if file.suffix.lower() == ".ipynb"}
    if not notebooks:
        raise ValueError(f"there is no notebook (.ipynb) in {folder}")
    handed = [Handed(file, name, _sources(file)) for file, name in notebooks.items()]
    return handed, [name for file, name in names.items() if file not in notebooks]


def _sources(notebook: Path) -> list[str]:
    try:
        return code_cells(notebook)
    except (ValueError, OSError):
        return []


def _page(exercise: str) -> str:
    """Name the page that an exercise is from: ``ec-2`` is from ``ec``."""
    return exercise.rpartition("-")[0]


def _pages(calls: Iterable[str]) -> set[str]:
    return {_page(name) for name in calls if name in on_pages() or name in at_home()}


def _by_student(handed: list[Handed], students: list[Student]) -> list[tuple[Student, list[Handed]]]:
    """Put files together by whose they are, the oldest first; without a roster each is by itself."""
    if not students:
        return [(NOBODY, [each]) for each in handed]
    by_date = sorted(handed, key=lambda each: each.file.stat().st_mtime)
    owners = [whose(h.name, {t["student"] for t in h.of_kind("told") if t["student"]}, students) for h in by_date]
    pairs = list(zip(by_date, owners, strict=True))
    groups = [(student, [file for file, owner in pairs if owner is student]) for student in students]
    return groups + [(NOBODY, [file]) for file, owner in pairs if owner is NOBODY]


def _is_strange(student: Student, word: str | None) -> bool:
    """Say whether numbers are somebody else's; nobody's file may have any."""
    return student is not NOBODY and not (word and student.has(word))


def _answer(student: Student, files: list[Handed], exercise: str, points: Mapping) -> dict[str, Any]:
    """Return the last answer to an exercise that is one, judged."""
    told = [each for file in files for each in file.of_kind("told") if each["exercise"] == exercise]
    own = [t for t in told if "unanswered" not in t["record"] and not _is_strange(student, t["student"])]
    answer = {"id": student.id, "exercise": exercise, "verdict": "none", "text": "", "hint": "", "points": 0.0}
    if not own:
        return answer
    word, record = own[-1]["student"], own[-1]["record"]
    said = verdict(exercise, record, word)
    given = points.get((student.id, exercise)) if said == "noted" else float(said == "right")
    about = {"text": record.get("text", "") if said == "noted" else "", "hint": hint(exercise, said, word)}
    return answer | {"verdict": said, "points": given} | about


def _row(student: Student, files: list[Handed], answers: list[dict[str, Any]], of: Mapping[str, int]) -> dict[str, Any]:
    calls = sum((file.calls() for file in files), Counter())
    row: dict[str, Any] = {"id": student.id, "name": student.name, "file": " ".join(file.name for file in files)}
    row |= {each["exercise"]: each["points"] for each in answers}
    for each in answers:
        page = f"{_page(each['exercise'])} points"
        row[page] = row.get(page, 0) + (each["points"] or 0)
    ends = [UNREAD if UNKNOWN.search(w) else w for file in files for w in file.of_kind("failed", "ended")]
    hints = [f"{each['exercise']}: {each['hint'].partition('. ')[0]}" for each in answers if each["hint"]]
    return row | {
        "points": sum(each["points"] or 0 for each in answers),
        "of": sum(of[each["exercise"]] for each in answers),
        "unread": sum(each["points"] is None for each in answers),
        "misconceptions": "; ".join(hints),
        "missing": " ".join(sorted(each["exercise"] for each in answers if each["exercise"] not in calls)),
        "doubled": " ".join(sorted(name for name, times in calls.items() if times > 1)),
        "ended": "; ".join(dict.fromkeys(ends)) or "no notebook",
    }


def _look(student: Student, files: list[Handed]) -> list[str]:
    """Say what a teacher should look at."""
    inside = [f"{file.name} reads the inside of the checks" for file in files if any(map(INSIDE.search, file.sources))]
    used = [told["student"] for file in files for told in file.of_kind("told")]
    words = {word for word in used if _is_strange(student, word)}
    ours = f": the roster has {student.word or student.id!r}"
    numbers = [f"the numbers of {word or 'the page'!r} do not count{ours}" for word in sorted(map(str, words))]
    return inside + numbers


def _late(files: list[Handed], due: datetime | None) -> str:
    """Say by how much the newest file is late."""
    if due is None or not files:
        return ""
    late = max(file.file.stat().st_mtime for file in files) - due.timestamp()
    return f"{late / 3600:.0f} h" if late >= 1800 else "< 1 h" if late > 0 else ""


def _table(rows: list[dict[str, Any]], of: Mapping[str, int]) -> pd.DataFrame:
    import pandas as pd

    pages = [f"{page} points" for page in dict.fromkeys(map(_page, of))]
    return pd.DataFrame(rows, columns=["id", "name", "file", "late", *of, *pages, "points", "of", "unread", *SAID])
