"""What another seed would change."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from erralign.resampling import ConsistencyWithPeople
from erralign_book.papers.frozen import frozen
from erralign_book.papers.klein2025.answers import conditions_in_use, consistency_of
from erralign_book.papers.klein2025.clip import DRAWS_OF_FIGURE_10, clip_and_person
from erralign_book.papers.klein2025.copies import copied_models
from erralign_book.papers.klein2025.models import ANSWERS, DATA_SETS, sound_models
from erralign_book.papers.klein2025.notebook import (
    EC_AS_DRAWN,
    EC_OF_FIGURE_3,
    EXPERIMENTS_AS_DRAWN,
    TRIALS_AS_DRAWN,
    pooled_widths,
    simulated_experiments,
)
from erralign_book.papers.klein2025.ranks import scores
from erralign_book.papers.klein2025.stability import ALPHA, agreement_with_ranking, kendall_taus, tested_differences


def _with_seed(data_sets: tuple[str, ...], seed: int) -> ConsistencyWithPeople:
    return consistency_of(tuple(sound_models()), data_sets, seed)


def _widths(found: ConsistencyWithPeople) -> np.ndarray:
    table = scores(found).sort_values("system")
    return (table["percentile_high"] - table["percentile_low"]).to_numpy()


def _copy_widths(way: str, seed: int) -> np.ndarray:
    found = copied_models(way, np.random.default_rng(seed))
    return (found["high"] - found["low"]).to_numpy()


def _mean_tau(found: ConsistencyWithPeople) -> float:
    return float(kendall_taus(agreement_with_ranking(found)[1]).mean())


def _resolved(found: ConsistencyWithPeople) -> int:
    return int((tested_differences(found)["p_holm"] <= ALPHA).sum())


def _clip_with_seed(seed: int) -> np.ndarray:
    both = [(right["clip"], right["subject-01"]) for _, right in conditions_in_use()]
    return np.array([clip_and_person(*each, seed, DRAWS_OF_FIGURE_10)["p_simulated"] for each in both])


def _experiments_as_drawn(ecs: Sequence[float], seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    parts = [simulated_experiments(n, ec, EXPERIMENTS_AS_DRAWN, rng) for n in TRIALS_AS_DRAWN for ec in ecs]
    return pd.concat(parts, ignore_index=True)


def _widths_of_figure_3(seed: int) -> pd.Series:
    return _experiments_as_drawn([EC_OF_FIGURE_3], seed).query("accuracy != 'pooled'")["width"]


def _widths_of_figure_6(seed: int) -> pd.DataFrame:
    return pooled_widths(_experiments_as_drawn(EC_AS_DRAWN, seed))


# What a seed may change, and the values of an item under a seed.
ITEMS: dict[tuple[str, str], Callable[[int], ArrayLike]] = {
    ("Figure 4", "mean width"): lambda seed: _widths(_with_seed(DATA_SETS, seed)),
    ("Figure 8", "mean width"): lambda seed: _widths(_with_seed(("phase-scrambling",), seed)),
    ("Figure 4", "mean tau"): lambda seed: _mean_tau(_with_seed(DATA_SETS, seed)),
    ("Figure 4", "pairs resolved after correction"): lambda seed: _resolved(_with_seed(DATA_SETS, seed)),
    ("Figure 3", "mean width"): _widths_of_figure_3,
    ("Figure 5", "mean width"): lambda seed: _copy_widths("Figure 5", seed),
    ("Figure 7", "mean width"): lambda seed: _copy_widths("Figure 7", seed),
    ("Figure 6", "mean width"): _widths_of_figure_6,
    ("Figure 6", "mean EC of the largest width"): lambda seed: _widths_of_figure_6(seed).idxmax(axis=1),
    ("Figure 10", "mean p"): _clip_with_seed,
}


@frozen(inputs=ANSWERS, slow=True, settings=tuple(ITEMS), spot=[("Figure 8", "mean width"), ("Figure 3", "mean width")])
def seeds(setting: tuple[str, str]) -> pd.DataFrame:
    """Return what another seed changes, figure by figure."""
    first, second = (np.asarray(ITEMS[setting](seed), dtype=float) for seed in (0, 1))
    row = (*setting, np.nanmean(first), np.nanmean(second), np.nanmax(np.abs(first - second)))
    return pd.DataFrame([row], columns=["item", "quantity", "seed_0", "seed_1", "largest"])
