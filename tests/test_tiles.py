"""What the browser works out, with the package's values: tiles, the odd one out, limits, regions; and the planner."""

from types import SimpleNamespace

import numpy as np
import pytest
from browsing import READY, page_of, shown
from conftest import ROOT
from playwright.sync_api import expect

import erralign
from erralign_book import table
from erralign_book.charts.index import live_strips
from erralign_book.set_pieces import odd_one_out_game
from erralign_book.set_pieces.decision_regions import _EC, _MA, _sums

FOUR = erralign.load("example/twelve-pictures")
PICTURES = FOUR.select(systems=["A", "Twin"])  # as in an exercise of the lesson on MA
READERS = list(PICTURES.answers)
LIVE = f"""() => {{
    document.querySelectorAll("#exercises > details").forEach(fold => {{ fold.open = true; }});
    return document.querySelector(".live-strips").dataset.live === "" && ({READY})();
}}"""
STATE = """() => ({
    said: [...document.querySelectorAll('tr[data-system]')].map(row =>
        [...row.querySelectorAll('.tile')].map(tile => [Number(tile.dataset.said), tile.textContent])),
    values: [...document.querySelectorAll('.live-strips td[data-measure]')].map(cell => cell.dataset.value),
    words: [...document.querySelectorAll('.live-strips td[data-measure] span')].map(span => span.textContent),
})"""
SHOWN = ["EC", "MA"]
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
    """Picture 8 is a dog; Twin said fox as A did, and now says cat."""
    with tiles(browser, site, width=390 if how == "touch" else 1280, touch=how == "touch") as view:
        if how == "keyboard":
            tile(view, "A", 1).focus()
            for key in ("ArrowDown", *["ArrowRight"] * 7, "Enter"):
                view.keyboard.press(key)
        elif how == "touch":
            tile(view, "Twin", 8).tap()
        else:
            tile(view, "Twin", 8).click()
        expect(view.locator(".live-foot [role=status]")).to_contain_text("MA 1.00 → 0.50")
        said = assert_values_of_the_package(view)
        assert PICTURES.classes[said[READERS.index("Twin"), 7]] == "cat"


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
        while (wrong := view.locator(".live-strips .tile[data-wrong]")).count():
            wrong.first.click()
        assert_values_of_the_package(view)
        assert set(view.evaluate(STATE)["words"]) == {"undefined"}


def test_strips_without_a_script_show_the_same_values():
    html = live_strips(FOUR, "Twin", "Flip a tile").html
    for value in erralign.pairwise(FOUR, with_="Twin")[SHOWN].to_numpy().ravel():
        words = "undefined" if np.isnan(value) else f"{value:z.2f}".replace("-", "−")
        assert f"<span>{words}</span>" in html


# --- the planner ------------------------------------------------------------------------------------------------------


def test_the_planner_shows_what_the_package_computes(browser, site):
    with shown(browser, (site / "how-to-plan.html").as_uri(), ready="() => true") as view:
        for name, value in {"a": "0.9", "b": "0.7", "of": "0.5", "difference": "0.2"}.items():
            view.locator(f"#own-planner [name={name}]").select_option(value)
        wide, power = view.locator("#own-planner table").all()
        found = dict(row.locator("th, td").all_inner_texts() for row in wide.locator("tr").all())
        row = power.locator("tr", has=view.get_by_role("rowheader", name="200", exact=True)).locator("td")
        experiments = erralign.planning.power_with_people(8, 200, accuracy=0.75, ec=0.5, difference=0.2)
        assert float(found["400"]) == pytest.approx(erralign.planning.expected_width(400, 0.3, 0.7, 0.9), abs=0.006)
        assert row.nth(1).inner_text() == f"{100 * experiments['power'][0]:.0f}"
        view.locator("#own-planner [name=ec]").select_option("0.7")
        expect(view.locator("#own-planner")).to_contain_text("allow an error consistency of 0.4")


# --- the game of the chapter *Which is the odd one out?* --------------------------------------------------------------


