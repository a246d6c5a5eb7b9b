"""Altair charts of the book, and the one theme that they share.

Every chart has a title that is a sentence, named axes, and a ``description``, its alternative text. Colours mean
the same on every page and can be told apart by colour-blind readers (Okabe and Ito).
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from erralign.responses import Responses

FAMILIES = {"Human": "#D55E00", "CNN": "#0072B2", "ViT": "#009E73", "Large": "#CC79A7"}
KINDS = {"human-human": "#D55E00", "model-human": "#E69F00", "model-model": "#0072B2"}
PAIRS = {"human-human": "people", "model-human": "mixed", "model-model": "networks"}  # what readers call the kinds
_PAIRS_OF_KIND = f"({PAIRS})[datum.kind]"
OTHER = "#8A8A8A"
# Kinds of pairs once more, where networks of one architecture are told from others.
GROUPS = {
    "two people": (KINDS["human-human"], "circle"),
    "a person and a network": (KINDS["model-human"], "square"),
    "two networks": (KINDS["model-model"], "triangle-up"),
    "two networks of one architecture": ("#56B4E9", "cross"),
}
# Three classes of the twelve pictures; families never stand in one chart with them.
ANSWERS = ("#56B4E9", "#E69F00", "#CC79A7")
# Cases of a simulation; neither families nor kinds of pairs stand in one chart with them.
LINES = ("#0072B2", "#D55E00", "#CC79A7")
OUTCOMES = {
    "both right": "#B9C4CC",
    "only A right": "#56B4E9",
    "only B right": "#009E73",
    "both wrong, same answer": "#D55E00",
    "both wrong, other answers": "#F0C808",
}
VEGA_LITE = "application/vnd.vegalite.v6+json"
ROWS_AT_MOST = 6000


@alt.theme.register("erralign", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "config": {
            "font": "system-ui, -apple-system, 'Segoe UI', sans-serif",
            "background": "transparent",
            "view": {"stroke": None, "continuousHeight": 280},
            # A chart has one alternative text; a label on each of 5,000 points would drown it.
            "mark": {"aria": False},
            "axis": {"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal", "gridOpacity": 0.4},
            "legend": {"labelFontSize": 12, "titleFontSize": 12, "orient": "bottom", "labelLimit": 320},
            "title": {"fontSize": 15, "anchor": "start", "fontWeight": "bold"},
            "header": {"labelFontSize": 12, "titleFontSize": 12},
        }
    }


alt.data_transformers.enable("default", max_rows=ROWS_AT_MOST)


def _for_the_book(spec: dict, **_) -> dict:
    # Altair's own type is not +json, and nbformat takes an object only under such a type.
    return {VEGA_LITE: spec, "text/plain": spec["description"]}


if os.environ.get("ERRALIGN_RENDERER") == "book":
    alt.renderers.register("book", _for_the_book)
    alt.renderers.enable("book")


def strips(responses: Responses, systems: Iterable[str], title: str) -> alt.Chart:
    """Draw what systems called each picture: one strip a system, right tiles pale, wrong ones in the answer's colour.

    Parameters
    ----------
    responses : Responses
        A dozen trials or so.
    systems : iterable of str
        Columns of its answers, from top to bottom.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        Names stand in the tiles, so nothing hangs on colour alone.
    """
    order = ["true class", *systems]
    answers = responses.answers.assign(**{"true class": responses.truth})[order]
    tiles = answers.rename_axis("picture").reset_index().melt("picture", var_name="system", value_name="label")
    truth = responses.truth.to_numpy()[tiles["picture"].to_numpy() - 1]
    named = np.array([*responses.classes, "(none)"])[tiles["label"]]
    tiles = tiles.assign(answer=named, said=np.where(tiles["label"] == truth, "right", named)).drop(columns="label")
    colour = alt.Color(
        "said:N",
        title="wrong answer",
        legend=None,
        scale=alt.Scale(domain=[*responses.classes, "right"], range=[*ANSWERS[: len(responses.classes)], "#DDE3E8"]),
    )
    base = alt.Chart(tiles).encode(
        x=alt.X("picture:O", title="picture", axis=alt.Axis(labelAngle=0, orient="bottom")),
        y=alt.Y("system:N", sort=order, title=None),
        tooltip=["picture", "system", "answer", alt.Tooltip("said", title="right, or the wrong answer")],
    )
    tile = base.mark_rect(stroke="white", strokeWidth=2, cornerRadius=3).encode(color=colour)
    name = base.mark_text(fontSize=10, color="#1A1A1A").encode(text="answer:N")
    wrong = (
        tiles[(tiles["said"] != "right")].groupby("system", sort=False)["picture"].agg(lambda p: ", ".join(map(str, p)))
    )
    described = "; ".join(f"{system} is wrong on pictures {wrong.get(system, 'none')}" for system in systems)
    return (tile + name).properties(
        width="container",
        height=34 * len(order),
        title=title,
        description=f"Strips of {len(truth)} tiles. {described}.",
    )


def decision_regions(regions: pd.DataFrame, n_pictures: int = 1000) -> alt.VConcatChart:
    """Draw where two systems are right and wrong, and let the reader move the data over it (Xu et al. 2024, Figure 2).

    Parameters
    ----------
    regions : pandas.DataFrame
        ``x``, ``y``, ``truth``, ``a``, ``b``; classes 0, 1, 2, as :func:`erralign.sources.examples.decision_regions`.
    n_pictures : int
        How many pictures are expected in all; it matters to CLES alone.

    Returns
    -------
    altair.VConcatChart
        Sliders move and widen the data; EC, MA and CLES follow, computed in the reader's browser.
    """
    outcome = np.select(
        [
            (regions["a"] == regions["truth"]) & (regions["b"] == regions["truth"]),
            regions["a"] == regions["truth"],
            regions["b"] == regions["truth"],
            regions["a"] == regions["b"],
        ],
        ["both right", "only A right", "only B right", "both wrong, same answer"],
        "both wrong, other answers",
    )
    weight = "exp(-((datum.x - across) * (datum.x - across) + (datum.y - up) * (datum.y - up)) / (2 * spread * spread))"
    base = alt.Chart(regions.assign(outcome=outcome)).transform_calculate(w=weight)
    cells = round(len(regions) ** 0.5)
    space = alt.layer(_map_of_outcomes(base, set(outcome), cells), *_true_bands(regions, cells))
    values = _measures_in_the_browser(base, n_pictures).properties(width=300, height=96)
    return (
        alt.vconcat(space, values)
        .add_params(*_sliders())
        .resolve_scale(color="independent")
        .properties(
            title="Move the data, and the three measures part ways",
            description="A square of data space, coloured by who is right there; from left to right the true class is "
            "cat, dog, fox. Three sliders move and widen the data; below it, three points show EC, MA and CLES of the "
            "data at that place.",
        )
    )


def _sliders() -> list[alt.Parameter]:
    ranges = [
        ("across", 0.5, 0, 1, "left to right"),
        ("up", 0.14, 0, 1, "down to up"),
        ("spread", 0.12, 0.04, 0.4, "spread"),
    ]
    return [
        alt.param(name=name, value=value, bind=alt.binding_range(min=low, max=high, step=0.02, name=f"{label} "))
        for name, value, low, high, label in ranges
    ]


def _map_of_outcomes(base: alt.Chart, occurring: set[str], cells: int) -> alt.Chart:
    colours = {name: colour for name, colour in OUTCOMES.items() if name in occurring}
    return (
        base.mark_rect()
        .encode(
            x=alt.X("x:O", axis=None),
            y=alt.Y("y:O", axis=None, sort="descending"),
            opacity=alt.Opacity("w:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0.22, 1])),
            color=alt.Color(
                "outcome:N",
                title=None,
                legend=alt.Legend(columns=1, symbolOpacity=1),
                scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            ),
            tooltip=["outcome", "truth", "a", "b"],
        )
        .properties(width=300, height=300 // cells * cells)
    )


def _true_bands(regions: pd.DataFrame, cells: int) -> list[alt.Chart]:
    """Name the bands of the true classes above the map, with a thin line between each two."""
    in_each = regions.groupby("truth")["x"].nunique() * 300 / cells
    ends = in_each.cumsum()
    here = alt.Chart(alt.Data(values=[{}]))
    lines = [here.mark_rule(strokeDash=[4, 3]).encode(x=alt.value(float(end))) for end in ends.iloc[:-1]]
    names = [
        here.mark_text(fontSize=12, text=f"true {name}").encode(x=alt.value(float(end - width / 2)), y=alt.value(-9))
        for name, end, width in zip(("cat", "dog", "fox"), ends, in_each, strict=True)
    ]
    return lines + names


def _measures_in_the_browser(base: alt.Chart, n_pictures: int) -> alt.LayerChart:
    both_wrong = "datum.a !== datum.truth && datum.b !== datum.truth"
    sums = {
        "n11": "datum.a === datum.truth && datum.b === datum.truth",
        "n00": both_wrong,
        "n10": "datum.a === datum.truth && datum.b !== datum.truth",
        "n01": "datum.a !== datum.truth && datum.b === datum.truth",
        "same": f"{both_wrong} && datum.a === datum.b",
    }
    sums |= {f"j{system}{k}": f"{both_wrong} && datum.{system} === {k}" for system in "ab" for k in range(3)}
    sums |= {
        f"f{system}{c}{k}": f"datum.truth === {c} && datum.{system} === {k}"
        for system in "ab"
        for c in range(3)
        for k in range(3)
        if k != c
    }
    weighted = base.transform_calculate(**{name: f"({test}) ? datum.w : 0" for name, test in sums.items()})
    total = weighted.transform_aggregate(all="sum(w)", **{f"s{name}": f"sum({name})" for name in sums})
    counts = total.transform_calculate(**{name: f"datum.s{name} * {n_pictures} / datum.all" for name in sums})
    measures = (
        counts.transform_calculate(EC=_EC, MA=_MA, CLED=_cled())
        .transform_calculate(CLES="1 / (1 + datum.CLED)")
        .transform_fold(["EC", "MA", "CLES"], as_=["measure", "value"])
    )
    shown = measures.transform_calculate(label="isValid(datum.value) ? format(datum.value, '.2f') : 'no joint errors'")
    rows = shown.encode(y=alt.Y("measure:N", sort=["EC", "MA", "CLES"], title=None))
    point = rows.mark_point(filled=True, size=110, opacity=1, color="#0072B2").encode(
        x=alt.X(
            "value:Q", title="value", scale=alt.Scale(domain=[-1, 1.6]), axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1])
        )
    )
    text = rows.mark_text(align="right", fontSize=13).encode(x=alt.value(296), text="label:N")
    return point + text


_EC = (
    "2 * (datum.n11 * datum.n00 - datum.n10 * datum.n01) / ((datum.n11 + datum.n10) * (datum.n10 + datum.n00)"
    " + (datum.n11 + datum.n01) * (datum.n01 + datum.n00))"
)
_CHANCE = " + ".join(f"datum.ja{k} * datum.jb{k}" for k in range(3))
# Fewer than half a joint error among the expected pictures: nothing that MA could be about.
_MA = f"datum.n00 < 0.5 ? null : (datum.n00 * datum.same - ({_CHANCE})) / (datum.n00 * datum.n00 - ({_CHANCE}))"


def _cled() -> str:
    """Write the released form of the class-level error distance of three classes, α = ½, for the browser."""
    rows = []
    for c in range(3):
        wrong = [k for k in range(3) if k != c]
        n = {s: "(" + " + ".join(f"datum.f{s}{c}{k}" for k in wrong) + ")" for s in "ab"}
        terms = [
            f"(datum.f{s}{c}{k} + 0.5) / ({n[s]} + 1) * log((datum.f{s}{c}{k} + 0.5) / ({n[s]} + 1)"
            f" / ((datum.fa{c}{k} + datum.fb{c}{k} + 0.5) / ({n['a']} + {n['b']} + 1)))"
            for s in "ab"
            for k in wrong
        ]
        rows.append(f"({n['a']} + {n['b']}) * ({' + '.join(terms)}) / 2")
    errors = " + ".join(f"datum.f{s}{c}{k}" for s in "ab" for c in range(3) for k in range(3) if k != c)
    return f"({' + '.join(rows)}) / ({errors})"


def access_map() -> alt.Chart:
    """Draw which measures need how much access to a system (Xu et al. 2024, Figure 1, redrawn).

    Returns
    -------
    altair.Chart
        From what happens inside a system, on the left, to its printed confusion matrix, on the right.
    """
    levels = pd.DataFrame(
        [
            (0, "Features", "what a layer computes", "CKA", "inside"),
            (1, "Confidences", "a probability for each class", "SOC, SOCE", "inside"),
            (2, "Answers", "one class for each picture", "EC, MA", "behaviour"),
            (3, "Confusion matrix", "counts, no pictures", "CLES", "behaviour"),
        ],
        columns=["place", "level", "what", "measures", "side"],
    )
    base = alt.Chart(levels).encode(y=alt.Y("place:O", axis=None))
    box = base.mark_bar(cornerRadius=6, height=44).encode(
        color=alt.Color(
            "side:N", title=None, scale=alt.Scale(domain=["inside", "behaviour"], range=["#CFE3F1", "#FBE0CC"])
        )
    )
    texts = [
        base.mark_text(align="left", dx=12, dy=dy, color="#1A1A1A", fontSize=size, fontWeight=weight).encode(
            x=alt.value(0), text=f"{field}:N"
        )
        for field, dy, size, weight in (("level", -8, 14, "bold"), ("what", 10, 12, "normal"))
    ]
    measures = base.mark_text(align="right", dx=-12, color="#1A1A1A", fontSize=15, fontWeight="bold").encode(
        x=alt.value("width"), text="measures:N"
    )
    return alt.layer(box, *texts, measures).properties(
        width="container",
        height=216,
        title="The less you can see of a system, the fewer measures are left",
        description="Four levels of access. Features: CKA. Confidences: SOC and SOCE. Answers: EC and MA. "
        "Confusion matrix: CLES. The first two look inside a system, the last two at its behaviour.",
    )


def kinds_of_pairs(means: pd.DataFrame, measure: str, title: str, *, reference: str | None = None) -> alt.Chart:
    """Draw one measure's mean over pairs of people, of models, and of one of each, a row a data set.

    Parameters
    ----------
    means : pandas.DataFrame
        ``data_set``, ``kind``, ``n_pairs``, ``n_joint_errors`` and a column ``measure``.
    measure : str
        The column to draw.
    title : str
        What to see, in a sentence.
    reference : str, optional
        Another column, drawn as a grey tick: what random errors give.

    Returns
    -------
    altair.Chart
        Points; the dots of a row are the three kinds of pairs.
    """
    base = alt.Chart(means).transform_calculate(pairs=_PAIRS_OF_KIND).encode(y=alt.Y("data_set:N", title=None))
    x_axis = alt.X(f"{measure}:Q", title=f"mean {measure} of the pairs", scale=alt.Scale(zero=False))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x_axis,
        color=_kind_colour(),
        shape=alt.Shape("kind:N", title="pairs", legend=_kind_legend(), scale=alt.Scale(domain=list(KINDS))),
        tooltip=[
            "data_set",
            "pairs:N",
            alt.Tooltip(measure, format=".3f"),
            alt.Tooltip("n_pairs", title="number of pairs"),
            alt.Tooltip("n_joint_errors", format=".1f", title="joint errors, mean"),
        ],
    )
    ticks = [base.mark_tick(color=OTHER, thickness=2, size=14).encode(x=f"mean({reference}):Q")] if reference else []
    return alt.layer(points, *ticks).properties(
        width="container",
        height=22 * means["data_set"].nunique(),
        title=title,
        description=f"Mean {measure} by data set for pairs of people, of networks, and mixed pairs. {title}.",
    )


def _kind_colour(title: str = "pairs") -> alt.Color:
    return alt.Color(
        "kind:N",
        title=title,
        legend=_kind_legend(),
        scale=alt.Scale(domain=list(KINDS), range=list(KINDS.values())),
    )


def _kind_legend() -> alt.Legend:
    return alt.Legend(symbolOpacity=1, labelExpr=_PAIRS_OF_KIND.replace("datum.kind", "datum.value"))


def _mirrored(rounded: pd.DataFrame) -> alt.Chart:
    between = "format(datum[measure + ' low'], '.3f') + ' to ' + format(datum[measure + ' high'], '.3f')"
    # Each pair is stored once and drawn on both sides of the diagonal.
    return (
        alt.Chart(rounded)
        .transform_filter("datum.data_set === data_set")
        .transform_calculate(
            value="datum[measure]",
            half="[0, 1]",
            interval=f"isValid(datum[measure + ' low']) ? {between} : 'none'",
        )
        .transform_filter("isValid(datum.value)")
        .transform_flatten(["half"])
        .transform_calculate(
            row="datum.half ? datum.system_b : datum.system_a", column="datum.half ? datum.system_a : datum.system_b"
        )
    )


def heatmap_explorer(
    pairs: pd.DataFrame, measures: list[str], order: list[str], printed: dict[str, str], start: tuple[str, str]
) -> alt.Chart:
    """Draw the heatmaps of all data sets and measures as one chart with two selectors.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set``, ``system_a``, ``system_b``, ``n_joint_errors``, and a column a measure; each pair once. Where
        ``<measure> low`` and ``<measure> high`` are there, the hover shows them.
    measures : list of str
        What the reader can choose.
    order : list of str
        Systems from top to bottom.
    printed : dict
        Data set to its printed name, in the order of the selector.
    start : tuple of str
        The data set and the measure shown first.

    Returns
    -------
    altair.Chart
        Wider than a phone: it scrolls inside its own frame.
    """
    data_set = alt.param(
        name="data_set",
        value=start[0],
        bind=alt.binding_select(options=list(printed), labels=list(printed.values()), name="data set "),
    )
    measure = alt.param(name="measure", value=start[1], bind=alt.binding_select(options=measures, name="measure "))
    limits = [column for column in pairs if column.endswith((" low", " high"))]
    rounded = pairs[["data_set", "system_a", "system_b", "n_joint_errors", *measures, *limits]].round(4)
    tooltip = [
        alt.Tooltip("system_a", title="system"),
        alt.Tooltip("system_b", title="with"),
        alt.Tooltip("value:Q", format=".3f"),
        alt.Tooltip("interval:N", title="95 % interval"),
        alt.Tooltip("n_joint_errors", title="joint errors"),
    ]
    cells = (
        _mirrored(rounded)
        .mark_rect()
        .encode(
            x=alt.X("column:N", sort=order, title=None, axis=alt.Axis(labelAngle=-90)),
            y=alt.Y("row:N", sort=order, title=None),
            tooltip=tooltip,
            color=alt.Color(
                "value:Q", title="value", scale=alt.Scale(scheme="blues"), legend=alt.Legend(gradientLength=240)
            ),
        )
    )
    return cells.add_params(data_set, measure).properties(
        width=alt.Step(19),
        height=alt.Step(19),
        title="Every pair of systems, people first, then models by family",
        description="Heatmap of one measure for all pairs of systems of one data set, with selectors for both. "
        "Darker cells are more similar. The table behind it is pairwise_scores.",
    )


def scatter(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.Chart:
    """Draw two measures against each other, a point a pair, with a selector that brings out one kind of pairs.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``kind``, ``data_set``, ``system_a``, ``system_b``, ``accuracy`` (mean of the pair), ``x``, ``y``.
    x, y : str
        Columns.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        Paler points are pairs of lower accuracy; a click in the legend keeps one kind.
    """
    picked = alt.selection_point(fields=["kind"], bind="legend")
    # Pairs of people are few: they come last, on top.
    shown = pairs.sort_values("kind", ascending=False)[
        ["kind", "data_set", "system_a", "system_b", "accuracy", x, y]
    ].round(4)
    return (
        alt.Chart(shown)
        .transform_calculate(pairs=_PAIRS_OF_KIND)
        .mark_circle(size=16)
        .encode(
            x=alt.X(f"{x}:Q"),
            y=alt.Y(f"{y}:Q", scale=alt.Scale(zero=False)),
            color=_kind_colour("pairs (click to keep one)"),
            opacity=alt.condition(
                picked,
                alt.Opacity("accuracy:Q", title="mean accuracy", legend=None, scale=alt.Scale(range=[0.15, 0.9])),
                alt.value(0.02),
            ),
            tooltip=["system_a", "system_b", "pairs:N", "data_set", alt.Tooltip("accuracy", format=".2f"), x, y],
        )
        .add_params(picked)
        .properties(
            width="container",
            height=340,
            title=title,
            description=f"{y} against {x}, one point for each of {len(shown)} pairs. {title}.",
        )
    )


def scatter_by_data_set(pairs: pd.DataFrame, x: str, y: str, title: str) -> alt.Chart:
    """Draw two measures against each other with a regression line for each data set, one of them brought out.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set``, ``system_a``, ``system_b``, ``x``, ``y``; pairs of models.
    x, y : str
        Columns.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        A selector chooses the data set.
    """
    names = sorted(pairs["data_set"].unique())
    name = f"highlight_{x}_{y}".replace("(", "").replace(")", "")
    chosen = alt.param(name=name, value=names[0], bind=alt.binding_select(options=names, name="data set "))
    colour = alt.condition(f"datum.data_set === {name}", alt.value(FAMILIES["CNN"]), alt.value(OTHER))
    # A line may leave the cloud where a few points lie far out; the axes are those of the points.
    seen = alt.Scale(domain=pairs[y].agg(["min", "max"]).round(4).tolist(), nice=True, zero=False)
    axes = {"x": alt.X(f"{x}:Q"), "y": alt.Y(f"{y}:Q", scale=seen)}
    points = alt.Chart(pairs[["data_set", "system_a", "system_b", x, y]].round(4)).mark_circle(size=16)
    points = points.encode(
        **axes,
        color=colour,
        opacity=alt.condition(f"datum.data_set === {name}", alt.value(0.9), alt.value(0.15)),
        tooltip=["system_a", "system_b", "data_set", x, y],
    )
    lines = alt.Chart(_regression_lines(pairs, x, y)).mark_line(clip=True)
    lines = lines.encode(
        **axes,
        detail="data_set:N",
        color=colour,
        strokeWidth=alt.condition(f"datum.data_set === {name}", alt.value(3), alt.value(1)),
    )
    return (
        (points + lines)
        .add_params(chosen)
        .properties(
            width="container",
            height=340,
            title=title,
            description=f"{y} against {x} for {len(pairs)} pairs of models, a line for each of {len(names)} data sets. "
            f"{title}.",
        )
    )


def _regression_lines(pairs: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
    """Return both ends of each data set's line: Vega-Lite would draw all of them over the whole width of the chart."""
    lines = []
    for data_set, points in pairs.dropna(subset=[x, y]).groupby("data_set"):
        slope, intercept = np.polyfit(points[x], points[y], 1)
        ends = points[x].agg(["min", "max"]).to_numpy()
        lines.append(pd.DataFrame({"data_set": data_set, x: ends, y: intercept + slope * ends}))
    return pd.concat(lines).round(4)


