"""Charts of the chapter on uncertainty: draws from a hat, the intervals that they leave, and what these promise."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.measures.matrix import kappa
from erralign.plot.colours import BLACK, GREY, INK, PAPER, SILVER, SLATE
from erralign.plot.grammar import Axis, Plot, entitle, finish, layer, names, numbers
from erralign.plot.html import Table
from erralign.plot.theme import KINDS, number
from erralign_book.charts.grammar import beside_each_other, diamonds, quantile_dots, slider
from erralign_book.charts.looks import WITH_PEOPLE
from erralign_book.charts.pictures import figure, picture
from erralign_book.on_site import OnSite

OUTCOMES = ("both wrong", "only the person", "only the network", "both right")
# Eight of the 160 pictures, by who was wrong.
SEEN = {"only the person": ("cat8",), "both wrong": ("truck3", "dog6"), "only the network": ("car9", "bird3")}
SEEN["both right"] = ("elephant2", "chair8", "bicycle2")
FRAMES = dict(zip(SEEN, ("people", "both", "machines", ""), strict=True))
WHO_FAILS = dict(zip(SEEN, ("person", "both", "network", "neither"), strict=True))
# Upside down, with an opening and a band: a path in a square from −1 to 1.
HAT = "M-1,-.5A1,.3,0,0,1,1,-.5Q.95,-.3,.6,-.22L.5,.75Q0,.95,-.5,.75L-.6,-.22Q-.95,-.3,-1,-.5Z"
HAT += "M.6,-.52A.6,.15,0,0,0,-.6,-.52A.6,.15,0,0,0,.6,-.52ZM-.58,-.06L-.56,.12Q0,.3,.56,.12L.58,-.06Q0,.12,-.58,-.06Z"
BUTTON = "M-.9,-.3H.9A.3,.3,0,0,1,.9,.3H-.9A.3,.3,0,0,1,-.9,-.3Z"
DOT, FOOT = 10, 50  # pixels of a dot, and below dots
ASIDE = 276  # pixels of each of two squares, which are as large on a phone
MADE, JOINED = 60, 20  # draws that the reader can make, and that lines join
HEAD = 58  # pixels above dots, for the hat and what the last draw gave
STEP = 0.02  # from one column of dots to the next
SAID: dict[str, Any] = {"fontSize": 13, "color": INK, "lineBreak": "|"}
POINT: dict[str, Any] = {"filled": True, "opacity": 1}
BOLD: dict[str, Any] = SAID | {"fontWeight": "bold"}
BAR: dict[str, Any] = {"color": GREY, "strokeWidth": 3}  # an interval


def cards(title: str, seed: int) -> Table:
    """Show eight cards, each framed for who of person and network was wrong, and how often a draw has each."""
    kinds = [kind for kind, names in SEEN.items() for _ in names]
    heads = "".join(f'<b style="--n: {kinds.count(kind)}">{WHO_FAILS[kind]}</b>' for kind in SEEN)
    drawn = np.bincount(np.random.default_rng(seed).integers(8, size=8), minlength=8)
    cells, said = "", []
    for name, times in (("in the hat", np.ones(8, int)), ("one draw", drawn)):
        counts = np.array([times[np.array(kinds) == kind].sum() for kind in OUTCOMES])
        said.append(_with_ec(name, counts))
        cells += f"<p>{said[-1]}</p>{heads if len(said) == 1 else ''}"
        for kind, card, n in zip(kinds, sum(SEEN.values(), ()), times, strict=True):
            often, never = f' data-n="×{n}"' if n > 1 else "", " never" if n == 0 else ""
            image = picture(f"stimuli/silhouettes/{card}", card[:-1])
            cells += f'<span class="{FRAMES[kind]}{never}"{often}>{image}</span>'
    html = figure(cells, title, "Eight of the 160 cards; above them, who was wrong<br>")
    words = pd.DataFrame({"wrong": map(WHO_FAILS.get, kinds), "drawn": drawn}, sum(SEEN.values(), ()))
    return OnSite(html.replace("<div>", '<div class="hat">', 1), "\n".join([title, *said, words.to_string()]))


def hat(counted: np.ndarray, draws: np.ndarray, limits: Any, title: str) -> alt.LayerChart:
    """Show a dot for the EC of each draw so far, and the limits that all leave.

    The four counts are in the order of ``OUTCOMES``, the draws one per row. The reader presses the hat for one more.
    """
    said = [_with_ec(f"draw {n}", counts, "|") for n, counts in enumerate(draws[:MADE], 1)]
    heap = pd.DataFrame({"EC": np.round(kappa(*draws[:MADE].T) / STEP) * STEP, "said": said}).round(2)
    heap["draw"] = np.arange(len(heap)) + 1
    foot = HEAD + DOT * (heap["EC"].value_counts().max() + 1)
    heap["top"] = foot - DOT * (heap.groupby("EC").cumcount() + 0.5)
    across, down, size = _axes([0, *heap["EC"], *limits], foot + FOOT)
    ends = pd.DataFrame([[*limits, foot + 6, foot + FOOT]], columns=["EC", "end", "top", "foot"])
    under, over = _marked(kappa(*counted), ends, across, down, [HEAD])
    ring = alt.when("datum.draw === draws").then(alt.value(2)).otherwise(alt.value(0))
    dots = alt.Chart(heap).transform_filter("datum.draw <= draws")
    dots = dots.mark_point(fill=GREY, stroke=INK, opacity=1, size=size)
    dots = dots.encode(alt.X(**across), alt.Y(**down), strokeWidth=ring, tooltip=["EC:Q"])
    now = alt.Chart(heap).transform_filter("datum.draw === draws").mark_text(**BOLD, align="left", dy=-9)
    now = now.encode(x=alt.value(166), y=alt.value(30), text="said:N")
    chart = layer(*under, *_pressed(len(heap)), dots, now, *over)
    chart = chart.add_params(slider("draws", "draws", 40, (1, len(heap)), 1))
    words = f"a dot is a draw, the last one in a ring; the bar has 95 % of all {len(draws):,} draws"
    return finish(chart, title, f"EC in {len(heap)} draws.", foot + FOOT, subtitle=words)


def _pressed(most: int) -> list[alt.Chart]:
    """Draw a hat that gives one more draw when it is pressed: a mark that has a slider's name moves the slider."""
    base = alt.Chart(pd.DataFrame({"draws": [0]})).transform_calculate(draws=f"draws % {most} + 1")
    base = base.encode(x=alt.value(104), y=alt.value(30))
    drawn = base.mark_point(**POINT, shape=HAT, size=1600, color=INK, xOffset=-76, cursor="pointer")
    frame = base.mark_point(shape=BUTTON, size=5600, fill=PAPER, stroke=INK, opacity=1, cursor="pointer")
    return [drawn, frame, base.mark_text(**BOLD, text="draw again", cursor="pointer")]


