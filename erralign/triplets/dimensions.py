"""What people may have had in mind: the dimension of an embedding that holds the pair of a triplet together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_features, check_triplets


def leading_dimension(embedding: ArrayLike, triplets: ArrayLike) -> np.ndarray:
    r"""Return the dimension in which the two objects that belong together have most, in all.

    :math:`\arg\max_j \, (x_{aj} + x_{bj})` for the pair {a, b} that was not the odd one out.
    """
    rows = check_features("embedding", embedding)
    triplets = check_triplets("triplets", triplets, len(rows))
    return np.argmax(rows[triplets[:, 0]] + rows[triplets[:, 1]], axis=1)
