"""Charts of Xu et al. (2024): densities, correlations, families and kinds of pairs."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, INK, PALE
from erralign.plot.grammar import CHOSEN, Options, Plot, entitle, names, numbers
from erralign.plot.theme import KINDS, PAIRS, only
from erralign_book.charts.grammar import PHONE, beside_each_other, correlations, diamonds, labels_if, straight_line

SIDE, ROW, GUTTER = 165, 26, 108  # pixels: of a panel, of a row of families, and for the names of kinds of pairs
TICKS = (-0.2, -0.1, 0, 0.1, 0.2, 0.3)  # of differences between kinds of pairs
TYPICAL = "eidolonII"  # the data set on which the charts of lines open, where it is among them
SHARES = {"low": 0.025, "first_quarter": 0.25, "third_quarter": 0.75, "high": 0.975}  # of pairs that lie below


def densities(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.ConcatChart:
    """Draw where pairs of each kind lie by two measures: a panel per kind, in one frame, the denser the stronger."""
    edges = {name: np.linspace(pairs[name].min(), pairs[name].max() + 1e-9, 31).round(6) for name in (x, y)}
    panels: list[alt.LayerChart] = []
    for kind in only(KINDS, pairs["kind"]):
        part = pairs[pairs["kind"] == kind].dropna(subset=[x, y])
        counts = np.histogram2d(part[x], part[y], [edges[x], edges[y]])[0]
        across, up = np.nonzero(counts)
        sides = {"left": edges[x][across], "right": edges[x][across + 1]}
        sides |= {"bottom": edges[y][up], "top": edges[y][up + 1], "pairs": counts[across, up]}
        cells = pd.DataFrame(sides | {"share": 100 * counts[across, up] / counts.sum()}).round(4)
        name = f"{PAIRS[kind]}: {len(part):,} pairs"
        panels.append(_density(cells, edges, kind, first=not panels).properties(title=name, width=SIDE, height=SIDE))
    about = f"{y} against {x} of {len(pairs)} pairs, a panel for each kind of pairs."
    return entitle(beside_each_other(panels, 3), title, about, subtitle="darker: more pairs")


def _density(cells: pd.DataFrame, edges: dict[str, np.ndarray], kind: str, *, first: bool) -> alt.LayerChart:
    (across, x), (up, y) = edges.items()
    axes = (
        numbers("left", across, ends=tuple(x[[0, -1]]), tickCount=4),
        numbers("bottom", up, ends=tuple(y[[0, -1]]), labelExpr=labels_if(first=first), tickSize=0),
    )
    scale = alt.Scale(type="sqrt", domain=[0, 5], range=[0, 1], clamp=True)
    plot = Plot(cells, *axes, hover=["pairs", alt.Tooltip("share", title="% of its kind", format=".1f")])
    dense = alt.Opacity("share:Q", legend=None, scale=scale)
    return plot.tiles(dense, alt.X2("right:Q"), alt.Y2("top:Q"), color=KINDS[kind].fill).drawn()


def scatter_by_data_set(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.LayerChart:
    """Draw two measures against each other: a regression line for each data set, one of them with its pairs."""
    sets = sorted(pairs["data_set"].unique())
    known = pairs.dropna(subset=[x, y])
    ends = pd.concat(straight_line(part, x, y).assign(data_set=name) for name, part in known.groupby("data_set"))
    hover, colour = ["system_a", "system_b", "data_set", x, y], _if_chosen(BLUE, GREY)
    plot = Plot(known[hover], numbers(x), numbers(y, scale={"zero": False}), hover=hover)
    points = plot.base().transform_filter(CHOSEN).mark_square(size=22, opacity=1, color=BLUE).encode(tooltip=hover)
    lines = plot.base(ends).mark_line().encode(color=colour, detail="data_set:N", strokeWidth=_if_chosen(3, 1))
    plot.draw(points, lines).lines(straight_line(known, x, y), color=BLACK, strokeWidth=3, strokeDash=[6, 4])
    plot.menu("data_set", sets, TYPICAL if TYPICAL in sets else sets[0], "data set")
    about = f"{y} against {x} for {len(pairs)} pairs of models, a line for each of {len(sets)} data sets."
    return plot.done(title, about, 340, "squares: pairs of networks on the chosen set; dashed: all sets together")


def _if_chosen(value: str | float, otherwise: str | float) -> Any:
    return alt.condition(CHOSEN, alt.value(value), alt.value(otherwise))


def correlation_matrix(found: pd.DataFrame, measures: list[str], title: str) -> alt.LayerChart:
    """Draw Spearman's r between measures: within data sets above the diagonal, over all pairs below it."""
    hover = ["row", "column", "over", alt.Tooltip("r", format=".3f")]
    plot = correlations(_both_halves(found), measures, hover, labelAngle=0)
    about = f"Spearman's r between {', '.join(measures)}. Above the diagonal the mean within data sets, below it over "
    words = "above the blank diagonal: average r, within data sets; below it: global r, over all pairs"
    return plot.done(title, f"{about}all pairs together.", 44 * len(measures), words)


