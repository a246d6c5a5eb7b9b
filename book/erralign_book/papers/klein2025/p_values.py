"""CLIP against each person in each condition."""

from bisect import bisect_left

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.nulls import holm, p_value
from erralign.sources import geirhos2020 as source
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import ANSWERS, N_RESAMPLES, conditions_in_use, every_condition

DRAWS_OF_FIGURE_10 = 50_000


@frozen(inputs=ANSWERS)
def clip_p_values() -> pd.DataFrame:
    """Return p-values of the error consistency between CLIP and each person in each condition (Figure 10)."""
    rows = [
        name | _clip_and_person(right["clip"], right[person], N_RESAMPLES)
        for name, right in every_condition()
        for person in right.filter(like="subject-")
    ]
    return pd.DataFrame(rows).assign(p_holm=lambda table: holm(table["p"]))


@frozen(inputs=ANSWERS)
def clip_and_subject_01() -> pd.DataFrame:
    """Return the p-values that Figure 10 draws: CLIP and one person in the conditions that the benchmark uses."""
    rows = [
        name | _clip_and_person(right["clip"], right["subject-01"], DRAWS_OF_FIGURE_10)
        for name, right in conditions_in_use()
    ]
    return pd.DataFrame(rows).assign(p_holm=lambda table: holm(table["p"]))


def _clip_and_person(clip: pd.Series, person: pd.Series, n_samples: int) -> dict:
    """Return error consistency and p-values of CLIP and a person in one condition."""
    counts = np.bincount(2 * clip.to_numpy() + person.to_numpy(), minlength=4).reshape(2, 2)
    return {
        "person": person.name,
        "n_joint_errors": int(counts[0, 0]),
        "EC": float(kappa(*counts.ravel().astype(float))),
        "p": p_value(counts),
        "p_printed": p_value(counts, prior="as-printed"),
        "p_simulated": p_value(counts, method="as-printed", n_samples=n_samples),
    }


# ---- how many of many tests find something if nothing connects people with networks? ------------------------------


LEVEL = 0.05
N_SHUFFLES = 10_000


@frozen(inputs=[source.ERROR_CONSISTENCY])
def found_by_chance() -> pd.DataFrame:
    """Return how many mixed pairs on line drawings have p ≤ .05 once people's outcomes are shuffled over the pictures.

    All ten people are shuffled alike and the 25 networks stay as they are: people remain as connected among themselves
    as they were, and networks too, but no person with any network.
    """
    people, networks = wrong_on("edges")
    fewest, most = found_from(people, networks)
    rng = np.random.default_rng(0)
    joint = (people[:, rng.permutation(people.shape[1])] @ networks.T for _ in range(N_SHUFFLES))
    found = [int(((each <= fewest) | (each >= most)).sum()) for each in joint]
    return pd.Series(found, name="found").value_counts().sort_index().rename("shuffles").reset_index()


def wrong_on(data_set: str) -> tuple[np.ndarray, np.ndarray]:
    """Return who is wrong on what."""
    responses = source.read(data_set)
    wrong = responses.answers.ne(responses.truth, axis=0).T.astype(int)
    human = responses.systems["kind"] == "human"
    return wrong[human].to_numpy(), wrong[~human].to_numpy()


def found_from(people: np.ndarray, networks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return from which numbers of joint errors on a pair's p-value is .05 or less."""
    n = people.shape[1]
    pairs = [[_found_from(n, a, b) for b in networks.sum(axis=1).tolist()] for a in people.sum(axis=1).tolist()]
    fewest, most = np.moveaxis(np.array(pairs), -1, 0)
    return fewest, most


def _found_from(n: int, wrong_a: int, wrong_b: int) -> tuple[int, int]:
    def found(joint: int) -> bool:
        table = [[joint, wrong_a - joint], [wrong_b - joint, n - wrong_a - wrong_b + joint]]
        return p_value(table) <= LEVEL

    expected = wrong_a * wrong_b // n
    # p falls with the distance from what is expected, in either direction.
    below = range(expected, max(0, wrong_a + wrong_b - n) - 1, -1)
    above = range(expected + 1, min(wrong_a, wrong_b) + 1)
    return expected - bisect_left(below, True, key=found), expected + 1 + bisect_left(above, True, key=found)
