"""*Teach with this book*: its plan is the term's table, and fits the hours that it promises."""

import re

from conftest import ROOT
from test_chapters import prose

from erralign_book.building import lengths, slides
from erralign_book.building.chapters import names, source
from erralign_book.building.term import plan, weeks

PAGES = [week.page for week in weeks(ROOT)]


def test_the_page_links_every_deck_of_slides():
    """That no link of the site is dead, tests/test_markup.py sees to."""
    linked = re.findall(r'href="slides-([\w-]+)\.html"', prose("teach") + plan(root=ROOT).html)
    assert {*linked, "class-level-error-similarity"} == set(slides.names(ROOT))  # read in the lab of week 7


def test_a_week_is_two_hours_of_reading_at_most_at_a_hundred_words_a_minute():
    for page in set(PAGES) & set(names(ROOT)):
        assert lengths.lengths(source(page).read_text(encoding="utf-8"))["words"] <= 12_000, page


def test_each_deck_of_the_term_has_something_drawn():
    for page in set(PAGES) & set(slides.names(ROOT)):
        text = (ROOT / slides.SOURCES / f"{page}.md").read_text(encoding="utf-8")
        assert len(slides.SHOW.findall(text)) + len(slides.BARS.findall(text)) >= (
            1 if page == "sit-the-experiment" else 2
        ), page