def correlation_matrix(correlations: pd.DataFrame, measures: list[str], title: str) -> alt.Chart:
    """Draw Spearman's r between measures: within data sets above the diagonal, over all pairs below it.

    Parameters
    ----------
    correlations : pandas.DataFrame
        ``measure_a``, ``measure_b``, ``r_average``, ``r_global``.
    measures : list of str
        From top to bottom.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        A number in each cell.
    """
    upper = correlations.assign(
        row=correlations["measure_a"],
        column=correlations["measure_b"],
        r=correlations["r_average"],
        over="mean over data sets",
    )
    lower = correlations.assign(
        row=correlations["measure_b"],
        column=correlations["measure_a"],
        r=correlations["r_global"],
        over="all pairs together",
    )
    cells = pd.concat([upper, lower])[["row", "column", "r", "over"]]
    base = alt.Chart(cells).encode(
        x=alt.X("column:N", sort=measures, title=None, axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=measures, title=None),
        tooltip=["row", "column", "over", alt.Tooltip("r", format=".3f")],
    )
    tile = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color(
            "r:Q", title="Spearman's r", scale=alt.Scale(domain=[-1, 1], scheme="purpleorange", reverse=True)
        )
    )
    number = base.mark_text(fontSize=13).encode(
        text=alt.Text("r:Q", format=".2f"),
        color=alt.condition("abs(datum.r) > 0.65", alt.value("white"), alt.value("#1A1A1A")),
    )
    return (tile + number).properties(
        width="container",
        height=44 * len(measures),
        title=title,
        description=f"Spearman's r between {', '.join(measures)}. Above the diagonal the mean within data sets, below "
        f"it over all pairs together. {title}.",
    )


