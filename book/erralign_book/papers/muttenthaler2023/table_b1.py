"""Table B.1 as printed, and the parts of it that the paper's figures draw."""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import pearsonr

from erralign.measures.matrix import percentile_limits
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import printed_form, published

PRINTED = {"ImageNet": "imagenet", "Zero-Shot": "zero_shot", "Probing": "probing"}
SCORES = ("zero_shot", "probing")
SELF, LARGE = "self-supervised", "image and text, or JFT"


@cache
def networks() -> pd.DataFrame:
    """Return the networks of Table B.1, in its order; names that are equal in print say what tells them apart."""
    return pd.read_csv(Path(__file__).with_name("table-b1.csv"), index_col="model")


def table_b1(*, melted: bool = False) -> pd.DataFrame:
    """Return the printed table, as far as it can be read."""
    facts = networks()
    rows = published().query("paper == 'muttenthaler2023' and item == 'Table B.1' and printed != ''")
    read = rows.pivot(index="row", columns="column", values="printed").astype(float).rename(columns=PRINTED)
    table = facts[["source", "architecture", "data", "objective", "parameters"]]
    table = table.assign(group=facts.apply(_group, axis=1))
    table["imagenet"] = read["imagenet"].reindex(facts.index).fillna(facts["imagenet"])
    for score in SCORES:
        table[score] = read[score].reindex(facts.index)
        if melted:
            table[score] = table[score].fillna(facts[f"melted_{score}"])
    return table


def panels(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the parts of the table that the panels of Figures 2 and E.3 show."""
    drawn = table.dropna(subset="imagenet")
    return {
        "all networks": drawn,
        "objectives": drawn[drawn["source"] == "Kornblith et al., 2021"],
        "architectures": drawn[drawn["source"] == "Kornblith et al., 2019b"],
        "self-supervised": drawn[drawn["objective"].str.startswith("Self-sup.")],
        "image and text": drawn[drawn["objective"].str.startswith("Image/Text")],
        "sizes": table[table["parameters"].notna() & (table["data"] == "ImageNet-1K") & (table["group"] != SELF)],
    }


def _group(facts: pd.Series) -> str:
    if facts["objective"].startswith("Self-sup."):
        return SELF
    if facts["objective"].startswith("Image/Text") or facts["data"] == "JFT-3B":
        return LARGE
    return "ViT, ImageNet" if facts["architecture"] == "ViT" else "CNN, ImageNet or Ecoset"


# ---- what the printed Table B.1 says of the paper's claims --------------------------------------------------------


DRAWS = 10_000
LINES = {False: "legible", True: "with melted lines"}


@frozen(inputs=[])
def imagenet_correlations() -> pd.DataFrame:
    """Return how accuracy on ImageNet goes with both accuracies on triplets, by panel of Figures 2 and E.3."""
    parts = [
        {"lines": lines, "panel": panel, "score": score} | _correlated(part.dropna(subset=score), score)
        for melted, lines in LINES.items()
        for panel, part in list(panels(table_b1(melted=melted)).items())[:-1]
        for score in SCORES
    ]
    return pd.DataFrame(parts)


def _correlated(part: pd.DataFrame, score: str) -> dict[str, float]:
    found = pearsonr(part["imagenet"], part[score])
    limits = found.confidence_interval()
    return {"networks": len(part), "r": found.statistic, "low": limits.low, "high": limits.high}


@frozen(inputs=[], settings=tuple(product(SCORES, ("networks", "sources"))), by="score drawn")
def limits_by_unit(setting: tuple[str, str]) -> pd.DataFrame:
    """Return intervals for the correlation over all networks, by what is drawn again."""
    score, drawn = setting
    table = table_b1().dropna(subset=["imagenet", "zero_shot", "probing"])
    codes = np.arange(len(table)) if drawn == "networks" else pd.factorize(table["source"])[0]
    rng, n_units = np.random.default_rng(0), int(codes.max()) + 1
    weights = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=DRAWS)[:, codes].astype(float)
    x, y = table["imagenet"].to_numpy(), table[score].to_numpy()
    low, high, _ = percentile_limits(_weighted_correlations(weights, x, y), 0.95)
    r = _weighted_correlations(np.ones((1, len(x))), x, y)
    return pd.DataFrame({"units": n_units, "r": r, "low": low, "high": high})


def _weighted_correlations(weights: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    share = weights / weights.sum(axis=1, keepdims=True)
    mean_x, mean_y = share @ x, share @ y
    covariance = share @ (x * y) - mean_x * mean_y
    return covariance / np.sqrt((share @ x**2 - mean_x**2) * (share @ y**2 - mean_y**2))


@frozen(inputs=[])
def spreads() -> pd.DataFrame:
    """Return how far accuracies lie apart among architectures and among objectives, each with the rest alike."""
    every = {name: part.dropna(subset=SCORES) for name, part in panels(table_b1()).items()}
    both = {name: every[name] for name in ("architectures", "objectives")}
    sizes = {name: {"varied": name, "networks": len(part)} for name, part in both.items()}
    return pd.DataFrame(sizes[name] | part[["imagenet", *SCORES]].std().to_dict() for name, part in both.items())


@frozen(inputs=[])
def sizes() -> pd.DataFrame:
    """Return how the number of parameters goes with accuracy on triplets, within families of networks."""
    part = panels(table_b1(melted=True))["sizes"].dropna(subset=SCORES)
    rows = []
    for (source, architecture), family in part.groupby(["source", "architecture"], sort=False):
        if len(family) > 2:
            found = family[[*SCORES]].corrwith(family["parameters"], method="spearman")
            rows.append({"family": f"{architecture} ({source})", "networks": len(family), **found})
    return pd.DataFrame(rows)


@frozen(inputs=[])
def gains() -> pd.DataFrame:
    """Return what the linear probe adds, by how and on what a network was trained."""
    table = table_b1().dropna(subset=SCORES).assign(gain=lambda each: each["probing"] - each["zero_shot"])
    groups = table.groupby(table["group"].where(table["data"] != "Ecoset", "CNN, Ecoset"), sort=False)
    means = groups[["zero_shot", "probing", "gain"]].mean()
    ends = {"lowest": groups["probing"].min(), "highest": groups["probing"].max()}
    return means.assign(networks=groups.size(), **ends).reset_index()


# ---- our numbers in the rows and columns as printed ---------------------------------------------------------------


RESPONSES = 1460  # thousands


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed item, in the rows and columns as printed."""
    return printed_form(_counts() + _folds() if item == "text" else [])


def _counts() -> list[tuple[str, str, float]]:
    every = table_b1()
    lowest = every.loc[every["group"] == LARGE, "probing"].min()
    return [
        ("image/text and JFT models", "lowest probing accuracy in %", lowest),
        ("Ecoset", "networks", (every["data"] == "Ecoset").sum()),
        ("Kornblith et al. 2019b", "networks", (every["source"] == "Kornblith et al., 2019b").sum()),
    ]


def _folds() -> list[tuple[str, str, float]]:
    """Return how many triplets have all three objects on one side of a split of the objects."""
    shares = {"three": (2 / 3, 1 / 3), "four": (3 / 4, 1 / 4)}
    return [
        (f"{folds} folds", f"{side} triplets in thousands", RESPONSES * share**3)
        for folds, both in shares.items()
        for side, share in zip(("train", "test"), both, strict=True)
    ]
