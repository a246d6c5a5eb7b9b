"""A reader's own systems beside the paper's people and networks: what chapters add to their charts."""

from functools import cache, partial

import pandas as pd

from erralign.responses import Responses
from erralign.sources.own import read_answers
from erralign.sources.stimuli import stimuli
from erralign.sources.trials import CATEGORIES
from erralign_book.papers.geirhos2020.pair_means import answers_on
from erralign_book.papers.geirhos2020.variants import named_shapes
from erralign_book.papers.own import check_file_of_answers, limits_of_own


def check_own_answers(name: str, path: str, data_set: str = "cue-conflict") -> None:
    """Refuse what is no file of answers to one of the three data sets."""
    check_file_of_answers(name, path, partial(_read, data_set=data_set))


def own_pairs(path: str, data_set: str = "cue-conflict") -> pd.DataFrame | None:
    """Return EC, MA and CLES of a reader's systems with the paper's people and networks, with 95 % intervals."""
    return limits_of_own(answers_on(data_set), _read(path, data_set)).assign(data_set=data_set) if path else None


def own_shape_bias(path: str) -> pd.DataFrame | None:
    """Return how often a reader's systems name the shape in cue conflict, and how consistent they are with people."""
    if not path:
        return None
    mine = _read(path, "cue-conflict")
    shares = {name: named_shapes(given, mine.truth)["shape_bias"] for name, given in mine.answers.items()}
    with_people = limits_of_own(answers_on("cue-conflict"), mine).query("kind == 'model-human'").groupby("system_b")
    return pd.DataFrame({"shape_bias": pd.Series(shares), "EC": with_people["EC"].mean()})


@cache
def _read(path: str, data_set: str) -> Responses:
    truth = stimuli(f"geirhos2020/{data_set}")["category"]
    return read_answers(path, truth=truth, classes=CATEGORIES, name=f"geirhos2020/{data_set}")