def clouds(seen: float, draws: pd.DataFrame, limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show, for each kind of cards, a dot for the EC of each draw, and a bar for what 95 % of all draws have."""
    heap = (draws[:MADE] / STEP).round().mul(STEP).round(2).melt(var_name="what", value_name="EC").dropna()
    high = DOT * heap.value_counts(["what", "EC"]).max() + 24
    apart = high + FOOT + 20
    end = apart * len(limits) + 8
    ends = limits.set_axis(["EC", "end"], axis=1).assign(top=34 + high + apart * np.arange(len(limits)))
    ends["foot"] = ends["top"]
    heap["top"] = heap["what"].map(ends["top"]) - 6 - DOT * (heap.groupby(["what", "EC"]).cumcount() + 0.5)
    across, down, size = _axes([0, *heap["EC"], *limits.to_numpy().ravel()], end)
    x, y = alt.X(**across), alt.Y(**down)
    dots = alt.Chart(heap.round(4)).mark_point(**POINT, size=size, color=GREY).encode(x, y)
    hats = alt.Chart(ends.assign(what=ends.index, top=ends["top"] - high + 8)).encode(y=y)  # far from where dots are
    words = hats.mark_text(**BOLD, align="right").encode(x=alt.value(alt.expr("width")), text="what:N")
    hats = hats.mark_point(**POINT, shape=HAT, size=600, color=INK).encode(x=alt.value(alt.expr("width - 90")))
    under, over = _marked(seen, ends, across, down, [0, *(ends["top"] - high)[1:]])
    chart, about = layer(*under, dots, *over, hats, words), f"EC in {len(draws)} draws of each kind of cards."
    return finish(chart, title, about, end, subtitle="a dot is one of the first draws; a bar has 95 % of all draws")


def _axes(values: list, height: float) -> tuple[Axis, Axis, alt.ExprRef]:
    """Return the axes of dots in columns a step apart, none beyond the last tick, and the size of a dot."""
    low = min(min(values) - 0.02, 0.2 * np.floor(min(values) / 0.2))
    high = max(max(values) + 0.02, 0.2 * np.ceil(max(values) / 0.2))
    ticks = [0.2 * n for n in range(round(low / 0.2), round(high / 0.2) + 1)]
    x, y = (
        numbers("EC", "EC", ends=(low, high), ticks=ticks, grid=False),
        numbers("top", ends=(height, 0)) | {"axis": None},
    )
    return x, y, alt.expr(f"pow(min({DOT - 1}, width * {STEP / (high - low):.5f} - 1.5), 2)")


def _marked(seen: Any, ends: pd.DataFrame, x: Axis, y: Axis, tops: Any) -> tuple[list, list]:
    """Mark chance in each row, and what was counted on a bar between the ends of all draws."""
    all_draws = (f"{number(low, 2)} to {number(end, 2)}" for low, end in ends[["EC", "end"]].values)
    said = [f"counted {number(float(seen), 2)}|95 %: {each}" for each in all_draws]
    rows = ends.assign(words=said, seen=float(seen), low=ends["EC"], high=ends["end"], zero=0.0, upper=tops)
    plot, look = Plot(rows, x | {"shorthand": "seen:Q"}, y), KINDS["model-human"]
    zero = plot.base(x="zero", y="upper").mark_rule(strokeWidth=1.5, color=SLATE).encode(y2="foot:Q")
    named = plot.base(x="zero", y="upper").mark_text(**SAID, align="left", dx=6, dy=4, text="chance")
    plot.spans(along="x", **BAR).words("words", dy=18, **BOLD)
    return [zero, named], [*plot.layers, plot.base().mark_point(**POINT, size=120, shape=look.shape, color=look.fill)]


def _with_ec(name: str, counts: np.ndarray, between: str = ": ") -> str:
    return f"{name}{between}EC {number(float(kappa(*counts)), 2)}"


def experiments(intervals: pd.DataFrame, title: str) -> alt.LayerChart:
    """Show the interval of each experiment, first those without joint errors: black where it lies below 0."""
    shown = intervals.assign(seen=intervals["joint_errors"] > 0, below=intervals["high"] < 0)
    shown = shown.sort_values(["seen", "below", "high"], ascending=[True, False, True])
    shown["place"] = np.arange(len(shown)) + 3 * shown["seen"] + 3 * ~shown["below"]  # with gaps between
    columns, ends = shown["place"].max() + 1, [shown["low"].min(), shown["high"].max()]
    y = numbers("low", "EC", grid=False, ends=ends, ticks=[0, 0.2, 0.4, 0.6], scale={"range": [300, 50]})
    plot = Plot(shown, numbers("place", ends=[-1, columns]) | {"axis": None}, y)
    for below, colour in ((True, BLACK), (False, SILVER)):
        wide = alt.expr(f"width / {columns} * 0.4")
        plot.spans("low", "high", data=shown[shown["below"] == below], color=colour, strokeWidth=wide)
    plot.level(0, color=BLACK)
    _name_groups(plot, shown)
    plot.words("words", shown[:1].assign(low=0, words="true EC: 0"), align="left", dy=-8, **SAID)
    about = f"The intervals of {len(shown)} experiments, of which {(~shown['below']).sum()} contain 0."
    return plot.done(title, about, 305, "a line is one experiment’s interval, strong where it misses 0")


def _name_groups(plot: Plot, shown: pd.DataFrame) -> None:
    """Write above experiments without joint errors, and above others, how many of their intervals lie below 0."""
    for who, some in (("no joint error seen", shown[~shown["seen"]]), ("1 or more seen", shown[shown["seen"]])):
        n, below, touch = len(some), some["below"].sum(), (some["high"] == 0).sum()
        told = f"{below} of {n} lie below 0, {touch} touch it" if below else f"all {n} contain 0"
        bracket = plot.base(some[:1].assign(end=some["place"].max(), words=f"{who}|{told}", low=shown["high"].max()))
        plot.draw(bracket.mark_rule(strokeWidth=1, color=GREY, yOffset=-8).encode(x2="end:Q"))
        plot.draw(bracket.mark_text(**BOLD, align="left", dy=-34).encode(text="words:N"))


def leads(ends: pd.DataFrame, draws: pd.DataFrame, intervals: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Join what both groups have in each of the first draws, beside the leads of all and intervals by what was drawn.

    ``ends`` are both groups' EC with its limits, outside the ends of the lines.
    """
    rows = draws[ends["group"]][:JOINED].melt(var_name="group", value_name="EC", ignore_index=False)
    y = numbers("EC", "mean EC with people", scale={"zero": False, "padding": 9}, tickCount=4, grid=False)
    ends = ends.assign(said=ends["EC"].map("{:.2f}".format))
    both = Plot(ends, names("group", [*ends["group"]], labelAngle=0), y, look=("group", WITH_PEOPLE), columns=0)
    both.lines(rows.reset_index(names="draw"), detail="draw", color=SILVER, strokeWidth=1)
    both.spans(data=ends, **BAR).points(330, ends)
    for end, side, dx in ((ends[:1], "right", -14), (ends[1:], "left", 14)):
        both.words("said", end, align=side, dx=dx, **BOLD)
    heap = quantile_dots(draws["lead"] - 0.005, 100, 0.01)  # no dot is on the line
    heap = heap.assign(value=heap["value"] + 0.005, top=ASIDE - 100 - DOT * (heap["level"] + 0.5))
    intervals = intervals.assign(
        top=[ASIDE - 80, ASIDE - 34][: len(intervals)], said=intervals["value"].map("{:.2f}".format), zero=0
    )
    x = numbers("value", "lead", ends=(-0.05, 0.2), ticks=(0, 0.1, 0.2), grid=False)
    lead = Plot(intervals, x, numbers("top", ends=(ASIDE, 0)) | {"axis": None})
    lead.level(0, along="x", color=BLACK).points((DOT - 4) ** 2, heap, color=GREY).spans(along="x", color=BLACK)
    diamonds(lead, 150).words("drawn", x="zero", dx=6, dy=20, align="left", **SAID)
    lead.words("said", x="high", dx=8, align="left", **BOLD)
    lead.words("no", pd.DataFrame({"value": [0.0], "top": [10], "no": ["no lead"]}), align="right", dx=-6, **SAID)
    panels = [plot.drawn().properties(width=ASIDE, height=ASIDE) for plot in (both, lead)]
    words = "a line is a draw; a bar has 95 % of all draws, a dot 1 % of them"
    about = "EC of two groups in draws, and their difference."
    return entitle(beside_each_other(panels, 2), title, about, subtitle=words)
