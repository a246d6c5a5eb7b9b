"""How many errors misclassification agreement and class-level error similarity need."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import as_array, check_between, check_counts, check_rng, check_shares, check_whole
from erralign.measures.matrix import off_diagonal, wilson_interval
from erralign.measures.misclassification_agreement import STEADYING_ERRORS
from erralign.resampling import confidence_interval


def joint_errors_needed(agreement: float, shares: ArrayLike, width: float) -> int:
    r"""Return how many joint errors make the 95 % interval of misclassification agreement as narrow as wanted.

    The interval has the width :math:`2 h / (1 - c)`, where h is half the width of Wilson's interval of the share p of
    joint errors with the same answer, and c is chance agreement. For shares :math:`q_k` of the wrong answers,
    :math:`c = \sum_k q_k^2`, :math:`p = c + MA (1 - c)` and

    .. math:: h = \frac{z}{1 + z^2 / J} \sqrt{\frac{p (1 - p)}{J} + \frac{z^2}{4 J^2}}.

    Here J is the number of joint errors n divided by a design effect, :math:`J = n (n + 20) / (n r + 20)`. The ratio
    :math:`r = V / (p (1 - p))` compares the variance of MA with what it would be if c were known: V is the variance of
    :math:`[a = b] - (1 - MA)(q_a + q_b)` over joint errors with the answers a and b.

    Parameters
    ----------
    agreement : float
        The MA that you expect, from 0 to 1.
    shares : array_like of float, shape (C,)
        How the wrong answers of both systems spread over the classes, as counts or shares.
    width : float
        The wanted width, above 0 and below 1.

    Returns
    -------
    int
        The smallest such n. In simulations the mean width was within 2 % of the wanted one from 100 joint errors on,
        and at most 10 % below it with fewer. For the number of trials, divide by the share of joint errors,
        ``expected_table(ec, accuracy_a, accuracy_b)[0, 0]``.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> joint_errors_needed(0.4, [1] * 15, width=0.1), joint_errors_needed(0.4, [8, 4, 2, 1, 1], width=0.1)
    (431, 788)
    """
    check_between("width", width, 0, 1, "such as 0.1")

    def narrow(n_errors: int) -> bool:
        return agreement_width(n_errors, agreement, shares) <= width

    many = 2
    while not narrow(many):
        many *= 2
    return bisect_left(range(many), True, lo=many // 2 + 1, key=narrow)


def agreement_width(n_errors: int, agreement: float, shares: ArrayLike) -> float:
    """Return how wide the 95 % interval of misclassification agreement will be, by :func:`joint_errors_needed`.

    Parameters
    ----------
    n_errors : int
        How many joint errors there are.
    agreement, shares
        As for :func:`joint_errors_needed`; k - 1 equal shares if each trial has k options of its own.

    Returns
    -------
    float
        High minus low.

    Examples
    --------
    >>> [round(agreement_width(n_errors, 0.25, [1] * 9), 2) for n_errors in (30, 300, 926)]
    [0.36, 0.12, 0.07]
    """
    n_errors = check_whole("n_errors", n_errors, 1)
    check_shares("agreement", agreement)
    given = as_array("shares", shares, float)
    if given.ndim != 1 or not ((given >= 0) & (given < np.inf)).all() or np.count_nonzero(given) < 2:
        raise ValueError(f"shares is {given}; expected counts or shares of at least two classes, none below 0")
    of_classes = given / given.sum()
    chance = of_classes @ of_classes
    joint = agreement * np.diag(of_classes) + (1 - agreement) * np.outer(of_classes, of_classes)
    agree = np.trace(joint)
    # Influence of one joint error on kappa, up to a constant; its variance compared with that of a plain share.
    influence = np.eye(len(given)) - (1 - agreement) * np.add.outer(of_classes, of_classes)
    variance = (joint * influence**2).sum() - (joint * influence).sum() ** 2
    ratio = variance / (agree * (1 - agree)) if agree < 1 else 1.0
    effective = n_errors * (n_errors + STEADYING_ERRORS) / (n_errors * ratio + STEADYING_ERRORS)
    low, high = wilson_interval(agree, effective, level=0.95)
    return float((high - low) / (1 - chance))


def expected_similarity(
    errors_a: ArrayLike,
    errors_b: ArrayLike,
    n_errors: int,
    *,
    n_sets: int = 20,
    n_resamples: int = 500,
    rng: int | np.random.Generator = 0,
) -> tuple[float, float]:
    """Return which class-level error similarity to expect at a number of errors, and how wide its interval will be.

    Two confusion matrices, for example from a pilot study, say how errors spread. Experiments with ``n_errors`` errors
    of each system are drawn from them, as if the two never failed on the same trial. Pass the same matrix twice to see
    how far below 1 two systems with identical habits will score.

    Parameters
    ----------
    errors_a, errors_b : array_like of int, shape (C, C)
        Confusion matrices of A and of B; rows are true classes. The diagonal holds right answers and is ignored.
    n_errors : int
        How many errors each system makes in an experiment.
    n_sets : int
        How many experiments to draw.
    n_resamples : int
        How many draws each interval makes.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    tuple of float
        The mean over the experiments of CLES, and that of the width of its default 95 % interval.

    Examples
    --------
    >>> habits = [[0, 30, 10], [20, 0, 20], [5, 35, 0]]
    >>> [round(value, 2) for value in expected_similarity(habits, habits, 100)]
    [0.99, 0.03]
    """
    errors_a = check_counts("errors_a", errors_a)
    errors_b = check_counts("errors_b", errors_b, size=len(errors_a))
    n_errors, n_sets, rng = check_whole("n_errors", n_errors, 1), check_whole("n_sets", n_sets, 1), check_rng(rng)
    sets = [_errors_apart(errors_a, errors_b, n_errors, rng) for _ in range(n_sets)]
    measure, n_classes = "class_level_error_similarity", len(errors_a)
    intervals = [
        confidence_interval(*trials, measure, n_classes=n_classes, n_resamples=n_resamples, rng=rng) for trials in sets
    ]
    value, width = np.mean([(each.estimate, each.high - each.low) for each in intervals], axis=0).tolist()
    return value, width


def _errors_apart(
    errors_a: np.ndarray, errors_b: np.ndarray, n_errors: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth_a, said_a = _draw_errors("errors_a", errors_a, n_errors, rng)
    truth_b, said_b = _draw_errors("errors_b", errors_b, n_errors, rng)
    return (np.concatenate([truth_a, truth_b]), np.concatenate([said_a, truth_b]), np.concatenate([truth_a, said_b]))


def _draw_errors(name: str, errors: np.ndarray, n_errors: int, rng: np.random.Generator) -> tuple:
    wrong = off_diagonal(errors)
    if not wrong.any():
        raise ValueError(f"{name} holds no errors: nothing to plan from")
    cells = rng.choice(wrong.size, size=n_errors, p=wrong.ravel() / wrong.sum())
    return np.divmod(cells, len(errors))
