"""Language models beside students, and beside each other: where they fail, and which wrong option they choose."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLUE, INK, ORANGE, RAMP, SLATE
from erralign.plot.grammar import Options, Plot, entitle, names, numbers, shares
from erralign.plot.theme import KINDS
from erralign_book.charts.grammar import beside_each_other, labels_if

WIDTH, ROW, ENDS = 212, 44, (-0.05, 0.65)  # of a panel and a row, in pixels; of both axes
OF_TWO = "the two models"
ROWS = {"Llama-3.2-1B": "Llama and a student", "Qwen2.5-0.5B": "Qwen and a student", OF_TWO: OF_TWO}
ASKS = {"EC": "EC: where they fail", "MA": "MA: what they choose"}
PAIR = {"mixed": KINDS["model-human"], "networks": KINDS["model-model"]}


def wrong_together(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw on how many questions 0, 1, 2, … models fail, and what independent models would do."""
    hover = ["wrong", "items", alt.Tooltip("independent", title="if independent")]
    x = names("wrong:O", None, "models that fail on a question", labelAngle=0, labelOverlap=True)
    plot = Plot(table.round(2), x, numbers("items", "questions"))
    bars = plot.base().mark_bar(color=RAMP[3]).encode(tooltip=hover)
    curve = plot.base(y="independent").mark_line(color=SLATE, strokeWidth=3).encode(tooltip=hover)
    about = f"How many of {table['items'].sum():,} questions are failed by 0, 1, 2, … of {len(table) - 1} models."
    top = table.loc[[table["independent"].idxmax()]].assign(label="if independent").round(2)
    beside: Options = {"align": "left", "dx": 12, "color": SLATE, "fontWeight": "bold"}
    plot.draw(bars, curve).words("label", top, y="independent", **beside)
    return plot.done(title, about, 280)


def agreement_by_accuracy(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw MA of each pair of models, with limits ``low`` and ``high`` to point at, against its mean accuracy.

    The three pairs that agree most have their names, of which the lowest is below its mark.
    """
    hover = ["system_a", "system_b", "accuracy", "ma", "low", "high"]
    widest = np.ceil(50 * (pairs["high"] - pairs["low"]).max()) / 100
    x = shares("accuracy", "mean accuracy of the two models", scale={"zero": False, "nice": False, "padding": 12})
    said = [*hover[:3], alt.Tooltip("ma", title="MA"), "low", "high"]
    plot = Plot(pairs[hover], x, numbers("ma", "MA"), hover=said).level(0)
    plot.points(36, color=BLUE, shape="square")
    most = pairs.nlargest(3, "ma")
    most = most.assign(label=most["system_a"] + ", " + most["system_b"])
    most["label"] = most["label"].str.replace("Meta-|-hf", "", regex=True).str.replace("_", ".")
    for rows, dy in ((most[:2], -11), (most[2:], 13)):
        plot.words("label", rows, dy=dy, color=INK)
    about = f"MA of {len(pairs)} pairs of language models against their mean accuracy."
    return plot.done(title, about, 300, f"0: chance; the margin of error of a pair is at most ±{widest:.2f}")


def beside_students(found: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw agreement of models with a student, beside a second student in their place, and with each other."""
    shown = found.assign(row=found["system"].replace(ROWS), pair="mixed")
    shown["pair"] = shown["pair"].mask(found["system"] == OF_TWO, "networks")
    hover, panels = ["row", "value", "low", "high"], list[alt.LayerChart]()
    for measure, part in shown.groupby("measure"):
        label = labels_if(first=not panels)
        rows = names("row", list(ROWS.values()), labelLimit=190, labelExpr=label, ticks=False)
        x = numbers("value", ASKS[str(measure)], ends=ENDS)
        plot = Plot(part, x, rows, look=("pair", PAIR), hover=hover, columns=0).level(0)
        plot.ticks("members", size=ROW - 8, thickness=3, color=ORANGE)
        second = part[part["row"] == ROWS["Llama-3.2-1B"]].assign(label="a second student")
        plot.words("label", second, x="members", align="left", dx=7, dy=-9, color=ORANGE, fontWeight="bold")
        panels.append(plot.spans(color=SLATE).points(110).drawn().properties(width=WIDTH, height=alt.Step(ROW)))
    about = "EC and MA of two small language models with a student, of another student, and of the two models."
    under = "lines: 95 % intervals; tick: a second student in place of the model"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=under)
