"""Means over pairs, and how far they would move with other pictures, other people and other models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pandas as pd

from erralign.measures import Measure, measure_of
from erralign.responses import Responses
from erralign.responses.arrays import response_matrix
from erralign_book.papers.leads import Lead, over_pictures, summed, variance_of


class Moving(Protocol):
    """A mean that knows what each picture does to it, and what it is without some people or models."""

    @property
    def moved(self) -> np.ndarray:
        """Return what each picture does to the mean."""

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the mean without some people or models."""


@dataclass(frozen=True)
class Mean:
    """A measure of the pairs of two groups, or of one: values, nan where there is no pair, and what each picture does.

    ``weight`` is what the mean counts for in a sum, -1 for what is subtracted.
    """

    values: pd.DataFrame
    moved: np.ndarray
    weight: float = 1.0

    def without(self, left_out: Sequence[str] = ()) -> float:
        """Return the weighted mean over the pairs that are left."""
        kept = ~self.values.index.isin(left_out), ~self.values.columns.isin(left_out)
        return self.weight * float(np.nanmean(self.values.to_numpy()[np.ix_(*kept)]))


def mean_of_pairs(
    responses: Responses, measure: str | Measure, rows: list[str], columns: list[str], chosen: np.ndarray | bool = True
) -> Mean:
    """Compute a measure of each of ``rows`` with each of ``columns``, or of the chosen ones of these pairs."""
    names = list(dict.fromkeys([*rows, *columns]))
    trials, table = response_matrix(responses, names), np.full((len(rows), len(columns)), np.nan)
    wanted = np.broadcast_to(chosen, table.shape)
    places = np.nonzero(np.triu(wanted, 1) if rows == columns else wanted)
    first, second = (
        pd.Index(names).get_indexer(pd.Index(side))[place] for side, place in zip((rows, columns), places, strict=True)
    )
    table[places], without = measure_of(measure).leave_one_out(replace(trials, selected=(first, second)))
    moved = np.nanmean(without.mean(axis=1, keepdims=True) - without, axis=0)
    return Mean(pd.DataFrame(table, rows, columns), moved)


def less(mean: Mean) -> Mean:
    """Return a mean as it counts where it is subtracted."""
    return Mean(mean.values, -mean.moved, -mean.weight)


def lead(pictures: pd.Index, means: Sequence[Moving], units: pd.Series, samples: Mapping[str, Sequence[str]]) -> Lead:
    """Return a sum of means, with its standard error over pictures, people and models.

    A picture goes with all that have its shape or its texture. ``samples`` are the people and the groups of models; of
    each, one of ``units`` is left out at a time. One model alone stands for itself.
    """
    parts = [over_pictures(pictures, np.sum([mean.moved for mean in means], axis=0))]
    for systems in samples.values():
        named = units[list(systems)]
        of_units = [list(named.index[named == unit]) for unit in named.unique()]
        without = [sum(mean.without(left_out) for mean in means) for left_out in of_units if len(of_units) > 1]
        parts += [variance_of(without)] if without else []
    return {"value": sum(mean.without() for mean in means)} | summed(parts)
