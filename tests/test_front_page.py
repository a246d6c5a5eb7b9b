"""The front page: tiles that can be flipped, with the package's values; and what a stranger sees on it."""

import json
import re
from contextlib import contextmanager

import numpy as np
import pytest
from test_site import READY

import erralign
from erralign.measures import MEASURES_OF_ERRORS, short_name
from erralign.planning import expected_width
from erralign_book.charts import live_strips

PICTURES = erralign.load("example/twelve-pictures")
READERS = list(PICTURES.answers)
WINDOW = (1280, 900)
LIVE = f"() => document.querySelector('.live-strips').dataset.live === '' && ({READY})()"
STATE = """() => ({
    said: [...document.querySelectorAll('tr[data-system]')].map(row =>
        [...row.querySelectorAll('.tile')].map(tile => [Number(tile.dataset.said), tile.textContent])),
    values: [...document.querySelectorAll('.live-strips td[data-measure]')].map(cell => cell.dataset.value),
    words: [...document.querySelectorAll('.live-strips td[data-measure] span')].map(span => span.textContent),
})"""
PRESS = "places => places.forEach(place => document.querySelectorAll('.tile')[place].click())"


@contextmanager
def front(browser, site, *, width=WINDOW[0], has_touch=False):
    context = browser.new_context(viewport={"width": width, "height": WINDOW[1]}, has_touch=has_touch)
    view = context.new_page()
    troubles = []
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto((site / "index.html").as_uri())
    view.wait_for_function(LIVE, timeout=20_000)
    yield view
    context.close()
    assert troubles == []


def assert_values_of_the_package(view):
    """The page's values are those of the package for the answers that its tiles show."""
    state = view.evaluate(STATE)
    said = np.array([[label for label, _ in row] for row in state["said"]])
    assert [[word for _, word in row] for row in state["said"]] == np.array(PICTURES.classes)[said].tolist()
    mine = erralign.Responses.from_table(
        PICTURES.truth, dict(zip(READERS, said, strict=True)), classes=PICTURES.classes
    )
    expected = erralign.pairwise(mine, with_="A")[list(MEASURES_OF_ERRORS)].to_numpy().ravel()
    np.testing.assert_allclose(np.array(state["values"], dtype=float), expected, rtol=0, atol=1e-12)
    assert [word == "undefined" for word in state["words"]] == np.isnan(expected).tolist()
    return said


def tile(view, reader, picture):
    return view.locator(f"tr[data-system='{reader}'] .tile").nth(picture - 1)


def test_the_page_begins_with_the_values_of_the_package(browser, site):
    with front(browser, site) as view:
        said = assert_values_of_the_package(view)
    np.testing.assert_array_equal(said, PICTURES.answers.to_numpy().T)


@pytest.mark.parametrize("how", ["mouse", "touch", "keyboard"])
def test_a_tile_is_flipped(browser, site, how):
    """Picture 8 is a dog; Twin said fox, as A did, and now says cat: right on as many, but MA notices."""
    with front(browser, site, width=390 if how == "touch" else WINDOW[0], has_touch=how == "touch") as view:
        chosen = tile(view, "Twin", 8)
        if how == "mouse":
            chosen.click()
        elif how == "touch":
            chosen.tap()
        else:
            tile(view, "A", 1).focus()
            for key in ("ArrowDown", *["ArrowRight"] * 7, "Enter"):
                view.keyboard.press(key)
        said = assert_values_of_the_package(view)
        assert PICTURES.classes[said[READERS.index("Twin"), 7]] == "cat"
        status = view.locator(".live-foot [role=status]").inner_text()
    assert status == "Twin, picture 8: now “cat”, wrong. Twin: MA 1.00 → 0.50, CLES 0.98 → 0.94."


def test_many_flips_and_back(browser, site):
    """Systems without errors, without joint errors, with one kind of joint error: wherever flips lead."""
    rng = np.random.default_rng(0)
    with front(browser, site) as view:
        for _ in range(25):
            view.evaluate(PRESS, rng.integers(0, 48, 6).tolist())
            assert_values_of_the_package(view)
        view.get_by_role("button", name="Start again").click()
        said = assert_values_of_the_package(view)
    np.testing.assert_array_equal(said, PICTURES.answers.to_numpy().T)


