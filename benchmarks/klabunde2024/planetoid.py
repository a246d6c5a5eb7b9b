"""Cora: papers that cite each other, with the split that studies of networks on graphs share."""

import pickle
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

from erralign._validation import DataError
from erralign.datasets.archives import open_member

PLANETOID = "kimiyoung/planetoid@af6abf468a772cc055bec88c52e4d6f51b7c37e3"
N_VALIDATION = 500
# The pickles were written by old versions of Python, NumPy and SciPy; nothing else may be unpickled.
_ALLOWED = {
    ("scipy.sparse.csr", "csr_matrix"): sp.csr_matrix,
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
    ("builtins", "list"): list,
    ("numpy", "dtype"): np.dtype,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy.core.multiarray", "_reconstruct"): np.ndarray([0]).__reduce__()[0],
}


@dataclass(frozen=True)
class Graph:
    """Nodes with features and classes, and who is linked to whom."""

    features: sp.csr_matrix  # (n_nodes, n_features) as published: a word occurs (1) or not (0)
    edges: np.ndarray  # (2, n_edges) from and to; each link is listed in both directions, sorted, once each
    labels: np.ndarray  # (n_nodes,) class ids
    # Nodes of the public split, ascending. Some nodes are in none of them.
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray

    @property
    def n_classes(self) -> int:
        """Return how many classes there are."""
        return int(self.labels.max()) + 1

    @property
    def outside(self) -> np.ndarray:
        """Return the nodes that are in no part of the split."""
        return np.setdiff1d(np.arange(len(self.labels)), np.concatenate([self.train, self.validation, self.test]))


@cache
def cora() -> Graph:
    """Read Cora: 2,708 papers in seven fields, 1,433 words, 5,278 links."""
    allx, ally, tx, ty = (_unpickled(f"data/ind.cora.{part}") for part in ("allx", "ally", "tx", "ty"))
    # Not sorted: row i of tx belongs to the node in line i.
    places = np.loadtxt(open_member(PLANETOID, "data/ind.cora.test.index"), dtype=int)
    order = np.argsort(np.concatenate([np.arange(allx.shape[0]), places]))
    n_train = _unpickled("data/ind.cora.x").shape[0]
    return Graph(
        features=sp.vstack([allx, tx]).tocsr()[order].astype(np.float64),
        edges=_edges(_unpickled("data/ind.cora.graph")),
        labels=np.concatenate([ally, ty])[order].argmax(axis=1),
        train=np.arange(n_train),
        validation=np.arange(n_train, n_train + N_VALIDATION),
        test=np.sort(places),
    )


def _edges(neighbours: dict[int, list[int]]) -> np.ndarray:
    """Return each link in both directions, once: the lists repeat some."""
    listed = np.array([(node, other) for node, others in neighbours.items() for other in others])
    both = np.concatenate([listed, listed[:, ::-1]])
    return np.unique(both[both[:, 0] != both[:, 1]], axis=0).T


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise DataError(f"a file of Cora asks for {module}.{name}; expected arrays and lists only: fetch it again")
        return _ALLOWED[module, name]


def _unpickled(member: str) -> Any:
    return _Unpickler(open_member(PLANETOID, member), encoding="latin1").load()
