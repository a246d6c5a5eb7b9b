"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, MAGENTA, PALE, PALE_GREY, SILVER, SLATE, TILE_GREY
from erralign.plot.grammar import DASHED, Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import FAMILIES, KINDS, LOOKS_OF_PAIRS, PAIRS, Look, Looks
from erralign.plot.words import number
from erralign_book.charts.grammar import slider

ROW, START = 24, 8  # pixels of a row; how many ways are tried at first
AREAS = 240  # pixels of two areas on each other
DOT, ACROSS = 10, 5  # pixels from one dot to the next, dots beside each other
UNDER = "tile that stands out: wrong; =: both right or both wrong; dot: one way to place mistakes"
BELOW = 22  # pixels between an axis and its numbers, for what points to places on it
# The fourteen sets, by what was done to their pictures, from the highest mean EC of two people.
SETS = {
    "stylized": "repainted",
    "power-equalisation": "waves equalised",
    "colour": "colour or grey",
    "false-colour": "false colours",
    "rotation": "turned",
    "sketch": "sketches",
    "uniform-noise": "noise",
    "low-pass": "blur",
    "contrast": "low contrast",
    "eidolonI": "wobbly outlines",
    "phase-scrambling": "waves shifted",
    "high-pass": "fine lines only",
    "eidolonII": "broken outlines",
    "eidolonIII": "dissolved outlines",
}
NAMED = {"people": "two people", "mixed": "mixed pair", "networks": "two networks", "lead": "people − mixed"}
LOOKS = LOOKS_OF_PAIRS | {"networks": FAMILIES["CNN"], "lead": Look(SLATE, "diamond")}
WHO_FAILS = {
    "both fail": KINDS["model-human"],
    "only people": FAMILIES["Human"],
    "only networks": FAMILIES["CNN"],
    "neither": Look(PALE_GREY),
}
WHO_SAYS_KNIFE = dict.fromkeys(("both say “knife”", "only people", "only networks", "neither"), Look(PALE))
WHO_SAYS_KNIFE["both say “knife”"] = Look(TILE_GREY)
FILLED = 0.8  # how much of a column marks need


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw one measure's mean over kinds of pairs in a column each, and how far two people lead; a row per data set."""
    wide = values.rename(columns=PAIRS).filter(list(NAMED))
    wide = wide.loc[[name for name in SETS if name in wide.index]].rename(SETS)
    wide = pd.concat([wide.mean().to_frame("mean").T, wide]).assign(lead=lambda of: of["people"] - of["mixed"])
    low, high = wide.to_numpy().min(initial=0), wide.to_numpy().max(initial=0)
    span = (high - low) / FILLED
    shown = wide.rename_axis("data_set").reset_index().melt("data_set", var_name="pairs")
    shown["zero"] = span * shown["pairs"].map(list(wide).index)
    shown["place"], shown["said"] = shown["zero"] + shown["value"], shown["value"].map("{:.2f}".format)
    zeros, power = shown["zero"].unique(), 10 ** np.floor(np.log10(high))
    tick = np.floor(0.75 * high / power) * power
    written = f"abs(datum.value / {span} - round(datum.value / {span})) < 0.01 ? '0' : '{tick:g}'"
    ends, ticks = (low - 0.02 * span, span * wide.shape[1] + low), np.sort([*zeros, *(zeros + tick)]).tolist()
    x = numbers("place", f"mean {measure}", ends=ends, ticks=ticks, labelExpr=written, labelOverlap=False)
    y = names("data_set", list(wide.index), domain=False, ticks=False, labelFontSize=13)
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    plot = Plot(shown, x, y, look=("pairs", LOOKS), hover=hover, columns=0)
    plot.level(*zeros, along="x", color=BLACK)
    mean = shown["data_set"] == "mean"
    for rows, thick, size in ((mean, 4, 170), (~mean, 2, 80)):
        plot.spans("zero", "place", along="x", data=shown[rows], color=SILVER, strokeWidth=thick)
        plot.points(size, shown[rows])
    plot.words("said", shown[mean], dy=-16, fontSize=16, fontWeight="bold", color=INK)
    heads = plot.base(shown[mean].assign(name=shown["pairs"].map(NAMED)).drop(columns="data_set"), x="zero")
    heads = heads.mark_text(align="left", fontSize=13, fontWeight="bold", lineBreak=" ")
    plot.draw(heads.encode(y=alt.value(-37), text="name:N", color=plot.colour["color"]))
    about = f"Mean {measure} by data set for pairs: {', '.join(map(str, wide))}."
    return plot.done(title, about, ROW * len(wide))


