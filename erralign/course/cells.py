"""The code of a notebook, as far as plain Python can run it."""

import ast
import json
import re
from pathlib import Path

# Lines for the notebook program: %magic, !command, files = !ls, ?help, help?.
FOR_THE_PROGRAM = re.compile(r"^([ \t]*)(?:[\w, ]+=[ \t]*)?(?:[%!?].*|[\w.]+\?+)$", re.M)
OF_PYTHON = re.compile(r"%%(?:time|timeit|capture|prun)\b")  # cells of these hold Python; those of other %% do not


def code_cells(notebook: Path) -> list[str]:
    """Return the code of each cell, without lines that only a notebook program understands."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8-sig"))["cells"]
        return [_plain("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise ValueError("this is no notebook; expected a file that Jupyter or Colab saved") from None


def _plain(source: str) -> str:
    source = source.replace("\r\n", "\n")
    if source.lstrip().startswith("%%") and not OF_PYTHON.match(source.lstrip()):
        return "pass"
    try:
        ast.parse(source)
    except SyntaxError:
        return FOR_THE_PROGRAM.sub(r"\1pass", source)
    return source
