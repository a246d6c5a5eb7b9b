"""The one theme of all charts, and one look for each meaning, the same on every page.

A meaning is a dictionary of :class:`Look`: what is shown -> its colour and its shape. The colours themselves are in
:mod:`erralign.plot.colours`; each chart carries the table by which the page's script draws it on a dark page.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import altair as alt

from erralign.plot.colours import BLUE, DARK, GREY, MACHINES, MAGENTA, ORANGE, RAMP, SLATE

ROWS_AT_MOST = 6000  # in a chart
VEGA_LITE = "application/vnd.vegalite.v6+json"
# As prose writes percentages: with a space that does not break.
NUMBERS: Any = {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["$", ""], "percent": "\u00a0%"}


class Look(NamedTuple):
    """How one thing is drawn; a mark that is ``split`` is left in one colour and right in another, and its line not."""

    colour: str
    shape: str = "circle"
    split: tuple[str, str] | None = None

    @property
    def fill(self) -> str | alt.ExprRef:
        """Return what fills the mark, in the form that a scale of Vega takes."""
        if not self.split:
            return self.colour
        return halves(self.split)


def halves(split: tuple[str, str]) -> alt.ExprRef:
    """Fill the left half of a mark in one colour and the right in another."""
    stops = [{"offset": at, "color": split[at > 0.5]} for at in (0, 0.5, 0.501, 1)]
    return alt.ExprRef(f"{ {'gradient': 'linear', 'x1': 0, 'y1': 0, 'x2': 1, 'y2': 0, 'stops': stops} }")


Looks = Mapping[str, Look]

# Systems and pairs of systems.
FAMILIES = {
    "Human": Look(ORANGE),
    **{family: Look(*MACHINES[family]) for family in ("CNN", "ViT", "MLP")},
    "Large": Look(*MACHINES["more data"]),
}
KINDS = {
    "human-human": Look(ORANGE, "circle"),
    "model-human": Look(SLATE, "square", (ORANGE, BLUE)),
    "model-model": Look(BLUE, "square"),
}
PAIRS = {"human-human": "people", "model-human": "mixed", "model-model": "networks"}  # what readers call the kinds
LOOKS_OF_PAIRS = {words: KINDS[kind] for kind, words in PAIRS.items()}
WHOSE = {"people": FAMILIES["Human"], "networks": KINDS["model-model"], "yours": Look(MAGENTA, "diamond")}
FEW = {"fewer than 5 joint errors": Look(GREY, "cross"), "5 or more": Look(GREY, "circle")}

BAND = 0.25  # how much of a mark is seen that is read as an area; those that are looked at one by one are solid


@alt.theme.register("erralign", enable=True)
def _theme() -> alt.theme.ThemeConfig:
    return {
        "usermeta": {"dark": DARK},
        "config": {
            "font": "'Erralign Sans', system-ui, -apple-system, 'Segoe UI', sans-serif",
            "background": "transparent",
            # Half of the last number of an axis stands beyond the axis.
            "padding": {"left": 5, "top": 5, "right": 16, "bottom": 5},
            "locale": {"number": NUMBERS},
            "view": {"stroke": None, "continuousHeight": 280},
            # A chart has one alternative text; a label on each of 5,000 points would drown it.
            "mark": {"aria": False},
            "text": {"fontSize": 12},
            "axis": {"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal", "gridOpacity": 0.4},
            # The last number of an axis moves neither towards the one before it nor onto it.
            "axisXQuantitative": {"labelFlush": False, "labelSeparation": 12},
            "axisQuantitative": {"tickCount": 5},
            "legend": {"labelFontSize": 12, "titleFontSize": 12, "orient": "bottom", "labelLimit": 320},
            "title": {"fontSize": 15, "anchor": "start", "fontWeight": "bold"},
            "header": {"labelFontSize": 12, "titleFontSize": 12},
        },
    }


alt.data_transformers.enable("default", max_rows=ROWS_AT_MOST)


if os.environ.get("ERRALIGN_RENDERER") == "book":
    # Altair's own type is not +json, and nbformat accepts an object only under such a type.
    alt.renderers.register("book", lambda spec, **_: {VEGA_LITE: spec, "text/plain": spec["description"]})
    alt.renderers.enable("book")


def only(looks: Looks, names: Iterable[str]) -> dict[str, Look]:
    """Keep the looks of what occurs, in their own order."""
    occurring = set(names)
    return {name: look for name, look in looks.items() if name in occurring}


def legend(**options: Any) -> alt.Legend:
    """Draw a legend's symbols in full colour, however faint the marks are."""
    return alt.Legend(symbolOpacity=1, **options)


def colour(field: str, looks: Looks, **options: Any) -> alt.Color:
    """Encode a meaning as colour."""
    scale = alt.Scale(domain=list(looks), range=[look.colour for look in looks.values()])
    return alt.Color(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def fill(field: str, looks: Looks, **options: Any) -> alt.Fill:
    """Encode a meaning as what fills a mark, which may be split in two colours."""
    scale = alt.Scale(domain=list(looks), range=[look.fill for look in looks.values()])
    return alt.Fill(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def shape(field: str, looks: Looks, **options: Any) -> alt.Shape:
    """Encode a meaning as shape; beside :func:`colour` with the same options they share one legend."""
    scale = alt.Scale(domain=list(looks), range=[look.shape for look in looks.values()])
    return alt.Shape(f"{field}:N", scale=scale, **{"title": None, "legend": legend(), **options})


def colour_of_values(field: str, title: str, **options: Any) -> alt.Color:
    """Encode values as colour, the larger the stronger, with the same colours for the same values everywhere."""
    scale = alt.Scale(domain=[0, 0.25, 0.5, 0.75, 1], range=list(RAMP), interpolate="rgb", clamp=True)
    how = {"title": f"{title}, from 0 to 1", "legend": legend(gradientLength=200)} | options
    return alt.Color(f"{field}:Q", scale=scale, **how)
