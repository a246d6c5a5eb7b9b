"""Cells of an assignment for nbgrader: what students write, what they answer in words, and tests that they do not see.

nbgrader takes out what stands between its marks when it makes the students' version, puts locked cells back before it
grades, and gives a test's points if the cell ends without an error.
"""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

from nbformat import NotebookNode, v4

NBGRADER = Path("_build/course/nbgrader")
SOURCE = NBGRADER / "source"
POINTS, IN_WORDS = 1, 2  # for a function, and for an answer in words at most
FUNCTION = """\
{signature}
    ### BEGIN SOLUTION
{body}
    ### END SOLUTION"""
# A test's cell fails if a warning is shown in it. The checks are loaded anew, whatever became of them above; and where
# a function is not right, ours takes its place, so that another one that calls it loses nothing.
TEST = """\
### BEGIN HIDDEN TESTS
import sys
import warnings

loaded = [name for name in sys.modules if name.partition(".")[0] in ("erralign", "erralign_book")]
loaded = {{name: sys.modules.pop(name) for name in loaded}}
from erralign_book.course import check

warnings.simplefilter("ignore")
try:
{hidden}
except Exception:
{ours}
    raise
finally:
    sys.modules.update(loaded)
### END HIDDEN TESTS
{seen}"""


class Function(NamedTuple):
    """A function's name, its first lines, and what students are to write."""

    name: str
    signature: str
    body: str


def functions(source: str) -> list[Function]:
    """Return the functions of a cell or a file."""
    lines = source.splitlines()
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            first = node.body[0].lineno - 1
            signature, body = lines[node.lineno - 1 : first], lines[first : node.end_lineno]
            found.append(Function(node.name, "\n".join(signature), "\n".join(body)))
    return found


def solved(function: Function, asks: str = "") -> NotebookNode:
    """Return the cell of a function that students write."""
    signature = function.signature
    if asks:
        signature += f'\n    """Return {asks}."""'
    cell = v4.new_code_cell(FUNCTION.format(signature=signature, body=function.body))
    return _marked(cell, function.name, solution=True)


def test(function: Function, seen: str, hidden: str) -> NotebookNode:
    """Return the cell whose end without an error earns a function's points."""
    ours = indent(f"{function.signature}\n{function.body}", "    ")
    cell = v4.new_code_cell(TEST.format(seen=seen, hidden=indent(hidden, "    "), ours=ours))
    return _marked(cell, f"{function.name}-test", grade=True, locked=True, points=POINTS)


def in_words(name: str, rubric: dict[str, Any]) -> NotebookNode:
    """Return the cell of an answer in words, with what a person needs to give it points."""
    lines = ["### BEGIN SOLUTION", *(f"* {point}" for point in rubric["points"])]
    for sample in rubric["samples"]:
        lines += ["", f"{sample['points']:g} points ({sample['why']}): *{sample['text']}*"]
    cell = v4.new_markdown_cell("\n".join([*lines, "### END SOLUTION"]))
    return _marked(cell, name, grade=True, solution=True, points=IN_WORDS)


def locked(cell: NotebookNode, name: str) -> NotebookNode:
    """Return a cell that is put back before grading, whatever became of it."""
    return _marked(cell, name, locked=True)


def _marked(cell: NotebookNode, name: str, points: int | None = None, **kinds: bool) -> NotebookNode:
    marks: dict[str, Any] = {"schema_version": 3, "grade_id": name, "cell_type": cell.cell_type}
    marks |= {"grade": False, "solution": False, "locked": False, "task": False} | kinds
    if points is not None:
        marks["points"] = points
    cell.metadata["nbgrader"] = marks
    return cell
