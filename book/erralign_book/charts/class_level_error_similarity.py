"""Charts of the chapter on class-level error similarity: tables of confusions, values by luck."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, RAMP, SILVER
from erralign.plot.grammar import Plot, entitle, factors, finish, layer, numbers
from erralign_book.charts.grammar import beside_each_other, observed_at, quantile_dots
from erralign_book.charts.looks import CHANCE, cases

DOTS, ROOM = 100, 14  # in a heap; pixels between two dots of a column
OF_DRAWS = "points: means; upright lines: the middle 95 % of the simulations"


def confusions(
    tables: Mapping[str, np.ndarray], classes: Sequence[str], title: str, *, compared: bool = True
) -> alt.ConcatChart:
    """Draw what systems took each class for: arrows to the commonest wrong class, black where tables are compared."""
    wrong = {name: table - np.diag(np.diag(table)) for name, table in tables.items()}
    first = {name: table.argmax(axis=1) for name, table in wrong.items()}
    shared = np.sum([np.equal(list(first.values()), of_one) for of_one in first.values()], axis=1) > 1
    most, side = max(table.max() for table in wrong.values()), 200 if len(tables) < 3 else 150
    panels = []
    for (name, table), alike in zip(wrong.items(), shared, strict=True):
        cells = pd.DataFrame(table, list(classes), list(classes)).rename_axis("true").reset_index()
        cells = cells.melt("true", var_name="said", value_name="errors")
        arrows = pd.DataFrame({"true": classes, "said": np.array(classes)[first[name]], "differs": ~alike & compared})
        arrows["left"] = first[name] < np.arange(len(classes))
        square = _square(cells, arrows, list(classes), f"{name} said", int(most))
        panels.append(square.properties(width=side, height=side))
    under = "rows: what it was; arrows: what it is most often taken for"
    under += "; framed: in no other table" if compared else ""
    about = f"Confusions of {', '.join(tables)}, a row per class that was shown."
    return entitle(beside_each_other(panels, len(tables)), title, about, subtitle=under)


def _square(cells: pd.DataFrame, arrows: pd.DataFrame, classes: list[str], title: str, most: int) -> alt.LayerChart:
    places: dict[str, Any] = {"scale": alt.Scale(domain=classes)}
    bare: dict[str, Any] = {"domain": False, "ticks": False, "labelPadding": 8}
    x = alt.X("said:N", title=title, axis=alt.Axis(orient="top", labelAngle=0, **bare), **places)
    y = alt.Y("true:N", title=None, axis=alt.Axis(**bare), **places)
    shown, own = cells[cells["said"] != cells["true"]], cells[cells["said"] == cells["true"]]
    fill = alt.Color("errors:Q", legend=None, scale=alt.Scale(domain=[0, most], range=RAMP[:3:2]))
    black = alt.when("datum.differs").then(alt.value(BLACK)).otherwise(alt.value(GREY))
    way = alt.when("datum.left").then(alt.value("triangle-left")).otherwise(alt.value("triangle-right"))
    framed = alt.Chart(arrows).transform_filter("datum.differs").encode(x, y)
    point: dict[str, Any] = {"filled": True, "opacity": 1}
    return layer(
        alt.Chart(shown).mark_rect(cornerRadius=3).encode(x, y, fill, tooltip=["true", "said", "errors"]),
        framed.mark_rect(filled=False, cornerRadius=3, stroke=INK, strokeWidth=2),
        alt.Chart(arrows).mark_rule(strokeWidth=2).encode(alt.X("true:N", **places), y, color=black, x2="said:N"),
        alt.Chart(own).mark_point(size=70, color=SILVER, **point).encode(x, y),
        alt.Chart(arrows).mark_point(size=90, **point).encode(x, y, color=black, shape=way),
        alt.Chart(shown).mark_text(fontSize=14, dy=-12).encode(x, y, text="errors:Q"),
    )


def beside_luck(values: np.ndarray, observed: float, name: str, title: str) -> alt.LayerChart:
    """Draw the values of shuffled tables as a heap of dots, and the observed one beside it."""
    ends = np.floor(min(observed, values.min()) * 200 - 1) / 200, 1.0
    step = np.ptp(values) / 40  # from one column of dots to the next
    dots = quantile_dots(pd.Series(values), DOTS, step)
    highest = dots["level"].max() + 1
    room = ROOM * (highest + 1)
    # A dot is as wide as a step, on a phone, too.
    size = alt.expr(f"pow(min({ROOM}, 0.9 * width * {step / np.ptp(ends):.4f}), 2)")
    x, y = numbers("value", "CLES", ends=ends, grid=False), numbers("level", ends=(-1, highest)) | {"axis": None}
    heap = Plot(dots, x, y).base().mark_point(filled=True, opacity=1, size=size, color=GREY)
    about = f"A heap of {DOTS} values of shuffled tables, and a line at the observed {observed:.3f}."
    each, lower = f"each dot: {len(values) / DOTS:,.0f} of {len(values):,} pairs", int(np.sum(values <= observed))
    under = f"{each} of shuffled tables; {lower:,} score as low as {name}"
    left = pd.DataFrame({"value": [np.quantile(values, 0.1)], "words": ["shuffled tables"]})
    words = alt.Chart(left).mark_text(align="right", y=room / 2, fontSize=13, fontWeight="bold", color=GREY)
    words = words.encode(x="value:Q", text="words:N")
    drawn = layer(heap, words, *observed_at(observed, f"{name}: {observed:.3f}", align="left", dx=6))
    return finish(drawn, title, about, room, subtitle=under)


def by_number(simulated: pd.DataFrame, number: str, value: str, title: str) -> alt.LayerChart:
    """Draw how a measure of simulated systems moves with a number, such as that of errors: one line per case."""
    *first, last = simulated["case"].unique()
    looks = cases(first) | {last: CHANCE}
    known = {"middle": f"mean {value}", "low": "2.5 %", "high": "97.5 %"}
    hover = ["case", alt.Tooltip("number", title=number, format=",d")]
    hover += [alt.Tooltip(name, title=words, format=".3f") for name, words in known.items()]
    x = factors("number", number, sorted(simulated["number"].unique().tolist()), ",d", padding=14)
    y = numbers("middle", value, scale={"zero": False, "nice": False, "padding": 32})
    plot = Plot(simulated, x, y, look=("case", looks), hover=hover, columns=0)
    plot = plot.lines().spans().points(80)
    ends = simulated.groupby("case", sort=False).tail(1).sort_values("middle")
    highest = ends["case"] == ends["case"].iloc[-1]  # its name is above its line, others' are below
    for away, rows in ends.groupby(highest.map({True: -12, False: 20})):
        plot.words("case", rows, align="right", dx=-14, dy=away, fontWeight="bold", fontSize=13)
    about = f"{value} of simulated systems against {number}, a line for each of: {'; '.join(looks)}."
    return plot.done(title, about, 280, OF_DRAWS)