def families_by_measure(pairs: pd.DataFrame, measures: list[str], title: str) -> alt.Chart:
    """Draw z-scores of each measure for pairs within and across families, a tick a pair and a dot the mean.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``family_a``, ``family_b`` and a column a measure.
    measures : list of str
        A panel each.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.FacetChart
        Values are standardised within a measure.
    """
    table = pairs[measures]
    scores = ((table - table.mean()) / table.std(ddof=0)).round(3)
    scores["families"] = (pairs["family_a"] + " – " + pairs["family_b"]).str.replace("Human", "People")
    means = scores.groupby("families")[measures].mean().round(3).reset_index()
    tick = (
        alt.Chart(scores)
        .transform_fold(measures, as_=["measure", "z"])
        .mark_tick(opacity=0.25, thickness=1, color="#0072B2")
    )
    mean = (
        alt.Chart(means)
        .transform_fold(measures, as_=["measure", "z"])
        .mark_point(filled=True, size=70, opacity=1, color="#D55E00")
    )
    panels = [
        alt.layer(
            *(
                part.transform_filter((alt.datum.measure == measure) & alt.expr.isValid(alt.datum.z)).encode(
                    x=alt.X("z:Q", title="z-score"),
                    y=alt.Y("families:N", title=None, axis=alt.Axis(labels=i % 3 == 0, ticks=False)),
                    tooltip=["families", "measure:N", alt.Tooltip("z:Q", format=".2f")],
                )
                for part in (tick, mean)
            )
        ).properties(width=160, height=20 * scores["families"].nunique(), title=measure)
        for i, measure in enumerate(measures)
    ]
    return alt.concat(*panels, columns=3).properties(
        title=title, description=f"z-scores of {', '.join(measures)} for pairs by family. {title}."
    )


