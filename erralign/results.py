"""What functions return where one number is not enough: an interval, or the result of a test."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """An interval, and what you need to know to read it: ``low, high = interval`` takes its limits.

    Parameters
    ----------
    low, high : float
        The lower and the upper limit; nan if no method can give any.
    estimate : float
        The value itself; nan if it is undefined.
    method : str
        How the limits were found.
    estimand : str
        What they are about.
    n_joint_errors : int, optional
        The number of trials on which both were wrong, for a difference the smaller of two; with fewer than five, and
        fewer than five expected by chance, give no verdict. None if the value is not about errors.
    n_undefined : int
        The number of draws in which the measure was 0/0; they were left out.
    """

    low: float
    high: float
    estimate: float
    method: str
    estimand: str
    n_joint_errors: int | None = None
    n_undefined: int = 0

    def __iter__(self) -> Iterator[float]:
        """Give the two limits."""
        return iter((self.low, self.high))


@dataclass(frozen=True)
class TestResult:
    """What a test found: ``statistic, pvalue = result``, as in SciPy.

    Parameters
    ----------
    pvalue : float
        How often the statistic is at least as extreme as in the data if the null hypothesis is true: above 0, at most
        1; nan if the statistic is undefined.
    statistic : float
        The value of the data, such as a measure or a difference.
    null : float
        The value of the statistic to expect under the null hypothesis.
    """

    __test__ = False  # not a class of tests, as pytest would take it for

    pvalue: float
    statistic: float
    null: float

    def __iter__(self) -> Iterator[float]:
        """Give the statistic and the p-value, in SciPy's order."""
        return iter((self.statistic, self.pvalue))
