"""The names of the measures: words alone, so that what needs a name depends on no measure's code."""

# Abbreviations with the names of the functions, and with the words for sentences: entered by the registry.
NAMES: dict[str, str] = {}
IN_WORDS: dict[str, str] = {}
# What follows the name of a value in the columns of its limits, and of the number of its undefined draws.
LIMITS = ("low", "high", "n_undefined")


def short_name(name: str) -> str:
    """Shorten a measure's name, alone or at the beginning of a column's name."""
    found = [short for short, full in NAMES.items() if name == full or name.startswith(f"{full}_")]
    if not found:
        return name
    longest = max(found, key=lambda short: len(NAMES[short]))
    return longest + name.removeprefix(NAMES[longest])


def words_of(name: str) -> str:
    """Return a measure's name, or its abbreviation, as it is written in a sentence."""
    return IN_WORDS.get(short_name(name), name)


def limit_columns(value: str) -> tuple[str, str, str]:
    """Name the columns with the limits of a value."""
    low, high, n_undefined = (f"{value}_{end}" for end in LIMITS)
    return low, high, n_undefined
