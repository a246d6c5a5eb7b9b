"""What a log says about one item, whichever tool wrote it, and which option a text names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

NONE, LACKING = -1, -2  # no option is named; one is named that the item lacks
LETTER = re.compile(r"\(?([A-Z])[).:]?")
Places = tuple[int, int, int]  # of the option that a text names: by its number from 0, its words, its letter
NOWHERE: Places = (NONE,) * 3
WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
UNREAD = ("n", "nan", "")  # no answer, not scored


MISSHAPEN = (AttributeError, IndexError, OverflowError, TypeError)  # what comes of a list where a tool writes none


class Sample(NamedTuple):
    """One answer to one item."""

    item: str | int
    run: int  # 1, 2, … where the same system answered again
    question: str  # the same for the same question; "" if it is not known
    options: int  # how many; 0 if there are none
    target: Places
    answer: Places
    right: float  # from 0 to 1; nan if it was not scored
    is_read: bool  # whether the tool found an answer
    said: str  # the answer as it was given
    wanted: str  # the target as it was given
    is_in_response: bool = True  # whether what the model wrote holds the answer


@dataclass
class Log:
    """A log: who answered what."""

    file: str
    system: str
    task: str
    samples: list[Sample]


def places(text: str, options: Sequence[str]) -> Places:
    """Return the place of the option that a text names, read as a number from 0, as its words and as a letter."""
    text = text.strip()
    letter = LETTER.fullmatch(text)
    return (
        _among(int(text), options) if re.fullmatch(r"\d{1,4}", text) else NONE,
        options.index(text) if text in options else NONE,
        _among(ord(letter[1]) - ord("A"), options) if letter else NONE,
    )


def _among(place: int, options: Sequence[str]) -> int:
    return place if place < len(options) else LACKING


def share_right(value: Any, where: str) -> float:
    """Return a score as a number from 0, wrong, to 1, right; nan where there is none."""
    if value is None or (isinstance(value, str) and value.casefold() in UNREAD):
        return nan
    try:
        right = WORDS[value.casefold()] if isinstance(value, str) and value.casefold() in WORDS else float(value)
    except (TypeError, ValueError):
        right = 2.0
    if not (isnan(right) or 0 <= right <= 1):
        raise ValueError(
            f"{where} holds {short(value)}, which is neither right nor wrong; expected 0 to 1, true or false, C, I, P "
            "or N (--metric NAME, metric=..., takes another score)"
        )
    return right


def misshapen(where: str, error: Exception) -> ValueError:
    """Return the error of a log that was changed after it was written."""
    return ValueError(f"{where} is not of the form in which logs are written ({error}): was it changed?")


def short(value: Any) -> str:
    """Write what a log holds, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
