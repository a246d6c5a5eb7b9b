"""Charts as HTML, for the site and for reports: a figure each, and the script that draws them without a network."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from erralign.charts.packing import packed

VEGA_LITE = "6.4"
VEGA = "vega.js"
NOTICE = (
    "/* Vega, Vega-Lite and Vega-Embed: University of Washington Interactive Data Lab, BSD-3-Clause; "
    "D3: Mike Bostock, ISC. Bundled by vl-convert. */"
)
PACKAGE = Path(__file__).parents[1]


def figure(chart: dict[str, Any], page: str) -> str:
    """Return a chart as HTML: its title as caption, its description as alternative text, its specification as data.

    Parameters
    ----------
    chart : dict
        A Vega-Lite specification.
    page : str
        The page's name, for the error message.

    Returns
    -------
    str
        A ``<figure>``.

    Raises
    ------
    ValueError
        The chart has no description.
    """
    caption = _text(chart.get("title"))
    # Altair moves the description of a facet one level down.
    description = chart.get("description") or chart.get("spec", {}).get("description")
    if not description:
        raise ValueError(f"{page}: the chart {caption!r} has no description; give it one: it is the alternative text")
    data = json.dumps(packed({**chart, "title": None}), ensure_ascii=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c")  # it would let data end the script element
    return (
        f'<figure class="vl" role="group" aria-label="{escape(description)}">'
        + (f"<figcaption>{caption}</figcaption>" if caption else "")
        + f'<div class="vl-view"></div><script type="application/json">{data}</script></figure>'
    )


def _text(title: Any) -> str:
    """Return a Vega-Lite title (text, lines, or with a subtitle) as HTML."""
    if isinstance(title, dict):
        subtitle = _text(title.get("subtitle"))
        return _text(title.get("text")) + (f' <span class="subtitle">{subtitle}</span>' if subtitle else "")
    return escape(" ".join(title) if isinstance(title, list) else title or "")


def bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, out of the Python package that has them.

    Returns
    -------
    str
        JavaScript; it declares nothing but ``vega``, ``vegaLite`` and ``vegaEmbed``.
    """
    import vl_convert

    # Unwrapped, the bundle declares `const _` for the whole page and dies beside other scripts.
    code = vl_convert.javascript_bundle(vl_version=VEGA_LITE)  # type: ignore[call-arg]  # the stub wants a snippet
    return f"{NOTICE}\n(() => {{ {code} }})();"


def asset(name: str) -> str:
    """Return a script or style sheet of the site's pages.

    An installed package carries those that reports need, Vega among them; a checkout has them in ``book/assets``, and
    takes Vega from the package vl-convert.

    Parameters
    ----------
    name : str
        The file.

    Returns
    -------
    str
        Its text.
    """
    carried = PACKAGE / "_data" / "assets" / name
    if carried.is_file():
        return carried.read_text(encoding="utf-8")
    if name == VEGA:
        return bundle()
    return (PACKAGE.parent / "book" / "assets" / name).read_text(encoding="utf-8")
