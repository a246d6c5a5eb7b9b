"""Every page, opened from disk as a reader would: light and dark, desktop and phone."""

import re
from pathlib import Path

import yaml
from browsing import visited
from bs4 import BeautifulSoup
from conftest import ROOT

from erralign.bounds import error_consistency_bounds
from erralign_book.building.chapters import names
from erralign_book.papers import geirhos2020

PAGES = [*names(ROOT), "search", "genindex"]


def opened(browser, site, page, theme, width, loaded=None):
    """Open a page of the site, and collect what went wrong on the way."""
    return visited(browser, (site / f"{page}.html").as_uri(), width, theme, loaded=loaded)


def test_a_page_with_charts_follows_theme_window_and_sliders(browser, site):
    """A chart as wide as the page stays so; a pair that is pushed too far stops at the limit of its accuracies."""
    pairs = geirhos2020.pairwise_scores().query("data_set == 'edges' and system_a == 'subject-01'")
    low, high = error_consistency_bounds(pairs["accuracy_a"].iloc[0], 0.4)
    with opened(browser, site, "error-consistency", "light", 1600) as (view, troubles):
        for width in (800, 1600, 390, 1280):
            view.set_viewport_size({"width": width, "height": 900})
            view.wait_for_function(
                "[...document.querySelectorAll('figure.vl')].every(figure =>"
                " Math.abs(figure.querySelector('svg').getBoundingClientRect().width - figure.clientWidth) < 2)",
                timeout=30_000,
            )
        figure = view.locator("figure.vl", has=view.locator("input[name=across]"))
        for name, value in {"across": 0.4, "up": 1}.items():
            figure.locator(f"input[name={name}]").fill(str(value))
        words = f"Possible at these accuracies: EC {low:.2f} to {high:.2f}"
        figure.get_by_text(words.replace("-", "−")).wait_for(timeout=30_000)
        assert figure.locator("input[name=up] + span").inner_text() == f"{high:.2f}"
        said = figure.locator("[role=status]")
        view.wait_for_function("status => status.textContent.includes('EC of A and B')", arg=said.element_handle())
        view.locator("figure.vl").first.scroll_into_view_if_needed()
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        view.wait_for_function("document.querySelector('figure.vl').dataset.drawn === 'dark'")
    assert troubles == []


def test_the_repositorys_address_is_that_of_the_settings():
    address = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["url"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["repository-code"] == address
    patterns = ("*.md", "*.toml", "*.cff", "*.yml", "notebooks/*.md", "book/erralign_book/**/*.py", ".github/*/*.yml")
    texts = [path for pattern in patterns for path in ROOT.glob(pattern)]
    owner = address.rpartition("/")[0]
    naming = [path for path in texts if owner in path.read_text()]
    needing = {"_config.yml", "CITATION.cff", "pyproject.toml", "README.md"}
    needing |= {"chapters.py", "how-to-model.md", "index.md", "your-own-data.md"}
    assert {path.name for path in naming} == needing
    for path in naming:
        text = path.read_text()
        assert text.count(owner) == text.count(address), path.name


def test_the_page_of_functions_lists_arguments_under_their_own_names(site):
    page = BeautifulSoup((site / "functions.html").read_text(), "html.parser")
    seen = set()
    for function in page("dl", class_="function"):
        taken = {name.get_text().lstrip("*") for name in function.select("dt em.sig-param > span.n")}
        fields = [field for field in function("dt", class_=re.compile("^field-")) if "Parameters" in field.get_text()]
        listed = {
            name.get_text().lstrip("*") for field in fields for name in field.find_next("dd").select("p > strong")
        }
        seen |= listed
        assert listed <= taken, function.dt["id"]
    assert {"y_true", "with_"} <= seen


def test_site_has_no_page_that_the_contents_do_not_list(site):
    listed = {*PAGES, "index", "404"}
    assert {path.stem for path in Path(site).glob("*.html")} <= listed
