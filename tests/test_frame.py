"""What stands around the text of every page: its weight and speed, type, paper, search, keyboard and touch."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from bs4 import BeautifulSoup
from conftest import ROOT
from test_site import READY, WIDTHS, opened

from erralign_book.building import pictures
from erralign_book.building.chapters import names
from erralign_book.building.formulas import LABELS, NAMES, upright

PAGES = names(ROOT)
HEAVIEST = "reproducing-xu-2024"
MEGABYTE = 2**20
PATIENCE = 4  # this machine may do other things meanwhile; the goals themselves are in the test's names


@contextmanager
def shown(browser, address, width=WIDTHS["desktop"], theme="light", ready=READY):
    """Open a page, wait until it is drawn, and close it without complaints."""
    view = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    troubles = []
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto(address)
    view.wait_for_function(ready, timeout=30_000)
    yield view
    view.close()
    assert troubles == []


@pytest.fixture(scope="module")
def served(site):
    """Serve the site as a reader's own ``erralign serve`` does."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


# --- weight and speed -------------------------------------------------------------------------------------------------


def busy(session):
    """Return the seconds that a page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


NEAR_ARE_DRAWN = """() => [...document.querySelectorAll('figure.vl')].filter(figure => {
    const { top, bottom } = figure.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
}).every(figure => figure.dataset.drawn === document.documentElement.dataset.theme)"""


def test_the_heaviest_page_shows_a_chart_after_2_seconds_of_work_and_changes_colours_in_half_a_second(browser, site):
    view = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    session = view.context.new_cdp_session(view)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, not of the wall
    view.goto((site / f"{HEAVIEST}.html").as_uri(), wait_until="domcontentloaded")
    view.locator("figure.vl").first.evaluate("figure => figure.scrollIntoView()")
    view.wait_for_function("document.querySelector('figure.vl').dataset.drawn")
    first = busy(session)
    view.wait_for_load_state("load")
    view.wait_for_timeout(1_000)
    before = busy(session)
    view.evaluate("document.documentElement.dataset.theme = 'dark'")
    view.wait_for_function(NEAR_ARE_DRAWN)
    switching = busy(session) - before
    view.close()
    assert first < 2 * PATIENCE
    assert switching < 0.5 * PATIENCE


RENDERED = """() => [...document.querySelectorAll('figure.vl')].map(figure =>
    [figure.dataset.renderer, figure.querySelectorAll('.vl-view *').length])"""


def test_many_marks_are_pixels_and_few_are_not(browser, site):
    with shown(browser, (site / f"{HEAVIEST}.html").as_uri()) as view:
        found = view.evaluate(RENDERED)
    assert {renderer for renderer, _ in found} == {"svg", "canvas"}
    assert max(elements for _, elements in found) < 5_000


# --- type -------------------------------------------------------------------------------------------------------------

TYPE = """() => Object.fromEntries(['h1', 'h2', 'h3', '.cell_input pre', '.cell_output pre', 'p'].map(part => {
    const style = getComputedStyle(document.querySelector(`article ${part}`));
    return [part, [style.fontSize, style.fontWeight, style.fontFamily.split(',')[0].replaceAll('"', '')]];
}))"""
ROOM = """() => {
    const code = document.querySelector('.cell_input pre');
    const style = getComputedStyle(code);
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return room / canvas.measureText('0').width;
}"""


def test_headings_text_and_code(browser, site):
    scroll_bar = 15  # pixels, where it takes room of its own
    with shown(browser, (site / "error-consistency.html").as_uri(), WIDTHS["desktop"] - scroll_bar) as view:
        found, room = view.evaluate(TYPE), view.evaluate(ROOM)
        loaded = view.evaluate("[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)")
    assert found["h1"] == ["38px", "700", "Erralign Sans"]
    assert found["h2"] == ["26px", "700", "Erralign Sans"]
    assert found["h3"] == ["20px", "600", "Erralign Sans"]
    assert found["p"][2] == "Erralign Sans"
    for code in (".cell_input pre", ".cell_output pre"):
        assert found[code][::2] == ["13.5px", "Erralign Code"]
    assert {family.strip('"') for family in loaded} >= {"Erralign Sans", "Erralign Code"}
    assert room >= 80


@pytest.mark.parametrize("page", PAGES)
def test_names_in_formulas_are_upright(site, page):
    formulas = [
        found.get_text() for found in BeautifulSoup((site / f"{page}.html").read_text(), "html.parser")(class_="math")
    ]
    word = re.compile(r"\\(?:text|mathrm|operatorname|boldsymbol)\{[^{}]*\}|\\[A-Za-z]+")
    bare = {
        formula: re.findall(rf"\b(?:{'|'.join((*NAMES, *LABELS))})\b", word.sub(" ", formula)) for formula in formulas
    }
    assert {formula: found for formula, found in bare.items() if found} == {}


@pytest.mark.parametrize("page", PAGES)
def test_no_line_ends_before_a_per_cent_sign(site, page):
    article = BeautifulSoup((site / f"{page}.html").read_text(), "html.parser").article
    for code in article(["pre", "code", "script", "style"]):
        code.decompose()
    assert re.findall(r".{20}\d[ \n]%", article.get_text()) == []


def test_what_is_upright_already_stays():
    for tex in (r"\operatorname{EC}", r"\text{EC of two}", r"\mathrm{obs}", r"\exp(x)", "x = AMAZE"):
        assert upright(tex) == tex


def test_what_is_wide_takes_the_gutter(browser, site):
    """A table wider than the text: the theme's list of contents folds while it is in view."""
    page = site / "reproduction.html"
    wider = page.read_text().replace("<table", '<table style="min-width: 880px"', 1)
    view = browser.new_page(viewport={"width": 1280, "height": 900})
    view.route("**/reproduction.html", lambda route: route.fulfill(body=wider, content_type="text/html"))
    view.goto(page.as_uri())
    frame = view.locator(".cell_output", has=view.locator("table[style*='880px']")).first
    frame.scroll_into_view_if_needed()
    view.locator(".bd-sidebar-secondary.hide").wait_for()
    assert frame.evaluate(
        "frame => frame.scrollWidth <= frame.clientWidth + 4 && frame.getBoundingClientRect().right < 1270"
    )
    assert view.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    view.close()


