"""Charts of Muttenthaler et al. (2023): networks and people's odd one out, concept by concept, and shared doubts."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, INK, VERMILION
from erralign.plot.parts import finish, layer, line_at, selector
from erralign.plot.theme import BAND, colour, legend, only
from erralign_book.charts.looks import CASES, CHANCE, TRAINED, cases
from erralign_book.charts.parts import (
    DASHED,
    diagonal,
    line_through,
    logarithmic,
    marked,
    span,
    straight_line,
    tiles_with_numbers,
)

SCORES = {"zero_shot": "zero-shot", "probing": "after the probe"}
ACCURACY = "odd-one-out accuracy in %"
OF_SCORE = "datum.score === score"
GUESS, CEILING = 100 / 3, 67.22
STEP = 22  # pixels from one row to the next


def accuracy_by_imagenet(panels: Mapping[str, pd.DataFrame], people: pd.Series, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against accuracy on ImageNet, with a choice of the networks."""
    shown = pd.concat([_long(part).assign(panel=name) for name, part in panels.items()])
    keys, chosen = ["panel", "score"], f"datum.panel === panel && {OF_SCORE}"
    lines = {name: straight_line(part, "imagenet", "accuracy") for name, part in shown.groupby(keys, sort=False)}
    x = alt.X("imagenet:Q", title="accuracy on ImageNet in %", scale=alt.Scale(domain=[45, 95]))
    y = alt.Y("accuracy:Q", title=ACCURACY, scale=alt.Scale(domain=[32, 69], nice=False))
    points = marked(alt.Chart(shown).transform_filter(chosen), "group", TRAINED, 55, columns=2)
    points = points.encode(x, y, tooltip=["model", "imagenet", "accuracy"])
    fitted = alt.Chart(pd.concat(lines, names=keys).reset_index(keys).round(3)).transform_filter(chosen)
    fitted = fitted.mark_line(color=GREY, strokeDash=DASHED).encode(x, y)
    choice_of_networks = selector("panel", list(panels), next(iter(panels)), "networks")
    about = "Odd-one-out accuracy of networks against their accuracy on ImageNet."
    levels = [line_at(level, ACCURACY, strokeWidth=1) for level in (GUESS, CEILING)]
    between = pd.DataFrame({"accuracy": [people["least"]], "most": [people["most"]]}).mul(100).round(2)
    band = alt.Chart(between).mark_rect(color=VERMILION, opacity=BAND).encode(y, y2="most:Q")
    drawn = layer(band, fitted, points, *levels).add_params(choice_of_networks, _choice_of_score())
    words = "dashed: least squares; lines across: a guess and the noise ceiling; band: two people"
    return finish(drawn, title, about, 320, subtitle=words)


