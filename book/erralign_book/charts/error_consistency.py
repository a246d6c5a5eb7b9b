"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.plot.colours import BLACK, GREY, PALE, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, WHOSE, number, with_interval
from erralign_book.charts.grammar import slider

ROW, SIDE = 24, 22  # pixels of a row of tiles, and of a row of pairs
DOT, ACROSS = 7, 4  # pixels from one dot to the next, dots beside each other
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
TOP = 24  # pixels above tiles, for words
# What two programs miss of two cars in each of six photographs, and which bushes both take for cars.
CARS, BUSHES = {"P": "101010000000", "Q": "010101000000"}, "111000000000"
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


def beside_chance(table: np.ndarray, title: str, who: str, easy: range) -> alt.LayerChart:
    """Draw on how many pictures people and networks fail, as bars, and mark where both do; below, the same by chance.

    ``table`` counts the pictures on which both fail, only people, only networks, and neither; a slider adds some that
    are ``easy`` for all, beyond the right end.
    """
    n, parts = int(table.sum()), [_counts_beside_chance(table, who, more) for more in easy]
    bars, below, ec = (pd.concat(each).assign(first=0, all=n) for each in zip(*parts, strict=True))
    x = numbers("left", "pictures", ends=(0, n), ticks=range(0, n + 1, n // 4), grid=False)
    y = numbers("top", ends=(274, 0)) | {"axis": None}
    plot = Plot(bars, x, y, look=("whose", WHOSE), columns=0, where="datum.easy === easy")
    plot.draw(plot.base(x="first").mark_bar(height=28, color=PALE).encode(x2="all:Q")).bars("right", height=28)
    plot.words("said", x="right", align="left", dx=8, fontSize=13, color=BLACK)
    plot.spans("left", "end", along="x", data=below, strokeWidth=3, color=BLACK)
    sides = (plot.base(below, x=end).mark_rule(strokeWidth=3, color=BLACK) for end in ("left", "end"))
    plot.draw(*(side.encode(y2="up:Q") for side in sides))
    for field, at, down in (("name", "first", -75), ("both", "left", 14), ("neither", "all", 14)):
        plot.words(field, below, x=at, align="right" if at == "all" else "left", dy=down, color=BLACK, **BOLD)
    plot.words("said", ec, x="first", align="left", color=BLACK, **BOLD)
    plot.params = [slider("easy", "easy pictures added", easy[0], (easy[0], easy[-1]), easy.step)]
    about = f"Bars for those of {n} pictures on which people and networks {who}, as counted and by chance."
    return plot.done(title, about, 274)


def _counts_beside_chance(table: np.ndarray, who: str, easy: int) -> list[pd.DataFrame]:
    """Return the bars, what is below them, and the words for EC, once pictures that are easy for all were added."""
    counted, bars, below = np.add(table, [[0, 0], [0, easy]]), [], []
    chance = np.outer(counted.sum(axis=1), counted.sum(axis=0)) / counted.sum()
    for name, top, counts in (("counted", 40, counted), ("by chance", 160, chance)):
        both, people, networks, neither = counts.ravel()
        words = {of: f"{each:,.1f} {of}".replace(".0", "") for of, each in (("both", both), ("neither", neither))}
        below.append(words | {"name": name, "left": people, "end": people + both, "top": top + 51, "up": top - 18})
        for whose, left, size, down in (("people", 0, people + both, 0), ("networks", people, both + networks, 32)):
            said, place = f"{whose} {who} on {size:g}", {"left": left, "right": left + size, "top": top + down}
            bars.append(place | {"whose": whose, "said": said})
    agree, n, expected = (f"{count:,.0f}" for count in (np.trace(counted), counted.sum(), np.trace(chance)))
    value = error_consistency_from_counts(counted)
    ec = {"said": f"EC = ({agree} − {expected})/({n} − {expected}) = {value:.2f}", "top": 252}
    return [pd.DataFrame(rows).assign(easy=easy) for rows in (bars, below, [ec])]


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
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()]).astype(int)  # shorter in the page
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    tiles = _tiles(shown, readers, len(first))
    own = int((first == second).sum())
    heap, height = heap_of_ways((rows == first).sum(axis=1), own, " and ".join(readers), "tiles that agree")
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", 30, (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles agree."
    return finish(chart, title, about, height, subtitle="a dot is one way to place Stranger's mistakes")


