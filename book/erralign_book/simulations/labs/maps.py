"""Linear maps that make features alike, and heads that see pictures through one."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from erralign.errors import check_choice
from erralign.training.linear import COMPONENTS, Head, Recipe

LIKENESSES = ("RSA", "CKA")
RANK = 48


def likeness_map(X: np.ndarray, alike: np.ndarray, loss: str = "RSA", *, rank: int = RANK) -> np.ndarray:
    """Fit a map under which the products of rows go with how alike people find two things.

    RSA correlates the products of all pairs with ``alike``; CKA centres both matrices, and then takes their cosine. In
    either case what is compared is a projection of the matrix, so that one formula gives both slopes.
    """
    check_choice("loss", loss, LIKENESSES)
    wanted = _compared(alike, loss)
    wanted = wanted / np.linalg.norm(wanted)

    def value(numbers: np.ndarray) -> tuple[float, np.ndarray]:
        Z = X @ numbers.reshape(X.shape[1], rank)
        ours = _compared(Z @ Z.T, loss)
        length = np.linalg.norm(ours)
        alike = (ours * wanted).sum() / length
        slopes = (alike * ours / length - wanted) / length
        return -alike, (2 * X.T @ (slopes @ Z)).ravel()

    start = np.eye(X.shape[1], rank)
    return minimize(value, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 60}).x.reshape(start.shape)


def _compared(matrix: np.ndarray, loss: str) -> np.ndarray:
    if loss == "CKA":
        rows = matrix - matrix.mean(axis=0)
        return rows - rows.mean(axis=1, keepdims=True)
    off = 1 - np.eye(len(matrix))
    return (matrix - (matrix * off).sum() / off.sum()) * off


def through(W: np.ndarray | None, recipe: Recipe) -> Recipe:
    """Return the recipe of a head that sees pictures through a map, by their main directions after it."""

    def fit(X: Any, truth: np.ndarray, shares: np.ndarray) -> Head:
        Z = X if W is None else X @ W
        mean = Z.mean(axis=0)
        _, sizes, directions = np.linalg.svd(Z - mean, full_matrices=False)
        basis = directions[:COMPONENTS].T * np.sqrt(len(Z) / (sizes**2).sum())
        head = recipe((Z - mean) @ basis, truth, shares)
        return lambda new: head(((new if W is None else new @ W) - mean) @ basis)

    return fit
