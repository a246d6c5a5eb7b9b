"""Charts of what error consistency can be: a tunnel to move it in, real pairs, and their limits."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PALE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import CHOSEN, DASHED, Axis, Plot, finish, layer, names, numbers, shares
from erralign.plot.theme import KINDS, LOOKS_OF_PAIRS, PAIRS
from erralign.plot.words import number
from erralign_book.charts.grammar import DRAGGABLE, set_apart, slider
from erralign_book.charts.looks import WITH_PEOPLE, with_guests

STEP = 0.005  # of accuracy, along the limits
DIAMOND = 0.7, 0.28  # accuracy and EC of the partner to drag, at first
LEAST, HEIGHT = -0.25, 340  # where the axis of EC begins, and how high it is
ROW = 22  # pixels of a row of tiles
SHUFFLES, BESIDE, GAP = 120, 6, 0.15  # dots beside each other in a column of the heap, and how far apart
# The fourteen sets, by what was done to their pictures.
SETS = {
    "colour": "colour or grey",
    "contrast": "low contrast",
    "eidolonI": "wobbly outlines",
    "eidolonII": "broken outlines",
    "eidolonIII": "dissolved outlines",
    "false-colour": "false colours",
    "high-pass": "fine lines only",
    "low-pass": "blur",
    "phase-scrambling": "waves shifted",
    "power-equalisation": "waves equalised",
    "rotation": "turned",
    "sketch": "sketches",
    "stylized": "repainted",
    "uniform-noise": "noise",
}
NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "mixed": ("a person and a network", {"align": "right", "dx": 9, "dy": -17}),
    "people": ("two people", {"align": "left", "dx": -9, "dy": -17}),
    "networks": ("two networks", {"dy": -33}),
}
# What the reader has set, worked out by the browser. A pair that is dragged stops at the limits.
DERIVED = {
    "apart": "p_a * (1 - across) + across * (1 - p_a)",
    "ec_least": "(abs(p_a + across - 1) - 1 + apart) / apart",
    "ec_most": "(apart - abs(p_a - across)) / apart",
    "ec_now": f"min(ec_most, max(ec_least, {1 - LEAST} * up + {LEAST}))",
    "both_right": "p_a * across + ec_now * apart / 2",
}
SAID = "'At these accuracies EC can be ' + format(ec_least, '.2f') + ' to ' + format(ec_most, '.2f') + '.'"
# The pictures in a row, sorted by who names them: where each part ends, and whether A and B name it.
PARTS = {"both_right": "AB", "p_a": "A", "p_a + across - both_right": "B", "1": ""}


def tunnel(pairs: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw what EC one system can have with partners of every accuracy, what it has, and a pair that readers drag."""
    partners = partners_of_each(pairs)
    partners = partners[partners["system"] == start]
    choices = [
        slider("across", "accuracy of B", DIAMOND[0], (0.02, 0.98), 0.01),
        slider("up", "EC of A and B", (DIAMOND[1] - LEAST) / (1 - LEAST), (0, 1), 0.01),
        alt.param(name="across_words", expr="format(across, '.0%')"),
        alt.param(name="up_words", expr="replace(format(ec_now, '.2f'), '-', '−')"),
        alt.param(name="p_a", value=partners["p_a"].iloc[0]),
    ]
    up = numbers("EC", "EC of A and B", ends=(LEAST, 1), ticks=(0, 0.25, 0.5, 0.75, 1), format=".2f", grid=False)
    axes = shares("b", "accuracy of the partner, B", ends=(0, 1)), up
    b, ec = (alt.X(**axes[0]), alt.Y(**axes[1]))
    hover = ["system", "partner", alt.Tooltip("b", title="accuracy of the partner"), "EC"]
    plot = Plot(partners, *axes, look=("kind", KINDS), hover=hover, columns=0)
    plot.params = [*choices, *(alt.param(name=name, expr=expression) for name, expression in DERIVED.items())]
    walls = _computed(alt.sequence(0, 1 + STEP / 2, STEP, as_="b"), **_limits()).mark_area(color=PALE_GREY)
    for end, most in {"ec_most": 1, "ec_least": LEAST}.items():
        plot.draw(walls.encode(b, alt.Y(**axes[1] | {"shorthand": f"{end}:Q"}), y2=alt.datum(most)))
    one = alt.sequence(0, 1, 1, as_="only")
    words = _computed(one, b="0.02", EC="0.88")
    words = words.mark_text(align="left", fontSize=15, fontWeight="bold", color=INK, text="impossible")
    plot.dashed(0, strokeWidth=1).draw(words.encode(b, ec)).points()
    below = partners.groupby(["system", "kind", "who"], as_index=False).agg(b=("b", "mean"), EC=("EC", "min"))
    plot.words("who", below, dy=26, fontSize=14, fontWeight="bold")
    here = _computed(one, b="across", EC="ec_now")
    point = here.mark_point(shape="diamond", size=260, opacity=1, fill=BLACK, stroke=PAPER, strokeWidth=2)
    plot.draw(*_sorted_pictures(axes[0], HEIGHT + 58), point.encode(b, ec).properties(name=DRAGGABLE))
    about = (
        "Error consistency of one system with partners of every accuracy: impossible values are filled, real partners "
        "are points, and two sliders move a pair whose right and wrong answers are drawn as two rows."
    )
    under = "diamond: a partner to drag; below, all pictures, sorted: a frame is where one fails"
    return plot.done(title, about, HEIGHT, under)


