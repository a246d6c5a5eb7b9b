"""Charts of a benchmark: rankings with intervals, what a ranking can tell apart, p-values of many comparisons."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.theme import FAMILIES, KINDS, OTHER

ROW = 18  # pixels a system
FOUND = {"apart": "#0072B2", "not told apart": "#D8DEE3"}
# Names that would be cut off at their differing ends.
SHORT = {
    "resnet50_trained_on_SIN": "resnet50 (SIN)",
    "resnet50_trained_on_SIN_and_IN": "resnet50 (SIN, IN)",
    "resnet50_trained_on_SIN_and_IN_then_finetuned_on_IN": "resnet50 (SIN, IN; IN)",
    "efficientnet_l2_noisy_student_475": "noisy_student_475",
}


def ranking(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw systems from the most to the least consistent with people, each with its interval.

    Parameters
    ----------
    scores : pandas.DataFrame
        ``system``, ``family``, ``EC``, ``low``, ``high``, ``percentile_low``, ``percentile_high``,
        ``fewest_joint_errors``; a row of system ``people`` is drawn as a band.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Thick lines are our 95 % intervals, thin ones below them the plain bootstrap's.
    """
    person = scores["system"] == "people"
    models = scores[~person].replace({"system": SHORT}).round(4)
    y = alt.Y("system:N", title=None, sort=list(models["system"]), axis=alt.Axis(labelLimit=170, grid=False))
    x = alt.X("low:Q", title="error consistency with people", scale=alt.Scale(zero=True))
    hover = ["system", "EC", "low", "high", "percentile_low", "percentile_high", "fewest_joint_errors"]
    base = alt.Chart(models).encode(y=y, tooltip=hover)
    ours = base.mark_rule(strokeWidth=4, opacity=0.55).encode(x=x, x2="high:Q", color=_family())
    plain = base.mark_rule(strokeWidth=1.5, yOffset=6, color=OTHER).encode(x="percentile_low:Q", x2="percentile_high:Q")
    point = base.mark_point(filled=True, size=46, opacity=1).encode(x="EC:Q", color=_family())
    return alt.layer(*_people(scores[person], ROW * len(models)), ours, plain, point).properties(
        width="container",
        height=ROW * len(models),
        title=alt.Title(title, subtitle="thick: our interval; thin and grey: the plain bootstrap's"),
        description=f"Error consistency with people of {len(models)} models with two intervals each. {title}.",
    )


def _family() -> alt.Color:
    names, colours = [*FAMILIES, "MLP"], [*FAMILIES.values(), OTHER]
    words = alt.Legend(labelExpr="datum.label === 'Large' ? 'much more data' : datum.label", columns=2)
    return alt.Color("family:N", title=None, legend=words, scale=alt.Scale(domain=names[1:], range=colours[1:]))


def _people(person: pd.DataFrame, height: int) -> list[alt.Chart]:
    base = alt.Chart(person.round(4))
    band = base.mark_rect(opacity=0.25, color=FAMILIES["Human"]).encode(x="low:Q", x2="high:Q")
    line = base.mark_rule(color=FAMILIES["Human"], strokeWidth=2).encode(
        x="EC:Q", tooltip=["system", "EC", "low", "high"]
    )
    label = base.mark_text(align="right", dx=-6, y=height - 10, color=FAMILIES["Human"]).encode(
        x="low:Q", text=alt.value("two people")
    )
    return [band, line, label]


