"""Colours that mean the same on every page, the one theme, and parts that several charts share."""

from __future__ import annotations

import os
from collections.abc import Iterable

import altair as alt
import pandas as pd

FAMILIES = {"Human": "#D55E00", "CNN": "#0072B2", "ViT": "#009E73", "Large": "#CC79A7"}


KINDS = {"human-human": "#D55E00", "model-human": "#E69F00", "model-model": "#0072B2"}


PAIRS = {"human-human": "people", "model-human": "mixed", "model-model": "networks"}  # what readers call the kinds


PAIRS_OF_KIND = f"({PAIRS})[datum.kind]"


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


def kind_colour(title: str = "pairs", kinds: Iterable[str] = tuple(KINDS)) -> alt.Color:
    """Encode the kind of a pair as its colour.

    Parameters
    ----------
    title : str
        The legend's.
    kinds : iterable of str
        Those that occur; the legend shows no others.

    Returns
    -------
    altair.Color
        For data with the column ``kind``.
    """
    shown = [kind for kind in KINDS if kind in set(kinds)]
    return alt.Color(
        "kind:N",
        title=title,
        legend=kind_legend(),
        scale=alt.Scale(domain=shown, range=[KINDS[kind] for kind in shown]),
    )


def kind_legend() -> alt.Legend:
    """Call the kinds of pairs in a legend what readers call them.

    Returns
    -------
    altair.Legend
        People, mixed, networks.
    """
    return alt.Legend(symbolOpacity=1, labelExpr=PAIRS_OF_KIND.replace("datum.kind", "datum.value"))


# The default of each measure, then the others; neither families nor kinds of pairs stand in one chart with them.
METHODS = {
    "dirichlet": ("#0072B2", "circle"),
    "wilson": ("#0072B2", "circle"),
    "recentred": ("#0072B2", "circle"),
    "score": ("#CC79A7", "diamond"),
    "percentile": ("#D55E00", "square"),
    "hdi": ("#8A8A8A", "triangle-up"),
}


def line_at(value: float, title: str, **looks: object) -> alt.Chart:
    """Draw a level across a chart.

    Parameters
    ----------
    value : float
        Its height.
    title : str
        The axis that it stands on.
    **looks : object
        Options of ``mark_rule``.

    Returns
    -------
    altair.Chart
        A layer.
    """
    return (
        alt.Chart(pd.DataFrame({"value": [round(float(value), 4)]}))
        .mark_rule(**{"color": OTHER, "strokeWidth": 1.5, **looks})
        .encode(y=alt.Y("value:Q", title=title))
    )


def data_set_selector(name: str, options: list[str], start: str) -> alt.Parameter:
    """Let the reader choose a data set.

    Parameters
    ----------
    name : str
        The parameter's, to use in a filter.
    options : list of str
        Data sets.
    start : str
        The one chosen first.

    Returns
    -------
    altair.Parameter
        A selector below the chart.
    """
    return alt.param(name=name, value=start, bind=alt.binding_select(options=options, name="data set "))
