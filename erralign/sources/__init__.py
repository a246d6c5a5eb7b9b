"""Public data by name."""

from __future__ import annotations

import pandas as pd

from erralign.responses import Responses
from erralign.sources import examples, xu2024
from erralign.sources.archives import fetch, manifest
from erralign.sources.trials import MODEL_VS_HUMAN


def catalog() -> pd.DataFrame:
    """List the data sets that :func:`load` knows.

    Returns
    -------
    pandas.DataFrame
        ``name``, ``paper``, ``trials``, ``systems``, ``classes``, ``source`` (repository and commit), ``licence``.

    Examples
    --------
    >>> catalog().set_index("name").loc["xu2024/stylized", ["trials", "systems"]].tolist()
    [800, 27]
    """
    sizes = xu2024.data_sets()
    twelve = pd.DataFrame(
        [
            {
                "name": "example/twelve-pictures",
                "paper": "",
                "trials": 12,
                "systems": 4,
                "classes": 3,
                "source": "made up",
                "licence": "CC BY 4.0",
            }
        ]
    )
    papers = pd.DataFrame(
        {
            "name": "xu2024/" + sizes.index,
            "paper": "Xu et al. 2024",
            "trials": sizes["trials"].to_numpy(),
            "systems": (sizes["people"] + sizes["models"]).to_numpy(),
            "classes": sizes["classes"].to_numpy(),
            "source": xu2024.ERROR_ALIGN,
            "licence": manifest()[xu2024.ERROR_ALIGN]["licence"],
        }
    )
    return pd.concat([twelve, papers], ignore_index=True)


def load(name: str, *, download: bool = False) -> Responses:
    """Load a public data set: what every system answered on every trial.

    Parameters
    ----------
    name : str
        A name out of :func:`catalog`, such as ``"xu2024/stylized"``.
    download : bool
        Whether to fetch what is not on this machine; without it the network is never asked.

    Returns
    -------
    Responses
        True classes, answers, classes and systems.

    Raises
    ------
    ValueError
        A name that the catalogue does not list.
    DataError
        The data are not here, or damaged.
    """
    names = list(catalog()["name"])
    if name not in names:
        raise ValueError(f"name is {name!r}; expected one of {', '.join(names)} (erralign.catalog() lists them)")
    if name == "example/twelve-pictures":
        return examples.twelve_pictures()
    if download:
        for key in (xu2024.ERROR_ALIGN, MODEL_VS_HUMAN):
            fetch(key)
    return xu2024.read(name.partition("/")[2])
