"""Every chapter is built as a reader expects it, and depends on what it should."""

import ast
import inspect
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import takewhile
from pathlib import Path
from statistics import median

import jupytext
import pytest
import yaml
from conftest import ROOT

from erralign_book import charts
from erralign_book.building import chapters, dependencies
from erralign_book.papers import geirhos2020, klabunde2024, klein2025, muttenthaler2023, xu2024
from erralign_book.papers.code import PACKAGES, names_of_text
from erralign_book.papers.frozen import FROZEN
from erralign_book.simulations import coverage

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
PARTS = {part["caption"]: [chapter["file"] for chapter in part["chapters"]] for part in TOC["parts"]}
NAMES = chapters.names(ROOT)
BOOK = {name: jupytext.read(chapters.source(name, ROOT)) for name in NAMES if chapters.source(name, ROOT).exists()}
DATA = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
WITH_CODE = [name for name in BOOK if any(cell.cell_type == "code" for cell in BOOK[name].cells)]

MEASURE = [
    "The idea",
    "The formula",
    "From scratch",
    "With erralign",
    "On real data",
    "Where it breaks",
    "Exercises",
    "Summary",
    "Sources",
]
PAPER_BEGINS = ["What the paper asks", "Its data"]
PAPER_ENDS = ["Claims put to a test", "What we learned", "Sources"]
IMPORTS = re.compile(r"(import|from) ")
HIDDEN = {"remove-input", "hide-input", "hide-cell", "remove-cell", "road"}
STUDIES = {
    "xu2024": xu2024,
    "geirhos2020": geirhos2020,
    "klein2025": klein2025,
    "muttenthaler2023": muttenthaler2023,
    "klabunde2024": klabunde2024,
    "coverage": coverage,
}


def tags(cell):
    return set(cell.metadata.get("tags", []))


def code(name):
    return [cell for cell in BOOK[name].cells if cell.cell_type == "code"]


def prose(name):
    return "\n\n".join(cell.source for cell in BOOK[name].cells if cell.cell_type == "markdown")


def sections(name):
    return re.findall(r"^## (.+)$", prose(name), flags=re.M)


def section(name, title):
    """Return the cells of one section."""
    cells, inside = [], False
    for cell in BOOK[name].cells:
        for heading in re.findall(r"^## (.+)$", cell.source, flags=re.M) if cell.cell_type == "markdown" else []:
            inside = heading == title
        if inside:
            cells.append(cell)
    return cells


def line_count(cell):
    return sum(bool(line.strip()) for line in cell.source.splitlines())


# --- what a chapter depends on ---------------------------------------------------------------------------------------


def code_of_all(packages):
    return {name: dependencies.code(dependencies.cells(name, ROOT), packages) for name in NAMES}


@pytest.mark.slow
def test_a_change_in_a_chart_concerns_the_chapters_that_show_it(tmp_path):
    drawn = inspect.getsource(charts.p_values)
    file = Path(inspect.getsourcefile(charts.p_values))
    for package in PACKAGES:
        shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    changed = file.read_text().replace(drawn, drawn.replace("\n    return ", "\n    print()\n    return "))
    (tmp_path / file.relative_to(ROOT / "book")).write_text(changed)
    before, after = code_of_all(PACKAGES), code_of_all(tuple(tmp_path / package.name for package in PACKAGES))
    concerned = {name for name in NAMES if "charts.p_values(" in dependencies.cells(name, ROOT)}
    assert {name for name in NAMES if before[name] != after[name]} == concerned
    assert 0 < len(concerned) < len(WITH_CODE)


def test_cells_that_are_not_plain_python_depend_on_all():
    assert dependencies.code("%timeit 1") is None
    assert dependencies.data("%timeit 1", DATA) == DATA