def beside_chance(table: np.ndarray, looks: Looks, title: str) -> alt.LayerChart:
    """Draw a table of four counts as areas that meet in a corner, and in dashes how large chance would make each."""
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    cells = pd.DataFrame({"group": list(looks), "count": table.ravel(), "right": [-1, 1] * 2, "up": [1, 1, -1, -1]})
    cells["words"] = [f"{name}|by chance: {number(n, 1)}" for name, n in zip(looks, by_chance.ravel(), strict=True)]
    sides = {"filled": np.sqrt(table.ravel()), "dashed": np.sqrt(by_chance.ravel())}
    for name, side in sides.items():
        cells[f"{name}_x"], cells[f"{name}_y"] = side * cells["right"], side * cells["up"]
    top, bottom = np.max([*sides.values()], axis=0).reshape(2, 2).max(axis=1)
    end = 2.1 * max(top, bottom)  # as much room again for words
    cells["beside"] = np.max([*sides.values()], axis=0) * cells["right"]
    x, y = (
        numbers(f"filled_{of}", ends=ends) | {"axis": None} for of, ends in (("x", (-end, end)), ("y", (-bottom, top)))
    )
    plot = Plot(cells.assign(zero=0), x, y, look=("group", looks), columns=0)
    outline = {"fillOpacity": 0, "stroke": BLACK, "strokeWidth": 2, "strokeDash": DASHED}
    for name, drawn in (("filled", {"strokeWidth": 0}), ("dashed", outline)):
        area = plot.base(x=f"{name}_x", y=f"{name}_y").mark_rect(**drawn)
        plot.draw(area.encode(x2="zero:Q", y2="zero:Q", fill=plot.shape["fill"]))
    cells["middle"] = np.where(cells["up"] > 0, top, -bottom) / 2
    sizes: dict[str, dict[str, Any]] = {
        "count": {"dy": -12, "fontSize": 20, "fontWeight": "bold"},
        "words": {"dy": 8, "fontSize": 13, "lineBreak": "|", "lineHeight": 17},
    }
    for right, align in ((-1, "right"), (1, "left")):
        for field, size in sizes.items():
            words = plot.base(cells[cells["right"] == right], x="beside", y="middle")
            plot.draw(words.mark_text(**size | {"align": align, "dx": 8 * right}).encode(text=f"{field}:N"))
    about = "Four areas that meet in a corner, and dashed outlines of the areas that chance would give."
    return plot.done(title, about, AREAS, "area: number of pictures; dashed: what chance gives")


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per reader. A dot is a way, strong once tried.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.array(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, np.random.default_rng(seed).permutation(ways), True, axis=1)
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    x: Axis = {"shorthand": "start:Q", "axis": None, "scale": {"domain": [0, len(first)], "nice": False}}
    tiles = []
    for top, name in zip((0, ROW), readers, strict=True):
        fill = alt.when(f"datum['{name}']").then(alt.value(BLACK)).otherwise(alt.value(PALE))
        row = shown.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
        ends = {"y": alt.value(top), "y2": alt.value(top + ROW - 4)}
        word = alt.Chart(pd.DataFrame({"name": [name]})).mark_text(align="right", fontWeight="bold", fontSize=13)
        tiles.append(row.encode(alt.X(**x), x2="end:Q", fill=fill, **ends))
        tiles.append(word.encode(text="name:N", x=alt.value(-8), y=alt.value(top + ROW / 2 - 2)))
    same = shown.transform_filter(" === ".join(f"datum['{name}']" for name in readers))
    same = same.transform_calculate(start="datum.place + 0.5").mark_text(text="=", fontSize=18, color=BLACK)
    agreed = (rows == first).sum(axis=1)
    heap, height = _heap_of_ways(agreed, int((first == second).sum()), " and ".join(readers))
    chart = layer(*tiles, same.encode(alt.X(**x), y=alt.value(2 * ROW + 6)), heap)
    chart = chart.resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", START, (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles agree."
    return finish(chart, title, about, height, subtitle=UNDER)


def _heap_of_ways(agreed: np.ndarray, own: int, pair: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns, and point to the pair's own column and to the mean."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    level = dots.groupby("agree").cumcount()
    dots["beside"], dots["level"] = level % ACROSS - (ACROSS - 1) / 2, level // ACROSS
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends = ticks[0] - 1, ticks[-1] + 1
    x = numbers("place", "pictures on which they agree", ends=ends, ticks=ticks, grid=False, labelPadding=BELOW)
    height = 3 * ROW + DOT * tallest
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-0.5, tallest - 0.5], range=[height, 3 * ROW]))
    look = alt.when("datum.way === way").then(alt.value(MAGENTA)).when("datum.way < way").then(alt.value(SLATE))
    place = f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / width"
    heap = alt.Chart(dots).transform_calculate(place=place).mark_point(filled=True, opacity=1, size=50)
    marks = [heap.encode(alt.X(**x), y, color=look.otherwise(alt.value(PALE_GREY)))]
    above, below = height - DOT * (1 + (agreed == own).sum() / ACROSS), height + BELOW / 2 + 2
    beside: tuple[Any, ...] = {"align": "right", "dx": 2 * DOT, "dy": -15}, {"align": "left", "dx": 9}
    mean = agreed.mean()
    points = (own, above, "triangle-down", pair), (mean, below, "triangle-up", f"mean of all ways: {mean:g}")
    for (at, up, shape, words), how in zip(points, beside, strict=True):
        base = alt.Chart(pd.DataFrame({"place": [at], "words": [words]})).encode(alt.X(**x), y=alt.value(up))
        marks.append(base.mark_point(shape=shape, filled=True, opacity=1, size=90, color=BLACK))
        marks.append(base.mark_text(fontSize=13, fontWeight="bold", **how).encode(text="words:N"))
    return layer(*marks), height
