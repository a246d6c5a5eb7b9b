"""The README's film of the front page's signature, taken from the built site."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

FILM = Path("book/figures/signature.webp")
WINDOW, WIDTH, QUALITY = (1280, 1000), 720, 45  # so high that nothing need scroll, which would change the step
MOMENTS = range(0, 1250, 240)  # ms after a step begins
HOLD, TICK = 2500, 110  # ms that a step stays, and a frame of a flight
FLYING = "() => document.getAnimations().length > 50"  # on a busy machine it may take a moment to begin
AT = "at => document.getAnimations().forEach(each => { each.pause(); each.currentTime = at; })"


def take(browser: Browser, root: Path = Path(), place: Path | None = None) -> Path:
    """Film the four steps, and say where the film is."""
    from PIL import Image

    width, height = WINDOW
    viewport: ViewportSize = {"width": width, "height": height}
    page = browser.new_page(viewport=viewport, color_scheme="light", reduced_motion="no-preference")
    page.goto((root / "_build/html/index.html").resolve().as_uri())
    page.wait_for_function("() => document.querySelector('.signature .shown') && document.fonts.status === 'loaded'")
    page.locator(".sig-steps").evaluate(
        "each => (each.style.minHeight = `${each.offsetHeight}px`)"
    )  # frames of one size
    frames, times = [_frame(page)], [HOLD]
    for step in (1, 2, 3):
        page.locator(".sig-tabs button").nth(step).click()
        page.mouse.move(0, 0)
        page.wait_for_function(FLYING)
        for moment in MOMENTS:
            page.evaluate(AT, moment)
            frames.append(_frame(page))
            times.append(TICK)
        times[-1] = HOLD
    page.close()
    film = (place or root) / FILM
    film.parent.mkdir(parents=True, exist_ok=True)
    shown = [Image.open(BytesIO(each)).convert("RGB") for each in frames]
    size = (WIDTH, WIDTH * shown[0].height // shown[0].width)
    first, *others = [picture.resize(size) for picture in shown]
    first.save(film, save_all=True, append_images=others, duration=times, loop=0, quality=QUALITY, method=6)
    return film


def _frame(page: Page) -> bytes:
    return page.locator(".sig-stage").screenshot(animations="allow")
