"""What the benchmark's own repository prints of models whose answers are public."""

from __future__ import annotations

import pandas as pd

from erralign_book.papers.klein2025.answers import accuracies
from erralign_book.papers.klein2025.ranks import ranking

# bethgelab/model-vs-human at 79ed7cd: the first three from README.md, which has only an accuracy of Noisy Student, the
# others from benchmark_table_humanlike.tex and benchmark_table_accuracy.tex in latex-report/assets.
PRINTED = {
    "clip": ("0.281", "0.708"),
    "efficientnet_l2_noisy_student_475": ("", "0.829"),
    "resnet50 (swag)": ("0.208", "0.559"),
    "simclr_resnet50x1": ("0.179", "0.596"),
    "bagnet33": ("0.137", "0.398"),
}


def benchmark_scores() -> pd.DataFrame:
    """Set the scores that the benchmark's repository prints beside ours."""
    every = accuracies()
    models = every[every["used"] & every["system"].isin(list(PRINTED))]
    accuracy = models.groupby(["system", "data_set"])["accuracy"].mean().groupby("system").mean()
    ec = ranking().query("models == 'sound'").set_index("system")["EC"]
    printed = pd.DataFrame(PRINTED, index=["EC printed", "accuracy printed"]).T
    table = printed.assign(EC=ec.reindex(printed.index), accuracy=accuracy.reindex(printed.index))
    return table[["EC printed", "EC", "accuracy printed", "accuracy"]]
