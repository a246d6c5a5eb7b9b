"""The copy model in place of trials: the paper's method for Brain-Score, checked."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.bounds import accuracy_bounds
from erralign.measures.error_consistency import drawn_kappas
from erralign.planning import copy_probability, simulate_copies
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import TAILS, conditions_in_use, consistencies
from erralign_book.papers.klein2025.models import ANSWERS, sound_models

SIMULATIONS = 1000
REAL_TRIALS = "real trials"
CONDITION = ["data_set", "condition", "system"]


class Way(NamedTuple):
    """A way to simulate what has no trials."""

    known: str  # a model's error consistency and people's accuracy are known by ``data set`` or by ``condition``
    accuracy: str  # the model's: in the ``middle`` of what is possible, the ``lowest`` possible, or its ``own``
    copies: str  # the variant of the copy model
    sequence: str  # of trials: one for ``each person``, or one for ``all people``


# What the authors' program does (src/brainscore_analysis/overview.ipynb of wichmann-lab/error_consistency, e5a777ca),
# and one change after the other.
WAYS = {
    "Figure 5": Way("data set", "middle", "fixed-count", "each person"),
    "Figure 7": Way("data set", "lowest", "fixed-count", "each person"),
    "one sequence": Way("data set", "middle", "fixed-count", "all people"),
    "by condition": Way("condition", "middle", "fixed-count", "each person"),
    "own accuracy": Way("condition", "own", "fixed-count", "each person"),
    "copies by chance": Way("condition", "own", "per-trial", "each person"),
}
# What they mean to a reader.
IN_WORDS = {
    "Figure 5": "as in Figure 5",
    "Figure 7": "as in Figure 7: lowest possible accuracy",
    "one sequence": "as in Figure 5, one sequence for all people",
    "by condition": "as in Figure 5, from values by condition",
    "own accuracy": "the same, the model with its own accuracy",
    "copies by chance": "the same, and copies made by chance",
    REAL_TRIALS: "real trials, resampled for each person",
}


@frozen(inputs=ANSWERS, slow=True, settings=(*WAYS, REAL_TRIALS), spot=["one sequence", REAL_TRIALS])
def copy_intervals(way: str) -> pd.DataFrame:
    """Return the intervals that the paper's method for Brain-Score gives where trials are there to check it.

    The method knows a model's mean error consistency with people, by data set, and people's accuracies, not the trials
    and not the model's accuracy.
    """
    rng = np.random.default_rng(0)
    return (_copied_models(way, rng) if way in WAYS else _anew_for_each_person(rng)).assign(way=way)


def _copied_models(way: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the interval of each sound model under the copy model."""
    facts = pd.concat([known_facts(name, right) for name, right in conditions_in_use()], ignore_index=True)
    if WAYS[way].known == "data set":
        facts = _by_data_set(facts)
    if WAYS[way].sequence == "all people":
        facts = facts.drop_duplicates(CONDITION)
    groups = facts.groupby("system", sort=False)
    return pd.DataFrame([_copied(str(name), group, WAYS[way], rng) for name, group in groups])


def _by_data_set(facts: pd.DataFrame) -> pd.DataFrame:
    """Forget what the public tables of Brain-Score do not say."""
    conditions = facts.drop_duplicates(CONDITION).groupby(["data_set", "system"])["EC"].mean()
    known = conditions.loc[pd.MultiIndex.from_frame(facts[["data_set", "system"]])].to_numpy()
    return facts.assign(EC=known, person=facts.groupby(CONDITION)["person"].transform("mean"))


def _anew_for_each_person(rng: np.random.Generator) -> pd.DataFrame:
    """Break nothing but the pictures that people share: a bootstrap of its own for each of them."""
    draws: dict[str, list[np.ndarray]] = {}
    for name, right in conditions_in_use():
        draws.setdefault(name["data_set"], []).append(_alone(right, rng))
    score = np.mean([np.mean(of_set, axis=0) for of_set in draws.values()], axis=0)
    low, high = np.quantile(score, TAILS, axis=0)
    return pd.DataFrame({"system": sound_models(), "EC": score.mean(axis=0), "low": low, "high": high, "skipped": 0})


def _alone(right: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """Return draws of each model's mean over people in a condition."""
    models = sound_models()
    first, second = np.arange(len(models)), np.full(len(models), len(models))
    people = [right[[*models, person]].to_numpy().T for person in right.filter(like="subject-")]
    draws = [drawn_kappas(each, (first, second), SIMULATIONS, rng, half_counts=False) for each in people]
    return np.nanmean(draws, axis=0, dtype=float)


def known_facts(name: dict[str, Any], right: pd.DataFrame) -> pd.DataFrame:
    """Return what the method may know: mean EC in a condition, people's accuracies, and the model's, to check."""
    models = pd.DataFrame({"EC": np.nanmean(consistencies(right), axis=1), "own": right[sound_models()].mean()})
    people = right.filter(like="subject-").mean().rename("person")
    every = models.rename_axis("system").reset_index().merge(people, how="cross")
    return every.assign(**name, n_trials=len(right))


def _copied(system: str, facts: pd.DataFrame, way: Way, rng: np.random.Generator) -> dict:
    facts = facts.reset_index(drop=True)
    possible = (facts["EC"] >= 0) & (facts["person"] < 1)
    # What copying cannot give stays as observed, without a spread.
    draws = np.repeat(facts["EC"].to_numpy()[:, None], SIMULATIONS, axis=1)
    for place in np.flatnonzero(possible):
        draws[place] = _simulated(facts.iloc[place], way, rng)
    means = pd.DataFrame(draws).groupby([facts["data_set"], facts["condition"]], sort=False).mean()
    score = means.groupby(level="data_set").mean().mean()
    low, high = np.quantile(score, TAILS)
    return {"system": system, "EC": score.mean(), "low": low, "high": high, "skipped": int((~possible).sum())}


def _simulated(facts: pd.Series, way: Way, rng: np.random.Generator) -> np.ndarray:
    low, high = accuracy_bounds(facts["EC"], facts["person"])
    accuracy = {"middle": (low + high) / 2, "lowest": low, "own": np.clip(facts["own"], low, high)}[way.accuracy]
    # A hair inside the bounds, so that rounding does not leave them.
    p_copy = copy_probability(facts["EC"] * (1 - 1e-9), facts["person"], accuracy) * (1 - 1e-9)
    shares = p_copy, facts["person"], accuracy
    tables = simulate_copies(int(facts["n_trials"]), *shares, n_sets=SIMULATIONS, variant=way.copies, rng=rng)
    # Nobody right, or nobody wrong, in a simulated experiment: no error consistency, and 0 in the paper's view.
    return np.nan_to_num(kappa(*tables.reshape(-1, 4).T.astype(float)))
