"""What a page folds, and what stands in each fold."""

import re
from functools import cache

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from test_chapters import ON_THE_ROAD, WITH_CODE, WITH_EXERCISES, code, section, tags

from erralign_book.building.folds import fold

UNSEEN = {"remove-cell", "remove-input"}
PAGES = [name for name in WITH_CODE if not tags(code(name)[0]) & UNSEEN]


@cache
def article(site, page):
    return BeautifulSoup((site / f"{page}.html").read_text(), "html.parser").article


def line(fold):
    """Return what a closed fold shows."""
    return fold.summary.find(["p", "span"]).get_text(" ", strip=True)


@pytest.mark.parametrize("page", WITH_EXERCISES)
def test_an_answer_has_its_words_then_its_code_then_its_output(site, page):
    exercises = article(site, page).find(id="exercises")
    answers = exercises.select("details.sd-dropdown > .sd-summary-content")
    with_code = [answer for answer in answers if answer.select(".cell")]
    assert len(with_code) == sum("hide-cell" in tags(cell) for cell in section(page, "Exercises"))
    for answer in with_code:
        first, *_, last = answer.find_all(True, recursive=False)
        assert (first.name, "cell" in last["class"]) == ("p", True)
        assert answer.select(".cell_input + .cell_output")
    assert not exercises.find_all("div", class_="cell", recursive=False)


@pytest.mark.parametrize("page", PAGES)
def test_imports_and_settings_wait_in_one_named_fold(site, page):
    body, settings = article(site, page), not tags(code(page)[1]) & UNSEEN
    fold = body.select_one("div.cell.quiet > details")
    sources = [source.get_text() for source in fold.select(".cell_input")]
    assert line(fold) == ("Imports and settings" if settings else "Imports")
    assert re.match(r"\s*(import|from) ", sources[0])
    assert len(sources) == 1 + settings


@pytest.mark.parametrize("page", WITH_CODE)
def test_of_two_folds_in_a_row_the_first_shows_something(site, page):
    """What only defines something waits in the fold of what follows."""
    in_a_row = article(site, page).select("div.cell.tag_hide-input:not(.quiet):has(+ div.cell.tag_hide-input)")
    assert [fold.get_text()[:80] for fold in in_a_row if not fold.select(".cell_output")] == []


@pytest.mark.parametrize("page", ON_THE_ROAD)
def test_where_the_tables_come_from_is_one_line_that_opens(site, page):
    (fold,) = article(site, page).select("div.cell.tag_road > details")
    named = re.findall(r"\b\w+/\w+", fold.select_one(".cell_output").get_text())
    assert re.search(r"from the (raw data|frozen results) \(\d+\)\.$", line(fold))
    assert sum(map(int, re.findall(r"\((\d+)\)", line(fold)))) == len(named) > 0
    assert "/" not in line(fold)


def test_where_the_tables_come_from_is_said_at_the_end_of_a_page():
    source, said = nodes.container(), nodes.container("", nodes.Text("read from the frozen results: a/b, a/c"))
    road = nodes.container("", source, said, nb_element="cell_code", cell_metadata={"tags": ["road"]})
    first, last = (nodes.section("", nodes.paragraph(text=text)) for text in ("idea", "sources"))
    first.insert(0, road)
    page = new_document("page")
    page += nodes.section("", first, last)
    fold(None, page)
    assert road.parent is last
    assert last.index(road) == len(last) - 1
    assert road["prompt_show"] == "read from the frozen results (2)."