def test_an_aside_stands_in_the_gutter_and_on_a_phone_between_paragraphs(browser, site):
    for width in (WIDTHS["desktop"], WIDTHS["phone"]):
        with shown(browser, (site / "error-consistency.html").as_uri(), width) as view:
            aside, text = (view.locator(f"article {part}").first.bounding_box() for part in (".margin", "section > p"))
        assert aside["x"] + aside["width"] <= width
        if width == WIDTHS["desktop"]:
            assert aside["x"] > text["x"] + text["width"]
        else:
            assert aside["x"] == text["x"]
            assert aside["width"] == pytest.approx(text["width"], abs=1)


def test_the_lens_does_not_lie_on_what_is_typed(browser, site):
    with shown(browser, (site / "search.html").as_uri()) as view:
        field = view.locator("form.bd-search:visible").first
        lens = field.locator("i").bounding_box()
        typed = field.locator("input").evaluate(
            "input => input.getBoundingClientRect().left + parseFloat(getComputedStyle(input).paddingLeft)"
        )
    assert lens["x"] + lens["width"] < typed


def test_columns_of_words_are_wide_enough_to_read_on_a_phone(browser, site):
    with shown(browser, (site / "errata.html").as_uri(), WIDTHS["phone"]) as view:
        widths = view.evaluate(
            "[...document.querySelectorAll('article figure.table .words')].map(cell => cell.clientWidth)"
        )
    assert widths
    assert min(width for width in widths if width) > 120


# --- paper ------------------------------------------------------------------------------------------------------------

