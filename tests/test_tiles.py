"""Tiles that can be flipped, with the package's values; and the planner."""

import numpy as np
import pytest
from browsing import READY, shown
from playwright.sync_api import expect

import erralign
from erralign import planning
from erralign_book.charts.index import live_strips

FOUR = erralign.load("example/twelve-pictures")
PICTURES = FOUR.select(systems=["A", "Contrarian"])  # as in the lesson on MA
READERS = list(PICTURES.answers)
LIVE = f"() => document.querySelector('.live-strips').dataset.live === '' && ({READY})()"
STATE = """() => ({
    said: [...document.querySelectorAll('tr[data-system]')].map(row =>
        [...row.querySelectorAll('.tile')].map(tile => [Number(tile.dataset.said), tile.textContent])),
    values: [...document.querySelectorAll('.live-strips td[data-measure]')].map(cell => cell.dataset.value),
    words: [...document.querySelectorAll('.live-strips td[data-measure] span')].map(span => span.textContent),
})"""
SHOWN = ["error_consistency", "misclassification_agreement"]
PRESS = "places => places.forEach(place => document.querySelectorAll('.tile')[place].click())"


def tiles(browser, site, **options):
    return shown(browser, (site / "misclassification-agreement.html").as_uri(), ready=LIVE, **options)


def assert_values_of_the_package(view):
    """The page's values are those of the package for the answers that its tiles show."""
    state = view.evaluate(STATE)
    said = np.array([[label for label, _ in row] for row in state["said"]])
    assert [[word for _, word in row] for row in state["said"]] == np.array(PICTURES.classes)[said].tolist()
    answers = dict(zip(READERS, said, strict=True))
    mine = erralign.Responses.from_table(PICTURES.truth, answers, classes=PICTURES.classes)
    expected = erralign.pairwise(mine, with_="A")[SHOWN].to_numpy().ravel()
    np.testing.assert_allclose(np.array(state["values"], dtype=float), expected, rtol=0, atol=1e-12)
    assert [word == "undefined" for word in state["words"]] == np.isnan(expected).tolist()
    return said


def tile(view, reader, picture):
    return view.locator(f"tr[data-system='{reader}'] .tile").nth(picture - 1)


@pytest.mark.parametrize("how", ["mouse", "touch", "keyboard"])
def test_a_tile_is_flipped(browser, site, how):
    """Picture 8 is a dog; Contrarian said cat, and is now right."""
    with tiles(browser, site, width=390 if how == "touch" else 1280, touch=how == "touch") as view:
        if how == "keyboard":
            tile(view, "A", 1).focus()
            for key in ("ArrowDown", *["ArrowRight"] * 7, "Enter"):
                view.keyboard.press(key)
        else:
            getattr(tile(view, "Contrarian", 8), {"mouse": "click", "touch": "tap"}[how])()
        status = "Contrarian, picture 8: now “dog”, right. Contrarian: EC 1.00 → 0.75, MA −0.50 → −0.33."
        expect(view.locator(".live-foot [role=status]")).to_have_text(status)
        said = assert_values_of_the_package(view)
        assert PICTURES.classes[said[READERS.index("Contrarian"), 7]] == "dog"


def test_many_flips_and_back_and_all_right(browser, site):
    """Systems without errors, without joint errors, with one kind of joint error: wherever flips lead."""
    rng, beginning = np.random.default_rng(0), PICTURES.answers.to_numpy().T
    with tiles(browser, site) as view:
        np.testing.assert_array_equal(assert_values_of_the_package(view), beginning)
        for _ in range(25):
            view.evaluate(PRESS, rng.integers(0, 24, 6).tolist())
            assert_values_of_the_package(view)
        view.get_by_role("button", name="Start again").click()
        np.testing.assert_array_equal(assert_values_of_the_package(view), beginning)
        tile(view, "Contrarian", 4).click()
        (stop,) = view.locator(".live-strips .tile[tabindex='0']").all()
        assert stop.get_attribute("aria-label") == "Contrarian, picture 4: cat"
        while (wrong := view.locator(".live-strips .tile[data-wrong]")).count():
            wrong.first.click()
        assert_values_of_the_package(view)
        assert set(view.evaluate(STATE)["words"]) == {"undefined"}


def test_strips_without_a_script_show_the_same_values():
    html = live_strips(FOUR, "Twin", "Flip a tile").html
    for value in erralign.pairwise(FOUR, with_="Twin")[SHOWN].to_numpy().ravel():
        words = "undefined" if np.isnan(value) else f"{value:z.2f}".replace("-", "−")
        assert f"<span>{words}</span>" in html


# --- the planner, which two pages have --------------------------------------------------------------------------------


def test_the_planner_shows_what_the_package_computes(browser, site):
    with shown(browser, (site / "your-own-data.html").as_uri(), ready="() => true") as view:
        for name, value in {"a": "0.9", "b": "0.7", "of": "0.5", "difference": "0.2"}.items():
            view.locator(f"#own-planner [name={name}]").select_option(value)
        wide, power = view.locator("#own-planner table").all()
        found = dict(zip(*(row.locator("th, td").all_inner_texts() for row in wide.locator("tr").all()), strict=True))
        row = power.locator("tr", has=view.get_by_role("rowheader", name="200", exact=True)).locator("td")
        experiments = planning.power_with_people(8, 200, accuracy=0.75, ec=0.5, difference=0.2)
        assert float(found["400"]) == pytest.approx(planning.expected_width(400, 0.3, 0.7, 0.9), abs=0.006)
        assert row.nth(1).inner_text() == f"{100 * experiments['power'][0]:.0f} %"
        view.locator("#own-planner [name=ec]").select_option("0.7")
        expect(view.locator("#own-planner")).to_contain_text("allow an error consistency of 0.4")
