"""People and networks of 2020 together with the 70 newer systems, on the pictures with a cue conflict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np
import pandas as pd

from erralign.datasets import gavrikov2025 as source
from erralign.datasets import geirhos2020, model_vs_human
from erralign.datasets.trials import CATEGORIES
from erralign.measures import Measure, measure_of
from erralign.measures.matrix import response_matrix
from erralign.responses import Responses
from erralign_book.cells import table
from erralign_book.datasets.years import years
from erralign_book.papers.frozen import frozen
from erralign_book.papers.leads import Lead, over_pictures, summed, variance_of

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
    files = table("klein2025/model_files")
    sound = files.loc[files["verdict"] == "sound", "system"]
    known = years().index.intersection(sound).difference(everybody().answers.columns)
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
        CNNS: list(geirhos2020.SIXTEEN),
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


# ---- means over pairs, and how far they would move with other pictures, other people and other models -------------


class Moving(Protocol):
    """A mean that knows what each picture does to it, and what it is without some people or models."""

    @property
    def moved(self) -> np.ndarray:
        """Return what each picture does to the mean."""

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the mean without some people or models."""


@dataclass(frozen=True)
class Mean:
    """A measure of the pairs of two groups, or of one: values, nan where there is no pair, and what each picture does.

    ``weight`` is what the mean counts for in a sum, -1 for what is subtracted.
    """

    values: pd.DataFrame
    moved: np.ndarray
    weight: float = 1.0

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the weighted mean over the pairs that are left."""
        kept = ~self.values.index.isin(left_out), ~self.values.columns.isin(left_out)
        return self.weight * float(np.nanmean(self.values.to_numpy()[np.ix_(*kept)]))


def mean_of_pairs(
    responses: Responses, measure: str | Measure, rows: list[str], columns: list[str], chosen: np.ndarray | bool = True
) -> Mean:
    """Compute a measure of each of ``rows`` with each of ``columns``, or of the chosen ones of these pairs."""
    names = list(dict.fromkeys([*rows, *columns]))
    trials, table = response_matrix(responses, names), np.full((len(rows), len(columns)), np.nan)
    wanted = np.broadcast_to(chosen, table.shape)
    places = np.nonzero(np.triu(wanted, 1) if rows == columns else wanted)
    first, second = (
        pd.Index(names).get_indexer(pd.Index(side))[place] for side, place in zip((rows, columns), places, strict=True)
    )
    table[places], without = measure_of(measure).leave_one_out(replace(trials, selected=(first, second)))
    moved = np.nanmean(without.mean(axis=1, keepdims=True) - without, axis=0)
    return Mean(pd.DataFrame(table, rows, columns), moved)


def less(mean: Mean) -> Mean:
    """Return a mean as it counts where it is subtracted."""
    return Mean(mean.values, -mean.moved, -mean.weight)


def lead(pictures: pd.Index, means: Sequence[Moving], units: pd.Series, samples: Mapping[str, Sequence[str]]) -> Lead:
    """Return a sum of means, with its standard error over pictures, people and models.

    A picture goes with all that have its shape or its texture. ``samples`` are the people and the groups of models; of
    each, one of ``units`` is left out at a time. One model alone stands for itself.
    """
    parts = [over_pictures(pictures, np.sum([mean.moved for mean in means], axis=0))]
    for systems in samples.values():
        named = units[list(systems)]
        of_units = [list(named.index[named == unit]) for unit in named.unique()]
        without = [sum(mean.without(left_out) for mean in means) for left_out in of_units if len(of_units) > 1]
        parts += [variance_of(without)] if without else []
    return {"value": sum(mean.without() for mean in means)} | summed(parts)


# ---- what everybody said to the pictures that lessons show ---------------------------------------------------------


SHOWN = {
    "edges": ("bottle2", "oven7"),
    "silhouettes": ("bear7", "keyboard3", "boat8"),
    "cue-conflict": ("bird9-dog2", "cat10-elephant3", "keyboard9-bear2", "boat6-truck3", "oven5-bottle3"),
}


@frozen(inputs=ANSWERS)
def pictures_named() -> pd.DataFrame:
    """Return how many of each group named a picture, and the wrong answer that most of them gave."""
    rows = [
        {"picture": f"{data_set}/{name}", "shows": CATEGORIES[responses.truth[f"{name}.png"]], "group": group}
        | _said(responses, f"{name}.png", systems)
        for data_set, responses in {name: _answers(name) for name in SHOWN}.items()
        for name in SHOWN[data_set]
        for group, systems in members().items()
        if group in ("people", CNNS, OPTIONS) and set(systems) <= set(responses.answers)
    ]
    return pd.DataFrame(rows)


def _answers(data_set: str) -> Responses:
    return everybody() if data_set == "cue-conflict" else geirhos2020.read(data_set)


def _said(responses: Responses, image: str, systems: list[str]) -> dict[str, object]:
    said, truth = responses.answers.loc[image, systems], responses.truth[image]
    wrong = said[(said != truth) & (said >= 0)].value_counts()
    first = {"says": CATEGORIES[wrong.index[0]], "saying": wrong.iloc[0]} if len(wrong) else {"says": "", "saying": 0}
    return {"systems": len(said), "right": int((said == truth).sum())} | first
