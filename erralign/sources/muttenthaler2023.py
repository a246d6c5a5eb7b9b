"""The networks of Muttenthaler et al. (2023), as their Table B.1 lists them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd

HERE = Path(__file__).parent


@cache
def networks() -> pd.DataFrame:
    """Return the networks of Table B.1, in its order.

    The names of two that are equal in print say what tells them apart. In our text of the paper some lines of the
    table are two lines melted into one; their zero-shot and probing accuracy is here, not among the printed numbers,
    and with the network whose accuracy on ImageNet the line has.

    Returns
    -------
    pandas.DataFrame
        Indexed by model: ``source`` (a paper), ``architecture``, ``data`` and ``objective`` as printed; ``network``,
        ``imagenet`` (top-1 accuracy in %) and ``parameters`` (millions) from ``networks.csv`` of the authors'
        repository, ``LukasMut/human_alignment`` at commit 6e11e55, empty where it has none; ``melted_zero_shot`` and
        ``melted_probing`` in %.

    Examples
    --------
    >>> networks().loc["CLIP RN50", ["architecture", "imagenet"]].to_dict()
    {'architecture': 'ResNet', 'imagenet': 73.3}
    """
    return pd.read_csv(HERE / "muttenthaler2023-table-b1.csv", index_col="model")
