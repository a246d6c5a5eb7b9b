"""Charts of Geirhos et al. (2020): overlap by chance, how networks go with people, confusions, distortions, colour."""

from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures import limit_columns
from erralign.plot.colours import AMBER, GREY, INK, RAMP
from erralign.plot.parts import CHOSEN, dots, finish, layer, selector, whisker
from erralign.plot.theme import BAND, WHOSE, colour, colour_of_values, legend, only
from erralign_book.charts.looks import COLOUR_PAIRS, CROWD, DASHES, GROUPS, SHAPE_AND_TEXTURE, cases
from erralign_book.charts.parts import diagonal, marked, span

CONDITIONS = alt.Axis(labelAngle=0, labelExpr="datum.label[0] == 'c' ? +slice(datum.label, 1) + ' %' : datum.label")
STEPS = 41  # of accuracy, from 0 to 1
OF_NETWORKS = "small: a network with one person; large: its mean, with 1.96 standard errors; dashed: the straight line"
OF_ADDED = "diamonds: networks added to the paper's, with 95 % intervals"
OBSERVERS = ("people", "CORnet-S", "ResNet-50")
CONSISTENCY = "error consistency (EC)"
OVERLAPS = {"EC": CONSISTENCY, "observed": "observed overlap"}


def overlap(
    pairs: pd.DataFrame, limits: pd.DataFrame, y: Literal["EC", "observed"], start: str, title: str
) -> alt.LayerChart:
    """Draw observed overlap or error consistency against expected overlap, a point per pair, with limits of chance."""
    x = alt.X("expected:Q", title="overlap expected by chance", scale=alt.Scale(domain=[0, 1]))
    axes = x, alt.Y(f"{y}:Q", title=OVERLAPS[y])
    band = alt.Chart(limits.round(4)).transform_filter(CHOSEN).mark_area(color=GREY, opacity=BAND)
    band = band.encode(x, alt.Y("low:Q", title=OVERLAPS[y]), y2="high:Q")
    known = ["system_a", "system_b", "expected", y, "n_joint_errors"]
    base = alt.Chart(pairs[["data_set", "group", *known]].round(4)).transform_filter(CHOSEN)
    points = marked(base.encode(*axes, tooltip=known), "group", GROUPS, 34, columns=1)
    equal = [diagonal(*axes)] if y == "observed" else []
    names = list(pairs["data_set"].unique())
    about = (
        f"{OVERLAPS[y]} against expected overlap for {len(pairs)} pairs on {', '.join(names)}, over a grey band that "
    )
    about += "holds 95 % of independent observers."
    under = f"grey band: 95 % of independent observers{'; dashed: chance alone' if equal else ''}"
    drawn = layer(band, *equal, points).add_params(selector("data_set", names, start))
    return finish(drawn, title, about, 340, subtitle=under)


def consistency_and_accuracy(
    points: pd.DataFrame, means: pd.DataFrame, start: str, title: str, added: pd.DataFrame | None = None
) -> alt.LayerChart:
    """Draw networks' error consistency with people against their accuracy elsewhere, with a straight line."""
    x = alt.X("accuracy:Q", title="ImageNet accuracy, top 5 (%)", scale=alt.Scale(domain=[78, 95], nice=False))
    about = f"Error consistency of {points['network'].nunique()} networks with {points['person'].nunique()} people "
    about += "against ImageNet accuracy, with bands for two people and two networks"
    hue, more, under = AMBER, [], OF_NETWORKS
    if added is not None:
        hue, more, under = GREY, _added(added, x), f"{OF_NETWORKS}; {OF_ADDED}"  # what is added stands out
        about += f", and means of {', '.join(added['network'].unique())}, added to the paper's"
    networks = _networks_with_people(points, ["accuracy"], x, hue=hue)
    choice = selector("data_set", list(points["data_set"].unique()), start)
    drawn = layer(*_mean_bands(means), *networks, *more).add_params(choice)
    return finish(drawn, title, f"{about}.", 340, subtitle=under)


def _added(means: pd.DataFrame, x: alt.X) -> list[alt.Chart]:
    base, look = alt.Chart(means.round(4)).transform_filter(CHOSEN), GROUPS["an EfficientNet and a person"]
    point = dots(base, 90, color=look.colour, shape=look.shape).encode(x, alt.Y("EC:Q", title=CONSISTENCY))
    rule = whisker(base.encode(x), CONSISTENCY, color=look.colour, strokeWidth=2)
    return [rule, point.encode(tooltip=["network", "EC", "low", "high"])]


