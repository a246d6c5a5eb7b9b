"""Charts of Geirhos et al. (2020): overlap by chance, how networks go with people, confusions, distortions."""

from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY, SLATE
from erralign.plot.grammar import CHOSEN, Axis, Options, Plot, entitle, names, numbers, shares
from erralign.plot.theme import BAND, KINDS, colour, colour_of_values, legend, only
from erralign_book.charts.grammar import beside_each_other, labels_if, set_apart
from erralign_book.charts.looks import BY_SHAPE, CROWD, DASHES, GROUPS, SHAPE_AND_TEXTURE, cases, with_guests

CONDITIONS = alt.Axis(labelAngle=0, labelExpr="datum.label[0] == 'c' ? +slice(datum.label, 1) + ' %' : datum.label")
BOTH: Options = {"shape": KINDS["model-human"].shape, "color": KINDS["model-human"].fill}  # of a network with a person
OF_NETWORKS = "small: a network with one person; large: its mean, with 1.96 standard errors; dashed: the straight line"
TILE = 11  # pixels
CONSISTENCY = "error consistency (EC)"
OVERLAPS = {"EC": CONSISTENCY, "observed": "observed overlap"}


def overlap(
    pairs: pd.DataFrame, limits: pd.DataFrame, y: Literal["EC", "observed"], start: str, title: str
) -> alt.LayerChart:
    """Draw observed overlap or error consistency against expected overlap, a point per pair, with limits of chance."""
    axes = numbers("expected", "overlap expected by chance", scale={"domain": [0, 1]}), numbers(y, OVERLAPS[y])
    hover = ["system_a", "system_b", "expected", y, "n_joint_errors"]
    shown, sets = pairs[["data_set", "group", *hover]], list(pairs["data_set"].unique())
    plot = Plot(shown, *axes, look=("group", with_guests(GROUPS, shown["group"])), hover=hover, where=CHOSEN)
    plot.band(limits)
    if y == "observed":
        plot.diagonal()
    plot.points(34).menu("data_set", sets, start, "data set")
    about = f"{OVERLAPS[y]} against expected overlap for {len(pairs)} pairs on {', '.join(sets)}."
    under = f"grey band: 95 % of independent observers{'; dashed: chance alone' if y == 'observed' else ''}"
    return plot.done(title, about, 340, under)


