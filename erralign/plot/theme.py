"""The one theme of all charts, and one look for each meaning, the same on every page.

A meaning is a dictionary of :class:`Look`: what is shown -> its colour and its shape. The colours themselves are in
:mod:`erralign.plot.colours`; each chart carries the table by which the page's script draws it on a dark page.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from erralign.errors import ROWS_AT_MOST
from erralign.plot.colours import (
    AMBER,
    BLUE,
    BROWN,
    DARK,
    GREEN,
    GREY,
    LEVELS,
    LILAC,
    PALE,
    PALE_GREY,
    PALE_PURPLE,
    PINK,
    PURPLE,
    RAMP,
    SILVER,
    SKY,
    SLATE,
    TILE_GREY,
    TILE_OLIVE,
    TILE_PURPLE,
    TWO_SIDED,
    VERMILION,
)

VEGA_LITE = "application/vnd.vegalite.v6+json"

DASHES = ([1, 0], [8, 3], [2, 2])


class Look(NamedTuple):
    """How one thing is drawn."""

    colour: str
    shape: str = "circle"


Looks = Mapping[str, Look]

# Systems and pairs of systems.
FAMILIES = {
    "Human": Look(VERMILION),
    "CNN": Look(BROWN, "square"),
    "ViT": Look(GREEN, "triangle-up"),
    "Large": Look(PINK, "diamond"),
    "MLP": Look(GREY, "cross"),
}
TRAINED = {  # and on what
    "CNN, ImageNet or Ecoset": Look(SLATE, "square"),
    "ViT, ImageNet": Look(LILAC, "triangle-up"),
    "image and text, or JFT": Look(PURPLE, "diamond"),
    "self-supervised": Look(GREY, "cross"),
}
KINDS = {
    "human-human": Look(VERMILION, "circle"),
    "model-human": Look(AMBER, "square"),
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
    "an EfficientNet and a person": Look(PURPLE, "diamond"),
    "an EfficientNet and a network": Look(LILAC, "diamond"),
    "yours and a person": Look(PURPLE, "diamond"),
    "yours and a network": Look(LILAC, "diamond"),
}
WHOSE = {"people": FAMILIES["Human"], "networks": KINDS["model-model"], "yours": Look(PURPLE, "diamond")}
COLOUR_PAIRS = {
    "the two people": Look(VERMILION, "square"),
    "two of the five people": KINDS["human-human"],
    "a person and ResNet-50": Look(AMBER, "triangle-up"),
}
COMPARED = {  # with people
    "a model": KINDS["model-human"],
    "a person": KINDS["human-human"],
    "a model, condition left out": Look(SILVER),
    "a person, condition left out": Look(SLATE),
}
SHAPE_AND_TEXTURE = {
    "people, mean and range": FAMILIES["Human"],
    "CORnet-S": Look(PURPLE, "diamond"),
    "ResNet-50": Look(SLATE, "triangle-up"),
}

# Answers to a picture.
OUTCOMES = {
    "both right": Look(PALE),
    "only A right": Look(SILVER),
    "only B right": Look(SLATE),
    "both wrong, same answer": Look(PURPLE),
    "both wrong, other answers": Look(LILAC),
}
ANSWERS = (Look(TILE_PURPLE), Look(TILE_OLIVE), Look(TILE_GREY))  # three classes of the twelve pictures
RIGHT = Look(PALE)
ACCESS = {"inside": Look(PALE_GREY), "behaviour": Look(PALE_PURPLE)}

# Intervals and tests. The default of each measure comes first.
METHODS = {
    "dirichlet": Look(PURPLE, "circle"),
    "wilson": Look(PURPLE, "circle"),
    "recentred": Look(PURPLE, "circle"),
    "score": Look(SLATE, "diamond"),
    "percentile": Look(GREY, "square"),
    "hdi": Look(SILVER, "triangle-up"),
    "bootstrap of the trials": Look(PURPLE, "square"),
    "copies, middle accuracy": Look(SLATE, "circle"),
    "copies, lowest accuracy": Look(SILVER, "circle"),
}
# What charts and tables call the methods of which the code has a name of one word.
INTERVALS = {
    "dirichlet": "half a count per cell",
    "score": "score interval",
    "percentile": "percentile interval",
    "hdi": "shortest interval",
    "wilson": "Wilson's interval",
    "recentred": "recentred interval",
}
HELD = {"contains the true value": Look(GREY), "misses it": Look(PURPLE)}
FEW = {"fewer than 5 joint errors": Look(GREY, "cross"), "5 or more": Look(GREY, "circle")}
FAR = {"nearer to 0": Look(SILVER), "at least as far from 0": Look(PURPLE)}
SIGNIFICANT = {"after correction, too": Look(PURPLE), "on its own only": Look(LILAC), "not": Look(GREY)}
USED = {"used": Look(GREY, "circle"), "left out": Look(GREY, "cross")}
TOLD_APART = {"apart": Look(PURPLE), "not told apart": Look(PALE_GREY)}
ACCURACIES = tuple(map(Look, LEVELS))

# Measures, data sets and simulations have no look of their own.
CASES = (Look(PURPLE, "circle"), Look(SLATE, "diamond"), Look(LILAC, "square"))
CHANCE = Look(GREY, "triangle-up")
STUDIES = (Look(GREY, "triangle-down"), Look(GREY, "triangle-up"), Look(GREY, "diamond"), Look(GREY, "circle"))

# How much of a mark is seen. Marks that a reader looks at one by one are solid; bands and clouds are read as areas.
BAND, CROWD, SHEER = 0.25, 0.35, 0.75


@alt.theme.register("erralign", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "usermeta": {"dark": DARK},
        "config": {
            "font": "'Erralign Sans', system-ui, -apple-system, 'Segoe UI', sans-serif",
            "background": "transparent",
            # As prose writes percentages: with a space that does not break.
            "locale": {
                "number": {
                    "decimal": ".",
                    "thousands": ",",
                    "grouping": [3],
                    "currency": ["$", ""],
                    "percent": "\u00a0%",
                }
            },
            "view": {"stroke": None, "continuousHeight": 280},
            # A chart has one alternative text; a label on each of 5,000 points would drown it.
            "mark": {"aria": False},
            "axis": {"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal", "gridOpacity": 0.4},
            # The last number of an axis moves neither towards the one before it nor onto it.
            "axisXQuantitative": {"labelFlush": False, "labelSeparation": 12},
            "legend": {"labelFontSize": 12, "titleFontSize": 12, "orient": "bottom", "labelLimit": 320},
            "title": {"fontSize": 15, "anchor": "start", "fontWeight": "bold"},
            "header": {"labelFontSize": 12, "titleFontSize": 12},
        },
    }


alt.data_transformers.enable("default", max_rows=ROWS_AT_MOST)


def _for_the_book(spec: dict, **_) -> dict:
    # Altair's own type is not +json, and nbformat accepts an object only under such a type.
    return {VEGA_LITE: spec, "text/plain": spec["description"]}


if os.environ.get("ERRALIGN_RENDERER") == "book":
    alt.renderers.register("book", _for_the_book)
    alt.renderers.enable("book")


def cases(names: Iterable[str], looks: Sequence[Look] = CASES) -> dict[str, Look]:
    """Give looks to names that mean nothing beyond their chart."""
    return {name: looks[place] for place, name in enumerate(dict.fromkeys(names))}


def only(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Keep the looks of what occurs, in their own order."""
    occurring = set(names)
    return {name: look for name, look in looks.items() if name in occurring}


