"""What readers see in place of the names and numbers of code: in tables, and wherever a chart names a column."""

import math
import re
import tomllib
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from erralign.measures.registry import NAMES, short_name, words_of
from erralign.plot.theme import PAIRS

_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
COLUMNS, VALUES = _WORDS["columns"], {**PAIRS, **_WORDS["values"]}
MOST_DIGITS = 4  # of a number that names a row or a column
MINUS = re.compile(r"(?<![\w.)-])-(?=\.?\d)|(?<=\de)-(?=\d)")
BARE_POINT = re.compile(r"(?<![\w.])\.(?=\d)")
POWER_OF_TEN = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([−+])0*(\d+)(?!\w)")
RAISED = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def heading(name: object) -> str:
    """Put the name of a column into words."""
    if not isinstance(name, str):
        return number(float(name), fewest_digits([float(name)])) if isinstance(name, Real) else in_words(name)
    short = short_name(name)
    for measure in NAMES:
        if short.startswith(f"{measure}_"):
            return f"{measure}, {heading(short.removeprefix(f'{measure}_'))}"
    return COLUMNS.get(short) or in_words(short.removeprefix("n_")).replace("_", " ")


def in_words(value: object) -> str:
    """Write a value that is not a number as prose writes it."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    text = str(value)
    text = VALUES.get(text) or (words_of(text) if text in NAMES.values() else text)
    return POWER_OF_TEN.sub(_power_of_ten, BARE_POINT.sub("0.", MINUS.sub("−", text)))


def _power_of_ten(found: re.Match[str]) -> str:
    mantissa, sign, exponent = found.groups()
    return f"{mantissa} × 10{(sign.strip('+') + exponent).translate(RAISED)}"


def number(value: float, digits: int, *, is_p: bool = False) -> str:
    """Write a number as prose writes it.

    Parameters
    ----------
    value : float or int
        The number. nan is written ``nan``; :func:`table` and :func:`with_interval` have a word for it.
    digits : int
        How many digits are written after the point; whole numbers of type ``int`` have none.
    is_p : bool
        Whether it is a p-value. One below the smallest number with so many digits is written like ``< 0.001``.

    Returns
    -------
    str
        The number with a proper minus sign, with commas between thousands, and never ``-0.00``.

    Examples
    --------
    >>> number(-0.1234, 2), number(-0.0001, 2), number(1280, 0), number(3e-12, 3, is_p=True)
    ('−0.12', '0.00', '1,280', '< 0.001')
    """
    smallest = 10.0**-digits
    if is_p and not isinstance(value, Integral) and 0 <= float(value) < smallest:
        return f"< {smallest:.{digits}f}"
    written = f"{int(value):,}" if isinstance(value, Integral) else f"{float(value):z,.{digits}f}"
    return written.replace("-", "−").replace("inf", "∞")


def with_interval(value: float, low: float = math.nan, high: float = math.nan, digits: int = 2) -> str:
    """Write a value and its interval.

    Parameters
    ----------
    value, low, high : float
        The value, and the limits of its interval. If ``low`` is nan, the value is written without an interval. A limit
        that would round to zero gets up to two more digits, so that its sign is seen.
    digits : int
        How many digits are written after the point.

    Returns
    -------
    str
        The text; ``undefined`` if the value is nan.

    Examples
    --------
    >>> with_interval(0.123, -0.003, 0.3), with_interval(float("nan"), 0, 1)
    ('0.12 (−0.003 to 0.30)', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    interval = "" if math.isnan(low) else f" ({_limit(low, digits)} to {_limit(high, digits)})"
    return f"{number(float(value), digits)}{interval}"


def written(rows: Any) -> Any:
    """Write the cells of a table that are a value, alone or with its limits: what :func:`with_interval` takes."""
    return rows.map(lambda cell: with_interval(*cell) if isinstance(cell, tuple) else cell)


def _limit(limit: float, digits: int) -> str:
    enough = (n for n in range(digits, digits + 3) if round(float(limit), n))
    return number(float(limit), next(enough, digits))


def fewest_digits(values: Iterable[float]) -> int:
    """Return how many digits are enough to write all of some numbers in full."""
    finite = [float(value) for value in values if math.isfinite(value)]
    enough = (digits for digits in range(MOST_DIGITS) if all(round(x, digits) == round(x, 12) for x in finite))
    return next(enough, MOST_DIGITS)


def span(low: object, high: object) -> str:
    """Write a range, or the one value that it has."""
    return str(low) if low == high else f"{low} to {high}"
