"""What our own claims need of the answers to model-vs-human; the chapters on Klein et al. compute all else."""

import pandas as pd

from erralign.datasets import model_vs_human as source
from erralign_book import cells
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import lead

ANSWERS = list(source.KEYS)


def sound_models() -> list[str]:
    """Return the models whose files are complete, above chance and no copies."""
    files = cells.table("klein2025/model_files")
    return list(files.loc[files["verdict"] == "sound", "system"])


@frozen(inputs=ANSWERS)
def behind_people() -> pd.DataFrame:
    """Return how far each sound model is behind people under each strength of noise, of low contrast and of blur."""
    rows = []
    for data_set in ("contrast", "low-pass", "uniform-noise"):
        responses = source.read(data_set)
        right = responses.answers.eq(responses.truth, axis=0)
        for condition, part in right.groupby(level="condition", sort=False):
            people = part.filter(like="subject-").mean(axis=1)
            for model in sound_models():
                over = lead((people - part[model]).groupby(level="image").mean())
                row = {"data_set": data_set, "condition": condition, "group": model, "accuracy": part[model].mean()}
                rows.append(row | over)
    return pd.DataFrame(rows).drop(columns="n").rename(columns={"value": "behind"})
