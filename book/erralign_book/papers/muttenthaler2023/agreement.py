"""How often two people choose the same odd one out: what a system's accuracy is to be set beside."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign.inference.clusters import influence_of_trials
from erralign.inference.triplets import mean_interval
from erralign.measures import measure_of
from erralign.measures.matrix import response_matrix
from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign.responses.triplets import responses_of_triplets
from erralign.similarity import cka
from erralign.triplets import odd_one_out
from erralign.triplets.choices import SIMILARITIES
from erralign_book.datasets import things
from erralign_book.papers.frozen import frozen
from erralign_book.papers.muttenthaler2023.calibration import ENDS, PAIRS, QUICK
from erralign_book.papers.muttenthaler2023.systems import EMBEDDINGS, INPUTS, NEEDS, features_of, triplets_for
from erralign_book.papers.tables import with_limits

ENOUGH = 100
OBJECTS = ["first", "second", "third"]
PLACES = range(3)
FIRST, SECOND = "100 people or more", "the same 199 people"
AT_LEAST, AT_MOST = "another person, at least", "another person, at most"
WORDS = "word2vec"


def counts_of_people(*, as_shipped: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the 440 triplets of the second study, and how many people chose each of the three."""
    answers = things.answers_of_people(as_shipped=as_shipped)
    return np.array(answers.index.to_list()), np.stack([(answers == place).sum(axis=1) for place in PLACES], axis=1)


def _second_study() -> pd.DataFrame:
    """Return, per triplet, how many chose each of the three, and how often two people choose alike."""
    triplets, counts = counts_of_people()
    table = pd.DataFrame(counts, pd.MultiIndex.from_tuples(triplets.tolist(), names=OBJECTS), PLACES)
    share = counts.max(axis=1) / counts.sum(axis=1)
    return table.assign(majority=share, least=_same(counts.T), most=_same(counts.T))


