"""Limits of many pairs, block after block: in bounded memory, on several cores or on a cluster.

Each block repeats the same draws from all trials of all systems, so limits do not depend on how pairs are divided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign.clusters import Clusters
from erralign.machines import as_finished
from erralign.measures import Draws, Measure, Trials, limit_columns
from erralign.resampling.widening import spread_of_pairs

PAIRS = 8_000  # of a block: ten thousand draws for each are 320 MB, and as much again while they are sorted


@dataclass(frozen=True)
class _Block(Trials):
    """The trials of all systems, of which some pairs are asked for."""

    places: tuple[int, int] = (0, 0)

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        first, second = super().pairs
        return first[slice(*self.places)], second[slice(*self.places)]


class Asked(NamedTuple):
    """What limits are asked for. The measures themselves go to other processes, where nobody registered them."""

    trials: Trials
    values: pd.DataFrame
    measures: Sequence[Measure]
    draws: Draws
    clusters: Clusters | None
    options: Mapping[str, Any]


def limits_of_all_pairs(asked: Asked, *, n_jobs: int = 1, scheduler: str = "") -> dict[str, np.ndarray]:
    """Find the default limits of measures of all pairs."""
    blocks = [(start, start + PAIRS) for start in range(0, len(asked.values), PAIRS)]
    found = dict(as_finished(_of_block, blocks, asked, n_jobs=n_jobs, scheduler=scheduler))
    parts = [found[place][0] for place in range(len(blocks))]
    asked.draws.rng.bit_generator.state = found[0][1]
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def _of_block(places: tuple[int, int], asked: Asked) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    given = {field.name: getattr(asked.trials, field.name) for field in fields(Trials)}
    block, draws = _Block(**given, places=places), deepcopy(asked.draws)
    limits: dict[str, np.ndarray] = {}
    for measure in asked.measures:
        options = measure.own(asked.options)
        here = asked.values[measure.name].to_numpy()[slice(*places)]
        low, high, undefined = measure.intervals.of_all_pairs(block, here, draws, **options)
        low, high = spread_of_pairs(block, asked.clusters, measure, (low, high), here, draws.level, options)
        limits |= dict(zip(limit_columns(measure.name), (low, high, undefined), strict=True))
    return limits, dict(draws.rng.bit_generator.state)
