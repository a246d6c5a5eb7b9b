"""Tables 7 to 19 as printed, in one long form."""

from itertools import product
from typing import Final

import numpy as np
import pandas as pd

from erralign.measures import OF_REPRESENTATIONS
from erralign_book.papers.tables import published

# The six tests, each with the score by which the paper's overview compares measures.
TESTS = {
    "accuracy difference": "Spearman",
    "output difference": "JSD",
    "random labels": "AUPRC",
    "shortcuts": "AUPRC",
    "augmentation": "AUPRC",
    "layers": "Spearman",
}
LANGUAGE = {
    "Acc Corr., Spearman": ("accuracy difference", "Spearman"),
    "JSD Corr., Spearman": ("output difference", "JSD"),
    "Disagr. Corr., Spearman": ("output difference", "Disagreement"),
    "Random Labels, AUPRC": ("random labels", "AUPRC"),
    "Random Labels, Conformity Rate": ("random labels", "Conformity Rate"),
    "Shortcuts, AUPRC": ("shortcuts", "AUPRC"),
    "Shortcuts, Conformity Rate": ("shortcuts", "Conformity Rate"),
    "Augmentation, AUPRC": ("augmentation", "AUPRC"),
    "Augmentation, Conformity Rate": ("augmentation", "Conformity Rate"),
    "Layer Mono., Conformity Rate": ("layers", "Conformity Rate"),
    "Layer Mono., Spearman": ("layers", "Spearman"),
}
# Table 7 is the first for graphs, Table 13 that for language, Table 14 the first for vision.
FIRST_OF_GRAPHS, OF_LANGUAGE, FIRST_OF_VISION = 7, 13, 14
SAME_MEASURE = {"ShapeMet": "AngShape"}


def results() -> pd.DataFrame:
    """Return the values of Tables 7 to 19, one row per cell."""
    rows = published().query("paper == 'klabunde2024' and kind == 'table'")
    rows = rows.assign(table=rows["item"].str.removeprefix("Table ").astype(int)).query("table >= @FIRST_OF_GRAPHS")
    heads = rows[["table", "column"]].drop_duplicates()
    meanings = [meaning_of(*head) for head in heads.itertuples(index=False)]
    meaning = pd.DataFrame(meanings, heads.index, ["domain", "test", "score", "data", "network"])
    rows = rows.merge(heads.join(meaning), on=["table", "column"])
    rows = rows.assign(measure=rows["row"].replace(SAME_MEASURE), value=rows["printed"].astype(float))
    return rows[["table", *meaning.columns, "measure", "value"]]


def meaning_of(table: int, column: str) -> tuple[str, str, str, str, str]:
    """Say what a column of the printed result tables holds."""
    if table == OF_LANGUAGE:
        head, _, data = column.rpartition(", ")
        return ("language", *LANGUAGE[head], data, "BERT")
    if table >= FIRST_OF_VISION:
        score, _, network = column.rpartition(", ")
        return ("vision", list(TESTS)[table - FIRST_OF_VISION], score, "ImageNet100", network)
    *scores, data, network = column.split(", ")
    score = scores[0].removesuffix(" Correlation") if scores else "Spearman"
    return ("graphs", list(TESTS)[table - FIRST_OF_GRAPHS], score, data, network)


# ---- what the printed tables say of each other, and of the paper's sentences about them ---------------------------


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
    parts = []
    for (kind, kept), ties, centre in product(kinds.items(), ("average", "min"), ("median", "mean")):
        scores = pd.concat([rest, outputs[outputs["score"].isin(kept)]])
        parts.append(_places(scores, ties, centre).assign(outputs=kind, ties=ties, centre=centre))
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


# ---- the families of the 23 measures, by what they look at --------------------------------------------------------


_OF_MODULE: Final = {
    "alignment": "alignment",
    "correlations": "CCA",
    "kernels": "similarity matrix",
    "matrices": "similarity matrix",
    "neighbours": "neighbours",
    "topology": "topology",
    "statistics": "statistics",
}


def families() -> dict[str, str]:
    """Return the family of each measure, as the paper's Table 2 sorts them."""
    order = list(dict.fromkeys(_OF_MODULE.values()))
    modules = {short: each.function.__module__.rpartition(".")[2] for short, each in OF_REPRESENTATIONS.items()}
    found = {short: _OF_MODULE[module] for short, module in modules.items()}
    return dict(sorted(found.items(), key=lambda each: order.index(each[1])))
