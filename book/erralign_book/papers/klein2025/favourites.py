"""The wrong answer that networks give most often, and how often people give it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from erralign.responses import Responses
from erralign.sources import geirhos2020 as older
from erralign.sources import model_vs_human as newer
from erralign_book.papers.frozen import frozen
from erralign_book.papers.geirhos2020 import SIXTEEN
from erralign_book.papers.klein2025.elsewhere import THREE
from erralign_book.papers.klein2025.kinds import other_networks
from erralign_book.papers.klein2025.models import ANSWERS
from erralign_book.papers.leads import Lead, summed, variance_of
from erralign_book.papers.tables import each_data_set

OF_2020, OF_THEIR_PAPER = "Geirhos et al.'s 25 networks", "Geirhos et al.'s 16 networks"
OF_OTHERS, OF_WRONG = "pictures of other things", "wrong answers"
Counts = tuple[np.ndarray, np.ndarray]  # what a share is of: said or not, and counted or not, (n_pictures, n_systems)


@frozen(inputs=[older.ERROR_CONSISTENCY, *ANSWERS])
def favourite_answers() -> pd.DataFrame:
    """Return networks' most frequent wrong answer to each set of pictures, and how often they and people give it.

    It is a share of the pictures of other things, or of wrong answers. The standard error is over pictures, people and
    architectures; pictures that share a photograph are left out together.
    """
    return each_data_set(lambda name: pd.DataFrame(_on_set(name)), THREE).replace({"data_set": THREE})


def _on_set(name: str) -> Iterator[Lead]:
    architectures = older.systems().query("kind == 'model'")["architecture"]
    of_2020 = {OF_2020: architectures, OF_THEIR_PAPER: architectures[list(SIXTEEN)]}
    for source, groups in ((older.read(THREE[name]), of_2020), (newer.read(name), other_networks())):
        for words, networks in groups.items():
            for row in favourite_beside_people(source, networks):
                yield row | {"networks": words}


def favourite_beside_people(responses: Responses, networks: pd.Series) -> Iterator[Lead]:
    """Compare networks, given with their architectures, with people: of pictures of other things, of wrong answers."""
    people = responses.systems.query("kind == 'human'").index
    truth, answers = responses.truth.to_numpy()[:, None], responses.answers
    given, theirs = answers[networks.index].to_numpy(), answers[people].to_numpy()
    wrong = np.bincount(given[given != truth], minlength=len(responses.classes))
    label = int((wrong / (truth != np.arange(len(wrong))).sum(axis=0)).argmax())
    rows = (truth != label)[:, 0]
    for of in (OF_OTHERS, OF_WRONG):
        counts = [(said[rows] == label, (said != truth)[rows] | (of == OF_OTHERS)) for said in (given, theirs)]
        yield {"answer": responses.classes[label], "of": of} | _lead(counts, networks, _photographs(responses, rows))


def _photographs(responses: Responses, rows: np.ndarray) -> list[np.ndarray]:
    """Return what is left out together: the two photographs of a cue conflict, elsewhere single pictures."""
    index = responses.truth.index[rows]
    shared = older.exemplars(index)
    return [np.arange(len(index))] if shared.isna().any(axis=None) else [shared[of].to_numpy() for of in shared]


def _lead(counts: list[Counts], networks: pd.Series, photographs: list[np.ndarray]) -> Lead:
    first, second = (said.sum() / of.sum() for said, of in counts)
    without = [_without(counts[0], units, 0) - _without(counts[1], units, 0) for units in photographs]
    without += [_without(counts[0], networks.to_numpy(), 1) - second]
    without += [first - _without(counts[1], np.arange(counts[1][0].shape[1]), 1)]
    arms = {"first": first, "second": second, "value": first - second}
    return arms | summed([variance_of(values) for values in without])


def _without(counts: Counts, units: np.ndarray, axis: int) -> np.ndarray:
    """Return the share without each unit, of pictures (axis 0) or of systems."""
    codes, found = pd.factorize(units)
    said, of = (np.bincount(codes, of_each.sum(axis=1 - axis), len(found)) for of_each in counts)
    return (said.sum() - said) / (of.sum() - of)