def verdict_grid(comparisons: pd.DataFrame, title: str) -> alt.Chart:
    """Draw a printed table as a grid: each number as printed, its colour the verdict on it.

    Parameters
    ----------
    comparisons : pandas.DataFrame
        What :func:`erralign.reproduction.published.compare` returns.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        A hover shows our number in full.
    """
    shown = comparisons.assign(
        ours=comparisons["ours"].round(6),
        mark=np.where(comparisons["verdict"] == "reproduced", comparisons["printed"], comparisons["printed"] + " ≠"),
    )
    base = alt.Chart(shown).encode(
        x=alt.X(
            "column:N",
            sort=list(dict.fromkeys(shown["column"])),
            title=None,
            axis=alt.Axis(orient="top", labelAngle=-30),
        ),
        y=alt.Y("row:N", sort=list(dict.fromkeys(shown["row"])), title=None),
        tooltip=["row", "column", "printed", "ours", "verdict"],
    )
    tile = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=alt.Color(
            "verdict:N", title=None, scale=alt.Scale(domain=["reproduced", "differs"], range=["#CDE9DF", "#F4B183"])
        )
    )
    number = base.mark_text(fontSize=11, color="#1A1A1A").encode(text="mark:N")
    counts = shown["verdict"].value_counts()
    return (tile + number).properties(
        width=max(440, 74 * shown["column"].nunique()),
        height=22 * shown["row"].nunique(),
        title=title,
        description=f"Grid of printed numbers with a verdict each: {counts.get('reproduced', 0)} reproduced, "
        f"{counts.get('differs', 0)} differ. {title}.",
    )


