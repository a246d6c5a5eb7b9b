"""Pages in a browser, opened from disk or over http as a reader would."""

import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

PATIENCE = 60_000  # ms that a busy machine has for whatever a page promises
expect.set_options(timeout=PATIENCE)
WIDTHS = {"desktop": 1280, "phone": 390}
HERE = ("file:", "http://127.0.0.1:", "data:", "blob:")
ENTRIES = 15  # of a page of functions: the others are made of the same parts
# A chart comes drawn, or is drawn when it comes near, and a formula when MathJax's promise is kept.
READY = """() => {
    const waiting = [...document.querySelectorAll('figure.vl')].find(figure => !figure.querySelector('.vl-view > *'));
    waiting?.closest('details')?.setAttribute('open', '');
    waiting?.scrollIntoView();
    return !waiting && (!document.querySelector('.math') || document.querySelector('mjx-container'));
}"""
# What of axe-core may differ between light and dark.
COLOURS = ["color-contrast", "link-in-text-block"]
# Marks the first text of each look that is not known: colour on its grounds, large or not, and how a link stands out.
LOOKS = """known => {
    const grounds = element => {
        if (!element) return '';
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
        return (own === 'rgba(0, 0, 0, 0) none 1' ? '' : own) + grounds(element.parentElement);
    };
    const seen = new Set(known);
    for (const element of document.querySelectorAll('body *')) {
        delete element.dataset.look;
        const says = element.matches('input, select') || [...element.childNodes].some(({ nodeType, data }) =>
            nodeType === Node.TEXT_NODE && data.trim());
        if (!says || !element.checkVisibility() || element.getBoundingClientRect().width < 2) continue;
        const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
        const isLarge = parseFloat(fontSize) >= (fontWeight < 700 ? 24 : 18.66);
        const beside = getComputedStyle(element.parentElement);
        const link = element.matches('a') && [textDecorationLine, fontWeight, beside.color, beside.fontWeight];
        const look = [color, isLarge, link, grounds(element)].join();
        if (!seen.has(look)) element.dataset.look = '';
        seen.add(look);
    }
    return [...seen];
}"""
# It would fetch the styles once more, which a browser refuses on file://.
# The marks of a chart, up to 5,000, would keep it busy for minutes: the figure around them carries the text.
SERIOUS = """async options => {
    const rules = { 'color-contrast': '[data-look]', 'link-in-text-block': 'a[href][data-look]' };
    axe.configure({ rules: Object.entries(rules).map(([id, selector]) => ({ id, selector })) });
    const { violations } = await axe.run({ exclude: [['figure.vl svg'], ['[data-alike]']] },
        { preload: false, resultTypes: ['violations'], ...options });
    return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
}"""


@contextmanager
def window(browser, width=1280, theme="light", *, height=900, **options):
    """Open a window, and collect what it loads and what goes wrong in it."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, **options)
    context.set_default_timeout(PATIENCE)
    view, loaded, troubles = context.new_page(), set(), []
    view.on("request", lambda request: request.url.startswith(HERE) or troubles.append(f"foreign: {request.url}"))
    view.on("requestfinished", lambda request: loaded.add(request.url))
    # A page that is left or read anew gives up what it still waits for, such as its icon: that is no trouble.
    given_up = "net::ERR_ABORTED"
    view.on("requestfailed", lambda request: request.failure == given_up or troubles.append(f"failed: {request.url}"))
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    yield view, loaded, troubles
    context.close()


def turned_to(opened, page, width=1280, height=900):
    """Open a page in a window that showed others, as if it were new."""
    view, loaded, troubles = opened
    view.goto("about:blank")  # so that the page before is not drawn again
    loaded.clear()
    troubles.clear()
    view.set_viewport_size({"width": width, "height": height})
    view.emulate_media(color_scheme="light")
    view.goto(page.as_uri())
    return opened


@contextmanager
def visited(browser, address, width=1280, theme="light", *, touch=False, ready=READY):
    """Open a page in a window of its own, wait until it is drawn, and collect what went wrong on the way."""
    with window(browser, width, theme, has_touch=touch) as (view, _, troubles):
        view.goto(address)
        view.wait_for_function(ready)
        yield view, troubles


@contextmanager
def shown(*arguments, **options):
    """Open a page, and close it without complaints."""
    with visited(*arguments, **options) as (view, troubles):
        yield view
    assert troubles == []


def page_of(folder, body, *scripts, style=""):
    """Write a page of its own, with scripts as text or as places of files, and return its address."""
    tags = [f' src="{each.as_uri()}">' if isinstance(each, Path) else f">{each}" for each in scripts]
    head = f'<html lang="en" data-theme="light"><meta charset="utf-8"><title>t</title><style>{style}</style>'
    loaded = "".join(f"<script{tag}</script>" for tag in tags)
    (folder / "page.html").write_text(f"<!doctype html>{head}<body>{body}{loaded}</body></html>")
    return (folder / "page.html").as_uri()


@contextmanager
def serving(folder):
    """Serve a folder, and return its address."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def violations(view, known=None, **options):
    """Ask axe-core for what is serious: it takes longer than the rest together, and longest for colours.

    For these it looks at one text of each look only, and at none whose look is known from other pages.
    """
    # Colours that are still on their way from light to dark would be judged half-way.
    view.add_style_tag(content="*, *::before, *::after { transition: none !important; animation: none !important; }")
    view.evaluate(f"[...document.querySelectorAll('dl.py')].slice({ENTRIES}).forEach(each => each.dataset.alike = '')")
    known = set() if known is None else known
    new = set(view.evaluate(LOOKS, [*known])) - known
    known |= new
    if "runOnly" not in options:
        options["rules"] = {"label-content-name-mismatch": {"enabled": True}}  # axe calls it experimental
    elif not new:
        return {}
    view.evaluate(AXE_SCRIPT)
    serious = view.evaluate(SERIOUS, options)
    if serious:
        known -= new  # or a second run would not look at them
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in serious}
