"""Every page, opened from disk as a reader would: light and dark, desktop and phone."""

import re
from contextlib import contextmanager
from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from conftest import ROOT

from erralign.bounds import error_consistency_bounds
from erralign_book.building.chapters import names
from erralign_book.charts.error_consistency import copy_grid

PAGES = [*names(ROOT), "search", "genindex"]
WIDTHS = {"desktop": 1280, "phone": 390}
THEMES = ("light", "dark")
SERIOUS = {"serious", "critical"}

# A chart is drawn when it comes near and charts.js says so, and a formula when MathJax's promise is kept.
READY = """() => {
    const waiting = [...document.querySelectorAll('figure.vl')].find(figure => !figure.dataset.drawn);
    waiting?.scrollIntoView();
    return !waiting && (!document.querySelector('.math') || document.querySelector('mjx-container'));
}"""


@contextmanager
def opened(browser, site, page, theme, width, loaded=None):
    """Open a page, wait until it is drawn, and collect what went wrong on the way."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    view = context.new_page()
    troubles = []
    here = ("file:", "data:", "blob:")
    view.on("request", lambda request: request.url.startswith(here) or troubles.append(f"foreign: {request.url}"))
    view.on("requestfinished", lambda request: loaded is not None and loaded.add(request.url))
    view.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto((site / f"{page}.html").as_uri())
    view.wait_for_function(READY, timeout=20_000)
    yield view, troubles
    context.close()


def test_switching_the_theme_redraws_the_charts(browser, site):
    page = next(name for name in names(ROOT) if 'class="vl"' in (site / f"{name}.html").read_text())
    with opened(browser, site, page, "light", WIDTHS["desktop"]) as (view, troubles):
        view.locator("figure.vl").first.scroll_into_view_if_needed()
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        view.wait_for_function("document.querySelector('figure.vl').dataset.drawn === 'dark'")
    assert troubles == []


def test_charts_follow_the_window(browser, site):
    """A wide window, then a narrow one: a chart as wide as the page stays so, and is never cut off."""
    with opened(browser, site, "error-consistency", "light", 1600) as (view, _):
        for width in (800, 1600, 390, 1280):
            view.set_viewport_size({"width": width, "height": 900})
            view.wait_for_function(
                "[...document.querySelectorAll('figure.vl')].every(figure =>"
                " Math.abs(figure.querySelector('svg').getBoundingClientRect().width - figure.clientWidth) < 2)",
                timeout=5_000,
            )


def test_the_explorer_follows_its_sliders(browser, site):
    """A below one half: the interval is that of the mirror image, A .75 and B alone .35."""
    grid = copy_grid().set_index(["a", "alone", "copied", "trials"])
    low, high = grid.loc[(15, 7, 2, 400)]
    low_of_b, high_of_b = error_consistency_bounds(0.25, 0.2 * 0.25 + 0.8 * 0.65)
    with opened(browser, site, "error-consistency", "light", WIDTHS["desktop"]) as (view, troubles):
        figure = view.locator("figure.vl", has=view.locator("input[name=copied]"))
        for name, value in {"accuracy_of_a": 0.25, "accuracy_alone": 0.65, "copied": 0.2}.items():
            figure.locator(f"input[name={name}]").fill(str(value))
        figure.locator("select").select_option("400")
        words = f"95 % interval {low:.2f} to {high:.2f} · possible {low_of_b:.2f} to {high_of_b:.2f}"
        figure.get_by_text(words.replace("-", "−")).wait_for(timeout=5_000)
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
