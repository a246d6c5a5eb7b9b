"""Limits of many pairs, block after block: in bounded memory, on several cores or on a cluster.

Each block repeats the same draws from all trials of all systems, so limits do not depend on how pairs are divided.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from erralign.machines import as_finished
from erralign.measures import limit_columns, short_name
from erralign.resampling.methods import INTERVALS
from erralign.resampling.trials import Draws, Trials
from erralign.resampling.widening import RANGES, spread

PAIRS = 8_000  # of a block: ten thousand draws for each are 320 MB, and as much again while they are sorted


@dataclass(frozen=True)
class _Block(Trials):
    """The trials of all systems, of which some pairs are asked for."""

    places: tuple[int, int] = (0, 0)

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        first, second = super().pairs
        return first[slice(*self.places)], second[slice(*self.places)]


def limits_of_all_pairs(
    trials: Trials, values: pd.DataFrame, draws: Draws, *, jobs: int = 1, cluster: str = ""
) -> dict[str, np.ndarray]:
    """Find the default limits of measures of all pairs."""
    blocks = [(start, start + PAIRS) for start in range(0, len(values), PAIRS)]
    found = dict(as_finished(_of_block, blocks, (trials, values, draws), jobs=jobs, cluster=cluster))
    parts = [found[place][0] for place in range(len(blocks))]
    draws.rng.bit_generator.state = found[0][1]
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def _of_block(
    places: tuple[int, int], shared: tuple[Trials, pd.DataFrame, Draws]
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    trials, values, draws = shared
    block = _Block(**{field.name: getattr(trials, field.name) for field in fields(trials)}, places=places)
    draws = deepcopy(draws)
    limits: dict[str, np.ndarray] = {}
    for measure, of_all in values.items():
        here = of_all.to_numpy()[slice(*places)]
        low, high, undefined = INTERVALS[short_name(str(measure))].of_all_pairs(block, here, draws)
        if block.clusters is not None:
            effects = [block.effect(str(measure), a, b) for a, b in zip(*block.pairs, strict=True)]
            low, high = spread(low, high, here, effects, RANGES[str(measure)])
        limits |= dict(zip(limit_columns(str(measure)), (low, high, undefined), strict=True))
    return limits, dict(draws.rng.bit_generator.state)
