"""Every chapter says from frozen results what is true, under its own values and under others.

The book's own notebooks are the execution to compare with: where the raw data are, they came from them.
"""

import json
import math
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from conftest import ROOT
from test_chapters import DATA, SAYS, VALUES, WITH_CODE, tags

from erralign._validation import ChapterError
from erralign_book.building import chapters, course, dependencies
from erralign_book.building.chapters import CHART

# What other authors released is on one road only; which road it is differs by nature.
ROAD_DEPENDENT = {"released-values"}
DATA_DIGEST = re.compile(r"\bdata-[0-9a-f]{32}\b")  # Altair's name for a chart's data
LONG_NUMBER = re.compile(r"\d+\.\d{10,}(?:e-?\d+)?")


# --- what a notebook says --------------------------------------------------------------------------------------------


def content(notebook):
    """Return the cells of a notebook as text, without what the road decides and without other machines' last digits."""

    def shown(data):
        """Return an output, its chart's data by what they say: their names depend on last digits."""
        chart = data.get(CHART, {})
        return data | {CHART: chart | {"datasets": sorted(map(json.dumps, chart.get("datasets", {}).values()))}}

    parts = []
    for cell in notebook.cells:
        outputs = [] if tags(cell) & ROAD_DEPENDENT else cell.get("outputs", [])
        printed = "".join(output["text"] for output in outputs if output.get("name") == "stdout")
        data = [shown(output["data"]) for output in outputs if "data" in output]
        parts.append(DATA_DIGEST.sub("data", json.dumps([cell.source, printed, data])))
    return [LONG_NUMBER.sub(lambda number: f"{float(number[0]):.9g}", part) for part in parts]


def read(notebook):
    """Return what a page says: prose with its numbers, titles of charts, outputs; and its charts."""
    values, said, charts = course.numbers(notebook), [], []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            said.append(course.in_words(cell.source, values))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            charts += [data[CHART]] if CHART in data else []
            said.append(output.get("text", "") or data.get("text/plain", ""))
    said += [json.dumps(chart.get("title"), ensure_ascii=False) for chart in charts]
    return "\n\n".join(map(str, said)), charts, values


def assert_whole(said, charts, values):
    """No chart is empty, and no sentence has a number that could not be computed."""
    for chart in charts:
        assert any(chart.get("datasets", {}).values()), f"an empty chart: {chart.get('title')}"
    numbers = [text for text in values.values() if re.fullmatch(r"-?[\d.e+-]+|nan|-?inf", text)]
    assert all(math.isfinite(float(number)) for number in numbers)
    assert not re.search(r"\bnan %|−?\bnan to\b", said)
    assert not re.search(r"^[\w-]+-\d: (?!right)", said, re.M)  # what a solution hands in, whatever the seed


# --- executions ------------------------------------------------------------------------------------------------------


# Where no sentence is known to change with the values, to run is all that they can show.
# A page that computes in its cells says without the data, under other values, what to fetch.
FROZEN = [name for name in VALUES if "@frozen(" not in chapters.source(name, ROOT).read_text()]
IN_WORDS = [pytest.param(name, marks=[] if any(SAYS[name]) else [pytest.mark.weekly]) for name in FROZEN]


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_WORDS)
def test_a_chapter_says_what_is_true_under_other_values(execute, without_data, unless_passed, name, tmp_path):
    """It reads no data but those that it is executed again for when they change."""
    cells = dependencies.cells(name, ROOT)
    needed = dependencies.data(cells, DATA)
    how = [Path(chapters.__file__), chapters.source(name, ROOT), *needed]
    asked = repr((VALUES.get(name), SAYS.get(name)))
    made_from = [text.encode() for text in (cells, dependencies.code(), asked)] + [path.read_bytes() for path in how]
    with unless_passed(*made_from):
        second = {parameter: values[0] for parameter, values in VALUES[name].items()}
        notebook, opened = execute(name, second, without_data, tmp_path)
        said, charts, values = read(notebook)
        assert_whole(said, charts, values)
        right, wrong = SAYS.get(name, ([], []))
        assert [words for words in right if words not in said] == [words for words in wrong if words in said] == []
        assert opened & set(map(str, set(DATA) - set(needed))) == set()


@pytest.mark.weekly
@pytest.mark.parametrize("name", VALUES)
def test_a_chapter_says_the_same_from_frozen_results(site, execute, without_data, name, tmp_path):
    book = nbformat.read(ROOT / "book" / f"{name}.ipynb", 4)
    again, _ = execute(name, {}, without_data, tmp_path)
    cells = enumerate(zip(content(book), content(again), strict=True))
    assert [number for number, (first, second) in cells if first != second] == []


@pytest.mark.weekly
@pytest.mark.parametrize("name", VALUES)
def test_a_chapter_with_third_values(name, tmp_path):
    """Where the raw data are, from them."""
    third = {parameter: values[1] for parameter, values in VALUES[name].items()}
    chapters.execute(chapters.source(name, ROOT), tmp_path / "third.ipynb", third)
    assert_whole(*read(nbformat.read(tmp_path / "third.ipynb", 4)))


def test_no_chart_of_the_book_is_empty_and_no_cell_warns(site):
    for name in WITH_CODE:
        book = nbformat.read(ROOT / "book" / f"{name}.ipynb", 4)
        assert_whole(*read(book))
        outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
        assert [output["text"] for output in outputs if output.get("name") == "stderr"] == [], name


def execute_one_cell(folder, *lines):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join(lines))])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    jupytext.write(notebook, folder / "one.md", fmt="md:myst")
    chapters.execute(folder / "one.md", folder / "one.ipynb")
    return nbformat.read(folder / "one.ipynb", 4).cells[-1].outputs


@pytest.mark.slow
def test_what_a_cell_prints_is_one_output_and_what_its_process_says_as_it_ends_stays_off_the_screen(tmp_path, capfd):
    late = ["import atexit, os, time", "atexit.register(lambda: os.write(2, b'Traceback'))"]
    (printed,) = execute_one_cell(tmp_path, *late, "print(1)", "time.sleep(0.5)", "print(2)")
    assert printed["text"] == "1\n2\n"
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.slow
def test_a_process_that_dies_is_named_with_its_last_words(tmp_path):
    dying = ["import os, signal", "os.write(2, b'no more room')", "os.kill(os.getpid(), signal.SIGKILL)"]
    with pytest.raises(ChapterError, match=r"^one: its process died, perhaps for lack of memory\. .*no more room$"):
        execute_one_cell(tmp_path, *dying)
    assert not (tmp_path / "one.ipynb").exists()


@pytest.mark.slow
def test_a_chart_that_cannot_be_written_is_named_by_page_and_cell(tmp_path):
    chart = "alt.Chart(alt.Data(values=[{'year': float('nan')}]), title='Years', description='Years.').mark_point()"
    said = r"^one, code cell 1 \(import erralign.plot\.theme\): ValueError: the chart 'Years' .*: year is nan$"
    with pytest.raises(ChapterError, match=said):
        execute_one_cell(tmp_path, "import erralign.plot.theme", "import altair as alt", chart)
