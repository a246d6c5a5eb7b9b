"""A guess that counts: the reader answers, the answer opens, the summary has it; without a script it opens by hand."""

import pytest
from browsing import page_of, shown, window
from conftest import ROOT
from docutils import nodes
from playwright.sync_api import expect

from erralign_book.building.folds import _behind_a_guess
from erralign_book.building.guess import guess, guesses

WHO = guess("who", "Who is most alike?", "two people", options=["two people", "a person and a network"], because="EC.")
HOW = guess("how", "How alike are two people?", 0.38, interval=(0.3, 0.46))
FOLD = '<details class="guessed"><summary>The answer</summary><p>{}</p></details>'
FOLDS = [FOLD.format(words) for words in ("First", "Second", "Third")]
BODY = "".join([WHO.html, "<p>words</p>", *FOLDS[:2], HOW.html, FOLDS[2], guesses({"who": "Most alike"}).html])


@pytest.fixture
def address(tmp_path):
    names = ("guess.css", "guest.js", "chart-controls.js", "guess.js")
    style, *scripts = ((ROOT / "book/assets" / name).read_text() for name in names)
    return page_of(tmp_path, BODY, "".join(scripts), style=style)


def expect_open(view, *answers):
    expect(view.locator("details[open] p")).to_have_text(answers)


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_a_guess_opens_its_answer_and_stays(browser, address, how):
    with shown(browser, address) as view:
        expect_open(view)
        expect(view.locator(".guesses")).to_be_empty()
        button = view.get_by_role("button", name="a person and a network")
        button.click() if how == "mouse" else button.press("Enter")
        expect_open(view, "First", "Second")
        said = view.locator("form [role=status]")
        expect(said.first).to_have_text("You guessed a person and a network. It is two people. EC.")
        submit, slider = view.get_by_role("button", name="That is my guess"), view.get_by_role("slider")
        slider.press("Tab")
        expect(submit).to_be_disabled()  # what nobody has touched is no guess
        expect(view.locator("form output")).to_be_empty()
        slider.click() if how == "mouse" else slider.press("Space")
        expect(submit).to_be_enabled()  # where it begins may be one's guess
        expect(view.locator("form output")).to_have_text("0.50")
        slider.press("Home")
        for _ in range(35):
            slider.press("ArrowRight")
        submit.press("Enter")
        expect(said.last).to_have_text("You guessed 0.35. Close: it is 0.38.")  # by then it is kept
        view.reload()
        expect_open(view, "First", "Second", "Third")
        rows = view.locator(".guesses li")
        expect(rows).to_contain_text(["Most alike", "How alike are two people?"])
        expect(rows.last).to_have_class("right")  # that is, close
        view.get_by_role("button", name="Forget my guess").first.click()
        expect_open(view, "Third")
        view.get_by_role("button", name="Forget all").click()
        expect(view.locator(".guesses")).to_be_empty()


def test_without_a_script_the_answer_opens_by_hand(browser, address):
    with window(browser, java_script_enabled=False) as (view, _, _):
        view.goto(address)
        assert all(button.is_disabled() for button in view.get_by_role("button").all())
        view.get_by_text("The answer").first.click()
        expect(view.get_by_text("First")).to_be_visible()


def test_what_is_marked_is_folded_from_first_to_last():
    cell, words = nodes.container("", classes=["cell", "tag_guessed"]), nodes.container("", classes=["guessed"])
    between, after = nodes.paragraph(text="between"), nodes.paragraph(text="after")
    section = nodes.section("", nodes.title(text="t"), cell, between, words, after)
    _behind_a_guess(nodes.section("", section))
    _, first, *inside, last, then = section
    assert (inside, then) == ([cell, between, words], after)
    assert first.astext().startswith('<details class="guessed"')
    assert last.astext() == "</details>"
