"""How far two people are ahead of other pairs, on three kinds of pictures and in all ways to compare."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, PALE, PAPER
from erralign.plot.grammar import Axis, Options, Plot, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import LOOKS_OF_PAIRS, number
from erralign_book.charts.looks import NEWER, OLDER, PEOPLE
from erralign_book.charts.pictures import address_of, figure, webp
from erralign_book.distortions import uniform_noise
from erralign_book.papers.claims.errors import FAIR, OF_XU
from erralign_book.papers.klein2025.kinds import LARGER, OTHERS
from erralign_book.sources.photograph import cat

DRAWN = {"people": "all people, twice", "networks": "ResNet-50, twice", "mixed": "people and ResNet-50"}
KINDS = ("distorted photographs and sketches", "line drawings", "silhouettes")
LOOKS = {"two people": PEOPLE, OF_XU: OLDER, LARGER: NEWER}  # a mixed pair by its networks
# Pixels: of a line, and above the first of a kind for its name; at the right, for both values.
LINE, HEAD, COLUMN = 46, 34, 48
AXIS: Options = {"domain": [-0.1, 0.3], "nice": False, "range": [0, alt.expr(f"width - {COLUMN}")]}
LEFT: Options = {"align": "left", "color": INK, "fontSize": 13}
ACROSS: Options = {"grid": False, "orient": "top", "format": ".1f"}
UNDER = "filled diamond: the interval leaves out 0"
DIAMOND: Options = {"shape": "diamond", "color": BLACK}
# What a way to compare chooses -> what the chart calls it.
CHOICES = {
    "networks": {OF_XU: "22 networks", OTHERS: "25 of Klein et al.", LARGER: "10 more-data"},
    "strengths": {"all strengths": "all strengths", "strengths in use": "middle strengths"},
    "accuracies": {f"within {most}": f"accuracy ± {most}" for most in ("0.01", "0.02", "0.05")},
}
# Pixels: of a lead of 1, from the top to the 0 of both panels, to the first choice, from a choice to the next.
STEEP, ZEROS, STRIP, DOWN = 320, (130, 275), 375, 17


def kinds() -> Table:
    """Show a picture of each kind, with its name; of the first the answer is known, of the others it is asked."""
    card = '<div><img src="{}" alt="an example" width="224" height="224"><p>{}</p><p><b>{}</b></p></div>'.format
    drawn = map(address_of, ("stimuli/edges/cat2", "stimuli/silhouettes/cat1"))
    shown = map(card, (webp(uniform_noise(cat(), 0.15)), *drawn), KINDS, ("yes", "?", "?"))
    return Table(figure("".join(shown), "Are two people clearly ahead of a mixed pair?"), "; ".join(KINDS))


def leads(rows: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw the lead of two people over a mixed pair: below the name of each kind of pictures, a line per question.

    At the right of a lead stand both values, or, where no value is known, what is ``said`` why in its place.
    """
    rows = rows.sort_values("kind", key=lambda kinds: kinds.map(KINDS.index), kind="stable")
    at, first = np.arange(len(rows)), ~rows["kind"].duplicated()
    rows = rows.assign(top=LINE * at + HEAD * first.cumsum() + LINE / 2)
    height = rows["top"].max() + LINE / 2
    marks = rows.melt(["networks", "kind", "asked", "top"], ["two people", "mixed pair"], "pair", "mean").dropna()
    marks["look"] = marks["networks"].where(marks["pair"] == "mixed pair", "two people")
    marks["said"] = marks["mean"].map("{:.2f}".format)
    marks["top"] += marks["pair"].map({"two people": -10, "mixed pair": 10})
    x = numbers("value", "lead of two people", scale=AXIS, ticks=(0, 0.1, 0.2, 0.3), **ACROSS)
    y = numbers("top", ends=(height, 0)) | {"axis": None}
    plot = Plot(marks, x, y, look=("look", LOOKS), hover=["kind", "asked", "said"], columns=0)
    zero = rows.assign(value=0.0, low=rows["top"] - 10, high=rows["top"] + 20)  # not across the words
    plot.spans(along="y", data=zero, color=BLACK).points(160, x=alt.expr(f"width - {COLUMN - 8}"))
    plot.words("said", x=alt.expr(f"width - {COLUMN - 20}"), **LEFT)
    known, bare = rows.dropna(), rows.drop(columns="value")
    plot.spans(along="x", data=known, color=BLACK, strokeWidth=4).points(320, known[known["low"] > 0], **DIAMOND)
    plot.points(280, known[known["low"] < 0], **DIAMOND, filled=False, fill=PAPER)
    plot.words("kind", bare[first], x=0, dy=-38, fontWeight="bold", **LEFT | {"fontSize": 14})
    plot.words("asked", bare, x=0, dy=-18, **LEFT).words("said", rows.fillna({"value": 0}), dx=8, **LEFT)
    return plot.done(title, "Leads of two people over a mixed pair, with intervals.", height, UNDER)


