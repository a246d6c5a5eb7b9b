"""The one theme of all charts, and one look for each meaning, the same on every page.

A meaning is a dictionary of :class:`Look`: what is shown -> its colour and its shape. No other module names a colour.
Readers who cannot tell all hues apart can tell these (Okabe and Ito).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import altair as alt

from erralign.errors import ROWS_AT_MOST

VEGA_LITE = "application/vnd.vegalite.v6+json"

BLUE, SKY, GREEN, ORANGE, VERMILION, PINK = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7"
GREY = "#8A8A8A"  # what all else is compared with, and what is not the matter
INK = "#1A1A1A"  # words on pale tiles
DASHES = ([1, 0], [8, 3], [2, 2])


class Look(NamedTuple):
    """How one thing is drawn."""

    colour: str
    shape: str = "circle"


Looks = Mapping[str, Look]

# Systems and pairs of systems.
FAMILIES = {"Human": Look(VERMILION), "CNN": Look(BLUE), "ViT": Look(GREEN), "Large": Look(PINK), "MLP": Look(GREY)}
KINDS = {
    "human-human": Look(VERMILION, "circle"),
    "model-human": Look(ORANGE, "square"),
    "model-model": Look(BLUE, "triangle-up"),
}
PAIRS = {"human-human": "people", "model-human": "mixed", "model-model": "networks"}  # what readers call the kinds
PAIRS_OF_KIND = f"({PAIRS})[datum.kind]"
# Kinds of pairs once more, where networks of one architecture are told from others.
GROUPS = {
    "two people": KINDS["human-human"],
    "a person and a network": KINDS["model-human"],
    "two networks": KINDS["model-model"],
    "two networks of one architecture": Look(SKY, "cross"),
}
WHOSE = {"people": FAMILIES["Human"], "networks": FAMILIES["CNN"], "yours": Look("#7D60C6", "diamond")}
COLOUR_PAIRS = {
    "the two people": Look(VERMILION, "square"),
    "two of the five people": KINDS["human-human"],
    "a person and ResNet-50": Look(ORANGE, "triangle-up"),
}
COMPARED = {  # with people
    "a model": KINDS["model-human"],
    "a person": KINDS["human-human"],
    "a model, condition left out": Look(GREY),
    "a person, condition left out": Look(SKY),
}
SHAPE_AND_TEXTURE = {
    "people, mean and range": FAMILIES["Human"],
    "CORnet-S": Look(PINK, "diamond"),
    "ResNet-50": Look(BLUE, "triangle-up"),
}

# Answers to a picture.
OUTCOMES = {
    "both right": Look("#B9C4CC"),
    "only A right": Look(SKY),
    "only B right": Look(GREEN),
    "both wrong, same answer": Look(VERMILION),
    "both wrong, other answers": Look("#F0C808"),
}
ANSWERS = (Look(SKY), Look(ORANGE), Look(PINK))  # three classes of the twelve pictures
RIGHT = Look("#DDE3E8")
ACCESS = {"inside": Look("#CFE3F1"), "behaviour": Look("#FBE0CC")}

# Intervals and tests. The default of each measure comes first.
METHODS = {
    "dirichlet": Look(BLUE, "circle"),
    "wilson": Look(BLUE, "circle"),
    "recentred": Look(BLUE, "circle"),
    "score": Look(PINK, "diamond"),
    "percentile": Look(VERMILION, "square"),
    "hdi": Look(GREY, "triangle-up"),
    "bootstrap of the trials": Look(VERMILION, "square"),
    "copies, middle accuracy": Look(SKY, "circle"),
    "copies, lowest accuracy": Look(GREEN, "circle"),
}
HELD = {"holds the truth": Look(GREY), "misses it": Look(VERMILION)}
FEW = {"fewer than 5 joint errors": Look(GREY, "cross"), "5 or more": Look(GREY, "circle")}
FAR = {"nearer to 0": Look(GREY), "at least as far from 0": Look(VERMILION)}
SIGNIFICANT = {"after correction, too": Look(BLUE), "on its own only": Look(SKY), "not": Look(GREY)}
USED = {"used": Look(GREY, "circle"), "left out": Look(GREY, "cross")}
TOLD_APART = {"apart": Look(BLUE), "not told apart": Look("#D8DEE3")}
VERDICTS = {"reproduced": Look("#CDE9DF"), "differs": Look("#F4B183")}
# Levels of accuracy, from light to dark: no hue that means something elsewhere, and seen on white and on black.
LEVELS = (Look("#D3A0E0"), Look("#B586DA"), Look("#9A72D3"), Look("#7D60C6"), Look("#5F4DB5"))

# Measures, data sets and simulations have no look of their own; nothing of the above stands in a chart with them.
CASES = (Look(BLUE, "circle"), Look(VERMILION, "diamond"), Look(PINK, "square"))
CHANCE = Look(GREY, "triangle-up")
STUDIES = (Look(GREY, "triangle-down"), Look(GREY, "triangle-up"), Look(GREY, "diamond"), Look(GREY, "circle"))

VALUES: Final = "blues"  # the larger, the darker


@alt.theme.register("erralign", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "config": {
            "font": "'Erralign Sans', system-ui, -apple-system, 'Segoe UI', sans-serif",
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
    # Altair's own type is not +json, and nbformat accepts an object only under such a type.
    return {VEGA_LITE: spec, "text/plain": spec["description"]}


if os.environ.get("ERRALIGN_RENDERER") == "book":
    alt.renderers.register("book", _for_the_book)
    alt.renderers.enable("book")


def cases(names: Iterable[str], looks: Sequence[Look] = CASES) -> dict[str, Look]:
    """Give looks to names that mean nothing beyond their chart.

    Parameters
    ----------
    names : iterable of str
        In the order of the legend, at most as many as there are looks; one that comes again counts once.
    looks : sequence of Look
        To be handed out in turn.

    Returns
    -------
    dict of str to Look
        For :func:`colour` and :func:`shape`.
    """
    return {name: looks[place] for place, name in enumerate(dict.fromkeys(names))}


def only(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Keep the looks of what occurs, in their own order.

    Parameters
    ----------
    looks : mapping of str to Look
        A meaning.
    names : iterable of str
        What occurs in the data; a legend shows no others.

    Returns
    -------
    dict of str to Look
        A part of ``looks``.
    """
    occurring = set(names)
    return {name: look for name, look in looks.items() if name in occurring}