def _sorted_pictures(x: Axis, top: int) -> list[alt.Chart]:
    """Draw all pictures in two rows below the axis, parted by who of the dragged pair names them, and its limits."""
    starts = ["0", *PARTS]
    marks: list[alt.Chart] = []
    for row, name in enumerate("AB"):
        for start, (end, named) in zip(starts, PARTS.items(), strict=False):
            wrong = str(name not in named).lower()
            part = _computed(alt.sequence(0, 1, 1, as_="only"), start=start, end=f"max({end}, {start})", wrong=wrong)
            part = part.transform_filter("datum.end - datum.start > 0.002")
            tiles, word = _row_of_tiles(part, x, name, top + ROW * row)
            marks += [tiles] if start != "0" else [tiles, word]
    said = _computed(alt.sequence(0, 1, 1, as_="only"), words=SAID)
    said = said.mark_text(align="left", baseline="top", fontSize=13)
    return [*marks, said.encode(x=alt.value(0), y=alt.value(top + 2 * ROW + 4), text="words:N")]


def _row_of_tiles(tiles: alt.Chart, x: Axis, name: str, top: int) -> list[alt.Chart]:
    """Draw a reader's tiles from start to end, framed where wrong, beside the reader's name."""
    place = {"y": alt.value(top), "y2": alt.value(top + ROW - 4)}
    wrong = alt.when("datum.wrong")
    fill, stroke = (wrong.then(alt.value(look)).otherwise(alt.value(PALE)) for look in (PAPER, INK))
    tiles = tiles.mark_rect(cornerRadius=2, strokeWidth=2)
    word = alt.Chart(pd.DataFrame({"name": [name]})).mark_text(align="right", fontWeight="bold", fontSize=13)
    return [
        tiles.encode(alt.X(**x | {"shorthand": "start:Q"}), x2="end:Q", **place, fill=fill, stroke=stroke),
        word.encode(text="name:N", x=alt.value(-8), y=alt.value(top + ROW / 2)),
    ]


def _computed(numbers: alt.SequenceGenerator, **columns: str) -> alt.Chart:
    """Return a chart of what the browser works out from a sequence, each column from those before it."""
    base = alt.Chart(numbers)
    for name, expression in columns.items():
        base = base.transform_calculate(**{name: expression})
    return base


def _limits() -> dict[str, str]:
    """Return what the least and the most of A with a partner b are, for the browser."""
    limits = {end: DERIVED[end].replace("apart", f"({DERIVED['apart']})") for end in ("ec_least", "ec_most")}
    limits["ec_least"] = f"max({LEAST}, {limits['ec_least']})"
    return {end: limit.replace("across", "datum.b") for end, limit in limits.items()}