def consistency_and_accuracy(points: pd.DataFrame, means: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw networks' error consistency with people against their accuracy elsewhere, with a straight line.

    Groups' means are bands; small marks are pairs, and large ones networks' means.
    """
    x, y = numbers("accuracy", "ImageNet accuracy, top 5 (%)", ends=(78, 95)), numbers("EC", CONSISTENCY)
    bands = alt.Chart(means.round(4)).transform_filter(CHOSEN)
    groups = colour("group", only(with_guests(GROUPS, means["group"]), means["group"]), legend=None)
    band = bands.mark_rect(opacity=BAND).encode(groups, y="low:Q", y2="high:Q")
    rule = bands.mark_rule(strokeWidth=2).encode(groups, y="EC:Q")
    text = bands.mark_text(align="left", dx=6, dy=-8, fontSize=12).encode(x=alt.value(0), y="high:Q", text="group:N")
    plot = Plot(points, x, y, hover=["network", "person", "EC"], where=CHOSEN)
    plot.menu("data_set", points["data_set"].unique(), start, "data set")
    line = plot.base().transform_regression("accuracy", "EC").mark_line(strokeDash=[5, 4], color=GREY)
    plot.draw(band, rule, text).points(16, opacity=CROWD, **BOTH).draw(line)
    of_networks = means_of_networks(points)
    plot.hover = ["network", alt.Tooltip("EC", title="mean EC")]
    plot.spans(data=of_networks, color=SLATE, strokeWidth=1).points(70, of_networks, **BOTH)
    about = f"{CONSISTENCY} of {points['network'].nunique()} networks with people against ImageNet accuracy."
    return plot.done(title, about, 340, OF_NETWORKS)


def means_of_networks(points: pd.DataFrame) -> pd.DataFrame:
    """Return each network's mean over people with 1.96 standard errors, as the paper draws them."""
    found = points.groupby(["data_set", "network", "accuracy"])["EC"].agg(["mean", "sem"]).reset_index()
    mean, width = found.pop("mean"), 1.96 * found.pop("sem")
    return found.assign(EC=mean, low=mean - width, high=mean + width)


def shape_bias(systems: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw systems' error consistency with people against their shape bias."""
    hover = ["system", "group", alt.Tooltip("shape_bias", format=".1%"), alt.Tooltip("EC", format=".3f")]
    axes = shares("shape_bias", "shape bias", grid=True), numbers("EC", "mean EC with people")
    plot = Plot(systems, *axes, look=("group", with_guests(BY_SHAPE, systems["group"])), hover=hover).points(80)
    about = f"Mean error consistency with people of {len(systems)} systems, by shape bias."
    return set_apart(plot, "group", BY_SHAPE).done(title, about, 300)


def limits_of_chance(curves: pd.DataFrame, cloud: pd.DataFrame, start: int, title: str) -> alt.LayerChart:
    """Draw lower and upper limits against expected overlap, two lines per curve, over a cloud of simulated pairs."""
    curve, key = list(curves["curve"].unique()), legend(columns=1, labelLimit=420)
    cloud = cloud[["n_trials", "expected", "EC"]].dropna()
    axes = numbers("expected", "overlap expected by chance"), numbers("EC", CONSISTENCY)
    plot = Plot(cloud, *axes, where="datum.n_trials === n_trials").points(6, opacity=CROWD, color=GREY)
    scale = alt.Scale(domain=curve, range=DASHES[: len(curve)])
    looks = colour("curve", cases(curve), legend=key), alt.StrokeDash("curve:N", title=None, scale=scale, legend=key)
    plot.draw(*(plot.base(curves, y=end).mark_line(strokeWidth=2, clip=True).encode(*looks) for end in ("low", "high")))
    plot.menu("n_trials", [int(n) for n in cloud["n_trials"].unique()], start, "trials")
    return plot.done(title, f"Lower and upper limits of EC against expected overlap: {'; '.join(curve)}.", 300)


def confusion_matrices(table: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw what each observer answers to each category, a panel per observer; time-outs have no column."""
    panels, table = list[alt.LayerChart](), table[table["answer"] != "no answer"]
    for name in table["observer"].unique():
        x = names("answer", None, "answer", labelAngle=-90)
        y = names("category", labelExpr=labels_if(first=len(panels) % 3 == 0))
        hover = ["category", "answer", alt.Tooltip("share:Q", format=".1%")]
        plot = Plot(table[table["observer"] == name], x, y, hover=hover)
        plot.tiles(colour_of_values("share", "share of answers"))
        panels.append(plot.drawn().properties(title=name, width=alt.Step(TILE), height=alt.Step(TILE)))
    about = f"Confusion matrices of {', '.join(table['observer'].unique())}, true categories down and answers across."
    return entitle(beside_each_other(panels, 3), title, about, subtitle="a row for each true category")


def distortions(table: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw accuracy against the strength of a distortion for people, CORnet-S and ResNet-50."""
    strength: Axis = {"shorthand": "condition:N", "sort": alt.SortField("strength")}
    strength |= {"title": "distortion, from weak to strong", "axis": CONDITIONS}
    y, hover = numbers("accuracy", scale={"domain": [0, 1]}), ["system", "accuracy"]
    where = "datum.experiment === distortion"
    plot = Plot(by_system(table), strength, y, look=("system", SHAPE_AND_TEXTURE), hover=hover, where=where)
    plot.spans("people_low", "people_high", strokeWidth=1).lines().points()
    plot.menu("distortion", table["experiment"].unique(), start, "distortion")
    about = f"Accuracy of {', '.join(SHAPE_AND_TEXTURE)} against the strength of one of several distortions."
    return plot.done(title, about, 280, "upright lines: the range of the people")


def by_system(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per condition and system; the range of the people only beside them."""
    people, *networks = SHAPE_AND_TEXTURE
    named = table.round(4).rename(columns=dict(zip(("people", "cornet-s", "resnet50"), SHAPE_AND_TEXTURE, strict=True)))
    keys = ["experiment", "condition", "strength", "people_low", "people_high"]
    long = named.melt(keys, [people, *networks], var_name="system", value_name="accuracy")
    long.loc[long["system"] != people, ["people_low", "people_high"]] = np.nan
    return long
