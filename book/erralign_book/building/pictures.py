"""The README's picture and the card that other sites show of the book, taken from the built site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = {  # where each goes, its size in pixels, and what the page wears for it
    Path("book/figures/page.png"): ((1280, 960), ""),
    Path("book/assets/card.png"): (
        (1200, 630),
        ".bd-sidebar-primary, .bd-header-article, .sd-container-fluid, .bd-article section section > p, .live-foot,"
        " #what-this-book-found, #what-do-you-have, #three-doors, .made-with, .prev-next-area,"
        " .headerlink { display: none !important }"
        " .bd-article-container { max-width: 1100px !important; margin: auto }"
        " .bd-article-container h1 { font-size: 64px; margin: 0 0 12px } .bd-article-container p { font-size: 26px }"
        " .bd-article-container h2 { font-size: 32px; margin: 16px 0 8px } .bd-main { padding-top: 24px }"
        " .bd-article .live-strips .tile { height: 52px; font-size: 16px }",
    ),
}
DRAWN = "() => document.querySelector('figure.live-strips').dataset.live === ''"


def take(browser: Browser, root: Path = Path(), place: Path | None = None) -> list[Path]:
    """Take all pictures anew."""
    start = (root / "_build/html/index.html").resolve().as_uri()
    taken = [(place or root) / name for name in PICTURES]
    for picture, ((width, height), style) in zip(taken, PICTURES.values(), strict=True):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto(start)
        page.add_style_tag(content=style or "html {}")
        page.wait_for_function(DRAWN)
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=picture)
        page.close()
    return taken
