"""Checks of what a caller hands in: words, arrays, numbers, names of trials and classes; and what goes wrong otherwise.

Nothing of pandas is imported: whoever hands in a Series has done so.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

# What stands for "no answer" where classes are text, in capitals or not: what people, pandas and Excel write in files.
NO_ANSWER_WORDS = frozenset(
    {"", "-", "-1", "-1.0", "?", "#n/a", "<na>", "[invalid]", "n/a", "n.a.", "na", "nan", "none", "null", "timeout"}
    | {"keine antwort", "missing", "no answer", "no response"}
)
MOST_NAMES = 12
NO_ANSWER = -1  # in the place of a class id


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


# ---- arrays ----------------------------------------------------------------------------------------------------------


def as_array(
    name: str, given: Any, dtype: type | None = None, *, expected: str = "", ndim: int = 0, kinds: str = ""
) -> np.ndarray:
    """Return an array, unless something in it would be lost on the way, or it is not what is expected."""
    if isinstance(given, np.ma.MaskedArray) and (masked := np.ma.getmaskarray(given)).any():
        at = tuple(np.argwhere(masked)[0].tolist())
        raise ValueError(
            f"{name} is masked at {at if len(at) > 1 else at[0]}; leave that trial out everywhere, or write -1 where a "
            "system gave no answer"
        )
    try:
        array = np.asarray(given, dtype=dtype)
        # Text beside numbers or None would all become text.
        mixed = array.dtype.kind in "US" and not hasattr(given, "dtype")
        array = np.asarray(given, dtype=object) if mixed else array
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} is no array of numbers or names: {str(error).splitlines()[0]}") from None
    if ndim and (array.ndim != ndim or not array.size):
        raise ValueError(f"{name} has shape {array.shape}; expected {expected}")
    if kinds and array.dtype.kind not in kinds:
        raise TypeError(f"{name} holds {array.dtype}; expected {expected}")
    return array


def check_labels(
    name: str, labels: ArrayLike, *, n_classes: int | None = None, may_time_out: bool = False
) -> np.ndarray:
    """Return ``labels`` as a one-dimensional integer array, or say what is wrong with them."""
    array = labels if type(labels) is np.ndarray else as_array(name, labels)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; expected one answer per trial, a one-dimensional array")
    if array.size == 0:
        raise ValueError(f"{name} is empty: at least one trial is needed")
    if array.dtype.kind not in "iu":
        array = _as_whole_numbers(name, array)
    _check_range(name, array, n_classes, NO_ANSWER if may_time_out else 0)
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds the label {array.max()}; expected class ids 0 … C-1")
    # In short integers a class times C, or one class less another, would overflow.
    return array.astype(np.int64, copy=False)


def _as_whole_numbers(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f":
        raise TypeError(
            f"{name} holds {array.dtype} (first: {array[0]!r}); expected integer class ids 0 … C-1: number the classes "
            "of truth and all systems together, as erralign.Responses.from_table does"
        )
    if np.isnan(array).any():
        raise ValueError(f"{name} holds NaN (first at trial {int(np.isnan(array).argmax())}); write -1 for no answer")
    whole = np.isfinite(array) & (array == np.floor(array))
    if not whole.all():
        raise ValueError(f"{name} holds {array[~whole][0]}; expected integer class ids 0 … C-1")
    return array.astype(np.int64)


def _check_range(name: str, array: np.ndarray, n_classes: int | None, lowest: int) -> None:
    low = int(array.min())
    if low < lowest:
        hint = "-1 means no answer in time" if lowest == NO_ANSWER else "only answers may be -1 (no answer in time)"
        raise ValueError(f"{name} holds the label {low}; expected class ids 0 … C-1; {hint}")
    if n_classes is not None and (high := int(array.max())) >= n_classes:
        raise ValueError(
            f"{name} holds the label {high}, but n_classes is {n_classes}: "
            f"labels must lie in 0 … {n_classes - 1}; give the data set's full number of classes"
        )


def first_place(where: np.ndarray) -> tuple[int, ...]:
    """Return the first place of an array at which something is so."""
    return tuple(np.argwhere(where)[0].tolist())


# ---- numbers ---------------------------------------------------------------------------------------------------------


# What a source of randomness is made from, as in SciPy.
Seed = int | np.random.Generator | np.random.SeedSequence | None
# Squared, the cells of a confusion matrix: 32,768 classes take 8 GiB.
MOST_CLASSES = 2**15


def check_range(
    name: str,
    value: Any,
    low: float,
    high: float | None = None,
    hint: str = "",
    *,
    whole: bool = False,
    ends: bool = True,
) -> Any:
    """Return a number of a range, whose ends belong to it or not, or say what is wrong with it."""
    if high is None:
        room = f"from {low:,} up" if ends else f"above {low:,}"
    else:
        room = f"from {low:,} to {high:,}" if ends else f"between {low:g} and {high:g}"
    expected = f"expected a {'whole ' * whole}number {room}{f': {hint}' * bool(hint)}"
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; {expected}")
    most = np.finfo(float).max if high is None else high
    if not (low <= value <= most if ends else low < value < most) or (whole and value != np.floor(value)):
        raise ValueError(f"{name} is {value}; {expected}")
    return int(value) if whole else value


check_whole = partial(check_range, whole=True)
check_between = partial(check_range, ends=False)
check_positive = partial(check_range, low=0, ends=False)


def check_rng(rng: Seed) -> np.random.Generator:
    """Return a source of randomness; with None another one in each call."""
    if rng is None or isinstance(rng, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(rng)
    return np.random.default_rng(check_whole("rng", rng, 0, hint="or a SeedSequence, a Generator, or None"))


_RULES: dict[str, Callable[[str, Any], Any]] = {
    "level": partial(check_between, low=0, high=1, hint="a share, such as 0.95"),
    "alpha": check_positive,  # without smoothing an empty row has no shares
    "design_effect": partial(check_range, low=1, hint="as erralign.design_effect gives it"),
    "n_resamples": partial(check_whole, low=20, hint="limits are cut off the tails of the draws; 10,000 is usual"),
    "rng": lambda _, rng: check_rng(rng),
    "n_permutations": partial(check_whole, low=9, hint="the smallest p-value is 1 / (n_permutations + 1)"),
}


def checked(**given: Any) -> Any:
    """Return arguments as functions use them, one or several, or say what is wrong with the first that is wrong."""
    values = [_RULES[name](name, value) for name, value in given.items()]
    return values if len(values) > 1 else values[0]


def check_shares(name: str, shares: ArrayLike) -> np.ndarray:
    """Return shares as floats, or say what is wrong with them."""
    array = as_array(name, shares, kinds="iufb", expected="shares between 0 and 1")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ValueError(f"{name} is {array[outside].flat[0]}; expected a share between 0 and 1, not a percentage")
    return array.astype(float)


def check_n_classes(n_classes: int) -> int:
    """Refuse more classes than a table of all pairs of classes can hold."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"the largest label is {n_classes - 1}, which makes {n_classes} classes; expected at most {MOST_CLASSES}: "
            "number the classes 0 … C-1"
        )
    return n_classes


