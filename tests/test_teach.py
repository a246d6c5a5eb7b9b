"""*Teach with this book*: its plan names pages and exercises that exist, and fits the hours that it promises."""

import re

from conftest import ROOT
from test_chapters import PARTS, prose, section

from erralign_book.building import lengths, slides
from erralign_book.building.chapters import source

WEEK = re.compile(r"^\| (\d+)\. \{doc\}`([\w-]+)`[^|]*\|.*\| ([^|]*) \|$", re.M)
PLAN = WEEK.findall(prose("teach"))
PAGES = [page for _, page, _ in PLAN]


def test_twelve_weeks_follow_the_road():
    assert [int(week) for week, _, _ in PLAN] == list(range(1, 13))
    assert [page for page in PAGES if page in PARTS["The road"]] == PARTS["The road"]


def test_homework_exists_and_on_each_page_an_exercise_needs_python():
    for _, page, homework in PLAN:
        text = "\n".join(cell.source for cell in section(page, "Exercises") if cell.cell_type == "markdown")
        exercises = re.findall(r"^\*\*(\d+)\.\*\*", text, flags=re.M)
        assert set(re.findall(r"\d+", homework)) <= set(exercises), page
        assert ("(Programming.)" in text) == bool(exercises), page


def test_the_page_links_every_deck_of_slides():
    """That no link of the site is dead, tests/test_markup.py sees to."""
    assert sorted(re.findall(r'href="slides-([\w-]+)\.html"', prose("teach"))) == sorted(slides.names(ROOT))


def test_a_week_is_forty_minutes_of_reading_at_a_hundred_words_a_minute():
    for page in PAGES:
        assert lengths.lengths(source(page).read_text(encoding="utf-8"))["words"] <= 4000, page
