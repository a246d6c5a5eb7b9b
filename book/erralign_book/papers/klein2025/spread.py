"""How wide measured error consistency spreads, for which accuracies."""

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.bounds import error_consistency_bounds
from erralign.planning import simulate_copies
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import N_RESAMPLES, TAILS

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
    low, high = np.nanquantile(drawn, TAILS, axis=1).mean(axis=1)
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
    tables = simulate_copies(n, ec, accuracy, accuracy, n_sets=N_RESAMPLES, variant=variant, rng=rng)
    values = kappa(*tables.reshape(-1, 4).T.astype(float))
    low, high = np.nanquantile(values, TAILS)
    return {"how": variant, "low": low, "high": high, "width": high - low, "EC": np.nanmean(values)}


# ---- what error consistency two accuracies leave room for (Figure 2a) ----------------------------------------------


ACCURACIES_OF_A = (0.25, 0.5, 0.75, 0.95)


def limits_by_mismatch() -> pd.DataFrame:
    """Return the lowest and the highest possible error consistency by the difference of two accuracies."""
    accuracy_b = np.linspace(0, 1, 101)
    parts = [
        pd.DataFrame({"accuracy": str(a), "mismatch": np.round(accuracy_b - a, 2)} | _limits(a, accuracy_b))
        for a in ACCURACIES_OF_A
    ]
    return pd.concat(parts, ignore_index=True)


def _limits(accuracy_a: float, accuracy_b: np.ndarray) -> dict[str, np.ndarray]:
    low, high = error_consistency_bounds(accuracy_a, accuracy_b)
    return {"low": low, "high": high}
