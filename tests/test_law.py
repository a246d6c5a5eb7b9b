"""What a page shows, its cells compute, in sight: the law of a page (CONTRIBUTING says why), and what holds it.

``python tests/test_law.py`` prints the table of shares.
"""

import ast
import dis
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import jupytext
import nbformat
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import law

from erralign_book.cells import _globals_of

ROOT = Path(__file__).parents[1]
BOOK = {path.stem: jupytext.read(path) for path in sorted((ROOT / "notebooks").glob("*.md"))}
WITH_CODE = [name for name in BOOK if law.code(BOOK[name])]
FROM_THE_BOOK = {
    "frozen",
    "labs",
    "table",
    "printed",
    "plan",
    "beside",
    "released",
    "reproduced",
    "efficientnets",
    "syllogisms",
    "things",
    "years",
    "yours",
}
FOR_LOOKS = {
    "check",
    "compared",
    "data_folder",
    "glue",
    "guess",
    "guess_curve",
    "guesses",
    "likeness_and_errors",
    "set_pieces",
    "you",
}


def table():
    """Return the lines of all pages by what a reader sees of them."""
    rows = pd.DataFrame({name: law.shares(BOOK[name]) for name in WITH_CODE}).T
    rows["numbers"] = pd.Series(
        {name: sum(map(law.counted, law.numbers_in_the_text(BOOK[name]))) for name in WITH_CODE}
    )
    rows.loc["all pages", :] = rows.sum()
    total = rows["open"] + rows["folded"] + rows["hidden"]
    rows["on the page"] = (1 - rows["hidden"] / total).round(3)
    rows["share open"] = (rows["open"] / total).round(3)
    rows["share numbers"] = (rows["numbers"] / total).round(3)
    return rows


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_page_hides_nothing_but_calls_of_widgets(name):
    assert not any("remove-cell" in law.tags(cell) for cell in law.code(BOOK[name]))
    hidden = [cell.source for cell in law.code(BOOK[name]) if law.place(cell) == "hidden" and law.counted(cell)]
    assert hidden == []


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_page_imports_at_its_top_and_from_the_book_only_what_all_pages_share(name):
    foreign = set()
    for cell in law.code(BOOK[name]):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "erralign_book":
                if node.module.startswith("erralign_book.studies."):
                    continue
                names = {alias.name for alias in node.names}
                foreign |= names - FROM_THE_BOOK - FOR_LOOKS
    assert foreign == set()


IMPORTS = ast.Import | ast.ImportFrom


def names_bound(statement):
    """Return the names that a statement at the top level of a page gives a value."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    code = compile(ast.Module([statement], type_ignores=[]), "cell", "exec")
    return {step.argval for step in dis.get_instructions(code) if step.opname in ("STORE_NAME", "STORE_GLOBAL")}


def rebound(notebook):
    """Return the functions that a frozen one is, or uses, and that a page calls something else, or values that it reads
    and that a later cell changes.
    """
    cells = [re.sub(r"^%.*$", "", cell.source, flags=re.M) for cell in law.code(notebook)]
    statements = [statement for cell in cells for statement in ast.parse(cell).body]
    places = defaultdict(list)
    for place, statement in enumerate(statements):
        for name in names_bound(statement):
            again = places[name] and isinstance(statements[places[name][-1]], IMPORTS)
            if not (again and isinstance(statement, IMPORTS)):
                places[name].append(place)
    reads, frozen = {}, set()
    for node in statements:
        if isinstance(node, ast.FunctionDef):
            body = compile(ast.Module([node], type_ignores=[]), "cell", "exec").co_consts
            reads[node.name] = _globals_of(next(part for part in body if getattr(part, "co_name", "") == node.name))
            if any("frozen(" in ast.unparse(by) for by in node.decorator_list):
                frozen.add(node.name)
    broken = set()
    for name in frozen:
        used, todo = {name}, [name]
        while todo:
            new = reads.get(todo.pop(), set()) & places.keys() - used
            used |= new
            todo += new
        here = places[name][0]
        broken |= {one for one in used if places[one][-1] > here and (one not in reads or len(places[one]) > 1)}
        broken |= {one for one in used & reads.keys() if len(places[one]) > 1}
    return sorted(broken)


@pytest.mark.parametrize("name", WITH_CODE)
def test_no_name_of_a_page_breaks_a_frozen_function_below(name):
    """Whoever goes back to a cell, or calls a function again below, finds what it reads as it was."""
    assert rebound(BOOK[name]) == []


@pytest.mark.parametrize("line", ["kinds = [1]", "for kinds in [1]:\n    pass", "factor = 3", "import math as doubled"])
def test_a_name_that_breaks_one_is_found(line):
    lines = "factor = 2\ndef doubled(n):\n    return n * factor\n"
    lines += "@frozen('a/b')\ndef kinds(numbers):\n    return [doubled(n) for n in numbers]"
    cells = [nbformat.v4.new_code_cell(text) for text in (lines, "many = [factor for factor in kinds([1])]")]
    assert rebound(nbformat.v4.new_notebook(cells=cells)) == []
    cells.insert(0, nbformat.v4.new_code_cell("factor = 1"))  # and is 2 before anything is frozen
    assert rebound(nbformat.v4.new_notebook(cells=cells)) == []
    cells.append(nbformat.v4.new_code_cell(line))
    assert len(rebound(nbformat.v4.new_notebook(cells=cells))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_CODE)
def test_what_is_on_a_page_runs_from_top_to_bottom_without_the_data(name, tmp_path, without_data):
    """Type what is on a page into one file, from top to bottom, and run it in a clean process."""
    file = tmp_path / f"{name}.py"
    file.write_text("\n#=#\n".join(law.as_seen(BOOK[name])))
    runner = "from IPython.core.interactiveshell import InteractiveShell as S; s = S.instance(); import sys\n"
    runner += "import erralign.plot.theme\n"
    runner += "for part in open(sys.argv[1]).read().split('\\n#=#\\n'): s.run_cell(part).raise_error()"
    environment = without_data | {"MPLBACKEND": "agg"}
    command = [sys.executable, "-c", runner, str(file)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


if __name__ == "__main__":
    print(table().astype({"open": int, "folded": int, "hidden": int, "numbers": int}).to_string())
