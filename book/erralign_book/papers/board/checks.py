"""What a file of answers cannot honestly be: a copy, the truth, or shuffled; its YAML file may say why it is so."""

from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd

from erralign.pairs import pairwise
from erralign.responses import Responses
from erralign_book.papers.board.entries import files, read_entry, stored

# Of the 98 models that the board began with, two agreed on at most .948 of the pictures (a CLIP under two prompts), the
# most accurate was right on .630, and each had a mean EC of at least .223 with all others. Of 29,400 shuffles of their
# answers the highest had .068. People have .09 to .22 with them: a model that is like one would be nearer to shuffles.
MOST_ALIKE, MOST_ACCURATE, LEAST_CONSISTENT = 0.95, 0.65, 0.1
HONEST = "if that is so, say why in the field reason"


def relations(responses: Responses) -> pd.DataFrame:
    """Return each model's accuracy, the system that is nearest, the share of equal answers, and mean EC with models."""
    kinds, names, codes = responses.systems["kind"], responses.answers.columns, responses.answers.to_numpy().T
    same = np.array([(codes == one).mean(axis=1) for one in codes])
    np.fill_diagonal(same, 0)
    models = responses.select(systems=list(kinds.index[kinds == "model"]))
    pairs = pairwise(models, ["error_consistency"])
    both = pd.concat([pairs.set_index(side)["error_consistency"] for side in ("system_a", "system_b")])
    table = pd.DataFrame({"nearest": names[same.argmax(axis=1)], "same_answers": same.max(axis=1)}, index=names)
    accuracy = models.answers.eq(models.truth, axis=0).mean()
    return table.loc[accuracy.index].assign(accuracy=accuracy, EC_with_models=both.groupby(level=0).mean())


def refusals(asked: Iterable[Path], board: Path) -> dict[Path, str]:
    """Return for each file why the board refuses it: an empty text where it is accepted."""
    every = {file: _read(file, board) for file in dict.fromkeys([*asked, *files(board)])}
    # A file with a reason is accepted, and does not cast doubt on the one that it copies.
    read = {file: each for file, each in every.items() if not isinstance(each, str)}
    plain = {file: each for file, each in read.items() if not each.systems["reason"].item()}
    doubts = _doubts_by_system(plain.values())
    of = {file: "; ".join(doubts[each.name, str(each.answers.columns[0])]) for file, each in plain.items()}
    why = {file: f"{text}: {HONEST}" for file, text in of.items() if text}
    return {file: each if isinstance(each := every[file], str) else why.get(file, "") for file in asked}


def _read(file: Path, board: Path) -> Responses | str:
    try:
        return read_entry(file, board)
    except (ValueError, TypeError, OSError) as error:
        return str(error)


def _doubts_by_system(entries: Iterable[Responses]) -> dict[tuple[str, str], list[str]]:
    once = {(each.name, str(each.answers.columns[0])): each for each in entries}
    found: dict[tuple[str, str], list[str]] = {}
    for data_set in {data_set for data_set, _ in once}:
        own = {name: each for (of, name), each in once.items() if of == data_set}
        table = relations(reduce(Responses.join, own.values(), stored(data_set))).loc[list(own)]
        found |= {(data_set, str(name)): list(_doubts(row)) for name, row in table.iterrows()}
    return found


def _doubts(of: pd.Series) -> Iterator[str]:
    if of["same_answers"] > MOST_ALIKE:
        yield f"it gives the answers of {of['nearest']} to {100 * of['same_answers']:.1f} % of the pictures, a copy"
    if of["accuracy"] == 1:
        yield "its answers are the true classes"
    elif of["accuracy"] > MOST_ACCURATE:
        yield f"it is right on {100 * of['accuracy']:.1f} %; no stored one is on more than {100 * MOST_ACCURATE:.0f} %"
    if not of["EC_with_models"] >= LEAST_CONSISTENT:
        yield f"its mean EC with the other models is {of['EC_with_models']:.2f}, as if its answers were shuffled"
