"""Calls that no number can answer: each ends in an error that names argument, trial or system and what to do.

``malformed.txt`` holds the calls, each with the words that it must say.
"""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from builders import guessers, make_responses, mixed_systems, refused_otherwise, small_benchmark

import erralign
from benchmarks.klabunde2024.sst2 import sst2
from erralign.datasets.examples import twelve_pictures
from erralign.measures import OF_REPRESENTATIONS
from erralign_book import distortions, published
from erralign_book.building.guess import guess
from erralign_book.charts.index import live_strips
from erralign_book.datasets import things
from erralign_book.studies.observers import independent_limits
from erralign_book.studies.response_distribution import Crowd, agreement

CASES = re.findall(r"^(\w.*)\n    (.*)", Path(__file__).with_name("malformed.txt").read_text(), flags=re.MULTILINE)
TRUTH, SAID, WORDS = [0, 1, 2, 0], [0, 1, 1, 2], ["cat", "dog", "fox", "cat"]
NAMED = pd.Series(SAID, index=list("abcd"))
GOOD, TABLE = [[0.5, 0.5], [0.25, 0.75]], [[3, 5], [7, 145]]
LINE = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
FEATURES = np.arange(12.0).reshape(6, 2) ** 2
GROUPS = np.arange(40) % 20
PICTURES = twelve_pictures()
BENCHMARK, OTHER = small_benchmark(n_sets=2, n=20)
PICTURE = np.full((48, 48, 3), 0.5)
KINDS = OTHER.systems["kind"].drop("m2")
CSV = "image,truth,net\n1,cat,cat\n2,dog,dog\n"


def series(values, index="abcd"):
    return pd.Series(values, index=list(index))


def parts(**changes):
    return {field: getattr(PICTURES, field) for field in ("name", "truth", "answers", "classes", "systems")} | changes


def read(text, **options):
    Path("mine.csv").write_text(text)
    return erralign.read_answers("mine.csv", **options)


NAMES = {
    **{name: getattr(erralign, name) for name in dir(erralign)},  # rooms, too
    **{name: each for name, each in globals().items() if not name.startswith("_")},
    **{short: erralign.MEASURES[short].function for short in ("EC", "CLES", "SOC", "SOCE")},
    "LETTERED": pd.DataFrame(TABLE, index=["cat", "dog"], columns=["cat", "fox"]),
    "LOPSIDED": LINE + np.triu(np.ones((6, 6))),
    "GROUPED": [pd.Series(np.arange(40) % k, index=pd.RangeIndex(40, name="picture")) for k in (2, 3, 4)],
    "CROSSED": [pd.DataFrame({"a": GROUPS, "b": np.arange(40) % 12}), pd.Series(GROUPS)],
    "CROWD": Crowd([0, 1, 0], [[0.5, 0.3, 0.2], [0.5, 0.5, np.nan], [0.4, 0.4, 0.2]]),
    "GUESSERS": guessers(60),
    "QUIZ": erralign.Responses.from_table(TRUTH, dict.fromkeys("abc", SAID), options=4),
    "TWO": mixed_systems(1, n_systems=3, n_classes=2),
    "ALONE": mixed_systems(8, n_systems=1),
    "MINE": erralign.Responses.from_table(PICTURES.truth, {"mine": PICTURES.truth}, classes=PICTURES.classes),
    "FEWER": make_responses(OTHER.truth, OTHER.answers[list(KINDS.index)], 4, KINDS, "few"),
    "MEAN": erralign.consistency_with_people(BENCHMARK),
    "PETS": series(["cat", "dog", "dog"], "abc"),
    "NET": series(["cat", "cat", "dog"], "cba"),
    "distortions": distortions,
    "published": published,
    **{each.__name__: each for each in (agreement, guess, independent_limits, live_strips, sst2, things.embedding)},
}


def test_no_number_without_a_warrant(here):
    assert not refused_otherwise((words, partial(eval, call, NAMES)) for call, words in CASES)
    assert len(CASES) > 250


def test_no_measure_takes_features_that_are_none():
    calls = [
        ((np.where(FEATURES == 4, np.nan, FEATURES), FEATURES), {}, "X holds NaN or infinite values"),
        ((FEATURES, np.where(FEATURES == 4, np.inf, FEATURES)), {}, "Y holds NaN or infinite values"),
        ((FEATURES, FEATURES[:5]), {}, "Y has 5 trials, X has 6: give the same trials"),
        ((FEATURES[:, 0], FEATURES), {}, r"X has shape \(6,\); expected one row per trial"),
        ((FEATURES[:1], FEATURES[:1]), {}, "X has 1 trials; expected at least 2"),
    ]
    form = [((FEATURES, FEATURES), {"variant": "resy"}, "variant is 'resy'; expected")]
    for short, measure in OF_REPRESENTATIONS.items():
        tried = calls + form * (bool(measure.variants) and short != "CKA")
        assert not refused_otherwise((words, partial(measure.function, *two, **more)) for two, more, words in tried)
