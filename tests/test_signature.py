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
ALONE = """name => [...document.querySelectorAll('.sig-step')]
    .filter(step => step.checkVisibility({ visibilityProperty: true })).map(step => step.ariaLabel).join() === name"""


def test_whom_a_picture_fools_and_the_commonest_wrong_words_are_those_of_the_archive(requires_data):
    responses, table = erralign.load("geirhos2020/silhouettes"), silhouettes()
    for image, truth in responses.truth.items():
        for side, kind in (("people", "human"), ("networks", "model")):
            answers = responses.answers.loc[image, responses.systems["kind"] == kind].tolist()
            assert table.loc[image, f"{side}_fooled"] == (2 * answers.count(truth) <= len(answers))
            wrong = Counter(responses.classes[word] for word in answers if word not in {truth, -1})
            most = {word for word in wrong if wrong[word] == max(wrong.values())}
            assert set(table.loc[image, f"{side}_say"].split(" or ")) - {""} == most
    assert table["fools"].value_counts().to_dict() == {"neither": 75, "networks": 44, "both": 40, "people": 1}
    assert table.loc[table["same"], "people_say"].tolist() == ["knife"] * 12


def test_steps_sort_pictures_once():
    steps = BeautifulSoup(signature(frozen_table(SAID), "title").html, "html.parser").select(".sig-step")
    for step, n in zip(steps, (160, 160, 40, 62), strict=True):
        tiles = step.select(".sig-tiles i")
        assert len({tile["style"] for tile in tiles}) == len(tiles) == n


def test_the_sheet_is_the_archives_pictures(requires_data):
    stored = np.asarray(Image.open(ROOT / stimuli.SILHOUETTES).convert("L"))
    np.testing.assert_array_equal(stored, stimuli.silhouettes() * (255 // (stimuli.GREYS - 1)))


NOT_OURS = ("{}", "null", "7", "[", '{"name": "a"}', '{"name": {}, "said": {}}', '{"form": "long", "done": [{}]}')


# --- in a browser -----------------------------------------------------------------------------------------------------


def front(browser, site, **options):
    return shown(browser, (site / "index.html").as_uri(), ready=READY, **options)


def test_by_keyboard(browser, site):
    with front(browser, site) as view:
        view.locator(".sig-tabs button").first.focus()
        for name in (*STEPS[1:], *STEPS[:2]):
            view.keyboard.press("ArrowRight")
            view.wait_for_function(ALONE, arg=name)
        view.keyboard.press("Tab")
        first = view.evaluate("document.activeElement.ariaLabel")
        assert first.startswith("bear. People: bear ")
        view.wait_for_function("document.getAnimations().every(each => each.playState !== 'running')")
        view.keyboard.press("ArrowDown")
        assert view.evaluate("document.activeElement.ariaLabel") != first
        expect(view.locator(".sig-lens b.person")).to_have_count(10)
        expect(view.locator(".sig-lens b.network")).to_have_count(25)
        assert violations(view) == {}


def test_calm_readers_see_nothing_fly(browser, site):
    with window(browser, height=800, reduced_motion="reduce") as (view, _, _):
        view.goto((site / "index.html").as_uri())
        view.wait_for_function(READY)
        view.locator(".sig-tabs button").nth(1).click()
        assert view.evaluate("document.getAnimations().length") == 0
        view.emulate_media(reduced_motion="no-preference")
        moving = "tab => (tab.click(), document.getAnimations().length)"
        assert view.locator(".sig-tabs button").first.evaluate(moving) > 160


def test_without_a_script_there_are_four_pictures(browser, site):
    with window(browser, 390, height=800, java_script_enabled=False) as (view, _, _):
        view.goto((site / "index.html").as_uri())
        for n in (1, 2, 3, 4):
            assert view.locator(f".step-{n} i").last.is_visible()
        assert not view.locator(".sig-tabs").is_visible()


def test_who_sat_the_experiment_sees_their_answers(browser, site):
    images, done = stimuli.laboratory()["images"], []
    for place, image in enumerate(images):
        word = re.match("[a-z]+", image.split("/")[1])[0]
        done.append({"place": place, "said": word if place % 2 else "na"})
    sat = [answer for answer in done if images[answer["place"]].startswith("silhouettes")]
    with serving(site) as served, shown(browser, f"{served}/index.html", ready=READY) as view:
        sitting = {"form": "long", "name": "ann", "left": [], "done": done}
        view.evaluate("sitting => localStorage.setItem('erralign-sit', sitting)", json.dumps(sitting))
        view.reload()
        view.wait_for_selector(".step-1 i[data-mine]")
        marks = "() => [...document.querySelectorAll('.step-1 i[data-mine]')].map(tile => tile.dataset.mine)"
        wrong = sum(answer["said"] == "na" for answer in sat)
        assert Counter(view.evaluate(marks)) == {"wrong": wrong, "right": 48 - wrong}
        expect(view.locator(".step-1 .sig-mine")).to_contain_text(f"You: {wrong} of 48 wrong")
        view.locator(".step-1 i[data-mine]").first.click()
        expect(view.locator(".sig-lens b.mine")).to_have_count(1)


def test_what_anybody_put_into_the_browsers_store_stops_no_page_and_is_no_code(browser, site):
    word = "<img class='planted' src='none'>"
    place = next(n for n, image in enumerate(stimuli.laboratory()["images"]) if image.startswith("silhouettes"))
    sitting = {"form": "long", "name": "ann", "left": [], "done": [{"place": place, "said": word}]}
    with serving(site) as served, shown(browser, f"{served}/index.html", ready=READY) as view:
        view.evaluate("sitting => localStorage.setItem('erralign-sit', sitting)", json.dumps(sitting))
        view.reload()
        view.locator(".step-1 i[data-mine]").first.click()
        expect(view.locator(".sig-lens b.mine")).to_have_count(1)
        expect(view.locator(".sig-lens")).to_contain_text("<img")
        expect(view.locator("img.planted")).to_have_count(0)
        for key, page in (("erralign-guest", "your-own-data"), ("erralign-sit", "sit-the-experiment")):
            for kept in NOT_OURS:
                for name in ("index", page):
                    view.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [key, kept])
                    view.goto(f"{served}/{name}.html")
                    assert view.evaluate("key => localStorage.getItem(key)", key) is None, (name, kept)
