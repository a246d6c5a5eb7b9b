"""Made-up examples that return in the chapters of measures: twelve pictures, and a space of decisions."""

from __future__ import annotations

import numpy as np
import pandas as pd

from erralign.responses import Responses

CLASSES = ("cat", "dog", "fox")
TRUE = "cat cat cat cat dog dog dog dog fox fox fox fox"
ANSWERS = {
    "A": "cat cat cat dog dog dog dog fox fox fox fox cat",
    "Twin": "cat cat cat dog dog dog dog fox fox fox fox cat",
    "Contrarian": "cat cat cat fox dog dog dog cat fox fox fox dog",
    "Stranger": "cat cat dog cat dog dog fox dog fox fox cat fox",
}


def twelve_pictures() -> Responses:
    """Return twelve pictures named by A and three others, each right on nine, who tell the measures apart.

    Twin errs on A's pictures with A's answers, Contrarian on A's pictures with other answers, Stranger on other
    pictures with A's confusions.

    Returns
    -------
    Responses
        Made up, and small enough to count by hand.

    Examples
    --------
    >>> twelve_pictures().answers.eq(twelve_pictures().truth, axis=0).sum().tolist()
    [9, 9, 9, 9]
    """
    pictures = pd.RangeIndex(1, 13, name="picture")
    answers = pd.DataFrame({system: _ids(names) for system, names in ANSWERS.items()}, index=pictures)
    systems = pd.DataFrame({"kind": "human", "family": "reader", "source": "made up"}, index=list(ANSWERS))
    return Responses("example/twelve-pictures", pd.Series(_ids(TRUE), index=pictures), answers, CLASSES, systems)


def _ids(names: str) -> list[int]:
    return [CLASSES.index(name) for name in names.split()]


def decision_regions(cells: int = 30) -> pd.DataFrame:
    """Return a square of data space with its true classes and what two systems, A and B, answer there.

    Truth is three upright bands. Going down, the bands of A bend to the right, out on one side and in on the other;
    those of B bend later, to the right in the left half and to the left in the right half. So there are places where
    both are right, where one is, where both are wrong alike (bottom left), and where both are wrong otherwise (bottom
    right).

    Parameters
    ----------
    cells : int
        Cells along a side.

    Returns
    -------
    pandas.DataFrame
        ``x``, ``y`` (centres of cells, 0 to 1), ``truth``, ``a``, ``b`` (class ids 0, 1, 2); cells² rows.

    Examples
    --------
    >>> regions = decision_regions()
    >>> int(((regions["a"] != regions["truth"]) & (regions["b"] != regions["truth"])).sum())
    286
    """
    centres = (np.arange(cells) + 0.5) / cells
    x, y = (axis.ravel() for axis in np.meshgrid(centres, centres))
    bend_a, bend_b = (np.interp(y, [0.2, top], [1 / 3, 0]) for top in (0.7, 0.45))
    answers = {"truth": x, "a": x - bend_a, "b": np.where(x < 0.5, x - bend_b, x + bend_b)}
    bands = {name: np.floor(3 * (place % 1)).astype(int) for name, place in answers.items()}
    return pd.DataFrame({"x": x.round(4), "y": y.round(4), **bands})
