"""Findings with their intervals, and under many choices: a row for each."""

from collections.abc import Sequence
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

CLEAR = {"interval leaves out 0": Look(BLACK), "interval contains 0": Look(GREY)}
FILLED = dict(zip(CLEAR, (Look(BLACK), Look(PAPER)), strict=True))
UNDER = "lines: 95 % intervals; filled: it leaves out 0; hollow: it contains 0"
WORDS = (33, 20)  # letters in a line on a page and a phone
AXIS, LINE, NARROW = 44, 15, 0.05  # letters below the axis; pixels of a line; an interval that needs a third digit
STEP, HIGHEST, APART = 76, 6, 0.009  # pixels of a row of marks, its last level, and what is too near to lie on one
CHOICES = ["networks", "accuracies", "yardstick", "near-copies", "strengths", "pooling"]
MENUS = {name: name for name in ("networks", "accuracies", "near-copies", "strengths")}
MENUS["accuracies"] = "equal accuracies"
PARAMS = {name: name.replace("-", "_") for name in MENUS}
# What somebody would write above a finding.
HEADLINES = {"more": "“People are ahead”", "less": "“Networks are ahead”"}


def strips(findings: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw one row a finding: a mark for each way of computing it, strong where it is clear."""
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    plot = _rows(findings, "difference").ticks(height=16, opacity=1)
    return plot.done(title, about, alt.Step(44), "strong: its interval leaves out 0")


def published(findings: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw the same, with menus of choices: the reader's are marked, with what a paper would have said of each."""
    plot = _rows(findings, axis, ("clear", FILLED))
    plot.table["level"] = plot.table.groupby("finding")["value"].transform(_levels)
    plot.offset = alt.YOffset("level:Q", scale=alt.Scale(domain=[0, HIGHEST], range=[STEP - 8, 8]))
    plot.points(alt.expr("min(40, pow(width / 40, 2))"), stroke=BLACK, strokeWidth=1.5)
    chosen = " && ".join(f"(datum['{name}'] || {of}) === {of}" for name, of in PARAMS.items())
    mine = plot.base().transform_filter(chosen)
    ring = mine.mark_point(size=220, shape="circle", filled=False, stroke=MAGENTA, strokeWidth=4, opacity=1)
    plot.draw(ring.encode(tooltip=plot.hover))
    above = mine.transform_calculate(level=str(HIGHEST))
    halo: dict[str, Any] = {"stroke": PAPER, "strokeWidth": 5}
    for behind in (halo, {}):  # no line strikes a word through
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
    plot = _rows(findings, wrap(axis, AXIS), looks)
    plot.spans(strokeWidth=3, **line).points(90, **edge)
    for row in findings.to_dict("records"):
        digits = 2 if row["high"] - row["low"] > NARROW else 3
        said = with_interval(row["value"], row["low"], row["high"], digits)
        _write(plot, row["finding"], said.split(" ", 1), x=alt.expr("width + 12"), align="left")
    lines = [[sum(len(wrap(part, n)) for part in parts) for parts in _words(findings)] for n in WORDS]
    page, phone = (LINE * max(2, *each) + 10 for each in lines)
    plot.params.append(alt.param(name="narrow_step", value=phone))
    return plot.done(title, f"Values with intervals: {'; '.join(findings['finding'])}.", alt.Step(page), under)


def _words(findings: pd.DataFrame) -> list[list[str]]:
    """Return what is written beside each row: its name, and in grey what its interval allows for."""
    rows = findings.reindex(columns=["finding", "drawn"]).drop_duplicates()
    return [row.dropna().to_list() for _, row in rows.iterrows()]


def _write(plot: Plot, row: str, words: list[str], **looks: Any) -> None:
    """Write words beside a row, grey after the first, in lines for a page and for a phone, their middle at the row."""
    page, phone = ([wrap(part, n) for part in words] for n in WORDS)
    at = plot.base(pd.DataFrame({"finding": [row]}))
    for place, colour in zip(range(len(words)), (INK, GREY), strict=False):
        tops = [LINE * (sum(map(len, of[:place])) - sum(map(len, of)) / 2 + 0.5) for of in (page, phone)]
        where = alt.expr(f"stacked ? {tops[1]} : {tops[0]}")
        mark = at.mark_text(fontSize=alt.expr("stacked ? 12 : 13"), lineHeight=LINE, dy=where, color=colour, **looks)
        plot.draw(mark.encode(text=alt.value(alt.expr(f"stacked ? {phone[place]} : {page[place]}"))))


def _rows(findings: pd.DataFrame, axis: Any, look: tuple[str, Looks] = ("clear", CLEAR)) -> Plot:
    said = findings.get("verdict", verdicts(findings))
    clear = np.where(np.isin(said, list(HEADLINES)), *CLEAR)
    rows = names("finding", findings["finding"].unique().tolist(), labels=False, ticks=False, domain=False)
    x = numbers("value", axis, scale={"padding": 8})  # so that no mark is cut
    hover: Sequence[str] = [*(name for name in CHOICES if name in findings), "value", "low", "high"]
    kept = findings[[name for name in ("finding", "words", "pairs", *hover) if name in findings]]
    shown = kept.assign(clear=clear, headline=[HEADLINES.get(each, "“No clear difference”") for each in said])
    plot = Plot(shown, x, rows, look=look, hover=hover, columns=0).level(0)
    plot.params = [alt.param(name="stacked", value=False)]
    for words in _words(findings):
        _write(plot, words[0], words, x=-12, align="right")
    return plot
