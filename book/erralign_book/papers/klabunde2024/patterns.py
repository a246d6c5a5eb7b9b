"""Whether measures that do well in the paper do well in our small worlds, too."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from erralign.grounding.correlations import correlation
from erralign_book.papers.klabunde2024.claims import main_scores
from erralign_book.papers.klabunde2024.results import TESTS
from erralign_book.papers.klabunde2024.worlds import scores

PRINTED = {"vision": "ImageNet100"}


def patterns() -> pd.DataFrame:
    """Compare how measures rank in our networks on digits with how they rank in the paper's on ImageNet100.

    Pictures, networks, their training and the numbers of test pictures all differ, so that only the order of the
    measures can be compared.
    """
    ours = scores("vision").query("reading == 'released'")
    ours = ours[ours["score"] == ours["test"].map(TESTS)]
    printed = main_scores().query("domain == 'vision' and data == @PRINTED['vision']")
    return pd.DataFrame([_compared(test, score, ours, printed) for test, score in TESTS.items()])


def _compared(test: str, score: str, ours: pd.DataFrame, printed: pd.DataFrame) -> dict[str, object]:
    here, there = _by_network(ours, test), _by_network(printed, test)
    known = here.dropna(how="all").index.intersection(there.dropna(how="all").index)
    here, there = here.loc[known], there.loc[known]
    mean_here, mean_there = (each.rank().mean(axis=1).to_numpy() for each in (here, there))
    return {
        "domain": "vision",
        "data": ours["data"].iloc[0],
        "printed": PRINTED["vision"],
        "test": test,
        "score": score,
        "measures": len(known),
        "rho": correlation(mean_here, mean_there),
        "rho_ours": _agreement(here),
        "rho_printed": _agreement(there),
    }


def _by_network(every: pd.DataFrame, test: str) -> pd.DataFrame:
    """Return one test's scores, a row per measure, a column per network; means over sets of seeds."""
    its = every[every["test"] == test]
    return its.pivot_table(index="measure", columns="network", values="value", dropna=False)


def _agreement(every: pd.DataFrame) -> float:
    columns = [every[network].to_numpy(dtype=float) for network in every]
    return float(np.nanmean([correlation(one, other) for one, other in combinations(columns, 2)]))