ON_PAPER = """() => {
    const visible = element => element.checkVisibility() && element.getClientRects().length > 0;
    const luminance = colour => {
        const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
        return (.2126 * red + .7152 * green + .0722 * blue) / 255;
    };
    const all = selector => [...document.querySelectorAll(selector)].filter(visible);
    return {
        theme: document.documentElement.dataset.theme,
        text: luminance(getComputedStyle(document.querySelector('article p')).color),
        axes: all('figure.vl svg .role-axis-label text').map(text => luminance(getComputedStyle(text).fill)),
        // Where the tables come from is a line to read, on paper too.
        controls: all('button, select, input, summary:not(.tag_road *), nav, .copybtn, .headerlink, #jb-print-toc')
            .map(element => element.outerHTML.slice(0, 80)),
        title: all('article h1').length,
        scrolling: all('article pre, article .cell_output, article .vl-view').filter(
            element => getComputedStyle(element).overflowX !== 'visible'
                && element.scrollWidth > element.clientWidth + 1).length,
        cut: all('article pre').filter(element => element.scrollWidth > element.clientWidth + 2).length,
    };
}"""
ALL_DRAWN_IN = """theme => document.documentElement.dataset.theme === theme
    && [...document.querySelectorAll('figure.vl')].every(figure => figure.dataset.drawn === theme)"""


@pytest.mark.parametrize("page", ["error-consistency", "your-own-data", HEAVIEST])
def test_paper_is_light_from_dark_pages_and_has_nothing_to_click(browser, site, page):
    with shown(browser, (site / f"{page}.html").as_uri(), width=720, theme="dark") as view:
        view.emulate_media(media="print")
        view.wait_for_function(ALL_DRAWN_IN, arg="light", timeout=30_000)
        found = view.evaluate(ON_PAPER)
        view.emulate_media(media="screen", color_scheme="dark")
        view.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert found["theme"] == "light"
    assert max([found["text"], *found["axes"]]) < 0.3
    assert found["controls"] == []
    assert found["title"] == 1
    assert found["scrolling"] == found["cut"] == 0


def test_charts_are_on_paper_though_nobody_scrolled_to_them(browser, site):
    view = browser.new_page(color_scheme="dark")
    view.goto((site / "how-sure-are-we.html").as_uri())
    view.wait_for_load_state("load")
    view.pdf()
    drawn = view.evaluate("[...document.querySelectorAll('figure.vl')].map(figure => figure.dataset.drawn)")
    view.close()
    assert drawn
    assert None not in drawn


# --- finding ----------------------------------------------------------------------------------------------------------

WANTED = {
    "kappa": "error-consistency",
    "cohen": "error-consistency",
    "CLES": "class-level-error-similarity",
    "interval": "how-sure-are-we",
}
SEARCHED = "/found|finished/i.test(document.querySelector('.search-summary')?.innerText)"
RESULTS = "#search-results ul.search > li"


def results(view, address, query):
    view.goto(f"{address}/search.html?q={query}")
    view.wait_for_function(
        "/found|finished/i.test(document.querySelector('.search-summary')?.innerText)", timeout=30_000
    )
    return [link.get_attribute("href") for link in view.locator(f"{RESULTS} > a").all()]


@pytest.mark.parametrize("query", WANTED)
def test_a_chapter_and_the_glossary_come_before_the_bibliography(browser, site, query):
    with shown(browser, (site / "search.html").as_uri()) as view:
        found = [link.rpartition("/")[2] for link in results(view, site.as_uri(), query)]
        titles = view.locator(f"{RESULTS} > a").all_inner_texts()
    pages = [link.partition(".html")[0] for link in found]
    last = pages.index("bibliography") if "bibliography" in pages else len(pages)
    assert pages.index(WANTED[query]) < last
    assert pages.index("glossary") < last
    entries = [title for title, link in zip(titles, found, strict=True) if "#term-" in link]
    assert entries
    assert all(query.lower() in title.lower() for title in entries)


def test_over_http_results_show_what_they_are_about(browser, served):
    with shown(browser, f"{served}/search.html") as view:
        results(view, served, "interval")
        view.wait_for_function(f"document.querySelectorAll('{RESULTS} .context').length > 3", timeout=30_000)
        definition = view.locator(RESULTS, has=view.get_by_text("interval – glossary", exact=True)).inner_text()
    assert len(definition) > 60


def head(site, page):
    return BeautifulSoup((site / f"{page}.html").read_text(), "html.parser").head


