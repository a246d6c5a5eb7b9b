"""Every chapter is built as a reader expects it, depends on what it should, and checks its parameters."""

import ast
import re
from itertools import pairwise, takewhile
from pathlib import Path

import jupytext
import law
import nbformat
import papermill
import pytest
import yaml
from conftest import ROOT

from erralign_book.building import chapters, course, dependencies
from erralign_book.course.checking import on_pages
from erralign_book.papers.frozen import FROZEN

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text())
PARTS = {part["caption"]: [chapter["file"] for chapter in part["chapters"]] for part in TOC["parts"]}
NAMES = chapters.names(ROOT)
BOOK = {name: jupytext.read(chapters.source(name, ROOT)) for name in NAMES if chapters.source(name, ROOT).exists()}
DATA = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
WITH_CODE = [name for name in BOOK if any(cell.cell_type == "code" for cell in BOOK[name].cells)]
ON_THE_ROAD = [name for name in WITH_CODE if any("road" in cell.metadata.get("tags", []) for cell in BOOK[name].cells)]
PAPERS = PARTS["Five papers recomputed"]

LESSON_ENDS = ["Exercises", "Summary", "Sources"]
PAPER_BEGINS = ["What the paper asks", "Its data"]
PAPER_ENDS = ["Claims put to a test", "What we learned", "Exercises", "Sources"]
PRIVATE = re.compile(r"^(?:from|import) erralign.*\b_", flags=re.M)
HIDDEN = {"remove-input", "hide-input", "hide-cell", "remove-cell", "road"}


def tags(cell):
    return set(cell.metadata.get("tags", []))


def code(name):
    return [cell for cell in BOOK[name].cells if cell.cell_type == "code"]


def prose(name):
    return "\n\n".join(cell.source for cell in BOOK[name].cells if cell.cell_type == "markdown")


def sections(name):
    titles = re.findall(r"^## (.+)$", prose(name), flags=re.M)
    return [title for title in titles if title != "Numbers in the text"]


LESSONS = [name for name in PARTS["The road"] + PARTS["Going deeper"] if "Summary" in sections(name)]
WITH_EXERCISES = [name for name in BOOK if "Exercises" in sections(name)]
HOW_TO = [name for name in PARTS["Use it yourself"] if name.startswith("how-to-")]


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
    cells = "from erralign_book import frozen\n@frozen(f'error_consistency/{data_set}')\ntable('xu2024/pairs')"
    chosen = {path.relative_to(ROOT / "data").as_posix() for path in dependencies.data(cells, DATA)}
    assert chosen >= {"published.csv", "manifest.json", "frozen/xu2024/pairs.csv", "frozen/labs/errors.csv"}
    assert chosen >= {"frozen/error_consistency/stylized.csv", "frozen/error_consistency/stylized.json"}
    assert chosen.isdisjoint({"frozen/index.csv", "frozen/xu2024/mantel.csv", "frozen/which_interval/clusters.csv"})


@pytest.mark.slow
def test_the_line_on_the_road_names_every_result_table_that_the_chapter_names():
    """A table that only another named table reads may be left out."""
    unsaid = {}
    for name in ON_THE_ROAD:
        imports, *others = code(name)
        road = [cell.source for cell in others if "road" in tags(cell)]
        said = dependencies.data("\n".join([imports.source, *road]), DATA)
        text = "\n".join(cell.source for cell in others if "road" not in tags(cell))
        named = {"/".join(each) for each in re.findall(r"\b(\w+)\.(\w+)", text)} & set(FROZEN)
        unsaid[name] = named - {f"{path.parent.name}/{path.stem}" for path in said}
    assert {name: tables for name, tables in unsaid.items() if tables} == {}


# --- the shape of a chapter ------------------------------------------------------------------------------------------


def broken(names, rules):
    """Return, by chapter, the words of the rules that it breaks; ``rules`` says of each whether it is kept."""
    found = {name: [words for words, kept in rules(name).items() if not kept] for name in names}
    return {name: words for name, words in found.items() if words}


def test_every_chapter_of_the_contents_is_written_and_no_other():
    assert sorted(path.stem for path in (ROOT / "notebooks").glob("*.md")) == sorted(NAMES)


