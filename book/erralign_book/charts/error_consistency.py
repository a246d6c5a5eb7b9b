"""Charts of what error consistency can be: a tunnel to move it in, real pairs, and their limits."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, INK, ORANGE, PALE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import CHOSEN, DASHED, Axis, Plot, finish, layer, names, numbers, shares
from erralign.plot.theme import KINDS, LOOKS_OF_PAIRS, PAIRS
from erralign_book.charts.grammar import DRAGGABLE, set_apart, slider
from erralign_book.charts.looks import WITH_PEOPLE, with_guests

STEP = 0.005  # of accuracy, along the limits
DIAMOND = 0.7, 0.28  # accuracy and EC of the partner to drag, at first
LEAST, HEIGHT = -0.25, 340  # where the axis of EC begins, and how high it is
ROW = 22  # pixels of a row of tiles
SHUFFLES = 120
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
    """Draw one measure's mean over three kinds of pairs by data set, with a thick line from mixed pairs to people."""
    wide = values.rename(columns=PAIRS, index=lambda name: name.replace("nI", "n I"))  # eidolon III, as in prose
    wide = wide.loc[(wide["people"] - wide["mixed"]).sort_values(ascending=False).index]
    shown = wide.reset_index().melt("data_set", var_name="pairs", value_name="value").dropna()
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure, format=".3f")]
    axes = numbers("value", f"mean {measure} of the pairs"), names("data_set", list(wide.index))
    plot = Plot(shown, *axes, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=3)
    plot.spans("people", "mixed", data=wide.reset_index(), strokeWidth=5, color=SILVER).points(80)
    about = f"Mean {measure} by data set for pairs: {', '.join(shown['pairs'].unique())}."
    words = "two people, two networks, or one of each (mixed); "
    words += "grey: from mixed to people, which sorts the sets"
    return plot.done(title, about, 22 * len(wide), words)


def by_chance(first: np.ndarray, second: np.ndarray, expected: float, seed: int, title: str) -> alt.LayerChart:
    """Draw on how many pictures two readers agree, as the second one's answers are shuffled again and again.

    ``first`` and ``second`` say on which pictures each is right. A tile of the heap is a shuffle.
    """
    n, rng = len(first), np.random.default_rng(seed)
    rows = np.array([second, *(rng.permutation(second) for _ in range(SHUFFLES))])
    agreed = pd.DataFrame({"agreed": (rows == first).sum(axis=1), "shuffle": range(len(rows))})
    agreed["level"] = agreed.groupby("agreed").cumcount()
    heap = alt.Chart(agreed).transform_filter("datum.shuffle <= shuffle")
    heap = heap.transform_calculate(start="datum.agreed - 0.4", end="datum.agreed + 0.4", top="datum.level + 0.75")
    x, room = numbers("start", "pictures on which they agree", ends=(0, n + 0.5), grid=False), (260, 84)
    up = alt.Y("level:Q", axis=None, scale=alt.Scale(domain=[0, agreed["level"].max() + 1], range=list(room)))
    now = alt.when("datum.shuffle === shuffle").then(alt.value(BLACK)).otherwise(alt.value(SILVER))
    at = pd.DataFrame({"start": [expected], "words": [f"chance by the formula: {expected:g}"]})
    level = alt.Chart(at).encode(alt.X(**x))
    line = level.mark_rule(strokeWidth=2, color=BLACK).encode(y=alt.value(room[1] - 34), y2=alt.value(room[0]))
    words = level.mark_text(align="right", dx=-10, fontSize=13).encode(text="words:N", y=alt.value(room[1] - 26))
    own = pd.DataFrame({"start": agreed["agreed"].head(1), "words": f"A and B as they are: {agreed['agreed'][0]}"})
    unshuffled = alt.Chart(own).encode(alt.X(**x))
    as_they_are = [
        unshuffled.mark_rule(strokeDash=DASHED, color=BLACK).encode(y=alt.value(room[1] - 4), y2=alt.value(room[0])),
        unshuffled.mark_text(align="right", dx=-8, fontSize=13).encode(text="words:N", y=alt.value(room[1] + 6)),
    ]
    mean = heap.transform_filter("datum.shuffle > 0").transform_aggregate(mean="mean(agreed)")
    mean = mean.transform_calculate(words="'▲ shuffles: ' + format(datum.mean, '.1f')")
    said = mean.transform_calculate(start=f"{expected}").mark_text(align="left", dx=10, fontSize=13)
    said = said.encode(alt.X(**x), text="words:N", y=alt.value(room[1] - 26))
    at_mean = mean.transform_calculate(start="datum.mean").mark_point(shape="triangle-up", filled=True, size=120)
    at_mean = at_mean.encode(alt.X(**x), y=alt.value(room[0] - 5), color=alt.value(BLACK))
    marks = [heap.mark_rect().encode(alt.X(**x), up, x2="end:Q", y2="top:Q", color=now)]
    marks += [*as_they_are, line, words, said, at_mean]
    for top, (name, answers) in enumerate({"A": first[None], "B": rows}.items()):
        dealt = pd.DataFrame({"place": np.tile(np.arange(n), len(answers)), "wrong": ~answers.ravel()})
        dealt["shuffle"] = np.repeat(range(len(answers)), n)
        tiles = alt.Chart(dealt).transform_calculate(start="datum.place + 0.04", end="datum.place + 0.96")
        tiles = tiles.transform_filter("datum.shuffle === shuffle") if top else tiles
        marks += _row_of_tiles(tiles, x, name, ROW * top)
    count = slider("shuffle", "shuffles of B", 60, (0, SHUFFLES), 1)
    about = f"Two rows of {n} tiles, and a heap of how many agree in each of {SHUFFLES} shuffles of the second row."
    under = "framed: wrong; each step of the slider shuffles B once more, and drops a tile on the heap"
    return finish(layer(*marks).add_params(count), title, about, room[0], subtitle=under)


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