# ---- names of trials and classes -------------------------------------------------------------------------------------


def in_one_order(given: Mapping[str, Any]) -> dict[str, Any]:
    """Bring Series and frames into the order of the first one, by their index."""
    named = [name for name, each in given.items() if hasattr(each, "index") and hasattr(each, "reindex")]
    ordered = dict(given)
    for name in named[1:]:
        if not given[name].index.equals(given[named[0]].index):
            if len(named) < len(given):
                plain = next(other for other in given if other not in named)
                raise ValueError(
                    f"{name} has its trials in another order than {named[0]}, and {plain} has no index that says which "
                    "is right: give all as Series, or none"
                )
            check_same_names(name, given[name].index, named[0], given[named[0]].index, "trial")
            ordered[name] = given[name].reindex(given[named[0]].index)
    return ordered


def shown(label: Any) -> str:
    """Write the name of a trial as its owner would, without NumPy's types."""
    if isinstance(label, tuple):
        return f"({', '.join(map(shown, label))})"
    return repr(label.item() if hasattr(label, "item") else label)


def check_once(name: str, index: Any, what: str = "trial") -> None:
    """Refuse an index that names something twice."""
    if not index.is_unique:
        raise ValueError(f"{name} has {what} {shown(index[index.duplicated()][0])} twice; name each once")


