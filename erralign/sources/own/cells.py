"""A CSV file as text, and where each row was."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pandas as pd

DELIMITERS = ",;\t"


@dataclass(frozen=True)
class Cells:
    """What a file contains: text, and where each row was."""

    file: str  # its name, for messages
    table: pd.DataFrame  # of text; the index is the number of the row in the file, the header being row 1

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return list(map(str, self.table))

    def at(self, row: int, column: str | None = None) -> str:
        """Return where in the file something is."""
        return f"{self.file}, row {row}" + (f", column {column!r}" if column is not None else "")


def read_cells(path: Path) -> Cells:
    """Read a CSV file as text, and say where a row is broken."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}; give the path of a CSV file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not text in UTF-8 ({error.reason}); save it as CSV in UTF-8") from None
    first = text.partition("\n")[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=max(DELIMITERS, key=first.count), skipinitialspace=True)
    rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(map(str.strip, row))]
    if len(rows) < 2:
        raise ValueError(f"{path.name} holds {len(rows)} rows; expected a header and at least one trial")
    (_, header), *body = rows
    _check_header(path.name, header)
    for line, row in body:
        if len(row) != len(header):
            raise ValueError(f"{path.name}, row {line} has {len(row)} cells, the header has {len(header)}")
    numbers, values = zip(*body, strict=True)
    return Cells(path.name, pd.DataFrame(list(values), columns=header, index=list(numbers)))


def _check_header(file: str, header: list[str]) -> None:
    for place, column in enumerate(header):
        if column in header[:place]:
            raise ValueError(f"{file}, row 1 names column {column!r} twice; give each column its own name")
        if not column and place:
            raise ValueError(f"{file}, row 1: column {place + 1} has no name; name the system or leave it out")
