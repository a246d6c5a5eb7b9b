"""Which changes of the data leave each of the 23 measures as it is: what the release declares, and what we find."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from scipy.stats import ortho_group

from erralign.measures import OF_REPRESENTATIONS

N_TRIALS, N_FEATURES, DRAWS, CHANGED = 24, 4, 3, 1e-6
# The scaling ends near a total sum of squares of 1: SVCCA as released notices the size of small features only.
Change = Callable[[np.ndarray, np.random.Generator], np.ndarray]
CHANGES: Final[dict[str, Change]] = {
    "permutation of features": lambda X, rng: X[:, rng.permutation([1, 2, 3, 0])],
    "orthogonal transformation": lambda X, rng: X @ ortho_group.rvs(N_FEATURES, random_state=rng),
    "isotropic scaling": lambda X, rng: X * rng.uniform(0.97, 0.99) / np.linalg.norm(X - X.mean(axis=0)),
    "translation": lambda X, rng: X + rng.standard_normal(N_FEATURES),
    "invertible linear map": lambda X, rng: X @ rng.standard_normal((N_FEATURES, N_FEATURES)),
    "affine map": lambda X, rng: X @ rng.standard_normal((N_FEATURES, N_FEATURES)) + rng.standard_normal(N_FEATURES),
}
# What the release (`mklabunde/resi`, April 2025) declares in its registry.
DECLARED = pd.read_csv(Path(__file__).with_name("invariances.csv"), index_col="measure").astype(bool)


def invariances(*, rng: int | np.random.Generator = 0) -> pd.DataFrame:
    """Change random features in six ways, and see which measures notice."""
    draws = [_values(np.random.default_rng(each)) for each in np.random.default_rng(rng).integers(2**32, size=DRAWS)]
    rows = []
    for short in OF_REPRESENTATIONS:
        for change in CHANGES:
            kept = [
                [np.isclose(draw[change, who][short], draw["", ""][short], CHANGED, CHANGED) for draw in draws]
                for who in _WHO
            ]
            held = dict(zip(_WHO, map(all, kept), strict=True))
            rows.append({"measure": short, "change": change, "declared": DECLARED.loc[short, change]} | held)
    return pd.DataFrame(rows)


_WHO = {"holds": (True, True), "first": (True, False), "second": (False, True)}


def _values(rng: np.random.Generator) -> dict[tuple[str, str], dict[str, float]]:
    """Return all measures of two random systems, as they are and after each change."""
    common = rng.standard_normal((N_TRIALS, N_FEATURES))
    X, Y = (common + 0.7 * rng.standard_normal(common.shape) + 0.5 for _ in range(2))
    found = {("", ""): _measured(X, Y)}
    for change, apply in CHANGES.items():
        changed = [apply(each, rng) for each in (X, Y)]
        for who, moved in _WHO.items():
            of_x, of_y = (new if is_moved else old for new, old, is_moved in zip(changed, (X, Y), moved, strict=True))
            found[change, who] = _measured(of_x, of_y)
    return found


def _measured(X: np.ndarray, Y: np.ndarray) -> dict[str, float]:
    return {short: measure.function(X, Y) for short, measure in OF_REPRESENTATIONS.items()}
