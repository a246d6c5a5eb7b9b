"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, PAPER, SILVER
from erralign.plot.grammar import DASHED, Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS
from erralign.plot.words import number
from erralign_book.charts.grammar import slider

ROW = 22  # pixels of a row of tiles
SHUFFLES, BESIDE, GAP = 120, 4, 0.22  # dots beside each other in a column of the heap, and how far apart
# The fourteen sets, by what was done to their pictures.
SETS = {
    "colour": "colour or grey",
    "contrast": "low contrast",
    "eidolonI": "wobbly outlines",
    "eidolonII": "broken outlines",
    "eidolonIII": "dissolved outlines",
    "false-colour": "false colours",
    "high-pass": "fine lines only",
    "low-pass": "blur",
    "phase-scrambling": "waves shifted",
    "power-equalisation": "waves equalised",
    "rotation": "turned",
    "sketch": "sketches",
    "stylized": "repainted",
    "uniform-noise": "noise",
}
NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "mixed": ("a person and a network", {"align": "right", "dx": 4, "dy": -17}),
    "people": ("two people", {"align": "left", "dx": -4, "dy": -17}),
    "networks": ("two networks", {"dy": -33}),
}


def _row_of_tiles(tiles: alt.Chart, x: Axis, name: str, top: int) -> list[alt.Chart]:
    """Draw a reader's tiles from start to end, framed where wrong, beside the reader's name."""
    place = {"y": alt.value(top), "y2": alt.value(top + ROW - 4)}
    wrong = alt.when("datum.wrong")
    fill, stroke = (wrong.then(alt.value(look)).otherwise(alt.value(PALE)) for look in (PAPER, INK))
    tiles = tiles.mark_rect(cornerRadius=2, strokeWidth=2)
    word = alt.Chart(pd.DataFrame({"name": [name]})).mark_text(align="right", fontWeight="bold", fontSize=13)
    return [
        tiles.encode(alt.X(**x | {"shorthand": "start:Q"}), x2="end:Q", **place, fill=fill, stroke=stroke),
        word.encode(text="name:N", x=alt.value(-8), y=alt.value(top + ROW / 2)),
    ]


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw one measure's mean over three kinds of pairs: over all data sets, and below in each, by that of people."""
    wide = values.rename(columns=PAIRS, index=SETS).sort_values("people", ascending=False).filter(list(LOOKS_OF_PAIRS))
    mean = f"mean of {len(wide)} sets"
    wide = pd.concat([wide.mean().to_frame(mean).T, wide]).rename_axis("data_set").reset_index()
    shown = wide.melt("data_set", var_name="pairs", value_name="value").dropna()
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    bold: Any = {"condition": {"test": f"datum.value === '{mean}'", "value": "bold"}, "value": "normal"}
    x = numbers("value", f"mean {measure} of the pairs")
    y = names("data_set", list(wide["data_set"]), labelFontWeight=bold)
    plot = Plot(shown, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    for row, thick, size in (("!==", 2, 80), ("===", 6, 220)):
        plot.where = f"datum.data_set {row} '{mean}'"
        plot.spans("people", "mixed", data=wide, strokeWidth=thick, color=SILVER).points(size)
    for pairs, named in shown.groupby("pairs"):
        words, place = NAMED[str(pairs)]
        said = f"{words} {number(wide[pairs].iloc[0], 2)}"
        plot.words("said", named.assign(said=said), fontWeight="bold", **place)
    about = f"Mean {measure} by data set for pairs: {', '.join(shown['pairs'].unique())}."
    return plot.done(title, about, ROW * len(wide))


def by_chance(right: pd.DataFrame, expected: float, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, as the second one's answers are shuffled again and again.

    ``right`` says on which pictures each is right, a column per reader. A dot of the heap is a shuffle.
    """
    readers, rng, (first, second) = list(map(str, right)), np.random.default_rng(seed), right.to_numpy().T
    rows = np.array([second, *(rng.permutation(second) for _ in range(SHUFFLES))])
    dealt = pd.DataFrame(dict(zip(("shuffle", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    dealt[readers] = ~np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(dealt).transform_filter("datum.shuffle === shuffle")
    x: Axis = {"shorthand": "start:Q", "axis": None, "scale": {"domain": [0, len(right)], "nice": False}}
    tiles = []
    for row, name in enumerate(readers):
        places = {"start": "datum.place + 0.04", "end": "datum.place + 0.96", "wrong": f"datum['{name}']"}
        tiles += _row_of_tiles(shown.transform_calculate(**places), x, name, ROW * row)
    same = shown.transform_filter(" === ".join(f"datum['{name}']" for name in readers))
    same = same.transform_calculate(start="datum.place + 0.5").mark_text(text="=", fontSize=18, color=BLACK)
    tiles.append(same.encode(alt.X(**x), y=alt.value(2 * ROW + 6)))
    own, *agreed = (rows == first).sum(axis=1).tolist()
    named = {f"{' and '.join(readers)}: {own}": own, f"by chance: {expected:g}": expected}
    heap, height = _heap_of_shuffles(pd.Series(agreed), named, 3 * ROW)
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("shuffle", f"shuffles of {readers[1]}", 60, (0, SHUFFLES), 1))
    about = f"Two rows of {len(right)} tiles, and a heap of how many agree in {SHUFFLES} shuffles of the second row."
    return finish(chart, title, about, height, subtitle="frame: wrong; =: both right or both wrong; dot: a shuffle")


def _heap_of_shuffles(agreed: pd.Series, named: dict[str, float], top: int) -> tuple[alt.LayerChart, int]:
    """Heap a dot for each shuffle, some beside each other, as far as the reader has come, beside two named places."""
    level, beside = divmod(agreed.groupby(agreed).cumcount(), BESIDE)
    place = (agreed + GAP * (beside - (BESIDE - 1) / 2)).round(3)
    dots = pd.DataFrame({"shuffle": agreed.index + 1, "place": place, "level": level})
    ends = agreed.min() - 1.5, agreed.max() + 1
    x = numbers("place", "pictures on which they agree", ends=ends, ticks=sorted(agreed.unique()), grid=False)
    levels, wide = level.max() + 1, f"min(13, {GAP / (ends[1] - ends[0])} * width)"
    height = top + 30 + 13 * levels
    up = alt.Scale(domain=[-0.5, levels], range=[height, alt.expr(f"{height} - {levels + 0.5} * {wide}")])
    heap = alt.Chart(dots).transform_filter("datum.shuffle <= shuffle")
    heap = heap.mark_point(shape="circle", filled=True, opacity=1, size=alt.expr(f"pow(0.85 * {wide}, 2)"))
    last = alt.when("datum.shuffle === shuffle").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    marks = [heap.encode(alt.X(**x), alt.Y("level:Q", axis=None, scale=up), color=last)]
    looks: tuple[Any, ...] = ([1, 0], "right", -6), (DASHED, "left", 6)
    for (words, at), (dash, align, dx) in zip(named.items(), looks, strict=True):
        base = alt.Chart(pd.DataFrame({"place": [at], "words": [words]})).encode(alt.X(**x), y=alt.value(top + 12))
        word = base.mark_text(align=align, dx=dx, fontSize=13, fontWeight="bold")
        line = base.mark_rule(strokeWidth=2, strokeDash=dash, color=BLACK)
        marks += [line.encode(y2=alt.value(height)), word.encode(text="words:N")]
    return layer(*marks), height
