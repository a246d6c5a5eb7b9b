"""Experiments of the copy model with the settings of the authors' released notebook (Figures 3 and 6).

The paper's text leaves out some of these settings. They are in src/confidence_intervals/plot_cis.ipynb of
wichmann-lab/error_consistency at e5a777ca; the constants below are facts from there.
"""

from itertools import product

import numpy as np
import pandas as pd

from erralign.behaviour.consistency import kappa
from erralign.planning import simulate_copies
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import TAILS

TRIALS_AS_DRAWN = (100, 200, 400, 800, 1600)
ACCURACIES_AS_DRAWN = (0.05, 0.25, 0.5, 0.75, 0.95)
EC_AS_DRAWN = (0.0, 0.25, 0.5, 0.75, 0.95, 0.999)
EC_OF_FIGURE_3 = 0.5
# Between the values that the figure draws there may be larger ones.
FINER_EC = tuple(step / 20 for step in range(20))
# Ten times as many as in the notebook: at 5,000 the widest value of Figure 6 depends on the seed.
EXPERIMENTS = 50_000
SETTINGS = tuple(product(TRIALS_AS_DRAWN, sorted({*EC_AS_DRAWN, *FINER_EC})))


@frozen(inputs=[], slow=True, settings=SETTINGS, spot=[(100, 0.5), (400, 0.25)])
def experiments(setting: tuple[int, float]) -> pd.DataFrame:
    """Return how error consistency comes out in experiments of the copy model (Figures 3 and 6)."""
    n_trials, ec = setting
    rng = np.random.default_rng([n_trials, round(1000 * ec)])
    drawn = {str(accuracy): _measured(n_trials, ec, accuracy, rng) for accuracy in ACCURACIES_AS_DRAWN}
    values, constant = (np.concatenate(parts) for parts in zip(*drawn.values(), strict=True))
    start = {"n_trials": n_trials, "EC": ec}
    heaps = drawn | {"pooled": (values, constant)}
    return pd.DataFrame([start | {"accuracy": name} | _summary(*each) for name, each in heaps.items()])


def _measured(n_trials: int, ec: float, accuracy: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return error consistencies, and where a system was always right or always wrong."""
    tables = simulate_copies(n_trials, ec, accuracy, accuracy, n_sets=EXPERIMENTS, variant="fixed-count", rng=rng)
    right = np.array([tables[:, 1].sum(axis=1), tables[:, :, 1].sum(axis=1)])
    return kappa(*tables.reshape(-1, 4).T.astype(float)), ((right == 0) | (right == n_trials)).any(axis=0)


def _summary(values: np.ndarray, constant: np.ndarray) -> dict:
    kept = values[~constant]
    low, high = np.quantile(kept, TAILS)
    limits = {"mean": kept.mean(), "low": low, "high": high, "width": high - low}
    return limits | {"left_out": constant.mean(), "mean_of_all": np.nanmean(values)}


def pooled_widths() -> pd.DataFrame:
    """Return how wide measured error consistency spreads, as Figure 6 draws it: all five accuracies together."""
    every = experiments()
    pooled = every[(every["accuracy"] == "pooled") & every["EC"].isin(EC_AS_DRAWN)]
    return pooled.pivot(index="n_trials", columns="EC", values="width")