def consistency_and_scores(
    points: pd.DataFrame, means: pd.DataFrame, start: tuple[str, str], title: str
) -> alt.LayerChart:
    """Draw networks' error consistency with people against the Brain-Score that the reader chooses."""
    scores = [str(column) for column in points if column not in ("data_set", "network", "person", "EC")]
    data_set = selector("data_set", list(points["data_set"].unique()), start[0])
    score = selector("score", scores, start[1], "Brain-Score")
    x = alt.X("chosen:Q", title="Brain-Score", scale=alt.Scale(zero=False))
    layers = _networks_with_people(points, scores, x, "datum[score]")
    about = f"Error consistency of {points['network'].nunique()} networks with people against one of {len(scores)} "
    about += "Brain-Scores, with selectors for score and data set, bands for two people and two networks."
    drawn = layer(*_mean_bands(means), *layers).add_params(data_set, score)
    return finish(drawn, title, about, 340, subtitle=OF_NETWORKS)


def _mean_bands(means: pd.DataFrame) -> list[alt.Chart]:
    base = alt.Chart(means.round(4)).transform_filter(CHOSEN)
    groups = colour("group", only(GROUPS, means["group"]), legend=None)
    band = base.mark_rect(opacity=BAND).encode(groups, y="low:Q", y2="high:Q")
    rule = base.mark_rule(strokeWidth=2).encode(groups, y="EC:Q")
    text = base.mark_text(align="left", dx=6, dy=-8, fontSize=12).encode(x=alt.value(0), y="high:Q", text="group:N")
    return [band, rule, text]


def _networks_with_people(
    points: pd.DataFrame, places: list[str], x: alt.X, chosen: str = "datum.accuracy", *, hue: str = AMBER
) -> list[alt.Chart]:
    """Draw pairs, their straight line, and the networks' means; ``places`` are the columns to choose x from."""
    y = alt.Y("EC:Q", title=CONSISTENCY)
    pairs, means = (_chosen(table, chosen) for table in (points, _means_of_networks(points, places)))
    pair = pairs.mark_point(filled=True, size=16, opacity=CROWD, color=hue)
    line = pairs.transform_regression(x.shorthand.removesuffix(":Q"), "EC").mark_line(strokeDash=[5, 4], color=GREY)
    mean = dots(means, 70, color=hue).encode(x, y, tooltip=["network", alt.Tooltip("EC", title="mean EC")])
    pair = pair.encode(x, y, tooltip=["network", "person", "EC"])
    return [pair, line.encode(x, y), whisker(means.encode(x), CONSISTENCY, color=hue), mean]


def _chosen(table: pd.DataFrame, chosen: str) -> alt.Chart:
    base = alt.Chart(table.round(4)).transform_filter(CHOSEN).transform_calculate(chosen=chosen)
    return base.transform_filter("isValid(datum.chosen)")


def _means_of_networks(points: pd.DataFrame, places: list[str]) -> pd.DataFrame:
    """Return each network's mean over people with 1.96 standard errors, as the paper draws them."""
    found = points.groupby(["data_set", "network", *places], dropna=False)["EC"].agg(["mean", "sem"]).reset_index()
    mean, width = found.pop("mean"), 1.96 * found.pop("sem")
    return found.assign(EC=mean, low=mean - width, high=mean + width)


def shape_bias(systems: pd.DataFrame, title: str) -> alt.Chart:
    """Draw systems' error consistency with people against their shape bias."""
    looks = only(WHOSE, systems["group"]) or cases(systems["group"])
    shown = alt.Chart(systems[["system", "group", "shape_bias", "EC"]].round(4))
    chart = marked(shown, "group", looks, 80, columns=1).encode(
        alt.X("shape_bias:Q", title="shape bias", axis=alt.Axis(format="%")),
        alt.Y("EC:Q", title="mean EC with people"),
        tooltip=["system", "group", alt.Tooltip("shape_bias", format=".1%"), alt.Tooltip("EC", format=".3f")],
    )
    return finish(chart, title, f"Mean error consistency with people of {len(systems)} systems, by shape bias.", 300)


