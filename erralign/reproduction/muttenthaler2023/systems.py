"""What has a representation of the objects of THINGS: embeddings of answers, models of pictures, models of text."""

from __future__ import annotations

from functools import cache

import numpy as np

from erralign.sources import things

ARCHIVES = (things.SEMANTIC, things.VICE)
SYSTEMS = tuple(things.EMBEDDINGS)
SHIPPED = ("VICE", "CLIP ViT-B/32")
"""Systems whose file has rows in another order than the list of objects."""


@cache
def features_of(system: str) -> np.ndarray:
    """Return a system's representation of the objects.

    Parameters
    ----------
    system : str
        One of ``SYSTEMS``; with ``", as shipped"`` behind it, rows are in the order of the file.

    Returns
    -------
    numpy.ndarray of float, shape (1854, n_features)
        nan in the rows of objects that the system was not shown.
    """
    name, _, shipped = system.partition(", ")
    return things.embedding(name, as_shipped=bool(shipped))


def triplets_for(features: np.ndarray) -> np.ndarray:
    """Return the triplets whose three objects a system was shown.

    Parameters
    ----------
    features : numpy.ndarray of float, shape (1854, n_features)
        As :func:`features_of` returns them.

    Returns
    -------
    numpy.ndarray of int, shape (n_triplets, 3)
        People chose the third.
    """
    seen = ~np.isnan(features[:, 0])
    triplets = things.triplets()
    return triplets[seen[triplets].all(axis=1)]
