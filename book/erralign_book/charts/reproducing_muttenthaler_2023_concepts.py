"""Charts of Muttenthaler et al. (2023): concept by concept, and what pairs of systems share."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.parts import finish, layer
from erralign.plot.theme import colour, legend
from erralign_book.charts.looks import CASES, CHANCE, STUDIES, cases
from erralign_book.charts.parts import DASHED, marked, straight_line

LOOKS = (*CASES, CHANCE, STUDIES[0])
STEP = 22  # pixels from one row to the next


def by_concept(values: pd.DataFrame, title: str, axis: str) -> alt.LayerChart:
    """Draw a value of some systems for each human concept, one row per concept."""
    shown = values[[name for name in ("system", "concept", "value", "low", "high") if name in values]].round(3)
    ends, rows = shown.drop(columns=["system", "concept"]).to_numpy(), shown["concept"].nunique()
    domain = [np.floor(10 * ends.min()) / 10, np.ceil(10 * ends.max()) / 10]
    about = f"{axis[0].upper()}{axis[1:]} of {', '.join(shown['system'].unique())} for {rows} human concepts."
    return finish(rows_of_concepts(alt.Chart(shown), shown, axis, domain), title, about, STEP * rows)


def rows_of_concepts(chart: alt.Chart, shown: pd.DataFrame, axis: str, domain: list[float]) -> alt.LayerChart:
    """Draw a value of each system, and its interval where there is one, in the row of its concept."""
    looks, words, scale = cases(shown["system"], LOOKS), legend(columns=1), alt.Scale(domain=domain, nice=False)
    order = list(dict.fromkeys(shown["concept"]))
    base = chart.encode(y=alt.Y("concept:N", title=None, sort=order, axis=alt.Axis(labelLimit=150)))
    points = marked(base, "system", looks, size=60, legend=words)
    points = points.encode(alt.X("value:Q", title=axis, scale=scale), tooltip=shown.columns.tolist())
    bars = base.mark_rule(strokeWidth=1).encode(colour("system", looks, legend=words))
    bars = bars.encode(alt.X("low:Q", title=axis, scale=scale), x2="high:Q")
    return layer(*([bars] if "low" in shown else []), points)


def two_similarities(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems choose like people by the cosine and by the dot product, one row per system."""
    axis, looks, words = "zero-shot accuracy in %", cases(scores["similarity"]), legend(columns=2)
    x = alt.X("accuracy:Q", title=axis, scale=alt.Scale(domain=[32, 66], nice=False))
    rows = list(dict.fromkeys(scores["system"]))
    shown = scores[["system", "similarity", "accuracy"]].round(2)
    base = alt.Chart(shown).encode(x, alt.Y("system:N", title=None, sort=rows, axis=alt.Axis(labelLimit=220)))
    points = marked(base, "similarity", looks, size=60, legend=words)
    points = points.encode(tooltip=["system", "similarity", "accuracy"])
    joined = base.mark_line(color=GREY, strokeWidth=1.5).encode(detail="system:N")
    about = f"Zero-shot accuracy of {len(rows)} systems by two similarities."
    return finish(layer(joined, points), title, about, STEP * len(rows))


def choices_by_cka(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often two systems choose alike against the similarity of their representations."""
    shown = pairs[["system_a", "system_b", "pair", "CKA", "same_choice"]].round(4)
    looks, words = cases(shown["pair"], LOOKS), legend(columns=2)
    x = alt.X("CKA:Q", title="linear CKA", scale=alt.Scale(domain=[0.1, 1], nice=False))
    y = alt.Y("same_choice:Q", title="share of triplets with the same choice", axis=alt.Axis(format="%"))
    y = y.scale(domain=[0.3, 1], nice=False)
    points = marked(alt.Chart(shown), "pair", looks, size=55, legend=words)
    points = points.encode(x, y, tooltip=["system_a", "system_b", "CKA", "same_choice"])
    line = alt.Chart(straight_line(shown, "CKA", "same_choice").round(4))
    line = line.mark_line(color=GREY, strokeDash=DASHED).encode(x, y)
    about = f"Share of triplets on which {len(shown)} pairs of systems choose alike, against their CKA."
    return finish(layer(line, points), title, about, 300, subtitle="dashed: least squares")
