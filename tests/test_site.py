"""Pages opened from disk as a reader would: charts that follow, an old address, the repository's address."""

import csv
import re
from pathlib import Path

import yaml
from browsing import shown
from conftest import ROOT
from playwright.sync_api import expect

# Panels beside each other keep their width where there is more room.
AS_WIDE = """[...document.querySelectorAll('figure.vl')].every(figure =>
    [...figure.querySelectorAll('.marks')].some(drawing => {
        const room = figure.clientWidth - drawing.getBoundingClientRect().width;
        return Math.abs(room) < 2 || (drawing.querySelector('.concat_0_group') && 0 < room && room < 200);
    }))"""


def test_a_page_with_charts_follows_theme_window_and_sliders(browser, site):
    """A drawing as wide as the page stays so, and so does what takes its place; no draw shows the pictures."""
    with shown(browser, (site / "how-sure-are-we.html").as_uri(), 1600) as view:
        for width in (800, 1600, 390, 1280):
            view.set_viewport_size({"width": width, "height": 900})
            view.wait_for_function(AS_WIDE)
        figure = view.locator("figure.vl", has=view.locator("input[name=draws]")).first
        touch = "input => { input.value = 2; input.dispatchEvent(new Event('input', { bubbles: true })); }"
        figure.locator("input[name=draws]").evaluate(touch)  # as a voice or a script does it, without focus
        figure.locator("text").get_by_text("draw 2: EC").last.wait_for()
        expect(figure.locator("input[name=draws] + span")).to_have_text("2")
        expect(figure.locator("[role=status]")).to_contain_text("draws: 2.")
        expect(view.locator("figure.vl[data-drawn]")).to_have_count(1)
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        expect(figure).to_have_attribute("data-drawn", "dark")
        assert_menu(view, figure)


def assert_menu(view, figure):
    """A chart can be saved, its table too, and it leads to the cell that made it."""
    figure.locator(".vl-menu summary").click()
    with view.expect_download() as saved:
        figure.get_by_text(re.compile("^Save data.* as CSV$")).first.click()
    head, first, *_ = csv.reader(Path(saved.value.path()).read_text().splitlines())
    assert len(head) == len(first) > 1
    figure.get_by_text("Show its code").click()
    expect(figure.locator("xpath=ancestor::div[contains(@class, 'cell ')]").locator(".cell_input")).to_be_visible()


def test_the_repositorys_address_is_that_of_the_settings():
    address = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["url"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["repository-code"] == address
    patterns = ("*.md", "*.toml", "*.cff", "*.yml", "notebooks/*.md", "book/erralign_book/**/*.py", ".github/*/*.yml")
    texts = {path.name: path.read_text() for pattern in patterns for path in ROOT.glob(pattern)}
    owner = address.rpartition("/")[0]
    assert [name for name, text in texts.items() if text.count(owner) != text.count(address)] == []


def test_an_old_address_of_a_function_leads_to_where_it_stands_now(browser, site):
    address = f"{(site / 'functions.html').as_uri()}#erralign.confidence_interval"
    with shown(browser, address, ready="() => location.pathname.endsWith('functions-inference.html')") as view:
        expect(view.locator("[id='erralign.confidence_interval']")).to_be_visible()
