"""The names of the measures: words alone, so that what needs a name depends on no measure's code."""

from functools import cache

# Abbreviations with the names of the functions, and with the words for sentences: entered by the registry.
NAMES: dict[str, str] = {}
IN_WORDS: dict[str, str] = {}


@cache  # entering a measure forgets them
def short_name(name: str) -> str:
    """Shorten a measure's name, alone or at the beginning of a column's name."""
    begun = [short for short, full in NAMES.items() if name == full or name.startswith(f"{full}_")]
    longest = max(begun, key=lambda short: len(NAMES[short]), default="")
    return longest + name.removeprefix(NAMES.get(longest, ""))


def words_of(name: str) -> str:
    """Return a measure's name, or its abbreviation, as it is written in a sentence."""
    return IN_WORDS.get(short_name(name), name)


@cache
def limit_columns(value: str) -> tuple[str, str, str]:
    """Name the columns with the limits of a value."""
    return f"{value}_low", f"{value}_high", f"{value}_n_undefined"
