"""Charts of error consistency against what chance gives."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.theme import FAMILIES, GROUPS, KINDS, LINES, OTHER, data_set_selector


def overlap(pairs: pd.DataFrame, limits: pd.DataFrame, y: str, start: str, title: str) -> alt.LayerChart:
    """Draw observed overlap or error consistency against expected overlap, a point a pair, over the limits of chance.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set``, ``system_a``, ``system_b``, ``group`` (a key of ``GROUPS``), ``expected``, ``n_joint_errors`` and
        ``y``.
    limits : pandas.DataFrame
        ``data_set``, ``expected``, ``low``, ``high``: where 95 % of independent observers lie.
    y : str
        ``"EC"`` or ``"observed"``.
    start : str
        The data set shown first; there is a selector when there are several.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        With a dashed diagonal under observed overlap, which is where chance alone would put a pair.
    """
    name = f"data_set_of_{y}_{len(pairs)}"
    names = list(dict.fromkeys(pairs["data_set"]))
    label = {"EC": "error consistency (EC)", "observed": "observed overlap"}[y]
    axis = alt.Y(f"{y}:Q", title=label)
    x = alt.X(
        "expected:Q", title="overlap expected by chance", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)
    )
    here = f"datum.data_set === {name}"
    band = alt.Chart(limits.round(4)).transform_filter(here).mark_area(color=OTHER, opacity=0.3)
    layers = [band.encode(x=x, y=alt.Y("low:Q", title=label), y2="high:Q")]
    if y == "observed":
        diagonal = alt.Chart(pd.DataFrame({"expected": [0, 1], y: [0, 1]}))
        layers.append(diagonal.mark_line(strokeDash=[4, 4], color=OTHER).encode(x=x, y=axis))
    shown = pairs[["data_set", "system_a", "system_b", "group", "expected", y, "n_joint_errors"]].round(4)
    points = alt.Chart(shown).transform_filter(here).mark_point(filled=True, size=34, opacity=0.75)
    colour, shape = _group_scales([group for group in GROUPS if group in set(pairs["group"])])
    tooltip = ["system_a", "system_b", "expected", y, alt.Tooltip("n_joint_errors", title="joint errors")]
    layers.append(points.encode(x=x, y=axis, color=colour, shape=shape, tooltip=tooltip))
    selector = data_set_selector(name, names, start) if len(names) > 1 else alt.param(name=name, value=start)
    return (
        alt.layer(*layers)
        .add_params(selector)
        .properties(
            width="container",
            height=340,
            title=title,
            description=f"{label} against expected overlap for {len(pairs)} pairs on {', '.join(names)}, over a "
            f"grey band that holds 95 % of independent observers. {title}.",
        )
    )


def _group_scales(groups: list[str]) -> tuple[alt.Color, alt.Shape]:
    colours, shapes = zip(*(GROUPS[group] for group in groups), strict=True)
    legend = alt.Legend(symbolOpacity=1, columns=1)
    return (
        alt.Color("group:N", title=None, legend=legend, scale=alt.Scale(domain=groups, range=list(colours))),
        alt.Shape("group:N", title=None, legend=legend, scale=alt.Scale(domain=groups, range=list(shapes))),
    )


def consistency_and_accuracy(points: pd.DataFrame, means: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw networks' error consistency with people against their accuracy elsewhere, with a straight line.

    Parameters
    ----------
    points : pandas.DataFrame
        ``data_set``, ``network``, ``person``, ``accuracy``, ``EC``: a row a pair.
    means : pandas.DataFrame
        ``data_set``, ``group``, ``EC``, ``low``, ``high``: bands for two people and for two networks.
    start : str
        The data set shown first.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Small points are pairs, large ones means over people with 1.96 standard errors.
    """
    name = "data_set_of_points"
    here = f"datum.data_set === {name}"
    x = alt.X("accuracy:Q", title="ImageNet accuracy, top 5 (%)", scale=alt.Scale(domain=[78, 95], nice=False))
    y = alt.Y("EC:Q", title="error consistency (EC)")
    colour, other = GROUPS["a person and a network"][0], OTHER
    base = alt.Chart(points.round(4)).transform_filter(here)
    pair = base.mark_point(filled=True, size=16, opacity=0.35, color=colour).encode(
        x=x, y=y, tooltip=["network", "person", "EC"]
    )
    mean = base.mark_point(filled=True, size=70, opacity=1, color=colour).encode(
        x=x,
        y=alt.Y("mean(EC):Q", title="error consistency (EC)"),
        detail="network:N",
        tooltip=["network", "mean(EC):Q"],
    )
    whisker = base.mark_errorbar(extent="ci", color=colour).encode(x=x, y=y, detail="network:N")
    line = base.transform_regression("accuracy", "EC").mark_line(strokeDash=[5, 4], color=other).encode(x=x, y=y)
    layers = [*_mean_bands(means.round(4), here), pair, line, whisker, mean]
    selector = data_set_selector(name, list(dict.fromkeys(points["data_set"])), start)
    return (
        alt.layer(*layers)
        .add_params(selector)
        .properties(
            width="container",
            height=340,
            title=title,
            description=f"Error consistency of {points['network'].nunique()} networks with "
            f"{points['person'].nunique()} people against ImageNet accuracy, "
            f"with bands for two people and two networks. {title}.",
        )
    )


