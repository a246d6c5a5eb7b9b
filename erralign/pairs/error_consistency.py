"""Error consistency of all pairs: four counts of each, and one formula."""

from __future__ import annotations

import numpy as np

from erralign.behaviour.consistency import kappa
from erralign.pairs.answers import Answers


def error_consistencies(shared: Answers) -> np.ndarray:
    """Compute error consistency."""
    n_right, both_right = shared.both_right.diagonal(), shared.both_right[shared.first, shared.second]
    only_a, only_b = n_right[shared.first] - both_right, n_right[shared.second] - both_right
    both_wrong = len(shared.truth) - both_right - only_a - only_b
    return kappa(*(count.astype(float) for count in (both_wrong, only_b, only_a, both_right)))
