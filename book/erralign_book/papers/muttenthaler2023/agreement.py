"""How often two people choose the same odd one out: what a system's accuracy is to be set beside."""

import numpy as np
import pandas as pd
from scipy.stats import norm

from erralign.resampling.triplets import mean_interval
from erralign.sources import things
from erralign.triplets import odd_one_out
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import Lead
from erralign_book.papers.muttenthaler2023.probing import probing
from erralign_book.papers.muttenthaler2023.zero_shot import noise_ceiling, zero_shot

ENOUGH = 100
OBJECTS = ["first", "second", "third"]
CLIP = "CLIP ViT-B/32"
YARDSTICKS = ("two people, at least", "two people, at most", "the majority")
NORMAL = float(norm.ppf(0.975))


@frozen(inputs=[things.SEMANTIC])
def two_people() -> pd.DataFrame:
    """Return how often two different people choose alike: at least and at most, where only the majority is known."""
    whole = pd.DataFrame([_bounds(), _shared()])
    return whole[["asked", "triplets", "least", "least_low", "most", "most_high", "majority"]]


def _bounds() -> dict:
    table = things.repeated_triplets()
    table = table[table["answers"] >= ENOUGH]
    first = (table["most_frequent"] * table["answers"]).round()
    others = table["answers"] - first
    second = np.minimum(first, others)  # no answer is more frequent than the most frequent one
    evenly = [first, others // 2, others - others // 2]
    return _row("100 people or more", table, evenly, [first, second, others - second])


def _shared() -> dict:
    answers = things.answers_of_people()
    counts = [(answers == place).sum(axis=1) for place in range(3)]
    return _row("the same 209 people", answers.index.to_frame(index=False), counts, counts)


def _row(asked: str, triplets: pd.DataFrame, least: list, most: list) -> dict:
    objects = triplets[OBJECTS].to_numpy()
    lower, upper = (mean_interval(_same(counts), objects) for counts in (least, most))
    majority = (np.max(least, axis=0) / np.sum(least, axis=0)).mean()
    limits = {"least": lower.estimate, "least_low": lower.low, "most": upper.estimate, "most_high": upper.high}
    return {"asked": asked, "triplets": len(triplets), "majority": majority} | limits


def _same(counts: list) -> np.ndarray:
    """Return, per triplet, the share of pairs of different people who choose alike."""
    each = np.array(counts, dtype=float)
    of_all = each.sum(axis=0)
    return (each * (each - 1)).sum(axis=0) / (of_all * (of_all - 1))


@frozen(inputs=[things.SEMANTIC])
def clip_beside_people() -> pd.DataFrame:
    """Return how far CLIP is ahead of two people, and of the majority's choice, on the same 440 triplets."""
    answers = things.answers_of_people()
    objects = answers.index.to_frame(index=False)[OBJECTS].to_numpy()
    counts = np.array([(answers == place).sum(axis=1) for place in range(3)])
    shares = counts / counts.sum(axis=0)
    like_clip = np.take_along_axis(shares, odd_one_out(things.embedding(CLIP), objects)[None], axis=0)[0]
    yardsticks = {"two people": _same(list(counts)), "majority": shares.max(axis=0)}
    found = {name: mean_interval(like_clip - yardstick, objects) for name, yardstick in yardsticks.items()}
    rows = [(name, like_clip.mean(), each.estimate, each.low, each.high) for name, each in found.items()]
    return pd.DataFrame(rows, columns=["beside", "accuracy", "lead", "low", "high"])


def leads() -> pd.DataFrame:
    """Return how far CLIP is ahead of two people in choosing as people do, choice by choice."""
    tables = {"as released": zero_shot().query("similarity == 'cosine'"), "with a probe": probing()}
    rows = [
        {"CLIP": version, "beside": yardstick, "triplets": "other triplets"} | _lead(_limits(table), value, half)
        for version, table in tables.items()
        for yardstick, (value, half) in _yardsticks().items()
    ]
    same = clip_beside_people()[["lead", "low", "high"]].to_numpy(float)
    for yardstick, (value, low, high) in zip((YARDSTICKS[0], YARDSTICKS[-1]), same, strict=True):
        words = {"CLIP": "as released", "beside": yardstick, "triplets": "the same triplets"}
        rows.append(words | {"value": value, "se": (high - low) / 2 / NORMAL})
    ours = {"CLIP": "as released", "beside": YARDSTICKS[0], "triplets": "other triplets"}
    table = pd.DataFrame(rows).assign(df=np.inf, n=1)
    return table.assign(ours=(table[list(ours)] == pd.Series(ours)).all(axis=1))


def _limits(table: pd.DataFrame) -> np.ndarray:
    return table.loc[table["system"] == CLIP, ["accuracy", "low", "high"]].to_numpy(float)[0]


def _yardsticks() -> dict[str, np.ndarray]:
    """Return the agreement of two people, at least and at most, and of the majority's choice, with half widths."""
    least, least_low, most, most_high = two_people()[["least", "least_low", "most", "most_high"]].to_numpy(float)[0]
    share, low, high = noise_ceiling()[["share", "low", "high"]].to_numpy(float)[0]
    values = [(least, least - least_low), (most, most_high - most), (share, (high - low) / 2)]
    return dict(zip(YARDSTICKS, np.array(values), strict=True))


def _lead(limits: np.ndarray, value: float, half: float) -> Lead:
    """Take a yardstick from CLIP's accuracy; the two come from other triplets, so their errors are independent."""
    accuracy, low, high = limits
    return {"value": accuracy - value, "se": np.hypot((high - low) / 2, half) / NORMAL}
