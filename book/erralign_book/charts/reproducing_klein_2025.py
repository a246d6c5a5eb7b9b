"""Charts of Klein et al. (2025), a benchmark: its ranking with intervals, and what this ranking can tell apart."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from erralign.plot.colours import BLACK, GREY, INK, LEVELS, PAPER
from erralign.plot.grammar import Plot, entitle, names, numbers
from erralign.plot.systems import ROW
from erralign.plot.theme import BAND, WHOSE, colour, legend
from erralign_book.charts.grammar import beside_each_other, heaps, labels_if, quantile_dots
from erralign_book.charts.looks import ACCURACIES, TOLD_APART, cases, colour_of_correlations

DOTS, STEP, HEAP = 50, 0.05, 90  # of accuracies: dots, between two heaps, pixels of a row
PANEL, NAMED = 168, alt.expr("datum.n_trials > 100 ? 4 : 13")  # of Figure 6: pixels across, and down to names of bands
# Accuracies of both systems in Figure 6.
PANELS = {"pooled": "five accuracies pooled", "0.5": "both right on 50 %", "0.95": "both right on 95 %"}
CORRECTED = "paired test, corrected for all pairs"
# What the files of answers call the models, and what a reader may know them by.
MODELS = {
    "bagnet9": "BagNet-9",
    "bagnet33": "BagNet-33",
    "clip": "CLIP",
    "clip_14": "CLIP 14",
    "clip_16": "CLIP 16",
    "convnext_base": "ConvNeXt base",
    "convnext_large": "ConvNeXt large",
    "dino_v8": "DINO v8",
    "efficientnet_l2_noisy_student_475": "Noisy Student",
    "mlp_mixer": "MLP-Mixer",
    "mlp_mixer_l": "MLP-Mixer large",
    "resnet50 (swag)": "ResNet-50",
    "resnet50_trained_on_SIN": "ResNet-50 (SIN)",
    "resnet50_trained_on_SIN_and_IN": "ResNet-50 (SIN, IN)",
    "resnet50_trained_on_SIN_and_IN_then_finetuned_on_IN": "ResNet-50 (both, then IN)",
    "shufflenet_test": "ShuffleNet",
    "simclr_resnet50x1": "SimCLR ResNet-50",
    "swag_regnety_128gf_in1k": "SWAG RegNetY 128",
    "swag_regnety_16gf_in1k": "SWAG RegNetY 16",
    "swag_regnety_32gf_in1k": "SWAG RegNetY 32",
    "swag_vit_b16_in1k": "SWAG ViT base",
    "swag_vit_h14_in1k": "SWAG ViT huge",
    "swag_vit_l16_in1k": "SWAG ViT large",
    "swin_base": "Swin base",
    "swin_large": "Swin large",
}
# Which correlation, its column and that of its p-value.
CORRELATIONS = {"Kendall's tau, as in the code": ("tau", "p_kendall"), "Spearman's r, as in the caption": ("r", "p")}


def with_names(table: pd.DataFrame) -> pd.DataFrame:
    """Name the models of a table as readers know them."""
    return table.replace(dict.fromkeys(table.filter(like="system"), MODELS))


def accuracy_differences(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw by how much the accuracies of those who are compared with people differ from these people's."""
    gap = (pairs["accuracy"] - pairs["accuracy of people"]).groupby(pairs["kind"])
    named = {"human-human": "a person", "model-human": "a model"}
    shown = pd.concat(quantile_dots(each, DOTS, STEP).assign(kind=kind, system=named[kind]) for kind, each in gap)
    signed = "datum.value ? format(datum.value, '+.1f') : '0'"
    x = numbers("value", "accuracy minus that of the people", ends=(-0.7, 0.55), labelExpr=signed)
    rows = heaps("system", [*named.values()], HEAP, shown["level"].max() + 1)
    looks = dict(zip(named.values(), (WHOSE["people"], WHOSE["networks"]), strict=True))
    plot = Plot(shown, x, {"shorthand": "system:N"}, look=("system", looks), columns=0)
    dots = alt.Chart(shown).mark_point(filled=True, size=20, opacity=1).encode(alt.X(**x), **plot.shape, **rows)
    about = f"Differences in accuracy from people, {len(pairs)} comparisons by condition."
    words = f"each mark: {100 // DOTS} % of the comparisons with people in one condition; dashed: equal accuracies"
    return plot.dashed(0, strokeWidth=1).draw(dots).done(title, about, 2 * HEAP, words)


