"""What is on a page: the cells of a chapter by what a reader sees of them, and lines of code counted by it."""

import ast
import re

# A widget of the site, such as a guess: one call, whose code says nothing of how anything is computed.
WIDGETS = {"compared", "glue", "guess", "guess_curve", "guesses", "you", "yours", "check"}


def tags(cell):
    return set(cell.metadata.get("tags", []))


def place(cell):
    """Say what a reader sees of a cell: all of it, its output with the code in a fold, a closed fold, or none."""
    its = tags(cell)
    if its & {"remove-cell", "remove-input"}:
        return "hidden"
    if its & {"hide-input", "hide-cell", "hide-output"}:
        return "folded"
    return "open"


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def counted(cell):
    """Count lines that say something: no imports, parameters, one-line calls of widgets, comments, docstrings."""
    if tags(cell) & {"parameters"}:
        return 0
    tree = ast.parse(re.sub(r"^%.*$", "pass", cell.source, flags=re.M))
    statements = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    if len(statements) == 1 and "remove-input" in tags(cell) and _is_widget(statements[0]):
        return 0
    lines = set()
    for node in statements:
        lines |= set(range(node.lineno, node.end_lineno + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, node.end_lineno + 1))
    texts = dict(enumerate(cell.source.splitlines(), start=1))
    return sum(1 for line in lines if re.search(r"\w", texts[line]) and not texts[line].lstrip().startswith("#"))


def _is_widget(statement):
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    name = ast.unparse(statement.value.func).split(".")[0]
    return name in WIDGETS


def numbers_in_the_text(notebook):
    """Return the cells under the heading of that name."""
    cells, inside = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (headings := re.findall(r"^## (.+)$", cell.source, flags=re.M)):
            inside = headings[-1] == "Numbers in the text"
        if inside and cell.cell_type == "code":
            cells.append(cell)
    return cells


def shares(notebook):
    """Return how many lines of a chapter are open, folded and hidden."""
    lines = dict.fromkeys(("open", "folded", "hidden"), 0)
    for cell in code(notebook):
        lines[place(cell)] += counted(cell)
    return lines


def as_seen(notebook):
    """Return the code that a reader can type from a page, with its parameters, as one text per cell."""
    return [cell.source for cell in code(notebook) if place(cell) != "hidden"]
