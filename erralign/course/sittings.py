"""How a sitting of the experiment was asked, as its file says it, so that a class is not made of several."""

import csv
import os
from collections.abc import Iterable
from pathlib import Path

ASKED = {"asked_ms": "picture", "asked_mask_ms": "noise", "limit_ms": "time to answer"}


def check_one_protocol(files: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse files of sittings that were asked in several ways; other files say nothing of it."""
    ways: dict[str, list[str]] = {}
    for file in map(Path, files):
        try:
            with file.open(encoding="utf-8-sig", newline="") as text:
                first = next(csv.DictReader(text), {})
        except (OSError, UnicodeError, csv.Error):
            continue  # whoever reads it whole says what is wrong
        if ASKED.keys() <= first.keys():
            said = ", ".join(f"{words} {first[name] or 'any'}" for name, words in ASKED.items())
            ways.setdefault(f"{said} (ms)", []).append(file.name)
    if len(ways) > 1:
        named = "; ".join(f"{way}: {', '.join(names)}" for way, names in ways.items())
        raise ValueError(f"these sittings were asked in {len(ways)} ways; join those of one way. {named}")
