"""Findings with their intervals, and under many choices: a row for each."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, MAGENTA, PAPER
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import Look, Looks
from erralign.plot.words import with_interval
from erralign_book.charts.looks import GROUPS
from erralign_book.papers.leads import verdicts

FILLED = {"interval leaves out 0": Look(BLACK), "interval contains 0": Look(PAPER)}
UNDER = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
WORDS = (33, 30)  # letters in a line on a page, beside a row, and on a phone, above it
TO_RIGHT = "scale('x', 0) < width / 2"  # of the line at 0 is more room
AXIS, LINE, NARROW = 44, 15, 0.05  # letters below the axis; pixels of a line; an interval that needs a third digit
HALO: Any = ({"stroke": PAPER, "strokeWidth": 5}, {})  # a word is written twice, so that no line strikes it through
ROW, STEP = 22, 76  # pixels of a row of single marks, and of heaps
HIGHEST, APART = 6, 0.009  # the last level of a heap, and what is too near to lie on one
CHOICES = ["networks", "accuracies", "yardstick", "near-copies", "strengths", "pooling"]
MENUS = {name: name for name in ("networks", "accuracies", "near-copies", "strengths")}
MENUS["accuracies"] = "equal accuracies"
PARAMS = {name: name.replace("-", "_") for name in MENUS}
# What somebody would write above a finding.
HEADLINES = {"more": "“People are ahead”", "less": "“Networks are ahead”"}


def published(findings: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw the same, with menus of choices: the reader's are marked, with what a paper would have said of each."""
    plot = _rows(findings, axis, ("clear", FILLED), STEP)
    plot.table["level"] = plot.table.groupby("finding")["value"].transform(_levels)
    ends = [alt.expr(f"(stacked ? narrow_step : {STEP}) / 2 {end}") for end in ("+ 30", "- 30")]
    plot.offset = alt.YOffset("level:Q", scale=alt.Scale(domain=[0, HIGHEST], range=ends))
    plot.points(alt.expr("min(40, pow(width / 40, 2))"), stroke=BLACK, strokeWidth=1.5).level(0)
    chosen = " && ".join(f"(datum['{name}'] || {of}) === {of}" for name, of in PARAMS.items())
    mine = plot.base().transform_filter(chosen)
    ring = mine.mark_point(size=220, shape="circle", filled=False, stroke=MAGENTA, strokeWidth=4, opacity=1)
    plot.draw(ring.encode(tooltip=plot.hover))
    above = mine.transform_calculate(level=str(HIGHEST))
    for behind in HALO:
        said = above.mark_text(color=MAGENTA, fontSize=13, fontWeight="bold", **behind)
        plot.draw(said.encode(text="headline:N"))
    for name, words in MENUS.items():
        options = [each for each in plot.table[name].unique() if each]
        plot.menu(PARAMS[name], options, options[0], words)
    about = "Values of each finding under all choices, the reader's among them, and what a paper would have said."
    under = "magenta: your choice; filled: its 95 % interval, for other sets of pictures, leaves out 0"
    return plot.done(title, about, alt.Step(STEP), under)


def _levels(values: pd.Series) -> pd.Series:
    """Return how high each mark of a row lies, so that none is over another."""
    ends: list[float] = []
    levels = {}
    for at, value in values.sort_values().items():
        free = [level for level, end in enumerate(ends) if value - end > APART]
        levels[at] = free[0] if free else len(ends)
        ends[levels[at] : levels[at] + 1] = [value]
    return pd.Series(levels)


def intervals(findings: pd.DataFrame, title: str, axis: str, under: str = UNDER) -> alt.LayerChart:
    """Draw one row a finding: its words, its interval, and both in figures.

    A row may have the look of its ``pairs``, its own ``verdict``, and as ``drawn`` what the interval allows for.
    """
    looks: tuple[str, Looks] = ("clear", FILLED)
    line: Any = {"color": BLACK}
    edge: Any = {"stroke": BLACK, "strokeWidth": 2.5}
    if "pairs" in findings:
        looks, line, edge = ("pairs", GROUPS | {"difference": Look(BLACK)}), {}, {}
    plot = _rows(findings, wrap(axis, AXIS), looks, figures=True).spans(strokeWidth=3, **line).points(90, **edge)
    about = f"Values with intervals: {'; '.join(findings['finding'])}."
    lines = [sum(len(wrap(part, WORDS[0])) for part in _name(row)) for row in findings.to_dict("records")]
    return plot.level(0).done(title, about, alt.Step(LINE * max(2, *lines) + 10), under)


def _name(row: Mapping[Any, Any]) -> list[str]:
    """Return the name of a row, and what its interval allows for."""
    return [row["finding"], *filter(None, [row.get("drawn")])]


def _write(plot: Plot, left: list[str], right: list[str], room: float) -> int:
    """Write words, on a page at both ends of a row, on a phone above it, beside the line at 0: in how many lines."""
    phone = [wrap(part, WORDS[1]) for part in (*left, *filter(None, [" ".join(right)]))]
    at = plot.base(pd.DataFrame({"finding": left[:1]}))
    n_lines = sum(map(len, phone))
    above = LINE * (1 - n_lines) - room / 2 - 6
    for x, align, parts in (("-12", "right", left), ("width + 12", "left", right)):
        page = [wrap(part, WORDS[0]) for part in parts]
        beside = LINE * (1 - sum(map(len, page))) / 2
        for lines, colour in zip(page, (INK, GREY), strict=False):
            own = phone.pop(0) if phone else [""]
            by_width = {
                "x": f"scale('x', 0) + ({TO_RIGHT} ? 7 : -7) : {x}",
                "align": f"({TO_RIGHT} ? 'left' : 'right') : '{align}'",
                "dy": f"{above} : {beside}",
            }
            looks: Any = {name: alt.expr(f"stacked ? {value}") for name, value in by_width.items()}
            text = alt.value(alt.expr(f"stacked ? {own} : {lines}"))
            plot.draw(at.mark_text(fontSize=13, lineHeight=LINE, color=colour, **looks).encode(text=text))
            above, beside = above + LINE * len(own), beside + LINE * len(lines)
    return n_lines


def _rows(
    findings: pd.DataFrame, axis: Any, look: tuple[str, Looks], room: int = ROW, *, figures: bool = False
) -> Plot:
    said = findings.get("verdict", verdicts(findings))
    clear = np.where(np.isin(said, list(HEADLINES)), *FILLED)
    rows = names("finding", findings["finding"].unique().tolist(), labels=False, ticks=False, domain=False)
    x = numbers("value", axis, scale={"padding": 8}, grid=False)  # so that no mark is cut
    hover: Sequence[str] = [*(name for name in CHOICES if name in findings), "value", "low", "high"]
    kept = findings[[name for name in ("finding", "words", "pairs", *hover) if name in findings]]
    shown = kept.assign(clear=clear, headline=[HEADLINES.get(each, "“No clear difference”") for each in said])
    plot = Plot(shown, x, rows, look=look, hover=hover, columns=0)
    lines = []
    for row in findings.drop_duplicates("finding").to_dict("records"):
        digits = 2 if row["high"] - row["low"] > NARROW else 3
        value = with_interval(row["value"], row["low"], row["high"], digits)
        lines.append(_write(plot, _name(row), value.split(" ", 1) if figures else [], room))
    step = LINE * max(lines) + room
    plot.params = [alt.param(name="stacked", value=False), alt.param(name="narrow_step", value=step)]
    return plot
