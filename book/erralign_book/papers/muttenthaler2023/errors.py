"""Odd-one-out choices as answers: are people's choices missed on the same triplets, and in the same way?"""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from erralign.clusters import influence_of_trials
from erralign.measures import Trials
from erralign.pairs import pairwise
from erralign.resampling.conditions import jackknife
from erralign.resampling.triplets import mean_interval
from erralign.responses import Responses
from erralign.responses.arrays import trials_of
from erralign.responses.triplets import CLASSES, responses_of_triplets
from erralign.similarity import cka
from erralign.sources import things
from erralign.triplets import odd_one_out
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.systems import INPUTS, NEEDS, SYSTEMS, features_of, triplets_for

PAIRS = tuple(combinations(SYSTEMS, 2))
QUICK = (("SPoSE", "VICE"), ("CLIP ViT-B/32", "word2vec"))
MEASURES = {"EC": "error_consistency", "MA": "misclassification_agreement"}


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=PAIRS, spot=QUICK)
def errors_of_pairs(pair: tuple[str, str]) -> pd.DataFrame:
    """Return how alike the errors of two systems are on the triplets that both were shown; cosine."""
    triplets = triplets_for(*pair)
    choices = {system: odd_one_out(np.nan_to_num(features_of(system)), triplets) for system in pair}
    responses = responses_of_triplets(triplets, np.full(len(triplets), 2), choices)
    found = pairwise(responses, list(MEASURES.values())).iloc[0]
    row = {"system_a": pair[0], "system_b": pair[1], "triplets": len(triplets)}
    row |= {"accuracy_a": found["accuracy_a"], "accuracy_b": found["accuracy_b"]}
    row |= {"same_choice": float((choices[pair[0]] == choices[pair[1]]).mean())}
    row["n_joint_errors"] = found["n_joint_errors"]
    for short, measure in MEASURES.items():
        row |= _limits(short, found[measure], measure, responses, triplets)
    both = ~np.isnan(features_of(pair[0])[:, 0] + features_of(pair[1])[:, 0])
    return pd.DataFrame([row | {"CKA": cka(*(features_of(system)[both] for system in pair))}])


def _limits(short: str, value: float, measure: str, responses: Responses, triplets: np.ndarray) -> dict[str, float]:
    moved = influence_of_trials(  # type: ignore[misc]  # the last two columns, a and b, are the only ones
        measure, responses.truth.to_numpy(), *responses.answers.to_numpy().T, n_classes=len(CLASSES)
    )
    around = mean_interval(moved * len(moved), triplets)
    return {short: value, f"{short}_low": value + around.low, f"{short}_high": value + around.high}


def with_people(system: str) -> tuple[np.ndarray, Responses]:
    """Return the choices of a system beside those of 199 people on the same triplets; most people's choice is right."""
    table = things.answers_of_people()
    triplets = np.array(table.index.to_list())
    seen = ~np.isnan(features_of(system)[triplets][:, :, 0]).any(axis=1)
    people = table.loc[seen, (table >= 0).all()]
    counts = np.stack([(people == place).sum(axis=1) for place in range(3)], axis=1)
    mine = odd_one_out(np.nan_to_num(features_of(system)), triplets[seen])
    choices: dict[Any, Any] = {system: mine} | {name: column.to_numpy() for name, column in people.items()}
    kinds: dict[str, str] = dict.fromkeys(choices, "human") | {system: "model"}
    return triplets[seen], responses_of_triplets(triplets[seen], counts.argmax(axis=1), choices, kind=kinds)


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=SYSTEMS, spot=("VICE", "word2vec"))
def errors_with_people(system: str) -> pd.DataFrame:
    """Return how alike the errors of a system and of single people are, on triplets that 199 people answered."""
    triplets, responses = with_people(system)
    right = responses.answers.eq(responses.truth, axis=0)
    rows: dict[str, dict[str, Any]] = {"model": {"system": system}, "people": {"system": "people"}}
    for row, columns in zip(rows.values(), (right[[system]], right.drop(columns=system)), strict=True):
        row |= {"triplets": len(triplets), "accuracy": float(columns.to_numpy().mean())}
    trials = trials_of(responses, responses.answers.columns)  # type: ignore[arg-type]
    for short, measure in MEASURES.items():
        for row, limits in zip(rows.values(), _means_with_people(measure, trials, triplets), strict=True):
            row |= {f"{short}{end}": value for end, value in limits.items()}
    return pd.DataFrame(list(rows.values())).assign(on_triplets_of=system)


def _means_with_people(measure: str, trials: Trials, triplets: np.ndarray) -> list[dict[str, float]]:
    """Return the means over people of the one model, then of the people, with limits for other objects."""
    found = jackknife(measure, trials, 1)
    rows = []
    for place, moved in enumerate(found.influences.T):
        around = mean_interval(moved * len(triplets), triplets)
        centre = float(found.values[place] - found.bias[place])
        alone = float(ndtri(0.975) * np.sqrt(moved @ moved))
        limits = {"": float(found.values[place]), "_low": centre + around.low, "_high": centre + around.high}
        rows.append(limits | {"_narrow": around.high / alone})
    return rows
