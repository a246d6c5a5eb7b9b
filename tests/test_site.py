"""Every page, opened from disk as a reader would: light and dark, desktop and phone."""

import re
from pathlib import Path
from urllib.parse import unquote

import yaml
from browsing import shown
from bs4 import BeautifulSoup
from conftest import ROOT

from erralign.bounds import error_consistency_bounds
from erralign_book.building import slides
from erralign_book.building.chapters import names, road
from erralign_book.papers import geirhos2020

PAGES = [*names(ROOT), "search", "genindex"]


def parsed(site, page):
    return BeautifulSoup((site / f"{page}.html").read_text(), "html.parser")


def opened(browser, site, page, theme, width):
    """Open a page of the site, and close it without complaints."""
    return shown(browser, (site / f"{page}.html").as_uri(), width, theme)


def test_a_page_with_charts_follows_theme_window_and_sliders(browser, site):
    """A chart as wide as the page stays so; a pair that is pushed too far stops at the limit of its accuracies."""
    pairs = geirhos2020.pairwise_scores().query("data_set == 'edges' and system_a == 'subject-01'")
    low, high = error_consistency_bounds(pairs["accuracy_a"].iloc[0], 0.4)
    with opened(browser, site, "error-consistency", "light", 1600) as view:
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
        figure.scroll_into_view_if_needed()  # a chart is drawn anew once it is near, with its menu closed
        view.wait_for_function("figure => figure.dataset.drawn === 'dark'", arg=figure.element_handle())
        assert_menu(view, figure)


def assert_menu(view, figure):
    """A chart can be saved, its table too, and it leads to the cell that made it."""
    figure.locator(".vega-embed summary").click()
    with view.expect_download() as saved:
        figure.get_by_text(re.compile("^Save data.* as CSV$")).first.click()
    head, first, *_ = Path(saved.value.path()).read_text().splitlines()
    assert head.count(",") == first.count(",") > 0
    figure.get_by_text("Show its code").click()
    assert figure.locator("xpath=ancestor::div[contains(@class, 'cell ')]").locator(".cell_input").is_visible()


def test_the_repositorys_address_is_that_of_the_settings():
    address = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["url"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["repository-code"] == address
    patterns = ("*.md", "*.toml", "*.cff", "*.yml", "notebooks/*.md", "book/erralign_book/**/*.py", ".github/*/*.yml")
    texts = {path.name: path.read_text() for pattern in patterns for path in ROOT.glob(pattern)}
    owner = address.rpartition("/")[0]
    assert [name for name, text in texts.items() if text.count(owner) != text.count(address)] == []


def test_pages_of_functions_list_arguments_under_their_own_names(site):
    """What several functions of a page say alike stands at its head."""
    for name in (page for page in PAGES if page.startswith("functions-")):
        page = parsed(site, name)
        said = {name.get_text().lstrip("*") for name in page.select("#arguments strong")}
        for function in page("dl", class_="function"):
            taken = {name.get_text().lstrip("*") for name in function.select("dt em.sig-param > span.n")}
            fields = [dt for dt in function("dt", class_=re.compile("^field-")) if "Parameters" in dt.get_text()]
            names = [name for field in fields for name in field.find_next("dd").select("p > strong, p > a > strong")]
            assert {name.get_text().lstrip("*") for name in names} <= taken, function.dt["id"]
            assert {name.get_text().lstrip("*") for name in names if name.parent.name == "a"} <= said


def test_an_old_address_of_a_function_leads_to_where_it_stands_now(browser, site):
    address = f"{(site / 'functions.html').as_uri()}#erralign.confidence_interval"
    with shown(browser, address, ready="() => location.pathname.endsWith('functions-inference.html')") as view:
        assert view.locator("[id='erralign.confidence_interval']").is_visible()


def test_all_lessons_are_on_one_page_too(site):
    titles = [parsed(site, page).article.h1.get_text() for page in road(ROOT)]
    assert [title.get_text() for title in parsed(site, "print").article("h1")] == titles


def test_site_has_no_page_that_the_contents_do_not_list(site):
    listed = {*PAGES, "index", "404", "print", *(f"slides-{name}" for name in slides.names(ROOT))}
    assert {path.stem for path in Path(site).glob("*.html")} <= listed


def test_no_page_links_to_a_file_that_the_site_lacks(site):
    linked = {
        (page.name, file)
        for page in site.glob("*.html")
        for file in re.findall(r'<a\b[^>]*\shref="([^"#?:]+)["#?]', page.read_text())
    }
    assert ("teach.html", "slides-error-consistency.html") in linked
    assert [(page, file) for page, file in linked if not (site / unquote(file)).exists()] == []