def test_every_page_has_a_title_of_its_own_a_description_and_a_card(site):
    titles, descriptions = set(), set()
    for page in PAGES:
        tags = head(site, page)
        parts = tags.title.get_text().split(" — ")
        assert len(parts) == len(set(parts)), f"{page}: its title repeats itself"
        titles.add(tags.title.get_text())
        descriptions.add(tags.find("meta", attrs={"name": "description"})["content"])
        card = tags.find("meta", property="og:image")["content"]
        assert card.startswith("https://")
        assert (site / "_static" / card.rpartition("/")[2]).is_file()
        assert (site / tags.find("link", rel="icon")["href"]).is_file()
    assert len(titles) == len(PAGES)
    assert len(descriptions) == len(PAGES)
    assert all(len(text) > 30 for text in descriptions)


def test_an_address_that_is_not_there_leads_back(site):
    page = BeautifulSoup((site / "404.html").read_text(), "html.parser")
    assert {"index.html", "genindex.html", "search.html"} <= {
        link["href"] for link in page.find(id="main-content")("a", href=True)
    }


def test_long_names_break_at_underscores_and_the_index_fits_a_phone(browser, site):
    with opened(browser, site, "functions", "light", 390) as (view, _):
        before = "[...document.querySelectorAll('wbr')].map((each) => each.previousSibling.textContent.at(-1))"
        ends = view.evaluate(before)
        assert len(ends) > 100
        assert set(ends) <= set("_.()")
    with opened(browser, site, "genindex", "light", 390) as (view, _):
        columns = ".genindextable td"
        widths = view.evaluate(f"[...document.querySelectorAll('{columns}')].map((each) => each.offsetWidth)")
        assert min(widths) > 300
        assert view.locator(f"{columns} strong").count() > 20


DIFFERENCE = """async ([one, other]) => {
    const pixels = await Promise.all([one, other].map(async (url) => {
        const image = await createImageBitmap(await (await fetch(url)).blob(), { resizeWidth: 96, resizeHeight: 72 });
        const canvas = new OffscreenCanvas(96, 72).getContext('2d');
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, 96, 72).data;
    }));
    const apart = pixels[0].map((value, place) => Math.abs(value - pixels[1][place]));
    return apart.reduce((sum, value) => sum + value, 0) / apart.length / 255;
}"""


def test_the_readmes_picture_and_the_card_are_current(browser, served, site, tmp_path):
    taken = pictures.take(browser, ROOT, tmp_path)
    view = browser.new_page()
    view.goto(f"{served}/404.html")
    for picture, name in zip(taken, pictures.PICTURES, strict=True):
        both = [site / "_static" / f"{which}.png" for which in ("test-old", "test-new")]
        both[0].write_bytes((ROOT / name).read_bytes())
        both[1].write_bytes(picture.read_bytes())
        difference = view.evaluate(DIFFERENCE, [f"{served}/_static/{path.name}" for path in both])
        for path in both:
            path.unlink()
        assert difference < 0.02, f"{name} is out of date: python -m erralign pictures"
    view.close()


# --- keyboard, touch, readers who listen ------------------------------------------------------------------------------

# A box to tick is as large as its label.
SMALL = """() => [...document.querySelectorAll('button, select, input, summary, label.btn, nav a, .prev-next-area a')]
    .filter(target => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter(target => !target.closest('.visually-hidden, p, .skip-link') && target.type !== 'hidden')
    .map(target => [target, (target.matches('[type=checkbox], [type=radio]') && target.closest('label')) || target])
    .map(([target, area]) => [target, area.getBoundingClientRect()])
    .filter(([, { width, height, right }]) => width > 1 && right > 0 && (height < 43.5 || width < 24))
    .map(([target, { height }]) => `${target.outerHTML.slice(0, 120)} ${Math.round(height)}`)"""


@pytest.mark.parametrize("page", ["index", "error-consistency", "your-own-data", "search"])
def test_targets_are_large_enough_for_a_finger(browser, site, page):
    with shown(browser, (site / f"{page}.html").as_uri(), width=WIDTHS["phone"]) as view:
        assert view.evaluate(SMALL) == []


def test_what_a_slider_changes_is_said(browser, site):
    with shown(browser, (site / "error-consistency.html").as_uri()) as view:
        figure = view.locator("figure.vl", has=view.locator("input[name=copied]"))
        figure.locator("input[name=copied]").fill("0.7")
        said = figure.locator("[role=status]")
        view.wait_for_function("status => status.textContent.includes('0.7')", arg=said.element_handle())
        assert re.search(r"0\.7\. .*\d", said.inner_text()), said.inner_text()
