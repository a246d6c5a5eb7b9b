"""How a chart is laid out on a page and on a phone, with the colours of what stands around its marks.

The page's script draws what is laid out here, and so does whoever draws it beforehand.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from erralign.plot.colours import INK, PALE_GREY

WIDE, NARROW, FULL = 688, 358, 936  # pixels: of a page's text, of a phone's, and of what is wider than the text
AROUND, BESIDE = 145, 128  # beside panels: an axis, names of lines; the same, beside one panel that stands alone
Spec = dict[str, Any]


def laid_out(chart: Spec, width: int) -> Spec:
    """Return a chart without its tables as it is drawn at a width."""
    spec = deepcopy({name: part for name, part in chart.items() if name not in {"datasets", "usermeta", "background"}})
    _spread(spec, width)
    if width <= NARROW and "concat" in spec:
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
    if len(domains) == 1 and "concat" not in spec:
        columns = (width - 120) // (7 * max(map(len, *domains)) + 30)
        for each in found:
            each["legend"]["columns"] = max(columns, each["legend"].get("columns", columns))


def _stack(spec: Spec, width: int) -> None:
    """Put panels below each other; charts say what changes by the parameter "stacked"."""
    spec["columns"] = 1
    for panel in spec["concat"]:
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
