"""Every page, opened from disk as a reader would: light and dark, desktop and phone. Tests share visits."""

import re
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import WIDTHS
from conftest import ROOT
from test_site import opened

from erralign_book.building.chapters import names

CHAPTERS = names(ROOT)
PAGES = [*CHAPTERS, "search", "genindex"]
THEMES = ("light", "dark")
SERIOUS = {"serious", "critical"}
MEGABYTE = 2**20

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
SCROLLING = ".cell_output, .cell_output .output, .vl-view, mjx-container[display=true], div.math, div.highlight pre"
FRAMES = """frames => [...document.querySelectorAll(frames)]
    .filter(frame => frame.clientWidth > 0).map(frame => ({
        wide: frame.scrollWidth > frame.clientWidth + 4,
        marked: frame.tabIndex === 0 && frame.getAttribute('role') === 'region',
        fades: getComputedStyle(frame).maskImage !== 'none',
        formula: frame.matches('mjx-container, div.math'),
        name: frame.getAttribute('aria-label') ?? '',
    }))"""
FOLDS = "article details:not(.vega-embed details) > summary"
LEFTOVER_TEX = re.compile(r"\\\(|\\\[|\\(frac|kappa|sum|text)\b|\{glue|\{term|\{cite|\$\$")


@pytest.fixture(scope="module")
def visit(browser, site):
    """Return a function that opens a page, asks all that the tests want to know of it, and closes it; once per view."""

    @cache
    def asked(page, theme, device):
        loaded = set()
        with opened(browser, site, page, theme, WIDTHS[device], loaded) as (view, troubles):
            view.wait_for_timeout(200)  # what watches for scrolling comes after what is drawn
            answers = view.evaluate(FOUND) | {
                "frames": view.evaluate(FRAMES, SCROLLING),
                "stops": view.locator("mjx-container[tabindex], mjx-container [tabindex]").count(),
                "folds": view.locator(FOLDS).all_text_contents(),
                "serious": violations(view) if device == "desktop" else {},
                "cut": view.evaluate(CUT_TABLES),
            }
        return answers | {"troubles": troubles, "loaded": loaded}

    return asked


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("device", WIDTHS)
def test_page(visit, page, theme, device):
    found = visit(page, theme, device)
    assert found["troubles"] == []
    assert found["theme"] == theme
    assert found["emptyCharts"] == found["unlabelledCharts"] == found["badFormulas"] == 0
    assert found["unlabelledImages"] == []
    assert found["typeset"] >= found["formulas"]
    assert not LEFTOVER_TEX.search(found["text"]), LEFTOVER_TEX.search(found["text"])
    assert found["sideways"] <= 0, f"the page scrolls sideways by {found['sideways']} pixels"
    assert found["serious"] == {}
    assert [table["head"] for table in found["cut"] if device == "desktop" or not table["fades"]] == []


def violations(view):
    """Ask axe-core, once per page and theme: it takes longer than the rest together."""
    # Colours that are still on their way from light to dark would be judged half-way.
    view.add_style_tag(content="*, *::before, *::after { transition: none !important; animation: none !important; }")
    # axe would fetch the styles once more, which a browser refuses on file://.
    # The marks of a chart, up to 5,000, would keep it busy for minutes: the figure around them carries the text.
    found = (
        Axe().run(view, {"exclude": [["figure.vl svg"]]}, {"preload": False, "resultTypes": ["violations"]}).response
    )
    return {
        each["id"]: [node["html"][:200] for node in each["nodes"]]
        for each in found["violations"]
        if each["impact"] in SERIOUS
    }


@pytest.mark.parametrize("page", [*CHAPTERS, "search", "404"])
def test_no_page_weighs_more_than_3_megabytes_and_none_has_mathjax_for_nothing(visit, page):
    found = visit(page, "light", "desktop")
    urls = {re.split("[?#]", url)[0] for url in found["loaded"]}
    weights = {
        path.name: path for path in (Path(url.removeprefix("file://")) for url in urls if url.startswith("file:"))
    }
    assert sum(path.stat().st_size for path in weights.values()) < 3 * MEGABYTE, sorted(weights)
    assert ("startup.js" in weights) == (found["formulas"] > 0)
    assert "fontawesome.js" not in weights


@pytest.mark.parametrize("page", CHAPTERS)
def test_page_says_what_made_it(site, page):
    foot = re.search(r'<p class="made-with">(.*?)</p>', (site / f"{page}.html").read_text())[1]
    for part in ("Python 3.", "erralign ", "numpy ", "scipy ", "pandas ", "altair ", "commit"):
        assert part in foot


@pytest.mark.parametrize("page", CHAPTERS)
@pytest.mark.parametrize("device", WIDTHS)
def test_what_scrolls_says_so_and_what_does_not_is_no_tab_stop(visit, page, device):
    found = visit(page, "light", device)
    frames, stops = found["frames"], found["stops"]
    for frame in frames:
        assert frame["wide"] == frame["marked"] == frame["fades"], frame
        assert not frame["wide"] or re.match(r"(Table|Chart|Formula|Output|Code)(: | in “).{3}", frame["name"]), frame
    assert stops == sum(frame["formula"] and frame["wide"] for frame in frames)
    assert device == "phone" or stops == 0
    # Only those that docstrings write on one line are wider than a phone.
    assert page == "functions" or not any(frame["formula"] and frame["wide"] for frame in frames)


@pytest.mark.parametrize("page", CHAPTERS)
def test_folds_say_what_they_hold(visit, page):
    folds = visit(page, "light", "desktop")["folds"]
    for fold in (re.sub(r"\s+", " ", text).strip() for text in folds):
        assert fold not in {"show the code", "Answer", "show the code hide the code"}, page