def limits_by_mismatch(limits: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw which error consistencies are possible, by the difference of the accuracies."""
    x = numbers("mismatch", "accuracy of B minus accuracy of A", scale={"domain": [-1.1, 1]})
    y = numbers("low", "possible error consistency", ends=(-1.15, 1))
    hover = ["accuracy", "mismatch", "low", "high"]
    looks = cases(limits["accuracy"], ACCURACIES[1::3])
    plot = Plot(limits.round(3), x, y, look=("accuracy", looks), columns=0).level(0, strokeWidth=1)
    plot.draw(plot.base().mark_area(opacity=BAND).encode(**plot.colour, y2="high:Q"))
    lines = [plot.base(y=end).mark_line(strokeWidth=2).encode(**plot.colour, tooltip=hover) for end in ("low", "high")]
    named = lowest(limits)
    named = named.assign(name=[f"A right on {100 * float(share):.0f} %" for share in named["accuracy"]])
    plot.draw(*lines).words("name", named, align="left", dy=13, color=INK)
    about = "Lowest and highest possible error consistency against the difference of two accuracies."
    words = "shaded: the EC that a system B can have with a system A"
    return plot.done(title, about, 280, words)


def lowest(limits: pd.DataFrame) -> pd.DataFrame:
    """Return of each accuracy the row with the lowest limit."""
    return limits.loc[limits.groupby("accuracy", sort=False)["low"].idxmin()]


def told_apart(differences: pd.DataFrame) -> alt.LayerChart:
    """Draw which pairs of ranked models a test tells apart, with a choice of the test."""
    tests = {
        "intervals do not overlap": ~differences["overlap"],
        "paired test, p at most 0.05": differences["p"] <= 0.05,
        CORRECTED: differences["p_holm"] <= 0.05,
    }
    counts = {name: int(found.sum()) for name, found in tests.items()}
    bare: Any = {"labelAngle": 0, "labelOverlap": True, "labelSeparation": 3, "grid": False}
    x = names("other:O", None, "rank of the other model", **bare)
    y = names("model", alt.SortField("rank_a"), labelLimit=165, labelFontSize=11, grid=False)
    hover = ["system_a", "system_b", "difference", "p", "p_holm", "found"]
    plot = Plot(_judged(differences, tests), x, y, hover=hover, where="datum.test === test")
    outlined = legend(symbolStrokeColor=GREY, symbolStrokeWidth=1)  # one of the tiles has nearly the page's colour
    plot.tiles(colour("found", TOLD_APART, legend=outlined), stroke=PAPER, strokeWidth=0.5)
    plot.menu("test", tests, CORRECTED, "judged by")
    overlap, paired, corrected = counts.values()
    title = f"Of {len(differences)} pairs of models, {paired} are told apart by a paired test, {corrected} corrected, "
    about = f"Pairs of models told apart: {'; '.join(f'{name}, {count}' for name, count in counts.items())}."
    words = "each row: a model, by rank, beside all that rank below it"
    return plot.done(f"{title}and {overlap} by overlap", about, 22 * ROW, words)


def _judged(differences: pd.DataFrame, tests: dict[str, pd.Series]) -> pd.DataFrame:
    shown = with_names(differences).round(4)
    first, second = (shown[rank].astype(int) + 1 for rank in ("rank_a", "rank_b"))
    shown = shown.assign(model=first.astype(str) + " " + shown["system_a"], other=second)
    return pd.concat(shown.assign(test=name, found=np.where(found, *TOLD_APART)) for name, found in tests.items())


def rank_correlations(pairs: pd.DataFrame, title: str) -> alt.LayerChart:
    """Draw how far pairs of data sets rank the models alike, as a triangle, with a choice of the correlation."""
    order = list(pd.unique(pairs[["data_set_a", "data_set_b"]].to_numpy().ravel("F")))
    named = pairs[["data_set_a", "data_set_b"]]
    shown = pd.concat(
        named.assign(correlation=name, r=pairs[value], p=pairs[p]) for name, (value, p) in CORRELATIONS.items()
    )
    x = names("data_set_a", order, labelAngle=-90, labelFontSize=11, grid=False)
    y = names("data_set_b", order, labelFontSize=11, grid=False)
    hover = ["data_set_a", "data_set_b", "correlation", "r", "p"]
    plot = Plot(shown.round(3), x, y, hover=hover, where="datum.correlation === correlation")
    plot.tiles(colour_of_correlations("rank correlation"))
    plot.where += " && datum.p > 0.05"
    plot.points(28, shape="cross", color=INK).menu("correlation", CORRELATIONS, next(iter(CORRELATIONS)), "correlation")
    about = f"Rank correlations of {len(pairs)} pairs of data sets, by Kendall and by Spearman."
    return plot.done(title, about, 22 * len(order), "crosses: p above 0.05, uncorrected")


def offset_by_consistency(offsets: pd.DataFrame, title: str) -> alt.ConcatChart:
    """Draw how far measured error consistency lies from the true one, by the true one (Klein et al., Figure 6)."""
    ends = offsets[["low", "high"]].sub(offsets["EC"], axis=0)
    shown = offsets[["n_trials", "accuracy", "EC"]].join(ends).round(4).sort_values(["n_trials", "EC"])
    looks = alt.Color("n_trials:O", scale=alt.Scale(range=list(LEVELS[::2])), legend=None)
    panels: list[alt.LayerChart] = []
    for accuracy, name in PANELS.items():
        rows, first = shown[shown["accuracy"] == accuracy], not panels
        y = numbers("low", "measured minus true EC", ends=(-0.55, 0.42), labelExpr=labels_if(first=first))
        plot = Plot(rows, numbers("EC", "true EC"), y if first else y | {"title": None})
        bands = plot.base().mark_area(opacity=1, line=False)
        bands = bands.encode(looks, y2="high:Q", tooltip=["n_trials", "EC", "low", "high"])
        above = rows[rows["EC"] == 0].assign(name=lambda rows: rows["n_trials"].map("{:,} trials".format))
        widest = rows.loc[(rows["high"] - rows["low"]).groupby(rows["n_trials"]).idxmax()]
        plot.draw(bands).dashed(0).spans(along="y", data=widest, color=BLACK, strokeWidth=4)
        plot.words("name", above, y="high", align="left", baseline="top", dx=6, dy=NAMED, color=PAPER)
        panels.append(plot.drawn().properties(width=PANEL, height=330, title=name))
    about = "Bands that hold 95 % of the differences between measured and true error consistency, against the true one."
    words = "each band: 95 % of experiments, at the six values of EC in the paper; line: where it is widest"
    return entitle(beside_each_other(panels, len(panels)), title, about, subtitle=words)
