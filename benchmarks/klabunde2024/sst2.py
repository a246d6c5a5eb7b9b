"""SST-2: pieces of film reviews, and whether they are favourable."""

import csv
from functools import cache

import pandas as pd

from erralign._validation import check_choice
from erralign.datasets.archives import open_member

SST2 = "awake020/pytorch_Bert_sst2@ce2ab1719d32182e6233b24b2de246bd32814fde"
PARTS = ("train", "dev", "test")


@cache
def sst2(part: str) -> pd.DataFrame:
    """Return one part of SST-2."""
    check_choice("part", part, PARTS)
    # Quotation marks are words here, and do not enclose anything.
    table = pd.read_csv(open_member(SST2, f"SST-2/{part}.tsv"), sep="\t", quoting=csv.QUOTE_NONE, keep_default_na=False)
    table.columns = pd.Index(["label", "sentence"])
    return table.assign(sentence=table["sentence"].str.strip())
