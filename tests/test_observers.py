"""Limits for independent observers, against every pair of records one by one."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from erralign_book.studies.observers import independent_limits


@pytest.mark.slow
def test_independent_limits_against_full_enumeration():
    """Six trials: every pair of records one by one, each weighed by its probability over the accuracies."""
    n, accuracies = 6, np.linspace(0.02, 0.98, 40) ** 1.5
    ours = independent_limits(n, accuracies)
    records = np.array(list(product([0, 1], repeat=n)))
    right = records.sum(axis=1)
    share = np.array([binom.pmf(k, n, accuracies).mean() / (right == k).sum() for k in range(n + 1)])[right]
    p = records.mean(axis=1)
    expected = np.outer(p, p) + np.outer(1 - p, 1 - p)
    observed = (records[:, None] == records[None]).mean(axis=2)
    weight = np.outer(share, share)
    bins = np.minimum(np.floor(expected * 99 + 1e-12).astype(int), 99)
    for i in np.unique(bins):
        here = bins == i
        assert ours.loc[i, "share"] == pytest.approx(weight[here].sum(), rel=1e-9)
        order = np.argsort(observed[here], kind="stable")
        summed = weight[here][order].cumsum() / weight[here].sum()
        for side, level in (("observed_low", 0.025), ("observed_high", 0.975)):
            assert ours.loc[i, side] == pytest.approx(observed[here][order][summed >= level - 1e-9][0])
