"""The notebooks that are handed out: whole without solutions, and readable in any notebook program."""

import base64
import re
import tomllib

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import ROOT

from erralign_book.building import chapters, course

RAW = re.compile(r"\{[a-z:]+\}`|^:::|^\([\w-]+\)=$", re.M)
ASKED = re.compile(r"^\*\*\d+\.\*\*", re.M)
SHOWN = {"text/plain", "text/html", "image/png"}
NAMES = [
    pytest.param(name, marks=[pytest.mark.weekly] * (name != "error-consistency")) for name in course.with_code(ROOT)
]


def read(folder, name):
    return nbformat.read(ROOT / folder / f"{name}.ipynb", 4)


def text(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def outputs(notebook):
    every = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"] for output in every if "data" in output]


@pytest.mark.parametrize("name", course.handed_out(ROOT))
def test_a_students_notebook_lacks_only_solutions_and_any_program_can_show_it(site, name):
    student, teacher = (read(folder, name) for folder in (course.STUDENTS, course.TEACHERS))
    for notebook in (student, teacher):
        assert RAW.findall(text(notebook)) == []
        assert set().union(*outputs(notebook)) <= SHOWN
        assert all(any(data.values()) for data in outputs(notebook))
    assert "<summary>Answer" not in text(student)
    exercises = text(teacher).partition("## Exercises")[2]
    assert len(ASKED.findall(text(student))) == len(ASKED.findall(text(teacher)))
    places = re.findall(r"^# Your code$|^\*Your answer:\*$", "\n".join(cell.source for cell in student.cells), re.M)
    assert len(places) == exercises.count("<summary>Answer")
    checks = [course.CHECK.findall("\n".join(cell.source for cell in each.cells)) for each in (student, teacher)]
    cells = "\n".join(cell.source for cell in student.cells)
    gaps = re.findall(r"^def (\w+)\([^)]*\):\n    \.\.\.  # your code", cells, re.M)
    in_exercises = [[name for name in called if name not in gaps] for called in checks]
    assert in_exercises[0] == in_exercises[1]


def test_an_answer_that_no_cell_parts_from_the_numbers_is_left_out():
    page = """**1.** Why?

<details><summary>Answer</summary>

Because.

</details>

## Sources

A book.

## Numbers in the text

Glued."""
    (cell,) = course.without_solutions([nbformat.v4.new_markdown_cell(page)], lambda source: [])
    assert "Because" not in cell.source
    assert "Glued" not in cell.source
    assert re.search(r"Why\?\s+\*Your answer:\*\s+## Sources\s+A book\.", cell.source)


@pytest.mark.parametrize("name", course.with_code(ROOT))
def test_the_button_of_a_page_opens_its_notebooks_and_exercises_have_no_answers(site, name):
    exercises = f"{name}{course.EXERCISES}"
    for offered in [name, *[exercises] * (name in course.with_exercises(ROOT))]:
        place = ROOT / "_build" / "html" / "_sources" / f"{offered}.ipynb"
        assert place.read_bytes() == (ROOT / course.NOTEBOOKS / f"{offered}.ipynb").read_bytes()
    if name in course.with_exercises(ROOT):
        assert "<summary>Answer" not in text(read(course.NOTEBOOKS, exercises))


@pytest.mark.slow
def test_each_notebook_that_a_page_links_to_is_one_that_the_workflow_publishes(site):
    published = {path.name for path in (ROOT / course.NOTEBOOKS).glob("*.ipynb")}
    workflow = (ROOT / ".github/workflows/book.yml").read_text()
    assert f"path: {course.NOTEBOOKS}/*.ipynb" in workflow
    linked = {}
    for page in sorted(site.glob("*.html")):
        links = [link["href"] for link in BeautifulSoup(page.read_text(), "html.parser").select("a[href*='.ipynb']")]
        linked[page.stem] = {re.search(r"([\w-]+\.ipynb)", link)[1] for link in links}
        of_site = [link for link in links if "://" not in link]
        assert [link for link in of_site if not (site / link.partition("#")[0]).is_file()] == []
        assert linked[page.stem] <= published, page.stem
    for name in course.with_code(ROOT):
        assert f"{name}.ipynb" in linked[name]
        assert (f"{name}{course.EXERCISES}.ipynb" in linked[name]) == (name in course.with_exercises(ROOT))
    without = [name for name in chapters.names(ROOT) if name not in course.with_code(ROOT)]
    assert [name for name in without if linked[name]] == []


@pytest.mark.parametrize("name", ["error-consistency", "odd-one-out"])
def test_without_the_sites_style_charts_are_wide_and_no_guess_tells_its_answer(site, name):
    notebook = read(site.parent / "course" / "students", name)
    shown = outputs(notebook)
    charts = [base64.b64decode(data["image/png"]) for data in shown if "image/png" in data]
    assert charts
    widths = sorted(int.from_bytes(chart[16:20]) for chart in charts)
    assert widths[0] > 320  # small on purpose, and not cut
    assert widths[-1] > 600
    guesses = [data for data in shown if data.get("text/plain", "").startswith("Guess before you read on.")]
    assert guesses
    assert not any("text/html" in data for data in guesses)


def test_the_books_wheel_carries_what_charts_of_notebooks_read():
    folders = [ROOT / "book" / "erralign_book" / folder for folder in ("charts", "set_pieces")]
    charts = "".join(path.read_text() for folder in folders for path in folder.glob("*.py"))
    carried = tomllib.loads((ROOT / "book/pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    read = {f"assets/{name}" for name in re.findall(r'\bplace\("([^"]+)"\)', charts)}
    assert read
    assert read <= set(carried["force-include"])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ending", ["", course.EXERCISES])
def test_a_notebook_runs_as_it_is_and_with_nothing_written(site, without_data, unless_passed, name, ending, here):
    if ending and name not in course.with_exercises(ROOT):
        pytest.skip("a page without exercises")
    notebook = read(course.NOTEBOOKS, f"{name}{ending}")
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "google.colab" in cells[0].source
    notebook.cells.remove(cells[0])
    with unless_passed("\n".join(cell.source for cell in cells).encode()):
        chapters.run(notebook, name, without_data)


RIGHT_IN_OTHER_WORDS = """def error_consistency(truth, a, b):
    right = [np.asarray(answers) == np.asarray(truth) for answers in (a, b)]
    first, second = (outcomes.mean() for outcomes in right)
    by_chance = first * second + (1 - first) * (1 - second)
    return (np.mean(right[0] == right[1]) - by_chance) / (1 - by_chance)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "answer"),
    [(RIGHT_IN_OTHER_WORDS, "right."), (RIGHT_IN_OTHER_WORDS.replace("1 - by", "2 - by"), "not yet")],
)
def test_what_is_written_into_a_gap_is_checked_and_offline_the_page_goes_on_with_its_tables(
    site, without_data, written, answer
):
    notebook = read(course.NOTEBOOKS, f"error-consistency{course.EXERCISES}")
    notebook.cells = [cell for cell in notebook.cells if "google.colab" not in cell.source]
    (gap,) = (cell for cell in notebook.cells if cell.source.startswith("def error_consistency("))
    gap.source = written + gap.source.partition("    return ...\n")[2]
    executed = chapters.run(notebook, "error-consistency", without_data)
    every = [output for cell in executed.cells for output in cell.get("outputs", [])]
    printed = "".join(output["text"] for output in every if output.get("name") == "stdout")
    assert f"error_consistency: {answer}" in printed
    assert ("the tables below are the page's" in printed) == (answer == "right.")
