"""The signature: its table against the archive, its pictures, its steps in a browser."""

import json
import re
from collections import Counter

import numpy as np
from browsing import serving, shown, violations, window
from bs4 import BeautifulSoup
from conftest import ROOT
from PIL import Image
from playwright.sync_api import expect

import erralign
from erralign_book.building import stimuli
from erralign_book.cells import table as frozen_table
from erralign_book.set_pieces.signature import SAID, STEPS, signature, silhouettes

READY = "() => document.querySelector('.signature .shown')"
STATE = """() => ({
    step: document.querySelector('.sig-tabs [aria-selected=true]').textContent,
    shown: [...document.querySelectorAll('.sig-step')]
        .filter(step => step.checkVisibility({ visibilityProperty: true })).map(step => step.ariaLabel),
    moving: document.getAnimations().length,
    wider: document.documentElement.scrollWidth - innerWidth,
})"""


# --- the table --------------------------------------------------------------------------------------------------------


def most_wrong(answers, truth):
    """Return the commonest wrong words."""
    counts = Counter(word for word in answers if word not in {truth, -1})
    return {word for word, n in counts.items() if n == max(counts.values())}


def test_counts_are_those_of_the_archive_picture_by_picture(requires_data):
    responses = erralign.load("geirhos2020/silhouettes")
    knife, table = responses.classes.index("knife"), silhouettes()
    groups, same, knives = Counter(), Counter(), Counter()
    for image, truth in responses.truth.items():
        kinds = (responses.systems["kind"] == kind for kind in ("human", "model"))
        sides = [responses.answers.loc[image, its].tolist() for its in kinds]
        fooled = [2 * sum(word != truth for word in side) >= len(side) for side in sides]
        groups[tuple(fooled)] += 1
        assert table.loc[image, ["people_fooled", "networks_fooled"]].tolist() == fooled
        words = [most_wrong(side, truth) for side in sides]
        knives[tuple(fools and word == {knife} for fools, word in zip(fooled, words, strict=True))] += 1
        if all(fooled) and words[0] == words[1] and len(words[0]) == 1:
            same[responses.classes[words[0].pop()]] += 1
    assert groups == {(False, False): 75, (True, False): 1, (False, True): 44, (True, True): 40}
    assert same == {"knife": 12}
    assert knives == {(True, True): 12, (False, True): 21 + 29, (False, False): 160 - 62}  # people's, networks'
    assert len(responses.truth) == len(table) == 160


def test_steps_sort_pictures_once():
    steps = BeautifulSoup(signature(frozen_table(SAID), "title").html, "html.parser").select(".sig-step")
    for step, n in zip(steps, (160, 160, 40, 62), strict=True):
        tiles = step.select(".sig-tiles i")
        assert len({tile["style"] for tile in tiles}) == len(tiles) == n


def test_same_wrong_words_stand_above_those_that_differ():
    soup = BeautifulSoup(signature(frozen_table(SAID), "title").html, "html.parser")
    groups = soup.select(".step-3 .sig-tiles")
    knife, other = ([tile.get_text(" ").split() for tile in row.select("span")] for row in groups[1:])
    assert [len(row.select("i")) for row in groups] == [12, len(knife), len(other)]
    assert (len(knife), len(other)) == (21, 7)
    assert all(people != networks or people == "tie" for people, networks in other)
    assert not any("knife" in words for words in knife)  # networks' word, and said once above them
    assert "CC BY 4.0" in soup.figcaption.get_text()


# --- the pictures -----------------------------------------------------------------------------------------------------


