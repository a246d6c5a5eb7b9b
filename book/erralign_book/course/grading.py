"""Grading by nbgrader that nobody falls out of: what is damaged costs its own points, and who is left is listed.

In the folder of the course, ``python -m erralign_book.course.grading homework-how-sure-are-we`` grades what was handed
in, student by student, and ends with a line for each who could not be graded. Its classes are nbgrader's own parts,
which ``nbgrader_config.py`` names, so that ``nbgrader autograde`` has them as well.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, v4
from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader, NbGraderAPI
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

STOPPED = 'raise RuntimeError("this cell was left out: {why}")'
KERNEL_ENDED = "the kernel ended in it, or it took too long"
REFUSED = "it names {name}, which homework must do without"
CHECKS = "erralign_book"  # has all right answers
# By these a cell could reach it all the same.
ROADS = {"__import__", "__loader__", "builtins", "compile", "eval", "exec", "gc", "get_ipython", "importlib", "inspect"}
ROADS |= {"runpy", "subprocess", "sys"}


class Restore(NbGraderPreprocessor):
    """Give back to cells the marks by which nbgrader knows them, once each, and add the tests that are gone."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Go through the cells that were handed out, and find each again: by its mark, or by what it says."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as book:
            notebook = book.find_notebook(names["notebook"], names["assignment"])
            points = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
            to_write = {cell.name for cell in notebook.solution_cells}
            handed_out = [
                (cell.name, cell.cell_type, cell.source, cell.locked, cell.checksum) for cell in notebook.source_cells
            ]
        place = -1
        for name, cell_type, source, locked, checksum in handed_out:
            marked = [cell for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name]
            alike = [cell for cell in nb.cells if not cell.metadata.get("nbgrader") and _is_alike(cell, name, source)]
            if cell_type == "markdown" and name in to_write:  # an answer in words comes after its question
                after = nb.cells[place + 1 : place + 2]
                alike = [cell for cell in after if cell.cell_type == "markdown" and not cell.metadata.get("nbgrader")]
            if found := (marked or alike)[-1:]:
                cell = found[0]
            elif name in points:
                cell = v4.new_code_cell(source) if cell_type == "code" else v4.new_markdown_cell(source)
                nb.cells.insert(place + 1, cell)
            else:
                continue
            for other in marked[:-1]:
                del other.metadata["nbgrader"]
            marks = {"schema_version": 3, "grade_id": name, "cell_type": cell_type, "checksum": checksum}
            marks |= {"grade": name in points, "solution": name in to_write, "locked": locked, "task": False}
            cell.metadata["nbgrader"] = marks | ({"points": points[name]} if name in points else {})
            place = next(index for index, each in enumerate(nb.cells) if each is cell)
        known = {name for name, *_ in handed_out}
        for cell in nb.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") not in known:
                cell.metadata.pop("nbgrader", None)
        return nb, resources


def _is_alike(cell: NotebookNode, name: str, source: str) -> bool:
    """Say whether a cell without a mark is one that was handed out: the same, its function, or its check."""
    if cell.source.strip() == source.strip():
        return True
    if cell.cell_type != "code":
        return False
    if name.endswith("-test"):
        exercise = name.removesuffix("-test")
        return bool(re.search(rf'^check\("{exercise.replace("_", "[-_]")}"', cell.source, re.M))
    return bool(re.search(rf"^def {re.escape(name)}\(", cell.source, re.M))


class ExecuteAll(Execute):
    """Run a notebook to its end: a cell that ends the kernel, or never ends, is left out of another run."""

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Run all cells, again from the first where one was left out."""
        self.interrupt_on_timeout = False  # what catches interrupts would stop all others
        left_out: dict[int, str] = {}
        is_homework = resources["nbgrader"]["assignment"].startswith("homework-") if resources else False
        for index, cell in enumerate(nb.cells):
            is_theirs = cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("locked")
            if is_homework and is_theirs and (name := next(_forbidden(cell.source), "")):
                left_out[index], cell.source = cell.source, STOPPED.format(why=REFUSED.format(name=name))
        while True:
            try:
                nb, resources = super().preprocess(nb, resources, km)
                break
            except (DeadKernelError, CellTimeoutError):
                cell = nb.cells[self.place]
                left_out[self.place], cell.source = cell.source, STOPPED.format(why=KERNEL_ENDED)
        for index, source in left_out.items():
            nb.cells[index].source = source
        return nb, resources

    def preprocess_cell(self, cell: NotebookNode, resources: Any, index: int) -> tuple[NotebookNode, Any]:
        """Remember which cell is run."""
        self.place = index
        return super().preprocess_cell(cell, resources, index)


def _forbidden(source: str) -> Iterator[str]:
    """Yield the names in a student's cell by which it could reach the checks; of what is no Python nothing is run."""
    try:
        tree = ast.parse(TransformerManager().transform_cell(re.sub(r"^%matplotlib.*", "", source, flags=re.M)))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        names = [getattr(node, field, None) for field in ("id", "attr", "module", "value")]
        names += [alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)]
        for name in names:
            if isinstance(name, str) and (name.startswith(CHECKS) or name.partition(".")[0] in ROADS):
                yield name


def named(folder: Path, assignment: str) -> None:
    """Give a notebook its name, which was saved under another one, such as ``homework (1).ipynb``."""
    wanted = folder / f"{assignment}.ipynb"
    notebooks = sorted(folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime)
    if notebooks and not wanted.exists():
        notebooks[-1].rename(wanted)


def why_not(folder: Path, assignment: str) -> str:
    """Return why what a student handed in cannot be read, or nothing."""
    notebook = folder / f"{assignment}.ipynb"
    if not notebook.exists():
        here = ", ".join(sorted(path.name for path in folder.iterdir()))
        return f"there is no notebook, only {here}" if here else "the folder is empty"
    try:
        content = json.loads(notebook.read_text(encoding="utf-8"))
    except ValueError as error:
        return f"the file is no notebook ({error})"
    return "" if isinstance(content, dict) and content.get("cells") else "the file is no notebook with cells"


def grade(assignment: str) -> dict[str, str]:
    """Grade what was handed in, and return by student why it could not be graded."""
    application = NbGrader()
    application.initialize([])
    graders = NbGraderAPI(config=application.config)
    failed = {}
    for folder in sorted(Path("submitted").glob(f"*/{assignment}")):
        student = folder.parent.name
        named(folder, assignment)
        if reason := why_not(folder, assignment):
            failed[student] = reason
            continue
        result = graders.autograde(assignment, student, force=True, create=True)
        if not result["success"]:
            lines = (result.get("error") or result.get("log") or "nbgrader gave no reason").strip().splitlines()
            failed[student] = lines[-1]
    return failed


def main() -> int:
    """Grade an assignment; end with those who handed in and were not graded."""
    if len(sys.argv) != 2:
        print("usage: python -m erralign_book.course.grading ASSIGNMENT", file=sys.stderr)
        return 2
    assignment = sys.argv[1]
    failed = grade(assignment)
    n_students = len(list(Path("submitted").glob(f"*/{assignment}")))
    print(f"graded: {n_students - len(failed)} of {n_students} who handed in {assignment}")
    for student, reason in failed.items():
        print(f"handed in, not graded: {student}: {reason}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
