"""What error consistency two accuracies leave room for (Figure 2a)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.bounds import error_consistency_bounds

ACCURACIES_OF_A = (0.25, 0.5, 0.75, 0.95)


def limits_by_mismatch() -> pd.DataFrame:
    """Return the lowest and the highest possible error consistency by the difference of two accuracies."""
    accuracy_b = np.linspace(0, 1, 101)
    parts = [
        pd.DataFrame({"accuracy": str(a), "mismatch": np.round(accuracy_b - a, 2)} | _limits(a, accuracy_b))
        for a in ACCURACIES_OF_A
    ]
    return pd.concat(parts, ignore_index=True)


def _limits(accuracy_a: float, accuracy_b: np.ndarray) -> dict[str, np.ndarray]:
    low, high = error_consistency_bounds(accuracy_a, accuracy_b)
    return {"low": low, "high": high}
