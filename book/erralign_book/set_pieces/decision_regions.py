"""The chart of decision regions (Xu et al. 2024, Figure 2): data to move over two systems' decisions."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, PALE, PALE_GREY, SLATE, TILE_GREY
from erralign.plot.finishing import entitle, layer, tooltips
from erralign.plot.theme import Look, colour, only
from erralign_book.charts.grammar import DRAGGABLE, slider

SIDE, WIDTH_OF_VALUES = 300, 280  # pixels
CROWD = 0.35  # how much is seen of what the cloud leaves out
# Answers to a picture: the more is wrong, and wrong alike, the stronger.
OUTCOMES = {
    "both right": Look(PALE),
    "only A right": Look(PALE_GREY),
    "only B right": Look(TILE_GREY),
    "both wrong, same answer": Look(BLACK),
    "both wrong, other answers": Look(SLATE),
}
CLASSES = ("cat", "dog", "fox")
PICTURES = 1000  # in the cloud
SAID = {"true class": "truth", "A says": "a", "B says": "b"}
ABOUT = (
    "A square of data space, coloured by who is right there; from left to right the true class is cat, dog, fox. "
    "Three sliders move and widen a cloud of data over it; beside it, points show EC and MA of the cloud, "
    "and a key says which share of it is in regions of each colour."
)


def decision_regions(regions: pd.DataFrame) -> alt.HConcatChart:
    """Draw where two systems are right and wrong; the reader moves the data over it (Xu et al. 2024, Figure 2)."""
    a_right, b_right = regions["a"] == regions["truth"], regions["b"] == regions["truth"]
    *names, otherwise = OUTCOMES
    outcome = np.select([a_right & b_right, a_right, b_right, regions["a"] == regions["b"]], names, otherwise)
    base = alt.Chart(regions.assign(outcome=outcome)).transform_calculate(w=_WEIGHT)
    cells = round(len(regions) ** 0.5)
    space = layer(_map_of_outcomes(base, cells), *_true_bands(regions, cells), *_cloud())
    values = _measures_in_the_browser(base).properties(width=WIDTH_OF_VALUES, height=64)
    sliders = [slider("across", "left to right", 0.5, (0, 1), 0.02), slider("up", "down to up", 0.14, (0, 1), 0.02)]
    sliders.append(slider("spread", "spread", 0.12, (0.04, 0.4), 0.02))
    drawn = alt.hconcat(space, alt.vconcat(values, _key(base))).add_params(*sliders)
    return entitle(drawn.resolve_scale(color="independent"), "The same two systems: MA depends on the pictures", ABOUT)


_WEIGHT = "exp(-((datum.x - across) * (datum.x - across) + (datum.y - up) * (datum.y - up)) / (2 * spread * spread))"


def _map_of_outcomes(base: alt.Chart, cells: int) -> alt.Chart:
    said = {name: f"{list(CLASSES)}[datum.{column}]" for name, column in SAID.items()}
    tiles = base.transform_calculate(**said).mark_rect().properties(width=SIDE, height=SIDE // cells * cells)
    return tiles.encode(
        alt.X("x:O", axis=None),
        alt.Y("y:O", axis=None, sort="descending"),
        alt.Opacity("w:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[CROWD, 1])),
        colour("outcome", only(OUTCOMES, base.data["outcome"]), legend=None),
        tooltip=tooltips(["outcome", *(f"{name}:N" for name in SAID)]),
    )


def _true_bands(regions: pd.DataFrame, cells: int) -> list[alt.Chart]:
    """Name the bands of the true classes above the map, with a thin line between each two."""
    in_each = regions.groupby("truth")["x"].nunique() * SIDE / cells
    ends = in_each.cumsum()
    here = alt.Chart(alt.Data(values=[{}]))
    lines = [here.mark_rule(strokeDash=[4, 3]).encode(x=alt.value(float(end))) for end in ends.iloc[:-1]]
    names = [
        here.mark_text(fontSize=12, text=f"true {name}").encode(x=alt.value(float(end - width / 2)), y=alt.value(-9))
        for name, end, width in zip(CLASSES, ends, in_each, strict=True)
    ]
    return lines + names


def _cloud() -> list[alt.Chart]:
    """Outline the data: one and two standard deviations around their middle; the inner outline can be dragged."""
    here = alt.Chart(alt.Data(values=[{}]))
    x, y = (alt.value(alt.ExprRef(f"{SIDE} * {place}")) for place in ("across", "(1 - up)"))
    inner, outer = (alt.ExprRef(f"pow({2 * deviations * SIDE} * spread, 2)") for deviations in (1, 2))
    wide = here.mark_point(clip=True, size=outer, color=INK, opacity=1, strokeDash=[6, 3], strokeWidth=1.5)
    middle = here.properties(name=DRAGGABLE)
    middle = middle.mark_point(clip=True, size=inner, color=INK, opacity=1, fill="transparent", strokeWidth=2.5)
    return [each.encode(x=x, y=y) for each in (wide, middle)]


def _key(base: alt.Chart) -> alt.LayerChart:
    """Name the colours, each with the share of the data that lies there."""
    looks = only(OUTCOMES, base.data["outcome"])
    shares = base.transform_aggregate(w="sum(w)", groupby=["outcome"]).transform_joinaggregate(all="sum(w)")
    shares = shares.transform_calculate(words="datum.outcome + ': ' + format(100 * datum.w / datum.all, '.0f') + ' %'")
    rows = shares.encode(y=alt.Y("outcome:N", sort=list(looks), axis=None))
    tile = rows.mark_square(size=170, opacity=1, stroke=GREY, strokeWidth=1)
    tile = tile.encode(colour("outcome", looks, legend=None), x=alt.value(8))
    words = rows.mark_text(align="left", fontSize=12).encode(x=alt.value(24), text="words:N")
    return layer(tile, words).properties(width=WIDTH_OF_VALUES, height=24 * len(looks))


def _measures_in_the_browser(base: alt.Chart) -> alt.LayerChart:
    names: list[Any] = ["EC", "MA"]
    label = "isValid(datum.value) ? format(datum.value, '.2f') : 'no joint errors'"
    measures = _counts(base).transform_calculate(EC=_EC, MA=_MA).transform_fold(names, as_=["measure", "value"])
    rows = measures.transform_calculate(label=label).encode(y=alt.Y("measure:N", sort=names, title=None))
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1])
    x = alt.X("value:Q", title="value", scale=alt.Scale(domain=[-1, 1.6]), axis=axis)
    text = rows.mark_text(align="right", fontSize=13).encode(x=alt.value(WIDTH_OF_VALUES - 4), text="label:N")
    return layer(rows.mark_point(filled=True, opacity=1, size=110, color=BLACK).encode(x), text)


def _counts(base: alt.Chart) -> alt.Chart:
    sums = _sums()
    weighted = base.transform_calculate(**{name: f"({test}) ? datum.w : 0" for name, test in sums.items()})
    totals: dict[str, Any] = {"all": "sum(w)"} | {f"s{name}": f"sum({name})" for name in sums}
    shares = {name: f"datum.s{name} * {PICTURES} / datum.all" for name in sums}
    return weighted.transform_aggregate(**totals).transform_calculate(**shares)


def _sums() -> dict[str, str]:
    """Return which cells count where: the four outcomes, equal answers, and joint errors by answer."""
    is_right = ("!==", "===")
    right = "datum.a {} datum.truth && datum.b {} datum.truth".format
    sums = {f"n{a}{b}": right(is_right[a], is_right[b]) for a, b in ((1, 1), (0, 0), (1, 0), (0, 1))}
    both_wrong = sums["n00"]
    sums["same"] = f"{both_wrong} && datum.a === datum.b"
    for s in "ab":
        sums |= {f"j{s}{k}": f"{both_wrong} && datum.{s} === {k}" for k in range(3)}
    return sums


_EC = (
    "2 * (datum.n11 * datum.n00 - datum.n10 * datum.n01) / ((datum.n11 + datum.n10) * (datum.n10 + datum.n00)"
    " + (datum.n11 + datum.n01) * (datum.n01 + datum.n00))"
)


_CHANCE = " + ".join(f"datum.ja{k} * datum.jb{k}" for k in range(3))


# Fewer than half a joint error among the expected pictures: nothing that MA could be about.
_MA = f"datum.n00 < 0.5 ? null : (datum.n00 * datum.same - ({_CHANCE})) / (datum.n00 * datum.n00 - ({_CHANCE}))"
