"""The copy model in place of trials: the paper's method for Brain-Score, checked."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign.bounds import accuracy_bounds, error_consistency_bounds
from erralign.measures.error_consistency import drawn_kappas
from erralign.measures.matrix import kappa
from erralign.planning import copy_probability, simulate_copies
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025 import answers

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
    "Figure 5": "for each person anew, as in Figure 5",
    "Figure 7": "as in Figure 5, but with the lowest possible accuracy (Figure 7)",
    "by condition": "as in Figure 5, but from the score of each condition",
    "own accuracy": "also with the model's own accuracy",
    "copies by chance": "also with copies made by chance",
    REAL_TRIALS: "no simulation: the real trials, resampled for each person anew",
    "one sequence": "as in Figure 5, but once, for all people",
}


@frozen(inputs=answers.ANSWERS, slow=True, settings=(*WAYS, REAL_TRIALS), spot=["one sequence", REAL_TRIALS])
def copy_intervals(way: str) -> pd.DataFrame:
    """Return the intervals that the paper's method for Brain-Score gives where trials are there to check it.

    The method knows a model's mean error consistency with people, by data set, and people's accuracies, not the trials
    and not the model's accuracy.
    """
    rng = np.random.default_rng(0)
    return (_copied_models(way, rng) if way in WAYS else _anew_for_each_person(rng)).assign(way=way)


def _copied_models(way: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the interval of each sound model under the copy model."""
    facts = pd.concat([known_facts(name, right) for name, right in answers.conditions_in_use()], ignore_index=True)
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
    for name, right in answers.conditions_in_use():
        draws.setdefault(name["data_set"], []).append(_alone(right, rng))
    score = np.mean([np.mean(of_set, axis=0) for of_set in draws.values()], axis=0)
    low, high = np.quantile(score, answers.TAILS, axis=0)
    return pd.DataFrame(
        {"system": answers.sound_models(), "EC": score.mean(axis=0), "low": low, "high": high, "skipped": 0}
    )


