"""Each cell of a page shows the numbers that it showed: those of its outputs, beside a copy in tests/shown_numbers.

After a change that is meant, and `make book`,  python tests/test_shown_numbers.py [PAGE ...]  writes the copy anew, and
git shows which numbers are others. A sign or a limit that is turned by mistake changes some that nobody asserts.
"""

import re
import sys
from importlib.util import find_spec

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from test_chapters import WITH_CODE, tags
from test_executions import ROAD_DEPENDENT

from erralign_book.building import dependencies
from erralign_book.building.chapters import CHART

COPIES = ROOT / "tests" / "shown_numbers"
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
GUESS = re.compile('data-guess="([^"]*)"')


def of_chart(chart):
    """Yield, for each column of numbers behind a chart, how many there are, their mean and their spread."""
    for rows in sorted(chart.get("datasets", {}).values(), key=lambda rows: sorted(map(str, rows[:1]))):
        for column in sorted({name for row in rows for name in row}):
            values = [row[column] for row in rows if type(row.get(column)) in (int, float)]
            if values:
                yield f"{column}: {len(values)} {np.mean(values):.6g} {np.std(values):.6g}"


def shown_by(notebook):
    """Return a line for each output with numbers: the first words of its cell, and the numbers."""
    lines = []
    for cell in notebook.cells:
        if tags(cell) & ROAD_DEPENDENT:
            continue
        name = re.sub(r"\W+", " ", cell.source.strip())[:40].strip()
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if CHART in data:
                lines += [f"{name} | {column}" for column in of_chart(data[CHART])]
                continue
            said = output.get("text", "") or str(data.get("text/plain", ""))
            said += "".join(GUESS.findall(data.get("text/html", "")))  # a question, whose answer is on the page, too
            if numbers := NUMBER.findall(said):
                lines.append(f"{name} | {' '.join(numbers).replace(',', '').replace('−', '-')}")
    return lines


def same(line, copy):
    """Say whether two lines have the same words, and numbers that are equal but for what another machine changes."""
    (words, numbers), (copied_words, copied) = (
        (re.sub(NUMBER, "", each), [float(number) for number in NUMBER.findall(each.replace(",", ""))])
        for each in (line, copy)
    )
    alike = words.split() == copied_words.split() and len(numbers) == len(copied)
    return alike and np.allclose(numbers, copied, rtol=2e-6, atol=1e-9)


def read(name):
    return nbformat.read(ROOT / "book" / f"{name}.ipynb", 4)


@pytest.mark.parametrize("name", WITH_CODE)
def test_a_page_shows_the_numbers_that_it_showed(site, name):
    if dependencies.networks(dependencies.cells(name, ROOT)) and find_spec("torch"):
        pytest.skip("where torch is, the page runs a network, and shows more")
    path = COPIES / f"{name}.txt"
    shown, copy = shown_by(read(name)), path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    others = [(line, was) for line, was in zip(shown, copy, strict=False) if not same(line, was)]
    again = f"python tests/test_shown_numbers.py {name}  where that is meant"
    assert (others[:3], len(shown)) == ([], len(copy)), f"{name} shows other numbers than before; {again}"


def test_there_is_no_copy_of_a_page_that_is_gone():
    assert {path.stem for path in COPIES.iterdir()} <= set(WITH_CODE)


if __name__ == "__main__":
    COPIES.mkdir(exist_ok=True)
    for page in sys.argv[1:] or WITH_CODE:
        lines = shown_by(read(page))
        (COPIES / f"{page}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
