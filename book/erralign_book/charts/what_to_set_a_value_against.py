"""Two people who see alike and are noisy, beside a network without noise."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.grammar import Plot, numbers
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, Look
from erralign.responses import Responses
from erralign_book.charts.grammar import slider
from erralign_book.charts.index import live_strips

# Of five easy pictures and then five hard ones, which each names.
NAMED = {"Ann": "1011100010", "Ben": "1111000010", "network": "1111100000"}
SIDES = (("align", "'right'", "'left'"), ("dx", "-10", "10"))
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}


def strips_of(title: str) -> Table:
    """Show which of ten pictures Ann, Ben and the network name: people four of five easy ones and one of five hard."""
    named = pd.DataFrame({name: [1 - int(each) for each in row] for name, row in NAMED.items()}, index=range(1, 11))
    truth = pd.Series(0, named.index)
    return live_strips(Responses.from_table(truth, named, classes=["yes", "no"]), "Ann", title, measures=["EC"])


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
    places: dict[str, Any] = {"Ben": {"at": 0.1, "dy": 14}, "the network": {"at": 0.3, "dy": -12}}
    for name, place in places.items():  # on the side of the point where the word has room
        side: dict[str, Any] = {of: alt.expr(f"q > {place['at']} ? {far} : {near}") for of, far, near in SIDES}
        at = words.transform_filter(f"datum.partner === '{name}'")
        at = at.mark_text(**side, dy=place["dy"], fontSize=13, fontWeight="bold")
        plot.draw(at.encode(**plot.colour, text="words:N"))
    about = "EC of Ann with Ben, who sees as she does, and with a network, by how noisy people are."
    return plot.done(title, about, 260).add_params(slider("q", "noise of people", 0.2, (0.05, 0.45), 0.05))
