"""Odd-one-out choices as answers: are people's choices missed on the same triplets, and in the same way?"""

from itertools import combinations

import numpy as np
import pandas as pd

from erralign.clusters import influence_of_trials
from erralign.measures import measure_of
from erralign.pairs import pairwise
from erralign.resampling.conditions import jackknife
from erralign.resampling.triplets import mean_interval
from erralign.responses import Responses
from erralign.responses.arrays import response_matrix
from erralign.responses.triplets import responses_of_triplets
from erralign.similarity import cka
from erralign.triplets import odd_one_out
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.agreement import counts_of_people
from erralign_book.papers.muttenthaler2023.systems import EMBEDDINGS, INPUTS, NEEDS, SYSTEMS, features_of, triplets_for
from erralign_book.sources import things

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
    moved = influence_of_trials(measure_of(measure), response_matrix(responses), {})
    around = mean_interval(moved * len(moved), triplets)
    return {short: value, f"{short}_low": value + around.low, f"{short}_high": value + around.high}


@frozen(inputs=[things.SEMANTIC, things.VICE])
def errors_with_people() -> pd.DataFrame:
    """Return the EC of embeddings with single people, and of two people; right is what most of 199 people chose."""
    triplets, counts = counts_of_people()
    models = {system: odd_one_out(features_of(system), triplets) for system in EMBEDDINGS}
    choices = models | {str(name): column.to_numpy() for name, column in things.answers_of_people().items()}
    responses = responses_of_triplets(triplets, counts.argmax(axis=1), choices)
    trials = response_matrix(responses, responses.answers.columns)  # type: ignore[arg-type]
    found = jackknife(measure_of("EC"), trials, len(models), {})
    centres = found.values - found.bias
    rows = []
    for place, moved in enumerate(found.influences.T):
        around = mean_interval(moved * len(triplets), triplets)
        limits = {"EC_low": centres[place] + around.low, "EC_high": centres[place] + around.high}
        rows.append({"system": [*models, "people"][place], "EC": found.values[place]} | limits)
    return pd.DataFrame(rows)