def _alone(right: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """Return draws of each model's mean over people in a condition."""
    models = answers.sound_models()
    first, second = np.arange(len(models)), np.full(len(models), len(models))
    people = [right[[*models, person]].to_numpy().T for person in right.filter(like="subject-")]
    draws = [drawn_kappas(each, (first, second), SIMULATIONS, rng, half_counts=False) for each in people]
    return np.nanmean(draws, axis=0, dtype=float)


def known_facts(name: dict[str, Any], right: pd.DataFrame) -> pd.DataFrame:
    """Return what the method may know: mean EC in a condition, people's accuracies, and the model's, to check."""
    models = pd.DataFrame(
        {"EC": np.nanmean(answers.consistencies(right), axis=1), "own": right[answers.sound_models()].mean()}
    )
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
    low, high = np.quantile(score, answers.TAILS)
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


# ---- experiments of the copy model with the settings of the authors' released notebook (Figures 3 and 6) ----------


TRIALS_AS_DRAWN = (100, 200, 400, 800, 1600)
ACCURACIES_AS_DRAWN = (0.05, 0.25, 0.5, 0.75, 0.95)
EC_AS_DRAWN = (0.0, 0.25, 0.5, 0.75, 0.95, 0.999)
EC_OF_FIGURE_3 = 0.5
# Between the values that the figure draws there may be larger ones.
FINER_EC = tuple(step / 20 for step in range(20))
# Ten times as many as in the notebook: at 5,000 the widest value of Figure 6 depends on the seed.
EXPERIMENTS = 50_000
SETTINGS = tuple(product(TRIALS_AS_DRAWN, sorted({*EC_AS_DRAWN, *FINER_EC})))


@frozen(inputs=[], slow=True, settings=SETTINGS, spot=[(100, 0.5), (400, 0.25)], by="n_trials EC")
def experiments(setting: tuple[int, float]) -> pd.DataFrame:
    """Return how error consistency comes out in experiments of the copy model (Figures 3 and 6)."""
    n_trials, ec = setting
    rng = np.random.default_rng([n_trials, round(1000 * ec)])
    drawn = {str(accuracy): _measured(n_trials, ec, accuracy, rng) for accuracy in ACCURACIES_AS_DRAWN}
    values, constant = (np.concatenate(parts) for parts in zip(*drawn.values(), strict=True))
    heaps = drawn | {"pooled": (values, constant)}
    return pd.DataFrame([{"accuracy": name} | _summary(*each) for name, each in heaps.items()])


def _measured(n_trials: int, ec: float, accuracy: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return error consistencies, and where a system was always right or always wrong."""
    tables = simulate_copies(n_trials, ec, accuracy, accuracy, n_sets=EXPERIMENTS, variant="fixed-count", rng=rng)
    right = np.array([tables[:, 1].sum(axis=1), tables[:, :, 1].sum(axis=1)])
    return kappa(*tables.reshape(-1, 4).T.astype(float)), ((right == 0) | (right == n_trials)).any(axis=0)


def _summary(values: np.ndarray, constant: np.ndarray) -> dict:
    kept = values[~constant]
    low, high = np.quantile(kept, answers.TAILS)
    limits = {"mean": kept.mean(), "low": low, "high": high, "width": high - low}
    return limits | {"left_out": constant.mean(), "mean_of_all": np.nanmean(values)}


def pooled_widths() -> pd.DataFrame:
    """Return how wide measured error consistency spreads, as Figure 6 draws it: all five accuracies together."""
    every = experiments()
    pooled = every[(every["accuracy"] == "pooled") & every["EC"].isin(EC_AS_DRAWN)]
    return pooled.pivot(index="n_trials", columns="EC", values="width")


# ---- how wide measured error consistency spreads, for which accuracies --------------------------------------------


ACCURACIES = (0.5, 0.75, 0.9, 0.95)
TRIALS = (40, 80, 160, 320, 400, 640, 1000, 1280, 2500, 5000, 10_000)


@frozen(inputs=[])
def widths() -> pd.DataFrame:
    """Return how wide 95 % of error consistency spreads over experiments, or a bootstrap interval is."""
    draws = np.random.default_rng(0)
    return pd.DataFrame([row for accuracy in ACCURACIES for n in TRIALS for row in _widths_at(accuracy, n, draws)])


def _widths_at(accuracy: float, n: int, rng: np.random.Generator) -> list[dict]:
    tables = simulate_copies(n, 0.5, accuracy, accuracy, n_sets=200, rng=rng).reshape(200, 4)
    drawn = kappa(*np.moveaxis(rng.multinomial(n, tables[:, None] / n, size=(200, 1000)), 2, 0).astype(float))
    # An experiment without an error has no bootstrap interval.
    drawn = drawn[~np.isnan(drawn).all(axis=1)]
    low, high = np.nanquantile(drawn, answers.TAILS, axis=1).mean(axis=1)
    start = {"accuracy": accuracy, "n_trials": n}
    rows = [start | {"how": "bootstrap", "low": low, "high": high, "width": high - low, "EC": np.nanmean(drawn)}]
    return rows + [start | _spread(n, 0.5, accuracy, variant, rng) for variant in ("fixed-count", "per-trial")]


def explained_in_bootstraps(n: int) -> float:
    """Return what share of the shortfall of bootstrapped EC is due to systems that are always right or always wrong.

    Both systems have an accuracy of .95 and a true error consistency of .5, as in the released program.
    """
    draws = np.random.default_rng(0)
    tables = simulate_copies(n, 0.5, 0.95, 0.95, n_sets=50_000, variant="fixed-count", rng=draws)
    counts = np.moveaxis(draws.multinomial(n, tables.reshape(-1, 4) / n), 1, 0)
    values = np.nan_to_num(kappa(*counts.astype(float)))  # the paper counts such bootstraps as 0
    wrong_a, wrong_b = counts[0] + counts[1], counts[0] + counts[2]
    kept = (wrong_a % n > 0) & (wrong_b % n > 0)
    return (values[kept].mean() - values.mean()) / (0.5 - values.mean())


def _spread(n: int, ec: float, accuracy: float, variant: str, rng: np.random.Generator) -> dict:
    # Equal accuracies make the copy probability the error consistency.
    tables = simulate_copies(n, ec, accuracy, accuracy, n_sets=answers.N_RESAMPLES, variant=variant, rng=rng)
    values = kappa(*tables.reshape(-1, 4).T.astype(float))
    low, high = np.nanquantile(values, answers.TAILS)
    return {"how": variant, "low": low, "high": high, "width": high - low, "EC": np.nanmean(values)}


# ---- what error consistency two accuracies leave room for (Figure 2a) ----------------------------------------------


ACCURACIES_OF_A = (0.5, 0.95)


def limits_by_mismatch() -> pd.DataFrame:
    """Return the lowest and the highest possible error consistency by the difference of two accuracies."""
    accuracy_b = np.linspace(0, 1, 101)
    parts = []
    for a in ACCURACIES_OF_A:
        low, high = error_consistency_bounds(a, accuracy_b)
        mismatch = np.round(accuracy_b - a, 2)
        parts.append(pd.DataFrame({"accuracy": str(a), "mismatch": mismatch, "low": low, "high": high}))
    return pd.concat(parts, ignore_index=True)
