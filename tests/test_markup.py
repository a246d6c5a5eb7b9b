"""What stands in the files of pages, without a browser: folds, tables, words, titles, links; each is parsed once."""

import re
from functools import cache
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from conftest import ROOT
from test_chapters import WITH_EXERCISES, section, tags

from erralign_book.building.chapters import lessons, names

PAGES = names(ROOT)


@cache
def parsed(site, page):
    return BeautifulSoup((site / f"{page}.html").read_text(encoding="utf-8"), "html.parser")


# --- folds ------------------------------------------------------------------------------------------------------------


def line(fold):
    """Return what a closed fold shows."""
    return fold.summary.find(["p", "span"]).get_text(" ", strip=True)


@pytest.mark.parametrize("page", WITH_EXERCISES)
def test_exercises_wait_in_one_fold_and_an_answer_has_its_words_then_its_code_then_its_output(site, page):
    exercises = parsed(site, page).article.find(id="exercises").find("details", class_="exercises", recursive=False)
    numbers = [mark.text for mark in exercises.select(":scope > p > strong:first-child")]
    assert exercises.summary.text.split(" exercise")[0] == str(len(numbers)) == numbers[-1].rstrip(".")
    answers = exercises.select("details.sd-dropdown > .sd-summary-content")
    with_code = [answer for answer in answers if answer.select(".cell")]
    assert len(with_code) == sum("hide-cell" in tags(cell) for cell in section(page, "Exercises"))
    for answer in with_code:
        first, *_, last = answer.find_all(True, recursive=False)
        assert (first.name, "cell" in last["class"]) == ("p", True)
        assert answer.select(".cell_input + .cell_output")
    assert not exercises.select(
        ":scope > .cell:not(.tag_remove-input, .tag_hide-input)"
    )  # a question may show something


# --- tables -----------------------------------------------------------------------------------------------------------


def troubles_of(soup):
    """Yield what is wrong with a page's tables; the live strips are a figure whose cells are buttons."""
    yield from soup.select("table:not(figure table, :has(caption), .docutils.field-list, .live-strips, .dataframe)")
    for table in soup.select(".cell_output table:not(.live-strips table, table.dataframe)"):
        yield from (cell for cell in table.select("thead *") if "_" in cell.get_text())
        yield from (cell for cell in table(["td", "th"]) if cell.get_text() in {"nan", "NaN", "None", "<NA>"})
    captions = soup.select("figure.table > figcaption, table > caption")
    numbers = [caption.select_one(".number").get_text().rpartition(".")[0] for caption in captions]
    if [int(number.split(".")[-1].split()[-1]) for number in numbers] != list(range(1, len(numbers) + 1)):
        yield numbers


def test_every_table_of_a_page_is_in_words_and_has_one_number(site):
    found = {page: [*troubles_of(parsed(site, page).article)] for page in PAGES}
    assert {page: each for page, each in found.items() if each} == {}


def test_every_page_has_a_title_of_its_own_and_a_description(site):
    pages = {page: parsed(site, page) for page in PAGES}
    titles = {page: soup.head.title.get_text() for page, soup in pages.items()}
    descriptions = {soup.head.find("meta", attrs={"name": "description"})["content"] for soup in pages.values()}
    assert len(set(titles.values())) == len(descriptions) == len(PAGES)
    assert min(map(len, descriptions)) > 30
    for page, title in titles.items():
        parts = title.split(" — ")
        assert len(parts) == len(set(parts)), f"{page}: its title repeats itself"


def test_all_lessons_are_on_one_page_too(site):
    titles = [parsed(site, page).article.h1.get_text() for page in lessons(ROOT)]
    assert [title.get_text() for title in parsed(site, "print").article("h1")] == titles


def test_no_page_links_to_a_file_that_the_site_lacks(site):
    pages = {page.name: page.read_text() for page in site.glob("*.html")}
    links = re.compile(r'<a\b[^>]*\shref="([^"#?:]+)["#?]')
    linked = {(page, file) for page, text in pages.items() for file in links.findall(text)}
    assert ("teach.html", "slides-error-consistency.html") in linked
    assert [(page, file) for page, file in linked if not (site / unquote(file)).exists()] == []
