"""Charts as HTML, and the numbers of figures and tables, for the site and for reports."""

import json
import re
from collections import Counter
from html import escape
from typing import Any

# How a chart and a table begin, and what they are called.
CAPTION = re.compile(r'<figure class="(vl|table)"([^>]*)><figcaption>')
CALLED = {"vl": "Figure", "table": "Table"}


def figure(chart: dict[str, Any], page: str) -> str:
    """Return a chart as HTML: its title as caption, its description as alternative text, its specification as data."""
    caption = _text(chart.get("title"))
    # Altair moves the description of a facet one level down.
    description = chart.get("description") or chart.get("spec", {}).get("description")
    if not description:
        raise ValueError(f"{page}: the chart {caption!r} has no description; give it one: it is the alternative text")
    data = json.dumps(packed({**chart, "title": None}), ensure_ascii=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c")  # it would let data end the script element
    return (
        f'<figure class="vl" role="group" aria-label="{escape(description)}" style="{_room(chart)}">'
        + (f"<figcaption>{caption}</figcaption>" if caption else "")
        + f'<div class="vl-view"></div><script type="application/json">{data}</script></figure>'
    )


def _room(chart: dict[str, Any]) -> str:
    """Guess the room of a chart: its tallest panel, then title, axes, legend, control; rows of panels on a phone."""
    panels = chart.get("concat", [])
    parts = (chart, *panels, *chart.get("hconcat", []))
    heights = [part["height"] for part in parts if isinstance(part.get("height"), int | float)]
    around = 150 if any("bind" in param for param in chart.get("params", [])) else 100
    return f"--height:{max(heights, default=240) + around:.0f}px;--rows:{len(panels) or 1}"


def numbered(html: str, counts: Counter[str], chapter: int | None = None) -> str:
    """Put numbers before the captions of charts and tables, and give each an address that others can link to."""

    def with_number(found: re.Match[str]) -> str:
        kind, attributes = found.groups()
        counts[kind] += 1
        number = f"{counts[kind]}" if chapter is None else f"{chapter}.{counts[kind]}"
        place = f"{CALLED[kind]}-{number}".lower().replace(".", "-")
        named = f'<span class="number">{CALLED[kind]} {number}.</span>'
        return f'<figure class="{kind}"{attributes} id="{place}"><figcaption>{named} '

    return CAPTION.sub(with_number, html)


def _text(title: Any) -> str:
    """Return a Vega-Lite title (text, lines, or with a subtitle) as HTML."""
    if isinstance(title, dict):
        subtitle = _text(title.get("subtitle"))
        return _text(title.get("text")) + (f' <span class="subtitle">{subtitle}</span>' if subtitle else "")
    return escape(" ".join(title) if isinstance(title, list) else title or "")


def packed(chart: dict[str, Any]) -> dict[str, Any]:
    """Return a chart whose tables are written by column: a page with thousands of points is a third of its size."""
    if "datasets" not in chart:
        return chart
    return {**chart, "datasets": {name: _by_column(rows) for name, rows in chart["datasets"].items()}}


def _by_column(rows: list[Any]) -> Any:
    if not rows or not isinstance(rows[0], dict) or any(row.keys() != rows[0].keys() for row in rows):
        return rows
    return {"columns": {name: _column([row[name] for row in rows]) for name in rows[0]}}


def _column(values: list[Any]) -> Any:
    """Write each word once, and where it stands."""
    if not all(isinstance(value, str) for value in values) or len(set(values)) == len(values):
        return values
    words = {word: place for place, word in enumerate(dict.fromkeys(values))}
    return {"of": list(words), "at": [words[value] for value in values]}
