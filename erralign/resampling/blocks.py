"""Limits of many pairs, block after block: in bounded memory, on several cores or on a cluster.

Each block repeats the same draws from all trials of all systems, so limits do not depend on how pairs are divided.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from erralign.clusters import Clusters, effects_of_pairs
from erralign.machines import as_finished
from erralign.measures import Draws, Measure, Trials, limit_columns
from erralign.measures.limits import spread
from erralign.measures.trials import MANY_TRIALS

LOG = logging.getLogger(__name__)
SLOW = 10  # seconds from which it is said how long limits take
UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))
FEW, MORE = 20, 220  # draws that are timed for that
PAIRS = 8_000  # of a block: ten thousand draws for each are 320 MB, and as much again while they are sorted
TRIALS = 4 * 10**7  # of all pairs of a block, where trials are many


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
    size = PAIRS if len(asked.trials.truth) <= MANY_TRIALS else max(1, TRIALS // len(asked.trials.truth))
    blocks = [(start, start + size) for start in range(0, len(asked.values), size)]
    if LOG.isEnabledFor(logging.INFO) and not scheduler:
        _say_what_takes_long(asked, blocks)
    done = as_finished(_of_block, blocks, asked, n_jobs=n_jobs, scheduler=scheduler)
    found = dict(tqdm(done, "pairs", len(blocks), unit="block", disable=None if len(blocks) > 1 else True))
    parts = [found[place][0] for place in range(len(blocks))]
    asked.draws.rng.bit_generator.state = found[0][1]
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def _say_what_takes_long(asked: Asked, blocks: list[tuple[int, int]]) -> None:
    """Time the first block with few draws, measure by measure, and say how long all will take without clusters."""
    for measure in asked.measures:
        seconds = len(blocks) * _seconds_of_a_block(asked._replace(measures=[measure], clusters=None), blocks[0])
        if seconds > SLOW:
            size, unit = next((each for each in UNITS if seconds >= 2 * each[0]), UNITS[-1])
            LOG.info(
                f"intervals of {measure.short} for {len(asked.values):,} pairs: about {seconds / size:.0f} {unit} on "
                "one core; fewer measures, draws or pairs take less"
            )


def _seconds_of_a_block(asked: Asked, block: tuple[int, int]) -> float:
    times = []
    for n in (FEW, MORE):
        start = perf_counter()
        _, state = _of_block(block, asked._replace(draws=replace(asked.draws, n_resamples=n)))
        times.append(perf_counter() - start)
        if str(state) == str(asked.draws.rng.bit_generator.state):
            return times[0]  # nothing was drawn
    return times[0] + max(0.0, times[1] - times[0]) * (asked.draws.n_resamples - FEW) / (MORE - FEW)


def _of_block(places: tuple[int, int], asked: Asked) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    given = {field.name: getattr(asked.trials, field.name) for field in fields(Trials)}
    block, draws = _Block(**given, places=places), deepcopy(asked.draws)
    limits: dict[str, np.ndarray] = {}
    for measure in asked.measures:
        options = measure.own(asked.options)
        here = asked.values[measure.name].to_numpy()[slice(*places)]
        if measure.why_not(block.n_classes, block.n_options):
            limits |= dict(zip(limit_columns(measure.name), (here, here, np.zeros(len(here), dtype=int)), strict=True))
            continue
        low, high, undefined = measure.intervals.of_all_pairs(block, here, draws, **options)
        effects = effects_of_pairs(asked.clusters, measure, block, draws.level, **options)
        low, high = spread(low, high, here, effects, measure.range)
        limits |= dict(zip(limit_columns(measure.name), (low, high, undefined), strict=True))
    return limits, dict(draws.rng.bit_generator.state)
