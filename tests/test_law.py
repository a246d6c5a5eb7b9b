"""What a page shows, its cells compute, in sight: the law of a page (CONTRIBUTING says why), and what holds it.

``python tests/test_law.py`` prints the table of shares.
"""

import ast
import subprocess
import sys
from pathlib import Path

import jupytext
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import law

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
