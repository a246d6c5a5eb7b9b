"""Slides: every deck as a teacher opens it, on a screen, with its notes and on paper."""

import re

import numpy as np
import pytest
import scipy.special
import scipy.stats
from browsing import READY, shown, turned_to
from conftest import ROOT
from playwright.sync_api import expect
from test_checks import said

from erralign._validation import ChapterError
from erralign_book.building import slides
from erralign_book.course.checking import on_pages

FITS = """() => [...document.querySelectorAll('.frame, .shown')].every(box =>
    box.scrollHeight <= box.clientHeight + 2 && box.scrollWidth <= box.clientWidth + 2)
    && [...document.querySelectorAll('.shown mjx-container > *')].every(formula =>
        formula.getBoundingClientRect().right <= formula.closest('.frame').getBoundingClientRect().right)
    && [...document.querySelectorAll('.tile')].every(tile => tile.scrollWidth <= tile.clientWidth + 1)"""
FOUND = """() => [...document.querySelectorAll('.slide')].map(slide => ({
    emptyCharts: slide.querySelectorAll('figure.vl:not(:has(.marks path, .marks image, img.marks))').length,
    answers: [...slide.querySelectorAll('.known')].filter(answer => answer.checkVisibility()).length,
    badFormulas: slide.querySelectorAll('[data-mjx-error], mjx-merror, .math:not(:has(mjx-container))').length,
}))"""


DECKS = ROOT / slides.SLIDES  # the site makes them


@pytest.mark.parametrize("name", slides.names(ROOT))
def test_a_deck_shows_all_in_its_frames_and_asks_nothing_of_the_network(one_window, site, unless_passed, name):
    deck = DECKS / f"{name}.html"
    needed = sorted(path for path in (DECKS / "_static").glob("*.*") if path.is_file())
    with unless_passed(*(path.read_bytes() for path in (deck, *needed))):
        view, _, troubles = turned_to(one_window, deck, 1024, 768)
        view.wait_for_function(READY)
        view.wait_for_function(FITS)
        view.set_viewport_size({"width": 1920, "height": 1080})
        view.wait_for_function(FITS)
        found = view.evaluate(FOUND)
        paper = view.pdf(prefer_css_page_size=True)
        view.set_viewport_size({"width": 800, "height": 600})  # as the command in CONTRIBUTING.md has it
        view.emulate_media(media="print")
        view.evaluate("dispatchEvent(new Event('beforeprint'))")
        view.wait_for_function(FITS)
        view.emulate_media(media="screen")
        assert troubles == []
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == len(found)
        for slide in found:
            assert set(slide.values()) == {0}


def test_what_a_class_votes_on_does_not_show_the_answer(browser, site):
    votes = [vote for vote in slides.votes(ROOT) if vote["lesson"] == "error-consistency"]
    with shown(browser, (DECKS / "error-consistency.html").as_uri()) as view:
        for vote, slide in zip(votes, view.locator(".slide:has(ol[type])").all(), strict=True):
            assert slide.locator("h2").inner_text() == vote["question"]
            assert vote["why"] not in slide.inner_text()
            assert vote["why"] in slide.locator(".notes").text_content()


def test_keys_go_on_show_notes_and_open_a_window_for_the_speaker_that_moves_along(browser, site):
    at = "place => [...document.querySelectorAll('.slide')].at(place).getBoundingClientRect().top === 0"
    with shown(browser, (DECKS / "odd-one-out.html").as_uri()) as view:
        view.keyboard.press("ArrowRight")
        view.wait_for_function(at, arg=1)
        view.keyboard.press("n")
        expect(view.locator(".notes").nth(1)).to_be_visible()
        view.wait_for_function(FITS)
        with view.expect_popup() as opened:
            view.keyboard.press("s")
        expect(opened.value.locator(".notes").first).to_be_visible()
        view.keyboard.press("End")
        opened.value.wait_for_function(at, arg=-1)
        opened.value.keyboard.press("Home")
        view.wait_for_function(at, arg=0)


@pytest.mark.parametrize("asked", ["show: charts.yardsticks", "{glue:text}`weight:.2f`"])
def test_a_deck_that_asks_for_what_its_lesson_lacks_says_so(site, tmp_path, asked):
    for part in ("_toc.yml", "notebooks", "book/votes.yml", "book/templates", "book/the-board.ipynb"):
        (tmp_path / part).parent.mkdir(exist_ok=True)
        (tmp_path / part).symlink_to(ROOT / part)
    (tmp_path / "book" / "slides").mkdir()
    (tmp_path / "book" / "slides" / "the-board.md").write_text(f"Opening\n\n## {{title}}\n\n{asked}\n")
    with pytest.raises(ChapterError, match=r"slides of the-board: (0 formulas or outputs|.* no number 'weight')"):
        slides.write("the-board", tmp_path)


def test_a_wrong_function_on_a_slide_is_known_by_its_check_whose_words_are_in_the_notes():
    text = (ROOT / slides.SOURCES / "lab-soft-labels.md").read_text(encoding="utf-8")
    wrong = re.findall(r"```python\n(.*?)```\n\nNote: (.*?)(?=\n## |\Z)", text, re.S)
    softmax = scipy.special.softmax
    known = {"np": np, "rankdata": scipy.stats.rankdata, "softmax": softmax, "log_softmax": scipy.special.log_softmax}
    known["confidences"] = lambda logits, temperature: softmax(logits / temperature, axis=1)
    for code, notes in wrong:
        written = dict(known)
        exec(code, written)
        (name,) = written.keys() - known.keys() - {"__builtins__"}
        traps = on_pages()[name]["traps"]
        assert traps[said(name, written[name])][0].rstrip(".") in notes
    assert len(wrong) == 4