def test_cells_depend_on_the_frozen_tables_that_they_name_and_on_all_other_data():
    cells = "from erralign_book.papers import xu2024\nxu2024.time_outs()"
    chosen = {path.relative_to(ROOT / "data").as_posix() for path in dependencies.data(cells, DATA)}
    assert chosen >= {"published.csv", "manifest.json", "frozen/xu2024/time_outs.csv", "frozen/benchmarks/pairs.csv"}
    assert chosen.isdisjoint({"frozen/index.csv", "frozen/xu2024/accuracies.csv", "frozen/klein2025/ranking.csv"})


def named_tables(cells):
    """Return the result tables that cells name: themselves, or behind a plain function of a paper."""
    nodes = [node for node in ast.walk(ast.parse(cells)) if isinstance(node, ast.Attribute)]
    pairs = {(node.value.id, node.attr) for node in nodes if isinstance(node.value, ast.Name)}
    every = [getattr(STUDIES[study], name) for study, name in sorted(pairs) if study in STUDIES]
    plain = [each for each in every if inspect.isfunction(each) and not hasattr(each, "table")]
    return {each.table.name for each in every if hasattr(each, "table")} | set().union(*map(behind, plain))


@cache
def behind(function):
    """Return the result tables that a function reaches."""
    reached = names_of_text(f"from {function.__module__} import {function.__name__}")
    return {f"{name.split('.')[2]}/{name.rpartition('.')[2]}" for name in reached if name.count(".") > 2} & set(FROZEN)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in WITH_CODE if any("road" in tags(cell) for cell in code(name))])
def test_the_line_on_the_road_names_every_result_table_of_the_chapter(name):
    """A table that only another named table reads may be left out."""
    roads = [cell.source for cell in code(name) if "road" in tags(cell)]
    others = [cell.source for cell in code(name) if "road" not in tags(cell)]
    said, used = named_tables("\n".join(roads)), named_tables("\n".join(others))
    assert used - said - set().union(*(behind(FROZEN[table].function) for table in said)) == set()


# --- the shape of a chapter ------------------------------------------------------------------------------------------


def test_every_chapter_of_the_contents_is_written_and_no_other():
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.md")) == sorted(NAMES)


@pytest.mark.parametrize("name", PARTS["Lessons"])
def test_measure_chapter_has_the_sections(name):
    assert sections(name) == MEASURE
    assert "In this chapter you learn to" in prose(name)


@pytest.mark.parametrize("name", [name for name in PARTS["Reproductions"] if name.startswith("reproducing-")])
def test_reproduction_has_the_sections(name):
    assert sections(name)[:2] == PAPER_BEGINS
    assert sections(name)[-3:] == PAPER_ENDS


@pytest.mark.parametrize("name", [name for name in PARTS["Reproductions"] if name.startswith("further-")])
def test_second_page_of_a_reproduction_follows_the_first_and_has_the_sections(name):
    first = name.replace("further-", "reproducing-")
    assert PARTS["Reproductions"][PARTS["Reproductions"].index(name) - 1] == first
    assert f"{{doc}}`{first}`" in prose(name)
    assert sections(name)[0] == PAPER_BEGINS[-1]
    assert sections(name)[-2:] == PAPER_ENDS[1:]
    assert "In this chapter you learn to" in prose(name)


@pytest.mark.parametrize("name", PARTS["How to"])
def test_how_to_page_is_short_and_does_something(name):
    """One task, few steps, something to type or to look up, and a way on; tests/test_how_to.py measures its height."""
    assert name.startswith("how-to-")
    assert 2 <= len(sections(name)) <= 3
    assert set(sections(name)).isdisjoint({*MEASURE, *PAPER_BEGINS, *PAPER_ENDS})
    assert sum(not tags(cell) & HIDDEN for cell in code(name)) <= 4
    assert re.search(r"^(```\n(erralign|pip) |:::\{table\} )", prose(name), flags=re.M)
    assert re.search(r"\{(doc|ref)\}", prose(name).strip().split("\n\n")[-1])


