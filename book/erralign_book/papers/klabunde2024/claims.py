"""What the printed tables say of each other, and of the paper's sentences about them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign_book.papers.klabunde2024.results import TESTS, results
from erralign_book.papers.typed import published

# The columns of Table 3, and what stands there of each domain: all its columns agree with these, and with no others.
OVERVIEW = dict(
    zip(
        (
            "Acc Correlation",
            "JSD Correlation",
            "Random Labels",
            "Shortcut Affinity",
            "Augmentation",
            "Layer Monotonicity",
        ),
        TESTS,
        strict=True,
    )
)
DOMAINS = {"Graph": "graphs", "Lang.": "language", "Vision": "vision"}
SHOWN = {("Flickr", "SAGE"), ("MNLI", "BERT"), ("ImageNet100", "RNet18")}
HALF_A_DIGIT = 0.005 + 1e-9
BY = ["table", "domain", "test", "data", "network", "measure"]


def overview() -> pd.DataFrame:
    """Set Table 3 beside the tables that it is taken from.

    Returns
    -------
    pandas.DataFrame
        ``measure``, ``test``, ``domain``, ``printed`` (in Table 3, as a number), ``table``, ``data``, ``network``
        (where it should come from), ``there`` (the value there; nan also where the measure has no row), ``agrees``
        (whether that rounds to what Table 3 has, or both are nan).

    Examples
    --------
    >>> bool(overview().set_index(["measure", "domain", "test"]).loc[("IMD", "vision", "layers"), "agrees"])
    True
    """
    rows = published().query("paper == 'klabunde2024' and item == 'Table 3'")
    heads = rows["column"].str.split(", ", expand=True)
    keys = {"measure": rows["row"], "test": heads[0].map(OVERVIEW), "domain": heads[1].map(DOMAINS)}
    above = pd.DataFrame(keys | {"printed": rows["printed"].astype(float)})
    behind = main_scores()
    behind = behind[[pair in SHOWN for pair in zip(behind["data"], behind["network"], strict=True)]]
    places = behind[["table", "test", "domain", "data", "network"]].drop_duplicates()
    there = behind[["measure", "test", "domain", "value"]].rename(columns={"value": "there"})
    both = above.merge(places, on=["test", "domain"]).merge(there, how="left", on=["measure", "test", "domain"])
    near = np.isclose(both["there"], both["printed"], rtol=0, atol=HALF_A_DIGIT, equal_nan=True)
    return both.assign(agrees=near)


def main_scores() -> pd.DataFrame:
    """Return one score per test, the one that the paper's overview takes.

    Returns
    -------
    pandas.DataFrame
        The rows of :func:`results` with AUPRC or a correlation by Spearman; of the test of outputs that with JSD.

    Examples
    --------
    >>> sorted(main_scores()["score"].unique())
    ['AUPRC', 'JSD', 'Spearman']
    """
    every = results()
    return every[every["score"] == every["test"].map(TESTS)]


def perfect_scores() -> pd.DataFrame:
    """Return what stands under "Conformity Rate" where AUPRC (in the layer test: Spearman) is 1.

    An AUPRC of 1 means that every pair in a group is more similar than every pair across groups, so that all
    comparisons conform; a rate of conformity is 1 there, and a rate of violations 0.

    Returns
    -------
    pandas.DataFrame
        ``table``, ``domain``, ``test``, ``perfect`` (cells with a printed score of 1), ``lowest`` and ``highest`` rate
        in these cells, ``rho`` (Spearman's, of score and rate over all cells).

    Examples
    --------
    >>> perfect_scores().set_index("table").loc[[10, 17], ["lowest", "highest"]].to_numpy().tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    every, score = results().set_index(BY), main_scores().set_index(BY)["value"]
    rate = every.loc[every["score"] == "Conformity Rate", "value"]
    both = pd.DataFrame({"score": score, "rate": rate}).reindex(rate.index)
    parts = both.groupby(["table", "domain", "test"], sort=True)
    return pd.DataFrame([dict(zip(parts.keys, name, strict=True)) | _perfect(part) for name, part in parts])


def _perfect(part: pd.DataFrame) -> dict[str, float]:
    rates = part.loc[part["score"] == 1, "rate"]
    rho = part["score"].corr(part["rate"], method="spearman")
    return {"perfect": len(rates), "lowest": rates.min(), "highest": rates.max(), "rho": rho}


def ranks() -> pd.DataFrame:
    """Rank the measures in every test, data set and network, as the paper's Figure 2 does, and sum up by domain.

    Returns
    -------
    pandas.DataFrame
        ``domain``, ``measure``, ``settings`` (in which it has a value), ``lower``, ``median``, ``upper``: quartiles of
        its rank, 1 for the best, ties in the middle; best first. Where a value is nan, a measure has no rank.

    Examples
    --------
    >>> ranks().query("domain == 'graphs'")["measure"].head(1).item()
    '2nd-Cos'
    """
    scores = main_scores()
    settings = scores.groupby(["domain", "test", "data", "network"])["value"]
    ranked = scores.assign(rank=settings.rank(ascending=False)).dropna(subset="rank")
    parts = ranked.groupby(["domain", "measure"])["rank"]
    quartiles = {name: parts.quantile(q) for name, q in {"lower": 0.25, "median": 0.5, "upper": 0.75}.items()}
    table = pd.DataFrame({"settings": parts.size()} | quartiles).reset_index()
    return table.sort_values(["domain", "median", "lower", "upper", "measure"], ignore_index=True)
