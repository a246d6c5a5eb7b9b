"""The code of a notebook, as far as plain Python can run it."""

import ast
import json
import re
from pathlib import Path

# Lines for the notebook program: %magic, !command, ?help, help?.
FOR_THE_PROGRAM = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+)$", re.M)


def code_cells(notebook: Path) -> list[str]:
    """Return the code of each cell, without lines that only a notebook program understands."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        return [_plain("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise ValueError("this is no notebook; expected a file that Jupyter or Colab saved") from None


def _plain(source: str) -> str:
    try:
        ast.parse(source)
    except SyntaxError:
        return FOR_THE_PROGRAM.sub(r"\1pass", source)
    return source