def legend(**options: Any) -> alt.Legend:
    """Draw a legend's symbols in full colour, however faint the marks are.

    Parameters
    ----------
    **options : object
        As for :class:`altair.Legend`.

    Returns
    -------
    altair.Legend
        To pass to :func:`colour`.
    """
    return alt.Legend(symbolOpacity=1, **options)


def colour(field: str, looks: Looks, **options: Any) -> alt.Color:
    """Encode a meaning as colour.

    Parameters
    ----------
    field : str
        The column whose values are keys of ``looks``.
    looks : mapping of str to Look
        The meaning.
    **options : object
        As for :class:`altair.Color`; without them there is a legend without a title.

    Returns
    -------
    altair.Color
        An encoding.
    """
    scale = alt.Scale(domain=list(looks), range=[look.colour for look in looks.values()])
    return alt.Color(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def shape(field: str, looks: Looks, **options: Any) -> alt.Shape:
    """Encode a meaning as shape; beside :func:`colour` with the same options they share one legend.

    Parameters
    ----------
    field, looks, **options
        As for :func:`colour`.

    Returns
    -------
    altair.Shape
        An encoding.
    """
    scale = alt.Scale(domain=list(looks), range=[look.shape for look in looks.values()])
    return alt.Shape(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def colour_of_kinds(kinds: Iterable[str] = KINDS, **options: Any) -> alt.Color:
    """Encode the kind of a pair as its colour.

    Parameters
    ----------
    kinds : iterable of str
        Those that occur.
    **options : object
        As for :func:`colour`.

    Returns
    -------
    altair.Color
        For data with the column ``kind``; the legend says people, mixed, networks.
    """
    return colour("kind", only(KINDS, kinds), **(_LEGEND_OF_KINDS | options))


def shape_of_kinds(kinds: Iterable[str] = KINDS) -> alt.Shape:
    """Encode the kind of a pair as its shape.

    Parameters
    ----------
    kinds : iterable of str
        Those that occur.

    Returns
    -------
    altair.Shape
        In one legend with :func:`colour_of_kinds`.
    """
    return shape("kind", only(KINDS, kinds), **_LEGEND_OF_KINDS)


_LEGEND_OF_KINDS = {"title": "pairs", "legend": legend(labelExpr=PAIRS_OF_KIND.replace("datum.kind", "datum.value"))}


def colour_of_accuracies(accuracies: Iterable[object]) -> alt.Color:
    """Encode levels of accuracy as colours, the higher the darker.

    Parameters
    ----------
    accuracies : iterable of object
        Levels in rising order, at most five, and ``"pooled"``.

    Returns
    -------
    altair.Color
        For data with the column ``accuracy``, as text.
    """
    levels = cases((str(level) for level in accuracies if level != "pooled"), LEVELS)
    pooled = {"pooled": Look(GREY)} if "pooled" in set(accuracies) else {}
    return colour("accuracy", levels | pooled, title="accuracy of both", legend=legend(columns=3))


def colour_of_correlations(title: str = "Spearman's r") -> alt.Color:
    """Encode correlations as colour, pale at zero.

    Parameters
    ----------
    title : str
        Which correlation.

    Returns
    -------
    altair.Color
        For data with the column ``r``.
    """
    scale = alt.Scale(scheme="purpleorange", domain=[-1, 1], reverse=True)
    return alt.Color("r:Q", title=title, scale=scale)
