"""Charts of Muttenthaler et al. (2023): networks and people's odd one out, concept by concept, and shared doubts."""

from collections.abc import Iterable, Mapping

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK, ORANGE, PAPER
from erralign.plot.grammar import DASHED, Options, Plot, entitle, factors, names, numbers, shares
from erralign.plot.theme import BAND, KINDS, Look
from erralign_book.charts.grammar import beside_each_other, correlations, straight_line
from erralign_book.charts.looks import CNN, GROUPS, LARGE, OTHER, PEOPLE, TRAINED

SCORES = {"zero_shot": "zero-shot", "probing": "after the probe"}
ACCURACY = "odd-one-out accuracy in %"
OF_SCORE = "datum.score === score"
GUESS, CEILING = 100 / 3, 67.22
# Of what two systems choose alike: VICE and SPoSE are people's choices.
PAIRS = ("VICE and SPoSE", "one of VICE or SPoSE", "others", "two EfficientNets")
STEP = 22  # pixels from one row to the next
BESIDE = 8  # pixels from one system to the next in a row
PANEL = {"width": 230, "height": 170}  # pixels
ENDS = (36, 58), (44, 64)  # of the accuracies before and after the probe


def accuracy_by_imagenet(table: pd.DataFrame, people: pd.Series, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against accuracy on ImageNet, one score at a time."""
    shown = _long(table.dropna(subset="imagenet"))
    x = numbers("imagenet", "accuracy on ImageNet in %", scale={"domain": [45, 95]})
    y, hover = numbers("accuracy", ACCURACY, ends=(32, 69)), ["model", "imagenet", "accuracy"]
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, where=OF_SCORE, columns=2)
    between = pd.DataFrame({"accuracy": [people["least"]], "most": [people["most"]]}).mul(100).round(2)
    band = alt.Chart(between).mark_rect(color=ORANGE, opacity=BAND).encode(alt.Y(**y), y2="most:Q")
    fitted = {name: straight_line(part, "imagenet", "accuracy") for name, part in shown.groupby("score", sort=False)}
    lines = pd.concat(fitted, names=["score"]).reset_index("score")
    plot.draw(band).lines(lines, color=GREY, strokeDash=DASHED).points(55).level(GUESS, CEILING, strokeWidth=1)
    words = {"a guess": GUESS, "the noise ceiling": CEILING, "two people": 100 * people["least"]}
    rows = pd.DataFrame({"name": list(words), "accuracy": list(words.values()), "imagenet": 95})
    named = alt.Chart(rows).mark_text(align="right", baseline="bottom", color=INK)
    plot.draw(named.encode(alt.X(**x), alt.Y(**y), text="name:N"))
    about = "Odd-one-out accuracy of networks against their accuracy on ImageNet."
    return _by_score(plot, "zero_shot").done(title, about, 320, "dashed: least squares")


def accuracy_by_group(groups: Mapping[str, pd.DataFrame], title: str) -> alt.ConcatChart:
    """Draw both accuracies on triplets against accuracy on ImageNet, a panel per group of networks."""
    panels: list[alt.LayerChart] = []
    for name, part in groups.items():
        x, y = numbers("imagenet", "ImageNet, %", ends=(45, 92)), numbers("accuracy", "triplets, %", ends=(36, 64))
        plot, looks = Plot(_long(part), x, y, hover=["model", "imagenet", "accuracy"]), TRAINED[part["group"].iloc[0]]
        for score in SCORES:
            of_score = plot.table[plot.table["score"] == score]
            plot.points(45, of_score, color=looks.colour, shape=looks.shape, filled=score == "probing", strokeWidth=1.5)
        low = part[part.index.str.contains("sigmoid|label smoothing")]
        if len(low):
            beside = {"imagenet": [low["imagenet"].min() - 2], "accuracy": low["zero_shot"].mean()}
            said = pd.DataFrame(beside).assign(name="label smoothing, sigmoid")
            plot.words("name", said, align="right", color=INK)
        panels.append(plot.drawn().properties(title=name, **PANEL))
    about = f"Accuracy on triplets, before and after a probe, against ImageNet: {', '.join(groups)}."
    return entitle(beside_each_other(panels, 2), title, about, subtitle="hollow: zero-shot; filled: after the probe")


def accuracy_by_size(part: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against the number of parameters, one line per family."""
    families = part.groupby(["source", "architecture"])["parameters"].transform("size")
    shown = _long(part[families > 2]).sort_values("parameters")
    x = factors("parameters", "parameters in millions", [5, 10, 20, 50, 100, 200, 400], "d")
    x["scale"] = {"type": "log", "domain": [4, 1.7 * shown["parameters"].max()], "nice": False}
    y, hover = numbers("accuracy", ACCURACY, ends=(35, 60)), ["model", "parameters", "accuracy"]
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, where=OF_SCORE, columns=0)
    plot.lines(strokeWidth=1.5, detail="architecture:N").points(55)
    at_start = shown["architecture"] == "ResNet"  # other lines cross its end
    ends = shown[~at_start].groupby(["architecture", "score"]).tail(1)
    plot.words("architecture", ends, align="left", dx=8, color=INK)
    plot.words("architecture", shown[at_start].groupby("score").head(1), dy=-14, color=INK)
    about = "Odd-one-out accuracy of networks against their number of parameters, in four families."
    return _by_score(plot, "probing").done(title, about, 300, "a line joins the networks of one family")


def _by_score(plot: Plot, first: str) -> Plot:
    return plot.menu("score", SCORES, first, "accuracy", list(SCORES.values()))


