"""What stands around the text of every page: paper, search, keyboard and touch."""

import csv
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from browsing import WIDTHS, page_of, serving, shown, window
from conftest import ROOT
from playwright.sync_api import expect
from sphinx.errors import ConfigError

from erralign_book.building import chapters, finding

REDIRECTS = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"]["redirects"]

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
        // A tile is a picture; what a question offers is to be read, and the line that has its answer.
        controls: all('button:not(.tile, .guess *), select, input:not(.guess-line *), '
                + 'summary:not(.sd-dropdown *, .guessed > *), nav, .copybtn, .headerlink,'
                + ' #jb-print-toc')
            .map(element => element.outerHTML.slice(0, 80)),
        folded: document.querySelectorAll('article .sd-dropdown:not([open])').length,
        scrolling: all('article pre, article .cell_output, article .vl-view').filter(
            element => getComputedStyle(element).overflowX !== 'visible'
                && element.scrollWidth > element.clientWidth + 1).length,
    };
}"""


@pytest.mark.parametrize("page", ["error-consistency", "your-own-data"])
def test_paper_is_light_from_dark_pages_and_has_nothing_to_click_but_all_answers(browser, site, page):
    with shown(browser, (site / f"{page}.html").as_uri(), 720, "dark", ready="() => true") as view:  # nobody scrolled
        view.wait_for_load_state("load")
        view.emulate_media(media="print")
        view.wait_for_function("document.documentElement.dataset.theme === 'light'")
        found = view.evaluate(ON_PAPER)
        view.emulate_media(media="screen", color_scheme="dark")
        view.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert max([found.pop("text"), *found.pop("axes")]) < 0.3
    assert found == {"theme": "light", "controls": [], "folded": 0, "scrolling": 0}


# --- finding ----------------------------------------------------------------------------------------------------------

# What somebody types who looks for a method -> the page that teaches it.
METHODS = {
    "Cohen's kappa": "error-consistency",
    "MA": "misclassification-agreement",
    "noise ceiling": "what-to-set-a-value-against",
    "bootstrap tutorial": "how-sure-are-we",
}


@pytest.mark.parametrize("where", ["http", "disk"])
def test_the_page_that_teaches_a_method_is_first_for_its_name_and_abbreviation(browser, site, where):
    found = {}
    with serving(site) as served, shown(browser, f"{served}/search.html") as view:
        address = {"http": served, "disk": site.as_uri()}[where]
        for query in METHODS:
            view.goto(f"{address}/search.html?q={query}")
            view.wait_for_function("/found|finished/i.test(document.querySelector('.search-summary')?.innerText)")
            link = view.locator("#search-results ul.search > li > a").first.get_attribute("href")
            found[query] = link.rpartition("/")[2].partition(".html")[0]
    assert found == METHODS


def test_a_sitemap_lists_all_pages(site):
    listed = re.findall(r"<loc>[^<]*/([\w-]+)\.html</loc>", (site / "sitemap.xml").read_text())
    assert set(chapters.names(ROOT)) <= set(listed)


def builder(folder, redirects):
    """Stand in for Sphinx, which has built one page, `new`."""
    config = SimpleNamespace(redirects=redirects)
    return SimpleNamespace(outdir=folder, config=config, env=SimpleNamespace(found_docs={"new"}))


@pytest.mark.parametrize("script", [True, False])
def test_an_old_address_leads_to_the_section_that_has_its_subject_or_to_the_one_that_is_asked_for(
    browser, tmp_path, script
):
    (tmp_path / "new.html").write_text("<title>new</title><h2 id='part'>Part</h2><h2 id='other'>Other</h2>")
    finding.redirect(builder(tmp_path, {"old": "new#part", "older": "new"}), None)
    asked = {"old.html": "new.html#part", "older.html": "new.html", "old.html#other": "new.html#other"}
    if not script:
        asked["old.html#other"] = "new.html#part"  # nothing else can read what stands behind #
    with serving(tmp_path) as served, window(browser, java_script_enabled=script) as (view, *_):
        for old, new in asked.items():
            view.goto("about:blank")
            view.goto(f"{served}/{old}")
            view.wait_for_url(f"{served}/{new}")


def test_a_page_that_is_there_cannot_be_redirected(tmp_path):
    with pytest.raises(ConfigError, match="new is still a page"):
        finding.redirect(builder(tmp_path, {"new": "other"}), None)


def test_every_redirect_leads_from_no_page_to_a_label_of_a_page():
    pages = chapters.names(ROOT)
    for old, new in REDIRECTS.items():
        page, _, section = new.partition("#")
        assert old not in pages, old
        assert page in pages, new
        assert not section or f"\n({section})=\n" in chapters.source(page, ROOT).read_text(), new


def test_every_redirect_is_on_the_site(site):
    assert {old for old in REDIRECTS if not (site / f"{old}.html").is_file()} == set()


# --- keyboard, touch, readers who listen ------------------------------------------------------------------------------

FOLD = '<details class="sd-dropdown"><summary><span class="sd-summary-text">{}</span></summary></details>'


def test_an_answer_says_of_which_question_and_a_fold_that_follows_no_words_only_its_own_name(browser, tmp_path):
    after = {"Answer": "<p>Why?</p>", "How to read": "<div><script>let a</script></div>"}
    after["For a class"] = "<div hidden></div>"
    body = "".join(before + FOLD.format(name) for name, before in after.items())
    with shown(browser, page_of(tmp_path, body, ROOT / "book/assets/scrolling.js"), ready="() => true") as view:
        assert view.locator("summary").all_text_contents() == ["Answer to “Why?”", "How to read", "For a class"]


# A box to tick is as large as its label.
SMALL = """() => [...document.querySelectorAll('button, select, input, summary, label.btn, nav a, .prev-next-area a')]
    .filter(target => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter(target => !target.closest('.visually-hidden, p, .skip-link') && target.type !== 'hidden')
    .map(target => [target, (target.matches('[type=checkbox], [type=radio]') && target.closest('label')) || target])
    .map(([target, area]) => [target, area.getBoundingClientRect()])
    .filter(([, { width, height, right }]) => width > 1 && right > 0 && (height < 43.5 || width < 24))
    .map(([target, { height }]) => `${target.outerHTML.slice(0, 120)} ${Math.round(height)}`)"""


def test_on_a_phone_targets_are_large_and_nothing_is_cut_off(browser, site):
    for page in ("index", "your-own-data", "search", "error-consistency"):
        with shown(browser, (site / f"{page}.html").as_uri(), WIDTHS["phone"]) as view:
            assert view.evaluate(SMALL) == [], page
            assert view.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"], page


# --- charts that follow -----------------------------------------------------------------------------------------------


# On a phone a chart is wider than the page, and scrolls.
AS_WIDE = """[...document.querySelectorAll('figure.vl .marks.fits')].filter(drawing => drawing.checkVisibility())
    .every(drawing => {
        const { width } = drawing.getBoundingClientRect();
        return Math.abs(width - Math.max(560, drawing.closest('figure').clientWidth)) < 2;
    })"""


def test_a_page_with_charts_follows_theme_window_and_sliders(browser, site):
    """A drawing as wide as the page stays so, and so does what takes its place; no draw shows the pictures."""
    with shown(browser, (site / "error-consistency.html").as_uri(), 1600) as view:
        for width in (800, 1600, 390, 1280):
            view.set_viewport_size({"width": width, "height": 900})
            view.wait_for_function(AS_WIDE)
        figure = view.locator("figure.vl", has=view.locator("input[name=way]")).first
        touch = "input => { input.value = 2; input.dispatchEvent(new Event('input', { bubbles: true })); }"
        figure.locator("input[name=way]").evaluate(touch)  # as a voice or a script does it, without focus
        expect(figure.locator("input[name=way] + span")).to_have_text("2")
        expect(figure.locator("[role=status]")).to_contain_text("ways tried: 2.")
        expect(view.locator("figure.vl[data-drawn]")).to_have_count(1)
        view.evaluate("document.documentElement.dataset.theme = 'dark'")
        expect(figure).to_have_attribute("data-drawn", "dark")
        # Its table can be saved, and it leads to the cell that made it.
        figure.locator(".vl-menu summary").click()
        with view.expect_download() as saved:
            figure.get_by_text(re.compile("^Save data.* as CSV$")).first.click()
        head, first, *_ = csv.reader(Path(saved.value.path()).read_text().splitlines())
        assert len(head) == len(first) > 1
        figure.get_by_text("Show its code").click()
        cell = figure.locator("xpath=ancestor::div[contains(@class, 'cell ')]")
        expect(cell.locator(".cell_input")).to_be_visible()