def _both_halves(found: pd.DataFrame) -> pd.DataFrame:
    halves = {
        "mean over data sets": {"measure_a": "row", "measure_b": "column", "r_average": "r"},
        "all pairs together": {"measure_b": "row", "measure_a": "column", "r_global": "r"},
    }
    return pd.concat(
        found[list(names)].rename(columns=names).assign(over=over)[["row", "column", "r", "over"]]
        for over, names in halves.items()
    )


def families_by_measure(pairs: pd.DataFrame, measures: list[str], title: str) -> alt.ConcatChart:
    """Draw z-scores of each measure for pairs within and across families: their mean, and where most of them lie."""
    table = pairs[measures]
    scores = (table - table.mean()) / table.std(ddof=0)
    families = (pairs["family_a"] + " – " + pairs["family_b"]).str.replace("Human", "People")
    groups = scores.groupby(families.rename("families"))
    cuts = {"mean": groups.mean()} | {name: groups.quantile(share) for name, share in SHARES.items()}
    order = cuts["mean"].mean(axis=1).sort_values(ascending=False).index.tolist()
    kinds = pairs.groupby(families)["kind"].first()
    hover = ["families", *(alt.Tooltip(name, format=".2f") for name in cuts)]
    x = numbers("mean", "z-score", scale={"nice": False, "padding": 6})
    panels: list[alt.LayerChart] = []
    for measure in measures:
        rows = (
            pd.DataFrame({name: cut[measure] for name, cut in cuts.items()}).round(3).assign(kind=kinds).reset_index()
        )
        y = names("families", order, labelExpr=labels_if(first=len(panels) % 3 == 0))
        plot = Plot(rows, x, y, look=("kind", KINDS), columns=0, hover=hover).spans(color=GREY, strokeWidth=1)
        plot.spans("first_quarter", "third_quarter", color=GREY, strokeWidth=5).points(90)
        panels.append(plot.drawn().properties(width=SIDE, height=ROW * len(order), title=measure))
    about = f"z-scores of {', '.join(measures)} for pairs by family."
    words = "marks: means; thick and thin lines: the middle half and the middle 95 % of the pairs"
    return entitle(beside_each_other(panels, 3), title, about, subtitle=words)


def kinds_of_pairs(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw differences of people with two other kinds of pairs, by measure and way; each column has a line at its 0.

    The names of rows stand in a gutter, and those of columns above.
    """
    named, heads = (list(rows[name].unique()) for name in ("named", "head"))
    ends = 1.1 * TICKS[0], 1.05 * TICKS[-1]
    apart, last = 1.3 * np.ptp(ends), len(named)
    column = rows["head"].map(heads.index)
    rows = rows.assign(
        row=-rows["named"].map(named.index), clear=rows["low"] * rows["high"] > 0, difference=rows["value"]
    )
    rows[["value", "low", "high"]] = rows[["value", "low", "high"]].add(apart * column, axis=0)
    zeros = pd.DataFrame({"value": apart * np.arange(len(heads)), "name": heads}).assign(
        low=0.4 - last, high=0.5, row=1.2
    )
    step, ticks = TICKS[1] - TICKS[0], [round(column * apart + at, 4) for column in range(len(heads)) for at in TICKS]
    at = f"(datum.value - {apart} * (datum.value > {ends[1]}))"
    label = f"{PHONE} && round({at} / {step:g}) % 2 ? '' : format({at}, '.2~f')"  # on a phone every second
    shown: Options = {"labelExpr": label, "domain": False, "grid": False, "labelOverlap": False}
    scale: Options = {
        "domain": [ends[0], zeros["value"].iloc[-1] + ends[1]],
        "nice": False,
        "range": [GUTTER, alt.expr("width")],
    }
    x = numbers("value", "difference in the measure of the row", scale=scale, ticks=ticks, **shown)
    plot = Plot(rows, x, numbers("row", ends=(0.4 - last, 1.2)) | {"axis": None}, hover=["difference"])
    words = pd.DataFrame({"row": -np.arange(last), "name": named})
    words["row"] += 0.1 * words["name"].str.count("[|]")  # the middle of two lines
    left: Options = {"align": "left", "color": INK, "fontSize": 13, "lineBreak": "|"}
    lines = zeros.drop(columns="value").merge(pd.DataFrame({"value": ticks}), "cross")
    plot.spans(along="y", data=lines, color=PALE, strokeWidth=1)  # the grid ends below the heads
    plot.spans(along="y", data=zeros, color=BLACK, strokeWidth=1).words("name", words, x=0, **left)
    plot.words("name", zeros, **left | {"align": "center", "baseline": "top", "fontWeight": "bold"})
    plot.spans(along="x", data=rows, color=BLACK)
    diamonds(plot, alt.expr(f"{PHONE} ? 70 : 140"), clear="datum.clear", strokeWidth=2)
    return plot.done(
        title,
        f"{' and '.join(heads)} by measure, with intervals.",
        300,
        "lines: 95 % intervals; filled: it leaves out 0",
    )
