"""Charts of what error consistency can be: its bounds, real pairs within them, and sliders to move it."""

from __future__ import annotations

from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from erralign.behaviour import kappa
from erralign.bounds import error_consistency_bounds_from_overlap
from erralign.charts.chance import overlap
from erralign.charts.theme import LINES, OTHER, data_set_selector, kind_colour
from erralign.planning import expected_table

ACCURACIES = np.round(np.arange(0.05, 1, 0.1), 2)
COPIED = np.round(np.arange(0, 1.05, 0.1), 1)
TRIALS = (40, 160, 400, 1280)
DRAWS = 4000

# What the sliders say, worked out by the browser; B's accuracy has its copied answers in it.
DERIVED = {
    "accuracy_of_b": "copied * accuracy_of_a + (1 - copied) * accuracy_alone",
    "apart": "accuracy_of_a * (1 - accuracy_of_b) + accuracy_of_b * (1 - accuracy_of_a)",
    "ec_now": "copied * 2 * accuracy_of_a * (1 - accuracy_of_a) / apart",
    "expected_now": "1 - apart",
    "observed_now": "expected_now + ec_now * apart",
    "overlap_least": "abs(accuracy_of_a + accuracy_of_b - 1)",
    "overlap_most": "1 - abs(accuracy_of_a - accuracy_of_b)",
    "ec_least": "(overlap_least - expected_now) / apart",
    "ec_most": "(overlap_most - expected_now) / apart",
}
# Right and wrong may change places: intervals for accuracies of A below one half are those of the mirror image.
ROW = (
    "datum.copied === round(10 * copied) && datum.trials === trials"
    " && datum.a === round(20 * max(accuracy_of_a, 1 - accuracy_of_a))"
    " && datum.alone === round(20 * (accuracy_of_a < 0.5 ? 1 - accuracy_alone : accuracy_alone))"
)
WORDS = {
    "overlap_words": "'observed overlap ' + format(observed_now, '.2f') + ' · accuracy of B ' + "
    "format(accuracy_of_b, '.2f') + '\\nby chance ' + format(expected_now, '.2f') + ' · possible ' + "
    "format(overlap_least, '.2f') + ' to ' + format(overlap_most, '.2f')",
    "ec_words": "'error consistency ' + format(ec_now, '.2f') + '\\n95 % interval ' + format(datum.low, '.2f') + "
    "' to ' + format(datum.high, '.2f') + ' · possible ' + format(ec_least, '.2f') + ' to ' + format(ec_most, '.2f')",
}


def copy_grid() -> pd.DataFrame:
    """Return the 95 % interval of EC where counts come out just as the copy model expects, for all settings of sliders.

    Returns
    -------
    pandas.DataFrame
        ``a`` and ``alone`` (twenty times the accuracies of A, from one half up, and of B on its own), ``copied`` (ten
        times the share of trials on which B copies A), ``trials``, ``low``, ``high``.
    """
    rng = np.random.default_rng(0)
    settings = product(ACCURACIES[ACCURACIES > 0.5], ACCURACIES, COPIED, TRIALS)
    return pd.DataFrame([_copy_row(*setting, rng) for setting in settings])


def _copy_row(a: float, alone: float, copied: float, trials: int, rng: np.random.Generator) -> dict:
    b = copied * a + (1 - copied) * alone
    ec = copied * 2 * a * (1 - a) / (a * (1 - b) + b * (1 - a))
    draws = kappa(*rng.standard_gamma(trials * expected_table(ec, a, b).reshape(4, 1) + 0.5, size=(4, DRAWS)))
    low, high = np.quantile(draws, (0.025, 0.975)).round(3)
    keys = {"a": round(20 * a), "alone": round(20 * alone), "copied": round(10 * copied), "trials": trials}
    return keys | {"low": low, "high": 1.0 if copied == 1 else high}


def copy_explorer(title: str) -> alt.LayerChart:
    """Let the reader set accuracies and copying, and see overlap, error consistency, bounds and interval.

    Parameters
    ----------
    title : str
        What to do.

    Returns
    -------
    altair.LayerChart
        Three sliders and a choice of trials below two lines of numbers.
    """
    sliders = {
        "accuracy_of_a": ("accuracy of A ", alt.binding_range(min=0.05, max=0.95, step=0.1), 0.75),
        "accuracy_alone": ("accuracy of B alone ", alt.binding_range(min=0.05, max=0.95, step=0.1), 0.55),
        "copied": ("share that B copies ", alt.binding_range(min=0, max=1, step=0.1), 0.4),
        "trials": ("trials ", alt.binding_select(options=list(TRIALS)), 160),
    }
    params = []
    for name, (label, bind, value) in sliders.items():
        bind.name = label
        params.append(alt.param(name=name, value=value, bind=bind))
    params += [alt.param(name=name, expr=expression) for name, expression in DERIVED.items()]
    base = alt.Chart(copy_grid()).transform_filter(ROW)
    layers = _overlap_layers(base) + _consistency_layers(base)
    return (
        alt.layer(*layers)
        .add_params(*params)
        .properties(
            width="container",
            height=240,
            title=title,
            description="Two number lines that follow three sliders: observed overlap with the overlap expected by "
            "chance, and error consistency with its 95 % interval; grey bars show what the accuracies allow.",
        )
    )


