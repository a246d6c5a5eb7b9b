"""What people, older networks and newer models said to the pictures that lessons show."""

import pandas as pd

from erralign.responses import Responses
from erralign.sources import geirhos2020
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.frozen import frozen
from erralign_book.papers.gavrikov2025.answers import ANSWERS, CNNS, OPTIONS, everybody, members

SHOWN = {
    "edges": ("bottle2", "elephant3", "oven7"),
    "silhouettes": ("bear7", "keyboard3"),
    "cue-conflict": ("bird9-dog2", "cat10-elephant3", "keyboard9-bear2", "oven5-bottle3", "elephant1-dog2"),
}


@frozen(inputs=ANSWERS)
def pictures_named() -> pd.DataFrame:
    """Return how many of each group named a picture, and the wrong answer that most of them gave."""
    rows = [
        {"picture": f"{data_set}/{name}", "shows": CATEGORIES[responses.truth[f"{name}.png"]], "group": group}
        | _said(responses, f"{name}.png", systems)
        for data_set, responses in {name: _answers(name) for name in SHOWN}.items()
        for name in SHOWN[data_set]
        for group, systems in members().items()
        if group in ("people", CNNS, OPTIONS) and set(systems) <= set(responses.answers)
    ]
    return pd.DataFrame(rows)


def _answers(data_set: str) -> Responses:
    return everybody() if data_set == "cue-conflict" else geirhos2020.read(data_set)


def _said(responses: Responses, image: str, systems: list[str]) -> dict[str, object]:
    said, truth = responses.answers.loc[image, systems], responses.truth[image]
    wrong = said[(said != truth) & (said >= 0)].value_counts()
    first = {"says": CATEGORIES[wrong.index[0]], "saying": wrong.iloc[0]} if len(wrong) else {"says": "", "saying": 0}
    return {"systems": len(said), "right": int((said == truth).sum())} | first