def shape_bias_by_category(table: pd.DataFrame, title: str) -> alt.Chart:
    """Draw the shape bias of people, CORnet-S and ResNet-50, one row per category."""
    of_people = table[table["observer"] == "people"].sort_values("shape_bias", ascending=False)
    looks = dict(zip(OBSERVERS, SHAPE_AND_TEXTURE.values(), strict=True))
    points = marked(alt.Chart(table.round(4)), "observer", looks, 70, columns=3).encode(
        alt.X("shape_bias:Q", title="shape bias", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        alt.Y("category:N", title="category of the shape", sort=list(of_people["category"]), axis=alt.Axis(offset=8)),
        tooltip=[
            "observer",
            "category",
            alt.Tooltip("shape_bias", title="shape bias", format=".0%"),
            alt.Tooltip("either", title="answers that name shape or texture", format=".0%"),
        ],
    )
    about = f"Shape bias of {', '.join(looks)} for {len(of_people)} categories of shapes. "
    return finish(points, title, f"{about}Points farther right name the shape more often.", 22 * len(of_people))


def limits_of_chance(curves: pd.DataFrame, cloud: pd.DataFrame, start: int, title: str) -> alt.LayerChart:
    """Draw lower and upper limits against expected overlap, two lines per curve, over a cloud of simulated pairs."""
    names, words = list(curves["curve"].unique()), legend(columns=1, labelLimit=420)
    cloud = cloud[["n_trials", "expected", "EC"]].dropna()
    trials = selector("n_trials", [int(n) for n in cloud["n_trials"].unique()], start, "trials")
    x = alt.X("expected:Q", title="overlap expected by chance")
    points, lines = (
        alt.Chart(each.round(4)).transform_filter("datum.n_trials === n_trials").encode(x) for each in (cloud, curves)
    )
    points = points.mark_point(filled=True, size=6, opacity=CROWD, color=GREY).encode(alt.Y("EC:Q", title=CONSISTENCY))
    dashes = alt.Scale(domain=names, range=DASHES[: len(names)])
    dashed = alt.StrokeDash("curve:N", title=None, scale=dashes, legend=words)
    lines = lines.mark_line(strokeWidth=2, clip=True).encode(colour("curve", cases(names), legend=words), dashed)
    ends = [lines.encode(y=alt.Y(f"{end}:Q", title=CONSISTENCY)) for end in ("low", "high")]
    about = f"Lower and upper limits of EC against expected overlap: {'; '.join(names)}; over a grey cloud of "
    return finish(layer(points, *ends).add_params(trials), title, f"{about}simulated independent pairs.", 300)


def confusion_matrices(table: pd.DataFrame, start: tuple[str, str], title: str) -> alt.Chart:
    """Draw the confusion matrix that the reader chooses: what is answered to which category."""
    observers, names = list(table["observer"].unique()), ["data_set", "category", "answer"]
    data_set = selector("data_set", list(table["data_set"].unique()), start[0])
    observer = selector("observer", observers, start[1], "who")
    # A column per observer keeps the page small.
    wide = table.pivot_table(index=names, columns="observer", values="share", sort=False).reset_index()
    tiles = alt.Chart(wide.round(4)).transform_filter(CHOSEN).transform_calculate(share="datum[observer]")
    tiles = tiles.mark_rect().encode(
        alt.X("category:N", title="true category", sort=None, axis=alt.Axis(labelAngle=-90)),
        alt.Y("answer:N", title="answer", sort=None),
        colour_of_values("share", "share of answers"),
        tooltip=["category", "answer", alt.Tooltip("share:Q", format=".1%")],
    )
    about = "Confusion matrix, true categories across and answers down, with selectors for the data set and for "
    about += f"{', '.join(observers)}; stronger colours are more frequent."
    return finish(tiles.add_params(data_set, observer), title, about, alt.Step(20), width=alt.Step(20))


def expected_overlap() -> alt.LayerChart:
    """Draw the pairs of accuracies that lead to the same expected overlap, as lines with their numbers."""
    how: Any = {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format="~%", grid=False)}
    axes = alt.X("a:Q", title="accuracy of one system", **how), alt.Y("b:Q", title="accuracy of the other", **how)
    lines = pd.concat([_contour(c, half) for c in np.arange(1, 10) / 10 for half in (0, 1)]).round(4)
    level = alt.Color("overlap:Q", scale=alt.Scale(domain=[0, 1], range=list(RAMP[1:])), legend=None)
    drawn = alt.Chart(lines).mark_line(strokeWidth=2.5).encode(*axes, level, detail="half:N")
    names = alt.Chart(lines[lines["named"]]).mark_text(fontSize=12, fontWeight="bold", color=INK, dx=4, dy=-8)
    names = names.encode(*axes, alt.Text("overlap:Q", format=".1f"))
    title = "Two systems overlap by chance most when both are good or both are bad"
    about = "Expected overlap for all pairs of accuracies: near 1 where both are near 1 or both near 0, near 0 where "
    about += "one is near 1 and the other near 0, and one half where either accuracy is one half."
    return finish(layer(drawn, names), title, about, 340)


