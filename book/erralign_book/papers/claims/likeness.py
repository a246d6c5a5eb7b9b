"""Our own claims about what people and networks find alike."""

from __future__ import annotations

from functools import partial

import pandas as pd

from erralign_book.papers import muttenthaler2023
from erralign_book.papers.claims.claim import LESS, MORE, NOT_CLEAR, Claim
from erralign_book.papers.muttenthaler2023.agreement import AT_LEAST, AT_MOST, FIRST, SECOND, WORDS
from erralign_book.papers.muttenthaler2023.game import NETWORK

PAGE = "odd-one-out"
UNIT = "share of a person's choices"
THINGS = "things"
VEHICLES = 11  # the rank of their dimension of VICE


def _of_clip(table: pd.DataFrame, over: tuple[str, ...], ours: str) -> pd.DataFrame:
    """Keep CLIP's leads; choices that change nothing (it has unit length, one bound where all is known) go."""
    kept = table[(table["system"] == NETWORK) & table["over"].isin(over)].drop_duplicates(["asked", "lead"])
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
    whole = whole.sort_values("score", key=lambda score: score != "zero_shot", kind="stable")
    rows = pd.concat([whole, by_unit[by_unit["drawn"] != "networks"]], ignore_index=True)
    return rows.rename(columns={"r": "value"})[["score", "lines", "drawn", "value", "low", "high"]]


def _person(name: str, sentence: str, says: str, asked: str) -> Claim:
    return Claim(
        name,
        sentence,
        page=PAGE,
        arms=("CLIP", "another person"),
        unit=UNIT,
        tables=(muttenthaler2023.embeddings_beside_people,),
        rows=partial(_of_clip, over=(AT_LEAST, AT_MOST), ours=asked),
        drawn_again=THINGS,
        says=says,
        chance="0; a third for both arms",
        reach="above 0: whoever always chooses as most people do is ahead of another person",
    )


AS_A_PERSON = _person(
    "clip-beside-a-person",
    "On 440 triplets of which half were picked, CLIP agrees with a person about as often as another person does",
    NOT_CLEAR,
    SECOND,
)
BEHIND_A_PERSON = _person(
    "clip-behind-a-person",
    "On triplets of an earlier study CLIP agrees with a person less often than another person does",
    LESS,
    FIRST,
)
BEFORE_WORDS = Claim(
    "clip-before-word2vec",
    "CLIP, which saw the things, agrees with a person more often than word2vec, which only read of them",
    page=PAGE,
    arms=("CLIP", "word2vec"),
    unit=UNIT,
    tables=(muttenthaler2023.embeddings_beside_people,),
    rows=partial(_of_clip, over=(WORDS,), ours=SECOND),
    drawn_again=THINGS,
    says=MORE,
    chance="0; a third for both arms",
    reach="the noise ceiling, for both",
)
ON_VEHICLES = Claim(
    "probe-on-vehicles",
    "A probe makes CLIP choose more like people about vehicles, so its features hold what this takes",
    page="further-muttenthaler-2023",
    arms=("after the probe", "before it"),
    unit=UNIT,
    tables=(muttenthaler2023.concept_accuracies_probed, muttenthaler2023.dimensions),
    rows=_on_vehicles,
    drawn_again=THINGS,
    says=MORE,
    chance="0, on things that the probe has not seen",
    reach="up to the noise ceiling",
)
WEAK = Claim(
    "imagenet-and-likeness",
    "Whether a network that is better on ImageNet chooses more like people, the paper's table cannot tell",
    page="reproducing-muttenthaler-2023",
    arms=("Pearson's r of accuracy on ImageNet and on triplets", "0"),
    unit="r",
    tables=(muttenthaler2023.imagenet_correlations, muttenthaler2023.limits_by_unit),
    rows=_weak,
    drawn_again="networks, or the sources that they come from",
    says=NOT_CLEAR,
    chance="0",
    reach="1",
)
CLAIMS = (AS_A_PERSON, BEHIND_A_PERSON, BEFORE_WORDS, ON_VEHICLES, WEAK)
