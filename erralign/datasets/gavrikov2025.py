"""Answers of 70 models to the pictures with a cue conflict, as Gavrikov et al. (2025) released them."""

from functools import cache
from pathlib import Path

import pandas as pd

from erralign._validation import DataError
from erralign.datasets.archives import open_member
from erralign.datasets.trials import CATEGORIES, class_ids
from erralign.responses import Responses

VLM_SHAPEBIAS = "paulgavrikov/vlm_shapebias@459198f81c7d64584ed57bf3fd27c392d425478a"
ARCHIVES = (VLM_SHAPEBIAS,)
_N_PICTURES = 1280


def systems() -> pd.DataFrame:
    """Return the 70 systems: a model asked in one way, with what is documented of its parts.

    ``prompt`` says how it was asked: vision-language models which of 16 options is best, or for a description, from
    which the authors' classifier made a class; CLIP by 80 templates for the name of a class, by one, or by the name
    alone. What is documented nowhere is empty.
    """
    columns = ["kind", "family", "source", "model", "prompt", "year", "vision_encoder", "language_model"]
    return _table().assign(kind="model", source=VLM_SHAPEBIAS)[columns]


@cache
def _table() -> pd.DataFrame:
    place = Path(__file__).parent / "gavrikov2025-systems.csv"
    return pd.read_csv(place, index_col="system", dtype=str, keep_default_na=False)


def released(system: str) -> pd.DataFrame:
    """Read the file of one system, all columns as text: a row per picture, in any order."""
    member = "raw-data/" + str(_table()["file"][system])
    table = pd.read_csv(open_member(VLM_SHAPEBIAS, member), dtype=str, keep_default_na=False)
    table = table.assign(image=table["image"] + ".png").set_index("image").sort_index()
    if len(table) != _N_PICTURES or not table.index.is_unique:
        raise DataError(f"{member} of {VLM_SHAPEBIAS} does not name {_N_PICTURES:,} pictures once each; fetch it anew")
    return table


@cache
def _answers() -> pd.DataFrame:
    named = {system: released(system)["pred_label"] for system in systems().index}
    return pd.DataFrame(named).apply(class_ids)


def read() -> Responses:
    """Read what all systems answered; -1 where the authors could not read an answer as one of the 16 categories."""
    answers = _answers()
    truth = pd.Series(class_ids(answers.index.str.extract(r"^([a-z]+)\d", expand=False)), answers.index, name="truth")
    return Responses("gavrikov2025/cue-conflict", truth, answers.copy(), CATEGORIES, systems())