def _contour(overlap: float, half: int) -> pd.DataFrame:
    """Return one branch of ab + (1 − a)(1 − b) = overlap; at one half both branches are straight."""
    if overlap == 0.5:
        a, b = (np.full(2, 0.5), np.array([0.0, 1.0]))[:: 1 if half else -1]
    else:
        ends = np.sort([overlap, 1 - overlap])
        low, high = (0, ends[0]) if half else (ends[1], 1)
        a = np.linspace(low, high, STEPS)
        b = (overlap - 1 + a) / (2 * a - 1)
    named = np.arange(len(a)) == len(a) // 2
    return pd.DataFrame({"overlap": overlap, "half": f"{overlap:.1f} {half}", "a": a, "b": b, "named": named})


def distortions(table: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw accuracy against the strength of a distortion for people, CORnet-S and ResNet-50."""
    chosen = selector("distortion", list(table["experiment"].unique()), start, "distortion")
    words = legend(columns=1)
    base = alt.Chart(_by_system(table)).transform_filter("datum.experiment === distortion")
    base = base.encode(
        alt.X("condition:N", sort=alt.SortField("strength"), title="distortion, from weak to strong", axis=CONDITIONS),
        colour("system", SHAPE_AND_TEXTURE, legend=words),
    )
    y = alt.Y("accuracy:Q", scale=alt.Scale(domain=[0, 1]))
    ranges = whisker(base, "accuracy", "people_low", "people_high").transform_filter("isValid(datum.people_low)")
    point = marked(base, "system", SHAPE_AND_TEXTURE, 60, legend=words).encode(y, tooltip=["system", "accuracy"])
    drawn = layer(ranges, base.mark_line().encode(y), point).add_params(chosen)
    about = f"Accuracy of {', '.join(SHAPE_AND_TEXTURE)} against the strength of one of several distortions."
    return finish(drawn, title, about, 280, subtitle="upright lines: the range of the people")


def _by_system(table: pd.DataFrame) -> pd.DataFrame:
    people, *networks = SHAPE_AND_TEXTURE
    named = table.round(4).rename(columns=dict(zip(("people", "cornet-s", "resnet50"), SHAPE_AND_TEXTURE, strict=True)))
    keys = ["experiment", "condition", "strength", "people_low", "people_high"]
    long = named.melt(keys, [people, *networks], var_name="system", value_name="accuracy")
    long.loc[long["system"] != people, ["people_low", "people_high"]] = np.nan
    return long


def colour_and_grey(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw error consistency on grey photographs against that on coloured ones, one point per pair."""
    wide = _in_colour_and_grey(pairs)
    how: Any = {"scale": alt.Scale(domain=[0, 0.7]), "axis": alt.Axis(format=".1f")}
    x, y = alt.X("EC colour:Q", title="EC in colour", **how), alt.Y("EC grey:Q", title="EC in grey", **how)
    base = alt.Chart(wide).encode(colour("pair", COLOUR_PAIRS, legend=legend(columns=1)))
    low, high, _ = limit_columns("EC")
    upright = whisker(base.encode(x), "EC in grey", f"{low} grey", f"{high} grey", opacity=CROWD)
    level = span(base.encode(y), x, f"{low} colour", f"{high} colour", opacity=CROWD)
    point = marked(base, "pair", COLOUR_PAIRS, 70, columns=1).encode(x, y, tooltip=list(wide.columns[1:]))
    about = f"Error consistency of {len(wide)} pairs on grey photographs against that on coloured ones, with 95 % "
    drawn = layer(level, upright, point, diagonal(x, y, end=0.7))
    return finish(drawn, title, f"{about}intervals.", 340, subtitle="thin lines: 95 % intervals; dashed: both equal")


def _in_colour_and_grey(pairs: pd.DataFrame) -> pd.DataFrame:
    the_two, of_five, with_network = COLOUR_PAIRS
    people = np.where(pairs["pictures"] == "of two people", the_two, of_five)
    pairs = pairs.assign(pair=np.where(pairs["kind"] == "human-human", people, with_network)).round(3)
    values = ["EC", *limit_columns("EC")[:2], "n_joint_errors"]
    wide = pairs.pivot(index=["pair", "system_a", "system_b"], columns="colour", values=values)
    wide.columns = wide.columns.map(" ".join)
    return wide.reset_index()
