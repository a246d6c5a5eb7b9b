"""Charts as HTML, laid out for a page and for a phone, and the numbers of figures and tables.

The page's script draws what is laid out here, and so does whoever draws it beforehand.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from html import escape
from typing import Any

from erralign.plot.colours import INK, PALE_GREY
from erralign.plot.tables import table

WIDE, NARROW, FULL = 688, 358, 936  # pixels: of a page's text, of a phone's, and of what is wider than the text
AROUND, BESIDE = 145, 128  # beside panels: an axis, names of lines; the same, beside one panel that stands alone
Spec = dict[str, Any]


def laid_out(chart: Spec, width: int) -> Spec:
    """Return a chart without its tables as it is drawn at a width."""
    spec = deepcopy({name: part for name, part in chart.items() if name not in {"datasets", "usermeta", "background"}})
    _spread(spec, width)
    if width <= NARROW:
        _stack(spec, width)
    _shrink(spec.get("hconcat", []), width)
    spec["config"] = config(chart.get("config", {}), width)
    return spec


def config(given: Spec, width: int) -> Spec:
    """Return the theme of a chart with what a page adds to it."""
    words = {"labelColor": INK, "titleColor": INK}
    marks = {mark: {"color": INK, **given.get(mark, {})} for mark in ("text", "rule", "tick")}
    legend = {"columns": max(1, width // 150), "titleLimit": width, **given.get("legend", {}), **words}
    lines = {"domainColor": PALE_GREY, "tickColor": PALE_GREY, "gridColor": PALE_GREY}
    around = {
        "axis": {**given.get("axis", {}), **words, **lines},
        "legend": legend,
        "header": {**given.get("header", {}), **words},
        "title": {**given.get("title", {}), "color": INK, "subtitleColor": INK},
        "view": {**given.get("view", {}), "stroke": "transparent"},
    }
    return {**given, **marks, **around, "background": "transparent", "aria": False}


def _legends(part: Any) -> Iterator[Spec]:
    """Find all encodings of a chart that have a legend."""
    if isinstance(part, list):
        part = dict(enumerate(part))
    if not isinstance(part, dict):
        return
    if part.get("legend") and isinstance((part.get("scale") or {}).get("domain"), list):
        yield part
    for inside in part.values():
        yield from _legends(inside)


def _spread(spec: Spec, width: int) -> None:
    """Let the only legend of a chart have its entries in a row, where there is room."""
    found = list(_legends({name: part for name, part in spec.items() if name != "config"}))
    domains = {tuple(map(str, each["scale"]["domain"])) for each in found}
    if len(domains) == 1 and "concat" not in spec and not any("orient" in each["legend"] for each in found):
        columns = (width - 120) // (7 * max(map(len, *domains)) + 30)
        for each in found:
            each["legend"]["columns"] = max(columns, each["legend"].get("columns", columns))


def _stack(spec: Spec, width: int) -> None:
    """Put panels below each other; charts say what changes by the parameter "stacked"."""
    for panel in spec.get("concat", []):
        spec["columns"] = 1
        if panel.get("width") != panel.get("height"):
            panel["width"] = width - BESIDE
    for param in spec.get("params", []):
        if param["name"] == "stacked":
            param["value"] = True


def _shrink(panels: list[Spec], width: int) -> None:
    """Make panels that stay beside each other smaller: pictures as they are, others less high."""
    wide = sum(panel["width"] for panel in panels)
    factor = min(1, (width - AROUND) / wide) if wide else 1
    for panel in panels:
        panel["height"] *= factor if panel["height"] == panel["width"] else (1 + factor) / 2
        panel["width"] *= factor


# ---- HTML ------------------------------------------------------------------------------------------------------------


# How a chart and a table begin, and what they are called.
CAPTION = re.compile(r'<figure class="(vl|table)"([^>]*)><figcaption>')
CALLED = {"vl": "Figure", "table": "Table"}
# Below a chart: the value of a mark, which a keyboard moves from mark to mark, a ring around it; and a menu.
BELOW = (
    '<p class="reading"><input type="range" min="0" max="0" value="0" aria-label="Values in the chart">'
    '<span class="reading-words"></span></p><span class="ring" hidden></span>'
    '<details class="vl-menu"><summary aria-label="Save this chart">⋯</summary><div></div></details>'
)


def figure(chart: dict[str, Any], page: str, *, width: int = WIDE, drawing: str = "", words: Mapping = {}) -> str:
    """Return a chart as HTML: its title as caption, its description as alternative text, its specification as data.

    What was drawn beforehand stands there until the reader touches the chart, and beside each control the words of what
    it means.
    """
    caption = _text(chart.get("title"))
    # Altair moves the description of a facet one level down.
    description = chart.get("description") or chart.get("spec", {}).get("description")
    if not description:
        raise ValueError(f"{page}: the chart {caption!r} has no description; give it one: it is the alternative text")
    untitled = {**chart, "title": None}
    wide, narrow = (laid_out(untitled, each) for each in (width, NARROW))
    others = {name: part for name, part in narrow.items() if wide[name] != part}
    shared = {name: part for name, part in untitled.items() if name in {"datasets", "usermeta"}}
    written = packed({**wide, **shared, "narrow": others})  # a browser does not read NaN
    data = json.dumps(written, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c")  # it would let data end the script element
    return (
        f'<figure class="vl" aria-label="{escape(description)}" style="{_room(chart)}">'
        + (f"<figcaption>{caption}</figcaption>" if caption else "")
        + f'{_controls(chart, words)}<div class="vl-view">{drawing}</div>{BELOW}'
        + f'<script type="application/json">{data}</script></figure>'
    )


def shown(charts: Mapping[str, Callable[[], Any]], tables: Mapping[str, Any], page: str) -> dict[str, str]:
    """Draw charts, and tables by their captions, number them, and return each as HTML by its name."""
    drawn = {name: figure(draw().to_dict(), page) for name, draw in charts.items()}
    drawn |= {caption: table(rows, caption).html for caption, rows in tables.items()}
    counts: Counter[str] = Counter()
    return {name: numbered(html, counts) for name, html in drawn.items()}


def _controls(chart: dict[str, Any], words: Mapping[str, str]) -> str:
    """Write what a reader moves: a row each, of a name, the control and what it says."""
    rows = [_control(param, words) for param in chart.get("params", []) if "input" in (param.get("bind") or {})]
    if not rows:
        return ""
    name = '<span class="try-it">Try it</span>'
    return f'<div class="vega-bindings" role="group" aria-label="Try it">{name}{"".join(rows)}</div>'


def _control(param: dict[str, Any], words: Mapping[str, str]) -> str:
    name, bind, value = param["name"], param["bind"], param["value"]
    if bind["input"] == "select":
        said = zip(bind["options"], bind.get("labels", bind["options"]), strict=True)
        options = (
            f'<option value="{escape(str(each))}"{" selected" * (each == value)}>{escape(str(label))}</option>'
            for each, label in said
        )
        control = f'<select name="{name}">{"".join(options)}</select>'
    else:
        ends = " ".join(f'{end}="{bind[end]:g}"' for end in ("min", "max", "step"))
        shown = escape(words.get(name, f"{value:g}"))
        control = (
            f'<input type="range" name="{name}" {ends} value="{value:g}" aria-valuetext="{shown}"><span>{shown}</span>'
        )
    label = escape(bind.get("name", name).strip())
    return f'<div class="vega-bind"><label><span class="vega-bind-name">{label}</span>{control}</label></div>'


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
