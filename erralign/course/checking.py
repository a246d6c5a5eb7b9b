"""Whether an answer is right and, if not, which misconception it shows."""

import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np

from erralign.course.recomputed import RECOMPUTED
from erralign.errors import check_choice

WORDS = Path(__file__).with_name("exercises.toml")
GENERAL = "any"  # the entry of the file for what may be wrong with the answer to any exercise
FEW = 4  # numbers that an answer to an exercise with a hash may have
SAID: list[tuple[str, str]] = []  # exercise and verdict of each call, for the grading


def check(exercise: str, answer: object) -> None:
    """Say whether the answer to an exercise is right; if not, name the misconception that it shows, and give a hint.

    It works without a network, and no answer is spelled out in the package: most are computed anew from small inputs,
    with the tolerance that luck needs; of the others the package has a salted hash, and each number may be off by less
    than one in its last digit. A determined student can cheat all the same, for instance by trying numbers.

    Parameters
    ----------
    exercise : str
        Its name, such as ``"interval-1"``, as the student's notebook has it.
    answer : object
        What the exercise asks for: a number, several, a table or a function; ``...`` if there is no answer yet.

    Examples
    --------
    >>> check("interval-1", 1280)
    interval-1: not yet. This is as if all pictures were independent. What does one more strength of a picture \
add that you have already seen?
    """
    check_choice("exercise", exercise, [name for name in exercises() if name != GENERAL])
    verdict = verdict_on(exercise, answer)
    SAID.append((exercise, verdict))
    print(f"{exercise}: {_in_words(exercise, verdict)}")


@cache
def exercises() -> dict[str, dict[str, Any]]:
    """Read what each exercise asks for, and the words for what may be wrong."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))


def trap(exercise: str, verdict: str) -> list[str] | None:
    """Return the name of a misconception and its hint, if a verdict is one."""
    known = exercises()
    return (known[exercise].get("traps", {}) | known[GENERAL]["traps"]).get(verdict)


def verdict_on(exercise: str, answer: Any) -> str:
    """Return "right", the key of a misconception, what went wrong while checking, or nothing."""
    if answer is ... or answer is None:
        return "nothing" if answer is None else "unanswered"
    try:
        verdict = _judged(exercise, answer)
        if not verdict and not callable(answer) and np.size(answer) <= FEW:
            wholes = {"percent": 100, "counts": exercises()[exercise].get("of", 1)}
            shares = {key: np.asarray(answer, dtype=float) / whole for key, whole in wholes.items()}
            return next((key for key, share in shares.items() if _judged(exercise, share) == "right"), "")
    except Exception as error:  # a student's function may do anything
        return f"{type(error).__name__}: {error}"
    return verdict


def _judged(exercise: str, answer: object) -> str:
    if exercise in RECOMPUTED:
        return RECOMPUTED[exercise](answer)
    known = exercises()[exercise]
    hashes = {known["right"]: "right"} | {last: key for key, (*_, last) in known["traps"].items()}
    return next((hashes[each] for each in marks(exercise, answer, known) if each in hashes), "")


def marks(exercise: str, answer: Any, known: Mapping[str, Any]) -> list[str]:
    """Return the hashes of an answer, with each of its numbers rounded down and up."""
    numbers = np.ravel(np.asarray(answer, dtype=float)).tolist()
    steps = [round(number * 10 ** known["digits"], 6) for number in numbers]
    rounded = product(*({floor(step), ceil(step)} for step in steps)) if len(steps) <= FEW else ()
    return [blake2b(repr((exercise, *each)).encode(), digest_size=6, salt=b"erralign").hexdigest() for each in rounded]


def _in_words(exercise: str, verdict: str) -> str:
    known = exercises()
    asks = known[exercise]["asks"]
    if verdict == "right":
        return "right."
    if found := trap(exercise, verdict):
        return f"not yet. {found[0]}. {found[1]}".format(asks=asks) + "." * (not found[1].endswith("?"))
    return known[GENERAL]["error" if verdict else "unknown"].format(asks=asks, error=verdict)