GAME = table("odd_one_out/game")
PEOPLE = GAME[["people_first", "people_second", "people_third"]].to_numpy()
HTML = odd_one_out_game(GAME, "CLIP", "Press the odd one out in each row").html


@pytest.fixture
def view(browser, tmp_path):
    """Open the game alone, with its style and its script, as a page on disk."""
    names = ("odd-one-out.css", "chart-controls.js", "odd-one-out.js")
    style, *scripts = ((ROOT / "book/assets" / name).read_text() for name in names)
    address = page_of(tmp_path, f'<article class="bd-article">{HTML}</article>', "".join(scripts), style=style)
    with shown(browser, address, width=390, touch=True) as view:
        yield view


def play(view, own, thought):
    """Answer a row, guess the network's choice, and go on."""
    view.locator("li:visible button").nth(own).click()
    view.locator("li:visible button").nth(thought).click()
    view.get_by_role("button", name="Next").click()


def score_of_the_package(choices):
    """Give the package features that imply the choices, and one triplet for the choice of each of a thousand people."""
    features, triplets = np.zeros((3 * len(choices), 2)), np.arange(3 * len(choices)).reshape(-1, 3)
    features[triplets, 0] = 1
    features[triplets[range(len(choices)), choices]] = [0, 1]  # the two that are left are equal
    chosen = [np.repeat(range(3), np.round(1000 * shares).astype(int)) for shares in PEOPLE]
    with_chosen_last = [np.append(np.delete(t, m), t[m]) for t, row in zip(triplets, chosen, strict=True) for m in row]
    return erralign.triplets.odd_one_out_accuracy(features, with_chosen_last)


def test_the_score_is_the_packages(view):
    choices, rows = np.random.default_rng(3).integers(0, 3, len(GAME)), range(len(GAME))
    for own, thought in zip(choices, np.roll(choices, 1), strict=True):
        play(view, own, thought)
    state = view.evaluate("() => ({ ...document.querySelector('figure').dataset })")
    for said, name in ((choices, "alike"), (GAME["network"].to_numpy(), "modelAlike")):
        assert float(state[name]) == pytest.approx(score_of_the_package(said), abs=1e-3)
        assert float(state[name]) == pytest.approx(PEOPLE[rows, said].mean(), abs=1e-4)
    known = (np.roll(choices, 1) == GAME["network"]).sum()
    expect(view.locator("[role=status]")).to_contain_text(f"you knew {known} times")
    view.get_by_role("button", name="Start again").press("Enter")
    expect(view.locator("li[data-chosen]")).to_have_count(0)


def test_people_come_first_then_the_network_and_a_choice_stays(view):
    row = view.locator("li").first
    assert "%" not in row.inner_text()
    view.locator("li:visible button").nth(1).tap()
    assert [f"{round(100 * share)} %" in row.inner_text() for share in PEOPLE[0]] == [True] * 3
    assert (row.inner_text().count("CLIP"), row.inner_text().count("you")) == (0, 1)
    view.locator("li:visible button").nth(0).tap()
    row.locator("button").nth(2).evaluate("button => button.click()")
    assert (row.inner_text().count("CLIP"), row.inner_text().count("you")) == (1, 1)
    assert row.locator(".mine").count() == 1


# --- measures of decision regions -------------------------------------------------------------


def test_measures_of_decision_regions_are_those_of_the_package():
    truth, a, b = np.random.default_rng(1).integers(3, size=(3, 300))
    sums = {}
    for name, test in _sums().items():
        python = test.replace("!==", "!=").replace("===", "==").replace("&&", "and")
        rows = (SimpleNamespace(truth=t, a=x, b=y) for t, x, y in zip(truth, a, b, strict=True))
        sums[name] = sum(bool(eval(python, {"datum": row})) for row in rows)
    where = {"datum": SimpleNamespace(**sums)}
    assert eval(_EC, where) == pytest.approx(erralign.error_consistency(truth, a, b))
    with_joint_errors = _MA.removeprefix("datum.n00 < 0.5 ? null : ")
    assert eval(with_joint_errors, where) == pytest.approx(erralign.misclassification_agreement(truth, a, b))
