"""Charts of Geirhos et al. (2020): how networks go with people, against accuracy, Brain-Score and shape bias."""

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.parts import CHOSEN, dots, finish, layer, selector, whisker
from erralign.plot.theme import BAND, colour, legend, only
from erralign_book.charts.looks import CROWD, GROUPS, SHAPE_AND_TEXTURE, cases
from erralign_book.charts.parts import marked

OF_NETWORKS = "small: a network with one person; large: its mean, with 1.96 standard errors; dashed: the straight line"
OF_ADDED = "diamonds: networks added to the paper's, with 95 % intervals"
OBSERVERS = ("people", "CORnet-S", "ResNet-50")
CONSISTENCY = "error consistency (EC)"


def consistency_and_accuracy(
    points: pd.DataFrame, means: pd.DataFrame, start: str, title: str, added: pd.DataFrame | None = None
) -> alt.LayerChart:
    """Draw networks' error consistency with people against their accuracy elsewhere, with a straight line."""
    data_set = selector("data_set", list(points["data_set"].unique()), start)
    x = alt.X("accuracy:Q", title="ImageNet accuracy, top 5 (%)", scale=alt.Scale(domain=[78, 95], nice=False))
    more = [] if added is None else _added(added, x)
    words = f", and means of {', '.join(added['network'].unique())}, added to the paper's" if added is not None else ""
    about = f"Error consistency of {points['network'].nunique()} networks with {points['person'].nunique()} people "
    about += f"against ImageNet accuracy, with bands for two people and two networks{words}."
    drawn = layer(*_mean_bands(means), *_networks_with_people(points, ["accuracy"], x), *more).add_params(data_set)
    under = OF_NETWORKS if added is None else f"{OF_NETWORKS}; {OF_ADDED}"
    return finish(drawn, title, about, 340, subtitle=under)


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
    x = alt.X("chosen:Q", title="Brain-Score", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
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
    text = base.mark_text(align="left", dx=6, dy=-9, fontSize=12).encode(x=alt.value(0), y="EC:Q", text="group:N")
    return [band, rule, text]


def _networks_with_people(
    points: pd.DataFrame, places: list[str], x: alt.X, chosen: str = "datum.accuracy"
) -> list[alt.Chart]:
    """Draw pairs, their straight line, and the networks' means; ``places`` are the columns to choose x from."""
    y, hue = alt.Y("EC:Q", title=CONSISTENCY), GROUPS["a person and a network"].colour
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


def shape_bias(points: pd.DataFrame, title: str) -> alt.Chart:
    """Draw error consistency with people against shape bias, one point per network."""
    groups, words = cases(points["group"]), legend(columns=1)
    shown = alt.Chart(points[["system", "group", "shape_bias", "EC"]].round(4))
    chart = marked(shown, "group", groups, size=80, legend=words).encode(
        alt.X("shape_bias:Q", title="shape bias", axis=alt.Axis(format="%", tickCount=6)),
        alt.Y("EC:Q", title="mean EC with ten people"),
        tooltip=["system", "group", alt.Tooltip("shape_bias", format=".1%"), alt.Tooltip("EC", format=".3f")],
    )
    about = f"Mean error consistency with people against shape bias for {len(points)} networks."
    return finish(chart, title, about, 280)


def shape_bias_by_category(table: pd.DataFrame, title: str) -> alt.Chart:
    """Draw the shape bias of people, CORnet-S and ResNet-50, one row per category."""
    of_people = table[table["observer"] == "people"].sort_values("shape_bias", ascending=False)
    looks, words = dict(zip(OBSERVERS, SHAPE_AND_TEXTURE.values(), strict=True)), legend(columns=3)
    points = marked(alt.Chart(table.round(4)), "observer", looks, size=70, legend=words).encode(
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
