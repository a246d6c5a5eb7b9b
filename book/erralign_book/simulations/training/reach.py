"""How much of what could be reached at its accuracy the EC loss reaches, with people who did not train it."""

import numpy as np
import pandas as pd

from erralign.training.scores import Scores, answers_knowing, at, minus_at_equal_accuracy, teaching
from erralign_book.papers.frozen import frozen
from erralign_book.simulations.training.comparisons import MADE_FROM, answers_for, scores_with_people
from erralign_book.simulations.training.heads import ANSWERS, material
from erralign_book.training.heads import PATH

TAUGHT = "EC loss"
TESTERS, ALL = "those who test", "all ten people"
TRAINERS, SHAPES = "those who train", "those who train, and which shapes they find hard"
KNOWN = (TESTERS, ALL, TRAINERS, SHAPES)


def _best_answers(seed: int, n_right: int) -> np.ndarray:
    """Return answers that are as often right as a head, for all that one could know of people: one row each.

    Of pictures that the known people named alike some are drawn, or those of easy shapes come first.
    """
    truth, right = material().truth, material().people == material().truth
    trained, at_random = teaching(len(right), len(right) // 2, seed), np.random.default_rng(seed).random(len(truth))
    of_shapes = pd.Series(right[trained].mean(axis=0)).groupby(material().exemplars["shape"].to_numpy())
    known = [(~trained, at_random), (trained | True, at_random), (trained, at_random)]
    known.append((trained, -of_shapes.transform("mean").to_numpy()))
    n = material().n_classes
    return np.stack([answers_knowing(right[whose], truth, n_right, ties, n) for whose, ties in known])


@frozen(inputs=ANSWERS, tables=MADE_FROM)
def within_reach() -> pd.DataFrame:
    """Return what the EC loss gains over equally accurate cross-entropy beside what knowing people would gain."""
    names, found = answers_for("grouped")
    taught = found[:, names.index(TAUGHT)]
    n_right = (taught == material().truth).sum(axis=1)
    best = np.stack([_best_answers(seed, n) for seed, n in enumerate(n_right)])
    heads = scores_with_people("grouped", np.concatenate([found[:, : len(PATH)], taught[:, None], best], axis=1))
    return pd.DataFrame([_row(heads, knows, place) for place, knows in enumerate(KNOWN, start=len(PATH) + 1)])


def _row(heads: Scores, knows: str, place: int) -> dict:
    gain, room = (minus_at_equal_accuracy(arm, slice(len(PATH)), "EC") for arm in (len(PATH), place))
    parts = {"": lambda values: gain(values) - room(values), "share_": lambda values: gain(values) / room(values)}
    limits = {start + name: of for start, part in parts.items() for name, of in heads.limits(part).items()}
    arms = {"knows": knows, "EC": at(place, "EC")(heads.values), "gain": gain(heads.values), "room": room(heads.values)}
    return arms | {name: of for name, of in limits.items() if not name.endswith("p")}