def by_number(simulated: pd.DataFrame, number: str, value: str, title: str) -> alt.LayerChart:
    """Draw how a measure of simulated systems moves with a number, such as that of errors: a line a case.

    Parameters
    ----------
    simulated : pandas.DataFrame
        ``case``, ``number``, ``middle``, ``low``, ``high``; at most four cases, the last of them chance.
    number : str
        What is counted along the axis, which is logarithmic.
    value : str
        What is drawn.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Points are means of the draws, whiskers hold 95 % of them.
    """
    cases = list(dict.fromkeys(simulated["case"]))
    colours = [*LINES[: len(cases) - 1], OTHER]
    base = alt.Chart(simulated.round(4)).encode(
        x=alt.X(
            "number:Q",
            title=number,
            scale=alt.Scale(type="log", nice=False, padding=14),
            axis=alt.Axis(values=sorted(simulated["number"].unique().tolist()), format=",d", grid=False),
        ),
        color=alt.Color(
            "case:N",
            sort=cases,
            title=None,
            scale=alt.Scale(domain=cases, range=colours),
            legend=alt.Legend(columns=1, symbolOpacity=1, labelLimit=420),
        ),
        tooltip=[
            "case",
            alt.Tooltip("number", title=number, format=",d"),
            alt.Tooltip("middle", title=f"mean {value}", format=".3f"),
            alt.Tooltip("low", title="2.5 %", format=".3f"),
            alt.Tooltip("high", title="97.5 %", format=".3f"),
        ],
    )
    line = base.mark_line(strokeWidth=2).encode(y=alt.Y("middle:Q", title=value, scale=alt.Scale(zero=False)))
    whisker = base.mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q")
    point = base.mark_point(filled=True, size=80, opacity=1).encode(
        y="middle:Q", shape=alt.Shape("case:N", sort=cases, title=None, scale=alt.Scale(domain=cases))
    )
    return alt.layer(line, whisker, point).properties(
        width="container",
        height=280,
        title=title,
        description=f"{value} of simulated systems against {number}, a line for each of: {'; '.join(cases)}. {title}.",
    )


