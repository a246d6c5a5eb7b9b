"""What an answer was, as plain numbers, and what it shows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np

from erralign._validation import check_choice
from erralign.datasets import archives
from erralign_book.course import tasks
from erralign_book.course.functions import FUNCTIONS, closest
from erralign_book.course.in_torch import IN_TORCH
from erralign_book.course.labs import LABS, calls_library

MOST = 100_000  # numbers of an answer


class NotWritten(Exception):
    """A function returns the dots that were in its place."""


def recorded(exercise: str, answer: Any) -> dict[str, Any]:
    """Return an answer as what JSON can hold; of a function, what it makes of the exercise's inputs."""
    if answer is ... or answer is None:
        return {"nothing" if answer is None else "unanswered": True}
    if isinstance(answer, str):
        return {"text": True}
    if callable(answer) and exercise not in FUNCTIONS:
        return {"function": True}
    if callable(answer) and exercise in LABS and calls_library(answer):
        return {"library": True}
    if callable(answer) and exercise in IN_TORCH:
        if not find_spec("torch"):
            return {"torch": True}
        answer = IN_TORCH[exercise](answer)
    try:
        return _outputs(exercise, answer) if callable(answer) else {"value": as_lists(answer)}
    except NotWritten:
        return {"unwritten": True}
    except Exception as error:  # a student's function may do anything
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def _outputs(exercise: str, function: Any) -> dict[str, Any]:
    """Return what a function makes of the exercise's inputs, and of fresh ones if it belongs to a lab."""
    outputs, changed = _called(function, FUNCTIONS[exercise]()[0])
    record = {"outputs": outputs, "changed": changed}
    if exercise in LABS:
        record["seed"] = int(np.random.default_rng().integers(2**31))
        record["fresh"], _ = _called(function, LABS[exercise](record["seed"])[0])
    return record


def _called(function: Any, inputs: list[tuple]) -> tuple[list[Any], bool]:
    handed = deepcopy(inputs)
    outputs = [as_lists(function(*arguments)) for arguments in handed]
    return outputs, _differ(handed, inputs)


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return not np.array_equal(one, other)
    if isinstance(one, list | tuple):
        return any(map(_differ, one, other))
    if isinstance(one, np.random.Generator):  # whoever draws from it changes it
        return False
    return bool(one != other)


def as_lists(answer: Any) -> Any:
    """Return numbers, or lists of them: of arrays, tables, tuples and dictionaries."""
    if answer is ...:
        raise NotWritten
    if answer is None or isinstance(answer, bool | int | float):
        return answer
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    if isinstance(answer, list | tuple):
        return [as_lists(part) for part in answer]
    array = np.asarray(answer)
    if array.dtype.kind == "O" and any(each is ... for each in array.flat):
        raise NotWritten
    if array.dtype.kind not in "biuf":
        raise TypeError(f"expected numbers; found {type(answer).__name__}")
    if array.size > MOST:
        raise ValueError(f"these are {array.size:,} numbers; expected at most {MOST:,}")
    return array.tolist()


WORDS, HOMEWORK = (Path(__file__).with_name(f"{name}.toml") for name in ("exercises", "homework"))
GENERAL = "any"  # the entry of the file for what may be wrong with the answer to any exercise
FEW = 4  # numbers that an answer to an exercise with a hash may have


@dataclass(frozen=True)
class Verdict:
    """What `check` says of an answer.

    Parameters
    ----------
    exercise : str
        Its name.
    key : str
        ``"right"``, the key of a misconception, what went wrong in a function, or nothing: wrong, and none of the usual
        mistakes.
    message : str
        The sentence that was printed.
    """

    exercise: str
    key: str
    message: str

    def __bool__(self) -> bool:
        """Say whether the answer is right."""
        return self.key == "right"

    def _ipython_display_(self) -> None:
        """Show nothing: at the end of a cell the sentence, which was printed, would stand twice."""


