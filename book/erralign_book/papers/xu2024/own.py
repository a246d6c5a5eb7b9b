"""A reader's own systems beside the paper's people and models, in its heatmap."""

from functools import cache, partial

import pandas as pd

from erralign.responses import Responses
from erralign.sources.own import read_answers
from erralign_book.papers.own import check_file_of_answers, limits_of_own
from erralign_book.papers.xu2024.pair_scores import answers_on


def check_own_answers(name: str, path: str, data_set: str) -> None:
    """Refuse what is no file of answers to one of the seventeen data sets."""
    check_file_of_answers(name, path, partial(_read, data_set=data_set))


def own_pairs(path: str, data_set: str) -> pd.DataFrame | None:
    """Return EC, MA and CLES of a reader's systems with the paper's people and models, with 95 % intervals."""
    return limits_of_own(answers_on(data_set), _read(path, data_set)).assign(data_set=data_set) if path else None


@cache
def _read(path: str, data_set: str) -> Responses:
    theirs = answers_on(data_set)
    return read_answers(path, truth=theirs.truth, classes=theirs.classes, name=theirs.name)
