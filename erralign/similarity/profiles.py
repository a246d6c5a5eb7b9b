"""Measures that are cosines of long vectors, one per representation: CKA, RSA and distance correlation."""

from collections.abc import Sequence

import numpy as np

from erralign.similarity.prepared import TIED, Prepared, centre, to_unit_length

_ROWS = 128  # of all Gram matrices at a time
BLOCK = 2**15  # entries of each vector that are multiplied at a time: few enough for the processor's cache


def kernel_cosines(systems: Sequence[Prepared]) -> np.ndarray:
    """Return the cosines between the centred Gram matrices of all pairs of systems: their CKA."""
    # The matrices are never there as a whole: a band of rows at a time, from the diagonal on, is computed.
    products = np.zeros((len(systems), len(systems)))
    for start in range(0, systems[0].n, _ROWS):
        band = np.stack([system.scaled[start : start + _ROWS] @ system.scaled[start:].T for system in systems])
        on_diagonal = band[:, :, :_ROWS].reshape(len(systems), -1)
        # What lies beyond the diagonal stands for its mirror image, too.
        products += 2 * (band.reshape(len(systems), -1) @ band.reshape(len(systems), -1).T)
        products -= on_diagonal @ on_diagonal.T
    return _scaled(products)


def distance_profile(x: Prepared) -> np.ndarray:
    """Return the doubly centred distances between rows: the roots of their cosines are distance correlations."""
    means = x.distances.mean(axis=0)
    centred = x.distances - means
    centred -= (means - means.mean())[:, None]
    return centred.ravel()


def rank_profile(x: Prepared) -> np.ndarray:
    """Return the centred ranks of the correlations between rows: their cosines are RSA's."""
    rows = to_unit_length(centre(x.features.T).T, axis=1)
    correlations = (rows @ rows.T)[np.triu(np.ones((x.n, x.n), bool), k=1)]
    # Equal correlations differ by rounding, which depends on the order of rows.
    ranks = average_ranks(np.clip(correlations, -1, 1, out=correlations), TIED)
    ranks -= (len(ranks) - 1) / 2
    return ranks


def cosines(profiles: Sequence[np.ndarray]) -> np.ndarray:
    """Return the cosines between all pairs of long vectors."""
    products = np.zeros((len(profiles), len(profiles)))
    for start in range(0, len(profiles[0]), BLOCK):
        block = np.stack([profile[start : start + BLOCK] for profile in profiles])
        products += block @ block.T
    return _scaled(products)


def _scaled(products: np.ndarray) -> np.ndarray:
    lengths = np.sqrt(products.diagonal())
    lengths[lengths == 0] = np.nan
    return np.clip(products / lengths / lengths[:, None], -1, 1)


def average_ranks(values: np.ndarray, tied: float) -> np.ndarray:
    """Return the places of values in order, from 0 up; values that are no further apart share the mean of theirs."""
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.append(True, ordered[1:] - ordered[:-1] > tied))
    last = np.append(first[1:], len(ordered)) - 1
    ranks = np.empty(len(ordered))
    if len(first) == len(ordered):  # nothing is tied
        ranks[order] = first
    else:
        ranks[order] = np.repeat((first + last) / 2, last - first + 1)
    return ranks