def accuracy_pairs(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the accuracies of those who are compared with people against the accuracy of these people.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set``, ``condition``, ``used``, ``kind``, ``system``, ``accuracy``, ``accuracy of people``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A point a system and condition; in conditions that the benchmark leaves out models are grey, people blue.
    """
    group = np.where(pairs["kind"] == "human-human", "a person", "a model")
    shown = pairs.assign(group=group + np.where(pairs["used"], "", ", condition left out")).round(3)
    looks = {
        "a model": KINDS["model-human"],
        "a person": KINDS["human-human"],
        "a model, condition left out": OTHER,
        "a person, condition left out": "#56B4E9",
    }
    share = alt.Scale(domain=[0, 1])
    points = (
        alt.Chart(shown)
        .mark_circle(size=18, opacity=0.45)
        .encode(
            x=alt.X("accuracy of people:Q", scale=share, axis=alt.Axis(format="%"), title="accuracy of the people"),
            y=alt.Y("accuracy:Q", scale=share, axis=alt.Axis(format="%"), title="accuracy of the system"),
            color=alt.Color(
                "group:N",
                title=None,
                legend=alt.Legend(symbolOpacity=1, columns=1),
                scale=alt.Scale(domain=list(looks), range=list(looks.values())),
            ),
            tooltip=["system", "data_set", "condition", "accuracy", "accuracy of people"],
        )
    )
    equal = alt.Chart(pd.DataFrame({"from": [0.0], "to": [1.0]})).mark_rule(color=OTHER, strokeDash=[6, 3])
    equal = equal.encode(x="from:Q", x2="to:Q", y="from:Q", y2="to:Q")
    return alt.layer(points, equal).properties(
        width="container",
        height=320,
        title=title,
        description=f"Accuracy of a system against that of people, {len(shown)} comparisons by condition. {title}.",
    )


def told_apart(differences: pd.DataFrame) -> alt.Chart:
    """Draw which pairs of ranked models a test tells apart, with a choice of the test.

    Parameters
    ----------
    differences : pandas.DataFrame
        ``system_a`` and ``system_b`` with ``rank_a`` < ``rank_b``, ``difference``, ``p``, ``p_holm``, ``overlap``.

    Returns
    -------
    altair.Chart
        A cell a pair, the better model along the side, the other by its rank; both sides best first. The title counts
        what the tests tell apart.
    """
    tests = {
        "intervals do not overlap": ~differences["overlap"],
        "paired test, p at most .05": differences["p"] <= 0.05,
        "paired test, corrected for all pairs": differences["p_holm"] <= 0.05,
    }
    differences = differences.replace({"system_a": SHORT, "system_b": SHORT})
    long = pd.concat(differences.assign(test=name, found=np.where(found, *FOUND)) for name, found in tests.items())
    long["model"] = long["rank_a"].astype(int).astype(str) + " " + long["system_a"]
    long["other"] = long["rank_b"].astype(int)
    counts = {name: int(found.sum()) for name, found in tests.items()}
    fewest, most = min(counts.values()), max(counts.values())
    start = "paired test, corrected for all pairs"
    chosen = alt.param(name="test", value=start, bind=alt.binding_select(options=list(tests), name="judged by "))
    side = {"sort": alt.SortField("rank_a"), "axis": alt.Axis(labelLimit=165, labelFontSize=11, grid=False)}
    foot = alt.Axis(labelAngle=0, labelOverlap=True, labelSeparation=3, grid=False)
    return (
        alt.Chart(long.round(4))
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("other:O", title="rank of the lower one", axis=foot),
            y=alt.Y("model:N", title="the higher one, by rank", **side),
            color=alt.Color("found:N", title=None, scale=alt.Scale(domain=list(FOUND), range=list(FOUND.values()))),
            tooltip=["system_a", "system_b", "difference", "p", "p_holm", "found"],
        )
        .add_params(chosen)
        .transform_filter(alt.datum.test == chosen)
        .properties(
            width="container",
            height=22 * ROW,
            title=f"{fewest} to {most} of {len(differences)} pairs of models are told apart, depending on the test",
            description=f"Which of {len(differences)} pairs of models are told apart, by one of three rules: "
            + "; ".join(f"{name}, {count}" for name, count in counts.items()),
        )
    )


def rank_correlations(pairs: pd.DataFrame, title: str) -> alt.Chart:
    """Draw how far pairs of data sets rank the models alike, as a triangle.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set_a``, ``data_set_b``, ``r``, ``p``, ``p_holm``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        Crosses mark p above .05, for each pair on its own.
    """
    order = list(dict.fromkeys([*pairs["data_set_a"], *pairs["data_set_b"]]))
    axis = {"title": None, "sort": order}
    base = alt.Chart(pairs.round(3)).encode(
        x=alt.X("data_set_a:N", **axis, axis=alt.Axis(labelAngle=-90, labelFontSize=11, grid=False)),
        y=alt.Y("data_set_b:N", **axis, axis=alt.Axis(labelFontSize=11, grid=False)),
        tooltip=["data_set_a", "data_set_b", "r", "p", "p_holm"],
    )
    scale = alt.Scale(scheme="purpleorange", domain=[-1, 1], reverse=True)
    cells = base.mark_rect().encode(color=alt.Color("r:Q", title="Spearman's r", scale=scale))
    crosses = base.transform_filter("datum.p > 0.05").mark_point(shape="cross", size=28, filled=True, opacity=1)
    return alt.layer(cells, crosses.encode(color=alt.value("#333333"))).properties(
        width="container",
        height=22 * len(order),
        title=alt.Title(title, subtitle="crosses: p above .05, uncorrected"),
        description=f"Rank correlations of {len(pairs)} pairs of data sets. {title}.",
    )


def p_values(comparisons: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw p-values against error consistency.

    Parameters
    ----------
    comparisons : pandas.DataFrame
        ``data_set``, ``condition``, ``used``, ``person``, ``n_joint_errors``, ``EC``, ``p``, ``p_holm``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        p on a logarithmic axis, smallest on top; the dashed line is .05. Crosses are conditions that are left out.
    """
    verdicts = ["after correction, too", "on its own only", "not"]
    verdict = np.select([comparisons["p_holm"] <= 0.05, comparisons["p"] <= 0.05], verdicts[:2], verdicts[2])
    shown = comparisons.assign(verdict=verdict, condition_is=np.where(comparisons["used"], "used", "left out"))
    shown["p"] = shown["p"].map("{:.3g}".format).astype(float)
    points = (
        alt.Chart(shown.drop(columns="used"))
        .mark_point(filled=True, size=34, opacity=0.6)
        .encode(
            x=alt.X("EC:Q", title="error consistency of CLIP with one person"),
            y=alt.Y(
                "p:Q",
                title="p-value, logarithmic, smallest on top",
                scale=alt.Scale(type="log", reverse=True),
                axis=alt.Axis(format=".0e"),
            ),
            color=alt.Color(
                "verdict:N",
                title="significant",
                scale=alt.Scale(domain=verdicts, range=["#0072B2", "#56B4E9", OTHER]),
                legend=alt.Legend(symbolOpacity=1, columns=2),
            ),
            # Two legends do not fit a phone; the subtitle names the crosses.
            shape=alt.Shape(
                "condition_is:N", legend=None, scale=alt.Scale(domain=["used", "left out"], range=["circle", "cross"])
            ),
            tooltip=["data_set", "condition", "person", "EC", alt.Tooltip("p", format=".2g"), "n_joint_errors"],
        )
    )
    line = alt.Chart(pd.DataFrame({"p": [0.05]})).mark_rule(color=OTHER, strokeDash=[6, 3]).encode(y="p:Q")
    return alt.layer(line, points).properties(
        width="container",
        height=320,
        title=alt.Title(title, subtitle="crosses: conditions left out; dashed: p = .05"),
        description=f"p-values of {len(shown)} comparisons of CLIP with a person in a condition. {title}.",
    )


def intervals_side_by_side(intervals: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw several intervals for each system, one below the other.

    Parameters
    ----------
    intervals : pandas.DataFrame
        ``system``, ``method``, ``EC``, ``low``, ``high``; systems in the order in which to draw them.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A colour a method.
    """
    methods = list(intervals["method"].unique())
    colours = ["#0072B2", "#E69F00", "#D55E00"][: len(methods)]
    intervals = intervals.replace({"system": SHORT})
    base = alt.Chart(intervals.round(4)).encode(
        y=alt.Y(
            "system:N", sort=list(intervals["system"].unique()), title=None, axis=alt.Axis(labelLimit=170, grid=False)
        ),
        yOffset=alt.YOffset("method:N", sort=methods),
        color=alt.Color(
            "method:N", title=None, scale=alt.Scale(domain=methods, range=colours), legend=alt.Legend(columns=1)
        ),
        tooltip=["system", "method", "EC", "low", "high"],
    )
    x = alt.X("low:Q", title="error consistency with people", scale=alt.Scale(zero=False))
    rule = base.mark_rule(strokeWidth=2.5).encode(x=x, x2="high:Q")
    return alt.layer(rule, base.mark_point(filled=True, size=16, opacity=1).encode(x="EC:Q")).properties(
        width="container",
        height=1.5 * ROW * intervals["system"].nunique(),
        title=title,
        description=f"{len(methods)} intervals for each of {intervals['system'].nunique()} systems. {title}.",
    )
