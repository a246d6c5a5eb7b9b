"""What the printed tables say of each other, and of the paper's sentences about them."""

import numpy as np
import pandas as pd

from erralign_book.papers.klabunde2024.results import TESTS, results
from erralign_book.papers.typed import published

# The columns of Table 3, and what stands there of each domain: all its columns agree with these, and with no others.
HEADS = "Acc Correlation, JSD Correlation, Random Labels, Shortcut Affinity, Augmentation, Layer Monotonicity"
OVERVIEW = dict(zip(HEADS.split(", "), TESTS, strict=True))
DOMAINS = {"Graph": "graphs", "Lang.": "language", "Vision": "vision"}
SHOWN = {("Flickr", "SAGE"), ("MNLI", "BERT"), ("ImageNet100", "RNet18")}
HALF_A_DIGIT = 0.005 + 1e-9  # the tables have two digits
BY = ["table", "domain", "test", "data", "network", "measure"]


def overview() -> pd.DataFrame:
    """Set Table 3 beside the tables that it is taken from."""
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
    """Return one score per test, the one that the paper's overview takes."""
    every = results()
    return every[every["score"] == every["test"].map(TESTS)]


def places() -> pd.DataFrame:
    """Return the place of each measure in its domain, by each defensible way to sum up its ranks.

    The test of outputs has two scores, and the paper's Figure 2 may count one of them or both.
    """
    every = results()
    outputs = every[every["test"] == "output difference"]
    rest = main_scores().query("test != 'output difference'")
    kinds = {"JSD": ["JSD"], "disagreement": ["Disagreement"], "both": ["JSD", "Disagreement"]}
    parts = [
        _places(pd.concat([rest, outputs[outputs["score"].isin(kept)]]), ties, centre).assign(
            outputs=kind, ties=ties, centre=centre
        )
        for kind, kept in kinds.items()
        for ties in ("average", "min")
        for centre in ("median", "mean")
    ]
    return pd.concat(parts, ignore_index=True)


def _places(scores: pd.DataFrame, ties: str, centre: str) -> pd.DataFrame:
    settings = scores.groupby(["domain", "test", "score", "data", "network"])["value"]
    ranked = scores.assign(rank=settings.rank(ascending=False, method=ties))
    centres = ranked.groupby(["domain", "measure"])["rank"].agg(centre).dropna()
    by_domain = centres.groupby("domain")
    place, of = by_domain.rank(method="min"), by_domain.transform("size")
    return pd.DataFrame({"place": place, "of": of}).reset_index()


def perfect_scores() -> pd.DataFrame:
    """Return what stands under "Conformity Rate" where AUPRC (in the layer test: Spearman) is 1."""
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
    """Rank the measures in every test, data set and network, as the paper's Figure 2 does, and sum up by domain."""
    scores = main_scores()
    settings = scores.groupby(["domain", "test", "data", "network"])["value"]
    ranked = scores.assign(rank=settings.rank(ascending=False)).dropna(subset="rank")
    parts = ranked.groupby(["domain", "measure"])["rank"]
    quartiles = {name: parts.quantile(q) for name, q in {"lower": 0.25, "median": 0.5, "upper": 0.75}.items()}
    table = pd.DataFrame({"settings": parts.size()} | quartiles).reset_index()
    return table.sort_values(["domain", "median", "lower", "upper", "measure"], ignore_index=True)
