"""What the measures need of one representation: computed at its first use, kept, and shared by all its pairs."""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.lapack import dtrcon

from erralign._validation import check_enough_trials, check_features, check_same_trials

N_NEIGHBOURS: Final = 10  # by cosine
N_LINKS: Final = 5  # by Euclidean distance, in the graph whose heat trace is taken
TIMES: Final = np.geomspace(0.1, 10, 256)
# Closer than this, cosines differ by rounding only; so do distances, relative to the size of the whole.
TIED: Final = 1e-12


class Prepared:
    """A representation, with what the measures compute of it: in place of an array it saves computing that anew.

    Parameters
    ----------
    features : numpy.ndarray of float, shape (n_trials, n_features)
        One row per trial, without NaN.

    Examples
    --------
    >>> Prepared(np.array([[1.0, 2.0], [3.0, 2.0]])).centred
    array([[-1.,  0.],
           [ 1.,  0.]])
    """

    def __init__(self, features: np.ndarray) -> None:
        self.features = features
        self.n, self.width = features.shape
        self._products: tuple[Prepared, np.ndarray, float] | None = None

    @cached_property
    def centred(self) -> np.ndarray:
        """The features without the means of their columns."""
        return centre(self.features)

    @cached_property
    def scaled(self) -> np.ndarray:
        """The centred features, times the power of two that brings the largest below 1: their products do not overflow.

        No digit is lost on the way.
        """
        return np.ldexp(self.centred, -np.frexp(np.abs(self.centred).max(initial=0))[1])

    @cached_property
    def norm(self) -> float:
        """The Frobenius norm of the centred features: zero when all trials have the same features."""
        return float(np.linalg.norm(self.centred))

    @cached_property
    def svd(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The singular value decomposition of the centred features, cut at their rank."""
        return _cut(*np.linalg.svd(self.centred, full_matrices=False), max(self.n, self.width))

    @cached_property
    def basis(self) -> np.ndarray:
        """An orthonormal basis of the space of the columns, as they are."""
        Q, R = np.linalg.qr(self.features)
        # The condition in the 1-norm, which is cheap, is at most `width` times that of the singular values.
        if R.shape[0] == self.width and dtrcon(R)[0] > self.width * max(self.n, self.width) * np.finfo(float).eps:
            return Q
        return _cut(*np.linalg.svd(self.features, full_matrices=False), max(self.n, self.width))[0]

    @cached_property
    def distances(self) -> np.ndarray:
        """The Euclidean distances between all pairs of rows."""
        squared = self.centred @ self.centred.T
        squares = squared.diagonal().copy()
        squared *= -2
        squared += squares
        squared += squares[:, None]
        np.fill_diagonal(squared, 0)
        return np.sqrt(np.maximum(squared, 0, out=squared), out=squared)

    @cached_property
    def unit_rows(self) -> np.ndarray:
        """The rows, each scaled to length one; a zero row stays zero."""
        return to_unit_length(self.features, axis=1)

    @cached_property
    def unit_columns(self) -> np.ndarray:
        """The centred columns, each scaled to length one; a constant column is zero."""
        return to_unit_length(self.centred, axis=0)

    @cached_property
    def cosine_distances(self) -> np.ndarray:
        """One minus the cosine, for all pairs of rows."""
        distances = 1 - np.clip(self.unit_rows @ self.unit_rows.T, -1, 1)
        np.fill_diagonal(distances, 0)
        return distances

    @cached_property
    def neighbours(self) -> np.ndarray | None:
        """The nearest other rows of each row by cosine, nearest first; none where there are too few or all tie."""
        if self.n <= N_NEIGHBOURS or self.width == 1:  # the cosines of single numbers are signs
            return None
        return _nearest(self.cosine_distances, N_NEIGHBOURS, TIED)

    @cached_property
    def laplacian(self) -> np.ndarray | None:
        """The normalised Laplacian of the graph that joins each row to its nearest; none as for neighbours."""
        nearest = _nearest(self.distances, N_LINKS, TIED * self.norm) if self.n > N_LINKS + 1 else None
        if nearest is None:
            return None
        linked = np.zeros((self.n, self.n), bool)
        linked[np.arange(self.n)[:, None], nearest] = True
        linked |= linked.T
        scale = 1 / np.sqrt(linked.sum(axis=0))
        return np.eye(self.n) - linked * scale * scale[:, None]

    @cached_property
    def heat_trace(self) -> np.ndarray:
        """The mean of exp(-tλ) over the eigenvalues of that Laplacian, at each of the times; nan without a graph."""
        if self.laplacian is None:
            return np.full(len(TIMES), np.nan)
        return np.exp(-TIMES[:, None] * np.linalg.eigvalsh(self.laplacian)).mean(axis=1)

    def products(self, other: "Prepared") -> tuple[np.ndarray, float]:
        """Return the products of the centred columns with those of another, and the sum of their singular values.

        Those with the last one are kept: three measures of rotations take them.
        """
        if self._products is None or self._products[0] is not other:
            products = self.centred.T @ other.centred
            self._products = other, products, float(np.linalg.svd(products, compute_uv=False).sum())
        return self._products[1:]

    def in_order(self, order: np.ndarray) -> "Prepared":
        """Return the same representation with its rows in another order, and with all that is known of it."""
        other = Prepared(self.features[order])
        for name, value in self.__dict__.items():
            if name in ("centred", "scaled", "basis", "unit_rows", "unit_columns"):
                other.__dict__[name] = value[order]
            elif name in ("distances", "cosine_distances"):
                other.__dict__[name] = value[np.ix_(order, order)]
            elif name in ("norm", "heat_trace"):
                other.__dict__[name] = value
            elif name == "svd":
                U, s, Vt = value
                other.__dict__["svd"] = U[order], s, Vt
        return other

    def forget(self) -> None:
        """Drop what is kept of all pairs of trials; it will be computed again when it is asked for."""
        for name in ("distances", "cosine_distances", "laplacian"):
            self.__dict__.pop(name, None)
        self._products = None


# What a measure takes: features, or features with what is already known of them.
Representation = ArrayLike | Prepared


def prepare(name: str, representation: Representation) -> Prepared:
    """Return a representation with a place for what is computed of it."""
    return representation if isinstance(representation, Prepared) else Prepared(check_features(name, representation))


def prepare_two(X: Representation, Y: Representation) -> tuple[Prepared, Prepared]:
    """Return two representations of the same trials, ready to be compared."""
    x = prepare("X", X)
    y = x if Y is X else prepare("Y", Y)
    check_same_trials("Y", y.n, "X", x.n)
    check_enough_trials("X", x.n)
    return x, y


def centre(features: np.ndarray) -> np.ndarray:
    """Take the mean of each column off."""
    centred = features - features.mean(axis=0)
    # The mean of equal numbers may differ from them in the last bit; what is left would pass for variation.
    centred[:, (features == features[0]).all(axis=0)] = 0
    return centred


def to_unit_length(vectors: np.ndarray, axis: int) -> np.ndarray:
    """Scale vectors to length one."""
    lengths = np.linalg.norm(vectors, axis=axis, keepdims=True)
    return vectors / np.where(lengths == 0, 1, lengths)


def _nearest(distances: np.ndarray, k: int, tied: float) -> np.ndarray | None:
    """Return the k nearest other rows of each row, or none where every row finds the nearest k and one more tied."""
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    nearest = np.argpartition(others, k, axis=1)[:, : k + 1]
    its_distances = np.take_along_axis(others, nearest, axis=1)
    order = np.argsort(its_distances, axis=1, kind="stable")
    spread = its_distances.max(axis=1) - its_distances.min(axis=1)
    return None if (spread <= tied).all() else np.take_along_axis(nearest, order, axis=1)[:, :k]


def _cut(U: np.ndarray, s: np.ndarray, Vt: np.ndarray, longest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rank = int((s > s[0] * longest * np.finfo(float).eps).sum())
    return U[:, :rank], s[:rank], Vt[:rank]
