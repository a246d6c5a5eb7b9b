"""What a study finds of heads: values, gains, and how much of what was within reach they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from erralign_book.studies.training.scores import (
    COLUMNS,
    Scores,
    Statistic,
    at,
    minus,
    minus_at_equal_accuracy,
)

PEOPLE = "two people"
EQUALLY = ", equally accurate"


class Judged(NamedTuple):
    """Scores of heads, from which findings are told."""

    names: list[str]
    n_base: int  # how many of them, at the beginning, are baselines
    own: list[int]  # places of those that are neither baselines nor controls
    scores: dict[tuple[str, str], Scores]  # by pictures and people, new or seen
    reach: list[tuple[int, str, int]]  # head, who is known, and the place of that among the arms, behind all heads
    people: Scores
    level: float


@dataclass(frozen=True)
class Findings:
    """How heads did on new pictures and new people, from :meth:`Study.evaluate`.

    Parameters
    ----------
    values : pandas.DataFrame
        ``head`` (and two people), ``pictures`` and ``people`` (new or seen), ``measure``, ``value``, ``low``, ``high``.
    gains : pandas.DataFrame
        What each head and each control has ``over`` the baseline, as trained and at equal accuracy, and each head over
        its control; with ``p``, which is not corrected for the number of rows.
    reach : pandas.DataFrame
        The EC that somebody as accurate as the head would have who ``knows`` what those who teach said to the new
        pictures, or, which nobody exceeds, those who test; ``room`` over an equally accurate baseline; and the
        ``share`` of it that the head gained, with limits.
    """

    values: pd.DataFrame
    gains: pd.DataFrame
    reach: pd.DataFrame

    @classmethod
    def of(cls, judged: Judged) -> Findings:
        """Write down what scores say."""
        return cls(pd.DataFrame(_values(judged)), pd.DataFrame(_gains(judged)), pd.DataFrame(_reach(judged)))

    def gain(self, head: str, measure: str = "EC") -> pd.Series:
        """Return the one gain that counts: on new pictures, with new people, at equal accuracy where that is known.

        Parameters
        ----------
        head : str
            Its name.
        measure : str
            The measure that it was meant to raise.

        Returns
        -------
        pandas.Series
            The row of ``gains``.
        """
        new = self.gains[(self.gains["pictures"] == "new") & (self.gains["people"] == "new")]
        its = new[(new["head"] == head) & (new["measure"] == measure)]
        if its.empty:
            raise ValueError(f"head is {head!r}; expected one of {', '.join(self.gains['head'].unique())}")
        equal = its[its["over"].str.endswith(EQUALLY)]
        return (equal if len(equal) else its).iloc[0]


def _values(judged: Judged) -> Iterator[dict]:
    for (pictures, people), of in judged.scores.items():
        where = {"pictures": pictures, "people": people}
        for place, name in enumerate(judged.names):
            for measure in COLUMNS:
                limits = _limits(of, at(place, measure), judged.level)
                yield {"head": name} | where | {"measure": measure} | limits
    for measure in COLUMNS:
        where = {"pictures": "new", "people": "new", "measure": measure}
        yield {"head": PEOPLE} | where | _limits(judged.people, at(0, measure), judged.level)


def _gains(judged: Judged) -> Iterator[dict]:
    for (pictures, people), of in judged.scores.items():
        for place, over, statistic in _comparisons(judged):
            for measure in COLUMNS:
                facts = {"head": judged.names[place], "over": over, "pictures": pictures, "people": people}
                yield facts | {"measure": measure} | of.limits(statistic(measure), judged.level)


def _comparisons(judged: Judged) -> Iterator[tuple]:
    names, path = judged.names, slice(judged.n_base)
    for place in range(judged.n_base, len(names)):
        yield place, names[0], partial(minus, place, 0)
        if judged.n_base > 1:
            equal = names[0] + EQUALLY
            yield place, equal, partial(minus_at_equal_accuracy, place, path)
    for place in judged.own:
        control = next((row for row, name in enumerate(names) if name.startswith(f"{names[place]}, ")), None)
        if control is not None:
            yield place, names[control], partial(minus, place, control)


def _reach(judged: Judged) -> Iterator[dict]:
    of, path = judged.scores["new", "new"], slice(judged.n_base)
    for place, knows, best in judged.reach:
        gain, room = (_above(arm, path) for arm in (place, best))
        facts = {"head": judged.names[place], "knows": knows, "EC": float(at(best, "EC")(of.values))}
        limits = _limits(of, partial(_share, gain, room), judged.level)
        yield facts | {"room": float(room(of.values)), "share": limits.pop("value")} | limits


def _share(gain: Statistic, room: Statistic, values: np.ndarray) -> np.ndarray:
    return gain(values) / room(values)


def _above(arm: int, path: slice) -> Statistic:
    return minus_at_equal_accuracy(arm, path, "EC") if path.stop > 1 else minus(arm, 0, "EC")


def _limits(of: Scores, statistic: Statistic, level: float) -> dict[str, float]:
    return {name: value for name, value in of.limits(statistic, level).items() if name != "p"}
