"""Charts of what error consistency can be: a tunnel to move it in, real pairs, and their limits."""

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, ORANGE, PALE_GREY, PAPER, SILVER
from erralign.plot.grammar import DASHED, Plot, names, numbers, shares
from erralign.plot.parts import CHOSEN, selector
from erralign.plot.theme import KINDS, LOOKS_OF_PAIRS, PAIRS
from erralign_book.charts.grammar import DRAGGABLE, slider
from erralign_book.charts.looks import WITH_PEOPLE

STEP = 0.005  # of accuracy, along the limits
DIAMOND = 0.7, 0.28  # accuracy and EC of the partner to drag, at first
# What the reader has set, worked out by the browser. A pair that is dragged stops at the limits; above 0 the copy model
# says how it comes about.
DERIVED = {
    "apart": "p_a * (1 - across) + across * (1 - p_a)",
    "ec_least": "(abs(p_a + across - 1) - 1 + apart) / apart",
    "ec_most": "(apart - abs(p_a - across)) / apart",
    "ec_now": "min(ec_most, max(ec_least, 2 * up - 1))",
    "copied": "max(0, ec_now) * apart / (2 * p_a * (1 - p_a))",
    "alone": "(across - copied * p_a) / max(1 - copied, 0.001)",
    "both_wrong": "(1 - p_a) * (1 - across) + ec_now * apart / 2",
}
SAID = (  # in lines that fit on a phone
    "['A is right on ' + format(p_a, '.0%') + ' of the pictures, B on ' + format(across, '.0%') + '.',"
    " ec_now < 0 ? 'No copying leads below 0:' : 'B copies A on ' + format(copied, '.0%') + ' of the pictures'"
    " + (copied > 0.995 ? '.' : ';'),"
    " ec_now < 0 ? 'B fails where A does not.' : copied > 0.995 ? ''"
    " : 'on the others it is right on ' + format(alone, '.0%') + '.',"
    " 'Both right ' + format(p_a + across - 1 + both_wrong, '.0%') + ' · only A '"
    " + format(1 - across - both_wrong, '.0%'),"
    " 'both wrong ' + format(both_wrong, '.0%') + ' · only B ' + format(1 - p_a - both_wrong, '.0%'),"
    " 'Possible at these accuracies: EC ' + format(ec_least, '.2f') + ' to ' + format(ec_most, '.2f')]"
)

WAY = {
    "b": "datum.c * p_a + (1 - datum.c) * alone",
    "EC": "2 * datum.c * p_a * (1 - p_a) / (p_a * (1 - datum.b) + datum.b * (1 - p_a))",
}


