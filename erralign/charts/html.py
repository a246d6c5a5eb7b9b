"""Charts as HTML, for the site and for reports."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from erralign.charts.packing import packed


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