def ways(over: Mapping[str, pd.DataFrame], title: str) -> alt.LayerChart:
    """Draw the lead of two people over two kinds of pairs, an interval per way to compare, and what each way chooses.

    Both panels have one scale, and a way has one place in both: they are sorted by the lead over the second kind.
    Our way, that of the claim, has a grey ground.
    """
    *_, last = over.values()
    order = last.sort_values("value")[[*CHOICES]].assign(way=range(len(last)))
    found = [_placed(rows.merge(order), name, zero) for (name, rows), zero in zip(over.items(), ZEROS, strict=True)]
    rows, marks = pd.concat(found), _choices(order)
    labels = dict(marks[["top", "choice"]].drop_duplicates().to_numpy().tolist())
    # No lead over the first kind is below 0.
    leads = [(ZEROS[0], 0), (ZEROS[0], 0.2), (ZEROS[1], -0.2), (ZEROS[1], 0), (ZEROS[1], 0.2)]
    labels |= {round(zero - STEEP * lead): number(lead, 1) for zero, lead in leads}
    height = marks["top"].max() + DOWN
    shown: Axis = {"labelExpr": f"({labels})[datum.value]", "domain": False, "labelLimit": 130}
    y = numbers("top", ends=(height, 0), ticks=[*labels], **shown) | {"title": None}
    plot = Plot(rows, numbers("way", ends=(-1, len(order))) | {"axis": None}, y, hover=["pair", *CHOICES, "value"])
    ours = pd.Series(FAIR | {"networks": OF_XU})[[*CHOICES]]
    mine = order[(order[[*CHOICES]] == ours).all(axis=1)]
    heads = pd.DataFrame({"low": [zero - STEEP / 3 for zero in ZEROS], "high": [ZEROS[0], height], "pair": [*over]})
    heads["said"] = [f"{rows['clear'].sum()} of {len(rows)} clear" for rows in found]
    plot.spans(data=mine.merge(heads, "cross"), color=PALE, strokeWidth=13).level(*ZEROS, color=BLACK)
    plot.spans(color=BLACK).points(90, rows[rows["clear"]], **DIAMOND)
    plot.points(80, rows[~rows["clear"]], **DIAMOND, filled=False, fill=PAPER)
    plot.draw(plot.base(marks).mark_tick(orient="vertical", thickness=3, size=12, color=BLACK))
    for words, beside in (("pair", LEFT | {"x": 0}), ("said", LEFT | {"x": alt.expr("width"), "align": "right"})):
        plot.words(words, heads.rename(columns={"low": "top"}), dy=-10, fontWeight="bold", **beside)
    about = f"Of two people, {' and '.join(over)}, in {len(order)} ways to compare, with intervals."
    return plot.done(title, about, height, f"{UNDER}; grey ground: as in the chart above")


def _placed(rows: pd.DataFrame, pair: str, zero: int) -> pd.DataFrame:
    places = zero - STEEP * rows[["value", "low", "high"]].set_axis(["top", "low", "high"], axis=1)
    shown = rows[["way", *CHOICES, "value"]].join(places)
    return shown.assign(pair=pair, clear=(rows["low"] > 0) | (rows["high"] < 0))


def _choices(order: pd.DataFrame) -> pd.DataFrame:
    """Return a mark per choice of each way, and where it stands: a row per choice, with room between kinds."""
    names = [(kind, value, name) for kind, names in CHOICES.items() for value, name in names.items()]
    kinds = [*CHOICES]
    parts = [
        order.loc[order[kind] == value, ["way"]].assign(choice=name, top=STRIP + DOWN * at + 8 * kinds.index(kind))
        for at, (kind, value, name) in enumerate(names)
    ]
    return pd.concat(parts)


def shared(draws: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how many errors two draws of 80 share, a column per pair whose errors are drawn, and how luck moves it."""
    ends = draws.quantile([0.025, 0.975]).T.set_axis(["low", "high"], axis=1)
    rows = ends.assign(value=draws.mean(), drawn=pd.Series(DRAWN)).rename_axis("pair").reset_index()
    rows["said"] = rows["value"].map("{:.0f}".format)
    x = numbers("value", "confusions shared, of 80", ends=(0, 80), ticks=range(0, 81, 20))
    y, hover = names("drawn", labelLimit=150), ["drawn", "value"]
    plot = Plot(rows, x, y, look=("pair", LOOKS_OF_PAIRS), hover=hover, columns=0).spans(strokeWidth=3)
    plot.points(160).words("said", dy=-16, fontSize=13, color=INK)
    about = "Errors that two draws of 80 share, on average and in 95 % of draws."
    return plot.done(title, about, alt.Step(46), "line: 95 % of 1,000 draws")
