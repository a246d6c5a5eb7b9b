"""The authors' released values, and how ours agree with them."""

import numpy as np
import pandas as pd

from erralign.sources import xu2024 as source
from erralign.sources.archives import is_there, open_member
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


def released_pairs(data_set: str) -> pd.DataFrame:
    """Read the authors' own values for all pairs of one data set: shown where the data are, never committed."""
    synthetic = source.data_sets()["kind"][data_set] == "synthetic"
    models = f"model_vs_human_mm/{data_set}" if synthetic else data_set
    everyone = f"model_vs_human/{data_set}" if synthetic else data_set
    columns = {name: _matrix(everyone, name) for name in ("ec", "ma", "jsd")}
    columns |= {name: _matrix(models, name) for name in ("cka", "conf_div", "conf_div_e")}
    order = pd.Index(source.systems_of(data_set).index)
    first, second = (order.take(position) for position in np.triu_indices(len(order), k=1))
    pairs = pd.DataFrame({"system_a": first, "system_b": second})
    for name, matrix in columns.items():
        matrix = matrix.reindex(index=order, columns=order)
        pairs[name] = matrix.to_numpy()[np.triu_indices(len(order), k=1)]
    for divergence, similarity in {"jsd": "cles", "conf_div": "soc", "conf_div_e": "soce"}.items():
        pairs[similarity] = 1 / (1 + pairs.pop(divergence))
    return pairs[["system_a", "system_b", "ec", "ma", "cles", "cka", "soc", "soce"]]


def _matrix(folder: str, name: str) -> pd.DataFrame:
    values = np.load(open_member(ERROR_ALIGN, f"data/values_for_metrics/{folder}/{name}.npy"))
    agents = np.load(open_member(ERROR_ALIGN, f"data/values_for_metrics/{folder}/agent_list.npy"))
    return pd.DataFrame(values, index=agents, columns=agents)


def released_values() -> pd.DataFrame | None:
    """Return the authors' released CKA, SOC and SOCE of all pairs of models, where the data are on this machine.

    They are other people's results, and not part of this book's repository.
    """
    return _released() if is_there(ERROR_ALIGN) else None


def _released() -> pd.DataFrame:
    released = each_data_set(released_pairs, DATA_SETS).rename(columns={"cka": "CKA", "soc": "SOC", "soce": "SOCE"})
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
        released = released_pairs(str(name))
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
