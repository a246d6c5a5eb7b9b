"""The authors' released values, and how ours agree with them."""

import pandas as pd

from erralign.sources import xu2024 as source
from erralign.sources.archives import is_there
from erralign.sources.xu2024 import ERROR_ALIGN
from erralign_book.papers.frozen import frozen
from erralign_book.papers.tables import each_data_set
from erralign_book.papers.xu2024.pair_scores import (
    ANSWERS,
    BEHAVIOUR,
    DATA_SETS,
    REPRESENTATION,
    model_pairs,
    pairwise_scores,
)


def released_values() -> pd.DataFrame | None:
    """Return the authors' released CKA, SOC and SOCE of all pairs of models, where the data are on this machine.

    They are other people's results, and not part of this book's repository.
    """
    return _released() if is_there(ERROR_ALIGN) else None


def _released() -> pd.DataFrame:
    released = each_data_set(source.released_pairs, DATA_SETS).rename(
        columns={"cka": "CKA", "soc": "SOC", "soce": "SOCE"}
    )
    return released[["data_set", "system_a", "system_b", *REPRESENTATION]].dropna()


def pairs_with_released() -> pd.DataFrame:
    """Return the pairs of models with our measures and the authors' released ones."""
    return model_pairs().merge(_released(), on=["data_set", "system_a", "system_b"], validate="one_to_one")


@frozen(inputs=ANSWERS)
def agreement_with_released() -> pd.DataFrame:
    """Return the largest difference between our EC, MA, CLES and the authors' released matrices."""
    ours = pairwise_scores()
    rows = []
    for name, pairs in ours.groupby("data_set", sort=False):
        released = source.released_pairs(str(name))
        gaps = {
            measure: (pairs[measure].fillna(1.0).to_numpy() - released[measure.lower()]).abs().max()
            for measure in BEHAVIOUR
        }
        rows.append(
            {"data_set": name, "n_pairs": len(pairs), "undefined_MA": int(pairs["MA"].isna().sum())}
            | {measure: float(f"{gap:.0e}") for measure, gap in gaps.items()}
        )
    return pd.DataFrame(rows)


@frozen(inputs=ANSWERS)
def released_divergences() -> pd.DataFrame:
    """Return the range of the divergences behind the authors' released SOC and SOCE."""
    released = _released()
    return pd.DataFrame(
        [(measure, len(released), (1 / released[measure] - 1).max()) for measure in ("SOC", "SOCE")],
        columns=["measure", "n_pairs", "largest"],
    )
