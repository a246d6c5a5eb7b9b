"""What the printed Table B.1 says of the paper's claims."""

import numpy as np
import pandas as pd
from scipy.stats import levene, pearsonr

from erralign.measures.limits import percentile_limits
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.table_b1 import SCORES, panels, table_b1

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


@frozen(inputs=[])
def limits_by_unit() -> pd.DataFrame:
    """Return intervals for the correlation over all networks, by what is drawn again."""
    table = table_b1().dropna(subset=["imagenet", "zero_shot", "probing"])
    units = {"networks": np.arange(len(table)), "sources": pd.factorize(table["source"])[0]}
    return pd.DataFrame(
        [
            {"score": score, "drawn": drawn, "units": int(codes.max()) + 1} | _drawn_again(table, score, codes)
            for score in SCORES
            for drawn, codes in units.items()
        ]
    )


def _drawn_again(table: pd.DataFrame, score: str, codes: np.ndarray) -> dict[str, float]:
    rng, n_units = np.random.default_rng(0), int(codes.max()) + 1
    weights = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=DRAWS)[:, codes].astype(float)
    x, y = table["imagenet"].to_numpy(), table[score].to_numpy()
    low, high, _ = percentile_limits(_weighted_correlations(weights, x, y), 0.95)
    return {"r": _weighted_correlations(np.ones((1, len(x))), x, y)[0], "low": low, "high": high}


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
    columns = ("imagenet", *SCORES)
    tests = {f"p_{score}": levene(*(part[score] for part in both.values())).pvalue for score in columns}
    return pd.DataFrame(
        [
            {"varied": name, "networks": len(part)} | part[list(columns)].std().to_dict() | tests
            for name, part in both.items()
        ]
    )


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
    return means.assign(
        networks=groups.size(), lowest=groups["probing"].min(), highest=groups["probing"].max()
    ).reset_index()