def legend(**options: Any) -> alt.Legend:
    """Draw a legend's symbols in full colour, however faint the marks are."""
    return alt.Legend(symbolOpacity=1, **options)


def legend_of_tiles(**options: Any) -> alt.Legend:
    """Outline a legend's symbols, since some tiles have the colour of the page."""
    return legend(symbolStrokeColor=GREY, symbolStrokeWidth=1, **options)


def colour(field: str, looks: Looks, **options: Any) -> alt.Color:
    """Encode a meaning as colour."""
    scale = alt.Scale(domain=list(looks), range=[look.colour for look in looks.values()])
    return alt.Color(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def shape(field: str, looks: Looks, **options: Any) -> alt.Shape:
    """Encode a meaning as shape; beside :func:`colour` with the same options they share one legend."""
    scale = alt.Scale(domain=list(looks), range=[look.shape for look in looks.values()])
    return alt.Shape(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def colour_of_kinds(kinds: Iterable[str] = KINDS, **options: Any) -> alt.Color:
    """Encode the kind of a pair as its colour."""
    return colour("kind", only(KINDS, kinds), **(_LEGEND_OF_KINDS | options))


def shape_of_kinds(kinds: Iterable[str] = KINDS) -> alt.Shape:
    """Encode the kind of a pair as its shape."""
    return shape("kind", only(KINDS, kinds), **_LEGEND_OF_KINDS)


_LEGEND_OF_KINDS = {"title": "pairs", "legend": legend(labelExpr=PAIRS_OF_KIND.replace("datum.kind", "datum.value"))}


def colour_of_accuracies(accuracies: Iterable[object]) -> alt.Color:
    """Encode levels of accuracy as colours, the higher the stronger."""
    levels = cases((str(level) for level in accuracies if level != "pooled"), ACCURACIES)
    pooled = {"pooled": Look(GREY)} if "pooled" in set(accuracies) else {}
    return colour("accuracy", levels | pooled, title="accuracy of both", legend=legend(columns=3))


def colour_of_correlations(title: str = "Spearman's r") -> alt.Color:
    """Encode correlations as colour, faint at zero, from −1 to 1."""
    scale = alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(TWO_SIDED), interpolate="rgb")
    return alt.Color(
        "r:Q", title=f"{title}, from −1 to 1", scale=scale, legend=legend(gradientLength=200, values=[-1, 0, 1])
    )


def colour_of_values(field: str, title: str) -> alt.Color:
    """Encode values as colour, the larger the stronger, with the same colours for the same values everywhere."""
    scale = alt.Scale(domain=[0, 0.25, 0.5, 0.75, 1], range=list(RAMP), interpolate="rgb", clamp=True)
    return alt.Color(f"{field}:Q", title=f"{title}, from 0 to 1", scale=scale, legend=legend(gradientLength=200))