def _at(base: alt.Chart, height: float, **places: str) -> alt.Chart:
    """Place a mark at a height; ``x``, ``x2`` are expressions."""
    for channel, expression in places.items():
        base = base.transform_calculate(**{f"at_{channel}": expression})
    x = alt.X("at_x:Q", title=None, scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1]))
    y = alt.Y(datum=height, type="quantitative", scale=alt.Scale(domain=[0, 4.2]), axis=None)
    return base.encode(x=x, y=y, **({"x2": "at_x2:Q"} if "x2" in places else {}))


def _words(base: alt.Chart, height: float, text: str) -> alt.Chart:
    mark = base.transform_calculate(words=text).mark_text(
        align="left", baseline="bottom", fontSize=12, lineBreak="\n", lineHeight=16
    )
    return _at(mark, height, x="-1").encode(text="words:N")


def _overlap_layers(base: alt.Chart) -> list[alt.Chart]:
    possible = base.mark_rule(color=OTHER, strokeWidth=12, opacity=0.4)
    return [
        _at(possible, 2.4, x="overlap_least", x2="overlap_most"),
        _at(base.mark_tick(thickness=3, size=22, color=LINES[1]), 2.4, x="expected_now"),
        _at(base.mark_point(filled=True, size=110, opacity=1, color=LINES[0]), 2.4, x="observed_now"),
        _words(base, 3.05, WORDS["overlap_words"]),
    ]


def _consistency_layers(base: alt.Chart) -> list[alt.Chart]:
    possible = base.mark_rule(color=OTHER, strokeWidth=12, opacity=0.4)
    return [
        _at(possible, 0.4, x="ec_least", x2="ec_most"),
        _at(base.mark_tick(thickness=3, size=22, color=LINES[1]), 0.4, x="0"),
        _at(base.mark_rule(color=LINES[0], strokeWidth=3), 0.4, x="datum.low", x2="datum.high"),
        _at(base.mark_point(filled=True, size=110, opacity=1, color=LINES[0]), 0.4, x="ec_now"),
        _words(base, 1.05, WORDS["ec_words"]),
    ]


def tunnel(pairs: pd.DataFrame, limits: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw error consistency against expected overlap, with the band of chance and the walls of what is possible.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As for :func:`erralign.charts.overlap`, with ``EC``.
    limits : pandas.DataFrame
        ``data_set``, ``expected``, ``low``, ``high``: where 95 % of independent observers lie.
    start : str
        The data set shown first.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        Nothing can lie beyond the two lines.
    """
    # Dense about one half, where the walls have a corner.
    steps = np.linspace(-1, 1, 121)
    expected = 0.5 + steps * np.abs(steps) * 0.499
    low, high = error_consistency_bounds_from_overlap(expected)
    walls = pd.DataFrame({"expected": expected, "least": low, "most": high}).round(4)
    lines = [
        alt.Chart(walls).mark_line(color=LINES[2], strokeWidth=2).encode(x="expected:Q", y=f"{end}:Q")
        for end in ("least", "most")
    ]
    corners = pd.DataFrame({"expected": [0.03, 0.03, 0.97], "EC": [0.8, -0.8, -0.8], "word": ["impossible"] * 3})
    words = [
        alt.Chart(corners.query(side)).mark_text(align=align, fontSize=12).encode(x="expected:Q", y="EC:Q", text="word")
        for side, align in (("expected < 0.5", "left"), ("expected > 0.5", "right"))
    ]
    inside = overlap(pairs, limits, "EC", start, title)
    inside.title = alt.Undefined  # else it would stand there twice
    inside.layer[-1].mark.size = 14  # larger ones would reach over the lines that no pair crosses
    return alt.layer(inside, *lines, *words).properties(
        title=title,
        description=f"Error consistency against expected overlap for {len(pairs)} pairs, between two lines that no "
        f"pair can cross, over a grey band that holds 95 % of independent observers. {title}.",
    )


def two_kappas(pairs: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw Cohen's kappa of the answers against Cohen's kappa of being right.

    Parameters
    ----------
    pairs : pandas.DataFrame
        ``data_set``, ``kind``, ``system_a``, ``system_b``, ``EC``, ``kappa_of_answers``.
    start : str
        The data set shown first; there is a selector.
    title : str
        What to see, in a sentence.

    Returns
    -------
    altair.LayerChart
        On the dashed line both are equal.
    """
    names = list(dict.fromkeys(pairs["data_set"]))
    x, y = "kappa of being right (EC)", "kappa of the answers"
    diagonal = alt.Chart(pd.DataFrame({"EC": [0, 1], "kappa_of_answers": [0, 1]}))
    points = alt.Chart(pairs.round(4)).transform_filter("datum.data_set === data_set_of_two_kappas")
    points = points.mark_point(filled=True, size=34, opacity=0.75).encode(
        x=alt.X("EC:Q", title=x, axis=alt.Axis(tickCount=5)),
        y=alt.Y("kappa_of_answers:Q", title=y),
        color=kind_colour(),
        tooltip=["system_a", "system_b", alt.Tooltip("EC", title=x), alt.Tooltip("kappa_of_answers", title=y)],
    )
    line = diagonal.mark_line(strokeDash=[4, 4], color=OTHER).encode(x="EC:Q", y="kappa_of_answers:Q")
    return (
        alt.layer(line, points)
        .add_params(data_set_selector("data_set_of_two_kappas", names, start))
        .properties(
            width="container",
            height=320,
            title=title,
            description=f"Cohen's kappa of the answers against error consistency, a point a pair, on "
            f"{', '.join(names)}. {title}.",
        )
    )
