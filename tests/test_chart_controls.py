"""What a reader does with a chart, in a browser: every chart that is made of the shared parts has it."""

import altair as alt
import numpy as np
import pandas as pd
import pytest
from browsing import page_of, shown
from conftest import ROOT
from playwright.sync_api import expect

from erralign.files import OF_CHARTS, asset
from erralign.plot.finishing import entitle, finish, selector, tooltips
from erralign.plot.html import figure
from erralign_book.charts import grammar
from erralign_book.set_pieces.decision_regions import decision_regions as chart_of_regions

MANY = 2500  # rows: drawn as pixels


def points(rows=3):
    table = pd.DataFrame({"system_a": [f"net {row}" for row in range(rows)], "EC": [-0.25, *[0.5] * (rows - 1)]})
    table["n_joint_errors"] = range(rows)
    chart = alt.Chart(table).transform_filter("datum.n_joint_errors < most").mark_point(filled=True, size=200)
    encoded = {"x": alt.X("n_joint_errors:Q", title="joint errors"), "y": "EC:Q"}
    return chart.encode(**encoded, tooltip=tooltips(["system_a", "EC", "n_joint_errors"]))


def with_controls(rows=3):
    controls = [
        grammar.slider("most", "joint errors below", rows, (0.5, rows), 0.5),
        grammar.slider("share", "share of B that is copied", 0.4, (0, 1), 0.1),
        selector("data_set", ["edges", "image_net_a"], "edges"),
    ]
    return finish(points(rows).add_params(*controls), "A title", "Points.", 200)


@pytest.fixture
def page(tmp_path):
    """Write a chart into a page of its own."""
    style, scripts = (ROOT / "book/assets/style.css").read_text(), map(asset, OF_CHARTS)
    return lambda chart: page_of(tmp_path, figure(chart.to_dict(), "a page"), *scripts, style=style)


def middle(locator):
    place = locator.bounding_box()
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


@pytest.mark.parametrize("width", [1280, 390])
def test_controls_stand_between_title_and_chart_and_say_their_values(browser, page, width):
    with shown(browser, page(with_controls()), width) as view:
        controls = view.get_by_role("group", name="Try it", exact=True).bounding_box()
        assert controls["y"] + controls["height"] <= view.locator("svg.marks").bounding_box()["y"]
        assert controls["x"] + controls["width"] <= width
        for slider, value in zip(view.locator(".vega-bindings input").all(), ("1.5", "1"), strict=True):
            slider.fill(value)
        expect(view.locator(".vega-bindings input + span")).to_have_text(["1.5", "1"])


@pytest.mark.parametrize("touch", [False, True])
def test_a_click_or_tap_on_a_mark_shows_its_value_below_the_chart(browser, page, touch):
    with shown(browser, page(with_controls()), 390, touch=touch) as view:
        mark, words = view.locator(".mark-symbol.role-mark path").first, view.locator(".reading-words")
        press = view.touchscreen.tap if touch else view.mouse.click
        place = view.locator("svg.marks").bounding_box()
        press(*middle(mark))
        expect(words).to_have_text("first system: net 0 · EC: −0.25 · joint errors: 0")
        assert words.bounding_box()["y"] > place["y"] + 200
        assert middle(view.locator(".ring")) == pytest.approx(middle(mark), abs=2)
        press(place["x"] + 3, place["y"] + 3)
        expect(words).to_be_empty()
        expect(view.locator(".ring")).to_be_hidden()


@pytest.mark.parametrize("rows", [3, MANY])
def test_a_keyboard_reads_the_values_mark_by_mark(browser, page, rows):
    with shown(browser, page(with_controls(rows))) as view:
        expect(view.locator("figure.vl")).to_have_attribute("data-renderer", "svg" if rows == 3 else "canvas")
        view.locator(".vega-bindings select").focus()
        view.keyboard.press("Tab")
        while view.evaluate("!document.activeElement.closest('.reading')"):
            view.keyboard.press("Tab")
        slider, words = view.get_by_role("slider", name="Values in the chart: A title"), view.locator(".reading-words")
        expect(words).to_contain_text("first system: net 0")
        view.keyboard.press("ArrowRight")
        second = "first system: net 1 · EC: 0.5 · joint errors: 1"
        expect(words).to_have_text(second)
        expect(slider).to_have_attribute("aria-valuetext", second)
        view.keyboard.press("End")
        expect(words).to_contain_text(f"net {rows - 1}")


def test_a_change_of_the_chart_takes_what_was_read_and_one_of_colours_keeps_the_controls(browser, page):
    with shown(browser, page(with_controls())) as view:
        view.mouse.click(*middle(view.locator(".mark-symbol.role-mark path").first))
        expect(view.locator(".reading-words")).not_to_be_empty()
        view.locator(".vega-bindings input").first.fill("0.5")
        expect(view.locator(".reading-words")).to_be_empty()
        view.locator("select").select_option("image_net_a")
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        expect(view.locator("figure.vl")).to_have_attribute("data-drawn", "dark")
        expect(view.locator("select")).to_have_value("image_net_a")


@pytest.mark.parametrize("width", [1280, 390])
def test_panels_stand_in_a_row_which_scrolls_in_its_frame_on_a_phone(browser, page, width):
    """A ring is around a mark in a panel."""
    panels = [points().properties(width=260, height=100, title=name) for name in "AB"]
    both = alt.hconcat(*panels).add_params(alt.param(name="most", value=9))
    with shown(browser, page(entitle(both, "Two panels", "Points.")), width) as view:
        one, other = (each.bounding_box() for each in view.locator(".role-axis-domain line").all()[::2][:2])
        assert one["y"] == pytest.approx(other["y"], abs=1)
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        scrolls = view.locator(".vl-view").evaluate("frame => frame.scrollWidth > frame.clientWidth")
        assert scrolls == (width == 390)
        mark = view.locator(".mark-symbol.role-mark path").last
        mark.scroll_into_view_if_needed()
        view.mouse.click(*middle(mark))
        view.locator(".ring").wait_for()
        assert middle(view.locator(".ring")) == pytest.approx(middle(mark), abs=2)
        before = view.locator(".vl-view").evaluate("frame => frame.scrollLeft")
        view.locator(".vl-view").evaluate("frame => frame.scrollTo({ left: 0, behavior: 'instant' })")
        assert (before > 0) == (width == 390)
        assert middle(view.locator(".ring")) == pytest.approx(middle(mark), abs=2)


def test_the_cloud_of_decision_regions_can_be_dragged(browser, page):
    """To the top, where both are right, in a mouse's hand; it stops at the edge. What it shows follows."""
    x, y = np.indices((30, 30)).reshape(2, -1) / 30 + 1 / 60
    bent = x - np.interp(y, [0.2, 0.45], [1 / 3, 0])  # in the upper half, both are right
    bands = {name: np.floor(3 * (place % 1)).astype(int) for name, place in {"truth": x, "a": bent, "b": bent}.items()}
    regions = pd.DataFrame({"x": x.round(4), "y": y.round(4), **bands})
    with shown(browser, page(chart_of_regions(regions))) as view:
        cloud, sliders = view.locator("g[class*=draggable] path"), view.locator(".vega-bindings input")
        before = middle(cloud)
        view.mouse.move(*before)
        view.mouse.down()
        view.mouse.move(before[0] + 60, before[1] - 150)
        view.mouse.move(before[0] + 60, before[1] - 600)
        view.mouse.up()
        for place, value in enumerate(("0.7", "1", "0.12")):
            expect(sliders.nth(place)).to_have_value(value)
        view.get_by_text("no joint errors", exact=True).wait_for()
