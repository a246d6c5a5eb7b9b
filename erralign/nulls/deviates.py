"""p-values where trials share material: the normal deviate is divided by the square root of the design effect."""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri_exp

from erralign.clusters import Clusters

P = TypeVar("P", float, np.ndarray)


def less_extreme(p: P, effect: ArrayLike) -> P:
    """Return two-sided p-values for trials that share material, computed from those for independent trials."""
    deviate = ndtri_exp(np.log(p) - np.log(2))  # -z, where p = 2 Φ(-z)
    changed = np.minimum(2 * np.exp(log_ndtr(deviate / np.sqrt(effect))), 1)
    found = np.where(np.asarray(effect) > 1, changed, p)
    return found if isinstance(p, np.ndarray) else float(found)


def effect_on_agreements(
    clusters: Clusters | None, joint: np.ndarray, said_a: np.ndarray, said_b: np.ndarray, group: np.ndarray
) -> float:
    r"""Return the design effect of the number of agreements of two systems that answer independently.

    A joint error i of group g, with the answers :math:`a_i` and :math:`b_i`, moves that number by :math:`[a_i = b_i] -
    P_g(b = a_i) - P_g(a = b_i) + \sum_k P_g(a = k) P_g(b = k)`, where :math:`P_g` are shares among the joint errors of
    the group.
    """
    if clusters is None:
        return 1.0
    influence = np.zeros(len(joint))
    influence[joint] = np.sum([_moved_within(said_a, said_b, group == label) for label in np.unique(group)], axis=0)
    return clusters.effect(influence)


def _moved_within(said_a: np.ndarray, said_b: np.ndarray, here: np.ndarray) -> np.ndarray:
    size = 1 + int(max(said_a.max(), said_b.max()))
    of_a, of_b = (np.bincount(said[here], minlength=size) / here.sum() for said in (said_a, said_b))
    moved = (said_a == said_b) - of_b[said_a] - of_a[said_b]
    return np.where(here, moved - moved[here].mean(), 0)
