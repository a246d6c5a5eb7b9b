"""Checks of words: a choice among those allowed, with the nearest suggested where none fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

# So many words are listed; of more, only the first.
LISTED = 12


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that is not among those allowed.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : str
        What came.
    allowed : sequence of str
        What was expected.
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; expected one of {_listed(allowed)}{_nearest(value, allowed)}")


def check_choices(name: str, values: str | Iterable[str], allowed: Sequence[str]) -> list[str]:
    """Return one word or several as a list, or refuse the first that is not among those allowed.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    values : str or iterable of str
        What came.
    allowed : sequence of str
        What was expected.

    Returns
    -------
    list of str
        The words, each once.

    Examples
    --------
    >>> check_choices("with_", "Twin", ["A", "Twin"])
    ['Twin']
    """
    chosen = [values] if isinstance(values, str) else list(dict.fromkeys(values))
    for value in chosen:
        check_choice(name, value, allowed)
    return chosen


def check_option(option: str, measures: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse an option that no measure has.

    Parameters
    ----------
    option : str
        What came.
    measures : sequence of str
        The measures that were asked for.
    allowed : sequence of str
        The options that they have.
    """
    if option not in allowed:
        expected = f"expected {_listed(allowed)}" if allowed else "it has none: leave it out"
        raise TypeError(f"{option} is no option of {' or '.join(measures)}; {expected}{_nearest(option, allowed)}")


def _listed(allowed: Sequence[str]) -> str:
    more = f", … ({len(allowed)} in all)" if len(allowed) > LISTED else ""
    return ", ".join(map(str, allowed[:LISTED])) + more


def _nearest(value: str, allowed: Sequence[str]) -> str:
    """Suggest the word that was probably meant, in upper or lower case, if one is near enough."""
    small = {str(word).casefold(): word for word in allowed}
    near = get_close_matches(str(value).casefold(), small, n=1)
    return f"; did you mean {small[near[0]]!r}?" if near else ""
