"""How the logs of a task name options: the way under which their scores follow from targets and answers."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from erralign.errors import NO_ANSWER, shown
from erralign.sources.logs.samples import LACKING, NONE, Log, Sample, short

WAYS = range(3)  # a number from 0, words, a letter, in the order of `Places`


def ways_of(logs: Sequence[Log]) -> tuple[list[int | None], str]:
    """Return in which way each log of a task names options, all in one way if they can be; or None, and why.

    Logs do not say whether the target 1 is an option's number or its words. But they say what was right, and under
    another way than theirs that would not follow.
    """
    arrays = [_arrays(log) for log in logs]
    for log, each in zip(logs, arrays, strict=True):
        if np.isnan(each["right"]).all() and not _fitting(each):
            what = _why(log, each) or "no options"
            raise ValueError(f"{log.file} does not say which answers are right: it has no score, and {what}")
    fitting = [_fitting(each) for each in arrays]
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
        return (
            f"the target of item {shown(first.item)} in {log.file}, {short(first.wanted)}, is none of its "
            f"{first.options} options"
        )
    way = int((arrays["target"] >= 0).sum(axis=0).argmax())
    first = log.samples[int((~_follows(arrays, way)).argmax())]
    return (
        f"the score of item {shown(first.item)} in {log.file}, {first.right:g}, does not follow from its target "
        f"{short(first.wanted)} and its answer {short(first.said)}"
    )


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
