"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.plot.colours import BLACK, GREY, PALE, PAPER, SILVER
from erralign.plot.grammar import Axis, Options, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, WHOSE, number, with_interval
from erralign_book.charts.grammar import ROW, slider, tiles

SIDE = 22  # pixels of a row of pairs
CLOSE = 0.05  # two means that are nearer are written with three digits
DOT, ACROSS = 6, 5  # pixels from one dot to the next, dots beside each other
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
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
# Of pairs, as the mean says them; mixed pairs are drawn last, so that both their colours are seen.
KINDS = {"networks": "two networks ", "people": "two people ", "mixed": "mixed pair "}


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str, lead: pd.Series | None = None) -> alt.LayerChart:
    """Draw one measure's means over kinds of pairs, and the lead of two people as a line; below, small, each data set.

    The mean lead, with the limits of its interval, is told above.
    """
    wide = values.rename(columns=PAIRS, index=SETS).filter(list(KINDS))
    wide = wide.loc[(wide["people"] - wide["mixed"]).sort_values(ascending=False).index]
    wide = pd.concat([wide.mean().to_frame("mean").T, wide]).rename_axis("data_set").reset_index()
    marks = wide.melt("data_set", var_name="pairs")
    digits = 2 if abs(wide["people"][0] - wide["mixed"][0]) > CLOSE else 3
    marks["said"] = marks["pairs"].map(KINDS) + [number(value, digits) for value in marks["value"]]
    bold = {"condition": {"test": "slice(datum.value, 0, 4) === 'mean'", "value": "bold"}, "value": "normal"}
    order = [" ", "mean", "", *wide["data_set"][1:]]
    plain: Axis = {"domain": False, "ticks": False, "labelFontSize": 13, "labelPadding": 8}
    y = names("data_set", order, scale={"domain": order}, labelFontWeight=bold, **plain)
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    x = numbers("value", f"mean {measure}", scale={"zero": True}, orient="top", grid=False)
    plot = Plot(marks, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    zero = plot.base(pd.DataFrame({"value": [0], "data_set": "mean", "last": wide["data_set"].iloc[-1]}))
    plot.draw(zero.mark_rule(color=GREY).encode(y2="last:N"))
    for part, width in ((slice(0, 1), 7), (slice(1, None), 3)):
        of_sets = marks[marks["data_set"].isin(wide["data_set"][part])]
        plot.spans("mixed", "people", data=wide[part], color=SILVER, strokeWidth=width)
        plot.points(22 * width + 40, of_sets, stroke=PAPER, strokeWidth=1)
    for pairs in wide.columns[1:]:
        mean = marks.query("data_set == 'mean' and pairs == @pairs")
        # A low mean stands near the names of the rows: its words begin at its mark.
        is_low = pairs == "mixed" and 0 < mean["value"].item() < wide["people"].max() / 3
        beside: Options = {"dy": -18 if pairs == "mixed" else 20} | ({"align": "left", "dx": -10} if is_low else {})
        plot.words("said", mean, fontSize=14, fontWeight="bold", color=BLACK, **beside)
    about = f"Mean {measure} by data set for pairs: {', '.join(map(str, wide.columns[1:]))}."
    ahead = "" if lead is None else f"on average two people lead by {with_interval(*lead)}; "
    ahead = ahead.replace("(", "(95 % interval: ")
    under = f"{ahead}large: all sets; small: each set"
    return plot.done(title, about, SIDE * len(order), under)


def beside_chance(table: np.ndarray, title: str) -> alt.LayerChart:
    """Draw on which pictures people and networks fail, as bars, with a line below where they overlap; then by chance.

    ``table`` counts the pictures on which both fail, only people, only networks, and neither.
    """
    n = int(table.sum())
    chance = (np.outer(table.sum(axis=1), table.sum(axis=0)) / n).round(1)
    parts = [_sorted_by_overlap("counted", table, 56), _sorted_by_overlap("by chance", chance, 188)]
    bars, words, lines = (pd.concat(each) for each in zip(*parts, strict=True))
    x, y = (numbers(field, ends=ends) | {"axis": None} for field, ends in (("left", (0, n)), ("top", (288, 0))))
    plot = Plot(bars.assign(first=0, all=n), x, y, look=("whose", WHOSE), columns=0)
    plot.draw(plot.base(x="first").mark_bar(height=24, color=PALE).encode(x2="all:Q")).bars("right", height=24)
    plot.spans("left", "right", along="x", data=lines, strokeWidth=3, color=BLACK)
    observed, expected = (f"{each:g}" for each in lines["right"])
    value = f"EC = ({observed} − {expected})/({n} − {expected}) = {error_consistency_from_counts(table):.2f}"
    words = pd.concat([words, pd.DataFrame({"said": [value], "left": 0, "top": 280})])
    plot.words("said", words, align="left", color=BLACK, **BOLD)
    about = f"Bars for those of {n} pictures on which people and networks fail, as counted and by chance."
    return plot.done(title, about, 288)


def _sorted_by_overlap(name: str, counts: np.ndarray, top: int) -> list[pd.DataFrame]:
    """Return where each side fails, the words, and the line of overlap: pictures on which both fail come first."""
    both, people, networks, neither = counts.ravel()
    n, overlap = counts.sum(), both + neither
    fails = [("people", 0, both, 0), ("people", n - people, n, 0)]
    fails += [("networks", 0, both, 26), ("networks", overlap, overlap + networks, 26)]
    bars = pd.DataFrame(fails, columns=["whose", "left", "right", "top"])
    blocks = zip((both, neither, n - overlap), ("both fail", "neither", "only one"), (0, both, overlap), strict=True)
    said = [(f"{count:g} {of}" if name == "counted" else f"{count:g}", left, -24) for count, of, left in blocks]
    said += [(name, 0, -44), (f"overlap: {both:g} + {neither:g} = {overlap:g}", 0, 60)]
    line = pd.DataFrame({"left": [0], "right": overlap, "top": 44})
    return [
        each.assign(top=each["top"] + top) for each in (bars, pd.DataFrame(said, columns=["said", "left", "top"]), line)
    ]


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two systems overlap, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per system. A dot is a way that was tried, in a ring now.
    """
    readers, (first, second) = list(map(str, right)), ~right.to_numpy().T
    ways = np.random.default_rng(seed).permutation(list(combinations(range(len(first)), second.sum())))
    rows = np.zeros((len(ways), len(first)), dtype=bool)
    np.put_along_axis(rows, ways, True, axis=1)
    rows = rows[np.argsort((rows == second).all(axis=1), kind="stable")]  # the reader's own way comes last
    tried = pd.DataFrame(dict(zip(("way", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    tried[readers] = np.column_stack([np.tile(first, len(rows)), rows.ravel()]).astype(int)  # shorter in the page
    shown = alt.Chart(tried.assign(way=tried["way"] + 1)).transform_filter("datum.way === way")
    rows_of_tiles = tiles(shown, dict.fromkeys(readers, BLACK), len(first))
    heap, height = _heap_of_ways((rows == first).sum(axis=1), " and ".join(readers))
    chart = layer(*rows_of_tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", len(ways), (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles overlap."
    under = f"a dot: one way to place {readers[1]}'s mistakes; in a ring: the one that is shown"
    return finish(chart, title, about, height, subtitle=under)


def _heap_of_ways(agreed: np.ndarray, pair: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns below the tiles; mark the mean, and the last dot as the pair's own."""
    dots = pd.DataFrame({"way": np.arange(len(agreed)) + 1, "agree": agreed})
    dots["mean"] = (agreed.cumsum() / dots["way"]).round(2)
    level = dots.groupby("agree").cumcount()
    beside, dots["level"] = level % ACROSS, level // ACROSS
    dots["beside"] = (beside + 1) // 2 * (1 - 2 * (beside % 2))  # from the middle to both sides
    tallest, ticks = int(dots["level"].max()) + 1, sorted(set(agreed.tolist()))
    ends, height = (ticks[0] - 1, ticks[-1] + 1), 5 * ROW + DOT * tallest
    levels = {"domain": [-0.5, tallest - 0.5], "range": [height, height - DOT * tallest]}
    y, x = (
        numbers("level", scale=levels) | {"axis": None},
        numbers("place", "tiles that overlap", ends=ends, ticks=ticks),
    )
    shown = alt.Chart(dots).transform_filter("datum.way <= way")
    shown = shown.transform_calculate(
        place=f"datum.agree + {DOT * (ends[1] - ends[0])} * datum.beside / width",
        said=f"(datum.way < {len(dots)} ? 'mean so far ' : 'mean ') + datum.mean",
    )
    at, now = shown.encode(alt.X(**x), alt.Y(**y)), "datum.way === way"
    size, ring = (alt.when(now).then(alt.value(its)).otherwise(alt.value(rest)) for its, rest in ((64, 24), (2, 0)))
    mean = shown.transform_filter(now).encode(alt.X(**x | {"shorthand": "mean:Q"}), y=alt.value(4 * ROW - 18))
    count = shown.transform_aggregate(n="count()", level="max(level)", groupby=["agree"])
    count = count.encode(alt.X(**x | {"shorthand": "agree:Q"}), alt.Y(**y))
    own = count.transform_filter(f"way === {len(dots)} && datum.agree === {agreed[-1]}")
    marks = (
        mean.mark_rule(strokeWidth=2, color=BLACK).encode(y2=alt.value(height)),
        mean.mark_text(**BOLD, align="left", dx=6, dy=6).encode(text="said:N"),
        at.mark_point(opacity=1, fill=GREY, stroke=BLACK).encode(strokeWidth=ring, size=size),
        count.mark_text(fontSize=13, dy=-12).encode(text="n:Q"),
        own.mark_text(**BOLD, text=f"{pair}: {agreed[-1]}", dy=-28, align="right", dx=36),
    )
    return layer(*marks), height
