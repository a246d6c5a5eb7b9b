"""Charts of Muttenthaler et al. (2023): networks and people's odd one out, concept by concept, and shared doubts."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from erralign.measures.matrix import limits_of_difference
from erralign.plot.colours import GREY, INK, ORANGE
from erralign.plot.grammar import DASHED, Plot, factors, names, numbers, shares
from erralign.plot.theme import BAND
from erralign_book.charts.grammar import correlations, straight_line
from erralign_book.charts.looks import CASES, CHANCE, DIFFERENCES, TRAINED, cases

SCORES = {"zero_shot": "zero-shot", "probing": "after the probe"}
ACCURACY = "odd-one-out accuracy in %"
OF_SCORE = "datum.score === score"
GUESS, CEILING = 100 / 3, 67.22
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
    plot.menu("panel", panels, next(iter(panels)), "networks")
    about = "Odd-one-out accuracy of networks against their accuracy on ImageNet."
    words = "dashed: least squares; lines across: a guess and the noise ceiling; band: two people"
    return _by_score(plot).done(title, about, 320, words)


def accuracy_by_size(part: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw accuracy on triplets against the number of parameters, one line per family."""
    families = part.groupby(["source", "architecture"])["parameters"].transform("size")
    shown = _long(part[families > 2]).sort_values("parameters")
    x = factors("parameters", "parameters in millions", [5, 10, 20, 50, 100, 200, 400], "d")
    x["scale"] = {"type": "log", "domain": [4, 450], "nice": False}
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
    y = shares("error", "share of errors", scale={"domain": [0, 0.7]}, grid=True)
    plot = Plot(errors[hover], x, y, look=("system", cases(errors["system"])), hover=hover)
    about = "Share of triplets on which a system does not choose what people chose, by people's entropy."
    return plot.lines(strokeWidth=1.5).points(40).done(title, about, 300)


def _long(part: pd.DataFrame) -> pd.DataFrame:
    kept = ["model", "group", "source", "architecture", "parameters", "imagenet"]
    long = part.rename_axis("model").reset_index().melt(kept, list(SCORES), var_name="score", value_name="accuracy")
    return long.dropna(subset="accuracy").round(2)


def leads_by_concept(values: pd.DataFrame, system: str, title: str, axis: str) -> alt.LayerChart:
    """Draw by how much a system leads others on each human concept, the largest lead on top; one score at a time."""
    scores, shown = list(dict.fromkeys(values["score"])), leads_over_others(values, system)
    of_first = shown[shown["score"] == scores[0]].groupby("concept")["lead"].mean()
    order = of_first.sort_values(ascending=False).index.tolist()
    looks, hover = cases(shown["system"], DIFFERENCES), ["concept", "system", "lead", "low", "high"]
    y, beside = names("concept", order, labelLimit=150), alt.YOffset("system:N")
    plot = Plot(shown, numbers("lead", axis), y, look=("system", looks), hover=hover, where=OF_SCORE, offset=beside)
    plot.dashed(0, strokeWidth=1).spans(strokeWidth=1.5).points(50)
    plot.menu("score", scores, scores[0], "accuracy", scores)
    about = f"Lead of {system} {' and '.join(looks)} for {len(order)} human concepts, with intervals."
    under = "lines: 95 % intervals that ignore that both answered the same triplets"
    return plot.done(title, about, STEP * len(order), under)


def leads_over_others(values: pd.DataFrame, system: str) -> pd.DataFrame:
    """Return by how much a system leads each other one on each concept, with limits: Zou and Donner (2008)."""
    own, others = values[values["system"] == system], values[values["system"] != system]
    both = others.merge(own, on=["concept", "score"], suffixes=("", "_own"))
    ends = ([both[f"{name}{whose}"] for name in ("value", "low", "high")] for whose in ("_own", ""))
    low, high = limits_of_difference(*ends)  # without a covariance
    shown = both.assign(system="over " + both["system"], lead=both["value_own"] - both["value"], low=low, high=high)
    return shown[["system", "concept", "score", "lead", "low", "high"]].round(3)


def two_similarities(scores: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often systems choose like people by the cosine and by the dot product, one row per system."""
    hover = ["system", "similarity", "accuracy"]
    axes = numbers("accuracy", "zero-shot accuracy in %", ends=(32, 66)), names("system", labelLimit=220)
    looks, rows = cases(scores["similarity"]), scores["system"].nunique()
    plot = Plot(scores[hover].round(2), *axes, look=("similarity", looks), hover=hover, columns=2)
    plot.lines(color=GREY, strokeWidth=1.5, detail="system:N").points()
    return plot.done(title, f"Zero-shot accuracy of {rows} systems by two similarities.", STEP * rows)


def choices_by_cka(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how often two systems choose alike against the similarity of their representations."""
    hover = ["system_a", "system_b", "CKA", "same_choice"]
    y = shares("same_choice", "share of triplets with the same choice", ends=(0.3, 1), grid=True)
    looks, x = cases(pairs["pair"], (*CASES, CHANCE)), numbers("CKA", "linear CKA", ends=(0.1, 1))
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
