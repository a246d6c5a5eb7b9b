"""The game of the chapter "Which is the odd one out?": its triplets, and what the page counts."""

import numpy as np
import pytest
from browsing import page_of, shown
from conftest import ROOT
from playwright.sync_api import expect

from erralign.triplets import odd_one_out_accuracy
from erralign_book.building.own_data import live_parts
from erralign_book.charts.odd_one_out import odd_one_out_game
from erralign_book.papers import muttenthaler2023

GAME = muttenthaler2023.game()
PEOPLE = GAME[["people_first", "people_second", "people_third"]].to_numpy()
HTML = odd_one_out_game(GAME, "CLIP", "Press the odd one out in each row").html
STATE = "() => ({ ...document.querySelector('figure').dataset })"


@pytest.fixture
def view(browser, tmp_path):
    """Open the game alone, with its style and its script, as a page on disk."""
    style, script = ((ROOT / "book/assets" / f"odd-one-out.{kind}").read_text() for kind in ("css", "js"))
    address = page_of(tmp_path, f'<article class="bd-article">{HTML}</article>', script, style=style)
    with shown(browser, address, width=390, touch=True) as view:
        yield view


def press(view, place, how="click"):
    getattr(view.locator("li:visible button").nth(place), how)()


def play(view, own, thought):
    """Answer a row, guess the network's choice, and go on."""
    press(view, own)
    press(view, thought)
    view.get_by_role("button", name="Next").click()


def score_of_the_package(choices):
    """Give the package features that imply the choices, and one triplet for the choice of each of a thousand people."""
    features, triplets = np.zeros((3 * len(choices), 2)), np.arange(3 * len(choices)).reshape(-1, 3)
    features[triplets, 0] = 1
    features[triplets[range(len(choices)), choices]] = [0, 1]  # the two that are left are equal
    chosen = [np.repeat(range(3), np.round(1000 * shares).astype(int)) for shares in PEOPLE]
    with_chosen_last = [np.append(np.delete(t, m), t[m]) for t, row in zip(triplets, chosen, strict=True) for m in row]
    return odd_one_out_accuracy(features, with_chosen_last)


def test_the_triplets_are_easy_and_hard_ones_and_no_thing_comes_twice():
    assert GAME[["first", "second", "third"]].stack().is_unique
    np.testing.assert_allclose(PEOPLE.sum(axis=1), 1, atol=1e-12)
    assert (GAME["network"] == PEOPLE.argmax(axis=1)).mean() == 0.5
    popular = GAME["network"] == PEOPLE.argmax(axis=1)
    assert abs(popular[::2].sum() - popular[1::2].sum()) < 2  # nobody guesses it from a row's place
    assert PEOPLE[:2].max(axis=1).min() > PEOPLE[-2:].max(axis=1).max()
    assert HTML.count("<svg") == 3 * len(GAME)
    assert live_parts(HTML) == (["odd-one-out.css"], ["odd-one-out.js"])


@pytest.mark.browser
def test_the_score_is_the_packages(view):
    choices, rows = np.random.default_rng(3).integers(0, 3, len(GAME)), range(len(GAME))
    view.keyboard.press("Tab")  # keys play, too
    assert view.evaluate("() => document.activeElement.matches('li button')")
    for own, thought in zip(choices, np.roll(choices, 1), strict=True):
        play(view, own, thought)
    state = view.evaluate(STATE)
    for said, name in ((choices, "alike"), (GAME["network"].to_numpy(), "modelAlike")):
        assert float(state[name]) == pytest.approx(score_of_the_package(said), abs=1e-3)
        assert float(state[name]) == pytest.approx(PEOPLE[rows, said].mean(), abs=1e-4)
    known = (np.roll(choices, 1) == GAME["network"]).sum()
    expect(view.locator("[role=status]")).to_contain_text(f"you knew {known} times")
    expect(view.locator("li:visible")).to_have_count(len(GAME))
    view.get_by_role("button", name="Start again").press("Enter")
    expect(view.locator("li[data-chosen]")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize("how", ["click", "tap"])
def test_people_come_first_then_the_network_and_a_choice_stays(view, how):
    row = view.locator("li").first
    assert "%" not in row.inner_text()
    press(view, 1, how)
    assert [f"{round(100 * share)} %" in row.inner_text() for share in PEOPLE[0]] == [True] * 3
    assert (row.inner_text().count("CLIP"), row.inner_text().count("you")) == (0, 1)
    press(view, 0, how)
    row.locator("button").nth(2).evaluate("button => button.click()")
    assert (row.inner_text().count("CLIP"), row.inner_text().count("you")) == (1, 1)
    assert row.locator(".mine").count() == 1