def test_all_right_is_undefined(browser, site):
    wrong = np.argwhere(PICTURES.answers.ne(PICTURES.truth, axis=0).to_numpy().T)
    with front(browser, site) as view:
        for reader, picture in wrong:
            target = tile(view, READERS[reader], picture + 1)
            while target.get_attribute("data-wrong") is not None:
                target.click()
        assert_values_of_the_package(view)
        assert set(view.evaluate(STATE)["words"]) == {"undefined"}


def test_the_tiles_are_one_tab_stop(browser, site):
    with front(browser, site) as view:
        tile(view, "Stranger", 3).click()
        stops = view.locator(".live-strips .tile[tabindex='0']")
        assert stops.count() == 1
        assert stops.get_attribute("aria-label") == "Stranger, picture 3: fox"


def test_strips_without_a_script_show_the_same_values():
    shown = live_strips(PICTURES, "Twin", "Flip a tile")
    pairs = erralign.pairwise(PICTURES, with_="Twin").rename(columns=short_name)
    for value in pairs[["EC", "MA", "CLES"]].to_numpy().ravel():
        words = "undefined" if np.isnan(value) else f"{value:z.2f}".replace("-", "−")
        assert f"<span>{words}</span>" in shown.html
    assert json.dumps(PICTURES.classes).replace('"', "&quot;") in shown.html
    with pytest.raises(ValueError, match=r"with_ is 'Tiwn'"):
        live_strips(PICTURES, "Tiwn", "Flip a tile")


# --- what a stranger sees ---------------------------------------------------------------------------------------------

BOTTOM = "element => element.getBoundingClientRect().bottom + scrollY"


def test_the_first_screen_says_what_this_is(browser, site):
    """What, for whom, how to get it, and a finding; and the tiles begin."""
    with front(browser, site) as view:
        for words in ("This is a book that runs", "pip install", "half of the pictures were missing"):
            assert view.get_by_text(words).first.evaluate(BOTTOM) < WINDOW[1] / 2, words
        assert view.locator("tr[data-system]").last.evaluate(BOTTOM) < WINDOW[1]


def test_three_doors_within_two_screens(browser, site):
    with front(browser, site) as view:
        doors = view.locator(".door")
        assert doors.count() == 3
        assert max(door.evaluate(BOTTOM) for door in doors.all()) < 2 * WINDOW[1]
        for door in doors.all():
            address = door.locator("a").get_attribute("href")
            assert (site / address.partition("#")[0]).is_file()


# --- the planner, which two pages have --------------------------------------------------------------------------------


def test_the_chapter_on_planning_has_the_planner_of_your_own_data(browser, site):
    view = browser.new_page()
    troubles = []
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto((site / "how-many-pictures.html").as_uri())
    planner = view.locator("#own-planner")
    planner.scroll_into_view_if_needed()
    ready = "() => document.getElementById('own-planner').dataset.state === 'done'"
    view.wait_for_function(ready, timeout=60_000)
    for name, value in {"ec": "0.5", "a": "0.9", "b": "0.9", "trials": "320"}.items():
        planner.locator(f"[data-for={name}]").fill(value)
    view.wait_for_function(ready, timeout=60_000)
    words = view.locator("#own-plan").inner_text()
    view.close()
    needed = int(re.search(r"takes about ([\d,]+) trials", words)[1].replace(",", ""))
    assert needed == pytest.approx(erralign.trials_needed(0.5, 0.9, 0.9, 0.1), rel=0.01)
    width = float(re.search(r"With 320 trials it is about ([\d.]+) wide", words)[1])
    assert width == pytest.approx(expected_width(320, 0.5, 0.9, 0.9), rel=0.05)
    assert "allow error consistency from −0.11 to 1.)" in words  # −0.1111…, towards 0
    assert troubles == []
