"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, GREY, ORANGE, PALE, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, number, with_interval
from erralign_book.charts.grammar import slider

ROW, SIDE = 24, 22  # pixels of a row of tiles, and of a row of pairs
HIGH, TILE, HEAD, STRIP = 6, 9, 22, 172  # tiles in a column; pixels of a tile, above two bands of tiles, and of both
DOT, ACROSS = 7, 9  # pixels from one dot to the next, dots beside each other
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
BELOW = 22  # pixels between an axis and its numbers, for what points to places on it
# The fourteen sets, by what was done to their pictures.
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
# Of pairs, as the mean says them; people are drawn last, on top.
KINDS = {"networks": "two networks ", "mixed": "a person and a network ", "people": "two people "}


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str, lead: pd.Series | None = None) -> alt.LayerChart:
    """Draw one measure's means over kinds of pairs, and the lead of two people as a line; below, paler, each data set.

    The mean lead, with the limits of its interval, is told above.
    """
    wide = values.rename(columns=PAIRS, index=SETS).filter(list(KINDS))
    wide = wide.loc[(wide["people"] - wide["mixed"]).sort_values(ascending=False).index]
    wide = pd.concat([wide.mean().to_frame("mean").T, wide]).rename_axis("data_set").reset_index()
    marks = wide.melt("data_set", var_name="pairs")
    marks["said"] = marks["pairs"].map(KINDS) + [number(value, 2) for value in marks["value"]]
    bold = {"condition": {"test": "slice(datum.value, 0, 4) === 'mean'", "value": "bold"}, "value": "normal"}
    order = [" ", "mean", "", *wide["data_set"][1:]]
    plain: Axis = {"domain": False, "ticks": False, "labelFontSize": 13, "labelPadding": 8}
    y = names("data_set", order, scale={"domain": order}, labelFontWeight=bold, **plain)
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    x = numbers("value", f"mean {measure}", scale={"zero": True}, orient="top", grid=False)
    plot = Plot(marks, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    zero = plot.base(pd.DataFrame({"value": [0], "data_set": "mean", "last": wide["data_set"].iloc[-1]}))
    plot.draw(zero.mark_rule(color=BLACK, strokeWidth=1.5).encode(y2="last:N"))
    for part, opacity, width in ((slice(0, 1), 1, 7), (slice(1, None), 0.8, 3)):
        of_sets = marks[marks["data_set"].isin(wide["data_set"][part])]
        plot.spans("mixed", "people", data=wide[part], color=SILVER, strokeWidth=width, opacity=opacity)
        plot.points(22 * width + 40, of_sets, opacity=opacity)
    for pairs in wide.columns[1:]:
        mean = marks.query("data_set == 'mean' and pairs == @pairs")
        plot.words("said", mean, dy=-18 if pairs == "mixed" else 20, fontSize=14, fontWeight="bold", color=BLACK)
    about = f"Mean {measure} by data set for pairs: {', '.join(map(str, wide.columns[1:]))}."
    ahead = "" if lead is None else f"on average two people lead by {with_interval(*lead)}; "
    under = f"{ahead}pale: each set of pictures, sorted by that lead"
    return plot.done(title, about, SIDE * len(order), under)


def beside_chance(table: np.ndarray, title: str, who: str) -> alt.LayerChart:
    """Draw on which pictures people and on which networks fail, those that fool both below each other.

    Below that, how they would lie by chance. ``table`` counts both, only people, only networks, and neither.
    """
    n, height = int(table.sum()), 2 * STRIP - TILE
    bands = alt.Chart(_bands(table, who))
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))
    x = alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, -(-n // HIGH)], nice=False))
    tiles = (
        bands.transform_calculate(tile=f"sequence({n})")
        .transform_flatten(["tile"])
        .transform_calculate(
            left=f"floor(datum.tile / {HIGH})",
            right="datum.left + 1",
            top=f"datum.top + {TILE} * (datum.tile % {HIGH})",
            bottom=f"datum.top + {TILE}",
        )
    )
    colours = alt.Scale(domain=["people", "networks"], range=[ORANGE, BLUE])
    fails = alt.when("datum.tile >= datum.begin && datum.tile < datum.end")
    fill = fails.then(alt.Fill("whose:N", scale=colours, legend=None)).otherwise(alt.value(PALE))
    rects = tiles.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(x, y, x2="right:Q", y2="bottom:Q", fill=fill)
    last, under = bands.transform_filter("datum.whose === 'networks'"), alt.Y("under:Q", axis=None)
    first, margin = bands.transform_filter("datum.whose === 'people'"), alt.value(-68)
    marks = (
        last.mark_rule(strokeWidth=4, color=BLACK).encode(x, under, x2="joint:Q"),
        last.mark_text(**BOLD, align="left", dy=13).encode(x, under, text="both:N"),
        last.mark_text(fontSize=13, align="right", dy=13).encode(under, x=alt.value("width"), text="neither:N"),
        first.mark_text(**BOLD | {"fontSize": 14}, align="left", dy=-12).encode(y, x=margin, text="name:N"),
        bands.mark_text(fontSize=13, align="left", dy=22, lineBreak="\n").encode(y, x=margin, text="said:N"),
    )
    about = f"Two strips of tiles for {n} pictures: who {who} on which of them, as counted and by chance."
    return finish(
        layer(rects, *marks),
        title,
        about,
        height,
        subtitle=f"coloured: they {who}; blue tiles show the same pictures in the same order",
    )


def _bands(table: np.ndarray, who: str) -> pd.DataFrame:
    """Place two bands for what was counted and two for chance: where coloured tiles begin and end, and all words."""
    chance, rows = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum(), []
    for place, (name, counts) in enumerate({"counted": table, "by chance": chance.round()}.items()):
        both, people, networks, neither = map(int, counts.ravel())
        for whose, begin, end in (("people", 0, people + both), ("networks", people, people + both + networks)):
            row = {"name": name, "whose": whose, "begin": begin, "end": end, "said": f"{whose}\n{who} on {end - begin}"}
            top = HEAD + (HIGH * TILE + 3) * (whose == "networks") + STRIP * place
            of_both = {
                "joint": (people + both - 1) // HIGH + 1,
                "both": f"{both} both",
                "neither": f"{neither} neither",
            }
            rows.append(row | of_both | {"top": top, "left": begin // HIGH, "under": top + HIGH * TILE + 4})
    return pd.DataFrame(rows)


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per reader. A dot is a way that was tried, and black now.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.random.default_rng(seed).permutation(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, ways, True, axis=1)
    rows = rows[np.argsort((rows == second).all(axis=1), kind="stable")]  # the reader's own way comes last
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, len(first)], nice=False))
    row = shown.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
    black = [f"datum['{name}']" for name in readers]
    layers = zip((0, ROW, 2 * ROW + 6), (ROW - 4, ROW - 4, 3), [*black, " === ".join(black)], strict=True)
    words = alt.Chart(pd.DataFrame({"row": [*readers, "agree"], "top": [10, 34, 55]}))
    words = words.encode(y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    tiles: list[Any] = [words.mark_text(align="left", **BOLD).encode(x=alt.value(-60))]
    for top, high, is_black in layers:
        fill = alt.when(is_black).then(alt.value(BLACK)).otherwise(alt.value(PALE if high > 3 else PAPER))
        tiles.append(row.encode(x, x2="end:Q", fill=fill, y=alt.value(top), y2=alt.value(top + high)))
    own = int((first == second).sum())
    heap, height = _heap_of_ways((rows == first).sum(axis=1), own, " and ".join(readers))
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", len(ways), (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles agree."
    return finish(chart, title, about, height, subtitle="a dot is one way to place Stranger's mistakes")


def _heap_of_ways(agreed: np.ndarray, own: int, pair: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns, and point to the pair's own column and to the mean."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    level = dots.groupby("agree").cumcount()
    across, dots["level"] = level % ACROSS, level // ACROSS
    dots["beside"] = (across + 1) // 2 * (1 - 2 * (across % 2))  # from the middle to both sides
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends = ticks[0] - 1, ticks[-1] + 1
    x = numbers("place", "tiles that agree", ends=ends, ticks=ticks, grid=False, labelPadding=BELOW, titlePadding=10)
    height = 5 * ROW + DOT * tallest
    y = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[-0.5, tallest - 0.5], range=[height, 5 * ROW]))
    look = alt.when("datum.way === way").then(alt.value(BLACK)).otherwise(alt.value(GREY))
    place = f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / width"
    heap = alt.Chart(dots).transform_filter("datum.way <= way").transform_calculate(place=place)
    marks = [heap.mark_point(filled=True, opacity=1, size=30).encode(alt.X(**x), y, color=look)]
    counts = heap.transform_aggregate(n="count()", level="max(level)", groupby=["agree"]).mark_text(fontSize=13, dy=-12)
    marks += [counts.encode(alt.X(**x | {"shorthand": "agree:Q"}), y, text="n:Q")]
    now = dots[["way"]].assign(mean=(agreed.cumsum() / dots["way"]).round(2), own=own)
    now["top"] = np.ceil((agreed == own).cumsum() / ACROSS) + 3.2  # above the pair's own column
    shown = alt.Chart(now).transform_filter("datum.way === way")
    at_own: tuple[Any, ...] = ("own", alt.Y("top:Q", axis=None), f"'{pair}: {own}'", "right", 3 * DOT, -15)
    at_mean: tuple[Any, ...] = ("mean", alt.value(height + BELOW / 2 + 2), "'mean so far ' + datum.mean", "left", 9, 0)
    for place, up, words, align, dx, dy in (at_own, at_mean):
        base = shown.transform_calculate(place=f"datum.{place}", words=words).encode(alt.X(**x), y=up)
        text = base.mark_text(**BOLD, align=align, dx=dx, dy=dy).encode(text="words:N")
        marks += [base.mark_tick(orient="vertical", size=14, thickness=2, color=BLACK), text]
    return layer(*marks), height
