"""Charts of the chapter on representations and confidences: shared-out tiles, inside against outside."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLUE, GREY, PALE_GREY
from erralign.plot.grammar import Plot, names, numbers
from erralign.responses import Responses
from erralign_book.charts.looks import ANSWERS, cases


def shares(responses: Responses, confidences: dict[str, np.ndarray], title: str) -> alt.LayerChart:
    """Draw how systems share out their confidence where one of them is wrong: a tile per picture, by classes."""
    classes, truth = list(responses.classes), responses.truth.to_numpy()
    wrong = np.any([p.argmax(axis=1) != truth for p in confidences.values()], axis=0)
    last = int(wrong.sum())
    strips = {"true class": np.eye(len(classes))[truth], **confidences}
    pictures = responses.truth.index[wrong]  # on a phone there is room for few
    tiles = pd.concat(_shared_out(system, p[wrong], pictures, classes) for system, p in strips.items())
    said = f"{pictures.tolist()}[datum.value - 1]"
    bare: Any = {"labelExpr": said, "grid": False, "domain": False, "tickSize": 0}
    x = numbers("start", "picture", ends=(0.5, last + 0.5), ticks=range(1, last + 1), **bare)
    hover = ["system", "picture", "class", alt.Tooltip("confidence", format=".2f")]
    shown, y = tiles.query("confidence > 0"), names("system", list(strips), scale={"paddingInner": 0.12})
    looks = ("class", cases(classes, ANSWERS))
    plot = Plot(shown, x, y, look=looks, hover=hover, title="confidence in", columns=3).bars("end", stroke=GREY)
    about = f"Strips of {last} tiles for {', '.join(strips)}, each tile divided among {', '.join(classes)} in "
    return plot.done(title, f"{about}proportion to confidence.", 36 * len(strips))


def _shared_out(system: str, confidence: np.ndarray, pictures: pd.Index, classes: list[str]) -> pd.DataFrame:
    place, picture = (np.repeat(each, len(classes)) for each in (np.arange(1, len(pictures) + 1), pictures))
    ends = confidence.cumsum(axis=1)
    # A little air between one picture and the next.
    start, end = (place - 0.46 + 0.92 * edge.ravel() for edge in (ends - confidence, ends))
    named = np.tile(classes, len(confidence))
    tiles = {"picture": picture, "class": named, "confidence": confidence.ravel(), "start": start, "end": end}
    return pd.DataFrame({"system": system} | tiles)


def inside_and_outside(correlated: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how a measure from inside goes together with one of errors: mean, interval, and where the data sets lie."""
    hover = ["pair", "mean", "low", "high", "lowest", "highest"]
    plot = Plot(correlated, numbers("mean", "Spearman's r", ends=(0, 1)), names("pair", None), hover=hover)
    plot.spans("lowest", "highest", color=PALE_GREY, strokeWidth=4)
    for of_features, rows in correlated.groupby(correlated["pair"].str.startswith("CKA")):
        ink = BLUE if of_features else GREY
        plot.spans(data=rows, color=ink).points(80, rows, color=ink, shape="square")
    about = "Correlations of measures from inside with measures of errors, over pairs of networks."
    under = "mean and 95 % interval, grey if confidences are compared; pale: from the lowest data set to the highest"
    return plot.done(title, about, alt.Step(26), under)
