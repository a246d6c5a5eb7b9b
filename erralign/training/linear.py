"""Linear heads on features by SciPy: no torch is needed for cross-entropy, people's shares and the EC loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize
from scipy.special import softmax
from threadpoolctl import threadpool_limits

from erralign._validation import check_choice, check_positive, check_range
from erralign.models.libraries import torch
from erralign.training.losses import EXTRAS, LOSSES, extra_loss

COMPONENTS = 128  # of the features of the training pictures, which keep what a head with decay can learn
DECAY = 3e-4
_MOST_STEPS = 200

Head = Callable[[Any], np.ndarray]
Recipe = Callable[[Any, np.ndarray, np.ndarray], Head]
"""From pictures (or features), true class ids and people's shares to a function from pictures to probabilities."""


def linear_head(loss: str = "cross-entropy", strength: float = 1.0, *, decay: float = DECAY) -> Recipe:
    r"""Return a recipe for a head: one matrix product, whose softmax are probabilities.

    .. math:: \min_W \; -\frac{1}{n} \sum_i \sum_k t_{ik} \log q_{ik} + \lambda\,E(q) + d\,\|W\|^2, \qquad
        q_i = \mathrm{softmax}(W^\top x_i)

    Parameters
    ----------
    loss : str
        ``cross-entropy``: t is 1 for the true class; ``people's shares``: t is the share of people who gave the
        answer; ``category's shares``: the mean of these shares over all pictures of the true class. ``EC``, ``MA``,
        ``CLES`` and ``wrong answers`` are cross-entropy with an extra part E, 1 minus the soft measure or
        :func:`erralign.training.wrong_answers`. The last three need torch for their gradient.
    strength : float
        λ, how much the extra part counts.
    decay : float
        d, above 0. With a larger decay the head is less sure, and in the end less often right.

    Returns
    -------
    callable
        ``recipe(X, truth, shares)`` fits a head to features, true class ids and people's shares, and returns a
        function from features to probabilities.

    Examples
    --------
    >>> X = np.eye(3)[[0, 1, 2, 2]]
    >>> head = linear_head()(X, np.array([0, 1, 2, 2]), np.eye(3)[[0, 1, 2, 1]])
    >>> head(X).argmax(axis=1).tolist()
    [0, 1, 2, 2]
    """
    check_choice("loss", loss, LOSSES)
    check_range("strength", strength, 0, 1e6)
    check_positive("decay", decay)

    def fit(X: np.ndarray, truth: np.ndarray, shares: np.ndarray) -> Head:
        rows = _with_constant(X)
        wanted, shape = _targets(loss, truth, shares), (rows.shape[1], shares.shape[1])

        def value(numbers: np.ndarray) -> tuple[float, np.ndarray]:
            W = numbers.reshape(shape)
            q = softmax(rows @ W, axis=1)
            fits = -(wanted * np.log(np.maximum(q, 1e-300))).sum() / len(q)
            slopes = (q * wanted.sum(axis=1, keepdims=True) - wanted) / len(q)
            extra, extra_slopes = _extra(loss, q, truth, shares)
            gradient = rows.T @ (slopes + strength * extra_slopes) + 2 * decay * W
            return fits + strength * extra + decay * (W**2).sum(), gradient.ravel()

        with threadpool_limits(1, "blas"):  # products are so small that threads wait for each other most of the time
            weights = minimize(
                value, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}
            ).x.reshape(shape)
        return lambda new: softmax(_with_constant(new) @ weights, axis=1)

    return fit


def main_directions(products: np.ndarray, train: np.ndarray, components: int = COMPONENTS) -> np.ndarray:
    """Return the principal components of the training pictures, of mean squared length 1 there.

    ``products`` are the inner products of the features of any two pictures; all pictures are projected.
    """
    means = products[:, train].mean(axis=1)
    centred = products - means - means[:, None] + means[train].mean()
    largest = (max(len(train) - components, 1), len(train) - 1)  # one direction is lost to the mean
    values, vectors = eigh(centred[np.ix_(train, train)], subset_by_index=largest)
    sizes = np.sqrt(np.maximum(values, 1e-9 * values[-1]) * np.trace(centred[np.ix_(train, train)]) / len(train))
    return centred[:, train] @ vectors / sizes


def _with_constant(X: np.ndarray) -> np.ndarray:
    return np.column_stack([X, np.ones(len(X))])


def _targets(loss: str, truth: np.ndarray, shares: np.ndarray) -> np.ndarray:
    true = np.eye(shares.shape[1])[truth]
    if loss == "category's shares":
        return true @ (true.T @ shares / np.maximum(true.sum(axis=0), 1)[:, None])
    return shares if loss == "people's shares" else true


def _extra(loss: str, q: np.ndarray, truth: np.ndarray, shares: np.ndarray) -> tuple[float, Any]:
    """Return what a loss adds to cross-entropy, and its derivatives by the logits."""
    if loss == "EC":
        return _ec_loss(q, truth, shares)
    if loss in EXTRAS:
        return _by_torch(loss, q, truth, shares)
    return 0.0, 0.0


def _ec_loss(q: np.ndarray, truth: np.ndarray, shares: np.ndarray) -> tuple[float, np.ndarray]:
    """Return 1 minus the soft EC, and its derivatives by the logits."""
    at = np.arange(len(q)), truth
    right, people = q[at], shares[at]
    p, h, both = right.mean(), people.mean(), (right * people).mean()
    below = p + h - 2 * p * h
    by_right = 2 * ((people - h) * below - (both - p * h) * (1 - 2 * h)) / below**2 / len(q)
    slopes = (by_right * right)[:, None] * q
    slopes[at] -= by_right * right
    return 1 - 2 * (both - p * h) / below, slopes


def _by_torch(loss: str, q: np.ndarray, truth: np.ndarray, shares: np.ndarray) -> tuple[float, np.ndarray]:
    logits = torch().tensor(np.log(np.maximum(q, 1e-300)), requires_grad=True)
    value = extra_loss(loss, logits, torch().tensor(truth), torch().tensor(shares))
    value.backward()
    return value.item(), logits.grad.numpy()
