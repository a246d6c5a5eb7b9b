"""Charts of Muttenthaler et al. (2023): what the printed table says of networks and of people's odd one out."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK, VERMILION
from erralign.plot.parts import finish, layer, line_at, selector
from erralign.plot.theme import BAND, colour, legend, only
from erralign_book.charts.looks import CASES, CHANCE, STUDIES, TRAINED, cases
from erralign_book.charts.parts import DASHED, diagonal, marked, straight_line

SCORES = {"zero_shot": "zero-shot", "probing": "after the probe"}
ACCURACY = "odd-one-out accuracy in %"
CHOSEN = "datum.panel === panel && datum.score === score"
GUESS, CEILING = 100 / 3, 67.22
LINES = (*CASES, CHANCE, STUDIES[0])


def accuracy_by_imagenet(panels: Mapping[str, pd.DataFrame], people: pd.Series, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against accuracy on ImageNet, with a choice of the networks."""
    shown = pd.concat([_long(part).assign(panel=name) for name, part in panels.items()])
    keys = ["panel", "score"]
    lines = {name: straight_line(part, "imagenet", "accuracy") for name, part in shown.groupby(keys, sort=False)}
    x = alt.X("imagenet:Q", title="accuracy on ImageNet in %", scale=alt.Scale(domain=[45, 95]))
    y = alt.Y("accuracy:Q", title=ACCURACY, scale=alt.Scale(domain=[32, 69], nice=False))
    looks = only(TRAINED, shown["group"])
    points = marked(alt.Chart(shown).transform_filter(CHOSEN), "group", looks, size=55, legend=legend(columns=2))
    points = points.encode(x, y, tooltip=["model", "imagenet", "accuracy"])
    fitted = alt.Chart(pd.concat(lines, names=keys).reset_index(keys).round(3)).transform_filter(CHOSEN)
    fitted = fitted.mark_line(color=GREY, strokeDash=DASHED).encode(x, y)
    choices = [
        selector("panel", list(panels), next(iter(panels)), "networks"),
        selector("score", list(SCORES), "zero_shot", "accuracy", words=list(SCORES.values())),
    ]
    about = "Odd-one-out accuracy of networks against their accuracy on ImageNet."
    levels = [line_at(level, ACCURACY, strokeWidth=1) for level in (GUESS, CEILING)]
    between = pd.DataFrame({"accuracy": [people["least"]], "most": [people["most"]]}).mul(100).round(2)
    band = alt.Chart(between).mark_rect(color=VERMILION, opacity=BAND).encode(alt.Y("accuracy:Q"), y2="most:Q")
    drawn = layer(band, fitted, points, *levels).add_params(*choices)
    words = "dashed: least squares; lines across: a guess and the noise ceiling; band: two people"
    return finish(drawn, title, about, 320, subtitle=words)


def accuracy_by_size(part: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against the number of parameters, one line per family."""
    families = part.groupby(["source", "architecture"])["parameters"].transform("size")
    shown = _long(part[families > 2]).sort_values("parameters")
    axis, scale = alt.Axis(values=[5, 10, 20, 50, 100, 200, 400]), alt.Scale(type="log", domain=[4, 450], nice=False)
    x = alt.X("parameters:Q", title="parameters in millions", axis=axis, scale=scale)
    y = alt.Y("accuracy:Q", title=ACCURACY, scale=alt.Scale(domain=[35, 60], nice=False))
    looks = only(TRAINED, shown["group"])
    base = alt.Chart(shown).transform_filter("datum.score === score").encode(x, y, colour("group", looks, legend=None))
    lines = base.mark_line(strokeWidth=1.5).encode(detail="architecture:N")
    points = marked(base, "group", looks, size=55, legend=None).encode(tooltip=["model", "parameters", "accuracy"])
    last = shown.groupby(["architecture", "score"]).tail(1)
    names = alt.Chart(last).transform_filter("datum.score === score").mark_text(align="left", dx=8, fontSize=12)
    names = names.encode(x, y, text="architecture:N", color=alt.value(INK))
    choice = selector("score", list(SCORES), "zero_shot", "accuracy", words=list(SCORES.values()))
    about = "Odd-one-out accuracy of networks against their number of parameters, in four families."
    return finish(layer(lines, points, names).add_params(choice), title, about, 300)


def before_and_after(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets after the linear probe against the accuracy before it."""
    shown = table.rename_axis("model").reset_index()[["model", "group", "zero_shot", "probing"]].round(2)
    x = alt.X("zero_shot:Q", title="zero-shot accuracy in %", scale=alt.Scale(domain=[33, 64], nice=False))
    y = alt.Y("probing:Q", title="accuracy after the probe in %", scale=alt.Scale(domain=[33, 64], nice=False))
    looks = only(TRAINED, shown["group"])
    points = marked(alt.Chart(shown), "group", looks, size=55, legend=legend(columns=2))
    points = points.encode(x, y, tooltip=["model", "zero_shot", "probing"])
    equal = diagonal(x, y, 33, 64)
    about = "Odd-one-out accuracy of networks after a linear probe against the accuracy without it."
    return finish(layer(equal, points), title, about, 320, subtitle="dashed: the probe adds nothing")


def errors_by_entropy(errors: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems err, by how sure people are."""
    shown = errors[["system", "entropy", "error", "triplets"]].round(4)
    looks = cases(shown["system"], LINES)
    x = alt.X("entropy:Q", title="entropy of people's choice, by VICE", scale=alt.Scale(domain=[0, 1.1], nice=False))
    y = alt.Y("error:Q", title="share of errors", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 0.7]))
    words = legend(columns=1)
    base = alt.Chart(shown).encode(x, y, colour("system", looks, legend=words))
    points = marked(base, "system", looks, size=40, legend=words)
    points = points.encode(tooltip=["system", "entropy", "error", "triplets"])
    about = "Share of triplets on which a system does not choose what people chose, by people's entropy."
    return finish(layer(base.mark_line(strokeWidth=1.5), points), title, about, 300)


def _long(part: pd.DataFrame) -> pd.DataFrame:
    kept = ["model", "group", "source", "architecture", "parameters", "imagenet"]
    long = part.rename_axis("model").reset_index().melt(kept, list(SCORES), var_name="score", value_name="accuracy")
    return long.dropna(subset="accuracy").round(2)
