"""Our numbers in the rows and columns of the printed tables."""

from itertools import combinations, product

import pandas as pd

from erralign.sources import xu2024 as source
from erralign_book.papers.tables import printed_form
from erralign_book.papers.xu2024.correlated import correlations, global_correlations
from erralign_book.papers.xu2024.pair_scores import BEHAVIOUR, REPRESENTATION, accuracies

OF_TABLE_1 = (*combinations(BEHAVIOUR, 2), *product(["CKA"], BEHAVIOUR))


def table(item: str) -> pd.DataFrame:
    """Return our numbers for one printed table or for the numbers of the text, in the rows and columns as printed."""
    if item == "Table 1":
        return _printed_correlations()[[f"{a} vs {b}" for a, b in OF_TABLE_1]]
    return _text() if item == "text" else _table_with_accuracy(item)


def _printed_correlations() -> pd.DataFrame:
    found = correlations()
    both = pd.concat([found, found.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    both["column"] = both["measure_a"] + " vs " + both["measure_b"]
    wide = both.pivot(index="data_set", columns="column", values="r")
    return wide.loc[source.data_sets().index].set_axis(source.data_sets()["printed"])


def _table_with_accuracy(item: str) -> pd.DataFrame:
    reference = {"Table 2": "CKA", "Table 3": "SOC", "Table 4": "SOCE"}[item]
    others = [measure for measure in (*REPRESENTATION, *BEHAVIOUR) if measure != reference]
    models = accuracies().query("kind == 'model'").groupby("data_set", sort=False)["accuracy"]
    # Population deviation, as printed: these are all models of the study, not a sample of them.
    spread = pd.DataFrame({"mean accuracy": 100 * models.mean(), "accuracy sd": 100 * models.std(ddof=0)})
    spread = spread.set_axis(source.data_sets()["printed"])
    return spread.join(_printed_correlations()[[f"{reference} vs {other}" for other in others]])


def _text() -> pd.DataFrame:
    found = global_correlations().query("pairs == 'model-model' and measure_a == 'EC' and measure_b == 'MA'")
    rows = found["group"] + ", all pairs of models together"
    return printed_form(zip(rows, ["EC vs MA"] * len(found), found["r_global"], strict=True))
