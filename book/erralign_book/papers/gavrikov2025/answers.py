"""People and networks of 2020 together with the 70 newer systems, on the pictures with a cue conflict."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from erralign.responses import Responses
from erralign.sources import gavrikov2025 as source
from erralign.sources import geirhos2020, model_vs_human
from erralign_book.papers.geirhos2020 import SIXTEEN
from erralign_book.papers.klein2025.models import sound_models
from erralign_book.sources.years import years

ANSWERS = [geirhos2020.ERROR_CONSISTENCY, source.VLM_SHAPEBIAS]
CNNS, STYLISED, CLIP = "CNNs of 2020", "stylised ResNet-50", "CLIP"
OPTIONS, DESCRIPTION = "vision-language, options", "vision-language, description"
OLDER, NEWER = (CNNS, STYLISED), (CLIP, OPTIONS, DESCRIPTION)


@cache
def everybody() -> Responses:
    """Return all 105 systems on the 1,280 pictures."""
    return geirhos2020.read("cue-conflict").join(source.read())


@cache
def everyone() -> Responses:
    """Return them and the networks of 2020 to 2022 that only the benchmark model-vs-human has."""
    other = model_vs_human.read("cue-conflict")
    known = years().index.intersection(sound_models()).difference(everybody().answers.columns)
    more = other.select(systems=list(known))
    by_picture = {part: getattr(more, part).droplevel("condition") for part in ("truth", "answers")}
    return everybody().join(replace(more, **by_picture))


@cache
def members() -> dict[str, list[str]]:
    """Return the groups that the chapter compares."""
    systems = source.systems()
    prompts = {OPTIONS: "options", DESCRIPTION: "description"}
    return {
        "people": list(geirhos2020.systems().query("kind == 'human'").index),
        CNNS: list(SIXTEEN),
        STYLISED: ["resnet50-trained-on-SIN"],
        CLIP: list(systems.index[systems["family"] == "CLIP"]),
        **{group: list(systems.index[systems["prompt"] == prompt]) for group, prompt in prompts.items()},
    }


def units() -> pd.Series:
    """Return what is left out together: a person, all networks of one architecture, a model with all of its prompts."""
    older = geirhos2020.systems()
    of_older = older["architecture"].mask(older["kind"] == "human", older.index.to_series())
    return pd.concat([of_older, source.systems()["model"]])


def without_textures(responses: Responses) -> Responses:
    """Take away each wrong answer that names the texture, so that no joint error counts in which one of two did."""
    texture = geirhos2020.textures(responses.truth.index)[:, None]
    wrong = responses.answers.ne(responses.truth, axis=0) & (responses.answers == texture)
    return replace(responses, answers=responses.answers.mask(wrong, -1))


def with_a_conflict(responses: Responses) -> Responses:
    """Leave out the 80 pictures whose shape and texture show the same class."""
    return responses.select(trials=geirhos2020.textures(responses.truth.index) != responses.truth)


def texture_shares(responses: Responses) -> pd.Series:
    """Return which share of each system's wrong answers names the texture."""
    wrong = responses.answers.ne(responses.truth, axis=0)
    named = responses.answers.eq(pd.Series(geirhos2020.textures(responses.truth.index), responses.truth.index), axis=0)
    return (wrong & named).sum() / np.maximum(wrong.sum(), 1)