def check(exercise: str, answer: object, *, student: str | None = None, strict: bool = False) -> Verdict:
    """Say whether the answer to an exercise is right; if not, name the misconception that it shows, and give a hint.

    It works without a network, and no answer is spelled out in the package: most are computed anew, with the tolerance
    that luck needs; of the others the package has a salted hash, and each number may be off by less than one in its
    last digit. A determined student can cheat all the same, for instance by trying numbers.

    Parameters
    ----------
    exercise : str
        Its name, such as ``"interval-1"``, as the student's notebook has it.
    answer : object
        What the exercise asks for: a number, several, a table or a function; ``...`` if there is no answer yet.
    student : str or None
        The student's word. With it the numbers are those of `homework`, without it those of the page.

    strict : bool
        Raise an error where the answer is not right, as programs that grade notebooks expect it.

    Returns
    -------
    Verdict
        True if the answer is right, with the ``key`` of the misconception and the ``message`` that was printed.

    Raises
    ------
    ValueError
        If there is no such exercise, or none with numbers of one's own.
    AssertionError
        If the answer is not right, and ``strict``; its message is the verdict's.

    Examples
    --------
    >>> verdict = check("interval-1", 1280)
    interval-1: not yet. This is as if all pictures were independent. What does one more strength of a picture \
add that you have already seen?
    >>> bool(verdict), verdict.key
    (False, 'independent')
    >>> _ = check("ec-1", 0.36, student="ben")
    ec-1: not yet. These are the page's numbers. Yours are others: homework("ec-1", student=student) prints them.
    """
    check_choice("exercise", exercise, list(on_pages() if student is None else at_home()))
    record = recorded(exercise, answer)
    key = verdict(exercise, record, student)
    result = Verdict(exercise, key, f"{exercise}: {_in_words(exercise, key, student)}")
    print(result.message)
    if strict and not result:
        raise AssertionError(result.message)
    return result


def ours_stands_in(written: Verdict) -> bool:
    """Say whether the page's own function takes the place of the reader's in what follows.

    It does until the reader's is right; and where the data are not here and nothing can be downloaded, since another
    text than the page's can't read the page's tables.

    Parameters
    ----------
    written : Verdict
        What :func:`check` says of the reader's function.
    """
    if not written:
        return True
    if archives.all_here() or archives.can_download():
        return False
    print("Yours is right. The data are not here and there is no network, so the tables below are the page's.")
    return True


def homework(exercise: str, *, student: str) -> dict[str, Any]:
    """Ask a question with numbers that are a student's own, and return them.

    Parameters
    ----------
    exercise : str
        Its name, such as ``"ec-1"``.
    student : str
        The word by which the teacher knows whose numbers these are, such as a pseudonym.

    Returns
    -------
    dict
        The numbers by name, and tables where the question has some.

    Raises
    ------
    ValueError
        If no homework has this name, or there is no word yet.

    Examples
    --------
    >>> homework("sure-1", student="ann")
    Two networks are compared with people. The interval of each value reaches 6 hundredths to either side. If pictures \
are drawn again and again, the two values rise and fall together, with a correlation of 0.3. How far does the interval \
of their difference reach to either side?
    {'reach': 6, 'r': 0.3}
    """
    check_choice("exercise", exercise, list(at_home()))
    if not str(student).strip(" ."):
        raise ValueError('student is still empty; write your word in place of the dots in student = "..."')
    numbers = tasks.given(exercise, student) if exercise in tasks.TASKS else {}
    print(at_home()[exercise]["question"].format(**numbers))
    return numbers


@cache
def on_pages() -> dict[str, dict[str, Any]]:
    """Read what each exercise of a page asks for, and the words for what may be wrong."""
    exercises = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    del exercises[GENERAL]
    return exercises


@cache
def at_home() -> dict[str, dict[str, Any]]:
    """Read the homework: its questions, and words of its own or those of the page's exercise."""
    merged = {}
    for name, own in tomllib.loads(HOMEWORK.read_text(encoding="utf-8")).items():
        page = on_pages().get(name, {}) if own.pop("page", True) else {}
        merged[name] = page | own | {"traps": page.get("traps", {}) | own.get("traps", {})}
    return merged