def shares(responses: Responses, confidences: dict[str, np.ndarray], title: str) -> alt.LayerChart:
    """Draw how systems share out their confidence: a strip a system, each tile divided among the classes.

    Parameters
    ----------
    responses : Responses
        A dozen trials or so; its true classes stand in the first strip.
    confidences : dict of str to numpy.ndarray, shape (n_trials, C)
        System to its confidences, from top to bottom.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A whole tile of one colour is certainty.
    """
    classes = list(responses.classes)
    strips = {"true class": np.eye(len(classes))[responses.truth.to_numpy()], **confidences}
    tiles = pd.concat(_shared_out(system, p, responses) for system, p in strips.items())
    tiles = tiles.query("confidence > 0").round(4)
    base = alt.Chart(tiles).encode(
        y=alt.Y("system:N", sort=list(strips), title=None, scale=alt.Scale(paddingInner=0.12))
    )
    last = len(responses.truth)
    bars = base.mark_bar().encode(
        x=alt.X(
            "start:Q",
            title="picture",
            scale=alt.Scale(domain=[0.5, last + 0.5], nice=False),
            axis=alt.Axis(values=list(range(1, last + 1)), format="d", grid=False, domain=False, ticks=False),
        ),
        x2="end:Q",
        color=alt.Color(
            "class:N", title="confidence in", scale=alt.Scale(domain=classes, range=list(ANSWERS[: len(classes)]))
        ),
        tooltip=["system", "picture", "class", alt.Tooltip("confidence", format=".2f")],
    )
    return alt.layer(bars).properties(
        width="container",
        height=36 * len(strips),
        title=title,
        description=f"Strips of {last} tiles for {', '.join(strips)}, each tile divided among {', '.join(classes)} in "
        f"proportion to confidence. {title}.",
    )


def _shared_out(system: str, confidence: np.ndarray, responses: Responses) -> pd.DataFrame:
    picture = np.repeat(responses.truth.index.to_numpy(), len(responses.classes))
    ends = confidence.cumsum(axis=1)
    # A little air between one picture and the next.
    start, end = (picture - 0.47 + 0.94 * edge.ravel() for edge in (ends - confidence, ends))
    names = np.tile(responses.classes, len(confidence))
    return pd.DataFrame(
        {
            "system": system,
            "picture": picture,
            "class": names,
            "confidence": confidence.ravel(),
            "start": start,
            "end": end,
        }
    )


def turned_spaces(spaces: dict[str, np.ndarray], names: list[str], title: str) -> alt.ConcatChart:
    """Draw the same trials in the two-dimensional features of several systems, side by side.

    Parameters
    ----------
    spaces : dict of str to numpy.ndarray, shape (n_trials, 2)
        System to its features.
    names : list of str
        The true class of each trial.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.ConcatChart
        A numbered point a trial. A unit is as long upwards as sideways; the axes say how large the space is.
    """
    colours = alt.Color(
        "class:N", title="true class", scale=alt.Scale(domain=list(dict.fromkeys(names)), range=list(ANSWERS))
    )
    axis = alt.Axis(tickCount=4, grid=False)
    panels = []
    for system, features in spaces.items():
        points = pd.DataFrame(features, columns=["first", "second"]).round(3)
        points = points.assign(**{"class": names, "picture": range(1, len(names) + 1)})
        middle, span = (features.max(axis=0) + features.min(axis=0)) / 2, 0.6 * np.ptp(features, axis=0).max()
        first, second = (alt.Scale(domain=[m - span, m + span], nice=False) for m in middle.round(3).tolist())
        base = alt.Chart(points).encode(
            x=alt.X("first:Q", title="first feature", axis=axis, scale=first),
            y=alt.Y("second:Q", title=None if panels else "second feature", axis=axis, scale=second),
        )
        dot = base.mark_point(filled=True, size=240, opacity=1).encode(color=colours, tooltip=["picture", "class"])
        number = base.mark_text(fontSize=10, color="#1A1A1A").encode(text="picture:N")
        panels.append(alt.layer(dot, number).properties(width=160, height=160, title=system))
    return alt.concat(*panels, columns=len(panels)).properties(
        title=title, description=f"Twelve numbered pictures in the features of {', '.join(spaces)}. {title}."
    )


