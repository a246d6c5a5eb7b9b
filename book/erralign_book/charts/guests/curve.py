"""The curve of earlier networks in EC with people, and how far a guest lies above it."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK
from erralign.plot.theme import KINDS
from erralign_book.cells import table
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import SEEN, with_guests
from erralign_book.charts.marks import DASHED, Options, Plot, numbers, shares

OLDER, NEWER = SEEN
GROUPS = dict.fromkeys(["CNNs of 2020", "other older networks"], OLDER) | {"vision-language, options": NEWER}
PAIR = {"two people": KINDS["human-human"]}
HEIGHT = 300  # pixels
HOVER = alt.Tooltip("gap", title="above the curve")
SAID: Options = {"color": INK, "fontSize": 13, "lineBreak": "|"}
END = 0.72  # where the curve ends


def above_curve(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the curve through earlier networks, on to where none of them is, and what lies above and below it."""
    older = systems[systems["group"] == OLDER]
    at = curve_through(older, systems["accuracy"].to_numpy())["EC"].to_numpy()
    people = table("gavrikov2025/systems_with_people").query("group == 'people'")[["accuracy", "EC"]].mean()
    two = people.to_frame().T.assign(group=[*PAIR], model=f"two people: {people['EC']:.2f}")
    shown = pd.concat([systems.assign(curve=at, gap=systems["EC"] - at), two], ignore_index=True)
    x = shares("accuracy", "named correctly", ends=(0, max(0.85, shown["accuracy"].max() + 0.03)))
    tall = (min(0, shown["EC"].min()), max(0.36, shown["EC"].max() + 0.03))
    y = numbers("EC", "EC with people", ends=tall, ticks=[0, 0.1, 0.2, 0.3], format=".1f", grid=False)
    looks = with_guests(SEEN | PAIR, shown["group"])
    plot = Plot(shown, x, y, look=("group", looks), hover=["model", "year", "accuracy", "EC", HOVER], legend=False)
    last, ends = older["accuracy"].max(), np.linspace(older["accuracy"].min(), END, 80)
    curve = curve_through(older, ends)
    plot.band(curve.assign(low=curve["EC"] - curve["high"], high=curve["EC"] + curve["high"]), color=GREY)
    named = curve[curve["accuracy"] <= 0.36].iloc[[-1]].assign(words="curve")
    plot.words("words", named, dx=-10, dy=-16, align="right", fontWeight="bold", **SAID)
    led = curve.query("accuracy > 0.65")[:1].assign(words="95 % interval|of the curve", foot=0.155)
    plot.spans("foot", data=led.assign(high=led["EC"] - led["high"], EC=0.0), color=INK, strokeWidth=1)
    plot.words("words", led, y="foot", baseline="top", dy=3, **SAID)
    _beyond(plot, last, END, EC=0.0)
    size = alt.expr(f"(datum.group === '{OLDER}' ? 0.4 : 1) * 140")
    set_apart(plot.points(size), "group", SEEN | PAIR)
    plot.lines(curve[curve["accuracy"] <= last], color=BLACK, strokeWidth=2)
    plot.lines(curve[curve["accuracy"] >= last], color=BLACK, strokeWidth=2, strokeDash=DASHED)
    plot.words("model", two, dx=22, dy=-16, align="right", fontWeight="bold", **SAID)
    about = f"EC with people by accuracy of {len(systems)} systems, and how far newer ones lie above the others' curve."
    return plot.done(title, about, HEIGHT)


def curve_through(older: pd.DataFrame, at: np.ndarray) -> pd.DataFrame:
    """Return the height of a parabola through older networks, and how far its 95 % interval (jackknife) reaches."""
    accuracy, value = older[["accuracy", "EC"]].to_numpy().T
    without = [np.polyfit(np.delete(accuracy, one), np.delete(value, one), 2) for one in range(len(value))]
    high = 1.96 * np.sqrt((len(value) - 1) * np.var([np.polyval(each, at) for each in without], axis=0))
    return pd.DataFrame({"accuracy": at, "EC": np.polyval(np.polyfit(accuracy, value, 2), at), "high": high})


def _beyond(plot: Plot, last: float, end: float, **foot: float) -> None:
    """Mark on the axis, at its ``foot``, accuracies that no earlier network has."""
    beyond = pd.DataFrame({"accuracy": [last], "end": end, "words": "beyond all|earlier networks"} | foot)
    plot.spans("accuracy", "end", along="x", data=beyond, color=GREY, strokeWidth=1, yOffset=-8)
    plot.draw(plot.base(pd.concat([beyond, beyond.assign(accuracy=end)])).mark_tick(color=GREY, size=6, yOffset=-5))
    plot.words("words", beyond, align="left", dx=2, dy=-34, **SAID)
