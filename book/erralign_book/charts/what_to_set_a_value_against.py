"""What a value can be set against: two people who slip, pictures that are hard for all, and the largest possible EC."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, BLUE, INK, ORANGE, PALE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import Plot, entitle, numbers, shares
from erralign.plot.tables import Table
from erralign.plot.theme import KINDS, Look
from erralign_book.charts.grammar import beside_each_other, set_apart, slider
from erralign_book.charts.how_sure_are_we import OUTCOMES
from erralign_book.charts.looks import WITH_PEOPLE, with_guests
from erralign_book.charts.pictures import figure, picture
from erralign_book.papers import klein2025

# Silhouettes that are easy or hard for people and networks, and which of them each names in our example.
PICTURES = {
    "easy": ("elephant4", "bicycle1", "cat6", "chair6", "bottle8"),
    "hard": ("bear7", "boat8", "bird2", "oven6", "truck2"),
}
NAMED = {"Ann": "1011100010", "Ben": "1111000000", "network": "0111100000"}
PARTNERS: dict[str, Look] = {"Ben": KINDS["human-human"], "the network": KINDS["model-human"]}
GROUPS = {"CNNs of 2020": "older CNNs", klein2025.LARGER: "trained on more data"}
SIDE, GRID = 325, 20  # pixels of a block, and tiles in a row of it


def ten_pictures(title: str) -> Table:
    """Show ten pictures, and which of them Ann, Ben and the network name."""
    cells = "<b></b>" + "".join(f"<b>{len(names)} {kind} pictures</b>" for kind, names in PICTURES.items())
    drawn = [picture(f"stimuli/silhouettes/{name}", name.rstrip("0123456789")) for name in sum(PICTURES.values(), ())]
    cells += f"<b></b>{''.join(drawn)}"
    for name, row in NAMED.items():
        whose = "machines" if name == "network" else "people"
        tiles = "".join(f'<i class="{whose}{" wrong" * (each == "0")}"></i>' for each in row)
        cells += f"<b>{name}</b>{tiles}"
    html = figure(cells, title, "Filled: names it; frame: fails. The answers are made up<br>")
    return Table(html.replace("<div>", '<div class="ten">', 1), pd.Series(NAMED).to_string())


def slips(title: str, mistaken: float) -> alt.LayerChart:
    """Draw the EC of Ann with Ben and with a network, by how often people slip; here a network never does.

    Half of the pictures are easy. With slips q people miss easy pictures in a share q, and name hard ones in a share q;
    the network takes the share ``mistaken`` of easy ones for hard, and as many hard ones for easy. Half of all answers
    are right, so that EC is twice the share of agreement less 1.
    """
    q = np.linspace(0, 0.5, 51).round(2)
    values = {"Ben": (1 - 2 * q) ** 2, "the network": (1 - 2 * q) * (1 - 2 * mistaken)}
    curves = pd.concat([pd.DataFrame({"slips": q, "EC": EC, "partner": name}) for name, EC in values.items()])
    curves["ahead"] = (curves["partner"] == "Ben") == (curves["slips"] < mistaken)
    x = numbers("slips", "how often people slip", format="%", grid=False)
    y = numbers("EC", "EC with Ann", ends=(0, 1), grid=False)
    plot = Plot(curves, x, y, look=("partner", PARTNERS), hover=["partner", "slips", "EC"], columns=0)
    with_network = curves[curves["partner"] == "the network"]
    plot.lines(curves[curves["partner"] == "Ben"])
    plot.lines(with_network, color=ORANGE, strokeDash=[8, 8])
    plot.lines(with_network, color=BLUE, strokeDash=[8, 8], strokeDashOffset=8)
    here = plot.base().transform_filter("abs(datum.slips - q) < 0.001")
    plot.draw(here.mark_point(filled=True, opacity=1, size=160).encode(**plot.shape, tooltip=plot.hover))
    words = here.transform_calculate(words="datum.partner + ' ' + format(datum.EC, '.2f')")
    # The curves fall: what is ahead has its name above to the right, the other below to the left.
    above = words.transform_filter("datum.ahead").mark_text(align="left", dx=8, dy=-12, fontSize=14, fontWeight="bold")
    below = words.transform_filter("!datum.ahead").mark_text(align="right", dy=22, fontSize=14, fontWeight="bold")
    left = alt.XValue(alt.expr("max(2 * q * width + 4, 125)"))
    plot.draw(above.encode(text="words:N", **plot.colour), below.encode(left, text="words:N", **plot.colour))
    plot.params = [slider("q", "how often people slip", 0.2, (0.05, 0.45), 0.05)]
    plot.params += [alt.param(name="q_words", expr="format(q, '.0%')")]
    about = "EC of Ann with Ben, to whom the same pictures are easy, and with a network, by how often people slip."
    return plot.done(title, about, 260)


def two_blocks(named: dict[str, float], title: str) -> alt.ConcatChart:
    """Draw pictures in blocks, in each of which a person and a network name the same share, each by itself.

    The person fails in the last columns, the network in the last rows, so that shares multiply.
    """
    place = np.arange(GRID)
    looks = {name: look.fill for name, look in OUTCOMES.items()}
    edges = alt.Scale(domain=list(looks), range=list(looks.values()))
    fills = alt.Scale(domain=list(looks), range=[PAPER] * 3 + [PALE_GREY])
    bands = alt.Scale(paddingInner=0.3, paddingOuter=0.2)
    panels = []
    for name, share in named.items():
        wrong = place >= round(share * GRID)
        both = pd.MultiIndex.from_product([place, place], names=["column", "row"]).to_frame(index=False)
        which = 3 - 2 * wrong[both["column"]] - wrong[both["row"]]
        both["picture"] = np.array(list(looks))[which]
        tiles = alt.Chart(both).mark_rect(strokeWidth=1.5)
        tiles = tiles.encode(
            alt.X("column:O", axis=None, scale=bands),
            alt.Y("row:O", axis=None, scale=bands),
            alt.Fill("picture:N", scale=fills, legend=None),
            alt.Stroke("picture:N", scale=edges, legend=None),
            tooltip=["picture:N"],
        )
        panels.append(tiles.properties(width=SIDE, height=SIDE, title=alt.Title(name, fontSize=14)))
    about = f"Two blocks of pictures: {'; '.join(named)}."
    under = "a tile is a picture; frame: wrong; orange: the person; blue: the network; both colours: both"
    return entitle(beside_each_other(panels, 2), title, about, subtitle=under)


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, data_set: str, title: str) -> alt.LayerChart:
    """Draw networks' mean EC with people by accuracy, and above each how much more its accuracy allows."""
    of_set = systems[(systems["data_set"] == data_set) & (systems["group"] != "people")]
    of_set = of_set.replace({"group": GROUPS})
    ends = pd.DataFrame({"accuracy": [0, 1], "largest": 0})
    limits = pd.concat([limits[limits["data_set"] == data_set], ends]).sort_values("accuracy").assign(top=1)
    up = numbers("EC", "mean EC with ten people", ends=(min(0, of_set["EC"].min()), 1), format=".2f", grid=False)
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    looks = "group", with_guests(WITH_PEOPLE, of_set["group"])
    plot = Plot(of_set, shares("accuracy", "accuracy", ends=(0, 1)), up, look=looks, hover=hover, columns=0)
    plot.band(limits, "largest", "top", color=PALE, opacity=1)
    plot.draw(plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=2))
    plot.spans("EC", "largest", color=SILVER, strokeWidth=1.5)
    set_apart(plot.points(110, stroke=PAPER, strokeWidth=0.5), "group", WITH_PEOPLE)
    said = of_set[of_set["group"].isin(WITH_PEOPLE)].groupby("group")[["accuracy", "EC"]].median().reset_index()
    said["group"] = said["group"].str.replace(" on ", " on\n")
    bold = {"color": INK, "fontSize": 13, "fontWeight": "bold"}
    plot.words("group", said, dx=-14, dy=30, align="left", lineBreak="\n", **bold)
    corner = pd.DataFrame({"name": ["impossible"], "accuracy": 0.03, "EC": 0.9})
    plot.words("name", corner, color=INK, align="left", fontSize=16)
    about = (
        f"Mean EC with people by accuracy of {len(of_set)} networks on {data_set}, each below the largest possible one."
    )
    return plot.done(title, about, 340)
