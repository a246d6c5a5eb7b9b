"""What the package answers with where one number is not enough: an interval, the result of a test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """An interval, and what one has to know to read it.

    Parameters
    ----------
    low, high : float
        The lower and the upper limit; nan if no method can give any.
    estimate : float
        The value itself; nan where it is undefined.
    method : str
        How the limits were found.
    estimand : str
        What they are about.
    n_joint_errors : int, optional
        Trials on which both were wrong; of a difference, the smaller of its two numbers. With fewer than five, do not
        make much of the interval. None where the value is not about errors, such as a correlation.
    n_undefined : int
        Draws in which the measure was 0/0; they were left out.
    """

    low: float
    high: float
    estimate: float
    method: str
    estimand: str
    n_joint_errors: int | None = None
    n_undefined: int = 0


@dataclass(frozen=True)
class TestResult:
    """What a test found.

    Parameters
    ----------
    p : float
        How often the null gives a statistic at least as extreme as that of the data: above 0, at most 1; nan where the
        statistic is undefined.
    statistic : float
        What was measured.
    null : float
        What the null expects of the statistic.
    """

    __test__ = False  # not a class of tests, as pytest would take it for

    p: float
    statistic: float
    null: float
