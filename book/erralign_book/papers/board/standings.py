"""All systems on the board, with their agreement with people and where their answers are from."""

from functools import reduce
from os.path import relpath

import pandas as pd

from erralign.measures import short_name
from erralign.resampling import consistency_with_people, reach_with_people
from erralign.responses import Responses
from erralign.sources.archives import data_folder
from erralign.sources.gavrikov2025 import VLM_SHAPEBIAS
from erralign.sources.geirhos2020 import ERROR_CONSISTENCY, exemplars
from erralign_book.papers.board.checks import relations
from erralign_book.papers.board.entries import files, folder, read_entry, stored
from erralign_book.papers.frozen import frozen

DATA_SET = "geirhos2020/cue-conflict"
MEASURES = ("accuracy", "EC", "H", "MA", "CLES")
HANDED_IN = files(folder())
_BOTH = [each for file in HANDED_IN for each in (file, file.with_suffix(".yml"))]
SUBMISSIONS = [relpath(each, data_folder() / "frozen") for each in _BOTH]


def everybody() -> Responses:
    """Return the people, and all models from archives and from the board's own files."""
    entries = [read_entry(file, folder()) for file in HANDED_IN]
    return reduce(Responses.join, [each for each in entries if each.name == DATA_SET], stored(DATA_SET))


@frozen(inputs=[ERROR_CONSISTENCY, VLM_SHAPEBIAS], tables=SUBMISSIONS)
def systems() -> pd.DataFrame:
    """Return each model's agreement with people, with 95 % intervals over photographs, and the facts about it.

    ``EC_reach`` and ``MA_reach`` are what the best answers of the model's accuracy reach with these people. The last
    row is people: each with the others. ``same_answers`` is the share of pictures to which the ``nearest``
    other system gives the same answer.
    """
    every = everybody()
    facts = every.systems.query("kind == 'model'").drop(columns="kind")
    unread = (every.answers < 0).mean()
    near = relations(every)[["nearest", "same_answers", "EC_with_models"]]
    values = [_with_people(every, measure) for measure in MEASURES]
    values += [_reach(every, measure) for measure in ("EC", "MA")]
    table = pd.concat([*values, facts.join(near).assign(unread=unread)], axis=1)
    table.loc["people", "family"] = "people"
    return table.round(6).rename_axis("system").reset_index()


def _with_people(responses: Responses, measure: str) -> pd.DataFrame:
    """Return a measure's mean with people and its limits."""
    found = consistency_with_people(responses, measure, clusters=exemplars(responses.truth.index), n_resamples=20).table
    short = short_name(found.columns[0])
    return found.iloc[:, :3].set_axis([short, f"{short}_low", f"{short}_high"], axis=1)


def _reach(responses: Responses, measure: str) -> pd.DataFrame:
    found = reach_with_people(responses, measure, clusters=exemplars(responses.truth.index))
    return found.set_axis([f"{measure}_reach", f"{measure}_reach_low", f"{measure}_reach_high"], axis=1)