def _mean_bands(means: pd.DataFrame, here: str) -> list[alt.Chart]:
    base = alt.Chart(means).transform_filter(here)
    groups = ["two people", "two networks"]
    scale = alt.Scale(domain=groups, range=[GROUPS[group][0] for group in groups])
    colour = alt.Color("group:N", legend=None, scale=scale)
    band = base.mark_rect(opacity=0.25).encode(y="low:Q", y2="high:Q", color=colour)
    rule = base.mark_rule(strokeWidth=2).encode(y="EC:Q", color=colour)
    text = base.mark_text(align="left", dx=6, dy=-9, fontSize=12).encode(x=alt.value(0), y="EC:Q", text="group:N")
    return [band, rule, text]


def limits_of_chance(curves: pd.DataFrame, y: str, title: str) -> alt.LayerChart:
    """Draw lower and upper limits against expected overlap, two lines a curve.

    Parameters
    ----------
    curves : pandas.DataFrame
        ``curve``, ``expected``, ``low``, ``high``; at most three curves.
    y : str
        What the limits are of.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Each curve has a colour and a dash of its own.
    """
    names = list(dict.fromkeys(curves["curve"]))
    scale = alt.Scale(domain=names, range=list(LINES[: len(names)]))
    dash = alt.Scale(domain=names, range=[[1, 0], [8, 3], [2, 2]][: len(names)])
    legend = alt.Legend(columns=1, labelLimit=420)
    base = alt.Chart(curves.round(4)).mark_line(strokeWidth=2, clip=True)
    lines = [
        base.encode(
            x=alt.X("expected:Q", title="overlap expected by chance", axis=alt.Axis(tickCount=5)),
            y=alt.Y(f"{end}:Q", title=y),
            color=alt.Color("curve:N", title=None, scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("curve:N", title=None, scale=dash, legend=legend),
        )
        for end in ("low", "high")
    ]
    return alt.layer(*lines).properties(
        width="container",
        height=300,
        title=title,
        description=f"Lower and upper limits of {y} against expected overlap: {'; '.join(names)}. {title}.",
    )


def shape_bias(points: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw error consistency with people against shape bias, a point a network.

    Parameters
    ----------
    points : pandas.DataFrame
        ``system``, ``group`` (of networks; at most three), ``shape_bias``, ``EC``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A hover names the network.
    """
    groups = list(dict.fromkeys(points["group"]))
    scale = alt.Scale(domain=groups, range=list(LINES[: len(groups)]))
    shapes = alt.Scale(domain=groups, range=["circle", "diamond", "square"][: len(groups)])
    chart = (
        alt.Chart(points[["system", "group", "shape_bias", "EC"]].round(4))
        .mark_point(filled=True, size=80, opacity=0.9)
        .encode(
            x=alt.X("shape_bias:Q", title="shape bias", axis=alt.Axis(format="%")),
            y=alt.Y("EC:Q", title="mean EC with ten people"),
            color=alt.Color("group:N", title=None, scale=scale, legend=alt.Legend(columns=1, symbolOpacity=1)),
            shape=alt.Shape("group:N", title=None, scale=shapes),
            tooltip=["system", "group", alt.Tooltip("shape_bias", format=".1%"), alt.Tooltip("EC", format=".3f")],
        )
    )
    return alt.layer(chart).properties(
        width="container",
        title=title,
        description=f"Mean error consistency with people against shape bias for {len(points)} networks. {title}.",
    )


def explained(regressions: pd.DataFrame, title: str) -> alt.Chart:
    """Draw how much of the spread in error consistency a straight line explains, a row a score.

    Parameters
    ----------
    regressions : pandas.DataFrame
        ``score``, ``data_set`` (at most three), ``R2``, ``slope``, ``p``, ``p_networks``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        A hover gives the p-values.
    """
    sets = list(dict.fromkeys(regressions["data_set"]))
    return (
        alt.Chart(regressions.round({"R2": 4, "p_networks": 4}))
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X("R2:Q", title="R²: share of the spread that the line explains"),
            y=alt.Y("score:N", title=None, sort=list(dict.fromkeys(regressions["score"]))),
            color=alt.Color(
                "data_set:N", title="data set", scale=alt.Scale(domain=sets, range=list(LINES[: len(sets)]))
            ),
            shape=alt.Shape("data_set:N", title="data set", scale=alt.Scale(domain=sets)),
            tooltip=["score", "data_set", "R2", alt.Tooltip("p", format=".2g"), "p_networks"],
        )
        .properties(
            width="container",
            height=28 * regressions["score"].nunique(),
            title=title,
            description=f"R² of straight lines of error consistency against scores, on {', '.join(sets)}. {title}.",
        )
    )


def expected_overlap(steps: int = 41) -> alt.LayerChart:
    """Draw expected overlap over two accuracies.

    Parameters
    ----------
    steps : int
        Cells along a side.

    Returns
    -------
    altair.LayerChart
        With a line where expected overlap is one half.
    """
    accuracies = np.linspace(0, 1, steps)
    p_a, p_b = (side.ravel() for side in np.meshgrid(accuracies, accuracies))
    cells = pd.DataFrame({"p_a": p_a, "p_b": p_b, "expected": p_a * p_b + (1 - p_a) * (1 - p_b)}).round(4)
    half = 0.5 / (steps - 1)
    cells = cells.assign(right=cells["p_a"] + half, top=cells["p_b"] + half, p_a=p_a - half, p_b=p_b - half)
    tiles = (
        alt.Chart(cells)
        .mark_rect(clip=True)
        .encode(
            x=alt.X("p_a:Q", title="accuracy of one system", scale=alt.Scale(domain=[0, 1])),
            x2="right:Q",
            y=alt.Y("p_b:Q", title="accuracy of the other", scale=alt.Scale(domain=[0, 1])),
            y2="top:Q",
            color=alt.Color("expected:Q", title="expected overlap", scale=alt.Scale(scheme="blues", domain=[0, 1])),
        )
    )
    cross = pd.DataFrame({"x": [0.5, 0.5, 0, 1], "y": [0, 1, 0.5, 0.5], "line": ["a", "a", "b", "b"]})
    lines = alt.Chart(cross).mark_line(color=LINES[1], strokeWidth=2).encode(x="x:Q", y="y:Q", detail="line:N")
    return alt.layer(tiles, lines).properties(
        width="container",
        height=300,
        title="Two systems overlap by chance most when both are good or both are bad",
        description="Expected overlap for all pairs of accuracies: near 1 where both are near 1 or both near 0, near 0 "
        "where one is near 1 and the other near 0, and one half where either accuracy is one half.",
    )


def distortions(table: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw accuracy against the strength of a distortion for people, CORnet-S and ResNet-50.

    Parameters
    ----------
    table : pandas.DataFrame
        ``experiment``, ``condition``, ``strength``, ``people``, ``people_low``, ``people_high``, ``cornet-s``,
        ``resnet50``.
    start : str
        The experiment shown first; there is a selector.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Whiskers at people are their range.
    """
    names = {"people": "people, mean and range", "cornet-s": "CORnet-S", "resnet50": "ResNet-50"}
    scale = alt.Scale(domain=list(names.values()), range=[FAMILIES["Human"], LINES[2], LINES[0]])
    shapes = alt.Scale(domain=list(names.values()), range=["circle", "diamond", "triangle-up"])
    select = alt.binding_select(options=list(dict.fromkeys(table["experiment"])), name="distortion ")
    chosen = alt.param(name="distortion", value=start, bind=select)
    long = table.round(4).rename(columns=names)
    keys = ["experiment", "condition", "strength", "people_low", "people_high"]
    long = long.melt(keys, list(names.values()), var_name="system", value_name="accuracy")
    long.loc[long["system"] != names["people"], ["people_low", "people_high"]] = np.nan
    x = alt.X("condition:N", sort=alt.SortField("strength"), title="distortion, from weak to strong")
    base = alt.Chart(long).transform_filter("datum.experiment === distortion")
    base = base.encode(x=x, color=alt.Color("system:N", title=None, scale=scale, legend=alt.Legend(columns=1)))
    y = alt.Y("accuracy:Q", scale=alt.Scale(domain=[0, 1]))
    whisker = base.mark_rule().encode(y=alt.Y("people_low:Q", title="accuracy"), y2="people_high:Q")
    marks = alt.Shape("system:N", title=None, scale=shapes)
    point = base.mark_point(filled=True, size=60, opacity=1).encode(y=y, shape=marks, tooltip=["system", "accuracy"])
    layers = [whisker.transform_filter("isValid(datum.people_low)"), base.mark_line().encode(y=y), point]
    return (
        alt.layer(*layers)
        .add_params(chosen)
        .properties(
            width="container",
            height=280,
            title=title,
            description=f"Accuracy against strength of {table['experiment'].nunique()} distortions, with a selector, "
            f"for people, CORnet-S and ResNet-50. {title}.",
        )
    )


def colour_and_grey(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw error consistency on grey photographs against that on coloured ones, a point a pair.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``pictures``, ``colour`` (``colour``, ``grey``), ``system_a``, ``system_b``, ``kind``, ``n_joint_errors``,
        ``EC``, ``EC_low``, ``EC_high``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Thin lines are intervals; the dashed diagonal is "colour changes nothing".
    """
    looks = {
        "the two people": (KINDS["human-human"], "square"),
        "two of the five people": (KINDS["human-human"], "circle"),
        "a person and ResNet-50": (KINDS["model-human"], "triangle-up"),
    }
    people = np.where(pairs["pictures"] == "of two people", *list(looks)[:2])
    pairs = pairs.assign(pair=np.where(pairs["kind"] == "human-human", people, list(looks)[2])).round(3)
    values = ["EC", "EC_low", "EC_high", "n_joint_errors"]
    wide = pairs.pivot(index=["pair", "system_a", "system_b"], columns="colour", values=values)
    wide.columns = [f"{value} {colour}" for value, colour in wide.columns]
    colours, shapes = (
        alt.Scale(domain=list(looks), range=list(column)) for column in zip(*looks.values(), strict=True)
    )
    scale, axis = alt.Scale(domain=[0, 0.7]), alt.Axis(tickCount=7, format=".1f")
    across = alt.X("EC colour:Q", scale=scale, axis=axis, title="EC in colour")
    upwards = alt.Y("EC grey:Q", scale=scale, axis=axis, title="EC in grey")
    legend = alt.Legend(columns=1, symbolOpacity=1)
    base = alt.Chart(wide.reset_index()).encode(color=alt.Color("pair:N", title=None, scale=colours, legend=legend))
    rules = base.mark_rule(opacity=0.4)
    point = base.mark_point(filled=True, size=70, opacity=1)
    layers = [
        rules.encode(x=alt.X("EC_low colour:Q", title="EC in colour"), x2="EC_high colour:Q", y=upwards),
        rules.encode(y=alt.Y("EC_low grey:Q", title="EC in grey"), y2="EC_high grey:Q", x=across),
        point.encode(
            x=across,
            y=upwards,
            shape=alt.Shape("pair:N", title=None, scale=shapes),
            tooltip=["system_a", "system_b", *wide.columns],
        ),
    ]
    equal = alt.Chart(pd.DataFrame({"from": [0.0], "to": [0.7]})).mark_rule(color=OTHER, strokeDash=[6, 3])
    equal = equal.encode(x="from:Q", x2="to:Q", y="from:Q", y2="to:Q")
    return alt.layer(*layers, equal).properties(
        width="container",
        height=340,
        title=title,
        description=f"Error consistency of {len(wide)} pairs on grey photographs against that on coloured ones, with "
        f"95 % intervals. {title}.",
    )
