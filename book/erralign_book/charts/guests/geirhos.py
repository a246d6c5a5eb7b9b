"""Figures of Geirhos et al. (2020) with guests in them, and the tables that these need."""

from collections.abc import Iterable
from typing import Literal

import altair as alt
import pandas as pd
from scipy.stats import norm

from erralign.datasets import geirhos2020 as source
from erralign.plot.colours import GREY, INK, SLATE
from erralign.plot.finishing import entitle
from erralign.plot.theme import BAND, KINDS, colour, colour_of_values, only
from erralign_book.cells import table as frozen_table
from erralign_book.charts.grammar import set_apart
from erralign_book.charts.looks import BY_SHAPE, CROWD, GROUPS, SHAPE_AND_TEXTURE, with_guests
from erralign_book.charts.marks import CHOSEN, DASHED, Axis, Options, Plot, names, numbers, shares

BOTH: Options = {"shape": KINDS["model-human"].shape, "color": KINDS["model-human"].fill}  # of a network with a person
OF_NETWORKS = "small: a network with one person; large: its mean, with 1.96 standard errors; dashed: fitted line"
TILE = 11, 14  # pixels: across, and down, where names of rows need room
OBSERVERS = ("people", "CORnet-S", "ResNet-50")
CONSISTENCY = "error consistency (EC)"
OVERLAPS = {"EC": CONSISTENCY, "observed": "observed overlap"}
WORDS = {"human-human": "two people", "model-human": "a person and a network", "model-model": "two networks"}
GRIDS = {160: "edges at .15", 1280: "edges at .05"}  # of simulated observers, as the paper's figures have them


def pairs_of_the_paper() -> pd.DataFrame:
    """Return the pairs of the ten people and the sixteen networks of Figure 3, with their group in words."""
    pairs = frozen_table("geirhos2020/pairwise_scores")
    chosen = [*source.systems().query("kind == 'human'").index, *source.SIXTEEN]
    pairs = pairs[pairs[["system_a", "system_b"]].isin(chosen).all(axis=1)]
    alike = (pairs["kind"] == "model-model") & (pairs["architecture_a"] == pairs["architecture_b"])
    return pairs.assign(group=pairs["kind"].map(WORDS).mask(alike, "two networks of one architecture"))


def networks_with_people() -> pd.DataFrame:
    """Return the pairs of a network and a person beside the network's accuracy on ImageNet."""
    pairs = pairs_of_the_paper().query("kind == 'model-human'")
    named = pairs.rename(columns={"system_a": "person", "system_b": "network"})
    accuracy = named["network"].map(source.IMAGENET["top5"])
    return named[["data_set", "network", "person", "EC"]].assign(accuracy=accuracy)


def bands() -> pd.DataFrame:
    """Return the mean error consistency of two people and of two networks, with 1.96 standard errors."""
    pairs = pairs_of_the_paper().query("kind != 'model-human'")
    means = pairs.groupby(["data_set", "kind"])["EC"].agg(["mean", "sem"]).reset_index()
    width = norm.ppf(0.975) * means["sem"]
    means = means.assign(group=means["kind"].map(WORDS), low=means["mean"] - width, high=means["mean"] + width)
    return means.rename(columns={"mean": "EC"})[["data_set", "group", "EC", "low", "high"]]


def chance(y: str) -> pd.DataFrame:
    """Return the limits for independent observers as the paper's figures draw them, for each data set."""
    limits = frozen_table("geirhos2020/percentiles").dropna().set_index(["n_trials", "grid"])
    parts = {name: limits.loc[(n, GRIDS[n])] for name, n in source.DATA_SETS.items()}
    both = pd.concat(parts, names=["data_set"]).reset_index("data_set").reset_index(drop=True)
    return both.rename(columns={f"{y}_low": "low", f"{y}_high": "high"})[["data_set", "expected", "low", "high"]]


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
        line = alt.Chart(pd.DataFrame({"expected": [0, 1], y: [0, 1]})).mark_line(color=GREY, strokeDash=DASHED)
        plot.draw(line.encode(alt.X(**plot.x), alt.Y(**plot.y)))
    plot.points(34).menu("data_set", sets, start, "data set")
    about = f"{OVERLAPS[y]} against expected overlap for {len(pairs)} pairs on {', '.join(sets)}."
    under = f"grey band: meant for 95 % of independent observers{'; dashed: chance alone' if y == 'observed' else ''}"
    return plot.done(title, about, 340, under)


