"""Charts of what error consistency can be: sliders to move it, real pairs, and the limits between which they lie."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import altair as alt
import numpy as np
import pandas as pd
from scipy.stats import norm

from erralign.behaviour.consistency import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import expected_table
from erralign.plot.colours import GREY, PURPLE, SLATE, VERMILION
from erralign.plot.parts import CHOSEN, finish, layer, selector
from erralign.plot.theme import (
    BAND,
    KINDS,
    PAIRS,
    PAIRS_OF_KIND,
    colour_of_kinds,
    legend,
    only,
    shape_of_kinds,
)
from erralign_book.charts.looks import WITH_PEOPLE
from erralign_book.charts.parts import DASHED, diagonal, marked, slider

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
    "overlap": "'observed overlap ' + format(observed_now, '.2f') + ' · accuracy of B ' + "
    "format(accuracy_of_b, '.2f') + '\\nby chance ' + format(expected_now, '.2f') + ' · possible ' + "
    "format(overlap_least, '.2f') + ' to ' + format(overlap_most, '.2f')",
    "ec": "'error consistency ' + format(ec_now, '.2f') + '\\n95 % interval ' + format(datum.low, '.2f') + "
    "' to ' + format(datum.high, '.2f') + ' · possible ' + format(ec_least, '.2f') + ' to ' + format(ec_most, '.2f')",
}
WITH = "mean EC with people"


def copy_grid() -> pd.DataFrame:
    """Return the 95 % interval of EC where counts are as the copy model expects, for all settings of the sliders."""
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
    """Let the reader set accuracies and copying, and see overlap, error consistency, bounds and interval."""
    choices = [
        slider("accuracy_of_a", "accuracy of A", 0.75, (0.05, 0.95), 0.1),
        slider("accuracy_alone", "accuracy of B alone", 0.55, (0.05, 0.95), 0.1),
        slider("copied", "share that B copies", 0.4, (0, 1), 0.1),
        selector("trials", TRIALS, 160, "trials"),
    ]
    derived = [alt.param(name=name, expr=expression) for name, expression in DERIVED.items()]
    base = alt.Chart(copy_grid()).transform_filter(ROW)
    interval = _at(base.mark_rule(color=PURPLE, strokeWidth=3), 0.4, x="datum.low", x2="datum.high")
    overlaps = _number_line(base, 2.4, "overlap", "expected_now", "observed_now")
    return finish(
        layer(*overlaps, *_number_line(base, 0.4, "ec", "0", "ec_now", interval)).add_params(*choices, *derived),
        title,
        "Two number lines that follow three sliders and a choice of trials: observed overlap with the overlap expected "
        "by chance, and error consistency with its 95 % interval; grey bars show what the accuracies allow.",
        240,
        subtitle="dot: the value; upright tick: chance; grey bar: what the accuracies allow",
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


def _number_line(
    base: alt.Chart, height: float, name: str, chance: str, value: str, *more: alt.Chart
) -> list[alt.Chart]:
    """Draw what is possible, what chance gives, and the value, under words that say the three."""
    possible = base.mark_rule(color=GREY, strokeWidth=12, opacity=BAND)
    return [
        _at(possible, height, x=f"{name}_least", x2=f"{name}_most"),
        _at(base.mark_tick(thickness=3, size=22, color=SLATE), height, x=chance),
        *more,
        _at(base.mark_point(filled=True, size=110, opacity=1, color=PURPLE), height, x=value),
        _words(base, height + 0.65, WORDS[name]),
    ]


def kinds_of_pairs(means: pd.DataFrame, measure: str, title: str, *, reference: str | None = None) -> alt.LayerChart:
    """Draw one measure's mean over pairs of people, of models, and of one of each, one row per data set."""
    first = means[means["kind"] == next(kind for kind in KINDS if kind in set(means["kind"]))]
    order = list(first.sort_values(measure, ascending=False)["data_set"])
    base = alt.Chart(means).transform_calculate(pairs=PAIRS_OF_KIND)
    base = base.encode(y=alt.Y("data_set:N", title=None, sort=order))
    if reference:
        base = base.encode(yOffset=alt.YOffset("kind:N", sort=list(PAIRS)))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        alt.X(f"{measure}:Q", title=f"mean {measure} of the pairs", scale=alt.Scale(zero=False)),
        colour_of_kinds(),
        shape_of_kinds(),
        tooltip=[
            "data_set",
            "pairs:N",
            alt.Tooltip(measure, format=".3f"),
            alt.Tooltip("n_pairs", title="number of pairs"),
            alt.Tooltip("n_joint_errors", format=".1f", title="joint errors, mean"),
        ],
    )
    ticks = [base.mark_tick(color=GREY, thickness=2, size=11).encode(x=f"{reference}:Q")] if reference else []
    about = f"Mean {measure} by data set for pairs of people, of networks, and mixed pairs."
    height = (40 if reference else 22) * means["data_set"].nunique()
    return finish(layer(points, *ticks), title, about, height, subtitle=f"grey ticks: {reference}" if ticks else None)