def test_the_sheet_is_the_archives_pictures(requires_data):
    stored = np.asarray(Image.open(ROOT / stimuli.SILHOUETTES).convert("L"))
    np.testing.assert_array_equal(stored, stimuli.silhouettes() * (255 // (stimuli.GREYS - 1)))


# --- in a browser -----------------------------------------------------------------------------------------------------


def front(browser, site, **options):
    return shown(browser, (site / "index.html").as_uri(), ready=READY, **options)


def test_by_keyboard(browser, site):
    with front(browser, site) as view:
        view.locator(".sig-tabs button").first.focus()
        for name in (*STEPS[1:], *STEPS[:2]):
            view.keyboard.press("ArrowRight")
            view.wait_for_function(f"name => ({STATE})().shown.join() === name", arg=name)
        view.keyboard.press("Tab")
        first = view.evaluate("document.activeElement.ariaLabel")
        assert first.startswith("bear. People: bear ")
        view.wait_for_function("document.getAnimations().every(each => each.playState !== 'running')")
        for key in ("ArrowDown", "ArrowRight", "ArrowUp"):
            view.keyboard.press(key)
        assert view.evaluate("document.activeElement.ariaLabel") != first
        expect(view.locator(".sig-lens b.person")).to_have_count(10)
        expect(view.locator(".sig-lens b.network")).to_have_count(25)
        assert violations(view) == {}


def test_a_guess_is_marked_beside_its_answer(browser, site):
    with front(browser, site) as view:
        slider = view.locator(".guess").get_by_role("slider").first
        for key in ("Home", "ArrowRight"):
            slider.press(key)
        view.get_by_role("button", name="That is my guess").press("Enter")
        view.wait_for_function(f"name => ({STATE})().shown.join() === name", arg=STEPS[1])
        expect(view.locator(".step-2 .guess [role=status]")).to_contain_text("You guessed 1. It is 40. Of all 160")
        expect(view.locator(".sig-tabs :focus")).to_have_text(STEPS[1])
        view.reload()
        expect(view.locator(".step-1 .guess .guess-line")).to_have_attribute("data-is", "40")


def test_calm_readers_see_nothing_fly(browser, site):
    with window(browser, height=800, reduced_motion="reduce") as (view, _, _):
        view.goto((site / "index.html").as_uri())
        view.wait_for_function(READY)
        for place in (1, 2, 3):
            view.locator(".sig-tabs button").nth(place).click()
            assert view.evaluate(STATE)["moving"] == 0
        room = "figure => figure.offsetHeight - figure.querySelector('.sig-stage').offsetHeight"
        assert view.locator(".signature.live").evaluate(room) < 2
        view.emulate_media(reduced_motion="no-preference")
        moving = "tab => (tab.click(), document.getAnimations().length)"
        assert view.locator(".sig-tabs button").first.evaluate(moving) > 160


def test_without_a_script_there_are_four_pictures(browser, site):
    with window(browser, 390, height=800, java_script_enabled=False) as (view, _, _):
        view.goto((site / "index.html").as_uri())
        places = [view.locator(f".step-{n}") for n in (1, 2, 3, 4)]
        assert all(step.is_visible() and step.locator("i").last.is_visible() for step in places)
        tops = [step.bounding_box()["y"] for step in places]
        assert tops == sorted(set(tops))
        assert not view.locator(".sig-tabs").is_visible()


def test_who_sat_the_experiment_sees_their_answers(browser, site):
    images, done = stimuli.laboratory()["images"], []
    for place, image in enumerate(images):
        word = re.match("[a-z]+", image.split("/")[1])[0]
        done.append({"place": place, "said": word if place % 2 else "na"})
    sat = [answer for answer in done if images[answer["place"]].startswith("silhouettes")]
    with serving(site) as served, shown(browser, f"{served}/index.html", ready=READY) as view:
        view.evaluate("sitting => localStorage.setItem('erralign-sit', sitting)", json.dumps({"done": done}))
        view.reload()
        view.wait_for_selector(".step-1 i[data-mine]")
        marks = "() => [...document.querySelectorAll('.step-1 i[data-mine]')].map(tile => tile.dataset.mine)"
        wrong = sum(answer["said"] == "na" for answer in sat)
        assert Counter(view.evaluate(marks)) == {"wrong": wrong, "right": 48 - wrong}
        expect(view.locator(".step-1 .sig-mine")).to_contain_text(f"You: {wrong} of 48 wrong")
        view.locator(".step-1 i[data-mine]").first.click()
        expect(view.locator(".sig-lens b.mine")).to_have_count(1)
