"""Twelve leads of networks that were taught to err like people, for the page that compares methods."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, SILVER
from erralign_book.charts.grammar import diamonds
from erralign_book.charts.marks import Options, Plot, numbers

EQUAL = "cross-entropy at equal accuracy"
# Whether a rival is a fair partner -> the head of the leads over it.
RIVALS = {True: "over their fair partners", False: "over their controls"}


def by_name(planned: pd.DataFrame) -> pd.DataFrame:
    """Return the planned leads with their names, below heads for the two rivals."""
    fair, penalised = planned["minus"] == EQUAL, planned["loss"].str.endswith("loss")
    said = planned["measure"] + penalised.map({True: ", by penalty", False: ", by answers"})
    rows = planned.assign(head=fair.map(RIVALS), said=said, fair=fair, penalised=penalised)
    rows["at"] = rows["measure"].map(["EC", "MA", "CLES"].index)
    return rows.sort_values(["fair", "at", "penalised"], ascending=[False, True, False])


def gains(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw leads, in their order, with two intervals: by what they are "said" to be, and below their heads."""
    firsts = ~rows["head"].duplicated()
    rows = rows.assign(clear=rows["least"] * rows["most"] > 0, lead=rows["value"])
    rows["row"] = 1.5 - np.arange(len(rows)) - 1.5 * firsts.cumsum()  # with room for the heads
    heads = rows[firsts].assign(row=rows["row"] + 1, said=rows["head"])
    plain: Options = {"grid": False, "format": "~f"}
    plain["scale"] = {"range": [130, alt.expr("width")]}  # right of the names
    ends = min(-0.01, rows["least"].min() - 0.003), rows["most"].max() + 0.003
    x = numbers("value", "lead", ends=ends, ticks=(-0.04, -0.02, 0, 0.02, 0.04, 0.06), **plain)
    y = numbers("row", ends=(rows["row"].min() - 0.7, 1.5)) | {"axis": None}
    plot = Plot(rows, x, y, hover=["measure", "lead"])
    plot.spans("least", "most", along="x", color=SILVER, strokeWidth=9).level(0, along="x", color=BLACK, strokeWidth=1)
    plot.spans(along="x", color=BLACK)
    for named, weight in ((heads, "bold"), (rows, "normal")):
        words: Options = {"x": 0, "align": "left", "color": INK, "fontSize": 13, "fontWeight": weight}
        plot.words("said", named.drop(columns="value"), **words)
    diamonds(plot, 110, clear="datum.clear", strokeWidth=2)
    fill = "filled: thick leaves out 0" if rows["clear"].any() else "hollow: thick contains 0"
    under = f"thin: 95 % interval; thick: widened for twelve comparisons; {fill}"
    return plot.done(title, f"{len(rows)} leads, each with its interval and a widened one.", 60 + 27 * len(rows), under)