def partners_of_each(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return each pair twice, once for each of its systems."""
    columns = [
        {f"system_{a}": "system", f"accuracy_{a}": "p_a", f"system_{b}": "partner", f"accuracy_{b}": "b"}
        for a, b in (("a", "b"), ("b", "a"))
    ]
    both = pd.concat([pairs.rename(columns=named) for named in columns], ignore_index=True)
    person = both["partner"].str.startswith("person")
    both = both.assign(who=np.where(person, "with people", "with networks"))
    return both[["system", "partner", "kind", "who", "p_a", "b", "EC"]].round(5)


def kinds_of_pairs(values: pd.DataFrame, measure: str, title: str) -> alt.LayerChart:
    """Draw one measure's mean over three kinds of pairs: over all data sets, and below in each, by that of people."""
    wide = values.rename(columns=PAIRS, index=SETS).sort_values("people", ascending=False)
    mean = f"mean of {len(wide)} sets"
    wide = pd.concat([wide.mean().to_frame(mean).T, wide]).rename_axis("data_set").reset_index()
    shown = wide.melt("data_set", var_name="pairs", value_name="value").dropna()
    networks, hover = shown["pairs"] == "networks", ["data_set", "pairs", alt.Tooltip("value", title=measure)]
    bold: Any = {"condition": {"test": f"datum.value === '{mean}'", "value": "bold"}, "value": "normal"}
    x = numbers("value", f"mean {measure} of the pairs")
    y = names("data_set", list(wide["data_set"]), labelFontWeight=bold)
    plot = Plot(shown, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=0)
    for row, thick, size, high in (("!==", 2, 80, 18), ("===", 6, 220, 22)):
        plot.where = f"datum.data_set {row} '{mean}'"
        plot.spans("people", "mixed", data=wide, strokeWidth=thick, color=SILVER).points(size, shown[~networks])
        ticks = plot.base(shown[networks]).mark_tick(thickness=3, opacity=1, size=high)
        plot.draw(ticks.encode(**plot.colour, tooltip=hover))
    for pairs, named in shown.groupby("pairs"):
        words, place = NAMED[str(pairs)]
        said = f"{words} {number(wide[pairs].iloc[0], 2)}"
        plot.words("said", named.assign(said=said), fontWeight="bold", **place)
    about = f"Mean {measure} by data set for pairs: {', '.join(shown['pairs'].unique())}."
    return plot.done(title, about, ROW * len(wide))


def by_chance(right: pd.DataFrame, expected: float, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, as the second one's answers are shuffled again and again.

    ``right`` says on which pictures each is right, a column per reader. A dot of the heap is a shuffle.
    """
    readers, rng, (first, second) = list(map(str, right)), np.random.default_rng(seed), right.to_numpy().T
    rows = np.array([second, *(rng.permutation(second) for _ in range(SHUFFLES))])
    dealt = pd.DataFrame(dict(zip(("shuffle", "place"), np.indices(rows.shape).reshape(2, -1), strict=True)))
    dealt[readers] = ~np.column_stack([np.tile(first, len(rows)), rows.ravel()])
    shown = alt.Chart(dealt).transform_filter("datum.shuffle === shuffle")
    x: Axis = {"shorthand": "start:Q", "axis": None, "scale": {"domain": [0, len(right)], "nice": False}}
    tiles = []
    for row, name in enumerate(readers):
        places = {"start": "datum.place + 0.04", "end": "datum.place + 0.96", "wrong": f"datum['{name}']"}
        tiles += _row_of_tiles(shown.transform_calculate(**places), x, name, ROW * row)
    same = shown.transform_filter(" === ".join(f"datum['{name}']" for name in readers))
    same = same.transform_calculate(start="datum.place + 0.5").mark_text(text="=", fontSize=18, color=BLACK)
    tiles.append(same.encode(alt.X(**x), y=alt.value(2 * ROW + 6)))
    own, *agreed = (rows == first).sum(axis=1).tolist()
    named = {f"{' and '.join(readers)}: {own}": own, f"by chance: {expected:g}": expected}
    heap, height = _heap_of_shuffles(pd.Series(agreed), named, 3 * ROW)
    chart = layer(*tiles, heap).resolve_scale(x="independent", y="independent")
    chart = chart.add_params(slider("shuffle", f"shuffles of {readers[1]}", 60, (0, SHUFFLES), 1))
    about = f"Two rows of {len(right)} tiles, and a heap of how many agree in {SHUFFLES} shuffles of the second row."
    return finish(chart, title, about, height, subtitle="frame: wrong; =: both right or both wrong; dot: a shuffle")


def _heap_of_shuffles(agreed: pd.Series, named: dict[str, float], top: int) -> tuple[alt.LayerChart, int]:
    """Heap a dot for each shuffle, some beside each other, as far as the reader has come, beside two named places."""
    level, beside = divmod(agreed.groupby(agreed).cumcount(), BESIDE)
    place = (agreed + GAP * (beside - (BESIDE - 1) / 2)).round(3)
    dots = pd.DataFrame({"shuffle": agreed.index + 1, "place": place, "level": level})
    ends = agreed.min() - 1.5, agreed.max() + 1
    x = numbers("place", "pictures on which they agree", ends=ends, ticks=sorted(agreed.unique()), grid=False)
    levels, wide = level.max() + 1, f"min(13, {GAP / (ends[1] - ends[0])} * width)"
    height = top + 30 + 13 * levels
    up = alt.Scale(domain=[-0.5, levels], range=[height, alt.expr(f"{height} - {levels + 0.5} * {wide}")])
    heap = alt.Chart(dots).transform_filter("datum.shuffle <= shuffle")
    heap = heap.mark_point(shape="circle", filled=True, opacity=1, size=alt.expr(f"pow(0.85 * {wide}, 2)"))
    last = alt.when("datum.shuffle === shuffle").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    marks = [heap.encode(alt.X(**x), alt.Y("level:Q", axis=None, scale=up), color=last)]
    looks: tuple[Any, ...] = ([1, 0], "right", -6), (DASHED, "left", 6)
    for (words, at), (dash, align, dx) in zip(named.items(), looks, strict=True):
        base = alt.Chart(pd.DataFrame({"place": [at], "words": [words]})).encode(alt.X(**x), y=alt.value(top + 12))
        word = base.mark_text(align=align, dx=dx, fontSize=13, fontWeight="bold")
        line = base.mark_rule(strokeWidth=2, strokeDash=dash, color=BLACK)
        marks += [line.encode(y2=alt.value(height)), word.encode(text="words:N")]
    return layer(*marks), height


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw EC with people against accuracy, with what chance gives, what accuracies allow and what two people have."""
    two = systems[systems["group"] == "people"].groupby("data_set", sort=False)["EC"].mean().reset_index()
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    axes = numbers("accuracy", scale={"domain": [0, 1]}), numbers("EC", "mean EC with people")
    looks = "group", with_guests(WITH_PEOPLE, systems["group"])
    plot = Plot(systems, *axes, look=looks, hover=hover, where=CHOSEN, corner="top-left")
    most = plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=2)
    level = plot.base(two).mark_rule(color=ORANGE, strokeWidth=1.5, strokeDash=DASHED)
    set_apart(plot.band(limits).draw(most, level).points(50), "group", WITH_PEOPLE)
    level_of_two, chance = two.assign(accuracy=0.01, name="two people"), two.assign(accuracy=0.95, EC=0, name="chance")
    plot.words("name", level_of_two, dy=-8, color=ORANGE, align="left")
    plot.words("name", chance, color=INK, align="right")
    plot.menu("data_set", two["data_set"], start, "data set")
    about = f"Mean error consistency with people against accuracy for {systems['system'].nunique()} systems, below a "
    about += "line of the largest possible means, with a band of chance for means and a dashed line for two people."
    return plot.done(title, about, 340, "solid line: the most that accuracies allow")
