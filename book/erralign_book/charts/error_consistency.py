"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from scipy.stats import hypergeom

from erralign.plot.colours import BLACK, INK, PALE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS
from erralign.plot.words import number
from erralign_book.charts.grammar import slider

ROW, MARGIN = 22, 105  # pixels of a row, and of what is written beside it
SHUFFLES, DOT, START = 40, 9, 8  # dots in the heap, pixels from one to the next, and how many there are at first
UNDER = "frame: wrong; =: both right or both wrong; dot: a shuffle; columns: all possible shuffles"
BELOW = 22  # pixels between the heap's axis and its numbers, for what points to places on it
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
NAMED = {"people": ["two people"], "mixed": ["a person", "and a network"], "networks": ["two networks"]}


def _row_of_tiles(tiles: alt.Chart, x: Axis, name: str, top: int) -> list[alt.Chart]:
    """Draw a reader's tiles from start to end, framed where wrong, beside the reader's name."""
    place = {"y": alt.value(top), "y2": alt.value(top + ROW - 4)}
    wrong = alt.when("datum.wrong")
    fill, stroke = (wrong.then(alt.value(look)).otherwise(alt.value(PALE)) for look in (PAPER, INK))
    tiles = tiles.mark_rect(cornerRadius=2, strokeWidth=2)
    word = alt.Chart(pd.DataFrame({"name": [name]}))
    word = word.mark_text(align="right", fontWeight="bold", fontSize=13, lineBreak="|", lineHeight=14)
    return [
        tiles.encode(alt.X(**x | {"shorthand": "start:Q"}), x2="end:Q", **place, fill=fill, stroke=stroke),
        word.encode(text="name:N", x=alt.value(-8), y=alt.value(top + ROW / 2 - 7 * name.count("|"))),
    ]


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw one measure's mean over three kinds of pairs in each data set, and over the rows the means of all sets."""
    wide = values.rename(columns=PAIRS).filter(list(NAMED))
    rows = wide.loc[[name for name in SETS if name in wide.index]].rename(SETS).rename_axis("data_set").reset_index()
    shown = rows.melt("data_set", var_name="pairs")
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    y, x = names("data_set", rows["data_set"].to_list()), numbers("value", f"mean {measure} of the pairs")
    plot = Plot(shown, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    plot.level(0).spans("people", "mixed", data=rows, color=SILVER)
    for kind, size in (("mixed", 75), ("people", 75), ("networks", 120)):  # with rims, where marks meet on a phone
        plot.points(size, shown[shown["pairs"] == kind], stroke=PAPER, strokeWidth=1)
    return plot.draw(*_means(wide)).done(
        title, f"Mean {measure} by data set for pairs: {', '.join(map(str, wide))}.", ROW * len(rows)
    )


def _means(wide: pd.DataFrame) -> list[alt.Chart]:
    """Write the mean of each kind of pairs in large figures over the rows, with its mark and its name."""
    marks = []
    for place, (kind, mean) in enumerate(wide.mean().items()):
        look, base = LOOKS_OF_PAIRS[str(kind)], alt.Chart(pd.DataFrame([{"mean": number(mean, 2)}]))
        left = f"{place} * (width + {MARGIN}) / {wide.shape[1]} - {MARGIN}"
        words: Any = {"align": "left", "color": look.colour}
        mark: Any = {"filled": True, "fill": look.fill, "shape": look.shape, "size": 230 if kind == "networks" else 150}
        for right, y, drawn in (
            (7, -51, base.mark_point(opacity=1, **mark)),
            (20, -50, base.mark_text(fontSize=24, fontWeight="bold", **words).encode(text="mean:N")),
            (0, -30, base.mark_text(fontSize=13, text=NAMED[str(kind)], **words)),
        ):
            marks.append(drawn.encode(x=alt.value(alt.expr(f"{left} + {right}")), y=alt.value(y)))
    return marks


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, as the second one's answers are shuffled again and again.

    ``right`` says on which pictures each is right, a column per reader. A dot of the heap is a shuffle, and the
    columns behind it are all possible ones.
    """
    readers, rng, (first, second) = list(map(str, right)), np.random.default_rng(seed), right.to_numpy().T
    rows = np.array([rng.permutation(second) for _ in range(SHUFFLES)])
    dealt = pd.DataFrame(dict(zip(("shuffle", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    dealt["shuffle"] += 1
    dealt[readers] = ~np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(dealt).transform_filter("datum.shuffle === shuffle")
    x: Axis = {"shorthand": "start:Q", "axis": None, "scale": {"domain": [0, len(right)], "nice": False}}
    tiles = []
    for row, name in enumerate(readers):
        places = {"start": "datum.place + 0.04", "end": "datum.place + 0.96", "wrong": f"datum['{name}']"}
        said = f"{name},|shuffled" if row else name
        tiles += _row_of_tiles(shown.transform_calculate(**places), x, said, ROW * row)
    same = shown.transform_filter(" === ".join(f"datum['{name}']" for name in readers))
    same = same.transform_calculate(start="datum.place + 0.5").mark_text(text="=", fontSize=18, color=BLACK)
    tiles.append(same.encode(alt.X(**x), y=alt.value(2 * ROW + 6)))
    own, agreed, every = (first == second).sum(), (rows == first).sum(axis=1), _of_all(first, second)
    expected = np.average(every["place"], weights=every["high"] + 0.5)
    named = {f"{' and '.join(readers)}: {own}": own, f"mean by chance: {expected:g}": expected}
    heap, height = _heap_of_shuffles(pd.Series(agreed), every, named, 3 * ROW)
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("shuffle", f"shuffles of {readers[1]}", START, (1, SHUFFLES), 1))
    about = f"Two rows of {len(right)} tiles, and a heap of how many agree in {SHUFFLES} shuffles of the second row."
    return finish(chart, title, about, height, subtitle=UNDER)


def _of_all(first: np.ndarray, second: np.ndarray) -> pd.DataFrame:
    """Return on how many pictures two readers agree in all shuffles of the second one, as if there were as many."""
    n, wrong, others = len(first), (~first).sum(), (~second).sum()
    both = np.arange(max(0, wrong + others - n), min(wrong, others) + 1)
    dots = SHUFFLES * hypergeom.pmf(both, n, wrong, others)
    return pd.DataFrame({"place": n - wrong - others + 2 * both, "low": -0.5, "high": dots - 0.5})


def _heap_of_shuffles(
    agreed: pd.Series, every: pd.DataFrame, named: dict[str, float], top: int
) -> tuple[alt.LayerChart, int]:
    """Put a dot for each shuffle into columns, as far as the reader has come, and point to two places from below."""
    level = agreed.groupby(agreed).cumcount()
    dots = pd.DataFrame({"shuffle": agreed.index + 1, "place": agreed, "level": level})
    (least, most), tallest = every["place"].agg(["min", "max"]), max(level.max() + 0.5, every["high"].max())
    words, ticks = "pictures on which they agree", every["place"].to_list()
    x = numbers("place", words, ends=(least - 1.5, most + 1), ticks=ticks, grid=False, labelPadding=BELOW)
    height = top + int(DOT * (tallest + 0.5))
    up = alt.Scale(domain=[-0.5, tallest], range=[height, top])
    columns = alt.Chart(every).mark_bar(size=3 * DOT, fillOpacity=0, stroke=PALE_GREY, strokeWidth=2)
    columns = columns.encode(alt.X(**x), alt.Y("low:Q", axis=None, scale=up), y2="high:Q")
    heap = alt.Chart(dots).transform_filter("datum.shuffle <= shuffle")
    heap = heap.mark_point(shape="circle", filled=True, opacity=1, size=50)
    last = alt.when("datum.shuffle === shuffle").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    marks = [columns, heap.encode(alt.X(**x), alt.Y("level:Q", axis=None, scale=up), color=last)]
    looks: tuple[Any, ...] = ("right", -9), ("left", 9)
    for (words, at), (align, dx) in zip(named.items(), looks, strict=True):
        base = alt.Chart(pd.DataFrame({"place": [at], "words": [words]}))
        base = base.encode(alt.X(**x), y=alt.value(height + BELOW / 2 + 2))
        marks.append(base.mark_point(shape="triangle-up", filled=True, opacity=1, size=90, color=BLACK))
        word = base.mark_text(align=align, dx=dx, fontSize=13, fontWeight="bold")
        marks.append(word.encode(text="words:N"))
    return layer(*marks), height
