"""Public data by name."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from erralign.responses import Responses
from erralign.sources import examples, geirhos2020, model_vs_human, xu2024
from erralign.sources.archives import fetch, manifest
from erralign.sources.tables import read_answers
from erralign.sources.trials import CATEGORIES, MODEL_VS_HUMAN

__all__ = ["READERS", "catalog", "load", "read_answers"]

# Paper to the archives that its reader needs, and the reader.
READERS = {
    "xu2024": ((xu2024.ERROR_ALIGN, MODEL_VS_HUMAN), xu2024.read),
    "geirhos2020": ((geirhos2020.ERROR_CONSISTENCY,), geirhos2020.read),
    "model-vs-human": (model_vs_human.KEYS, model_vs_human.read),
}


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
    return pd.DataFrame([_example(), *_xu2024(), *_geirhos2020(), *_model_vs_human()])


def _example() -> dict:
    example = {"paper": "", "trials": 12, "systems": 4, "classes": 3, "source": "made up", "licence": "CC BY 4.0"}
    return {"name": "example/twelve-pictures"} | example


def _xu2024() -> Iterator[dict]:
    for name, size in xu2024.data_sets().iterrows():
        sizes = {"trials": size["trials"], "systems": size["people"] + size["models"], "classes": size["classes"]}
        yield {"name": f"xu2024/{name}", "paper": "Xu et al. 2024"} | sizes | _origin(xu2024.ERROR_ALIGN)


def _geirhos2020() -> Iterator[dict]:
    for name, trials in geirhos2020.DATA_SETS.items():
        sizes = {"trials": trials, "systems": len(geirhos2020.systems()), "classes": len(CATEGORIES)}
        origin = _origin(geirhos2020.ERROR_CONSISTENCY)
        yield {"name": f"geirhos2020/{name}", "paper": "Geirhos et al. 2020"} | sizes | origin


def _model_vs_human() -> Iterator[dict]:
    # People's repository stands for the three; systems say which one theirs is.
    for name, size in model_vs_human.data_sets().iterrows():
        sizes = {"trials": size["trials"], "systems": size["people"] + size["models"], "classes": len(CATEGORIES)}
        yield {"name": f"model-vs-human/{name}", "paper": "Geirhos et al. 2021"} | sizes | _origin(MODEL_VS_HUMAN)


def _origin(key: str) -> dict:
    return {"source": key, "licence": manifest()[key]["licence"]}


def load(name: str, *, download: bool = False) -> Responses:
    """Load a public data set: what every system answered on every trial.

    Parameters
    ----------
    name : str
        A name in :func:`catalog`, such as ``"xu2024/stylized"``.
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
    paper, _, data_set = name.partition("/")
    keys, read = READERS[paper]
    for key in keys if download else ():
        fetch(key)
    return read(data_set)
