"""Every chapter is built as a reader expects it, depends on what it should, and checks its parameters."""

import re
from pathlib import Path

import jupytext
import papermill
import yaml
from conftest import ROOT

from erralign_book.building import chapters, course, dependencies
from erralign_book.course.checking import on_pages

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
PARTS = {part["caption"]: [chapter["file"] for chapter in part["chapters"]] for part in TOC["parts"]}
NAMES = chapters.names(ROOT)
BOOK = {name: jupytext.read(chapters.source(name, ROOT)) for name in NAMES if chapters.source(name, ROOT).exists()}
DATA = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
WITH_CODE = [name for name in BOOK if any(cell.cell_type == "code" for cell in BOOK[name].cells)]


def tags(cell):
    return set(cell.metadata.get("tags", []))


def code(name):
    return [cell for cell in BOOK[name].cells if cell.cell_type == "code"]


def prose(name):
    return "\n\n".join(cell.source for cell in BOOK[name].cells if cell.cell_type == "markdown")


WITH_EXERCISES = [name for name in BOOK if re.search("^## Exercises$", prose(name), flags=re.M)]


def section(name, title):
    """Return the cells of one section."""
    cells, inside = [], False
    for cell in BOOK[name].cells:
        for heading in re.findall(r"^## (.+)$", cell.source, flags=re.M) if cell.cell_type == "markdown" else []:
            inside = heading == title
        if inside:
            cells.append(cell)
    return cells


# --- what a chapter depends on ---------------------------------------------------------------------------------------


def test_cells_depend_on_the_tables_of_cells_that_they_name_and_on_all_other_data():
    cells = "from erralign_book import frozen\n@frozen('error_consistency/pairs')\ntable('xu2024/pairs')"
    cells += "\n@frozen(f'your_model_beside_people/{data_set}_answers')"
    chosen = {path.relative_to(ROOT / "data").as_posix() for path in dependencies.data(cells, DATA)}
    assert chosen >= {"published.csv", "manifest.json", "frozen/xu2024/pairs.csv", "frozen/labs/errors.csv"}
    assert chosen >= {f"frozen/error_consistency/pairs/xu2024-stylized,EC.{form}" for form in ("csv", "json")}
    assert "frozen/your_model_beside_people/edges_answers.csv" in chosen
    others = {"frozen/coverage/panels.csv", "frozen/xu2024/mantel.csv", "frozen/which_interval/clusters.csv"}
    assert chosen.isdisjoint(others)


def test_a_page_comes_after_those_whose_tables_it_reads_but_in_a_circle():
    order, home = dependencies.in_order(NAMES, ROOT), dependencies.homes(ROOT)
    assert sorted(order) == sorted(NAMES)
    place = {page: number for number, page in enumerate(order)}
    reads = {
        (page, home.get(name, page))
        for page in NAMES
        for name in dependencies.NAMED.findall(dependencies.cells(page, ROOT))
    }
    behind = {page: {other for reader, other in reads if reader == page} for page in NAMES}
    for page, other in reads:
        if place[other] > place[page]:
            reached = {other}
            while more := set().union(*(behind[one] for one in reached)) - reached:
                reached |= more
            assert page in reached, f"{page} comes before {other}, whose table it reads"


# --- what a chapter has ----------------------------------------------------------------------------------------------


def test_every_chapter_of_the_contents_is_written_and_no_other():
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.md")) == sorted(NAMES)


def test_every_exercise_with_a_check_is_on_one_page():
    cells = [cell for name in BOOK for cell in code(name)]
    gaps = [cell.source for cell in cells if "gap" in tags(cell)]
    others = [cell.source for cell in cells if "gap" not in tags(cell)]
    called = [each for source in others for each in course.CHECK.findall(source)]
    called += [name for source in gaps for name in re.findall(r"^def (\w+)", source, flags=re.M)]
    assert sorted(called) == sorted(on_pages())


def test_terms_stand_in_the_glossary():
    defined = set(re.findall(r"^(?! |`|#|:)(\S.*)$", prose("glossary").partition("{glossary}")[2], flags=re.M))
    used = re.findall(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`", "\n".join(map(prose, BOOK)))
    assert {term.strip().lower() for term in used} - {term.strip().lower() for term in defined} == set()


# --- parameters; test_executions.py runs chapters with them -----------------------------------------------------------


# Chapter -> parameter -> a second legal value, a third one and an illegal one; and what the page says under the second.
CHAPTERS = {name: {} for name in WITH_CODE} | yaml.safe_load(Path(__file__).with_name("parameters.yml").read_text())
SAYS = {name: (each.pop("SAYS", []), each.pop("NO LONGER", [])) for name, each in CHAPTERS.items()}
VALUES = {name: {parameter: tuple(values) for parameter, values in each.items()} for name, each in CHAPTERS.items()}


def test_each_parameter_is_one_of_its_chapter_and_says_what_a_reader_may_put_there():
    for name in WITH_CODE:
        parameters = papermill.inspect_notebook(BOOK[name])
        assert set(VALUES[name]) <= parameters.keys(), name
        assert [parameter for parameter, its in parameters.items() if not its["help"]] == [], name
