"""The copy model: one system copies part of another's failures, which gives data with any wanted error consistency."""

import math

import numpy as np

from erralign._validation import check_choice, check_range, check_rng, check_shares, check_whole
from erralign.bounds import error_consistency_bounds

_VARIANTS = ("per-trial", "fixed-count")


def copy_probability(ec: float, accuracy_a: float, accuracy_b: float) -> float:
    r"""Return on what share of trials B must copy A to reach a given error consistency.

    A is right with probability :math:`p_a`. On each trial B copies A's success or failure with probability
    :math:`p_{copy}`. Otherwise B answers on its own, correctly as often as is needed to give it the accuracy
    :math:`p_b` over all trials. Then

    .. math:: EC = p_{copy} \frac{2 p_a (1 - p_a)}{p_a (1 - p_b) + p_b (1 - p_a)}.

    Parameters
    ----------
    ec, accuracy_a, accuracy_b
        As for :func:`expected_table`. EC is not negative, and A is neither always right nor always wrong.

    Returns
    -------
    float
        From 0 to 1. If the accuracies are equal, EC itself.

    References
    ----------
    Klein et al. (2025), Proposition 2 and section 3.2.

    Examples
    --------
    >>> round(copy_probability(0.3, 0.75, 0.6), 2)
    0.36
    """
    _check_possible(ec, accuracy_a, accuracy_b)
    if ec < 0:
        raise ValueError(f"ec is {ec}; expected a value from 0 up: who copies A never fails apart from it")
    if accuracy_a in (0, 1):
        raise ValueError(f"accuracy_a is {accuracy_a}; expected neither 0 nor 1: a copy of A's failures would not show")
    different = accuracy_a * (1 - accuracy_b) + accuracy_b * (1 - accuracy_a)
    return float(min(ec * different / (2 * accuracy_a * (1 - accuracy_a)), 1.0))


def simulate_copies(
    n_trials: int,
    p_copy: float,
    accuracy_a: float,
    accuracy_b: float,
    *,
    n_sets: int = 1000,
    variant: str = "per-trial",
    rng: int | np.random.Generator = 0,
) -> np.ndarray:
    """Simulate experiments in which B copies A's success or failure on some trials.

    * ``per-trial``: each trial is copied with probability ``p_copy``. The counts then have the same distribution as
      those of any two systems with this EC and these accuracies, whoever copies.
    * ``fixed-count``: exactly ``round(p_copy * n_trials)`` trials are copied, so experiments differ less from each
      other than real ones would.

    Parameters
    ----------
    n_trials : int
        How many trials an experiment has.
    p_copy, accuracy_a, accuracy_b : float
        From 0 to 1; the accuracy of B includes the copied answers. :func:`copy_probability` gives ``p_copy`` for an EC.
    n_sets : int
        How many experiments.
    variant : {"per-trial", "fixed-count"}
        How the copied trials are chosen.
    rng : int or numpy.random.Generator
        The source of randomness.

    Returns
    -------
    numpy.ndarray of int, shape (n_sets, 2, 2)
        One table ``[a right][b right]`` per experiment.

    References
    ----------
    Klein et al. (2025), section 3.2, simulate with a fixed count.

    Examples
    --------
    >>> simulate_copies(160, 0.5, 0.8, 0.8, n_sets=2, variant="fixed-count").sum(axis=(1, 2)).tolist()
    [160, 160]
    """
    check_choice("variant", variant, _VARIANTS)
    n_trials, n_sets = check_whole("n_trials", n_trials, 1), check_whole("n_sets", n_sets, 1)
    alone = _accuracy_without_copies(p_copy, accuracy_a, accuracy_b)
    rng = check_rng(rng)
    fixed = np.full(n_sets, round(p_copy * n_trials))
    copied = fixed if variant == "fixed-count" else rng.binomial(n_trials, p_copy, n_sets)
    own = np.outer([1 - accuracy_a, accuracy_a], [1 - alone, alone])
    tables = rng.multinomial(n_trials - copied, own.ravel()).reshape(n_sets, 2, 2)
    right = rng.binomial(copied, accuracy_a)
    tables[:, 1, 1] += right
    tables[:, 0, 0] += copied - right
    return tables


def _accuracy_without_copies(p_copy: float, accuracy_a: float, accuracy_b: float) -> float:
    p_copy, a, b = (
        float(check_shares(name, share))
        for name, share in (("p_copy", p_copy), ("accuracy_a", accuracy_a), ("accuracy_b", accuracy_b))
    )
    most = min((share_b / share_a for share_a, share_b in ((a, b), (1 - a, 1 - b)) if share_a > 0), default=1.0)
    if p_copy > most + 1e-9:
        raise ValueError(
            f"p_copy is {p_copy}; expected at most {_rounded_down(most)}: copying more of a system with accuracy {a}, "
            f"B could not have accuracy {b}"
        )
    return b if p_copy == 1 else min(max((b - p_copy * a) / (1 - p_copy), 0.0), 1.0)


def expected_table(ec: float, accuracy_a: float, accuracy_b: float) -> np.ndarray:
    """Return the shares of trials on which both, one or none of two systems are right, from EC and accuracies.

    Parameters
    ----------
    ec : float
        Error consistency, as far as the accuracies allow.
    accuracy_a, accuracy_b : float
        The accuracies, from 0 to 1.

    Returns
    -------
    numpy.ndarray of float, shape (2, 2)
        ``table[a right][b right]``, adding up to 1; ``table[0, 0]`` is the share of joint errors.

    Examples
    --------
    >>> expected_table(0.3, 0.75, 0.6).round(4).tolist()
    [[0.1675, 0.0825], [0.2325, 0.5175]]
    """
    _check_possible(ec, accuracy_a, accuracy_b)
    different = accuracy_a * (1 - accuracy_b) + accuracy_b * (1 - accuracy_a)
    both = accuracy_a * accuracy_b + ec * different / 2
    table = np.array([[1 - accuracy_a - accuracy_b + both, accuracy_b - both], [accuracy_a - both, both]])
    return np.maximum(table, 0) / np.maximum(table, 0).sum()


def _check_possible(ec: float, accuracy_a: float, accuracy_b: float) -> None:
    """Raise an error if two accuracies do not allow an error consistency."""
    check_range("ec", ec, -1, 1)
    low, high = (float(bound) for bound in error_consistency_bounds(accuracy_a, accuracy_b))
    if np.isnan(low):
        raise ValueError(f"both accuracies are {accuracy_a}: EC is undefined where nobody fails, or everybody always")
    if not low - 1e-9 <= ec <= high + 1e-9:
        allowed = f"{-_rounded_down(-low)} to {_rounded_down(high)}"
        accuracies = f"{accuracy_a} and {accuracy_b}"
        raise ValueError(f"ec is {ec}; expected {allowed}, which is all that accuracies of {accuracies} allow")


def _rounded_down(value: float) -> float:
    """Round a limit towards what is allowed, so that the printed limit is itself allowed."""
    return math.floor(value * 1000 + 1e-6) / 1000
