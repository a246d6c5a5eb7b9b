"""How long a page may be: the limits of a lesson, counted in its source."""

import re
import sys
from pathlib import Path

import jupytext

from erralign_book.building.chapters import road, source

LIMITS = {"open words": 1500, "words": 2000, "folds": 2, "visible cells": 8, "tables": 4}
FOLD = re.compile(r"^(:{3,})\{dropdown\} ([^\n]*)\n(.*?)^\1$", re.S | re.M)
ANSWER = ("Answer", "Solution")  # what the folds of exercises are called
FOLDED = {"parameters", "road", "hide-input", "hide-cell", "remove-input", "remove-cell"}
AS_ONE_WORD = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", re.S)
MARK = re.compile("[●○]{3} [0-9]+ min[.]")  # how hard an exercise is, and how long it takes
WORD = re.compile(r"[^\W_][\w’'.,–-]*")
ROWS = re.compile(r"^\|.*\|$", re.M)


def lengths(page: str) -> dict[str, int]:
    """Count words of prose, folds beside answers, visible cells and tables of a page, given its source."""
    cells = jupytext.reads(page, fmt="md:myst").cells
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    prose = MARK.sub("", ROWS.sub("", prose))
    code = [cell for cell in cells if cell.cell_type == "code"]
    shown = [cell for cell in code[1:] if not FOLDED & set(cell.metadata.get("tags", []))]  # without the imports
    drawn = [cell.source for cell in code if "remove-cell" not in cell.metadata.get("tags", [])]
    return {
        "open words": words(FOLD.sub("", prose)),
        "words": words(prose),
        "folds": sum(not title.startswith(ANSWER) for _, title, _ in FOLD.findall(prose)),
        "visible cells": len(shown),
        "tables": "\n".join(drawn).count("plot.table(") + len(re.findall(r"\{table\}", page)),
    }


def words(prose: str) -> int:
    """Count words; a formula or a name in code is one."""
    return len(WORD.findall(AS_ONE_WORD.sub(" x ", re.sub(r"\{[a-z:]+\}`([^`<]*)[^`]*`", r"\1", prose))))


def too_long(root: Path) -> list[str]:
    """Say where a page of the road is beyond a limit."""
    counted = {page: lengths(source(page, root).read_text(encoding="utf-8")) for page in road(root)}
    return [
        f"notebooks/{page}.md has {counts[what]:,} {what}; a lesson has at most {most:,}"
        for page, counts in counted.items()
        for what, most in LIMITS.items()
        if counts[what] > most
    ]


if __name__ == "__main__":
    sys.exit("\n".join(too_long(Path())) or None)
