"""What stands around the text of every page: its weight and speed, type, paper, search, keyboard and touch."""

import re

import numpy as np
import pytest
from browsing import READY, WIDTHS, serving, shown
from bs4 import BeautifulSoup
from conftest import ROOT
from PIL import Image

from erralign_book.building import pictures
from erralign_book.building.chapters import names
from erralign_book.building.formulas import LABELS, NAMES, upright

PAGES = names(ROOT)
HEAVIEST = "reproducing-xu-2024"
MEGABYTE = 2**20
PATIENCE = 4  # this machine may do other things meanwhile; the goals themselves are in the test's names


@pytest.fixture(scope="module")
def served(site):
    with serving(site) as address:
        yield address


def parsed(site, page):
    return BeautifulSoup((site / f"{page}.html").read_text(), "html.parser")


# --- weight and speed -------------------------------------------------------------------------------------------------


def busy(session):
    """Return the seconds that a page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


NEAR_ARE_DRAWN = """() => [...document.querySelectorAll('figure.vl')].filter(figure => {
    const { top, bottom } = figure.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
}).every(figure => figure.dataset.drawn === document.documentElement.dataset.theme)"""


RENDERED = """() => [...document.querySelectorAll('figure.vl')].map(figure =>
    [figure.dataset.renderer, figure.querySelectorAll('.vl-view *').length])"""


def test_the_heaviest_page_shows_a_chart_after_2_seconds_of_work_and_changes_colours_in_half_a_second(browser, site):
    """Its charts of many marks are pixels, those of few are not."""
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
    view.wait_for_function(READY, timeout=30_000)
    found = view.evaluate(RENDERED)
    view.close()
    assert first < 2 * PATIENCE
    assert switching < 0.5 * PATIENCE
    assert {renderer for renderer, _ in found} == {"svg", "canvas"}
    assert max(elements for _, elements in found) < 5_000


# --- type -------------------------------------------------------------------------------------------------------------

TYPE = """() => Object.fromEntries(['h1', 'h2', 'h3', '.cell_input pre', '.cell_output pre', 'p'].map(part => {
    const style = getComputedStyle(document.querySelector(`article ${part}`));
    const family = style.fontFamily.split(',')[0].replaceAll('"', '');
    return [part, [parseFloat(style.fontSize), Number(style.fontWeight), family]];
}))"""
ROOM = """() => {
    const code = document.querySelector('.cell_input pre');
    const style = getComputedStyle(code);
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return room / canvas.measureText('0').width;
}"""


def boxes(view):
    return [view.locator(f"article {part}").first.bounding_box() for part in (".margin", "section > p")]


def test_headings_text_code_and_asides(browser, site):
    scroll_bar = 15  # pixels, where it takes room of its own
    with shown(browser, (site / "error-consistency.html").as_uri(), WIDTHS["desktop"] - scroll_bar) as view:
        found, room, (aside, text) = view.evaluate(TYPE), view.evaluate(ROOM), boxes(view)
        loaded = view.evaluate("[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)")
    sizes = [found[part][0] for part in ("h1", "h2", "h3", "p", ".cell_input pre")]
    assert sizes == sorted(set(sizes), reverse=True)
    assert found[".cell_output pre"] == found[".cell_input pre"]
    assert min(found[part][1] for part in ("h1", "h2", "h3")) > found["p"][1]
    assert {found[part][2] for part in ("h1", "h2", "h3", "p")} == {"Erralign Sans"}
    assert found[".cell_input pre"][2] == "Erralign Code"
    assert {family.strip('"') for family in loaded} >= {"Erralign Sans", "Erralign Code"}
    assert room >= 80
    assert WIDTHS["desktop"] >= aside["x"] + aside["width"] > aside["x"] > text["x"] + text["width"]


def test_words_and_formulas_are_set_as_they_should_be(site):
    """Names in formulas are upright, and no line ends before a per cent sign."""
    word = re.compile(r"\\(?:text|mathrm|operatorname|boldsymbol)\{[^{}]*\}|\\[A-Za-z]+")
    name, wrong = re.compile(rf"\b(?:{'|'.join((*NAMES, *LABELS))})\b"), {}
    for page in PAGES:
        article = parsed(site, page).article
        wrong[page] = [part for math in article(class_="math") for part in name.findall(word.sub(" ", math.get_text()))]
        for code in article(["pre", "code", "script", "style"]):
            code.decompose()
        wrong[page] += re.findall(r".{20}\d[ \n]%", article.get_text())
    assert {page: found for page, found in wrong.items() if found} == {}
    for tex in (r"\operatorname{EC}", r"\text{EC of two}", r"\mathrm{obs}", r"\exp(x)", "x = AMAZE"):
        assert upright(tex) == tex  # what is upright already


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
RESULTS = "#search-results ul.search > li"


def results(view, address, query):
    view.goto(f"{address}/search.html?q={query}")
    view.wait_for_function(
        "/found|finished/i.test(document.querySelector('.search-summary')?.innerText)", timeout=30_000
    )
    return [link.get_attribute("href") for link in view.locator(f"{RESULTS} > a").all()]


def test_a_chapter_and_the_glossary_come_before_the_bibliography(browser, site):
    """The lens does not lie on what is typed."""
    with shown(browser, (site / "search.html").as_uri()) as view:
        field = view.locator("form.bd-search:visible").first
        lens = field.locator("i").bounding_box()
        typed = field.locator("input").evaluate(
            "input => input.getBoundingClientRect().left + parseFloat(getComputedStyle(input).paddingLeft)"
        )
        assert lens["x"] + lens["width"] < typed
        for query, wanted in WANTED.items():
            found = [link.rpartition("/")[2] for link in results(view, site.as_uri(), query)]
            titles = view.locator(f"{RESULTS} > a").all_inner_texts()
            pages = [link.partition(".html")[0] for link in found]
            last = pages.index("bibliography") if "bibliography" in pages else len(pages)
            assert max(pages.index(wanted), pages.index("glossary")) < last, query
            entries = [title for title, link in zip(titles, found, strict=True) if "#term-" in link]
            assert entries
            assert all(query.lower() in title.lower() for title in entries)


def test_over_http_results_show_what_they_are_about(browser, served):
    with shown(browser, f"{served}/search.html") as view:
        results(view, served, "interval")
        view.wait_for_function(f"document.querySelectorAll('{RESULTS} .context').length > 3", timeout=30_000)
        definition = view.locator(RESULTS, has=view.get_by_text("interval – glossary", exact=True)).inner_text()
    assert len(definition) > 60


def test_every_page_has_a_title_of_its_own_a_description_and_a_card(site):
    titles, descriptions = set(), set()
    for page in PAGES:
        text = (site / f"{page}.html").read_text()
        tags = BeautifulSoup(text.partition("</head>")[0], "html.parser").head
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
    page = parsed(site, "404")
    assert {"index.html", "genindex.html", "search.html"} <= {
        link["href"] for link in page.find(id="main-content")("a", href=True)
    }


def test_the_readmes_picture_and_the_card_are_current(browser, site, tmp_path):
    taken = pictures.take(browser, ROOT, tmp_path)
    for both in zip(taken, (ROOT / name for name in pictures.PICTURES), strict=True):
        new, old = (np.asarray(Image.open(path).convert("RGB").resize((96, 72)), dtype=float) for path in both)
        assert abs(new - old).mean() / 255 < 0.02, f"{both[1].name} is out of date: python -m erralign pictures"


# --- keyboard, touch, readers who listen ------------------------------------------------------------------------------

# A box to tick is as large as its label.
SMALL = """() => [...document.querySelectorAll('button, select, input, summary, label.btn, nav a, .prev-next-area a')]
    .filter(target => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter(target => !target.closest('.visually-hidden, p, .skip-link') && target.type !== 'hidden')
    .map(target => [target, (target.matches('[type=checkbox], [type=radio]') && target.closest('label')) || target])
    .map(([target, area]) => [target, area.getBoundingClientRect()])
    .filter(([, { width, height, right }]) => width > 1 && right > 0 && (height < 43.5 || width < 24))
    .map(([target, { height }]) => `${target.outerHTML.slice(0, 120)} ${Math.round(height)}`)"""


WORDS = "[...document.querySelectorAll('article figure.table .words')].map(cell => cell.clientWidth)"
BREAKS = "[...document.querySelectorAll('wbr')].map((each) => each.previousSibling.textContent.at(-1))"
INDEX = "[...document.querySelectorAll('.genindextable td')].map((each) => each.offsetWidth)"


def test_on_a_phone_targets_are_large_and_columns_wide_enough(browser, site):
    """An aside stands between paragraphs, and long names break at underscores."""
    phone = WIDTHS["phone"]
    for page in ("index", "your-own-data", "search"):
        with shown(browser, (site / f"{page}.html").as_uri(), phone) as view:
            assert view.evaluate(SMALL) == [], page
    with shown(browser, (site / "error-consistency.html").as_uri(), phone) as view:
        assert view.evaluate(SMALL) == []
        aside, text = boxes(view)
        assert (aside["x"], aside["width"]) == (text["x"], pytest.approx(text["width"], abs=1))
    with shown(browser, (site / "errata.html").as_uri(), phone) as view:
        assert min(width for width in view.evaluate(WORDS) if width) > 120
    with shown(browser, (site / "functions.html").as_uri(), phone) as view:
        assert {"_"} < set(view.evaluate(BREAKS)) <= set("_.()")
    with shown(browser, (site / "genindex.html").as_uri(), phone) as view:
        assert min(view.evaluate(INDEX)) > phone / 2  # one column
        assert view.locator(".genindextable td strong").count()