def accuracy_by_size(part: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against the number of parameters, one line per family."""
    families = part.groupby(["source", "architecture"])["parameters"].transform("size")
    shown = _long(part[families > 2]).sort_values("parameters")
    x = logarithmic("parameters", "parameters in millions", [5, 10, 20, 50, 100, 200, 400], "d")
    x = x.scale(type="log", domain=[4, 450], nice=False)
    y = alt.Y("accuracy:Q", title=ACCURACY, scale=alt.Scale(domain=[35, 60], nice=False))
    looks = only(TRAINED, shown["group"])
    base = alt.Chart(shown).transform_filter(OF_SCORE).encode(x, y, colour("group", looks, legend=None))
    lines = base.mark_line(strokeWidth=1.5).encode(detail="architecture:N")
    points = marked(base, "group", looks, 55, legend=None).encode(tooltip=["model", "parameters", "accuracy"])
    last = shown.groupby(["architecture", "score"]).tail(1)
    names = alt.Chart(last).transform_filter(OF_SCORE).mark_text(align="left", dx=8, fontSize=12)
    names = names.encode(x, y, text="architecture:N", color=alt.value(INK))
    about = "Odd-one-out accuracy of networks against their number of parameters, in four families."
    return finish(layer(lines, points, names).add_params(_choice_of_score()), title, about, 300)


def _choice_of_score() -> alt.Parameter:
    return selector("score", list(SCORES), "zero_shot", "accuracy", words=list(SCORES.values()))


def before_and_after(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets after the linear probe against the accuracy before it."""
    shown = table.rename_axis("model").reset_index()[["model", "group", "zero_shot", "probing"]].round(2)
    x = alt.X("zero_shot:Q", title="zero-shot accuracy in %", scale=alt.Scale(domain=[33, 64], nice=False))
    y = alt.Y("probing:Q", title="accuracy after the probe in %", scale=alt.Scale(domain=[33, 64], nice=False))
    points = marked(alt.Chart(shown), "group", TRAINED, 55, columns=2)
    drawn = layer(diagonal(x, y, 33, 64), points.encode(x, y, tooltip=["model", "zero_shot", "probing"]))
    about = "Odd-one-out accuracy of networks after a linear probe against the accuracy without it."
    return finish(drawn, title, about, 320, subtitle="dashed: the probe adds nothing")


def errors_by_entropy(errors: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems err, by how sure people are."""
    shown = errors[["system", "entropy", "error", "triplets"]].round(4)
    looks = cases(shown["system"])
    x = alt.X("entropy:Q", title="entropy of people's choice, by VICE", scale=alt.Scale(domain=[0, 1.1], nice=False))
    y = alt.Y("error:Q", title="share of errors", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 0.7]))
    base = alt.Chart(shown).encode(x, y)
    line = base.mark_line(strokeWidth=1.5).encode(colour("system", looks, legend=legend(columns=1)))
    points = marked(base, "system", looks, 40, columns=1).encode(tooltip=["system", "entropy", "error", "triplets"])
    about = "Share of triplets on which a system does not choose what people chose, by people's entropy."
    return finish(layer(line, points), title, about, 300)


def _long(part: pd.DataFrame) -> pd.DataFrame:
    kept = ["model", "group", "source", "architecture", "parameters", "imagenet"]
    long = part.rename_axis("model").reset_index().melt(kept, list(SCORES), var_name="score", value_name="accuracy")
    return long.dropna(subset="accuracy").round(2)


def leads_by_concept(values: pd.DataFrame, system: str, title: str, axis: str) -> alt.LayerChart:
    """Draw by how much a system leads others on each human concept, the largest lead on top; one score at a time."""
    scores = list(dict.fromkeys(values["score"]))
    own, others = values[values["system"] == system], values[values["system"] != system]
    both = others.merge(own, on=["concept", "score"], suffixes=("", "_own"))
    lead = both["value_own"] - both["value"]
    # Zou and Donner (2008), without a covariance.
    down = np.hypot(both["value_own"] - both["low_own"], both["high"] - both["value"])
    up = np.hypot(both["high_own"] - both["value_own"], both["value"] - both["low"])
    shown = both.assign(system="over " + both["system"], lead=lead, low=lead - down, high=lead + up)
    shown = shown[["system", "concept", "score", "lead", "low", "high"]].round(3)
    of_first = lead[both["score"] == scores[0]].groupby(both["concept"]).mean()
    order = of_first.sort_values(ascending=False).index.tolist()
    looks, x = cases(shown["system"]), alt.X("lead:Q", title=axis)
    y = alt.Y("concept:N", title=None, sort=order, axis=alt.Axis(labelLimit=150))
    base = alt.Chart(shown).transform_filter(OF_SCORE).encode(y, alt.YOffset("system:N"))
    hover = ["concept", "system", "lead", "low", "high"]
    points = marked(base, "system", looks, 50, columns=1).encode(x, tooltip=hover)
    bars = span(base, x, strokeWidth=1.5).encode(colour("system", looks, legend=legend(columns=1)))
    drawn = layer(line_through(0, x, strokeDash=DASHED), bars, points)
    drawn = drawn.add_params(selector("score", scores, scores[0], "accuracy", words=scores))
    about = f"Lead of {system} {' and '.join(looks)} for {len(order)} human concepts, with intervals."
    under = "lines: 95 % intervals that ignore that both answered the same triplets"
    return finish(drawn, title, about, STEP * len(order), subtitle=under)


def two_similarities(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems choose like people by the cosine and by the dot product, one row per system."""
    x = alt.X("accuracy:Q", title="zero-shot accuracy in %", scale=alt.Scale(domain=[32, 66], nice=False))
    rows = list(dict.fromkeys(scores["system"]))
    shown = scores[["system", "similarity", "accuracy"]].round(2)
    base = alt.Chart(shown).encode(x, alt.Y("system:N", title=None, sort=rows, axis=alt.Axis(labelLimit=220)))
    points = marked(base, "similarity", cases(scores["similarity"]), 60, columns=2)
    points = points.encode(tooltip=["system", "similarity", "accuracy"])
    joined = base.mark_line(color=GREY, strokeWidth=1.5).encode(detail="system:N")
    about = f"Zero-shot accuracy of {len(rows)} systems by two similarities."
    return finish(layer(joined, points), title, about, STEP * len(rows))


def choices_by_cka(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often two systems choose alike against the similarity of their representations."""
    shown = pairs[["system_a", "system_b", "pair", "CKA", "same_choice"]].round(4)
    x = alt.X("CKA:Q", title="linear CKA", scale=alt.Scale(domain=[0.1, 1], nice=False))
    y = alt.Y("same_choice:Q", title="share of triplets with the same choice", axis=alt.Axis(format="%"))
    y = y.scale(domain=[0.3, 1], nice=False)
    points = marked(alt.Chart(shown), "pair", cases(shown["pair"], (*CASES, CHANCE)), 55, columns=2)
    points = points.encode(x, y, tooltip=["system_a", "system_b", "CKA", "same_choice"])
    line = alt.Chart(straight_line(shown, "CKA", "same_choice").round(4))
    line = line.mark_line(color=GREY, strokeDash=DASHED).encode(x, y)
    about = f"Share of triplets on which {len(shown)} pairs of systems choose alike, against their CKA."
    return finish(layer(line, points), title, about, 300, subtitle="dashed: least squares")


def matrix_of_entropies(pairs: pd.DataFrame, systems: list[str], title: str) -> alt.LayerChart:
    """Draw how the entropies of systems correlate, one tile per pair."""
    there = pairs.rename(columns={"system_a": "row", "system_b": "column", "pearson": "r"})
    both = pd.concat([there, there.rename(columns={"row": "column", "column": "row"})])
    base = alt.Chart(both[["row", "column", "r", "low", "high"]].round(3)).encode(
        x=alt.X("column:N", sort=systems, title=None, axis=alt.Axis(labelAngle=-90, orient="top", labelLimit=220)),
        y=alt.Y("row:N", sort=systems, title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["row", "column", "r", "low", "high"],
    )
    wide_enough = alt.expr(f"width < {28 * len(systems)} ? 0 : 1")  # for numbers: on a phone the tiles are not
    tiles = tiles_with_numbers(base, "Pearson's r", fontSize=12, opacity=wide_enough)
    about = f"Pearson's correlation of the entropies of {', '.join(systems)} over triplets."
    return finish(tiles, title, about, 34 * len(systems))
