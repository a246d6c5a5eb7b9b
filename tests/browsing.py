"""Pages in a browser, opened from disk or over http as a reader would."""

import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from axe_playwright_python.sync_playwright import Axe

WIDTHS = {"desktop": 1280, "phone": 390}
ENTRIES = 15  # of a page of functions: the others are made of the same parts
# A chart is drawn when it comes near and charts.js says so, and a formula when MathJax's promise is kept.
READY = """() => {
    const waiting = [...document.querySelectorAll('figure.vl')].find(figure => !figure.dataset.drawn);
    waiting?.scrollIntoView();
    return !waiting && (!document.querySelector('.math') || document.querySelector('mjx-container'));
}"""


@contextmanager
def visited(browser, address, width=1280, theme="light", *, touch=False, ready=READY, loaded=None):
    """Open a page, wait until it is drawn, and collect what went wrong on the way."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, has_touch=touch)
    view = context.new_page()
    troubles = []
    here = (address.partition(":")[0] + "://" + address.split("/")[2], "data:", "blob:")
    view.on("request", lambda request: request.url.startswith(here) or troubles.append(f"foreign: {request.url}"))
    view.on("requestfinished", lambda request: loaded is not None and loaded.add(request.url))
    view.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
    view.on("console", lambda message: message.type in {"error", "warning"} and troubles.append(message.text))
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto(address)
    view.wait_for_function(ready, timeout=30_000)
    yield view, troubles
    context.close()


@contextmanager
def shown(*arguments, **options):
    """Open a page, and close it without complaints."""
    with visited(*arguments, **options) as (view, troubles):
        yield view
    assert troubles == []


@contextmanager
def serving(folder):
    """Serve a folder as a reader's own ``erralign serve`` does, and return its address."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def violations(view, **options):
    """Ask axe-core for what is serious: it takes longer than the rest together."""
    # Colours that are still on their way from light to dark would be judged half-way.
    view.add_style_tag(content="*, *::before, *::after { transition: none !important; animation: none !important; }")
    view.evaluate(f"[...document.querySelectorAll('dl.py')].slice({ENTRIES}).forEach(each => each.dataset.alike = '')")
    # axe would fetch the styles once more, which a browser refuses on file://.
    # The marks of a chart, up to 5,000, would keep it busy for minutes: the figure around them carries the text.
    options |= {"preload": False, "resultTypes": ["violations"]}
    if "runOnly" not in options:
        options["rules"] = {"label-content-name-mismatch": {"enabled": True}}  # axe calls it experimental
    found = Axe().run(view, {"exclude": [["figure.vl svg"], ["[data-alike]"]]}, options).response["violations"]
    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in serious}
