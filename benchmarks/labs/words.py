"""Does a head on features of text learn which wrong option students choose, on questions that it has not met?"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy.special import log_softmax
from scipy.stats import t

from benchmarks.labs.features_of_things import NEEDS, sentence_features
from erralign.datasets import naep
from erralign_book.cells import frozen
from erralign_book.simulations.labs import conditional_head

SMALL = ["Llama-3.2-1B", "Qwen2.5-0.5B"]  # about as accurate as students
HEAD, SHUFFLED = "head on MiniLM", "its control, shuffled"
LONGEST, NEAREST = "the longest wrong option", "the wrong option most like the right one"
FIRST = "always the first wrong option"
RIVALS = (HEAD, SHUFFLED, LONGEST, NEAREST, FIRST, *SMALL)
PENALTIES = (0.3, 0.1, 0.03, 0.01, 0.003)
N_FOLDS, DIVISIONS = 10, 20
FINDS, SHARE, AHEAD = "finds the favourite", "of those who failed", "finds more than the most alike"


@cache
def _questions() -> dict[str, np.ndarray]:
    """Return for each question its three wrong options: features, what share of those who failed chose each, words."""
    parts = []
    for subject in naep.SUBJECTS:
        students, texts = naep.students(subject), naep.texts(subject)
        shares = students.shares.groupby("item", sort=False).first()  # of the youngest grade
        parts.append(texts.join(shares.set_axis([f"share {k}" for k in range(4)], axis=1)).assign(subject=subject))
    table = pd.concat(parts)
    truth, n = table["truth"].to_numpy(), len(table)
    wrong = np.stack([np.delete(np.arange(4), right) for right in truth])
    options = np.array(table["options"].to_list())
    said = _features(options.ravel().tolist()).reshape(n, 4, -1)
    asked = _features(table["stem"].to_list())[:, None]
    own, right = np.take_along_axis(said, wrong[..., None], 1), said[np.arange(n), truth][:, None]
    chosen = np.take_along_axis(table[[f"share {k}" for k in range(4)]].to_numpy(), wrong, 1)
    lengths = np.vectorize(len)(np.take_along_axis(options, wrong, 1))
    like = (own * right).sum(-1)
    plain = np.stack([np.log(lengths), like, (own * asked).sum(-1)], axis=-1)
    return {
        "features": np.concatenate([own, own * right, own * asked, plain - plain.mean(axis=1, keepdims=True)], axis=-1),
        "shares": chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1e-9),
        "group": np.array(
            [item[:7] if s == "reading" else item for item, s in zip(table.index, table["subject"], strict=True)]
        ),
        "lengths": lengths,
        "like": like,
        "wrong": wrong,
        "subject": table["subject"].to_numpy(),
    }


def _features(texts: Sequence[str]) -> np.ndarray:
    """Return features of texts, a hundred of about one length at a time: each is padded to the longest."""
    order = np.argsort([len(each) for each in texts])
    parts = np.array_split(order, len(order) // 100 + 1)
    rows = np.concatenate([sentence_features([texts[at] for at in part]) for part in parts])
    return rows[np.argsort(order)]


def _predicted(given: dict[str, np.ndarray], shares: np.ndarray, division: int) -> np.ndarray:
    """Return the logits for questions of heads trained on others, none of the same set of reading questions."""
    fold = _folds(given["group"], division)
    found = np.empty(shares.shape)
    for each in range(N_FOLDS):
        train = np.flatnonzero(fold != each)
        inner = _folds(given["group"][train], 1)
        best = min(PENALTIES, key=lambda penalty: _loss(given, shares, train, inner, penalty))
        found[fold == each] = given["features"][fold == each] @ conditional_head(
            given["features"][train], shares[train], best
        )
    return found


def _loss(given: dict, shares: np.ndarray, train: np.ndarray, inner: np.ndarray, penalty: float) -> float:
    test, rest = train[inner == 0], train[inner != 0]
    w = conditional_head(given["features"][rest], shares[rest], penalty)
    return float(-(shares[test] * log_softmax(given["features"][test] @ w, axis=1)).sum())


def _folds(group: np.ndarray, seed: int) -> np.ndarray:
    names, codes = np.unique(group, return_inverse=True)
    return np.random.default_rng(seed).permutation(np.arange(len(names)) % N_FOLDS)[codes]


@frozen(
    "labs/tempted",
    inputs=[naep.PSYCHOMETRICS],
    needs=NEEDS,
    slow=True,
    rtol=5e-2,
    settings=RIVALS,
    spot=(LONGEST, NEAREST, FIRST),
    by=["system"],
)
def tempted(system: str) -> pd.DataFrame:
    """Return how often a system finds the wrong option that students choose most, and what share of them chose its."""
    given = _questions()
    shares = given["shares"]
    if system in (HEAD, SHUFFLED):
        dealt = np.random.default_rng(0).permutation(len(shares))
        taught = shares if system == HEAD else shares[dealt]
        chosen = np.stack([_predicted(given, taught, division).argmax(axis=1) for division in range(DIVISIONS)])
    elif system in SMALL:
        each = np.concatenate([naep.probabilities(subject, system) for subject in naep.SUBJECTS])
        chosen = np.take_along_axis(each, given["wrong"], 1).argmax(axis=1)[None]
    elif system == FIRST:
        chosen = np.zeros((1, len(shares)), int)
    else:
        chosen = given["lengths" if system == LONGEST else "like"].argmax(axis=1)[None]
    share, found = _found(shares, chosen)
    ahead = found - _found(shares, given["like"].argmax(axis=1)[None])[1]
    rows = []
    for subject in ("all", *naep.SUBJECTS):
        its = np.full(len(found), True) if subject == "all" else given["subject"] == subject
        for what, of in ((FINDS, found), (SHARE, share), (AHEAD, ahead)):
            rows.append({"subject": subject, "what": what} | _mean(of[its], given["group"][its]))
    return pd.DataFrame(rows)


def _found(shares: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each question what share chose a system's option, and whether it is the favourite, of two each half.

    ``chosen`` has a row per division into training and exam, over which both are means.
    """
    share, most = np.take_along_axis(shares, chosen.T, 1), shares.max(axis=1, keepdims=True)
    favourite = (share == most) / (shares == most).sum(axis=1, keepdims=True)
    return share.mean(axis=1), favourite.mean(axis=1)


def _mean(values: np.ndarray, group: np.ndarray) -> dict[str, float]:
    """Return a mean over questions, with limits over passages."""
    _, codes = np.unique(group, return_inverse=True)
    sums = np.bincount(codes, values - values.mean())
    m = len(sums)
    half = t.ppf(0.975, m - 1) * np.sqrt(m / (m - 1) * (sums**2).sum()) / len(values)
    return {"value": values.mean(), "low": values.mean() - half, "high": values.mean() + half}
