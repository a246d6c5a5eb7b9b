"""Charts as drawings that a page has before any script runs, in light and dark."""

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import Any

import altair as alt

from erralign.files import write_whole
from erralign.plot import colours, html
from erralign.plot.colours import DARK
from erralign.plot.html import figure
from erralign.plot.theme import WIDTH

CACHE = Path("_build/drawings")
MANY = 2000  # marks beyond this are a picture: a page with 14,000 elements answers late
PAINT = re.compile(r'(fill|stroke|stop-color)="([^"]*)"')
DIGITS = re.compile(r"(\.\d\d)\d+(?=[^<>]*>)")  # of places, not of what is written
NAMED = re.compile(r'(?<= id=")[^"]+(?=")')
COLOUR = re.compile("#[0-9A-Fa-f]{6}")
LONGEST = {"text": 80, "subtitle": 110}  # letters of a line
MARK = re.compile(r"<(path|line|text|image|rect)\b")


@cache
def _drawn_by() -> str:
    """Return what draws a chart besides its specification: our files, and the version of the package that draws."""
    ours = [Path(__file__), html.TEMPLATE, *(Path(str(part.__file__)) for part in (colours, html))]
    return version("vl-convert-python") + "".join(file.read_text(encoding="utf-8") for file in ours)


def with_drawing(chart: dict[str, Any], page: str) -> str:
    """Return a chart as HTML, drawn; what was drawn before is not drawn again."""
    key = sha256(json.dumps([chart, _drawn_by()]).encode()).hexdigest()
    cached = CACHE / f"{key}.html"
    if not cached.is_file():
        write_whole(cached, figure(chart, page, _drawing(chart, f"c{key[:6]}-")))
    return cached.read_text(encoding="utf-8")


def as_pictures() -> None:
    """Let a notebook show charts as pictures, which need no network."""
    alt.renderers.register("pictures", lambda chart, **_: {"image/png": picture(chart)})
    alt.renderers.enable("pictures")


def picture(chart: dict[str, Any]) -> bytes:
    """Return a chart with its title as a PNG, as wide as a page."""
    import vl_convert

    title = chart.get("title")
    parts = title if isinstance(title, Mapping) else {"text": title or ""}
    title = dict(parts)
    for part in parts.keys() & LONGEST.keys():
        words = parts[part]
        if isinstance(words, list):  # lines, as a chart may have them
            words = " ".join(words)
        title[part] = wrap(words, LONGEST[part])
    drawn = compiled(chart, title) | {"background": "white"}
    return bytes(vl_convert.vega_to_png(drawn))


def compiled(chart: dict[str, Any], title: Any = None) -> dict[str, Any]:
    """Return a chart in Vega's own form, as wide as a page where its width is that of what holds it."""
    import vl_convert

    spec = {**chart, "title": title}
    if spec.get("width") != "container":
        return dict(vl_convert.vegalite_to_vega(spec))
    vega = vl_convert.vegalite_to_vega(spec | {"width": WIDTH, "autosize": "pad"})
    # Vega-Lite would warn of charts whose bars set their height (charts.js does the same).
    return {**vega, "width": WIDTH, "autosize": {"type": "fit-x", "contains": "padding"}}


def _drawing(chart: dict[str, Any], prefix: str) -> str:
    import vl_convert

    vega = compiled(chart)
    svg = vl_convert.vega_to_svg(vega)
    kind = "marks fits" if chart.get("width") == "container" else "marks"
    if len(MARK.findall(svg)) > MANY:
        return _picture(vega, svg, f"{kind} only-light") + _picture(in_the_dark(vega), svg, f"{kind} only-dark")
    paints = PAINT.findall(svg)
    is_known = all(colour.upper() in DARK or not colour.startswith(("#", "rgb")) for _, colour in paints)
    dark = in_the_dark(paints) if is_known else PAINT.findall(vl_convert.vega_to_svg(in_the_dark(vega)))
    return _tidy(_in_both(svg, dark), kind, prefix)


def in_the_dark(part: Any) -> Any:
    """Return a part of a chart in which each colour is that of a dark page."""
    if isinstance(part, str):
        return COLOUR.sub(lambda colour: DARK.get(colour[0].upper(), colour[0]), part)
    if isinstance(part, Mapping):
        return {name: in_the_dark(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [in_the_dark(value) for value in part]
    return part


def _in_both(svg: str, dark: list[tuple[str, str]]) -> str:
    others = iter(dark)

    def both(paint: re.Match[str]) -> str:
        _, other = next(others)
        alike = other == paint[2] or other.startswith("url(")  # light-dark() takes colours: a gradient's are its own
        return paint[0] if alike else f'{paint[1]}="light-dark({paint[2]},{other})"'

    return PAINT.sub(both, svg)


def _tidy(svg: str, kind: str, prefix: str) -> str:
    """Return a drawing with names of its own and fewer digits."""
    for name in NAMED.findall(svg):
        svg = svg.replace(f'id="{name}"', f'id="{prefix}{name}"').replace(f"url(#{name})", f"url(#{prefix}{name})")
    return DIGITS.sub(r"\1", svg).replace('class="marks"', f'class="{kind}" aria-hidden="true"', 1)


def _picture(vega: dict[str, Any], svg: str, kind: str) -> str:
    import vl_convert
    from PIL import Image

    file = BytesIO()
    Image.open(BytesIO(vl_convert.vega_to_png(vega, scale=1.5))).save(file, "WEBP", quality=45)
    size = re.search(r'width="[^"]+" height="[^"]+"', svg)
    about = f'class="{kind}" alt="" loading="lazy" {size[0] if size else ""}'
    return f'<img {about} src="data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}">'
