"""What an answer was, as plain numbers and text: what a notebook hands in, and a grader judges in another process."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from erralign.course.functions import FUNCTIONS

MOST = 100_000  # numbers of an answer


def recorded(exercise: str, answer: Any) -> dict[str, Any]:
    """Return an answer as what JSON can hold; of a function, what it makes of the exercise's inputs."""
    if answer is ... or answer is None:
        return {"nothing" if answer is None else "unanswered": True}
    if isinstance(answer, str):
        return {"text": answer}
    if callable(answer) and exercise not in FUNCTIONS:
        return {"function": True}
    try:
        return _outputs(exercise, answer) if callable(answer) else {"value": as_lists(answer)}
    except Exception as error:  # a student's function may do anything
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def _outputs(exercise: str, function: Any) -> dict[str, Any]:
    inputs, _ = FUNCTIONS[exercise]()
    given = deepcopy(inputs)
    outputs = [as_lists(function(*each)) for each in given]
    return {"outputs": outputs, "changed": _differ(given, inputs)}


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return not np.array_equal(one, other)
    if isinstance(one, list | tuple):
        return any(map(_differ, one, other))
    return bool(one != other)


def as_lists(answer: Any) -> Any:
    """Return numbers, or lists of them: of arrays, tables, tuples and dictionaries."""
    if answer is None or isinstance(answer, bool | int | float):
        return answer
    if isinstance(answer, Mapping):
        return [as_lists(each) for each in answer.values()]
    if isinstance(answer, list | tuple):
        return [as_lists(each) for each in answer]
    array = np.asarray(answer)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"expected numbers; found {type(answer).__name__}")
    if array.size > MOST:
        raise ValueError(f"these are {array.size:,} numbers; expected at most {MOST:,}")
    return array.tolist()