@cache
def general() -> dict[str, Any]:
    """Read the words for what may be wrong with any answer."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))[GENERAL]


def asked(exercise: str, student: str | None) -> dict[str, Any]:
    """Return what is known of an exercise, of the page or at home."""
    return (on_pages() if student is None else at_home())[exercise]


def verdict(exercise: str, record: Mapping[str, Any], student: str | None = None) -> str:
    """Return "right", the key of a misconception, what went wrong in a function, or nothing."""
    for kind in ("unanswered", "unwritten", "nothing", "text", "function", "library", "torch"):
        if kind in record:
            return kind
    if "error" in record:
        if "ellipsis" in record["error"]:  # another function's dots
            return "earlier"
        if exercise not in FUNCTIONS and record["error"].startswith("TypeError: expected numbers"):  # as_lists says so
            return "form"
        lengths = record["error"].startswith("ValueError") and "length" in asked(exercise, student)["traps"]
        return "length" if lengths else record["error"]
    try:
        if "outputs" in record:
            return _of_function(exercise, record)
        if exercise in FUNCTIONS and student is None:
            return "called"
        return _of_value(exercise, record["value"], student)
    except (IndexError, TypeError, ValueError):  # an answer may be anything
        return "form"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _of_function(exercise: str, record: Mapping[str, Any]) -> str:
    if record["changed"]:
        return "changed"
    key = _of_calls(record["outputs"], FUNCTIONS[exercise]()[1])
    if key != "right" or exercise not in LABS:
        return key
    return "right" if _of_calls(record["fresh"], LABS[exercise](record["seed"])[1]) == "right" else "fresh"


def _of_calls(outputs: list[Any], known: Any) -> str:
    """Judge all calls of a function together, or each by its own known answers: the first that is not right counts."""
    if callable(known):
        return str(known(*outputs))
    if isinstance(known, Mapping):
        return closest(*outputs, **known)
    keys = [closest(output, **each) for output, each in zip(outputs, known, strict=True)]
    return next((key for key in keys if key != "right"), "right")


def _of_value(exercise: str, value: Any, student: str | None) -> str:
    key = _judged(exercise, value, student)
    if key or not _is_few(value):
        return key
    if student is not None and exercise in on_pages() and _judged(exercise, value, None) == "right":
        return "page"
    answer = np.asarray(value, dtype=float)
    of = asked(exercise, student).get("of", 1)
    mended = {"percent": answer / 100, "share": 100 * answer, "counts": answer / of, "probability": answer * of}
    mended |= {"sign": -answer, "complement": 1 - answer, "order": answer[::-1] if answer.ndim else answer}
    for mistake, other in mended.items():
        if _judged(exercise, other, student) == "right":
            return mistake
    if _is_task(exercise, student) and (known := tasks.answers(exercise, student)):
        n_values = np.size(known["right"])
    else:
        n_values = asked(exercise, student).get("values", answer.size)
    return "" if answer.size == n_values else "size"


def _is_few(value: Any) -> bool:
    try:
        return np.asarray(value, dtype=float).size <= 2 * FEW
    except ValueError:  # lists of several lengths
        return False


def _is_task(exercise: str, student: str | None) -> bool:
    return exercise in tasks.TASKS and (student is not None or tasks.TASKS[exercise].page)


def _judged(exercise: str, value: Any, student: str | None) -> str:
    if _is_task(exercise, student):
        return tasks.judged(exercise, value, student)
    known = on_pages()[exercise]
    if "right" not in known:  # a page asks for a function
        return ""
    keys = {known["right"]: "right"} | {last: key for key, (*_, last) in known["traps"].items()}
    for mark in marks(exercise, value, known):
        if mark in keys:
            return keys[mark]
    return ""


def marks(exercise: str, answer: Any, known: Mapping[str, Any]) -> list[str]:
    """Return the hashes of an answer, with each of its numbers rounded down and up."""
    numbers = np.ravel(np.asarray(answer, dtype=float)).tolist()
    if len(numbers) > FEW:
        return []
    steps = [round(number * 10 ** known["digits"], 6) for number in numbers]
    texts = [repr((exercise, *rounded)) for rounded in product(*({floor(step), ceil(step)} for step in steps))]
    return [blake2b(text.encode(), digest_size=6, salt=b"erralign").hexdigest() for text in texts]


def hint(exercise: str, key: str, student: str | None) -> str:
    """Return the name of a misconception and what helps, or nothing."""
    known = asked(exercise, student)
    # What an exercise says of its own mistake wins over what holds for any answer.
    name, helps, *_ = (general()["traps"] | known["traps"]).get(key, ("", ""))
    if not name:
        return ""
    stop = "" if helps.endswith(("?", ".")) else "."
    return f"{name}. {helps}{stop}".format(asks=known["asks"], exercise=exercise)


def _in_words(exercise: str, key: str, student: str | None) -> str:
    if key == "right":
        return "right."
    if key == "unwritten":
        return "not written yet."
    if words := hint(exercise, key, student):
        return f"not yet. {words}"
    form = general()["torch" if key == "torch" else "error" if key else "unknown"]
    return str(form).format(asks=asked(exercise, student)["asks"], error=key)
