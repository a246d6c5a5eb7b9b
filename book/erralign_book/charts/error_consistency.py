"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.behaviour import error_consistency_from_counts
from erralign.plot.colours import BLACK, GREY, PAPER, SILVER, SLATE
from erralign.plot.grammar import Axis, Plot, finish, layer, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, WHOSE, Look, number, with_interval
from erralign_book.charts.grammar import ROW, slider, tiles

SIDE = 22  # pixels of a row of pairs
CLOSE = 0.05  # two means that are nearer are written with four digits, so that a reader may subtract them
# Four blocks of tiles, by who fails: tiles across, and where each begins, in pixels; on a phone they are in two rows.
STACKED, OVER = "width < 660", 64  # where they are; pixels above the first tiles
FAILS = {"both": "both fail", "neither": "neither fails", "networks": "only networks", "people": "only people"}
BLOCKS = pd.DataFrame(
    {"across": [8, 12, 8, 12, 5, 10, 6, 1], "left": [0, 150, 0, 150, 0, 142, 412, 580]}
    | {"top": 2 * [OVER] + 2 * [OVER + 136] + 4 * [OVER], "tile": 4 * [15] + 4 * [24], "end": 4 * [330] + 4 * [580]}
).assign(fails=2 * [*FAILS], stacked=4 * [True] + 4 * [False])
DOT, ACROSS = 6, 5  # pixels from one dot to the next, dots beside each other
NARROW = "width < 400"  # a phone, where columns of dots must be narrower
BOLD: dict[str, Any] = {"fontSize": 13, "fontWeight": "bold"}
HEAD = BOLD | {"align": "left", "baseline": "top", "lineBreak": "|", "color": BLACK}
PLAIN = {"fontWeight": "normal"}
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
# Of pairs, as the mean says them; two people are drawn last, so that a mixed pair never hides their lead.
KINDS = {"networks": "two networks|", "mixed": "mixed pair|", "people": "two people|"}


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str, lead: pd.Series | None = None) -> alt.LayerChart:
    """Draw one measure's means over kinds of pairs, and the lead of two people as a line; below, small, each data set.

    The mean lead, with the limits of its interval, is told above.
    """
    wide = values.rename(columns=PAIRS, index=SETS).filter(list(KINDS))
    wide = wide.loc[(wide["people"] - wide["mixed"]).sort_values(ascending=False).index]
    wide = pd.concat([wide.mean().to_frame("mean").T, wide]).rename_axis("data_set").reset_index()
    marks = wide.melt("data_set", var_name="pairs").merge(wide)
    digits = 2 if abs(wide["people"][0] - wide["mixed"][0]) > CLOSE else 4
    marks["said"] = marks["pairs"].map(KINDS) + [number(value, digits) for value in marks["value"]]
    weight = {"condition": {"test": "slice(datum.value, 0, 4) === 'mean'", "value": "bold"}, "value": "normal"}
    order = ["  ", " ", "mean", "", *wide["data_set"][1:]]
    plain: Axis = {"domain": False, "ticks": False, "labelFontSize": 13, "labelPadding": 8}
    y = names("data_set", order, scale={"domain": order}, labelFontWeight=weight, **plain)
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    x = numbers("value", f"mean {measure}", scale={"zero": True}, tickCount=6)
    plot = Plot(marks, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    zero = plot.base(pd.DataFrame({"value": [0], "data_set": "mean", "last": wide["data_set"].iloc[-1]}))
    plot.draw(zero.mark_rule(color=GREY).encode(y2="last:N"))
    plot.spans("mixed", "people", data=wide, color=SILVER)
    apart = "abs(scale('x', datum.people) - scale('x', datum.mixed))"
    beside = alt.expr(f"{apart} < 10 ? (datum.value === datum.people ? -3 : 3) : 0")
    for part, size in ((slice(0, 1), 194), (slice(1, None), 106)):
        of_sets = marks[marks["data_set"].isin(wide["data_set"][part])]
        plot.points(size, of_sets, stroke=PAPER, strokeWidth=1, yOffset=beside)
    bold = {"fontSize": 14, "fontWeight": "bold", "color": BLACK, "lineBreak": "|"}
    above = marks[marks["data_set"].eq("mean") & (marks["pairs"] != "networks")].sort_values("value")
    if digits == 2:
        for align, (_, mean) in zip(("right", "left"), above.groupby("value"), strict=True):  # away from each other
            plot.words("said", mean, align=align, dy=-34, **bold)
    else:  # long numbers, which have room on a phone only under short lines
        plot.words("said", above.assign(said=above["said"].str.replace(" ", "|")), dy=-50, **bold)
    if "networks" in wide:
        plot.words("said", marks.query("data_set == 'mean' and pairs == 'networks'"), dy=20, **bold)
    about = f"Mean {measure} by data set for pairs: {', '.join(map(str, wide.columns[1:]))}."
    ahead = "" if lead is None else f"on average two people lead by {with_interval(*lead)}; "
    told = "(95 % interval for other sets, people and networks: "
    under = ahead.replace("(", told) + "large: all sets; small: each set, ordered by lead"
    return plot.done(title, about, SIDE * len(order), under)


def beside_chance(table: np.ndarray, title: str) -> alt.LayerChart:
    """Draw a tile per picture in four blocks, by who fails; below, the way from the overlap by chance to a full one.

    ``table`` counts the pictures on which both fail, only people, only networks, and neither. A frame in the blocks of
    both and neither is round as many tiles as there would be by chance.
    """
    n, overlap = int(table.sum()), int(table.trace())
    chance = np.diag(np.outer(table.sum(axis=1), table.sum(axis=0)) / n).round(1)
    counts = dict(zip(FAILS, table.ravel()[[0, 3, 2, 1]], strict=True))
    blocks = BLOCKS.assign(n=BLOCKS["fails"].map(counts))
    blocks["chance"] = blocks["fails"].map(dict(zip(("both", "neither"), chance, strict=True)))
    blocks["said"] = blocks["n"].astype(str) + " " + blocks["fails"].map(FAILS)
    framed = blocks.dropna(subset="chance")
    way = pd.DataFrame({"at": [chance.sum(), overlap, n], "name": ["by chance", "overlap", "full"], "top": OVER + 262})
    way = way.merge(blocks[["stacked", "end"]].drop_duplicates(), "cross")
    way["said"] = way["at"].map("{:g}|".format) + way["name"]
    way["left"] = way["end"] * (way["at"] - chance.sum()) / (n - chance.sum())
    full, gone = (way[way["name"] == of].assign(low=0) for of in ("full", "overlap"))
    gone = gone.assign(said=f"EC {error_consistency_from_counts(table):.2f}", middle=gone["left"] / 2)
    looks = {"both": LOOKS_OF_PAIRS["mixed"], "neither": Look(SLATE), **WHOSE}
    x, y = ({"shorthand": f"{of}:Q", "axis": None, "scale": None} for of in ("left", "top"))  # in pixels
    plot = Plot(_tiles(blocks), x, y, look=("fails", looks), columns=0, where=f"datum.stacked === ({STACKED})")
    faint = alt.expr("datum.fails === 'neither' ? 0.45 : 1")
    tile = plot.base().mark_rect(stroke=PAPER, strokeWidth=3, fillOpacity=faint)
    plot.draw(tile.encode(x2="right:Q", y2="foot:Q", fill=plot.shape["fill"]))
    corners = pd.concat(
        _frame(*block) for block in framed[["chance", "across", "left", "top", "tile", "stacked"]].values
    )
    frame = plot.base(corners).mark_line(color=BLACK, strokeWidth=3, strokeJoin="miter")
    plot.draw(frame.encode(order="order:Q", detail="block:N"))
    over = framed[framed["fails"] == "neither"].assign(low=0, top=20)
    over["right"] = over["left"] + over["across"] * over["tile"]
    over["said"] = f"overlap: {' + '.join(map(str, framed['n'][:2]))} = {overlap}"
    plot.spans("low", "right", along="x", data=over, color=BLACK).words("said", over, x="low", dy=-18, **HEAD)
    plot.words("said", blocks, dy=alt.expr("datum.chance ? -38 : -20"), **HEAD)
    plot.words("said", framed.assign(said=framed["chance"].map("frame: {:g} by chance".format)), dy=-20, **HEAD | PLAIN)
    plot.spans("low", "left", along="x", data=full, color=GREY)
    plot.spans("low", "left", along="x", data=gone, color=BLACK, strokeWidth=6)
    plot.words("said", gone, x="middle", dy=-16, color=BLACK, **BOLD)
    align = alt.expr(f"datum.at === {n} ? 'right' : datum.at === {overlap} ? 'center' : 'left'")
    plot.words("said", way, dy=14, **HEAD | PLAIN | {"align": align})
    plot.draw(plot.base(gone).mark_tick(orient="vertical", size=18, thickness=4, color=BLACK))
    about = f"Tiles for {n} pictures, by who fails, and how far the overlap is from chance to full."
    return plot.done(title, about, OVER + 304)


def _tiles(blocks: pd.DataFrame) -> pd.DataFrame:
    """Return a tile for each picture of each block, row by row."""
    rows = blocks.drop(columns=["said", "chance"]).loc[blocks.index.repeat(blocks["n"])]
    at = rows.groupby(["fails", "stacked"]).cumcount()
    rows["left"] += rows["tile"] * (at % rows["across"])
    rows["top"] += rows["tile"] * (at // rows["across"])
    return rows.assign(right=rows["left"] + rows["tile"], foot=rows["top"] + rows["tile"])


def _frame(chance: float, across: int, left: float, top: float, tile: float, stacked: bool) -> pd.DataFrame:
    """Return the corners of a frame round the first tiles of a block, row by row; the last tile may be a part."""
    full, rest = divmod(chance, across)
    x = [0, across, across, rest, rest, 0, 0]
    y = [0, 0, full, full, full + 1, full + 1, 0]
    corners = pd.DataFrame({"left": x, "top": y}) * tile + [left, top]
    return corners.assign(order=range(len(x)), block=left, stacked=stacked)


def by_chance(right: pd.DataFrame, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two systems overlap, for all ways to place the second one's wrong answers.

    ``right`` says on which pictures each is right, a column per system. A dot is a way that was tried, a black one
    a way in which as many overlap as in fact.
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
    heap, height = _heap_of_ways((rows == first).sum(axis=1), readers[1])
    chart = layer(*rows_of_tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("way", "ways tried", len(ways), (1, len(ways)), 1))
    about = f"Two rows of {len(first)} tiles, and a dot for each way to place wrong answers, by how many tiles overlap."
    under = f"a dot: one way to place {readers[1]}'s mistakes"
    return finish(chart, title, about, height, subtitle=under)


def _heap_of_ways(agreed: np.ndarray, reader: str) -> tuple[alt.LayerChart, int]:
    """Put a dot for each way into columns below the tiles; mark the mean, and the column of the last way, their own."""
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
        numbers("place", "pictures on which they overlap", ends=ends, ticks=ticks),
    )
    shown = alt.Chart(dots).transform_filter("datum.way <= way")
    shown = shown.transform_calculate(
        place=f"datum.agree + ({NARROW} ? 5 : {DOT}) * {ends[1] - ends[0]} * datum.beside / width",
        said=f"(datum.way < {len(dots)} ? 'mean so far ' : 'mean ') + datum.mean",
    )
    at, now = shown.encode(alt.X(**x), alt.Y(**y)), f"datum.way === way && way < {len(dots)}"
    their = f"datum.agree === {agreed[-1]}"
    fill = alt.when(their).then(alt.value(BLACK)).otherwise(alt.value(GREY))
    ring = alt.when(now).then(alt.value(2)).otherwise(alt.value(0))
    size = alt.value(alt.expr(f"{NARROW} ? 16 : 24"))
    last = shown.transform_filter("datum.way === way")
    mean = last.encode(alt.X(**x | {"shorthand": "mean:Q"}), y=alt.value(4 * ROW - 18))
    count = shown.transform_aggregate(n="count()", level="max(level)", groupby=["agree"])
    count = count.encode(alt.X(**x | {"shorthand": "agree:Q"}), alt.Y(**y))
    rare = f"datum.n < {len(dots) / 20} ? 'would be|a surprise' : ''"
    said = count.transform_filter(f"way === {len(dots)}").transform_calculate(
        said=f"{their} ? 'like {reader}’s:|no surprise' : {rare}"
    )
    marks = (
        mean.mark_rule(strokeWidth=2, color=BLACK).encode(y2=alt.value(height)),
        mean.mark_text(**BOLD, align="left", dx=6, dy=6).encode(text="said:N"),
        at.mark_point(opacity=1, stroke=BLACK).encode(fill=fill, strokeWidth=ring, size=size),
        count.transform_filter(f"!({their})").mark_text(fontSize=13, dy=-12).encode(text="n:Q"),
        count.transform_filter(their).mark_text(**BOLD, dy=-12).encode(text="n:Q"),
        said.mark_text(**BOLD, dy=-43, lineBreak="|").encode(text="said:N"),
    )
    return layer(*marks), height
