"""Do the rankings of the measures survive other seeds? Cora, from our networks and from the paper's tables."""

from __future__ import annotations

from itertools import combinations

import pandas as pd

from erralign.reproduction.klabunde2024.graphs import graph_scores
from erralign.reproduction.klabunde2024.results import TESTS, results

KEYS = ["test", "network"]


def rankings() -> pd.DataFrame:
    """Correlate the rankings of the measures between sets of seeds, and with the ranking that the paper's tables give.

    Returns
    -------
    pandas.DataFrame
        ``test``, ``network``, ``measures`` (how many have a value everywhere), ``between_sets`` (Spearman's r of the
        scores of two sets of seeds, the mean over pairs of sets), ``lowest`` (of these pairs), ``with_paper`` (the mean
        over the sets of r with the paper's scores), ``best`` (the best measure of each set, each once).
    """
    ours, paper = _ours(), _paper()
    return pd.DataFrame(
        [
            dict(zip(KEYS, keys, strict=True)) | _row(sets, paper.loc[keys])
            for keys, sets in ours.groupby(KEYS, sort=False)
        ]
    )


def _ours() -> pd.DataFrame:
    """Return the main score of each measure, a column for each set of seeds."""
    scores = graph_scores()
    main = scores[(scores["score"] == scores["test"].map(TESTS)) & (scores["reading"] == "released")]
    main = main[main["measure"].isin(results()["measure"].unique())]
    return main.pivot(index=[*KEYS, "measure"], columns="seed_set", values="value")


def _paper() -> pd.Series:
    cora = results().query("data == 'Cora'")
    main = cora[cora["score"] == cora["test"].map(TESTS)]
    return main.set_index([*KEYS, "measure"])["value"].sort_index()


def _row(sets: pd.DataFrame, printed: pd.Series) -> dict[str, object]:
    sets = sets.droplevel(KEYS).dropna()
    between = [sets[one].corr(sets[other], method="spearman") for one, other in combinations(sets, 2)]
    with_paper = [sets[one].corr(printed, method="spearman") for one in sets]
    best = dict.fromkeys(measure for one in sets for measure in sets.index[sets[one] == sets[one].max()])
    return {
        "measures": len(sets),
        "between_sets": sum(between) / len(between),
        "lowest": min(between),
        "with_paper": sum(with_paper) / len(with_paper),
        "best": ", ".join(best),
    }