def before_and_after(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets after the linear probe against the accuracy before it."""
    hover = ["model", "zero_shot", "probing"]
    shown = table.rename_axis("model").reset_index()[[*hover, "group"]].round(2)
    words = {"zero_shot": "zero-shot accuracy in %", "probing": "accuracy after the probe in %"}
    x, y = (numbers(name, title, ends=ends) for (name, title), ends in zip(words.items(), ENDS, strict=True))
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, columns=2)
    plot.diagonal(max(low for low, _ in ENDS), min(high for _, high in ENDS)).points(55)
    about = "Odd-one-out accuracy of networks after a linear probe against the accuracy without it."
    return plot.done(title, about, 320, "dashed: the probe adds nothing")


def errors_by_entropy(errors: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems err, by how sure people are."""
    hover = ["system", "entropy", "error", "triplets"]
    x = numbers("entropy", "entropy of people's choice, by VICE", ends=(0, 1.1))
    y = shares("error", "share of triplets on which it chooses otherwise", scale={"domain": [0, 0.7]}, grid=True)
    plot = Plot(errors[hover], x, y, look=("system", _looks(errors["system"].unique())), hover=hover)
    about = "Share of triplets on which a system does not choose what people chose, by people's entropy."
    return plot.lines(strokeWidth=1.5).points(40).done(title, about, 300)


def _long(part: pd.DataFrame) -> pd.DataFrame:
    kept = ["model", "group", "source", "architecture", "parameters", "imagenet"]
    long = part.rename_axis("model").reset_index().melt(kept, list(SCORES), var_name="score", value_name="accuracy")
    return long.dropna(subset="accuracy").round(2)


def accuracy_by_concept(values: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems choose like people per concept, before and after the probe, by the best after it."""
    systems, best = list(dict.fromkeys(values["system"])), values.groupby("concept")["probed"].max()
    order, hover = best.sort_values(ascending=False).index.tolist(), ["concept", "system", "zero_shot", "probed"]
    x, y = numbers("probed", "accuracy in %", ends=(30, 95), ticks=range(40, 91, 10)), names("concept", order)
    looks = _looks(systems)
    plot = Plot(values[hover].round(1), x, y, look=("system", looks), hover=hover)
    plot.dashed(GUESS, strokeWidth=1)
    for place, system in enumerate(systems):
        part = plot.table[plot.table["system"] == system]
        below = BESIDE * (place - (len(systems) - 1) / 2)
        plot.spans("zero_shot", "probed", data=part, yOffset=below, strokeWidth=1.5)
        marks = Options(shape=looks[system].shape, stroke=looks[system].colour, fill=PAPER, opacity=1)
        hollow = plot.base(part, x="zero_shot").mark_point(**marks, size=40, strokeWidth=1.5, yOffset=below)
        plot.draw(hollow.encode(tooltip=hover)).points(40, part, yOffset=below)
    about = f"Odd-one-out accuracy of {', '.join(systems)} for {len(order)} human concepts."
    words = "hollow: zero-shot; filled: after the probe; dashed: a guess"
    return plot.done(title, about, (len(systems) + 1) * BESIDE * len(order), words)


def _looks(systems: Iterable[str]) -> dict[str, Look]:
    known = {"VICE": PEOPLE, "CLIP": LARGE, "EfficientNet": CNN, "word2vec": OTHER}
    return {name: look for name in systems for start, look in known.items() if name.startswith(start)}


def two_similarities(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems choose like people by the cosine and by the dot product, one row per system."""
    hover = ["system", "similarity", "accuracy"]
    axes = numbers("accuracy", "zero-shot accuracy in %", ends=(40, 52)), names("system", labelLimit=220)
    looks, rows = {"cosine": CNN, "dot product": Look(GREY, "square")}, scores["system"].nunique()
    scores = scores.sort_values("similarity", ascending=False, kind="stable")  # the cosine above what equals it
    plot = Plot(scores[hover].round(2), *axes, look=("similarity", looks), hover=hover, columns=2)
    plot.lines(color=GREY, strokeWidth=1.5, detail="system:N").points()
    about = f"Zero-shot accuracy of {rows} systems by two similarities."
    return plot.done(title, about, STEP * rows, "one mark: both are equal")


def choices_by_cka(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often two systems choose alike against the similarity of their representations."""
    hover = ["system_a", "system_b", "CKA", "same_choice"]
    y = shares("same_choice", "share of triplets with the same choice", ends=(0.3, 1), grid=True)
    looks = dict(zip(PAIRS, (*KINDS.values(), GROUPS["two networks of one architecture"]), strict=True))
    x = numbers("CKA", "linear CKA", ends=(0.1, 1))
    plot = Plot(pairs[[*hover, "pair"]], x, y, look=("pair", looks), hover=hover, columns=2)
    plot.lines(straight_line(pairs, "CKA", "same_choice"), color=GREY, strokeDash=DASHED).points(55)
    about = f"Share of triplets on which {len(pairs)} pairs of systems choose alike, against their CKA."
    return plot.done(title, about, 300, "dashed: least squares")


def matrix_of_entropies(pairs: pd.DataFrame, systems: list[str], title: str) -> alt.LayerChart:
    """Draw how the entropies of systems correlate, one tile per pair."""
    there = pairs.rename(columns={"system_a": "row", "system_b": "column", "pearson": "r"})
    both = pd.concat([there, there.rename(columns={"row": "column", "column": "row"})])
    hover = ["row", "column", "r", "low", "high"]
    plot = correlations(both[hover], systems, hover, "Pearson's r", labelAngle=-90)
    about = f"Pearson's correlation of the entropies of {', '.join(systems)} over triplets."
    return plot.done(title, about, 34 * len(systems))