@pytest.mark.parametrize("name", WITH_CODE)
def test_cells_are_few_and_short(name):
    visible = [cell for cell in code(name) if not tags(cell) & HIDDEN]
    lengths = [line_count(cell) for cell in visible]
    assert len(lengths) <= 30
    assert median([line_count(cell) for cell in visible if not IMPORTS.match(cell.source)] or [0]) <= 4
    assert max(lengths, default=0) <= 12


@pytest.mark.parametrize("name", WITH_CODE)
def test_code_that_a_reader_may_open_fits_beside_the_contents(name):
    cells = [cell.source for cell in code(name) if not tags(cell) & {"remove-input", "remove-cell"}]
    wide = [line for line in "\n".join(cells).splitlines() if len(line) > 80]
    assert wide == []


@pytest.mark.parametrize("name", PARTS["Lessons"])
def test_code_of_a_lesson_that_a_reader_may_open_uses_no_unknown_name(name):
    """Reproductions prepare some of their tables out of sight; the code of a lesson can be typed from top to bottom."""
    cells = [cell.source for cell in code(name) if not tags(cell) & {"remove-input", "remove-cell"}]
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F821", "-"]
    found = subprocess.run(ruff, input="\n".join(cells), capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert [source for source in cells if "glue(" in source] == []


@pytest.mark.parametrize("name", WITH_CODE)
def test_folded_code_stands_right_before_its_words(name):
    """The site puts it behind them, into the same fold (:mod:`erralign_book.building.folds`)."""
    followers = [
        after.source.lstrip()
        for cell, after in zip(BOOK[name].cells, [*BOOK[name].cells[1:], None], strict=True)
        if "hide-cell" in tags(cell)
    ]
    assert [text for text in followers if not text.startswith(":::{dropdown} ")] == []


@pytest.mark.parametrize("name", WITH_CODE)
def test_title_and_question_stand_before_the_first_cell(name):
    opening = "\n".join(cell.source for cell in takewhile(lambda cell: cell.cell_type == "markdown", BOOK[name].cells))
    assert opening.startswith("# ")
    assert "?" in opening


@pytest.mark.parametrize("name", WITH_CODE)
def test_imports_come_first_then_commented_parameters(name):
    imports, values = code(name)[:2]
    assert all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(imports.source).body)
    assert "parameters" in tags(values)
    lines = values.source.splitlines()
    for node in ast.parse(values.source).body:
        assert "#" in lines[node.end_lineno - 1], f"say what a reader may put here: {lines[node.lineno - 1]}"


@pytest.mark.parametrize("name", PARTS["Lessons"])
def test_exercises_have_folded_solutions(name):
    cells = section(name, "Exercises")
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    exercises = re.findall(r"^\*\*\d+\.\*\*", text, flags=re.M)
    assert len(exercises) >= 4
    assert "(Programming.)" in text
    assert text.count("{dropdown}") >= len(exercises)
    assert sum("hide-cell" in tags(cell) for cell in cells) >= len(exercises)


@pytest.mark.parametrize("name", WITH_CODE)
def test_only_public_names_are_imported(name):
    for node in ast.walk(ast.parse("\n".join(cell.source for cell in code(name)))):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        private = [path for path in imported if path.startswith("erralign") and "._" in path]
        assert private == []


def test_no_paragraph_stands_in_two_chapters():
    paragraphs = Counter()
    for name in BOOK:
        distinct = {" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", prose(name))}
        paragraphs.update(paragraph for paragraph in distinct if len(paragraph) >= 60)
    assert [paragraph for paragraph, count in paragraphs.items() if count > 1] == []


@pytest.mark.parametrize("name", BOOK)
def test_terms_stand_in_the_glossary(name):
    defined = set(re.findall(r"^(?! |`|#|:)(\S.*)$", prose("glossary").partition("{glossary}")[2], flags=re.M))
    used = re.findall(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`", prose(name))
    assert {term.strip().lower() for term in used} <= {term.strip().lower() for term in defined}