def places_in(name: str, index: Any, wanted: Any, hint: str, what: str = "trial") -> Any:
    """Return where an index, which names each once, has what is wanted, or say what it lacks."""
    check_once(name, index, what)
    places = index.get_indexer(wanted)
    if (places < 0).any():
        raise ValueError(f"{name} has no {what} {shown(wanted[places < 0][0])}{hint}")
    return places


def check_same_names(name: str, index: Any, first: str, wanted: Any, what: str) -> None:
    """Refuse two indexes that do not hold the same names, each once."""
    places_in(name, index, wanted, f", which {first} has; give both the same", what)
    places_in(first, wanted, index, f", which {name} has; give both the same", what)


def in_order_of_rows(name: str, matrix: Any) -> Any:
    """Bring the columns of a frame into the order of its rows, which name the same things."""
    if not hasattr(matrix, "reindex") or not hasattr(matrix, "columns") or matrix.index.equals(matrix.columns):
        return matrix
    rows, columns = matrix.index, matrix.columns
    hint = "; give all classes both: reindex(index=classes, columns=classes, fill_value=0)"
    places_in(name, rows, columns, hint, "row")
    places_in(name, columns, rows, hint, "column")
    return matrix[rows]


def with_both_answers(table: Any) -> Any:
    """Bring a frame of counts by right and wrong into the order wrong, right, and add what did not occur."""
    if not hasattr(table, "reindex") or not hasattr(table, "columns"):
        return table
    names = table.index.tolist() + table.columns.tolist()
    # A table without names has 0 and 1: with one row, nobody knows which it is.
    are_named = all(isinstance(name, bool) for name in names) or table.shape == (2, 2)
    if not are_named or not all(name in (False, True) for name in names):
        raise ValueError(f"table has rows and columns {names}; expected False and True (wrong, right), or plain counts")
    for each in (table.index, table.columns):
        check_once("table", each, "row or column")
    return table.reindex(index=[False, True], columns=[False, True], fill_value=0)


# ---- tables, and what is not installed or not there ------------------------------------------------------------------


def check_responses(name: str, responses: Any, *, may_lack: bool = False) -> None:
    """Refuse what is no Responses, such as a bare table, or where not all systems were shown all trials."""
    if not hasattr(responses, "answers") or not hasattr(responses, "systems"):
        raise TypeError(
            f"{name} is of type {type(responses).__name__}; expected Responses, which erralign.load, "
            "Responses.from_table and erralign.read_answers give"
        )
    lacking = [] if may_lack else responses.answers.columns[responses.answers.isna().any()]
    if len(lacking):
        raise ValueError(
            f"{name}: {lacking[0]!r} was not shown {responses.answers[lacking[0]].isna().sum():,} of "
            f"{len(responses.truth):,} trials, and this needs the same trials of all systems: take those that all were "
            f"shown, with {name}.select(trials={name}.answers.notna().all(axis=1)) or --subset (subset=True)"
        )


REPOSITORY = "https://github.com/erralign/erralign"


def install_line(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'erralign[{extra}] @ git+{REPOSITORY}'"


def lacking(what: str, extra: str, name: str | None) -> ModuleNotFoundError:
    """Return the error of what needs an extra of which a module is not installed."""
    return ModuleNotFoundError(
        f"{what} needs the extra {extra!r} ({name} is not installed); get it with  {install_line(extra)}"
    )


class DataError(Exception):
    """Data are missing or damaged; the message names the file, its repository and how to get it."""


class ChapterError(Exception):
    """A chapter or the site did not come out; the message names what broke, in one line."""
