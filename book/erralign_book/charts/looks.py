"""The looks of what single chapters show: one for each meaning, beside those of the library's theme."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from erralign.plot.colours import (
    BLACK,
    BLUE,
    GREY,
    LEVELS,
    NAVY,
    ORANGE,
    PALE,
    PALE_GREY,
    PALE_TEAL,
    PAPER,
    SILVER,
    SKY,
    SLATE,
    TILE_GREY,
    TWO_SIDED,
)
from erralign.plot.theme import FAMILIES, KINDS, WHOSE, Look, legend

BOTH = (ORANGE, BLUE)  # a person with a machine
# Networks, by what they are and were trained on.
TRAINED = {
    "CNN, ImageNet or Ecoset": FAMILIES["CNN"],
    "ViT, ImageNet": FAMILIES["ViT"],
    "image and text, or JFT": FAMILIES["Large"],
    "self-supervised": Look(SKY, "cross"),
}
# Kinds of pairs once more, where networks of one architecture are told from others.
GROUPS = {
    "two people": KINDS["human-human"],
    "a person and a network": KINDS["model-human"],
    "two networks": KINDS["model-model"],
    "two networks of one architecture": Look(SKY, "cross"),
    "an EfficientNet and a person": Look(BLACK, "diamond", BOTH),
}
WITH_PEOPLE = {
    "people": FAMILIES["Human"],
    "CNNs of 2020": FAMILIES["CNN"],
    "networks trained on more data": FAMILIES["Large"],
    "yours": WHOSE["yours"],
}
SEEN = {  # on the pictures with a cue conflict
    "older CNNs": FAMILIES["CNN"],
    "ResNet-50 of 2019": Look(NAVY, "triangle-up"),
    "other older networks": Look(BLUE, "cross"),
    "CLIP": Look(SKY, "diamond"),
    "vision-language models": Look(NAVY),
    "people": FAMILIES["Human"],
}
ON_THE_BOARD = {
    "people": SEEN["people"],
    "classifier": Look(BLUE, "square"),  # CNNs and others
    "CLIP": SEEN["CLIP"],
    "vision-language": SEEN["vision-language models"],
    "other": Look(BLUE, "cross"),
}
COLOUR_PAIRS = {
    "the two people": Look(ORANGE, "square"),
    "two of the five people": KINDS["human-human"],
    "a person and ResNet-50": Look(SLATE, "triangle-up", BOTH),
}
SHAPE_AND_TEXTURE = {
    "people, mean and range": FAMILIES["Human"],
    "CORnet-S": Look(SKY, "diamond"),
    "ResNet-50": Look(NAVY, "triangle-up"),
}

SYSTEMS = {"A": Look(BLACK), "B": Look(GREY, "diamond")}  # whose clouds lie over each other

# Answers to a picture.
OUTCOMES = {
    "both right": Look(PALE),
    "only A right": Look(PALE_GREY),
    "only B right": Look(TILE_GREY),
    "both wrong, same answer": Look(BLACK),
    "both wrong, other answers": Look(SLATE),
}
ANSWERS = (Look(PALE_GREY), Look(TILE_GREY), Look(PAPER))  # three classes of the twelve pictures
CLASSES = (Look(BLACK), Look(GREY, "square"), Look(SILVER, "triangle-up"))  # the same as points
RIGHT = Look(PALE)
ACCESS = {"inside": Look(PALE_GREY), "behaviour": Look(PALE_TEAL)}

# Intervals and tests. The default of each measure comes first.
METHODS = {
    "dirichlet": Look(BLACK, "circle"),
    "wilson": Look(BLACK, "circle"),
    "recentred": Look(BLACK, "circle"),
    "score": Look(SLATE, "diamond"),
    "percentile": Look(GREY, "square"),
    "hdi": Look(SILVER, "triangle-up"),
    "copies, middle accuracy": Look(BLACK, "circle"),
    "copies, lowest accuracy": Look(SILVER, "square"),
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
HELD = {"contains the true value": Look(GREY), "misses it": Look(BLACK)}
FAR = {"nearer to 0": Look(SILVER), "at least as far from 0": Look(BLACK)}
SIGNIFICANT = {"after correction, too": Look(BLACK), "on its own only": Look(GREY), "not": Look(SILVER)}
USED = {"used": Look(GREY, "circle"), "left out": Look(GREY, "cross")}
TOLD_APART = {"apart": Look(BLACK), "not told apart": Look(PALE_GREY)}
ACCURACIES = tuple(map(Look, LEVELS))

# Measures, data sets and simulations have no look of their own.
CASES = (Look(BLACK, "circle"), Look(SLATE, "diamond"), Look(SILVER, "square"))
CHANCE = Look(GREY, "triangle-up")
DASHES = ([1, 0], [8, 3], [2, 2])

# How much of a mark is seen, as in the library: crowds of marks, and marks that others shine through.
CROWD, SHEER = 0.35, 0.75


def cases(names: Iterable[str], looks: Sequence[Look] = CASES) -> dict[str, Look]:
    """Give looks to names that mean nothing beyond their chart."""
    return {name: looks[place] for place, name in enumerate(dict.fromkeys(names))}


def legend_of_tiles(**options: Any) -> alt.Legend:
    """Outline a legend's symbols, since some tiles have the colour of the page."""
    return legend(symbolStrokeColor=GREY, symbolStrokeWidth=1, **options)


def colour_of_correlations(title: str = "Spearman's r") -> alt.Color:
    """Encode correlations as colour, faint at zero, from −1 to 1."""
    scale = alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(TWO_SIDED), interpolate="rgb")
    return alt.Color(
        "r:Q", title=f"{title}, from −1 to 1", scale=scale, legend=legend(gradientLength=180, values=[-1, 0, 1])
    )
