"""Who is in a course, and whose a file is."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

# What other systems call the columns in their exports.
COLUMNS = {
    "sis user id": "id",
    "id number": "id",
    "student": "name",
    "full name": "name",
    "email address": "email",
    "sis login id": "login",
    "username": "login",
}


@dataclass(frozen=True)
class Student:
    """A row of a roster."""

    id: str
    name: str = ""
    email: str = ""
    login: str = ""
    section: str = ""
    pseudonym: str = ""

    def has(self, word: str) -> bool:
        """Say whether somebody's numbers are those of a word."""
        return word.strip().lower() == (self.pseudonym or self.id).strip().lower()

    def is_in(self, path: str) -> bool:
        """Say whether a path, as Moodle or Canvas write it, names somebody."""
        whole = path.lower().removesuffix(".ipynb")
        tokens = {*re.split(r"[^\w.@-]+|_", whole), *re.split(r"[\W_]+", whole)}
        known = {self.id, self.login, self.email, self.email.partition("@")[0], self.pseudonym} - {""}
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
