"""Intervals of the effective number and of a vote's gain, where trials fall into 25 unequal clusters."""

import warnings

import numpy as np
import pandas as pd
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import ndtr, ndtri

from benchmarks.coverage.worlds import held
from erralign.diversity import effective_number, vote
from erralign.responses import Responses
from erralign_book.cells import frozen

SETS = 1000
# As the queries of the judges: pairs in each of 25.
SIZES = (
    96, 104, 107, 113, 116, 121, 125, 129, 129, 131, 133, 145, 146,
    161, 165, 176, 188, 200, 202, 226, 238, 250, 320, 330, 372,
)  # fmt: skip
# Systems, from the best one's rate of errors to the worst one's; and what makes a trial hard for all: what its cluster
# has, and what it has alone. OF_EACH is what a cluster has for each system on its own.
SETTINGS = {
    "nine, like judges": (9, (0.46, 0.63), (0.15, 0.4)),
    "nine, accurate": (9, (0.05, 0.2), (0.15, 0.4)),
    "nine, one far ahead": (9, (0.2, 0.5), (0.3, 0.2)),
    "thirty-three, like judges": (33, (0.46, 0.63), (0.15, 0.4)),
}
OF_EACH = 0.05


@frozen(
    "coverage/panels",
    slow=True,
    settings=tuple(SETTINGS),
    spot=("nine, like judges", "nine, accurate"),
    by=["systems"],
)
def panels(setting: str) -> pd.DataFrame:
    """Return the coverage of 95 % intervals by cluster, of the effective number and of a vote's gain over the best."""
    rng = np.random.default_rng([list(SETTINGS).index(setting), 29])
    n, ends, shared = SETTINGS[setting]
    rates = np.linspace(*ends, n)
    rates[0] -= 0.04 * ("ahead" in setting)
    found = np.array([_limits(*_world(rates, shared, rng)) for _ in range(SETS)])
    truths = dict(zip(("effective number", "gain of a vote"), _truths(rates, sum(shared)), strict=True))
    rows = [
        {"value": name, "truth": truth} | held(found[:, k], truth) for k, (name, truth) in enumerate(truths.items())
    ]
    return pd.DataFrame(rows)


def _world(rates: np.ndarray, shared: tuple[float, float], rng: np.random.Generator) -> tuple[Responses, np.ndarray]:
    codes, n = np.repeat(np.arange(len(SIZES)), rng.permutation(SIZES)), len(rates)
    of_cluster, alone = shared
    hard = np.sqrt(of_cluster) * rng.standard_normal(len(SIZES))[codes]
    hard += np.sqrt(alone) * rng.standard_normal(len(codes))
    of_each = np.sqrt(OF_EACH) * rng.standard_normal((len(SIZES), n))[codes]
    own = np.sqrt(1 - of_cluster - alone - OF_EACH) * rng.standard_normal((len(codes), n))
    wrong = (hard[:, None] + of_each + own < ndtri(rates)).astype(int)
    return Responses.from_table(np.zeros(len(codes), int), dict(enumerate(wrong.T)), classes=[0, 1]), codes


def _limits(responses: Responses, codes: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        worth, voted = effective_number(responses, clusters=codes), vote(responses, clusters=codes)
    return (worth.low, worth.high), (voted["gain_low"], voted["gain_high"])


def _truths(rates: np.ndarray, shared: float) -> tuple[float, float]:
    """Return both by integration over what makes a trial hard for all: given that, systems fail independently."""
    nodes, weights = hermegauss(80)
    weights = weights / weights.sum()
    failing = ndtr((ndtri(rates) - np.sqrt(shared) * nodes[:, None]) / np.sqrt(1 - shared))
    alone = (rates * (1 - rates)).sum()
    mean = failing.sum(axis=1)
    variance = weights @ ((failing * (1 - failing)).sum(axis=1) + mean**2) - (weights @ mean) ** 2
    counts = np.ones((len(nodes), 1))
    for p in failing.T:
        counts = np.pad(counts * (1 - p)[:, None], ((0, 0), (0, 1))) + np.pad(counts * p[:, None], ((0, 0), (1, 0)))
    majority = weights @ counts[:, : (len(rates) + 1) // 2].sum(axis=1)
    return len(rates) * alone / variance, majority - (1 - rates.min())
