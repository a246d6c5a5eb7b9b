"""What trained heads are worth: accuracy, measures with people, differences, with limits."""

from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.training import heads as study
from benchmarks.training.arms import BASE, PATH
from benchmarks.training.heads import AIMS, ANSWERS, KINDS, SETTINGS, TRANSFER
from erralign.datasets import geirhos2020 as source
from erralign_book.cells import frozen
from erralign_book.studies.training import scores
from erralign_book.studies.training.study import Study, truth_and_people


class Compared(NamedTuple):
    """Which answers are compared with whom."""

    kind: str  # of KINDS
    part: str = "new"
    own_people: bool = False  # with those who trained


SPLITS = {
    "grouped": Compared("grouped"),
    "random": Compared("random"),
    "in-sample": Compared("grouped", "seen", own_people=True),
    "people in training": Compared("grouped", own_people=True),
    **{data_set: Compared("grouped", "transfer") for data_set in TRANSFER},
    **{kind: Compared(kind) for kind in ("other seeds", "hidden layer", "Lite2")},
}


MADE_FROM = ["training/answers.npz", "training/tried.npz"]


def answers_for(split: str) -> tuple[list[str], np.ndarray]:
    """Return the names of what was trained, and the frozen answers, shape (n_seeds, n_arms, n_pictures)."""
    compared, arrays = SPLITS[split], study.answers()
    names = list(study.arms_of(compared.kind))
    rows = np.isin(arrays["setting"], [SETTINGS.index((compared.kind, seed)) for seed in KINDS[compared.kind]])
    found = arrays[compared.part][rows].reshape(-1, len(names), arrays[compared.part].shape[1])
    if split in TRANSFER:
        found = np.split(found, 2, axis=2)[TRANSFER.index(split)]
    return names, found


@cache
def _scored(split: str) -> tuple[list[str], scores.Scores, scores.Scores]:
    """Return what was trained, its scores, and those of people; of a random split also the scores of grouped folds."""
    names, found = answers_for(split)
    if split == "random":
        theirs = answers_for("grouped")[1][: len(found), : len(names)]
        found = np.concatenate([found, theirs], axis=1)
    return names, scores_with_people(split, found), _scores_of_people(split)


def scores_with_people(split: str, found: np.ndarray) -> scores.Scores:
    """Compare answers, shape (n_seeds, n_arms, n_pictures), with the people of a split."""
    if split in TRANSFER:  # all people, since none of them saw a picture of the training
        truth, people, n_classes = _elsewhere(split)
        return scores.scores(truth, found, people, np.ones((len(found), len(people)), dtype=bool), n_classes, None)
    compared = SPLITS[split]
    return _study(split).scores(found, pictures=compared.part, people="seen" if compared.own_people else "new")


def _scores_of_people(split: str) -> scores.Scores:
    return scores.scores_of_people(*_elsewhere(split), None) if split in TRANSFER else _study(split).scores_of_people()


def _study(split: str) -> Study:
    kind = SPLITS[split].kind
    return study.study_of(KINDS[kind], grouped=kind != "random")


def _elsewhere(data_set: str) -> tuple[np.ndarray, np.ndarray, int]:
    responses = source.read(data_set)
    return *truth_and_people(responses), len(responses.classes)


@frozen("training/values", inputs=[*ANSWERS, *MADE_FROM], slow=True, settings=tuple(SPLITS), spot=TRANSFER)
def values(split: str) -> pd.DataFrame:
    """Return accuracy and three measures of all that was trained, and of people with each other, with 95 % limits."""
    names, heads, people = _scored(split)
    rows = [(_name(names, place), heads, place) for place in range(len(names))] + [("people", people, 0)]
    table = [
        {"loss": name, "split": split, "measure": measure} | of.limits(scores.at(place, measure))
        for name, of, place in rows
        for measure in scores.COLUMNS
    ]
    return pd.DataFrame(table).drop(columns="p")


@frozen("training/differences", inputs=[*ANSWERS, *MADE_FROM], slow=True, settings=tuple(SPLITS), spot=TRANSFER)
def differences(split: str) -> pd.DataFrame:
    """Return what each loss has more than cross-entropy, as trained and at equal accuracy, its controls and a copy."""
    # The p-values are not corrected; p_seeds is what they would be if nothing but the seed could have been different.
    names, heads, _ = _scored(split)
    own = range(len(PATH), len(PATH) + len(AIMS))
    found = [(place, BASE_NAME, partial(scores.minus, place, BASE)) for place in own]
    found += [(place, EQUAL, partial(scores.minus_at_equal_accuracy, place, slice(len(PATH)))) for place in own]
    found += [
        (place, names[other], partial(scores.minus, place, other))
        for place in own
        for other in range(max(own) + 1, len(names))
        if names[other].startswith(names[place]) and "λ" not in names[other]
    ]
    for place, other in ((names.index(loss), names.index(copy)) for loss, copy in COPIES.items()):
        found += [
            (place, names[other], partial(scores.minus, place, other)),
            (place, f"{names[other]}, {EACH_AT_ITS_OWN}", partial(_further_above, place, other)),
        ]
    if split == "random":
        shift = len(names)
        found += [
            (place, f"{_name(names, place)}, grouped", partial(scores.minus, place, place + shift))
            for place in (0, BASE, *own)
        ]
    return pd.DataFrame(
        [
            {"loss": _name(names, place), "minus": other, "split": split, "measure": measure}
            | heads.limits(statistic(measure))
            | {"p_seeds": _by_seeds_alone(heads, statistic(measure))}
            for place, other, statistic in found
            for measure in scores.COLUMNS
        ]
    )


BASE_NAME, EQUAL = "cross-entropy", "cross-entropy at equal accuracy"
EACH_AT_ITS_OWN = "gains at equal accuracy"
# The loss that is made of a measure, and the one that copies people's answers instead.
COPIES = {"EC loss": "people's shares", "MA loss": "wrong answers", "CLES loss": "category's shares"}


def _further_above(place: int, other: int, measure: str) -> scores.Statistic:
    gain, of_other = (scores.minus_at_equal_accuracy(each, slice(len(PATH)), measure) for each in (place, other))
    return lambda values: gain(values) - of_other(values)


def _by_seeds_alone(heads: scores.Scores, statistic: scores.Statistic) -> float:
    nothing = np.zeros((1, *heads.values.shape))
    return replace(heads, by_picture=nothing, by_person=heads.by_seed, by_seed=nothing, clusters=None).limits(
        statistic
    )["p"]


def _name(names: list[str], place: int) -> str:
    return BASE_NAME if place == BASE else names[place]
