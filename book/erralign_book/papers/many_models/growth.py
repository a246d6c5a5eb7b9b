"""Do more accurate models agree more on wrong answers, also where questions are equally hard?

A cell is a question that both models of a pair got wrong. Within a stratum of cells, their agreement above chance is
regressed on the pair's mean accuracy. What a stratum is holds difficulty fixed: all cells (not at all), cells with
equally many of the other models wrong, or the cells of one question.
"""

from functools import cache

import numpy as np
import pandas as pd

from erralign.datasets.mmlu_pro import OLD, OTHERS
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import Lead, summed, variance_of
from erralign_book.papers.many_models import together

# The slope is given for this difference in accuracy.
TEN_POINTS = 0.1
# One model per maker and generation: others are trained further from it, smaller, or its near copies.
DISTINCT = (
    "Llama-2-70b-hf", "Meta-Llama-3_1-70B-Instruct", "Meta-Llama-3_1-8B", "Mistral-7B-v0.1",
    "Mixtral-8x7B-Instruct-v0.1", "mathstral-7B", "Phi-3-mini-4k-instruct", "Qwen1.5-110B", "Qwen1.5-7B-Chat", "Yi-34B",
    "Yi-6B", "c4ai-command-r-v01", "gemini-1.5-pro-002", "gemma-7b", "jamba-1.5-large",
)  # fmt: skip
APART = f"{OLD} less {OTHERS}"


@cache
def _cells() -> pd.DataFrame:
    responses = together.models()
    said, solved = responses.answers.to_numpy(), together.right(responses)
    wrong, n_wrong = ~solved & (said >= 0), (~solved).sum(axis=1)
    by_chance, accuracy = 1 / (np.asarray(responses.options) - 1), solved.mean(axis=0)
    parts = []
    for a, b in zip(*np.triu_indices(said.shape[1], 1), strict=True):
        item = np.flatnonzero(wrong[:, a] & wrong[:, b])
        above = ((said[item, a] == said[item, b]) - by_chance[item]) / (1 - by_chance[item])
        facts = {"first": a, "second": b, "accuracy": (accuracy[a] + accuracy[b]) / 2}
        parts.append(pd.DataFrame({"item": item, "above": above, "others": n_wrong[item] - 2} | facts))
    return pd.concat(parts, ignore_index=True).astype(dict.fromkeys(("item", "others", "first", "second"), np.int32))


def slope(cells: pd.DataFrame, stratum: np.ndarray, n_items: int = 0) -> tuple[float, np.ndarray]:
    """Return the slope of agreement on accuracy within strata, and by how much each question moves it."""
    sizes = np.maximum(np.bincount(stratum), 1)
    x, y = (
        values - (np.bincount(stratum, values) / sizes)[stratum]
        for values in (cells["accuracy"].to_numpy(), cells["above"].to_numpy())
    )
    found = x @ y / (x @ x)
    return found, np.bincount(cells["item"], x * (y - found * x), n_items) / (x @ x)


def _slopes(cells: pd.DataFrame, fixed: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the slopes for all sources and for each of two, and the difference of these."""
    found = []
    for source in (together.EVERY, OLD, OTHERS):
        part = cells[together.of_source(source)[cells["item"]]]
        strata = part[fixed].to_numpy() if fixed else np.zeros(len(part), int)
        found.append(slope(part, strata, len(together.models().truth)))
    slopes, moved = (TEN_POINTS * np.array(of) for of in zip(*found, strict=True))
    return np.append(slopes, slopes[1] - slopes[2]), np.vstack([moved, moved[1] - moved[2]])


def _grown(cells: pd.DataFrame, fixed: str) -> pd.DataFrame:
    """Return the growth with ten points of accuracy: its standard error over subjects and makers, and over fewer."""
    makers = together.models().systems["family"].to_numpy()
    first, second = makers[cells["first"]], makers[cells["second"]]
    kept = [(first != name) & (second != name) for name in np.unique(makers)]
    slopes, moved = _slopes(cells, fixed)
    without = np.array([_slopes(cells[keep], fixed)[0] for keep in kept])
    rows = [_spread(*each) for each in zip(slopes, moved, without.T, strict=True)]
    return pd.DataFrame(rows).assign(source=[together.EVERY, OLD, OTHERS, APART])


def _spread(value: float, moved: np.ndarray, without: np.ndarray) -> Lead:
    subjects = np.bincount(pd.factorize(together.questions()["category"])[0], moved)
    n = np.count_nonzero(subjects)
    over_subjects = float(n / (n - 1) * subjects @ subjects), float(n - 1)
    return {"value": value} | summed([over_subjects, variance_of(without)])


def _choices() -> dict[str, tuple[pd.DataFrame, str]]:
    """Return, choice by choice, which cells count, and what is the same within a stratum of them."""
    cells, makers = _cells(), together.models().systems["family"].to_numpy()
    two = cells[makers[cells["first"]] != makers[cells["second"]]]
    distinct = together.models().answers.columns.isin(DISTINCT)
    apart = two[distinct[two["first"]] & distinct[two["second"]]]
    missed_by_all = together.right(together.models()).sum(axis=1) == 0
    favourite = together.most_frequent_wrong(together.models())[0] >= len(makers) / 2
    of_both = together.questions().groupby("category")["source"].transform("nunique").to_numpy() == 2
    return {
        "the same question": (two, "item"),
        "as many others wrong": (two, "others"),
        "difficulty not held fixed": (two, ""),
        "the same, two of one maker too": (cells, "item"),
        "the same, missed by all": (two[missed_by_all[two["item"]]], "item"),
        "the same, no near-copies": (apart, "item"),
        "the same, no favourite wrong option": (two[~favourite[two["item"]]], "item"),
        "the same, subjects of both sources": (two[of_both[two["item"]]], "item"),
    }


@frozen(inputs=together.MODELS)
def growth() -> pd.DataFrame:
    """Return by how much MA grows with ten points more of accuracy, by choice and by source of the questions."""
    return pd.concat([_grown(*each).assign(choice=choice) for choice, each in _choices().items()], ignore_index=True)


# ---- on which questions do all models choose one wrong option? ----------------------------------------------------


# What we thought of them when we read them, knowing what the models had said, and without experts. Two questions
# occur twice: 6493 and 6494, 6674 and 6675.
VERDICTS = {
    "the key is wrong": [6224, 9547, 10458, 11005, 11578],
    "the models' option is at least as good": [2240, 2595, 6493, 6494, 10397],
    "we cannot tell": [684, 2114, 2227, 6674, 6675, 10930],
    "the key is right": [2441, 5995],
}
TWICE = [6494, 6675]


@frozen(inputs=together.MODELS)
def unanimous() -> pd.DataFrame:
    """Return the questions on which all models that could be read, at least half, chose the same wrong option."""
    top, n_read = together.most_frequent_wrong(together.models())
    chosen = (top == n_read) & (n_read >= together.models().answers.shape[1] / 2)
    items = together.models().truth.index[chosen]
    return together.questions().loc[items].assign(n_read=n_read[chosen]).rename_axis("item").reset_index()
