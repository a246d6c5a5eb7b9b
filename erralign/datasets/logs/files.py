"""Files of logs: which tool wrote one, its samples, and how options are named."""

import json
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from erralign._validation import NO_ANSWER, install_line, shown
from erralign.datasets.own.cells import TEXT, say

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
    number = int(text) if re.fullmatch(r"\d{1,4}", text) else NONE
    words = options.index(text) if text in options else NONE
    by_letter = ord(letter[1]) - ord("A") if letter else NONE
    number, by_letter = (place if place < len(options) else LACKING for place in (number, by_letter))
    return number, words, by_letter


def share_right(value: Any, where: str) -> float:
    """Return a score as a number from 0, wrong, to 1, right; nan where there is none."""
    if value is None or (isinstance(value, str) and value.casefold() in UNREAD):
        return nan
    try:
        right = WORDS[value.casefold()] if isinstance(value, str) and value.casefold() in WORDS else float(value)
    except (TypeError, ValueError):
        right = 2.0
    if not (isnan(right) or 0 <= right <= 1):
        raise ValueError(say("no_score", at=where, value=short(value)))
    return right


def misshapen(where: str, error: Exception) -> ValueError:
    """Return the error of a log that was changed after it was written."""
    return ValueError(f"{where} is not of the form in which logs are written ({error}): was it changed?")


def short(value: Any) -> str:
    """Write what a log holds, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


WAYS = range(3)  # a number from 0, words, a letter, in the order of `Places`


def ways_of(logs: Sequence[Log]) -> tuple[list[int | None], str]:
    """Return in which way each log of a task names options, all in one way if they can be; or None, and why.

    Logs do not say whether the target 1 is an option's number or its words. But they say what was right, and under
    another way than theirs that would not follow.
    """
    arrays = [_arrays(log) for log in logs]
    fitting = [_fitting(each) for each in arrays]
    for log, each, fits in zip(logs, arrays, fitting, strict=True):
        if np.isnan(each["right"]).all() and not fits:
            what = _why(log, each) or "no options"
            raise ValueError(f"{log.file} does not say which answers are right: it has no score, and {what}")
    shared = [way for way in WAYS if all(way in each for each in fitting)]
    ways = [next(iter(shared or each), None) for each in fitting]
    whys = (_why(log, each) for way, log, each in zip(ways, logs, arrays, strict=True) if way is None)
    return ways, next(whys, "")


def _fitting(arrays: Mapping[str, np.ndarray]) -> list[int]:
    """Return the ways in which every target is an option, and every score follows."""
    if not (arrays["options"] > 1).all():
        return []
    return [way for way in WAYS if (arrays["target"][:, way] >= 0).all() and _follows(arrays, way).all()]


def _arrays(log: Log) -> dict[str, np.ndarray]:
    columns = dict(zip(Sample._fields, zip(*log.samples, strict=True), strict=True))
    return {name: np.array(columns[name]) for name in ("options", "target", "answer", "right", "is_read")}


def _follows(arrays: Mapping[str, np.ndarray], way: int) -> np.ndarray:
    """Say for each sample whether its score is what target and answer say."""
    is_right = arrays["answer"][:, way] == arrays["target"][:, way]
    return ~arrays["is_read"] | np.isnan(arrays["right"]) | ((arrays["right"] == 1) == is_right)


def _why(log: Log, arrays: Mapping[str, np.ndarray]) -> str:
    """Say what is in the way of taking answers as options; nothing where there are none."""
    if not (arrays["options"] > 1).any():
        return ""
    nowhere = (arrays["options"] < 2) | (arrays["target"] < 0).all(axis=1)
    if nowhere.any():
        first = log.samples[int(nowhere.argmax())]
        return say("no_option", item=shown(first.item), file=log.file, target=short(first.wanted), n=first.options)
    way = int((arrays["target"] >= 0).sum(axis=0).argmax())
    first = log.samples[int((~_follows(arrays, way)).argmax())]
    what = {"score": f"{first.right:g}", "target": short(first.wanted), "answer": short(first.said)}
    return say("other_score", item=shown(first.item), file=log.file, **what)


def as_table(log: Log, way: int | None, *, is_named: bool) -> pd.DataFrame:
    """Return samples as a table, with options as classes, or with the classes right, 0, and wrong, 1."""
    table, arrays = pd.DataFrame(log.samples, columns=Sample._fields), _arrays(log)
    if is_named:
        target, answer = arrays["target"][:, way], np.where(arrays["is_read"], arrays["answer"][:, way], NONE)
        return table.assign(target=target, answer=np.maximum(answer, NO_ANSWER), lacks=answer == LACKING)
    right = arrays["right"]
    if way is not None and np.isnan(right).all():
        right = (arrays["answer"][:, way] == arrays["target"][:, way]).astype(float)
    is_read = arrays["is_read"] & ~np.isnan(right)
    return table.assign(target=0, answer=np.where(is_read, right != 1, NO_ANSWER), lacks=False)


ZSTANDARD = 93  # the number of this compression in the zip format
LARGEST = 2**30  # bytes of an unpacked member: a small archive may hold more than fits into memory


def lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line of a file, as JSON, and where it is."""
    number = 0
    try:
        with path.open(encoding=TEXT) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield f"{path.name}, line {number}", _object(line)
    except json.JSONDecodeError as error:
        raise ValueError(say("cut", at=f"{path.name}, line {number}", why=error.msg)) from None
    except UnicodeError:
        raise ValueError(f"{path.name} is damaged after line {number}: it is no text in UTF-8; copy it again") from None


def _object(line: str) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise json.JSONDecodeError("no object in braces", line, 0)
    return found


def whole(path: Path) -> dict[str, Any]:
    """Return what a JSON file holds."""
    try:
        return _object(path.read_text(encoding=TEXT))
    except (json.JSONDecodeError, UnicodeError) as error:
        raise ValueError(say("cut", at=path.name, why=error)) from None


def member(archive: zipfile.ZipFile, name: str) -> Any:
    """Return what a JSON file in an archive holds."""
    file = Path(str(archive.filename)).name
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        raise ValueError(say("too_large", file=file, name=name, n=f"{info.file_size:,}", most=f"{LARGEST:,}"))
    try:
        return json.loads(_zstandard(archive, info) if info.compress_type == ZSTANDARD else archive.read(info))
    except (zipfile.BadZipFile, zlib.error, json.JSONDecodeError, UnicodeError) as error:
        raise ValueError(f"{file}: {name} is damaged ({error}); copy the log again") from None


def _zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member, of which a large one has several frames; zipfile would read the first."""
    with Path(str(archive.filename)).open("rb") as file:
        file.seek(info.header_offset + 26)
        file.seek(sum(struct.unpack("<HH", file.read(4))), 1)  # the name and the extra field
        packed = file.read(info.compress_size)
    opened: Any
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd

            opened = zstd.open(BytesIO(packed))
        else:
            from zstandard import ZstdDecompressor

            opened = ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    except ImportError:
        name = Path(str(archive.filename)).name
        raise ImportError(say("zstandard", file=name, command=install_line("inspect"))) from None
    with opened as reader:
        content = reader.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise zipfile.BadZipFile(f"it does not have the {info.file_size:,} bytes that the archive lists")
    return content