def test_every_kind_of_page_has_its_sections():
    def rules(name):
        titles, first = sections(name), name.replace("further-", "reproducing-")
        if name in LESSONS:
            learn = re.search(r"\n## Summary\n(?:(?!\n## ).)*\n\nYou can now \*", prose(name), flags=re.S)
            return {"sections": titles[-3:] == LESSON_ENDS, "learn": learn}
        if name == first:
            return {"sections": titles[:2] + titles[-4:] == PAPER_BEGINS + PAPER_ENDS}
        follows = PAPERS[PAPERS.index(name) - 1] == first and f"{{doc}}`{first}`" in prose(name)
        return {"sections": [titles[0], *titles[-3:]] == [PAPER_BEGINS[-1], *PAPER_ENDS[1:]], "follows": follows}

    assert broken(LESSONS + [name for name in PAPERS if name.startswith(("reproducing-", "further-"))], rules) == {}


def test_how_to_pages_are_short_and_do_something():
    """One task, few steps, something to type or to look up, and a way on."""

    def rules(name):
        shown = [cell for cell in code(name) if not tags(cell) & HIDDEN]
        return {
            "two or three sections": 2 <= len(sections(name)) <= 3,
            "to type": shown or re.search(r"^(```\n(erralign|pip) |:::\{table\} )", prose(name), flags=re.M),
            "a way on": re.search(
                r"\{(doc|ref)\}", prose(name).removesuffix("## Numbers in the text").strip().split("\n\n")[-1]
            ),
        }

    assert broken(HOW_TO, rules) == {}


def test_code_of_a_chapter_is_in_order_and_explained():
    def rules(name):
        cells, (imports, values) = BOOK[name].cells, code(name)[:2]
        ended = [*cells, nbformat.v4.new_markdown_cell()]
        opening = "\n".join(cell.source for cell in takewhile(lambda cell: cell.cell_type == "markdown", cells))
        lines = values.source.splitlines()
        last = law.numbers_in_the_text(BOOK[name])
        folded = [
            after.source.lstrip() for cell, after in pairwise(ended) if "hide-cell" in tags(cell) and cell not in last
        ]
        return {
            "title and question before the first cell": opening.startswith("# ") and "?" in opening,
            "80 columns beside the contents": not re.search(".{81}", "\n".join(may_be_opened(name))),
            # The site puts it behind its words, into the same fold (erralign_book.building.folds).
            "folded code right before its words": all(text.startswith(":::{dropdown} ") for text in folded),
            "imports first": all(isinstance(n, ast.Import | ast.ImportFrom) for n in ast.parse(imports.source).body),
            "then parameters": "parameters" in tags(values),
            "each with a comment": all("#" in lines[node.end_lineno - 1] for node in ast.parse(values.source).body),
            "public names": not [cell for cell in code(name) if PRIVATE.search(cell.source)],
        }

    assert broken(WITH_CODE, rules) == {}


def may_be_opened(name):
    return [cell.source for cell in code(name) if not tags(cell) & {"remove-input", "remove-cell"}]


def test_exercises_have_folded_solutions():
    def rules(name):
        cells = section(name, "Exercises")
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        count = len(re.findall(r"^\*\*\d+\.\*\* [●○]{3} \d+ min\. ", text, flags=re.M))
        solved = [cell.source for cell in cells if "hide-cell" in tags(cell)]
        return {
            "two": count >= 2 or name not in LESSONS,
            "level and minutes": len(re.findall(r"^\*\*\d+\.\*\*", text, flags=re.M)) == count,
            "solutions": text.count("{dropdown}") >= count,
            "a check of what is programmed": course.CHECK.findall("\n".join(solved))
            or (name in LESSONS and "(Programming.)" not in text),
        }

    assert broken(WITH_EXERCISES, rules) == {}
    called = [each for name in WITH_EXERCISES for cell in code(name) for each in course.CHECK.findall(cell.source)]
    gaps = [cell.source for name in BOOK for cell in code(name) if "gap" in tags(cell)]
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


@pytest.mark.parametrize("name", VALUES)
def test_values_are_of_parameters_that_a_chapter_has(name):
    assert set(VALUES[name]) <= set(papermill.inspect_notebook(BOOK[name]))


def test_each_parameter_says_what_a_reader_may_put_there():
    said = {}
    for name in WITH_CODE:
        for cell in code(name):
            if "parameters" in tags(cell):
                lines = cell.source.splitlines()
                said[name] = [ast.unparse(n) for n in ast.parse(cell.source).body if "#" not in lines[n.end_lineno - 1]]
    assert {name: lines for name, lines in said.items() if lines} == {}
