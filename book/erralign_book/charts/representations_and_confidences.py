"""Charts of the chapter on representations and confidences: shared-out tiles, inside against outside."""

import altair as alt
import pandas as pd

from erralign.plot.colours import BLUE, GREY, PALE_GREY
from erralign.plot.grammar import Plot, names, numbers


def inside_and_outside(correlated: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how a measure from inside goes together with one of errors: mean, interval, and where the data sets lie."""
    hover = ["pair", "mean", "low", "high", "lowest", "highest"]
    plot = Plot(correlated, numbers("mean", "Spearman's r", ends=(0, 1)), names("pair", None), hover=hover)
    plot.spans("lowest", "highest", color=PALE_GREY, strokeWidth=4)
    for of_features, rows in correlated.groupby(correlated["pair"].str.startswith("CKA")):
        ink = BLUE if of_features else GREY
        plot.spans(data=rows, color=ink).points(80, rows, color=ink, shape="square")
    about = "Correlations of measures from inside with measures of errors, over pairs of networks."
    under = "mean and 95 % interval of distorted sets, blue: features, grey: confidences; pale: range of all sets"
    return plot.done(title, about, alt.Step(26), under)
