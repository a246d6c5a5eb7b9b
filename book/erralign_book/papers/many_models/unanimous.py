"""On which questions do all models choose one wrong option?"""

from __future__ import annotations

import pandas as pd

from erralign_book.papers.frozen import frozen
from erralign_book.papers.many_models.together import MODELS, models, most_frequent_wrong, questions

# What we thought of them when we read them, knowing what the models had said, and without experts. Two questions
# occur twice: 6493 and 6494, 6674 and 6675.
VERDICTS = {
    "the key is wrong": [6224, 9547, 10458, 11005, 11578],
    "the models' option is at least as good": [2240, 2595, 6493, 6494, 10397],
    "we cannot tell": [684, 2114, 2227, 6674, 6675, 10930],
    "the key is right": [2441, 5995],
}
TWICE = [6494, 6675]


@frozen(inputs=MODELS)
def unanimous() -> pd.DataFrame:
    """Return the questions on which all models that could be read, at least half, chose the same wrong option."""
    top, n_read = most_frequent_wrong(models())
    chosen = (top == n_read) & (n_read >= models().answers.shape[1] / 2)
    items = models().truth.index[chosen]
    return questions().loc[items].assign(n_read=n_read[chosen]).rename_axis("item").reset_index()
