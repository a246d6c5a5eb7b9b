"""Charts of Muttenthaler et al. (2023): networks and people's odd one out, concept by concept, and shared doubts."""

from collections.abc import Iterable, Mapping

import altair as alt
import pandas as pd

from erralign.plot.colours import GREY, INK, ORANGE
from erralign.plot.grammar import DASHED, Plot, factors, names, numbers, shares
from erralign.plot.theme import BAND, KINDS, Look
from erralign_book.charts.grammar import correlations, straight_line
from erralign_book.charts.looks import CNN, GROUPS, LARGE, OTHER, PEOPLE, TRAINED

SCORES = {"zero_shot": "zero-shot", "probing": "after the probe"}
ACCURACY = "odd-one-out accuracy in %"
OF_SCORE = "datum.score === score"
GUESS, CEILING = 100 / 3, 67.22
# Of what two systems choose alike: VICE and SPoSE are people's choices.
PAIRS = ("VICE and SPoSE", "one of VICE or SPoSE", "others", "two EfficientNets")
STEP = 22  # pixels from one row to the next


def accuracy_by_imagenet(panels: Mapping[str, pd.DataFrame], people: pd.Series, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against accuracy on ImageNet, with a choice of the networks."""
    shown = pd.concat([_long(part).assign(panel=name) for name, part in panels.items()])
    keys, chosen = ["panel", "score"], f"datum.panel === panel && {OF_SCORE}"
    fitted = {name: straight_line(part, "imagenet", "accuracy") for name, part in shown.groupby(keys, sort=False)}
    x = numbers("imagenet", "accuracy on ImageNet in %", scale={"domain": [45, 95]})
    y, hover = numbers("accuracy", ACCURACY, ends=(32, 69)), ["model", "imagenet", "accuracy"]
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, where=chosen, columns=2)
    between = pd.DataFrame({"accuracy": [people["least"]], "most": [people["most"]]}).mul(100).round(2)
    band = alt.Chart(between).mark_rect(color=ORANGE, opacity=BAND).encode(alt.Y(**y), y2="most:Q")
    lines = pd.concat(fitted, names=keys).reset_index(keys)
    plot.draw(band).lines(lines, color=GREY, strokeDash=DASHED).points(55).level(GUESS, CEILING, strokeWidth=1)
    words = {"a guess": GUESS, "the noise ceiling": CEILING, "two people": 100 * people["least"]}
    rows = pd.DataFrame({"name": list(words), "accuracy": list(words.values()), "imagenet": 95})
    named = alt.Chart(rows).mark_text(align="right", baseline="bottom", color=INK)
    plot.draw(named.encode(alt.X(**x), alt.Y(**y), text="name:N"))
    plot.menu("panel", panels, next(iter(panels)), "networks")
    about = "Odd-one-out accuracy of networks against their accuracy on ImageNet."
    return _by_score(plot).done(title, about, 320, "dashed: least squares")


def accuracy_by_size(part: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against the number of parameters, one line per family."""
    families = part.groupby(["source", "architecture"])["parameters"].transform("size")
    shown = _long(part[families > 2]).sort_values("parameters")
    x = factors("parameters", "parameters in millions", [5, 10, 20, 50, 100, 200, 400], "d")
    x["scale"] = {"type": "log", "domain": [4, 1.7 * shown["parameters"].max()], "nice": False}
    y, hover = numbers("accuracy", ACCURACY, ends=(35, 60)), ["model", "parameters", "accuracy"]
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, where=OF_SCORE, columns=0)
    last = shown.groupby(["architecture", "score"]).tail(1)
    plot.lines(strokeWidth=1.5, detail="architecture:N").points(55)
    plot.words("architecture", last, align="left", dx=8, color=INK)
    about = "Odd-one-out accuracy of networks against their number of parameters, in four families."
    return _by_score(plot).done(title, about, 300)


def _by_score(plot: Plot) -> Plot:
    return plot.menu("score", SCORES, "zero_shot", "accuracy", list(SCORES.values()))


def before_and_after(table: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets after the linear probe against the accuracy before it."""
    hover = ["model", "zero_shot", "probing"]
    shown = table.rename_axis("model").reset_index()[[*hover, "group"]].round(2)
    words = {"zero_shot": "zero-shot accuracy in %", "probing": "accuracy after the probe in %"}
    x, y = (numbers(name, title, ends=(33, 64)) for name, title in words.items())
    plot = Plot(shown, x, y, look=("group", TRAINED), hover=hover, columns=2).diagonal(33, 64).points(55)
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
    """Draw how often systems choose like people on each human concept, their best first; one score at a time."""
    scores, systems = (list(dict.fromkeys(values[name])) for name in ("score", "system"))
    of_first = values[values["score"] == scores[0]].groupby("concept")["accuracy"].max()
    order = of_first.sort_values(ascending=False).index.tolist()
    axes = numbers("accuracy", ACCURACY, ends=(30, 100)), names("concept", order, labelLimit=150)
    hover = ["concept", "system", "accuracy"]
    plot = Plot(values.round(1), *axes, look=("system", _looks(systems)), hover=hover, where=OF_SCORE)
    plot.dashed(GUESS, strokeWidth=1).points(55).menu("score", scores, scores[0], "accuracy", scores)
    about = f"Odd-one-out accuracy of {', '.join(systems)} for {len(order)} human concepts."
    return plot.done(title, about, STEP * len(order), "dashed: a guess")


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