def yardsticks(systems: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw EC with people against accuracy, with what chance gives, what accuracies allow and what two people have."""
    people = {str(name): rows for name, rows in systems[systems["group"] == "people"].groupby("data_set", sort=False)}
    across = alt.X("accuracy:Q", title="accuracy", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    upright, looks = alt.Y("EC:Q", title=WITH), only(WITH_PEOPLE, systems["group"])
    points = (
        alt.Chart(systems.round(4))
        .transform_filter(CHOSEN)
        .encode(across, upright, tooltip=["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")])
    )
    points = marked(points, "group", looks, size=50, legend=legend(columns=2))
    data_set = selector("data_set", list(people), start)
    return finish(
        layer(*_yardsticks(people, across, upright), points).add_params(data_set),
        title,
        f"Mean error consistency with people against accuracy for {systems['system'].nunique()} systems, below a line "
        "of the largest possible values, with a band of chance and a dashed line for two people.",
        340,
        subtitle="purple line: the most that is possible; dashed: two people; grey band: chance",
    )


def _yardsticks(people: Mapping[str, pd.DataFrame], across: alt.X, upright: alt.Y) -> list[alt.Chart]:
    limits = pd.concat([_limits(rows).assign(data_set=name) for name, rows in people.items()])
    two = pd.DataFrame({"data_set": list(people), "EC": [rows["EC"].mean() for rows in people.values()]})
    lines, level = (alt.Chart(rows.round(4)).transform_filter(CHOSEN) for rows in (limits, two))
    band = lines.mark_area(color=GREY, opacity=BAND).encode(across, y=alt.Y("low:Q", title=WITH), y2="high:Q")
    possible = lines.mark_line(color=PURPLE, strokeWidth=2).encode(across, y="largest:Q")
    return [band, possible, level.mark_rule(color=VERMILION, strokeWidth=1.5, strokeDash=DASHED).encode(y=upright)]


def _limits(people: pd.DataFrame) -> pd.DataFrame:
    """Return for each accuracy the largest EC with people, and between what 95 % of independent pairs lie."""
    n_trials, theirs = people["n_trials"].iloc[0], people["accuracy"].to_numpy()
    a, b = np.linspace(0.01, 0.99, 99), theirs.mean()
    far = norm.ppf(0.975) * 2 * np.sqrt(a * (1 - a) * b * (1 - b) / n_trials) / (a * (1 - b) + b * (1 - a))
    largest = error_consistency_bounds(a[:, None], theirs)[1].mean(axis=1)
    return pd.DataFrame({"accuracy": a, "largest": largest, "low": -far, "high": np.minimum(far, largest)})


def two_kappas(pairs: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw Cohen's kappa of the answers against Cohen's kappa of being right."""
    names = list(pairs["data_set"].unique())
    x, y = "kappa of being right (EC)", "kappa of the answers"
    axes = alt.X("EC:Q", title=x, axis=alt.Axis(tickCount=5)), alt.Y("kappa_of_answers:Q", title=y)
    points = alt.Chart(pairs.round(4)).transform_filter(CHOSEN).mark_point(filled=True, size=34, opacity=1)
    points = points.encode(
        *axes,
        colour_of_kinds(),
        tooltip=["system_a", "system_b", alt.Tooltip("EC", title=x), alt.Tooltip("kappa_of_answers", title=y)],
    )
    return finish(
        layer(diagonal(*axes), points).add_params(selector("data_set", names, start)),
        title,
        f"Cohen's kappa of the answers against error consistency, a point per pair, on {', '.join(names)}.",
        320,
        subtitle="dashed: both equal",
    )
