"""Power of an experiment in which people and systems answer the same pictures, from a threshold model."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtrit

from erralign._validation import check_between, check_rng, check_whole, checked
from erralign.bounds import error_consistency_bounds
from erralign.planning.copies import expected_table

if TYPE_CHECKING:
    import pandas as pd

_SIMULATED = 30_000  # pictures, which give a standard error to about a hundredth
_COMPARISONS = ("A less B", "people less B")


def power_with_people(
    people: int | Iterable[int],
    pictures: int | Iterable[int],
    *,
    accuracy: float,
    ec: float,
    difference: float,
    accuracy_of_systems: float | None = None,
    systems: int = 2,
    repetitions: int | Iterable[int] = 1,
    ec_with_self: float | None = None,
    ma: float | None = None,
    n_options: int = 16,
    power: float = 0.8,
    level: float = 0.95,
    rng: int | np.random.Generator = 0,
) -> pd.DataFrame:
    r"""Return how often a difference of mean EC, or mean MA, with people will be found, and how wide its interval is.

    People and systems answer the same pictures. An observer i is right on a picture if

    .. math:: \lambda_i d + \sqrt{1 - \lambda_i^2}\, e_i < \Phi^{-1}(p_i),

    with the difficulty d of the picture, an accident :math:`e_i`, both standard normal, and the accuracy :math:`p_i`.
    The loadings :math:`\lambda_i` give people the wanted EC with each other, system A the same EC with people, and
    system B one that is smaller by ``difference``. With repetitions, a part of a person's accident is the same at
    each, so that people agree with themselves as wanted. For MA, each picture has one wrong answer that attracts, which
    whoever errs gives with probability :math:`\pi_i`, and else any wrong answer: the MA of two is :math:`\pi_i \pi_j`.

    The standard error is that of :func:`erralign.consistency_with_people`, whose variance is a sum over pictures: it is
    computed from 30,000 simulated pictures and divided by the root of the number of pictures, with Student's t. So it
    is about other pictures and the same people, all equally accurate.

    Parameters
    ----------
    people, pictures, repetitions : int or iterable of int
        How many people (two at least) see how many pictures, each of them how often. Of several, all combinations.
    accuracy, accuracy_of_systems : float
        Of people, and of systems (default: the same).
    ec : float
        The error consistency of people with each other, and of system A with people, above 0.
    difference : float
        How much less EC, or MA, system B has with people, above 0.
    systems : int
        How many systems are compared: p-values are multiplied by the number of comparisons (all pairs of systems, or
        people with each), as in the first step of Holm's correction.
    ec_with_self : float, optional
        The EC of a person with the same person at another repetition. Default: ``ec``, with which repetitions buy as
        much as they ever can.
    ma : float, optional
        The MA of people with each other and of A with people. With it, all is about MA.
    n_options : int
        How many answers there are to choose from, for MA.
    power : float
        The power for which ``pictures_needed`` is given.
    level : float
        The level of the interval; the test has the size 1 - level.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    pandas.DataFrame
        A row for each number of people, repetitions, pictures and each comparison (system A less system B, unless no
        system of that accuracy can have people's EC; people with each other less system B), with ``width`` of the
        interval, ``power`` and ``pictures_needed``.

    Notes
    -----
    In simulations with 100 to 400 pictures, the power of ``consistency_with_people(...).difference_test`` was within
    0.04 of what is given here, where difficulty is normal. If three in ten pictures are hard and the others easy, it
    was up to 0.1 lower (0.68 for 0.78). Of 43 published networks beside people, intervals were as wide as planned
    within a tenth, and up to a quarter wider where people were right on 87 % or more: take up to half more pictures.

    Examples
    --------
    >>> plan = power_with_people(12, [200, 400], accuracy=0.7, ec=0.3, difference=0.1)
    >>> plan["power"].round(1).tolist()
    [0.5, 0.8, 0.5, 0.9]
    """
    import pandas as pd

    checked(level=level)
    check_between("power", power, 0, 1, "0.8 finds the difference in four of five experiments")
    check_between("difference", difference, 0, 2, "such as 0.05")
    systems, n_options = check_whole("systems", systems, 1), check_whole("n_options", n_options, 3)
    world = _World.of(accuracy, accuracy_of_systems or accuracy, ec, ec_with_self, difference, ma, n_options)
    generator, rows = check_rng(rng), []
    seed = int(generator.integers(2**32))  # the same pictures for all numbers of people
    numbers = _several("pictures", pictures, 2)
    for n_people, n_times in product(_several("people", people, 2), _several("repetitions", repetitions, 1)):
        of_a, of_b, of_people = world.influences(n_people, n_times, np.random.default_rng(seed))
        pairs = [*zip(_COMPARISONS, (of_a, of_people), (max(comb(systems, 2), 1), systems), strict=True)]
        for comparison, of_other, n_tests in pairs[int(np.isnan(world.loadings[1])) :]:
            error = float(np.std(of_other - of_b))  # with one picture
            critical = ndtri(1 - (1 - level) / 2 / n_tests)
            needed = ((critical + ndtri(power)) * error / difference) ** 2
            for n_pictures in numbers:
                wider = _wider(of_other, of_b, n_pictures, level) / error
                limit, shift = critical * wider, difference * np.sqrt(n_pictures) / error
                rows.append(
                    {
                        "people": n_people,
                        "repetitions": n_times,
                        "pictures": n_pictures,
                        "comparison": comparison,
                        "width": 2 * ndtri((1 + level) / 2) * wider * error / np.sqrt(n_pictures),
                        "power": float(ndtr(shift - limit) + ndtr(-shift - limit)),
                        "pictures_needed": int(np.ceil(needed * (_wider(of_other, of_b, needed, level) / error) ** 2)),
                    }
                )
    return pd.DataFrame(rows)


def _wider(of_a: np.ndarray, of_b: np.ndarray, n_pictures: float, level: float) -> float:
    """Return the standard error with one picture, with Student's t of as many degrees as pictures that move a mean."""
    wider = []
    for influences in (of_a, of_b):
        moves = influences - influences.mean()
        degrees = max(n_pictures * (moves**2).mean() ** 2 / (moves**4).mean() - 1, 4)
        wider.append(moves * stdtrit(degrees, (1 + level) / 2) / ndtri((1 + level) / 2))
    return float(np.std(wider[0] - wider[1]))


class _World(NamedTuple):
    """What people, system A and system B are like: their accuracies, loadings and measures with people."""

    accuracies: np.ndarray
    loadings: np.ndarray  # nan for system A if none of its accuracy can agree with people as much as they do
    stable: float  # the variance of what is the same at each repetition, for people
    values: np.ndarray  # EC, or MA, of each with people
    attraction: np.ndarray | None  # of the attractive wrong answer, for MA
    n_wrong: int

    @classmethod
    def of(
        cls,
        accuracy: float,
        of_systems: float,
        ec: float,
        with_self: float | None,
        difference: float,
        ma: float | None,
        n_options: int,
    ) -> _World:
        values = np.array([ec, ec, ec if ma is not None else ec - difference])
        check_between("ec", ec, 0, 1, "the threshold model has no people who avoid each other's errors")
        among_people = _correlation(ec, accuracy, accuracy)
        in_reach = ec <= error_consistency_bounds(accuracy, of_systems)[1]
        with_a = _correlation(ec, accuracy, of_systems) if in_reach else np.inf
        loadings = np.array([among_people, with_a, _correlation(values[2], accuracy, of_systems)])
        loadings /= np.sqrt(among_people)
        if abs(loadings[2]) > 1:
            raise ValueError(f"ec is {ec}; expected less: no system agrees so much with people who agree so little")
        loadings[1] = loadings[1] if loadings[1] <= 1 else np.nan
        stable = 0.0 if with_self is None else _correlation(with_self, accuracy, accuracy) - among_people
        if stable < 0:
            raise ValueError(f"ec_with_self is {with_self}; expected at least the EC with others, {ec}")
        accuracies, attraction = np.array([accuracy, of_systems, of_systems]), None
        if ma is not None:
            check_between("ma", ma, 0, 1, "the MA of people with each other")
            values = np.array([ma, ma, ma - difference])
            attraction = values / np.sqrt(ma)
            if attraction.min() < 0:
                raise ValueError(f"difference is {difference}; expected at most the MA of people with each other, {ma}")
        return cls(accuracies, loadings, stable, values, attraction, n_options - 1)

    def influences(self, n_people: int, n_times: int, rng: np.random.Generator) -> np.ndarray:
        """Return how each simulated picture moves the mean of A, of B and of people, up to a constant."""
        difficulty = rng.standard_normal(_SIMULATED)
        lure = rng.integers(self.n_wrong, size=_SIMULATED) if self.attraction is not None else None
        answers = [self._answers(who, difficulty, lure, np.zeros(()), rng) for who in (1, 2)]
        own = rng.standard_normal((n_people, _SIMULATED)) * np.sqrt(self.stable)
        of_times = []
        for _ in range(n_times):
            people = np.stack([self._answers(0, difficulty, lure, of_person, rng) for of_person in own])
            of_systems = [self._with_people(place, answers[place - 1], people) for place in (1, 2)]
            of_times.append([*of_systems, self._among_people(people)])
        return np.mean(of_times, axis=0)

    def _answers(
        self, who: int, difficulty: np.ndarray, lure: np.ndarray | None, own: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Return -1 where an observer is right, else the wrong answer (0, if it does not matter)."""
        rest = np.sqrt(1 - self.loadings[who] ** 2 - (self.stable if own.ndim else 0))
        accident = own + rest * rng.standard_normal(_SIMULATED)
        right = self.loadings[who] * difficulty + accident < ndtri(self.accuracies[who])
        if lure is None or self.attraction is None:
            return np.where(right, -1, 0)
        attracted = rng.random(_SIMULATED) < self.attraction[who]
        return np.where(right, -1, np.where(attracted, lure, rng.integers(self.n_wrong, size=_SIMULATED)))

    def _with_people(self, who: int, answers: np.ndarray, people: np.ndarray) -> np.ndarray:
        if self.attraction is None:
            right, share = answers < 0, (people < 0).mean(axis=0)
            return self._of_rights(who, right, share, right * share)
        joint = ((answers >= 0) & (people >= 0)).mean(axis=0)
        return self._of_errors(who, joint, ((answers >= 0) & (people == answers)).mean(axis=0))

    def _among_people(self, people: np.ndarray) -> np.ndarray:
        n_pairs = len(people) * (len(people) - 1)
        if self.attraction is None:
            right = (people < 0).sum(axis=0)
            return self._of_rights(0, right / len(people), right / len(people), right * (right - 1) / n_pairs)
        wrong = (people >= 0).sum(axis=0)
        of_each = np.stack([(people == answer).sum(axis=0) for answer in range(self.n_wrong)])
        return self._of_errors(0, wrong * (wrong - 1) / n_pairs, (of_each * (of_each - 1)).sum(axis=0) / n_pairs)

    def _of_rights(self, who: int, own: np.ndarray, of_people: np.ndarray, both: np.ndarray) -> np.ndarray:
        """Return the derivative of EC, by the share of both right and the two accuracies, times a picture's values."""
        (a, b), ec = self.accuracies[[who, 0]], self.values[who]
        by_a, by_b = 2 * b + ec * (1 - 2 * b), 2 * a + ec * (1 - 2 * a)
        return (2 * both - by_a * own - by_b * of_people) / (a + b - 2 * a * b)

    def _of_errors(self, who: int, joint: np.ndarray, same: np.ndarray) -> np.ndarray:
        """Return the same of MA, by the shares of joint errors and of equal ones; chance is that of equal shares."""
        chance = 1 / self.n_wrong
        expected = chance + self.values[who] * (1 - chance)
        return (same - expected * joint) / joint.mean() / (1 - chance)


def _correlation(ec: float, accuracy_a: float, accuracy_b: float) -> float:
    """Return the correlation of two normal variables that are below their thresholds together as often as EC asks."""
    from scipy.stats import multivariate_normal

    both = expected_table(ec, accuracy_a, accuracy_b)[1, 1]
    thresholds = ndtri([accuracy_a, accuracy_b])

    def too_often(correlation: float) -> float:
        covariance = [[1, correlation], [correlation, 1]]
        return float(multivariate_normal.cdf(thresholds, cov=covariance, allow_singular=True)) - both

    return float(brentq(too_often, -1 + 1e-9, 1 - 1e-9, xtol=1e-9)) if ec else 0.0


def _several(name: str, numbers: int | Iterable[int], least: int) -> list[int]:
    if not isinstance(numbers, Iterable):
        numbers = [numbers]
    return [check_whole(name, number, least) for number in numbers]
