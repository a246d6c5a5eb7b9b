"""Findings with their intervals, and under many choices: a row for each."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, MAGENTA, PAPER
from erralign.plot.grammar import Plot, names, numbers
from erralign.plot.theme import Look
from erralign_book.charts.looks import GROUPS, SHEER
from erralign_book.papers.leads import verdicts

CLEAR = {"interval leaves out 0": Look(BLACK), "interval contains 0": Look(GREY)}
CHOICES = ["networks", "accuracies", "yardstick", "near-copies", "strengths", "pooling"]
MENUS = {"networks": "networks", "accuracies": "equal accuracies", "yardstick": "yardstick", "pooling": "strengths"}
PAIRS = {"human-human": "two people", "model-human": "a person and a network", "model-model": "two networks"}
# What somebody would write above a finding.
HEADLINES = {"more": "“People are ahead”", "less": "“Networks are ahead”"}


def strips(findings: pd.DataFrame, title: str, axis: str = "difference") -> alt.LayerChart:
    """Draw one row a finding: a mark for each way of computing it, dark where it is clear."""
    about = "Values of each finding under all choices, and whether their intervals leave out 0."
    return _strips(findings, axis).done(title, about, alt.Step(44))


def published(findings: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw the same, with menus of choices: the reader's are marked, with what a paper would have said of each."""
    own = findings["networks"].str.contains(" et al")
    plot = _strips(findings.assign(networks=findings["networks"].mask(own, "the paper's own")), axis)
    chosen = [f"datum.{name} === {name}" for name in list(MENUS)[:-1]]
    chosen += ["(datum.pooling === pooling || !test(/^f/, datum.sets))", "datum.strengths === 'all strengths'"]
    mine = plot.base().transform_filter(" && ".join([*chosen, "datum['near-copies'] === 'near-copies out'"]))
    plot.draw(mine.mark_tick(color=MAGENTA, thickness=5, height=26).encode(tooltip=plot.hover))
    words = mine.mark_text(color=MAGENTA, align="right", dy=-19, fontSize=12)
    plot.draw(words.encode(x=alt.value("width"), text="headline:N"))
    for name in MENUS:
        plot.menu(name, plot.table[name].unique(), plot.table[name].iloc[0], MENUS[name])
    about = "Values of each finding under all choices, the reader's among them, and what a paper would have said."
    return plot.done(title, about, alt.Step(42), "magenta: your choice; black: the interval leaves out 0")


def intervals(findings: pd.DataFrame, title: str, axis: str, under: str = "lines: 95 % intervals") -> alt.LayerChart:
    """Draw one row a finding: its value, in words, too, and its interval."""
    shown = findings.assign(words=findings["value"].map("{:.3f}".format).str.replace("-", "−"))
    plot = _rows(shown, axis, 0).spans().points(70)
    # No line strikes a number through.
    plot.words("words", dy=-12, color=PAPER, stroke=PAPER, strokeWidth=5).words("words", dy=-12)
    return plot.done(title, f"Values with intervals: {'; '.join(findings['finding'])}.", alt.Step(44), under)


def kinds(means: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the mean EC of each kind of pair on each data set, and its mean over them, beside what chance gives."""
    looks = {words: GROUPS[words] for words in PAIRS.values()}
    shown = means.rename(columns=PAIRS).reset_index().melt("data_set", var_name="pairs", value_name="value")
    middle = shown.groupby("pairs", as_index=False)["value"].mean()
    middle = middle.assign(data_set="mean of all", words=middle["value"].map("{:.2f}".format))
    axes = numbers("value", "mean EC of the pairs"), names("pairs", list(looks), labelLimit=190)
    plot = Plot(shown, *axes, look=("pairs", looks), hover=["pairs", "data_set", "value"], columns=0)
    plot.level(0).ticks(height=16, opacity=SHEER).points(110, middle).words("words", middle, dy=-15, fontWeight="bold")
    about = "Mean EC of two people, of a person and a network, and of two networks, on each data set and over all."
    return plot.done(title, about, alt.Step(44), "ticks: data sets; points: their means; line at 0: chance")


def _strips(findings: pd.DataFrame, axis: str) -> Plot:
    return _rows(findings, axis).ticks(height=16, opacity=SHEER)


def _rows(findings: pd.DataFrame, axis: str, columns: int = 1) -> Plot:
    said = verdicts(findings)
    clear = np.where(np.isin(said, list(HEADLINES)), *CLEAR)
    # The part of a name after a colon is on a second line.
    rows = names("finding", findings["finding"].unique().tolist(), labelLimit=190, labelExpr="split(datum.label, ': ')")
    x = numbers("value", axis, scale={"padding": 8})  # so that no mark is cut
    hover: Sequence[str] = [*(name for name in CHOICES if name in findings), "value", "low", "high"]
    kept = findings[[name for name in ("finding", "sets", "words", *hover) if name in findings]]
    shown = kept.assign(clear=clear, headline=[HEADLINES.get(each, "“No clear difference”") for each in said])
    return Plot(shown, x, rows, look=("clear", CLEAR), hover=hover, columns=columns).level(0)
