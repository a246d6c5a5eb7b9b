"""What the words of a file mean: a class, or no answer."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from unicodedata import normalize

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER_WORDS
from erralign.sources.own.columns import plain
from erralign.sources.own.forms import Column
from erralign.sources.own.sentences import counted as in_words
from erralign.sources.own.sentences import is_like, listed, say

Counted = tuple[np.ndarray, list[str], np.ndarray]  # codes, the words that they stand for, how often each occurs


def read_labels(
    truths: Mapping[str, Column],
    systems: Mapping[str, Column],
    names: Collection[str],
    missing: Iterable[str],
    *,
    is_listed: bool,
) -> tuple[dict[str, pd.Series], list[str]]:
    """Return the classes in columns, and notes on words that mean no answer, or one class written in several ways.

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
        fraction = next((word for word in words if word not in names and is_like("fraction", plain(word))), None)
        if fraction is not None:
            at = columns[name].at(int((counted[name][0] == counted[name][1].index(fraction)).argmax()))
            raise ValueError(say("fraction", at=at, word=fraction))
    every = sorted(set().union(*present.values()))
    whole = {word: is_like("whole", plain(word)) for word in every}
    if all(whole.values()):
        as_numbers = not whole.keys() <= set(names)
    else:  # one kind in a system and the other in the truth are refused when classes are numbered, with their rows
        as_numbers = not is_listed and len({whole[word] for name in truths for word in present[name]}) < 2
    labels = {word: int(plain(word)) if whole[word] and as_numbers else word for word in whole}
    merged = [
        f"{listed(ways)} as {number}"
        for number in sorted({each for each in labels.values() if isinstance(each, int)})
        if len(ways := sorted({plain(word) for word in every if labels[word] == number})) > 1
    ]
    _check_alike(next(iter(columns.values())).cells.file, [word for word in every if not whole[word]])
    found: Counter[str] = Counter()
    for name in systems:
        _, words, counts = counted[name]
        found.update({word: int(n) for word, n in zip(words, counts, strict=True) if word.casefold() in absent})
    notes = [say("merged", words="; ".join(merged))] if merged else []
    often = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    notes += [say("missing", words=in_words(often))] if found else []
    return {name: _labelled(each, labels) for name, each in counted.items()}, notes


def _labelled(counted: Counted, labels: Mapping[str, str | int]) -> pd.Series:
    codes, words, _ = counted
    places, distinct = pd.factorize(np.array([labels.get(word) for word in words], dtype=object))
    return pd.Series(pd.Categorical.from_codes(places[codes], categories=pd.Index(distinct)))


def _check_alike(file: str, words: list[str]) -> None:
    """Refuse words that differ in capitals, spaces, hyphens, underscores or the width of letters only."""
    known: dict[str, str] = {}
    for word in words:
        form = re.sub(r"[\s_.-]", "", normalize("NFKC", word)).casefold()
        if form and known.setdefault(form, word) != word:
            raise ValueError(say("alike", file=file, word=word, other=known[form]))
