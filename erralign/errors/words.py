"""Checks of words: names among those allowed, classes written as text."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import pairwise
from numbers import Real

import numpy as np

# What stands for "no answer" where classes are text, in capitals or not: what people, pandas and Excel write in files.
NO_ANSWER_WORDS = frozenset(
    {"", "-", "-1", "-1.0", "?", "#n/a", "<na>", "[invalid]", "n/a", "n.a.", "na", "nan", "none", "null", "timeout"}
    | {"keine antwort", "missing", "no answer", "no response"}
)
MOST_NAMES = 12


def check_choice(name: str, value: str | float, allowed: Collection[str] | Collection[float]) -> None:
    """Refuse a word, or a number, that is not among those allowed."""
    if not isinstance(value, str | Real) or value not in allowed:
        raise ValueError(f"{name} is {value!r}; {expected(value, allowed)}")


def check_choices(name: str, values: str | Iterable[str], allowed: Collection[str]) -> list[str]:
    """Return one word or several as a list, or refuse the first that is not among those allowed."""
    chosen = [values] if isinstance(values, str) else list(dict.fromkeys(values))
    for value in chosen:
        check_choice(name, value, allowed)
    return chosen


def check_option(option: str, measures: Iterable[str], allowed: Collection[str]) -> None:
    """Refuse an option that no measure has."""
    if option not in allowed:
        instead = expected(option, allowed) if allowed else "it has none: leave it out"
        raise TypeError(f"{option} is no option of {' or '.join(measures)}; {instead}")


def check_partner(measure: str, name: str, partner: object) -> None:
    """Refuse a third system where a measure has no use for one, and none where it needs one."""
    if (partner is None) != (measure == "accuracy"):
        came = "missing" if partner is None else "given"
        raise ValueError(f"{measure} and {name} {came}: only accuracy goes without {name}")


def expected(value: object, allowed: Iterable[object]) -> str:
    """Say what was expected in the place of a word: the nearest of many names, or all of a few."""
    names = list(map(str, allowed))
    text = str(value).casefold()
    parts = [name for name in names if len(text) > 2 and text in name.casefold()]  # such as "cue-conflict"
    same = [name for name in names if text == name.casefold()]  # such as "ec"
    near = same or parts[:3] or get_close_matches(str(value), names, n=1)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
    if len(names) <= MOST_NAMES:
        return f"expected one of {', '.join(names)}" + (f"; {hint}" if hint else "")
    return hint or f"expected one of {len(names)} names, such as {', '.join(names[:3])}"


def read_class(label: object, declared: Collection[str] = ()) -> str | int | None:
    """Read one label as somebody wrote it."""
    if isinstance(label, str):
        missing = label not in declared and label.strip().casefold() in NO_ANSWER_WORDS
        return None if missing else str(label)
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return None
    if isinstance(label, bool | np.bool_) or not isinstance(label, int | float | np.integer | np.floating):
        raise TypeError(f"{label!r}; expected a class: text, or a whole number from 0 up")
    if label in {-1} or np.isnan(label):
        return None
    if label < 0 or label != np.floor(label) or np.isinf(label):
        raise ValueError(f"{label}; expected a class: text, or a whole number from 0 up (-1 means no answer)")
    return int(label)


def check_spelling(name: str, classes: Iterable[str]) -> None:
    """Refuse names of classes that differ in capitals or blanks only: two ways to write one class."""
    for (same, one), (again, other) in pairwise(sorted((each.strip().casefold(), each) for each in classes)):
        if same == again:
            raise ValueError(f"{name} hold both {one!r} and {other!r}: write each class in one way")


def check_common(true: np.ndarray, ids: Mapping[str, np.ndarray]) -> None:
    """Refuse a system that never answers with a class that is ever true: it was asked, or written, differently."""
    known = np.unique(true)
    for name, given in ids.items():
        if len(known) > 1 and (given >= 0).any() and not np.isin(given, known).any():
            raise ValueError(
                f"{name} never answers with a class that is ever true; check how it writes them, or give class ids "
                "(or classes=..., where there is such an argument)"
            )