def _first_study() -> pd.DataFrame:
    """Return the same of the first study: bounds, since only the most frequent answer is known, and some answers."""
    table = things.repeated_triplets().query("answers >= @ENOUGH").set_index(OBJECTS)
    given = things.answers_as_given()
    rows = pd.DataFrame(np.sort(given, axis=1), columns=OBJECTS).assign(odd=(given[:, :2] < given[:, [2]]).sum(axis=1))
    counts = rows.groupby([*OBJECTS, "odd"]).size().unstack(fill_value=0).reindex(table.index)
    first = (table["most_frequent"] * table["answers"]).round()
    others = table["answers"] - first
    second = np.minimum(first, others)  # no answer is more frequent than the most frequent one
    least, most = _same([first, others // 2, others - others // 2]), _same([first, second, others - second])
    return counts.assign(majority=first / table["answers"], least=least, most=most)


STUDIES: dict[str, Callable[[], pd.DataFrame]] = {FIRST: _first_study, SECOND: _second_study}


def _same(counts: ArrayLike | list) -> np.ndarray:
    """Return, per triplet, the share of pairs of different people who choose alike."""
    each = np.array(counts, dtype=float)
    of_all = each.sum(axis=0)
    return (each * (each - 1)).sum(axis=0) / (of_all * (of_all - 1))


@frozen(inputs=[things.SEMANTIC], settings=tuple(STUDIES), by="asked")
def two_people(asked: str) -> pd.DataFrame:
    """Return how often two different people choose alike: at least and at most, where only the majority is known."""
    study = STUDIES[asked]()
    lower, upper = (mean_interval(study[end], study.index.to_list()) for end in ("least", "most"))
    limits = {"least": lower.estimate, "least_low": lower.low, "most": upper.estimate, "most_high": upper.high}
    return pd.DataFrame([{"triplets": len(study)} | limits | {"majority": study["majority"].mean()}])


@frozen(inputs=[things.SEMANTIC, things.VICE], settings=tuple(STUDIES), by="asked")
def embeddings_beside_people(asked: str) -> pd.DataFrame:
    """Return how often embeddings choose like a person, and their lead over another person and over word2vec."""
    known, rows = STUDIES[asked]().dropna(), []
    triplets, counts = np.array(known.index.to_list()), known[[*PLACES]].to_numpy()
    people = {AT_LEAST: known["least"], AT_MOST: known["most"]}
    for system, similarity in product(EMBEDDINGS, SIMILARITIES):
        mine, words = (alike(each, triplets, counts, similarity) for each in (system, WORDS))
        facts = {"system": system, "similarity": similarity, "triplets": len(triplets)}
        facts |= with_limits(mean_interval(mine, triplets), "accuracy")
        for over, theirs in (people | {WORDS: words}).items():
            lead = with_limits(mean_interval(mine - theirs, triplets), "lead", "lead_")
            rows.append(facts | {"over": over, "of_other": float(np.mean(theirs))} | lead)
    return pd.DataFrame(rows)


def alike(system: str, triplets: np.ndarray, counts: np.ndarray, similarity: str = "cosine") -> np.ndarray:
    """Return, per triplet, the share of people who chose as an embedding does."""
    choices = odd_one_out(things.embedding(system), triplets, similarity=similarity)
    return np.take_along_axis(counts / counts.sum(axis=1, keepdims=True), choices[:, None], axis=1)[:, 0]


# ---- the check of the order: an embedding knows which things a number means ----------------------------------------


@frozen(inputs=[things.SEMANTIC, things.VICE])
def agreement_by_number() -> pd.DataFrame:
    """Return how often embeddings choose like people on triplets with a number that means two things, and on others.

    Two orders of the names give 192 of the 1,854 things different numbers.
    """
    moved = things.objects_sorted_by(things.SECOND_STUDY_BY) != np.arange(things.N_OBJECTS)
    first = things.triplets()
    answers = {"earlier study": (first, np.tile([0, 0, 1], (len(first), 1)))}
    answers |= {"the 440, as shipped": counts_of_people(as_shipped=True), "the 440, renumbered": counts_of_people()}
    rows = []
    for (whose, (triplets, counts)), system in product(answers.items(), EMBEDDINGS):
        shares, its = alike(system, triplets, counts), moved[triplets].any(axis=1)
        for displaced in (True, False):
            kept = its == displaced
            facts = {"answers": whose, "system": system, "displaced": displaced, "triplets": int(kept.sum())}
            rows.append(facts | with_limits(mean_interval(shares[kept], triplets[kept]), "accuracy"))
    return pd.DataFrame(rows)


NETWORK = "CLIP ViT-B/32"


# ---- odd-one-out choices as answers: are people's choices missed on the same triplets, and in the same way? -------


MEASURES = ("EC", "MA")


@frozen(inputs=INPUTS, needs=NEEDS, slow=True, rtol=1e-3, settings=PAIRS, spot=QUICK, by=ENDS)
def errors_of_pairs(pair: tuple[str, str]) -> pd.DataFrame:
    """Return how alike the errors of two systems are on the triplets that both were shown; cosine."""
    triplets = triplets_for(*pair)
    choices = {system: odd_one_out(np.nan_to_num(features_of(system)), triplets) for system in pair}
    responses = responses_of_triplets(triplets, np.full(len(triplets), 2), choices)
    found = pairwise(responses, MEASURES).iloc[0]
    row = {"triplets": len(triplets), "accuracy_a": found["accuracy_a"], "accuracy_b": found["accuracy_b"]}
    row |= {"same_choice": float((choices[pair[0]] == choices[pair[1]]).mean())}
    row["n_joint_errors"] = found["n_joint_errors"]
    for measure in MEASURES:
        row |= _limits(measure, found[measure], responses, triplets)
    both = ~np.isnan(features_of(pair[0])[:, 0] + features_of(pair[1])[:, 0])
    return pd.DataFrame([row | {"CKA": cka(*(features_of(system)[both] for system in pair))}])


def _limits(measure: str, value: float, responses: Responses, triplets: np.ndarray) -> dict[str, float]:
    moved = influence_of_trials(measure_of(measure), response_matrix(responses), {})
    around = mean_interval(moved * len(moved), triplets)
    return {measure: value, f"{measure}_low": value + around.low, f"{measure}_high": value + around.high}
