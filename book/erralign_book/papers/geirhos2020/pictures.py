"""Answers by picture and by category: confusions, what is easy for one side only, shape or texture."""

import numpy as np
import pandas as pd

from erralign.sources import geirhos2020 as source
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020.pair_means import ANSWERS, SIXTEEN, answers_on
from erralign_book.papers.tables import each_data_set

# In the figures that compare CORnet-S with ResNet-50: our name for each observer, and who that is.
OBSERVERS = {"people": "subject-", "CORnet-S": "cornet-s", "ResNet-50": "resnet50"}
NO_ANSWER = "no answer"
# The file whose order decides between pictures that are equally easy and hard.
ORDERED_AS = "subject-02"


def _answers_of(observer: str, data_set: str) -> pd.DataFrame:
    """Return the answers of an observer, a column per system: all people together, or one network."""
    answers, name = answers_on(data_set).answers, OBSERVERS[observer]
    return answers.filter(like=name) if observer == "people" else answers[[name]]


@frozen(inputs=ANSWERS)
def confusions() -> pd.DataFrame:
    """Return what people, CORnet-S and ResNet-50 answer to each category (Figure SF.8)."""
    return each_data_set(_confusions, source.DATA_SETS)


def _confusions(data_set: str) -> pd.DataFrame:
    parts = {observer: _confusion(data_set, observer) for observer in OBSERVERS}
    return pd.concat(parts, names=["observer"]).reset_index("observer")


def _confusion(data_set: str, observer: str) -> pd.DataFrame:
    answers = _answers_of(observer, data_set)
    truth = np.tile(answers_on(data_set).truth.to_numpy(), answers.shape[1])
    # The last column takes -1, which is no answer.
    given = answers.to_numpy().ravel(order="F") % (len(CATEGORIES) + 1)
    names = [*CATEGORIES, NO_ANSWER]
    counts = np.zeros((len(CATEGORIES), len(names)))
    np.add.at(counts, (truth, given), 1)
    shares = pd.DataFrame(counts / counts.sum(axis=1, keepdims=True), list(CATEGORIES), names)
    return shares.rename_axis("category").reset_index().melt("category", var_name="answer", value_name="share")


@frozen(inputs=ANSWERS)
def shared_mistakes() -> pd.DataFrame:
    """Return what people and the sixteen networks said to the picture of each data set with the most shared mistake.

    Of all pictures and wrong answers, it is the one that the largest share of people and of networks gave, the smaller
    of the two shares counting; its answer comes first.
    """
    return each_data_set(_shared_mistake, source.DATA_SETS)


def _shared_mistake(data_set: str) -> pd.DataFrame:
    responses, labels = answers_on(data_set), {**dict(enumerate(CATEGORIES)), -1: NO_ANSWER}
    sides = {"people": responses.answers.filter(like="subject-"), "networks": responses.answers[list(SIXTEEN)]}
    counts = {
        side: pd.DataFrame({name: answers.eq(label).sum(axis=1) for label, name in labels.items()})
        for side, answers in sides.items()
    }
    shown = responses.truth.map(labels)
    shares = [counts[side].div(answers.shape[1])[list(CATEGORIES)] for side, answers in sides.items()]
    wrong = shares[0].clip(upper=shares[1]).where(np.not_equal.outer(shown.to_numpy(), CATEGORIES))
    image = str(wrong.max(axis=1).idxmax())
    said = pd.DataFrame({side: table.loc[image] for side, table in counts.items()}).rename_axis("answer")
    said = said[said.any(axis=1)].sort_values(["people", "networks"], ascending=False, kind="stable")
    return said.reset_index().assign(image=image, shows=shown[image])


@frozen(inputs=ANSWERS)
def easy_for_one_side() -> pd.DataFrame:
    """Return the pictures that are easiest for people and hardest for networks, and the reverse (Figure SF.4)."""
    return each_data_set(_easy_for_one_side, source.DATA_SETS)


def _easy_for_one_side(data_set: str) -> pd.DataFrame:
    responses = answers_on(data_set)
    right = responses.answers.eq(responses.truth, axis=0)
    counts = {"people": right.filter(like="subject-").sum(axis=1), "networks": right[list(SIXTEEN)].sum(axis=1)}
    table = pd.DataFrame(counts).loc[source.trials_of(data_set, ORDERED_AS)["image"]]
    table["alike"] = table.groupby(["people", "networks"])["people"].transform("size")
    sides = {"people": ["people", "networks"], "networks": ["networks", "people"]}
    parts = {side: _first_five(table, order) for side, order in sides.items()}
    return pd.concat(parts, names=["easy_for"]).reset_index()


def _first_five(table: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    table = table.assign(as_easy=table.groupby(order[0])[order[0]].transform("size"))
    first = table.sort_values(order, ascending=[False, True], kind="stable").head(5).reset_index()
    return first.set_index(pd.RangeIndex(1, 6, name="rank"))


@frozen(inputs=ANSWERS)
def shape_bias_by_category() -> pd.DataFrame:
    """Return how often people, CORnet-S and ResNet-50 name the shape of cue-conflict pictures (Figure SF.5)."""
    parts = {observer: _shape_bias_by_category(observer) for observer in OBSERVERS}
    return pd.concat(parts, names=["observer"]).reset_index()


def _shape_bias_by_category(observer: str) -> pd.DataFrame:
    truth = answers_on("cue-conflict").truth
    texture = pd.Series(source.textures(truth.index), truth.index)
    differ = texture != truth
    answers = _answers_of(observer, "cue-conflict")[differ]
    category = truth[differ].map(dict(enumerate(CATEGORIES))).rename("category")
    named = {
        "shape": answers.eq(truth[differ], axis=0).mean(axis=1),
        "texture": answers.eq(texture[differ], axis=0).mean(axis=1),
    }
    shares = pd.DataFrame(named).groupby(category).mean()
    either = shares["shape"] + shares["texture"]
    return pd.DataFrame({"shape_bias": shares["shape"] / either, "either": either})
