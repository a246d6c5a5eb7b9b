"""What stands in the files of pages, without a browser: folds, tables, words, titles, links; each is parsed once."""

import re
from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from conftest import ROOT
from test_chapters import ON_THE_ROAD, WITH_CODE, WITH_EXERCISES, section, tags

from erralign_book.building import finding, slides
from erralign_book.building.chapters import names, road
from erralign_book.building.formulas import LABELS, NAMES, upright

UNSEEN = {"remove-cell", "remove-input"}
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


@pytest.mark.parametrize("page", WITH_CODE)
def test_of_two_folds_in_a_row_the_first_shows_something(site, page):
    """What only defines something waits in the fold of what follows."""
    in_a_row = parsed(site, page).article.select("div.cell.tag_hide-input:not(.quiet):has(+ div.cell.tag_hide-input)")
    assert [fold.get_text()[:80] for fold in in_a_row if not fold.select(".cell_output")] == []


@pytest.mark.parametrize("page", ON_THE_ROAD)
def test_where_the_tables_come_from_is_one_line_that_opens(site, page):
    (fold,) = parsed(site, page).article.select("div.cell.tag_road > details")
    named = re.findall(r"\b\w+/\w+", fold.select_one(".cell_output").get_text())
    assert re.search(r"from the (raw data|frozen results) \(\d+\)\.$", line(fold))
    assert sum(map(int, re.findall(r"\((\d+)\)", line(fold)))) == len(named) > 0
    assert "/" not in line(fold)
    assert not fold.find_next("section")  # at the end of the page


# --- tables -----------------------------------------------------------------------------------------------------------


def troubles_of(soup):
    """Yield what is wrong with a page's tables; the live strips are a figure whose cells are buttons."""
    yield from soup.select("table:not(figure table, :has(caption), .docutils.field-list, .live-strips, .dataframe)")
    yield from soup.select(".caption-number")  # Sphinx's own, a second one
    for table in soup.select(".cell_output table:not(.live-strips table, table.dataframe)"):  # of a cell: unnumbered
        number = "".join(each.get_text() for each in table.find_parent("figure").select("figcaption .number"))
        if not table.find_parent("figure", class_="table") or not re.fullmatch(r"Table\s(\d+\.)?\d+\.", number):
            yield table
        yield from (cell for cell in table.select("thead *") if "_" in cell.get_text())
        yield from (cell for cell in table(["td", "th"]) if cell.get_text() in {"nan", "NaN", "None", "<NA>"})
    captions = soup.select("figure.table > figcaption, table > caption")
    numbers = [caption.select_one(".number").get_text().rpartition(".")[0] for caption in captions]
    if [int(number.split(".")[-1].split()[-1]) for number in numbers] != list(range(1, len(numbers) + 1)):
        yield numbers


def test_every_table_of_a_page_is_in_words_and_has_one_number(site):
    pages = {page: parsed(site, page) for page in PAGES}
    found = {page: [*troubles_of(soup.article)] for page, soup in pages.items()}
    assert {page: each for page, each in found.items() if each} == {}
    links = pages["reproduction"].select("td.pages a")
    assert links
    for link in links:
        assert (site / link["href"]).is_file()
        assert link.get_text() not in pages


# --- words, titles, links ---------------------------------------------------------------------------------------------


def test_a_colour_bar_is_drawn(site):
    """``light-dark()`` takes colours, and no gradient."""
    assert [page for page in PAGES if "light-dark(url" in (site / f"{page}.html").read_text(encoding="utf-8")] == []


def test_words_and_formulas_are_set_as_they_should_be(site):
    """Names in formulas are upright, and no line ends before a per cent sign."""
    word = re.compile(r"\\(?:text|mathrm|operatorname|boldsymbol)\{[^{}]*\}|\\[A-Za-z]+")
    name, wrong = re.compile(rf"\b(?:{'|'.join((*NAMES, *LABELS))})\b"), {}
    for page in PAGES:
        article = copy(parsed(site, page).article)
        wrong[page] = [part for math in article(class_="math") for part in name.findall(word.sub(" ", math.get_text()))]
        for other in article(["pre", "code", "script", "style"]):
            other.decompose()
        paragraphs = article.select("section > p:not(figure *)")
        wrong[page] += [part for text in paragraphs for part in re.findall(r".{20}\d[ \n]%", text.get_text())]
    assert {page: found for page, found in wrong.items() if found} == {}
    for tex in (r"\operatorname{EC}", r"\text{EC of two}", r"\mathrm{obs}", r"\exp(x)", "x = AMAZE"):
        assert upright(tex) == tex  # what is upright already


def test_every_page_has_a_title_of_its_own_a_description_and_says_how_it_is_cited(site):
    pages = {page: parsed(site, page) for page in PAGES}
    titles = {page: soup.head.title.get_text() for page, soup in pages.items()}
    descriptions = {soup.head.find("meta", attrs={"name": "description"})["content"] for soup in pages.values()}
    assert len(set(titles.values())) == len(descriptions) == len(PAGES)
    assert min(map(len, descriptions)) > 30
    for page, soup in pages.items():
        parts = titles[page].split(" — ")
        assert len(parts) == len(set(parts)), f"{page}: its title repeats itself"
        cited = {tag["name"]: tag["content"] for tag in soup.head("meta", attrs={"name": re.compile("^citation_")})}
        day = cited.pop("citation_publication_date")
        bibtex = soup.select_one(".cite pre").get_text()
        assert [text for text in (*cited.values(), day[:4]) if text not in bibtex] == []


def test_all_lessons_are_on_one_page_too(site):
    titles = [parsed(site, page).article.h1.get_text() for page in road(ROOT)]
    assert [title.get_text() for title in parsed(site, "print").article("h1")] == titles


def test_site_has_no_page_that_the_contents_do_not_list(site):
    decks = {f"slides-{name}" for name in slides.names(ROOT)}
    listed = {*PAGES, *finding.MOVED, "search", "genindex", "index", "404", "print"} | decks
    assert {path.stem for path in Path(site).glob("*.html")} <= listed


def test_no_page_links_to_a_file_that_the_site_lacks(site):
    pages = {page.name: page.read_text() for page in site.glob("*.html")}
    links = re.compile(r'<a\b[^>]*\shref="([^"#?:]+)["#?]')
    linked = {(page, file) for page, text in pages.items() for file in links.findall(text)}
    assert ("teach.html", "slides-error-consistency.html") in linked
    assert [(page, file) for page, file in linked if not (site / unquote(file)).exists()] == []
