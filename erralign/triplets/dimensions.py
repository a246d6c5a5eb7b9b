"""What people may have had in mind: the dimension of an embedding that holds the pair of a triplet together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from erralign.errors import check_features, check_triplets


def leading_dimension(embedding: ArrayLike, triplets: ArrayLike) -> np.ndarray:
    r"""Return the dimension in which the two objects that belong together have most, in all.

    :math:`\arg\max_j \, (x_{aj} + x_{bj})` for the pair {a, b} that was not the odd one out.

    Parameters
    ----------
    embedding : array_like of float, shape (n_objects, n_dimensions)
        Of people's answers, such as VICE.
    triplets : array_like of int, shape (n_triplets, 3)
        The third is the odd one out.

    Returns
    -------
    numpy.ndarray of int, shape (n_triplets,)
        0 to n_dimensions - 1; of equal sums the first.

    References
    ----------
    Muttenthaler et al. (2023), section 4.4, https://doi.org/10.48550/arXiv.2211.01201

    Examples
    --------
    >>> leading_dimension([[0.9, 0], [0.8, 0.3], [0, 0.7]], [[0, 1, 2], [1, 2, 0]]).tolist()
    [0, 1]
    """
    rows = check_features("embedding", embedding)
    triplets = check_triplets("triplets", triplets, len(rows))
    return np.argmax(rows[triplets[:, 0]] + rows[triplets[:, 1]], axis=1)
