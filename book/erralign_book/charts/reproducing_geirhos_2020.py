"""Charts of Geirhos et al. (2020): limits of chance, confusions, distortions, colour."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures import limit_columns
from erralign.plot.colours import GREY, INK
from erralign.plot.parts import CHOSEN, finish, layer, selector, whisker
from erralign.plot.theme import colour, colour_of_values, legend
from erralign_book.charts.looks import COLOUR_PAIRS, CROWD, DASHES, SHAPE_AND_TEXTURE, cases
from erralign_book.charts.parts import diagonal, marked

CONDITIONS = alt.Axis(labelAngle=0, labelExpr="datum.label[0] == 'c' ? +slice(datum.label, 1) + ' %' : datum.label")
STEPS = 41  # of accuracy, from 0 to 1


def limits_of_chance(curves: pd.DataFrame, cloud: pd.DataFrame, y: str, start: int, title: str) -> alt.LayerChart:
    """Draw lower and upper limits against expected overlap, two lines per curve, over a cloud of simulated pairs."""
    names, words = list(curves["curve"].unique()), legend(columns=1, labelLimit=420)
    trials = selector("n_trials", [int(n) for n in cloud["n_trials"].unique()], start, "trials")
    x = alt.X("expected:Q", title="overlap expected by chance", axis=alt.Axis(tickCount=5))
    points, lines = (
        alt.Chart(each.round(4)).transform_filter("datum.n_trials === n_trials") for each in (cloud, curves)
    )
    points = points.mark_point(filled=True, size=6, opacity=CROWD, color=GREY).encode(x, alt.Y("y:Q", title=y))
    dashes = alt.Scale(domain=names, range=DASHES[: len(names)])
    lines = lines.mark_line(strokeWidth=2, clip=True).encode(
        x,
        colour("curve", cases(names), legend=words),
        alt.StrokeDash("curve:N", title=None, scale=dashes, legend=words),
    )
    ends = [lines.encode(y=alt.Y(f"{end}:Q", title=y)) for end in ("low", "high")]
    about = f"Lower and upper limits of {y} against expected overlap: {'; '.join(names)}; over a grey cloud of "
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
    """Draw expected overlap over two accuracies."""
    share = alt.Scale(domain=[0, 1])
    tiles = (
        alt.Chart(_cells())
        .mark_rect(clip=True)
        .encode(
            alt.X("left:Q", title="accuracy of one system", scale=share),
            alt.Y("bottom:Q", title="accuracy of the other", scale=share),
            colour_of_values("expected", "expected overlap"),
            x2="right:Q",
            y2="top:Q",
        )
    )
    cross = pd.DataFrame({"x": [0.5, 0.5, 0, 1], "y": [0, 1, 0.5, 0.5], "line": ["a", "a", "b", "b"]})
    lines = alt.Chart(cross).mark_line(color=INK, strokeWidth=2).encode(x="x:Q", y="y:Q", detail="line:N")
    title = "Two systems overlap by chance most when both are good or both are bad"
    about = "Expected overlap for all pairs of accuracies: near 1 where both are near 1 or both near 0, near 0 where "
    about += "one is near 1 and the other near 0, and one half where either accuracy is one half."
    return finish(layer(tiles, lines), title, about, 300)


def _cells() -> pd.DataFrame:
    accuracies, half = np.linspace(0, 1, STEPS), 0.54 / (STEPS - 1)  # they overlap, which leaves no seams
    a, b = (side.ravel() for side in np.meshgrid(accuracies, accuracies))
    ends = {"left": a - half, "right": a + half, "bottom": b - half, "top": b + half}
    return pd.DataFrame(ends | {"expected": a * b + (1 - a) * (1 - b)}).round(4)


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
    point = marked(base, "system", SHAPE_AND_TEXTURE, size=60, legend=words).encode(y, tooltip=["system", "accuracy"])
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
    scale, axis, words = alt.Scale(domain=[0, 0.7]), alt.Axis(tickCount=7, format=".1f"), legend(columns=1)
    x = alt.X("EC colour:Q", scale=scale, axis=axis, title="EC in colour")
    y = alt.Y("EC grey:Q", scale=scale, axis=axis, title="EC in grey")
    base = alt.Chart(wide).encode(colour("pair", COLOUR_PAIRS, legend=words))
    low, high, _ = limit_columns("EC")
    upright = whisker(base, "EC in grey", f"{low} grey", f"{high} grey").encode(x)
    level = base.mark_rule().encode(alt.X(f"{low} colour:Q", title="EC in colour"), y, x2=f"{high} colour:Q")
    point = marked(base, "pair", COLOUR_PAIRS, size=70, legend=words).encode(x, y, tooltip=list(wide.columns[1:]))
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