def _tiles(rows: alt.Chart, readers: Sequence[str], end: float, top: int = 0) -> list[Any]:
    """Draw a row of tiles for each of two readers, black where it is wrong, and a line below where both are alike."""
    x = alt.X("start:Q", axis=None, scale=alt.Scale(domain=[0, end], nice=False))
    row = rows.transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96").mark_rect(cornerRadius=2)
    words = alt.Chart(pd.DataFrame({"row": [*readers, "agree"], "top": [top + 10, top + 34, top + 55]}))
    words = words.encode(y=alt.Y("top:Q", axis=None, scale=None), text="row:N")
    marks: list[Any] = [words.mark_text(align="left", **BOLD).encode(x=alt.value(-60))]
    black = [f"datum['{name}']" for name in readers]
    layers = zip((0, ROW, 2 * ROW + 6), (ROW - 4, ROW - 4, 3), [*black, " === ".join(black)], strict=True)
    for down, high, is_black in layers:
        fill = alt.when(is_black).then(alt.value(BLACK)).otherwise(alt.value(PALE if high > 3 else PAPER))
        marks.append(row.encode(x, x2="end:Q", fill=fill, y=alt.value(top + down), y2=alt.value(top + down + high)))
    return marks


def trials(title: str) -> alt.LayerChart:
    """Draw on which cars and bushes two programs err, and for each kind of trial their EC, on a rail from −1 to 1."""
    both, n = np.array([[*(cars + BUSHES)] for cars in CARS.values()]) == "1", len(BUSHES)
    place = np.arange(2 * n) + 0.5 * (np.arange(2 * n).clip(max=n) // 2) + 0.5  # room round each photograph
    end, photographs = place[-1] + 1, both[:, :n].reshape(2, -1, 2).any(axis=2)
    heads = pd.DataFrame({"said": ["cars, by photograph", "bushes"], "start": [0, place[n]], "top": 8})
    pairs = pd.DataFrame({"start": place[:n:2] - 0.1, "end": place[1:n:2] + 1.1, "top": TOP - 5})
    plot = Plot(heads, numbers("start", ends=(0, end)) | {"axis": None}, numbers("top") | {"axis": None, "scale": None})
    frames = plot.base(pairs).mark_rect(filled=False, stroke=GREY, strokeWidth=1.5, cornerRadius=3)
    rows = alt.Chart(pd.DataFrame(dict(zip(CARS, both, strict=True))).assign(place=place))
    plot.draw(frames.encode(x2="end:Q", y2=alt.value(TOP + 2 * ROW + 1)), *_tiles(rows, list(CARS), end, TOP))
    plot.words("said", align="left", color=BLACK, fontSize=13)
    kinds = {"cars": both[:, :n], "photographs": photographs, "cars and bushes": both}
    rails = pd.DataFrame({"EC": [_ec(*wrong) for wrong in kinds.values()], "low": -1, "high": 1})
    rails["said"] = [f"{wrong.shape[1]} {name}: EC " for name, wrong in kinds.items()]
    rails["said"] += [number(value, 2) for value in rails["EC"]]
    chart = layer(plot.drawn(), _on_rails(rails.assign(top=[130, 176, 222]), plot.y)).resolve_scale(x="independent")
    about = f"Two rows of {2 * n} tiles, cars and bushes; {', '.join(rails['said'])}."
    return finish(chart, title, about, 240, subtitle="tiles that stand out: a missed car, or a box on a bush")


def _on_rails(values: pd.DataFrame, y: Axis) -> alt.LayerChart:
    """Draw EC of two programs, each on a rail of its own from −1 to 1, with its words above."""
    x = numbers("EC", "EC (0: as by chance)", ends=(-1.03, 1.03), ticks=[-1, -0.5, 0, 0.5, 1], grid=False)
    rails = Plot(values, x, y).spans("low", "high", along="x", color=SILVER, strokeWidth=4)
    zero = rails.base(values.assign(EC=0)).mark_tick(orient="vertical", size=18, thickness=2, color=BLACK)
    rails.draw(zero).points(200, shape="square", color=WHOSE["networks"].colour)
    return rails.words("said", x="low", align="left", dy=-18, color=BLACK, **BOLD).drawn()


def _ec(first: np.ndarray, second: np.ndarray) -> float:
    """Return the EC of two readers, by where each is wrong."""
    return error_consistency_from_counts([[(a & b).sum() for b in (second, ~second)] for a in (first, ~first)])


def heap_of_ways(
    agreed: np.ndarray,
    own: int,
    pair: str,
    what: str,
    *,
    top: int = 4 * ROW,
    across: int = ACROSS,
    digits: int = 2,
    wide: int | str = "width",
) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns, below ``top`` pixels, and point to the pair's own column and to the mean.

    Beside another chart the heap is given how many pixels it is ``wide``: Vega knows only the width of a whole chart.
    """
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    level = dots.groupby("agree").cumcount()
    beside, dots["level"] = level % across, level // across
    dots["beside"] = (beside + 1) // 2 * (1 - 2 * (beside % 2))  # from the middle to both sides
    tallest, ticks = int(dots["level"].max()) + 1, sorted({own, *agreed.tolist()})
    ends = ticks[0] - 1, ticks[-1] + 1
    x = numbers("place", what, ends=ends, ticks=ticks, grid=False)
    height = top + 2 * ROW + DOT * tallest
    y = alt.Y(
        "level:Q", axis=None, scale=alt.Scale(domain=[-0.5, tallest - 0.5], range=[height, height - DOT * tallest])
    )
    look = alt.when("datum.way === way").then(alt.value(BLACK)).otherwise(alt.value(GREY))
    place = f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / {wide}"
    heap = alt.Chart(dots).transform_filter("datum.way <= way").transform_calculate(place=place)
    marks = [heap.mark_point(filled=True, opacity=1, size=30).encode(alt.X(**x), y, color=look)]
    counts = heap.transform_aggregate(n="count()", level="max(level)", groupby=["agree"]).mark_text(fontSize=13, dy=-12)
    marks += [counts.encode(alt.X(**x | {"shorthand": "agree:Q"}), y, text="n:Q")]
    now = dots[["way"]].assign(mean=(agreed.cumsum() / dots["way"]).round(digits), own=own)
    now["top"] = np.ceil((agreed == own).cumsum() / across) + 3.2  # above the pair's own column
    shown = alt.Chart(now).transform_filter("datum.way === way")
    shown = shown.transform_calculate(pair=f"'{pair}: {own}'", said="'mean so far ' + datum.mean")
    at_own, at_mean = (shown.encode(alt.X(**x | {"shorthand": f"{name}:Q"})) for name in ("own", "mean"))
    at_own, aside = at_own.encode(y=alt.Y("top:Q", axis=None)), ("right", 1) if own < agreed.mean() else ("left", -1)
    marks += [
        at_own.mark_tick(orient="vertical", size=14, thickness=2, color=BLACK),
        at_own.mark_text(**BOLD | {"align": aside[0]}, dx=3 * DOT * aside[1], dy=-15).encode(text="pair:N"),
        at_mean.mark_text(**BOLD, align="left", dx=6).encode(y=alt.value(top), text="said:N"),
    ]
    foot = height - (0 if digits else DOT * tallest + 18)  # a mean that stands on a tick ends above its column
    mean = at_mean.mark_rule(strokeWidth=2, color=SILVER).encode(y=alt.value(top - 8), y2=alt.value(foot))
    return layer(mean, *marks), height