def tunnel(pairs: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw what EC one system can have with partners of every accuracy, what it has, and a pair that readers drag."""
    partners = partners_of_each(pairs)
    of_system = partners.groupby("system")["p_a"].first()
    choices = [
        selector("system", list(of_system.index), start, "A is"),
        slider("across", "accuracy of B", DIAMOND[0], (0.02, 0.98), 0.01),
        slider("up", "EC of A and B", (1 + DIAMOND[1]) / 2, (0, 1), 0.01),
        alt.param(name="up_words", expr="replace(format(ec_now, '.2f'), '-', '−')"),
        alt.param(name="p_a", expr=f"({of_system.round(5).to_dict()})[system]"),
    ]
    axes = (
        shares("b", "accuracy of the partner, B", ends=(0, 1)),
        numbers("EC", "EC of A and B", ends=(-1, 1), grid=False),
    )
    b, ec = (alt.X(**axes[0]), alt.Y(**axes[1]))
    hover = ["system", "partner", alt.Tooltip("b", title="accuracy of the partner"), "EC"]
    plot = Plot(partners, *axes, look=("kind", KINDS), hover=hover, where="datum.system === system", columns=0)
    plot.params = [*choices, *(alt.param(name=name, expr=expression) for name, expression in DERIVED.items())]
    walls = _computed(alt.sequence(0, 1 + STEP / 2, STEP, as_="b"), **_limits()).mark_area(color=PALE_GREY)
    for end, most in {"ec_most": 1, "ec_least": -1}.items():
        plot.draw(walls.encode(b, alt.Y(**axes[1] | {"shorthand": f"{end}:Q"}), y2=alt.datum(most)))
    one = alt.sequence(0, 1, 1, as_="only")
    words = _computed(one, b="p_a > 0.5 ? 0.02 : 0.75", EC="0.88")
    words = words.mark_text(align="left", fontSize=15, fontWeight="bold", color=GREY, text="impossible")
    # The way of a pair from no copying, at 0, to all of it, at the tip.
    path = _computed(alt.sequence(0, 1.001, 0.02, as_="c"), **WAY).transform_filter("ec_now >= 0")
    path = path.mark_line(color=BLACK, strokeWidth=2).encode(b, ec, order="c:Q")
    plot.dashed(0, strokeWidth=1).draw(words.encode(b, ec), path).points()
    below = partners.groupby(["system", "kind", "who"], as_index=False).agg(b=("b", "mean"), EC=("EC", "min"))
    plot.words("who", below, dy=18, fontSize=14, fontWeight="bold")
    here = _computed(one, b="across", EC="ec_now", words=SAID)
    point = here.mark_point(shape="diamond", size=260, opacity=1, fill=BLACK, stroke=PAPER, strokeWidth=2)
    said = here.mark_text(align="left", baseline="bottom", fontSize=13, lineHeight=19)
    said = said.encode(x=alt.value(12), y=alt.value(341), text="words:N")
    plot.draw(said, point.encode(b, ec).properties(name=DRAGGABLE))
    about = (
        "Error consistency of one system with partners of every accuracy: impossible values are filled, real partners "
        "are points, and a pair that two sliders move says what copying leads to it."
    )
    under = "grey: impossible; diamond: a partner to drag; line: B as it copies more"
    return plot.done(title, about, 460, under)


def _computed(numbers: alt.SequenceGenerator, **columns: str) -> alt.Chart:
    """Return a chart of what the browser works out from a sequence, each column from those before it."""
    base = alt.Chart(numbers)
    for name, expression in columns.items():
        base = base.transform_calculate(**{name: expression})
    return base


def _limits() -> dict[str, str]:
    """Return what the least and the most of A with a partner b are, for the browser."""
    limits = {end: DERIVED[end].replace("apart", f"({DERIVED['apart']})") for end in ("ec_least", "ec_most")}
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
    """Draw one measure's mean over three kinds of pairs, a row per data set: those where people lead networks first."""
    spans, shown = leads_of_people(values), values.round(4).reset_index().melt("data_set", var_name="kind").dropna()
    shown = shown.assign(pairs=shown["kind"].map(PAIRS))
    x = numbers("value", f"mean {measure} of the pairs", scale={"zero": False})
    hover = ["data_set", "pairs", alt.Tooltip("value", title=measure, format=".3f")]
    y = names("data_set", list(spans["data_set"]))
    plot = Plot(shown, x, y, look=("pairs", LOOKS_OF_PAIRS), hover=hover, columns=3, title="pairs")
    plot.spans("least", "most", data=spans, color=SILVER, strokeWidth=1)
    plot.spans("people", "networks", data=spans, strokeWidth=4).points(90)
    about = f"Mean {measure} by data set for pairs of people, of networks, and mixed pairs."
    words = "thick line: between people and networks; its colour says who is ahead"
    return plot.done(title, about, 22 * len(spans), words)


def leads_of_people(values: pd.DataFrame) -> pd.DataFrame:
    """Return of each data set people's and networks' mean, all three means' ends, and whose pairs are ahead."""
    spans = values.rename(columns=PAIRS)[["people", "networks"]]
    ahead = spans.idxmax(axis=1)
    spans = spans.assign(least=values.min(axis=1), most=values.max(axis=1), pairs=ahead)
    by_lead = (spans["people"] - spans["networks"]).sort_values(ascending=False).index
    return spans.loc[by_lead].reset_index()


def yardsticks(systems: pd.DataFrame, limits: pd.DataFrame, start: str, title: str) -> alt.LayerChart:
    """Draw EC with people against accuracy, with what chance gives, what accuracies allow and what two people have."""
    two = systems[systems["group"] == "people"].groupby("data_set", sort=False)["EC"].mean().reset_index()
    hover = ["system", "accuracy", "EC", alt.Tooltip("largest", title="at most")]
    axes = numbers("accuracy", scale={"domain": [0, 1]}), numbers("EC", "mean EC with people")
    plot = Plot(systems, *axes, look=("group", WITH_PEOPLE), hover=hover, where=CHOSEN, columns=2)
    most = plot.base(limits, y="largest").mark_line(color=BLACK, strokeWidth=2)
    level = plot.base(two).mark_rule(color=ORANGE, strokeWidth=1.5, strokeDash=DASHED)
    plot.band(limits).draw(most, level).points(50)
    at_left = limits[(limits["accuracy"] - 0.75).abs() < 0.001].assign(accuracy=0.73, name="the most that is possible")
    level_of_two, chance = two.assign(accuracy=0.16, name="two people"), two.assign(accuracy=0.95, EC=0, name="chance")
    plot.words("name", at_left, y="largest", color=BLACK, align="right")  # each where no points are
    plot.words("name", level_of_two, dy=-8, color=ORANGE, align="right").words(
        "name", chance, color=GREY, align="right"
    )
    plot.menu("data_set", two["data_set"], start, "data set")
    about = f"Mean error consistency with people against accuracy for {systems['system'].nunique()} systems, below a "
    about += "line of the largest possible means, with a band of chance for means and a dashed line for two people."
    return plot.done(title, about, 340)
