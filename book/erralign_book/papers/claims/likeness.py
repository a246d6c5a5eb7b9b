"""Our own claims about what people and networks find alike."""

from functools import partial

import pandas as pd

from erralign_book.cells import table
from erralign_book.papers.claims.claim import claim

FIRST, SECOND = "100 people or more", "the same 199 people"  # two studies
AT_LEAST, AT_MOST, WORDS = "another person, at least", "another person, at most", "word2vec"
NETWORK = "CLIP ViT-B/32"

VEHICLES = 11  # the rank of their dimension of VICE


def _of_clip(leads: pd.DataFrame, over: tuple[str, ...], ours: str) -> pd.DataFrame:
    """Keep CLIP's leads; choices that change nothing (it has unit length, one bound where all is known) go."""
    kept = leads[(leads["system"] == NETWORK) & leads["over"].isin(over)].drop_duplicates(["asked", "lead"])
    kept = kept.sort_values("asked", key=lambda asked: asked != ours, kind="stable")
    named = {"accuracy": "first", "of_other": "second", "lead": "value", "lead_low": "low", "lead_high": "high"}
    choices = kept[["asked", "over", "similarity"]]
    return choices.join(kept[list(named)].rename(columns=named)).reset_index(drop=True)


def _on_vehicles(probed: pd.DataFrame, dimensions: pd.DataFrame) -> pd.DataFrame:
    known = probed[probed["system"] == NETWORK].dropna(subset="gain").merge(dimensions, on="dimension")
    known = known.sort_values("rank", key=lambda rank: rank != VEHICLES, kind="stable", ignore_index=True)
    named = {"probed": "first", "zero_shot": "second", "gain": "value", "gain_low": "low", "gain_high": "high"}
    return known[["objects", *named]].rename(columns=named)


def _weak(correlations: pd.DataFrame, by_unit: pd.DataFrame) -> pd.DataFrame:
    whole = correlations[correlations["panel"] == "all networks"].assign(drawn="networks")
    rows = pd.concat([by_unit[by_unit["drawn"] != "networks"], whole])
    rows = rows.sort_values("score", key=lambda score: score != "zero_shot", kind="stable", ignore_index=True)
    return rows.rename(columns={"r": "value"})[["score", "lines", "drawn", "value", "low", "high"]]


_claim = partial(claim, "likeness.toml")
_beside_people = partial(table, "muttenthaler2023/embeddings_beside_people")
_person = partial(_of_clip, over=(AT_LEAST, AT_MOST))
AS_A_PERSON = _claim("clip-beside-a-person", partial(_person, ours=SECOND), _beside_people)
BEHIND_A_PERSON = _claim("clip-behind-a-person", partial(_person, ours=FIRST), _beside_people)
BEFORE_WORDS = _claim("clip-before-word2vec", partial(_of_clip, over=(WORDS,), ours=SECOND), _beside_people)
ON_VEHICLES = _claim(
    "probe-on-vehicles",
    _on_vehicles,
    partial(table, "muttenthaler2023/concept_accuracies_probed"),
    partial(table, "muttenthaler2023/dimensions"),
)
WEAK = _claim(
    "imagenet-and-likeness",
    _weak,
    partial(table, "muttenthaler2023/imagenet_correlations"),
    partial(table, "muttenthaler2023/limits_by_unit"),
)
CLAIMS = (AS_A_PERSON, BEHIND_A_PERSON, BEFORE_WORDS, ON_VEHICLES, WEAK)
