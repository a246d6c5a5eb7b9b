"""Charts of error consistency: what chance gives, and what kinds of pairs have."""

from typing import Any

import altair as alt
import pandas as pd

from erralign.plot.colours import BLACK, GREY, PAPER, SILVER
from erralign.plot.grammar import Axis, Plot, names, numbers
from erralign.plot.theme import LOOKS_OF_PAIRS, PAIRS, number, with_interval

SIDE = 22  # pixels of a row of pairs
CLOSE = 0.05  # two means that are nearer are written with four digits, so that a reader may subtract them
# Four blocks of tiles, by who fails: tiles across, and where each begins, in pixels; on a phone they are in two rows.
STACKED, OVER = "width < 660", 64  # where they are; pixels above the first tiles
FAILS = {"both": "both fail", "neither": "neither fails", "networks": "only networks", "people": "only people"}
BLOCKS = pd.DataFrame(
    {"across": [8, 12, 8, 12, 5, 10, 6, 1], "left": [0, 150, 0, 150, 0, 142, 412, 580]}
    | {"top": 2 * [OVER] + 2 * [OVER + 136] + 4 * [OVER], "tile": 4 * [15] + 4 * [24], "end": 4 * [330] + 4 * [580]}
).assign(fails=2 * [*FAILS], stacked=4 * [True] + 4 * [False])
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
