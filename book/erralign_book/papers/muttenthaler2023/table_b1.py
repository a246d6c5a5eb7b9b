"""Table B.1 as printed, and the parts of it that the paper's figures draw."""

from functools import cache
from pathlib import Path

import pandas as pd

from erralign_book.papers.typed import published

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
