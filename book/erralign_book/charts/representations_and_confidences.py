"""Charts of the chapter on representations and confidences: shared-out tiles, inside against outside."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import GREY
from erralign.plot.grammar import Plot, names, numbers
from erralign.responses import Responses
from erralign_book.charts.looks import ANSWERS, cases


def shares(responses: Responses, confidences: dict[str, np.ndarray], title: str) -> alt.LayerChart:
    """Draw how systems share out their confidence: a strip per system, each tile divided among the classes."""
    classes, last = list(responses.classes), len(responses.truth)
    strips = {"true class": np.eye(len(classes))[responses.truth.to_numpy()], **confidences}
    tiles = pd.concat(_shared_out(system, p, responses) for system, p in strips.items())
    bare: Any = {"format": "d", "grid": False, "domain": False, "tickSize": 0}
    x = numbers("start", "picture", ends=(0.5, last + 0.5), ticks=range(1, last + 1), **bare)
    hover = ["system", "picture", "class", alt.Tooltip("confidence", format=".2f")]
    shown, y = tiles.query("confidence > 0"), names("system", list(strips), scale={"paddingInner": 0.12})
    looks = ("class", cases(classes, ANSWERS))
    plot = Plot(shown, x, y, look=looks, hover=hover, title="confidence in", columns=3).bars("end", stroke=GREY)
    about = f"Strips of {last} tiles for {', '.join(strips)}, each tile divided among {', '.join(classes)} in "
    return plot.done(title, f"{about}proportion to confidence.", 36 * len(strips))


def _shared_out(system: str, confidence: np.ndarray, responses: Responses) -> pd.DataFrame:
    picture = np.repeat(responses.truth.index.to_numpy(), len(responses.classes))
    ends = confidence.cumsum(axis=1)
    # A little air between one picture and the next.
    start, end = (picture - 0.47 + 0.94 * edge.ravel() for edge in (ends - confidence, ends))
    names = np.tile(responses.classes, len(confidence))
    tiles = {"picture": picture, "class": names, "confidence": confidence.ravel(), "start": start, "end": end}
    return pd.DataFrame({"system": system} | tiles)
