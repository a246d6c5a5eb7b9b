"""Every page, opened from disk as a reader would: on a desktop in light, then as wide as a phone and in dark."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from browsing import COLOURS, READY, WIDTHS, turned_to, violations
from conftest import ROOT

from erralign_book.building.chapters import lessons, names

CHAPTERS, LESSONS = names(ROOT), lessons(ROOT)
PAGES = [*CHAPTERS, "search", "genindex"]
MEGABYTE = 2**20

FOUND = """() => ({
    theme: document.documentElement.dataset.theme,
    emptyCharts: [...document.querySelectorAll('figure.vl')].filter(figure =>
        !figure.querySelector('svg .mark-symbol path, svg .mark-rect path, svg .mark-line path, svg .mark-rule line,'
            + 'svg .mark-area path, svg .mark-text text, svg .mark-arc path, img.marks')
        && !figure.querySelector('canvas')?.getContext('2d').getImageData(0, 0, 2000, 2000).data.some(Boolean)).length,
    cutLabels: [...document.querySelectorAll('figure.vl svg.marks')].flatMap(chart => {
        const { left, right } = chart.getBoundingClientRect();
        return [...chart.querySelectorAll('text')].filter(label => {
            const found = label.getBoundingClientRect();
            return found.width > 0 && (found.right > right + 1 || found.left < left - 1);
        }).map(label => label.textContent);
    }),
    elements: Math.max(0, ...[...document.querySelectorAll('figure.vl')].map(figure =>
        figure.querySelectorAll('.vl-view *').length)),
    unlabelledCharts: [...document.querySelectorAll('figure.vl')].filter(figure => !figure.ariaLabel).length,
    formulas: document.querySelectorAll('.math').length,
    typeset: document.querySelectorAll('.math mjx-container').length,
    badFormulas: document.querySelectorAll('[data-mjx-error], mjx-merror').length,
    text: document.querySelector('article, main').innerText,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""
# Folded ones, too: a table is cut where the frame that clips it ends before it does. The board has many columns.
CUT_TABLES = """async () => {
    document.querySelectorAll('article details').forEach(details => details.open = true);
    await new Promise(done => setTimeout(done, 100));
    const clips = element => getComputedStyle(element).overflowX !== 'visible';
    return [...document.querySelectorAll('article :not(.tag_sortable *) > table')].flatMap(table => {
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
LEFTOVER = re.compile(r"\\\(|\\\[|\\(frac|kappa|sum|text)\b|\{glue|\{term|\{cite|\$\$")


# Of the page as it opens: before anybody scrolls, what is near is drawn, and set.
MOVED = """async () => {
    const there = () => !document.querySelector('.math') || document.querySelector('mjx-container');
    while (!there()) await new Promise(requestAnimationFrame);
    const shifts = [];
    const see = list => shifts.push(...list.getEntries().map(({ value }) => value));
    new PerformanceObserver(see).observe({ type: 'layout-shift', buffered: true });
    await new Promise(done => setTimeout(done, 200));
    return shifts.reduce((sum, shift) => sum + shift, 0);
}"""
# By then whatever watches for a change of size was told, however slow the machine.
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
LOOKED_AT = set()  # looks of texts whose colours passed
COMMIT = re.compile(rb"commit [0-9a-f]{7,}(-dirty)?")


@pytest.fixture(scope="module")
def assets(site):
    """Return what every page may load, as one hash."""
    files = sorted(path for path in (site / "_static").rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).digest()


@pytest.mark.parametrize("page", [*PAGES, "404"])
def test_page(browser, one_window, site, assets, unless_passed, page):
    html = (site / f"{page}.html").read_bytes()
    with unless_passed(browser.version.encode(), assets, COMMIT.sub(b"", html)):
        view, loaded, troubles = turned_to(one_window, site / f"{page}.html")
        assert view.evaluate(MOVED) < 0.05
        view.wait_for_function(READY)
        found = on_a_desktop(view, page)
        on_a_phone_in_the_dark(view, page)
        assert_light(loaded, found["formulas"], page)
        assert troubles == []


def on_a_desktop(view, page):
    found = asked(view)
    assert_good(found, "light", violations(view, LOOKED_AT))
    assert_frames(found, page, "desktop")
    for fold in (re.sub(r"\s+", " ", text).strip() for text in found["folds"]):
        assert fold not in {"show the code", "Answer", "show the code hide the code"}
    assert view.evaluate(CUT_TABLES) == []
    return found


def on_a_phone_in_the_dark(view, page):
    """Everything is drawn once more, as on a phone, and folds stay open, so that what is in them is seen to change.

    What a script does when the page opens on a phone is for test_frame.py.
    """
    view.set_viewport_size({"width": WIDTHS["phone"], "height": 900})
    view.emulate_media(color_scheme="dark")
    view.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    found = asked(view)
    assert_good(found, "dark", violations(view, LOOKED_AT, runOnly=COLOURS))
    assert_frames(found, page, "phone")
    assert [table for table in view.evaluate(CUT_TABLES) if not table["fades"]] == []
    if page in {"error-consistency", "search"}:  # what stands beside the text, alike on all pages, a phone hides
        view.set_viewport_size({"width": WIDTHS["desktop"], "height": 900})
        assert violations(view, LOOKED_AT, runOnly=COLOURS) == {}


def asked(view):
    """Ask a page for all that is to be known of it; what watches for scrolling comes after what is drawn."""
    view.evaluate(TWO_FRAMES)
    view.wait_for_timeout(200)
    return view.evaluate(FOUND) | {
        "frames": view.evaluate(FRAMES, SCROLLING),
        "stops": view.locator("mjx-container[tabindex], mjx-container [tabindex]").count(),
        "folds": view.locator("article details:not(.vl-menu) > summary").all_text_contents(),
    }


def assert_good(found, theme, serious=()):
    assert found["theme"] == theme
    assert found["emptyCharts"] == found["unlabelledCharts"] == found["badFormulas"] == 0
    assert found["cutLabels"] == []
    assert found["elements"] < 5_000  # of a chart: more make a page slow, and are drawn as pixels
    assert found["typeset"] >= found["formulas"]
    assert not LEFTOVER.search(found["text"]), LEFTOVER.search(found["text"])
    assert found["sideways"] <= 0, f"the page scrolls sideways by {found['sideways']} pixels"
    assert not serious


def assert_light(loaded, formulas, page):
    """A lesson weighs at most 2 megabytes; no page has MathJax for nothing, or Vega for who only reads."""
    urls = {re.split("[?#]", url)[0] for url in loaded}
    files = {path.name: path for path in (Path(url.removeprefix("file://")) for url in urls if url.startswith("file:"))}
    most = 2 if page in LESSONS else 4
    assert sum(path.stat().st_size for path in files.values()) < most * MEGABYTE, sorted(files)
    if page in LESSONS:
        assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in files.values()) < 0.7 * MEGABYTE, sorted(files)
    assert "vega.js" not in files
    assert ("startup.js" in files) == (formulas > 0)
    assert "fontawesome.js" not in files


def assert_frames(found, page, device):
    """What scrolls says so, and what does not is no tab stop."""
    for frame in found["frames"]:
        assert frame["wide"] == frame["marked"] == frame["fades"], frame
        assert not frame["wide"] or re.match(r"(Table|Chart|Formula|Output|Code)(: | in “).{3}", frame["name"]), frame
    wide = [frame for frame in found["frames"] if frame["formula"] and frame["wide"]]
    assert found["stops"] == len(wide)
    assert device == "phone" or not wide
    # Only those that docstrings, or a page of 23 measures, write on one line are wider than a phone.
    assert page.startswith(("functions", "comparing-")) or not wide