def consistency_and_accuracy(points: pd.DataFrame, means: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw networks' error consistency with people against their accuracy elsewhere, with a straight line."""
    x = numbers("accuracy", "ImageNet accuracy, top 5 (%)", ends=(78, 95))
    about = f"{CONSISTENCY} of {points['network'].nunique()} networks with people against ImageNet accuracy."
    return _networks_with_people(points, means, ["accuracy"], x, start).done(title, about, 340, OF_NETWORKS)


def _networks_with_people(
    points: pd.DataFrame, means: pd.DataFrame, places: list[str], x: Axis, start: str, *, chosen: str = ""
) -> Plot:
    """Draw groups' means as bands, pairs, their straight line, and networks' means; x is one of the places."""
    y = numbers("EC", CONSISTENCY)
    bands = alt.Chart(means.round(4)).transform_filter(CHOSEN)
    groups = colour("group", only(with_guests(GROUPS, means["group"]), means["group"]), legend=None)
    band = bands.mark_rect(opacity=BAND).encode(groups, y="low:Q", y2="high:Q")
    rule = bands.mark_rule(strokeWidth=2).encode(groups, y="EC:Q")
    text = bands.mark_text(align="left", dx=6, dy=-8, fontSize=12).encode(x=alt.value(0), y="high:Q", text="group:N")
    computed = {"chosen": chosen} if chosen else {}
    where = f"{CHOSEN} && isValid({chosen})" if chosen else CHOSEN
    plot = Plot(points, x, y, hover=["network", "person", "EC"], where=where, computed=computed)
    plot.menu("data_set", points["data_set"].unique(), start, "data set")
    fitted = plot.base().transform_regression(x["shorthand"].removesuffix(":Q"), "EC")
    line = fitted.mark_line(strokeDash=[5, 4], color=GREY)
    plot.draw(band, rule, text).points(16, opacity=CROWD, **BOTH).draw(line)
    of_networks = means_of_networks(points, places)
    plot.hover = ["network", alt.Tooltip("EC", title="mean EC")]
    return plot.spans(data=of_networks, color=SLATE, strokeWidth=1).points(70, of_networks, **BOTH)


def means_of_networks(points: pd.DataFrame, places: list[str]) -> pd.DataFrame:
    """Return each network's mean over people with 1.96 standard errors, as the paper draws them."""
    found = points.groupby(["data_set", "network", *places], dropna=False)["EC"].agg(["mean", "sem"]).reset_index()
    mean, width = found.pop("mean"), 1.96 * found.pop("sem")
    return found.assign(EC=mean, low=mean - width, high=mean + width)


# Labels of networks that a text compares: words, side of the mark, pixels to the right and down.
COMPARED: dict[str, tuple[str, Literal["left", "right", "center"], int, int]] = {
    "cornet-s": ("CORnet-S", "right", -8, -7),
    "resnet50": ("ResNet-50; tuned back", "left", 7, 13),
    "resnet50-trained-on-SIN-and-IN": ("redrawn and photographs", "left", 8, 10),
    "resnet50-trained-on-SIN": ("redrawn only", "center", 0, 16),
}
REDRAWN = tuple(COMPARED)[2:]


def shape_bias(systems: pd.DataFrame, title: str, *, named: Iterable[str] = REDRAWN) -> alt.LayerChart:
    """Draw systems' error consistency with people against their shape bias, some with labels."""
    hover = ["system", "group", alt.Tooltip("shape_bias", format=".3f"), alt.Tooltip("EC", format=".3f")]
    axes = numbers("shape_bias", "shape bias"), numbers("EC", "mean EC with people")
    plot = Plot(systems, *axes, look=("group", with_guests(BY_SHAPE, systems["group"])), hover=hover).points(80)
    for name in named:
        words, side, right, down = COMPARED[name]
        here = systems[systems["system"] == name].assign(name=words)
        plot.words("name", here, align=side, dx=right, dy=down, color=INK)
    about = f"Mean error consistency with people of {len(systems)} systems, by shape bias."
    return set_apart(plot, "group", BY_SHAPE).done(title, about, 300)


def shape_bias_by_category(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the shape bias of people, CORnet-S and ResNet-50, one row per category."""
    of_people = table[table["observer"] == "people"].sort_values("shape_bias", ascending=False)
    looks = with_guests(dict(zip(OBSERVERS, SHAPE_AND_TEXTURE.values(), strict=True)), table["observer"])
    hover = ["observer", "category", alt.Tooltip("shape_bias", title="shape bias", format=".0%")]
    hover.append(alt.Tooltip("either", title="answers that name shape or texture", format=".0%"))
    x = shares("shape_bias", "shape bias", scale={"domain": [0, 1]}, grid=True)
    y = names("category", list(of_people["category"]), "category of the shape", offset=8)
    about = f"Shape bias of {', '.join(looks)} for {len(of_people)} categories of shapes."
    plot = Plot(table, x, y, look=("observer", looks), hover=hover).points(70)
    return plot.done(title, about, 22 * len(of_people))


def confusion_matrices(table: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw what each observer answers to each category, a panel per observer; time-outs have no column."""
    panels, table = list[alt.LayerChart](), table[table["answer"] != "no answer"]
    for name in table["observer"].unique():
        x = names("answer", None, "answer", labelAngle=-90)
        y = names("category", labels=len(panels) % 3 == 0)
        hover = ["category", "answer", alt.Tooltip("share:Q", format=".1%")]
        plot = Plot(table[table["observer"] == name], x, y, hover=hover)
        plot.draw(plot.base().mark_rect().encode(colour_of_values("share", "share of answers"), tooltip=plot.hover))
        panels.append(plot.drawn().properties(title=name, width=alt.Step(TILE[0]), height=alt.Step(TILE[1])))
    about = f"Confusion matrices of {', '.join(table['observer'].unique())}, true categories down and answers across."
    return entitle(alt.concat(*panels, columns=3), title, about, subtitle="a row for each true category")
