"""Names as they are typed: several in one word."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def names(text: str | Sequence[str]) -> tuple[str, ...]:
    """Split names at commas; a name that has one is in quotes."""
    if not isinstance(text, str):
        return tuple(text)
    return tuple(name.strip() for name in next(csv.reader([" ".join(text.splitlines())], skipinitialspace=True), [""]))


def classes(text: str | Sequence[str]) -> tuple[str, ...]:
    """Read names of classes, or the file that has one per line."""
    if isinstance(text, str) and Path(text).is_file():
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
        return tuple(line.strip() for line in lines if line.strip())
    return names(text)


def typed(several: Iterable[str]) -> str:
    """Write names so that they are read as they are."""
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in several)
