"""Tables 7 to 19 as printed, in one long form."""

import pandas as pd

from erralign_book.papers.typed import published

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
    meaning = pd.DataFrame(
        [meaning_of(*head) for head in heads.itertuples(index=False)],
        columns=["domain", "test", "score", "data", "network"],
        index=heads.index,
    )
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
