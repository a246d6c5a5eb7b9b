"""What the words of a file mean: a class, or no answer."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS
from erralign.sources.own.columns import plain
from erralign.sources.own.forms import Column

FRACTION = re.compile(r"[+-]?\d*[.,]\d+(e[+-]?\d+)?", re.IGNORECASE)
WHOLE = re.compile(r"-?\d+")
Counted = tuple[np.ndarray, list[str], np.ndarray]  # codes, the words that they stand for, how often each occurs


def read_labels(
    truths: Mapping[str, Column],
    systems: Mapping[str, Column],
    names: Collection[str],
    missing: Iterable[str],
    *,
    is_listed: bool,
) -> tuple[dict[str, pd.Series], list[str]]:
    """Return the classes in columns, and a note on the words that mean no answer.

    All words are numbers, or none is, unless the true classes are both. ``names`` are the classes that the caller
    knows, and ``is_listed`` says whether they are all.
    """
    columns = {**truths, **systems}
    counted = {name: column.counted() for name, column in columns.items()}
    absent = (NO_ANSWER_WORDS - {name.casefold() for name in names}) | {word.strip().casefold() for word in missing}
    present = {
        name: [word for word in words if word.casefold() not in absent] for name, (_, words, _) in counted.items()
    }
    for name, words in present.items():
        _check_whole(columns[name], counted[name], [word for word in words if word not in names])
    whole = {word: bool(WHOLE.fullmatch(plain(word))) for word in set().union(*present.values())}
    if all(whole.values()):
        as_numbers = not whole.keys() <= set(names)
    else:  # one kind in a system and the other in the truth are refused when classes are numbered, with their rows
        as_numbers = not is_listed and len({whole[word] for name in truths for word in present[name]}) < 2
    labels = {word: int(plain(word)) if whole[word] and as_numbers else word for word in whole}
    return {name: _labelled(each, labels) for name, each in counted.items()}, _note(systems, counted, absent)


def _labelled(counted: Counted, labels: Mapping[str, str | int]) -> pd.Series:
    codes, words, _ = counted
    places, distinct = pd.factorize(np.array([labels.get(word) for word in words], dtype=object))
    return pd.Series(pd.Categorical.from_codes(places[codes], categories=pd.Index(distinct)))


def _first(column: Column, counted: Counted, word: str) -> str:
    codes, words, _ = counted
    return f"{column.at(int((codes == words.index(word)).argmax()))} holds {word!r}"


def _check_whole(column: Column, counted: Counted, words: list[str]) -> None:
    fractions = [word for word in words if FRACTION.fullmatch(plain(word))]
    if fractions:
        raise ValueError(
            f"{_first(column, counted, fractions[0])}, a fraction; expected a class, as a word or a whole number: "
            "leave out a column that holds no answers, or list classes that are written so (--classes, classes=[...])"
        )


def _note(systems: Iterable[str], counted: Mapping[str, Counted], absent: Collection[str]) -> list[str]:
    found: Counter[str] = Counter()
    for name in systems:
        _, words, counts = counted[name]
        found.update({word: int(n) for word, n in zip(words, counts, strict=True) if word.casefold() in absent})
    said = [f"{repr(word) if word else 'an empty cell'} ({n:,})" for word, n in found.most_common()]
    return [f"Read as no answer: {', '.join(said)}; --missing WORD (missing=[...]) names other words."] if said else []
