"""Every page, opened from disk as a reader would: light and dark, desktop and phone."""

import re
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT

from erralign.bounds import error_consistency_bounds
from erralign.charts.error_consistency import copy_grid
from erralign.publishing.chapters import names

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
FOUND = """() => ({
    theme: document.documentElement.dataset.theme,
    emptyCharts: [...document.querySelectorAll('figure.vl')].filter(figure =>
        !figure.querySelector('svg .mark-symbol path, svg .mark-rect path, svg .mark-line path, svg .mark-rule line,'
            + 'svg .mark-area path, svg .mark-text text, svg .mark-arc path')
        && !figure.querySelector('canvas')?.getContext('2d').getImageData(0, 0, 2000, 2000).data.some(Boolean)).length,
    unlabelledCharts: [...document.querySelectorAll('figure.vl')].filter(figure => !figure.ariaLabel).length,
    unlabelledImages: [...document.querySelectorAll('img')].filter(image =>
        image.closest('article') ? !image.alt : !image.hasAttribute('alt')).map(image => image.src),
    formulas: document.querySelectorAll('.math').length,
    typeset: document.querySelectorAll('.math mjx-container').length,
    badFormulas: document.querySelectorAll('[data-mjx-error], mjx-merror').length,
    text: document.querySelector('article, main').innerText,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""
# Folded ones, too: a table is cut where the frame that clips it ends before it does.
CUT_TABLES = """async () => {
    document.querySelectorAll('article details').forEach(details => details.open = true);
    await new Promise(done => setTimeout(done, 100));
    const clips = element => getComputedStyle(element).overflowX !== 'visible';
    return [...document.querySelectorAll('article table')].flatMap(table => {
        let frame = table;
        while (!clips(frame) && !frame.matches('article')) frame = frame.parentElement;
        const beyond = table.getBoundingClientRect().right - frame.getBoundingClientRect().right;
        const head = (table.tHead ?? table).innerText.replace(/\\s+/g, ' ').slice(0, 80);
        return beyond > 4 ? [{head, fades: getComputedStyle(frame).maskImage !== 'none'}] : [];
    });
}"""
LEFTOVER_TEX = re.compile(r"\\\(|\\\[|\\(frac|kappa|sum|text)\b|\{glue|\{term|\{cite|\$\$")


@contextmanager
def opened(browser, site, page, theme, width):
    """Open a page, wait until it is drawn, and collect what went wrong on the way."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    view = context.new_page()
    troubles = []
    here = ("file:", "data:", "blob:")
    view.on("request", lambda request: request.url.startswith(here) or troubles.append(f"foreign: {request.url}"))
    view.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto((site / f"{page}.html").as_uri())
    view.wait_for_function(READY, timeout=20_000)
    yield view, troubles
    context.close()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", WIDTHS)
def test_page(browser, site, page, theme, device):
    with opened(browser, site, page, theme, WIDTHS[device]) as (view, troubles):
        found = view.evaluate(FOUND)
        serious = violations(view) if device == "desktop" else {}
        cut = view.evaluate(CUT_TABLES)
    assert troubles == []
    assert found["theme"] == theme
    assert found["emptyCharts"] == found["unlabelledCharts"] == found["badFormulas"] == 0
    assert found["unlabelledImages"] == []
    assert found["typeset"] >= found["formulas"]
    assert not LEFTOVER_TEX.search(found["text"]), LEFTOVER_TEX.search(found["text"])
    assert found["sideways"] <= 0, f"the page scrolls sideways by {found['sideways']} pixels"
    assert serious == {}
    assert [table["head"] for table in cut if device == "desktop" or not table["fades"]] == []


def violations(view):
    """Ask axe-core, once per page and theme: it takes longer than the rest together."""
    # Colours that are still on their way from light to dark would be judged half-way.
    view.add_style_tag(content="*, *::before, *::after { transition: none !important; animation: none !important; }")
    # axe would fetch the styles once more, which a browser refuses on file://.
    # The marks of a chart, up to 5,000, would keep it busy for minutes: the figure around them carries the text.
    found = Axe().run(view, {"exclude": [["figure.vl svg"]]}, {"preload": False}).response["violations"]
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in found if each["impact"] in SERIOUS}


@pytest.mark.parametrize("page", names(ROOT))
def test_page_says_what_made_it(site, page):
    foot = re.search(r'<p class="made-with">(.*?)</p>', (site / f"{page}.html").read_text())[1]
    for part in ("Python 3.", "erralign ", "numpy ", "scipy ", "pandas ", "altair ", "commit"):
        assert part in foot


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
    patterns = ("*.md", "*.toml", "*.cff", "*.yml", "notebooks/*.md", "erralign/**/*.py", ".github/*/*.yml")
    texts = [path for pattern in patterns for path in ROOT.glob(pattern)]
    owner = address.rpartition("/")[0]
    naming = [path for path in texts if owner in path.read_text()]
    needing = {"_config.yml", "CITATION.cff", "pyproject.toml", "README.md", "chapters.py", "your-own-data.md"}
    assert {path.name for path in naming} == needing
    for path in naming:
        text = path.read_text()
        assert text.count(owner) == text.count(address), path.name


def test_site_has_no_page_that_the_contents_do_not_list(site):
    listed = {*PAGES, "index", "404"}
    assert {path.stem for path in Path(site).glob("*.html")} <= listed