def correlations_by_data_set(correlations: pd.DataFrame, means: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how two measures go together, data set by data set, a row for each two measures.

    Parameters
    ----------
    correlations : pandas.DataFrame
        ``pair``, ``data_set``, ``kind`` (synthetic or naturalistic), ``r``.
    means : pandas.DataFrame
        ``pair``, ``mean``, ``low``, ``high`` over the synthetic data sets.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A point a data set; the black bar is the mean with its 95 % interval.
    """
    order = list(means["pair"])
    kinds = alt.Scale(domain=["synthetic", "naturalistic"], range=[LINES[0], LINES[1]])
    points = (
        alt.Chart(correlations.round(4))
        .mark_point(filled=True, size=42, opacity=0.85)
        .encode(
            x=alt.X(
                "r:Q",
                title="Spearman's r over pairs of networks",
                scale=alt.Scale(domain=[min(0, correlations["r"].min()), 1]),
            ),
            y=alt.Y("pair:N", sort=order, title=None),
            tooltip=["pair", "data_set", alt.Tooltip("r", format=".2f")],
            color=alt.Color("kind:N", title="data set", scale=kinds, legend=alt.Legend(symbolOpacity=1)),
            shape=alt.Shape(
                "kind:N", title="data set", scale=alt.Scale(domain=kinds.domain, range=["circle", "diamond"])
            ),
        )
    )
    base = alt.Chart(means.round(4)).encode(y=alt.Y("pair:N", sort=order, title=None))
    rule = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    mean = base.mark_tick(thickness=4, size=18, opacity=1).encode(
        x="mean:Q",
        tooltip=[
            "pair",
            alt.Tooltip("mean", format=".2f"),
            alt.Tooltip("low", format=".2f"),
            alt.Tooltip("high", format=".2f"),
        ],
    )
    return alt.layer(points, rule, mean).properties(
        width="container",
        height=26 * len(order),
        title=title,
        description=f"Spearman's r between measures for {correlations['data_set'].nunique()} data sets, with means and "
        f"95 % intervals. {title}.",
    )


def growth(scale: pd.DataFrame, title: str) -> alt.Chart:
    """Draw how the time of all pairs grows with their number, a line a measure.

    Parameters
    ----------
    scale : pandas.DataFrame
        ``measure``, ``systems``, ``pairs``, ``seconds``, ``peak_mb``.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.Chart
        Both axes are logarithmic: a straight line of slope 1 is time in proportion.
    """
    measures = ["EC", "MA", "CLES"]
    colour = alt.Color("measure:N", sort=measures, title=None, scale=alt.Scale(domain=measures, range=list(LINES)))
    return (
        alt.Chart(scale)
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=70))
        .encode(
            x=alt.X("pairs:Q", scale=alt.Scale(type="log", nice=False, padding=14), title="pairs (logarithmic)"),
            y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds (logarithmic)"),
            color=colour,
            shape=alt.Shape("measure:N", sort=measures, title=None, scale=alt.Scale(domain=measures)),
            tooltip=["measure", "systems", "pairs", "seconds", "peak_mb"],
        )
        .properties(
            width="container",
            title=title,
            description=f"Seconds against the number of pairs for EC, MA and CLES. {title}.",
        )
    )


# The default of each measure, then the others; neither families nor kinds of pairs stand in one chart with them.
METHODS = {
    "dirichlet": ("#0072B2", "circle"),
    "wilson": ("#0072B2", "circle"),
    "recentred": ("#0072B2", "circle"),
    "score": ("#CC79A7", "diamond"),
    "percentile": ("#D55E00", "square"),
    "hdi": ("#8A8A8A", "triangle-up"),
}


def _method_encodings(methods: Iterable[str]) -> dict:
    domain = [method for method in METHODS if method in set(methods)]
    colours, shapes = (list(looks) for looks in zip(*(METHODS[method] for method in domain), strict=True))
    legend = alt.Legend(symbolOpacity=1, columns=2)
    return {
        "color": alt.Color("method:N", title=None, legend=legend, scale=alt.Scale(domain=domain, range=colours)),
        "shape": alt.Shape("method:N", title=None, scale=alt.Scale(domain=domain, range=shapes)),
    }


def _line_at(value: float, title: str, **looks) -> alt.Chart:
    return (
        alt.Chart(pd.DataFrame({"value": [round(float(value), 4)]}))
        .mark_rule(**{"color": OTHER, "strokeWidth": 1.5, **looks})
        .encode(y=alt.Y("value:Q", title=title))
    )


def two_draws(draws: dict[str, np.ndarray], limits: dict[str, tuple[float, float]], title: str) -> alt.LayerChart:
    """Draw how values of a measure spread under methods that draw, and the interval that each of them leaves.

    Parameters
    ----------
    draws : dict of str to numpy.ndarray
        Method to its draws of the measure; the first is shown as bars, the others as lines.
    limits : dict of str to tuple
        Method to the two ends of its interval.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Bins are .02 wide; above the heaps stand the intervals, each with its method.
    """
    heaps = _heaps(draws)
    is_first = heaps["method"] == next(iter(draws))
    x = alt.X("from:Q", title="error consistency", scale=alt.Scale(nice=False))
    y = alt.Y("draws:Q", title="draws")
    colour = _method_encodings(draws)["color"]
    bars = alt.Chart(heaps[is_first]).mark_rect(opacity=0.75)
    bars = bars.encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), color=colour, tooltip=["method", "from", "to", "draws"])
    lines = alt.Chart(heaps[~is_first]).mark_line(interpolate="step-after", strokeWidth=2.5)
    return alt.layer(
        bars, lines.encode(x=x, y=y, color=colour), _spans(draws, limits, heaps["draws"].max(), colour)
    ).properties(
        width="container",
        height=260,
        title=title,
        description=f"Histograms of draws by {' and '.join(draws)}, with the interval of each. {title}.",
    )


def _heaps(draws: dict[str, np.ndarray]) -> pd.DataFrame:
    every = np.concatenate(list(draws.values()))
    edges = np.arange(np.floor(np.nanmin(every) * 50), np.ceil(np.nanmax(every) * 50) + 1) / 50
    counts = {name: np.histogram(values, edges)[0] for name, values in draws.items()}
    return pd.concat(
        pd.DataFrame({"method": name, "from": edges[:-1], "to": edges[1:], "draws": drawn})
        for name, drawn in counts.items()
    )


def _spans(methods: Iterable[str], limits: dict[str, tuple[float, float]], top: float, colour: alt.Color) -> alt.Chart:
    spans = pd.DataFrame(
        [(name, *limits[name], top * (1.08 + 0.1 * i)) for i, name in enumerate(methods)],
        columns=["method", "low", "high", "place"],
    ).round(4)
    return (
        alt.Chart(spans)
        .mark_rule(strokeWidth=5)
        .encode(x="low:Q", x2="high:Q", y="place:Q", color=colour, tooltip=["method", "low", "high"])
    )


def experiments(intervals: pd.DataFrame, truth: float, title: str) -> alt.LayerChart:
    """Draw the intervals of repeated experiments against the truth that they should hold.

    Parameters
    ----------
    intervals : pandas.DataFrame
        ``joint_errors``, ``EC``, ``low``, ``high``: a row an experiment.
    truth : float
        The value that all experiments are about.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        A line an experiment, thick where it misses the truth, which is the dashed line.
    """
    held = (intervals["low"] <= truth) & (truth <= intervals["high"])
    outcome = alt.Scale(domain=["holds the truth", "misses it"], range=[OTHER, "#D55E00"])
    shown = intervals.assign(experiment=range(1, len(held) + 1), outcome=np.where(held, *outcome.domain)).round(4)
    base = alt.Chart(shown).encode(
        x=alt.X("experiment:Q", scale=alt.Scale(nice=False, padding=6), axis=alt.Axis(grid=False, tickMinStep=1)),
        color=alt.Color("outcome:N", title=None, scale=outcome, legend=alt.Legend(symbolOpacity=1)),
        tooltip=["experiment", "joint_errors", "EC", "low", "high", "outcome"],
    )
    width = alt.condition(alt.datum.outcome == "misses it", alt.value(4), alt.value(1.5))
    rule = base.mark_rule().encode(y=alt.Y("low:Q", title="error consistency"), y2="high:Q", strokeWidth=width)
    point = base.mark_point(filled=True, size=26, opacity=1).encode(y="EC:Q")
    true = _line_at(truth, "error consistency", color=LINES[0], strokeDash=[6, 3])
    return alt.layer(rule, point, true).properties(
        width="container",
        height=240,
        title=title,
        description=f"Intervals of {len(held)} experiments; {held.sum()} hold the truth, {truth:.2f}. {title}.",
    )


def coverage(simulated: pd.DataFrame, number: str, title: str, *, floor: float = 0.0) -> alt.LayerChart:
    """Draw how often intervals hold the truth, against how many errors there are to learn from.

    Parameters
    ----------
    simulated : pandas.DataFrame
        ``number``, ``method``, ``coverage``, ``error`` (of the simulation, 95 %), ``setting``.
    number : str
        What is counted along the axis, which is logarithmic.
    title : str
        What to see, in a sentence.
    floor : float
        Where the axis of coverage begins.

    Returns
    -------
    altair.LayerChart
        A dot a setting and method; the dashed line is the promise, .95.
    """
    shown = simulated.assign(low=simulated["coverage"] - simulated["error"])
    shown["high"] = (simulated["coverage"] + simulated["error"]).clip(upper=1)
    looks = _method_encodings(shown["method"])
    axis = alt.Axis(grid=False, values=[0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400], format="~f")
    base = alt.Chart(shown.round(4)).encode(
        x=alt.X("number:Q", title=number, axis=axis, scale=alt.Scale(type="log", nice=False, padding=12)),
        color=looks["color"],
        tooltip=["setting", "method", alt.Tooltip("number", title=number, format=",.1f"), "coverage", "error"],
    )
    share = "experiments whose interval holds the truth"
    y = alt.Y("coverage:Q", title=share, scale=alt.Scale(domain=[floor, 1]), axis=alt.Axis(format="%"))
    whisker = base.mark_rule(opacity=0.6).encode(y=alt.Y("low:Q", title=share), y2="high:Q")
    point = base.mark_point(filled=True, size=60, opacity=0.85).encode(y=y, shape=looks["shape"])
    return alt.layer(point, whisker, _line_at(0.95, share, strokeDash=[6, 3])).properties(
        width="container",
        height=300,
        title=title,
        description=f"Coverage of 95 % intervals in {len(shown)} simulations by method and {number}. {title}.",
    )


def whiskers(pairs: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw pairs from the lowest value to the highest, each with its 95 % interval.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``system_a``, ``system_b``, ``kind``, ``n_joint_errors``, the measure, ``low``, ``high``.
    measure : str
        The column of values.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Pairs with fewer than five joint errors are drawn as crosses.
    """
    marks = alt.Scale(domain=["fewer than 5 joint errors", "5 or more"], range=["cross", "circle"])
    shown = pairs.sort_values([measure, "system_a", "system_b"]).round(3)
    shown = shown.assign(rank=range(len(shown)), errors=np.where(shown["n_joint_errors"] < 5, *marks.domain))
    bare = alt.Axis(grid=False, labels=False, ticks=False)
    base = alt.Chart(shown).encode(
        x=alt.X("rank:Q", title="pairs, lowest first", axis=bare, scale=alt.Scale(nice=False, padding=6)),
        color=_kind_colour(),
        tooltip=["system_a", "system_b", measure, "low", "high", "n_joint_errors"],
    )
    rule = base.mark_rule(strokeWidth=2, opacity=0.7).encode(y=alt.Y("low:Q", title=measure), y2="high:Q")
    shape = alt.Shape("errors:N", scale=marks, legend=None)  # two legends do not fit a phone; the text names the cross
    point = base.mark_point(filled=True, size=44, opacity=1).encode(y=f"{measure}:Q", shape=shape)
    return alt.layer(_line_at(0, measure), rule, point).properties(
        width="container",
        height=300,
        title=title,
        description=f"{measure} of {len(shown)} pairs in ascending order with 95 % intervals. {title}.",
    )


def _data_set_selector(name: str, options: list[str], start: str) -> alt.Parameter:
    return alt.param(name=name, value=start, bind=alt.binding_select(options=options, name="data set "))


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
    selector = _data_set_selector(name, names, start) if len(names) > 1 else alt.param(name=name, value=start)
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
    selector = _data_set_selector(name, list(dict.fromkeys(points["data_set"])), start)
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
