"""Pictures of the front page's signature, from the built site: the README's film, and the card of other sites."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FILM, CARD = Path("book/figures/signature.webp"), Path("book/assets/card.png")
HEIGHT, WIDTH, QUALITY = 1000, 720, 45
ACROSS, DOWN, LARGER = 960, 504, 1.25  # of the card, 1,200 by 630 as other sites have it
MOMENTS = range(0, 1250, 240)  # ms after a step begins
HOLD, TICK = 2500, 110  # ms that a step stays, and a frame of a flight
# Stopped as it begins: a busy machine may look after it is over.
FLY = "tab => { tab.click(); document.getAnimations().forEach(each => each.pause()); }"
AT = "at => document.getAnimations().forEach(each => (each.currentTime = at))"
ONE_SIZE = "each => (each.style.minHeight = `${each.offsetHeight}px`)"
HIDDEN = ".sig-tabs, .sig-rule, .sig-lens, header, aside { display:none !important }"
BY_ITSELF = f"{HIDDEN} .sig-stage {{ padding-top:1rem; min-height:{DOWN}px }}"


def take(browser: Browser, root: Path = Path(), place: Path | None = None) -> list[Path]:
    """Film the steps, take the second as a card, and say where both are."""
    film, card = ((place or root) / each for each in (FILM, CARD))
    for each in (film, card):
        each.parent.mkdir(parents=True, exist_ok=True)
    _film(_opened(browser, root, 1280, reduced_motion="no-preference"), film)
    _card(_opened(browser, root, 1200, reduced_motion="reduce", device_scale_factor=LARGER), card)
    return [film, card]


def _opened(browser: Browser, root: Path, width: int, **options: Any) -> Page:
    page = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme="light", **options)
    page.goto((root / "_build/html/index.html").resolve().as_uri())
    page.wait_for_function("() => document.querySelector('.signature .shown') && document.fonts.status === 'loaded'")
    return page


def _film(page: Page, place: Path) -> None:
    from PIL import Image

    page.locator(".sig-steps").evaluate(ONE_SIZE)
    frames, times = [_frame(page)], [HOLD]
    for step in (1, 2, 3):
        page.locator(".sig-tabs button").nth(step).evaluate(FLY)
        for moment in MOMENTS:
            page.evaluate(AT, moment)
            frames.append(_frame(page))
            times.append(TICK)
        times[-1] = HOLD
    page.close()
    shown = [Image.open(BytesIO(each)).convert("RGB") for each in frames]
    size = (WIDTH, WIDTH * shown[0].height // shown[0].width)
    first, *others = [picture.resize(size) for picture in shown]
    first.save(place, save_all=True, append_images=others, duration=times, loop=0, quality=QUALITY, method=6)


def _frame(page: Page) -> bytes:
    return page.locator(".sig-stage").screenshot(animations="allow")


def _card(page: Page, place: Path) -> None:
    from PIL import Image

    page.locator(".sig-tabs button").nth(1).click()
    page.add_style_tag(content=BY_ITSELF)
    found = page.locator(".sig-stage").evaluate("each => each.getBoundingClientRect().toJSON()")
    left = found["x"] + (found["width"] - ACROSS) / 2
    picture = page.screenshot(clip={"x": left, "y": found["y"], "width": ACROSS, "height": DOWN})
    page.close()
    Image.open(BytesIO(picture)).convert("RGB").quantize(64).save(place, optimize=True)
