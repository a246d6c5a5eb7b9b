"""How scores of measures move from one set of seeds to the next."""

import numpy as np
import pandas as pd
from scipy.stats import t as student

OF_ONE_SCORE = ["domain", "data", "test", "score", "measure"]
LEVEL = 0.95
SHARES = {"AUPRC", "Conformity Rate"}  # from 0 to 1; correlations are from -1 to 1


def seed_intervals(scores: pd.DataFrame) -> pd.DataFrame:
    """Average scores over architectures and sets of seeds, with a t interval for other seeds of these architectures.

    It takes the spread to be alike in all architectures, and is cut at the ends of the score's range.
    """
    known = scores.dropna(subset="value")
    of_network = known.groupby([*OF_ONE_SCORE, "network"], sort=False)["value"]
    known = known.assign(off=(known["value"] - of_network.transform("mean")) ** 2)
    parts = known.groupby(OF_ONE_SCORE, sort=False)
    found = parts.agg(
        value=("value", "mean"),
        least=("value", "min"),
        most=("value", "max"),
        n_scores=("value", "size"),
        networks=("network", "nunique"),
        off=("off", "sum"),
        chance=("chance", "mean"),
        constant=("constant", "mean"),
    ).reset_index()
    half = _half_width(found["n_scores"].to_numpy(), found["networks"].to_numpy(), found["off"].to_numpy())
    floor = np.where(found["score"].isin(SHARES), 0, -1)
    limits = {"low": (found["value"] - half).clip(lower=floor), "high": (found["value"] + half).clip(upper=1)}
    return found.drop(columns=["networks", "off"]).assign(**limits)


def _half_width(n_scores: np.ndarray, networks: np.ndarray, off: np.ndarray) -> np.ndarray:
    freedom = np.where(n_scores > networks, n_scores - networks, np.nan)
    return student.ppf((1 + LEVEL) / 2, freedom) * np.sqrt(off / freedom / n_scores)
