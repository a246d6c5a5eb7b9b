"""Charts of the chapters of measures: the twelve pictures, decision regions, means and simulations."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import numpy as np
import pandas as pd

from erralign.charts.theme import ANSWERS, KINDS, LINES, OTHER, OUTCOMES, PAIRS_OF_KIND, kind_colour, kind_legend
from erralign.responses import Responses


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
    base = alt.Chart(means).transform_calculate(pairs=PAIRS_OF_KIND).encode(y=alt.Y("data_set:N", title=None))
    x_axis = alt.X(f"{measure}:Q", title=f"mean {measure} of the pairs", scale=alt.Scale(zero=False))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x_axis,
        color=kind_colour(),
        shape=alt.Shape("kind:N", title="pairs", legend=kind_legend(), scale=alt.Scale(domain=list(KINDS))),
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
