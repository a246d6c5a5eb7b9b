"""Charts of the chapter on 23 measures of representations: points and lines, and who agrees."""

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign.plot.theme import Look
from erralign_book.charts.grammar import beside_each_other, correlations
from erralign_book.charts.looks import CLASSES, cases

SIDE, LARGE, CELL = 165, 180, 22  # pixels: one of three panels, a cloud, a row of tiles
IGNORED = 170  # pixels of four changes
PLACES, HOVER = ["x", "y"], ["picture", "group"]
FEW: Any = {"tickCount": 4, "grid": False}
CHOSEN = "datum.network === network && datum.differ === differ"


def points_in_panels(points: pd.DataFrame, title: str, axes: tuple[str, str]) -> alt.ConcatChart:
    """Draw pictures as points, in a panel per system, all on one scale."""
    looks = cases(points["group"], CLASSES)
    panels: list[alt.LayerChart] = []
    widest = float(points.groupby("panel")[PLACES].agg(np.ptp).to_numpy().max())
    for name, part in points.groupby("panel", sort=False):
        x, y = (numbers(p, words, ends=_ends(part, p, widest), **FEW) for p, words in zip(PLACES, axes, strict=True))
        y |= {"title": None} if panels else {}  # two panels beside each other fit a phone
        plot = Plot(part.drop(columns="panel"), x, y, look=("group", looks), hover=HOVER, columns=3).points(90)
        panels.append(plot.drawn().properties(width=SIDE, height=SIDE, title=str(name)))
    about = f"Points of {points['picture'].nunique()} pictures in {len(panels)} panels."
    return entitle(beside_each_other(panels, len(panels)), title, about)


def look(panels: Mapping[str, alt.LayerChart], title: str, under: str) -> alt.ConcatChart:
    """Draw what a family of measures looks at, A beside B or both in one."""
    sized = [panel.properties(width=LARGE, height=LARGE, title=name) for name, panel in panels.items()]
    about = f"Thirty pictures as a family of measures sees them: {', '.join(panels)}."
    return entitle(beside_each_other(sized, len(sized)), title, about, subtitle=under)


def _ends(points: pd.DataFrame, place: str, widest: float = 1e-9) -> tuple[float, float]:
    low, high = points[PLACES].min(), points[PLACES].max()
    middle, half = (low + high)[place] / 2, 0.58 * max((high - low).max(), widest)  # one step is as long on both axes
    return round(middle - half, 4), round(middle + half, 4)


def cloud(
    points: pd.DataFrame,
    links: pd.DataFrame | None = None,
    axes: tuple[str, str] | None = None,
    *,
    origin: bool = False,
) -> alt.LayerChart:
    """Draw pictures as points, those of B hollow and those ``near`` the picture in question large, and lines."""
    zero = pd.DataFrame({"x": [0.0], "y": [0.0]})
    seen = pd.concat([points[PLACES], zero]) if origin else points
    square = [
        numbers(place, words, ends=_ends(seen, place), **FEW) | ({} if axes else {"axis": None})
        for place, words in zip(PLACES, axes or PLACES, strict=True)
    ]
    plot = Plot(points, *square, look=("group", cases(points["group"], CLASSES)), hover=HOVER, columns=0)
    if links is not None:
        plot.draw(plot.base(links).mark_rule(color=SILVER, strokeWidth=1.5).encode(x2="x2:Q", y2="y2:Q"))
    if origin:
        plot.draw(plot.base(zero).mark_point(shape="cross", size=70, filled=True, opacity=1, color=BLACK))
    for (system, near), part in points.groupby(["system", "near"]):
        mark = plot.base(part).mark_point(filled=system != "B", opacity=1, size=70 if near else 22, color=BLACK)
        plot.draw(mark.encode(shape=plot.shape["shape"], tooltip=HOVER))
    named = points.groupby("group", sort=False).agg(x=("x", "mean"), y=("y", "max")).reset_index()
    named["group"] += "s"
    return plot.words("group", named, dy=-11, color=INK, fontWeight="bold").drawn()


def agreement_map(agreements: pd.DataFrame, order: Iterable[str], start: tuple[str, str], title: str) -> alt.LayerChart:
    """Draw how well each two measures agree, for one kind of networks at a time."""
    order = list(order)
    networks, differ = (agreements[name].unique().tolist() for name in ("network", "differ"))
    columns = ["network", "differ", "measure_a", "measure_b", "r"]
    shown = agreements.loc[agreements["measure_a"].isin(order) & agreements["measure_b"].isin(order), columns]
    both = ("measure_a", "measure_b"), ("measure_b", "measure_a")
    tables = [shown.rename(columns={a: "row", b: "column"}) for a, b in both]
    itself = pd.DataFrame({"row": order, "column": order, "r": 1.0})
    tables.append(shown[["network", "differ"]].drop_duplicates().merge(itself, how="cross"))
    named = [alt.Tooltip("row:N", title="measure"), alt.Tooltip("column:N", title="with")]
    plot = correlations(pd.concat(tables), order, [*named, alt.Tooltip("r", format=".2f")], where=CHOSEN)
    plot.menu("network", networks, start[0], "networks").menu("differ", differ, start[1], "that differ in their")
    about = f"Map of Spearman's r between {len(order)} measures, two by two."
    return plot.done(title, about, alt.Step(CELL))


def ignored(tested: pd.DataFrame, families: Mapping[str, str], title: str) -> alt.LayerChart:
    """Draw which changes each measure ignores, with the name of its family beside the first of it."""
    looks = {"ignores it": Look(BLACK), "notices it": Look(PALE_GREY)}
    shown = tested.assign(what=np.where(tested["holds"], *looks), family=tested["measure"].map(families))
    x = names("change", list(shown["change"].unique()), orient="top", labelAngle=0)
    y = names("measure", list(families))
    plot = Plot(shown, x, y, look=("what", looks), hover=["measure", "family", "change", "what"], columns=2)
    plot.tiles(stroke=PAPER, strokeWidth=2)
    first = shown.drop(columns="change").set_index("measure").loc[list(families)].reset_index()
    first = first.drop_duplicates("family")
    label = plot.base(first).mark_text(align="left", dx=8, color=INK).encode(x=alt.value("width"), text="family:N")
    about = f"Tiles of {len(families)} measures and {shown['change'].nunique()} changes, black where one is ignored."
    edge = (
        plot.base(first[1:])
        .mark_rule(color=INK, yOffset=-CELL / 2)
        .encode(x=alt.value(IGNORED), x2=alt.value(IGNORED + 110))
    )
    return plot.draw(edge).draw(label).done(title, about, alt.Step(CELL), width=IGNORED)
