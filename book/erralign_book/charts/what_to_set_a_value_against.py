"""What noise does to two who see alike, beside a network without noise."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Plot, numbers
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import slider

PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}


def noise(title: str) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network for a noise to choose.

    With a noise of q people miss easy pictures, half of all, in a share q, and name hard ones in a share q; the network
    names exactly the easy ones. Half of the answers are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.5, 51).round(2)
    values = {"Ben": 2 * (q**2 + (1 - q) ** 2) - 1, "the network": 1 - 2 * q}
    curves = pd.concat([pd.DataFrame({"noise": q, "EC": EC, "partner": name}) for name, EC in values.items()])
    x = numbers("noise", "how often Ann misses an easy picture", format="%")
    y = numbers("EC", "EC with Ann", ends=(0, 1))
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "noise", "EC"], columns=0)
    plot.lines().level(0.0, along="y")
    here = plot.base().transform_filter("abs(datum.noise - q) < 0.001")
    plot.draw(here.mark_point(filled=True, opacity=1, size=120).encode(**plot.shape, tooltip=plot.hover))
    words = here.transform_calculate(words="datum.partner + ' ' + format(datum.EC, '.2f')")
    places: dict[str, Any] = {"Ben": {"align": "right", "dx": -10, "dy": 12}, "the network": {"dx": 10, "dy": -12}}
    for name, place in places.items():
        at = words.transform_filter(f"datum.partner === '{name}'")
        at = at.mark_text(**{"align": "left", "fontSize": 13, "fontWeight": "bold"} | place)
        plot.draw(at.encode(**plot.colour, text="words:N"))
    about = "EC of Ann with Ben, who sees as she does, and with a network, by how noisy people are."
    return plot.done(title, about, 260).add_params(slider("q", "noise of people", 0.2, (0, 0.5), 0.05))
