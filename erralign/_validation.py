"""Checks of what a caller hands in: words, arrays, numbers, names of trials and classes; and what goes wrong otherwise.

Nothing of pandas is imported: whoever hands in a Series has done so.
"""

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import chain
from numbers import Real
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import ArrayLike

# What stands for "no answer" where classes are text, in capitals or not: what people, pandas and Excel write in files.
NO_ANSWER_WORDS = frozenset(
    {"", "-", "-1", "-1.0", "?", "#n/a", "<na>", "[invalid]", "n/a", "n.a.", "na", "nan", "none", "null", "timeout"}
    | {"keine antwort", "missing", "no answer", "no response"}
)
MOST_NAMES = 14
MOST_OPTIONS = 10_000  # of one trial
NO_ANSWER = -1  # in the place of a class id
NOT_SHOWN = -2  # there, too, until it is a missing value


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


def nearest(word: str, words: Iterable[str]) -> str:
    """Say which words there are in the place of one that is not among them; that only case differs, if it does."""
    names = list(dict.fromkeys(words))
    same = [name for name in names if name.casefold() == word.casefold()]
    if same:
        return f"{' and '.join(map(repr, same))} differs from it only in capitals"
    return expected(word, names)


# ---- classes, from labels as they were written -----------------------------------------------------------------------


def is_missing(label: Any) -> bool:
    """Return whether a label is None, NaN, or what pandas writes in their place."""
    return label is None or type(label).__name__ in {"NAType", "NaTType"} or bool(label != label)


def read_labels(
    labels: Iterable[Any],
    *,
    missing: Collection[str] = NO_ANSWER_WORDS,
    hidden: Collection[str] = (),
    where: Callable[[Any], str],
) -> dict[Any, str | int]:
    """Return what each label means: a class, ``NO_ANSWER`` or ``NOT_SHOWN``.

    Words that mean no answer are given in small letters. ``where`` names the place of a label, for messages.
    """
    meanings: dict[Any, str | int] = {}
    for label in labels:
        if label in hidden:
            meanings[label] = NOT_SHOWN
        elif isinstance(label, str):
            meanings[label] = NO_ANSWER if label.strip().casefold() in missing else str(label)
        elif is_missing(label):
            meanings[label] = NO_ANSWER
        elif isinstance(label, bool | np.bool_) or not isinstance(label, int | float | np.integer | np.floating):
            raise TypeError(f"{where(label)} holds {label!r}; expected a class: text, or a whole number from 0 up")
        elif label < NO_ANSWER or label != np.floor(label) or np.isinf(label):
            hint = "expected a class: text, or a whole number from 0 up (-1 means no answer)"
            raise ValueError(f"{where(label)} holds {label}; {hint}")
        else:
            meanings[label] = int(label)
    return meanings


def missing_words(classes: Iterable[Any], declared: Iterable[Any] = ()) -> frozenset[str]:
    """Return the words that mean no answer, beside classes some of which may be called so; declared ones always win."""
    words = NO_ANSWER_WORDS - {str(name).casefold() for name in classes}
    return words | ({"", "-1", "-1.0"} - set(map(str, declared)))


def classes_among(meanings: Mapping[Any, str | int], where: Callable[[Any], str]) -> list[Any]:
    """Return the classes that labels mean, in order; refuse text beside numbers, and words that look alike."""
    text = {meaning: label for label, meaning in meanings.items() if isinstance(meaning, str)}
    numbers = {meaning: label for label, meaning in meanings.items() if isinstance(meaning, int) and meaning >= 0}
    if text and numbers:
        (word, as_word), (number, as_number) = next(iter(text.items())), next(iter(numbers.items()))
        raise TypeError(
            f"{where(as_word)} holds text ({word!r}), {where(as_number)} a number ({number}): write all classes as "
            "text or all as numbers, or give classes"
        )
    check_alike("the answers", text)
    return sorted(text or numbers)


def check_alike(name: str, words: Iterable[str]) -> None:
    """Refuse words that differ only in capitals, zeros, hyphens, blanks or underscores."""
    known: dict[str, str] = {}
    for word in sorted(words):
        form = normalize("NFKC", word).casefold()
        number = re.fullmatch(r"(-?)0*(\d+?)([.,](0{1,2}|0{4,}))?", form)  # 1,000 may be a thousand, and 1.000 too
        form = number[1] + number[2] if number else re.sub(r"[\s_-]", "", form) or form
        if form in known:
            raise ValueError(
                f"{name}: {known[form]!r} and {word!r} look alike; write each class in one way, or if they are "
                "different classes, list all with --classes (classes=[...] of Responses.from_table or read_answers)"
            )
        known[form] = word


def ids_of_labels(
    meanings: Mapping[Any, str | int], classes: Sequence[Any], where: Callable[[Any], str]
) -> dict[Any, int]:
    """Return the id of each label: the place of its class, or its own number where all classes have names."""
    places = {name: place for place, name in enumerate(classes)}
    if not any(isinstance(name, int) for name in classes):
        places |= {place: place for place in range(len(classes))}
    places |= {NO_ANSWER: NO_ANSWER, NOT_SHOWN: NOT_SHOWN}
    for label, meaning in meanings.items():
        if meaning not in places:
            hint = f"numbers lie in 0 … {len(classes) - 1}" if isinstance(meaning, int) else expected(meaning, classes)
            raise ValueError(f"{where(label)} holds {label!r}, which is no class; {hint}")
    return {label: places[meaning] for label, meaning in meanings.items()}


def check_common(truth: str, ids: Mapping[str, np.ndarray]) -> None:
    """Refuse a system that never answers with a class that is ever true: it was asked, or written, differently."""
    known = np.unique(ids[truth])
    for name, answers in ids.items():
        if len(known) > 1 and (answers >= 0).any() and not np.isin(answers, known).any():
            raise ValueError(
                f"{name} never answers with a class that is ever true; check how it writes them, or give class ids "
                "(or classes=..., where there is such an argument)"
            )


# ---- arrays ----------------------------------------------------------------------------------------------------------


def as_array(
    name: str, values: Any, dtype: type | None = None, *, expected: str = "", ndim: int = 0, kinds: str = ""
) -> np.ndarray:
    """Return an array, unless something in it would be lost on the way, or it is not what is expected."""
    if isinstance(values, np.ma.MaskedArray) and (masked := np.ma.getmaskarray(values)).any():
        place = ", ".join(map(str, np.argwhere(masked)[0]))
        raise ValueError(
            f"{name} is masked at {place}; leave that trial out everywhere, or write -1 where a system gave no answer"
        )
    try:
        array = np.asarray(values, dtype=dtype)
        # Text beside numbers or None would all become text.
        mixed = array.dtype.kind in "US" and not hasattr(values, "dtype")
        array = np.asarray(values, dtype=object) if mixed else array
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
    array = _one_per_trial(name, labels)
    if array.dtype.kind not in "iu":
        array = _as_whole_numbers(name, array)
    lowest = NO_ANSWER if may_time_out else 0
    _check_range(name, array, n_classes, lowest)
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} holds the label {array.max()}; expected class ids 0 … C-1")
    # In short integers a class times C, or one class less another, would overflow.
    return array.astype(np.int64, copy=False)


def _one_per_trial(name: str, labels: ArrayLike) -> np.ndarray:
    return as_array(name, labels, ndim=1, expected="one answer per trial, a one-dimensional array")


def _as_whole_numbers(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f":
        raise TypeError(
            f"{name} holds {array.dtype} (first: {array[0]!r}); expected integer class ids 0 … C-1: number the classes "
            "of truth and all systems together, as erralign.Responses.from_table does"
        )
    if np.isnan(array).any():
        trial = int(np.isnan(array).argmax())
        raise ValueError(f"{name} holds no class at trial {trial}; write -1 where a system gave no answer")
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
    kind = "whole number" if whole else "number"
    expected = f"expected a {kind} {room}"
    if hint:
        expected += f": {hint}"
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


def checked(**arguments: Any) -> Any:
    """Return arguments as functions use them, one or several, or say what is wrong with the first that is wrong."""
    values = [_RULES[name](name, value) for name, value in arguments.items()]
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


def in_one_order(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Bring Series and frames into the order of the first one, by their index."""
    named = [name for name, array in arrays.items() if hasattr(array, "index") and hasattr(array, "reindex")]
    ordered = dict(arrays)
    for name in named if len(named) < len(arrays) else ():
        index = arrays[name].index
        if index.dtype.kind in "iu" and not index.is_monotonic_increasing:
            plain = next(other for other in arrays if other not in named)
            raise ValueError(
                f"{name} has its trials in an order of its own (first {shown(index[0])}), and {plain} no index that "
                "says its order: give all as Series, or none"
            )
    for name in named[1:]:
        if not arrays[name].index.equals(arrays[named[0]].index):
            if len(named) < len(arrays):
                plain = next(other for other in arrays if other not in named)
                raise ValueError(
                    f"{name} has its trials in another order than {named[0]}, and {plain} has no index that says which "
                    "is right: give all as Series, or none"
                )
            check_same_names(name, arrays[name].index, named[0], arrays[named[0]].index, "trial")
            ordered[name] = arrays[name].reindex(arrays[named[0]].index)
    return ordered


def shown(label: Any) -> str:
    """Write the name of a trial as its owner would, without NumPy's types."""
    if isinstance(label, tuple):
        return f"({', '.join(map(shown, label))})"
    if hasattr(label, "item"):
        label = label.item()
    return repr(label)


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
    for index in (table.index, table.columns):
        check_once("table", index, "row or column")
    return table.reindex(index=[False, True], columns=[False, True], fill_value=0)


# ---- tables, and what is not installed or not there ------------------------------------------------------------------


def systems_that_lack(answers: Any) -> list[str]:
    """Return the systems of Responses that were not shown all trials: only their columns are no arrays of NumPy."""
    return [name for name, dtype in zip(answers, answers.dtypes, strict=True) if not isinstance(dtype, np.dtype)]


def check_responses(name: str, responses: Any, *, may_lack: bool = False) -> None:
    """Refuse what is no Responses, such as a bare table, or where not all systems were shown all trials."""
    if not hasattr(responses, "answers") or not hasattr(responses, "systems"):
        raise TypeError(
            f"{name} is of type {type(responses).__name__}; expected Responses, which erralign.load, "
            "Responses.from_table and erralign.read_answers give"
        )
    lacking = [] if may_lack else systems_that_lack(responses.answers)
    if lacking:
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
    clone = Path(__file__).resolve().parent.parent
    get = install_line(extra)
    if extra in ("models", "onnx", "words") and (clone / "requirements-models.lock").is_file():
        get = "make env MODELS=1"
    elif extra == "models":
        get += "  (on a machine without a GPU, install torch's small build for CPUs before: pytorch.org/get-started)"
    return ModuleNotFoundError(f"{what} needs the extra {extra!r} ({name} is not installed); get it with  {get}")


class DataError(Exception):
    """Data are missing or damaged; the message names the file, its repository and how to get it."""


class ChapterError(Exception):
    """A chapter or the site did not come out; the message names what broke, in one line."""


# ---- answers ---------------------------------------------------------------------------------------------------------


def check_same_length(**arrays: np.ndarray) -> None:
    """Raise unless all arrays hold the same number of trials."""
    (first, reference), *others = arrays.items()
    for name, array in others:
        check_same_trials(name, len(array), first, len(reference))


def check_answers(
    y_true: ArrayLike, y_a: ArrayLike, y_b: ArrayLike, n_classes: int | None = None, *, right_or_wrong: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes and the answers of two systems as integer arrays of one length."""
    y_true, y_a, y_b = check_all_answers(n_classes, right_or_wrong, y_true=y_true, y_a=y_a, y_b=y_b)
    return y_true, y_a, y_b


def check_all_answers(
    n_classes: int | None = None, right_or_wrong: bool = False, **answers: ArrayLike
) -> tuple[np.ndarray, ...]:
    """Return true classes and the answers of systems as integer arrays of one length and order.

    With ``right_or_wrong`` bools are taken for what they say: 1 where a system was right, and a truth of ones.
    """
    if n_classes is not None:
        n_classes = check_whole("n_classes", n_classes, 1)
    # Plain arrays, which is what our own loops hand in, take the short way.
    if not all(map(_is_plain, answers.values())):
        arrays = {name: _one_per_trial(name, array) for name, array in in_one_order(answers).items()}
        bools = [name for name, array in arrays.items() if array.dtype == bool]
        if bools and not right_or_wrong:
            raise TypeError(
                f"{bools[0]} holds bool, right or wrong, from which error consistency can be computed, not what is "
                "asked: give the classes that were answered"
            )
        ids = as_right_or_wrong(arrays, "y_true") if bools else _numbered(arrays, n_classes)
        answers = dict(ids)
    arrays = {
        name: check_labels(name, array, n_classes=n_classes, may_time_out=name != "y_true")
        for name, array in answers.items()
    }
    check_same_length(**arrays)
    return tuple(arrays.values())


def as_right_or_wrong(arrays: Mapping[str, np.ndarray], truth: str) -> dict[str, np.ndarray]:
    """Return 1 for right and 0 for wrong; a truth beside it is always right."""
    wrong = [name for name, array in arrays.items() if array.dtype != bool]
    if not wrong and not arrays[truth].all():
        wrong = [truth]
    if wrong:
        raise TypeError(
            f"some answers are bool (right or wrong), and {wrong[0]} is not: give bool for all systems, and a truth of "
            "True on all trials"
        )
    return {name: array.astype(np.int64) for name, array in arrays.items()}


def _is_plain(labels: object) -> bool:
    return type(labels) is np.ndarray and labels.dtype.kind in "iu"


def _numbered(arrays: Mapping[str, np.ndarray], n_classes: int | None) -> dict[str, np.ndarray]:
    """Put class ids in the place of text, and leave alone arrays that hold none."""
    if not any(array.dtype.kind in "OUST" for array in arrays.values()):
        return dict(arrays)
    columns = {name: array.tolist() for name, array in arrays.items()}
    names = ", ".join(columns)

    def where(label: Any) -> str:
        return next(name for name, labels in columns.items() if any(label is other for other in labels))

    meanings = read_labels(dict.fromkeys(chain.from_iterable(columns.values())), where=where)
    if not any(isinstance(meaning, str) for meaning in meanings.values()):
        numbers = {}
        for name, labels in columns.items():
            numbers[name] = np.array([np.nan if is_missing(label) else label for label in labels], dtype=float)
        return numbers
    classes = classes_among(meanings, where)
    if n_classes is not None and len(classes) > n_classes:
        raise ValueError(f"{names} hold {len(classes)} classes, but n_classes is {n_classes}")
    places = ids_of_labels(meanings, classes, where)
    ids = {name: np.array([places[label] for label in labels], dtype=np.int64) for name, labels in columns.items()}
    if "y_true" in ids:
        unknown = ids["y_true"] < 0
        if unknown.any():
            raise ValueError(f"y_true holds no class at trial {int(unknown.argmax())}; every trial needs one")
        check_common("y_true", ids)
    return ids


# ---- options ---------------------------------------------------------------------------------------------------------


FEWEST = 2


def check_n_options(n_options: Any, y_true: Any, systems: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return how many options each trial offers, in the order of ``y_true``, unless a system names one it lacks."""
    if n_options is None:
        return None
    ordered = in_one_order({"y_true": y_true, "n_options": n_options}) if hasattr(y_true, "reindex") else {}
    n_trials = len(next(iter(systems.values())))
    counts = check_counts_of_options("n_options", ordered.get("n_options", n_options), n_trials)
    for name, answers in systems.items():
        check_offered(name, answers, counts, range(n_trials))
    return counts


def check_counts_of_options(name: str, n_options: Any, n_trials: int) -> np.ndarray:
    """Return one whole number from 2 up per trial, from one for all or one for each."""
    counts = as_array(name, n_options, kinds="iuf", expected="how many options each trial offers, such as 4")
    if counts.ndim > 1 or (counts.ndim == 1 and len(counts) != n_trials):
        raise ValueError(f"{name} has shape {counts.shape} for {n_trials} trials; give one number, or one per trial")
    wrong = ~((counts >= FEWEST) & np.isfinite(counts) & (counts == np.floor(counts)))
    if wrong.any():
        raise ValueError(
            f"{name} holds {counts[wrong][0]}; expected whole numbers from {FEWEST} up, one per trial (with one option "
            "nobody errs: leave that trial out)"
        )
    return np.broadcast_to(counts.astype(np.int64), n_trials)


def check_number_of_options(where: str, n_options: int) -> None:
    """Refuse more options than anybody could offer, before there is a class for each."""
    if n_options > MOST_OPTIONS:
        raise ValueError(
            f"{where} has {n_options:,} options; expected {MOST_OPTIONS:,} at most (with --options, options=..., an "
            "answer that is a number is a position; without it, a name)"
        )


def check_offered(
    name: str, answers: np.ndarray, counts: np.ndarray, trials: Any, classes: Sequence[str] | None = None
) -> None:
    """Refuse an answer that names an option which its trial lacks."""
    lacking = answers >= counts
    if lacking.any():
        first = int(lacking.argmax())
        option, has = int(answers[first]), int(counts[first])
        names = (classes[option], classes[0], classes[has - 1]) if classes else (option, 0, has - 1)
        raise ValueError(
            f"{name} names option {names[0]} on trial {shown(trials[first])}, which has only {has} options, "
            f"{names[1]} to {names[2]}; write -1 where no answer could be read, or correct the number of options"
        )


# ---- matrices --------------------------------------------------------------------------------------------------------


def check_counts(name: str, counts: ArrayLike, *, size: int | None = None) -> np.ndarray:
    """Return a square matrix of counts as integers, or say what is wrong with it."""
    wanted = "a square matrix of counts, one row per class"
    array = check_square(name, in_order_of_rows(name, counts), wanted, dtype=None, kinds="iuf")
    if size is not None and len(array) != size:
        raise ValueError(f"{name} is {len(array)} x {len(array)}; expected {size} x {size}")
    if not np.isfinite(array).all() or (array < 0).any() or (array != np.floor(array)).any():
        raise ValueError(f"{name} holds values that are not counts: expected whole numbers from 0 up, without NaN")
    return array.astype(np.int64)


def check_table(table: ArrayLike) -> np.ndarray:
    """Return four counts of right and wrong, or say what is wrong with them."""
    counts = check_counts("table", with_both_answers(table), size=2)
    if not counts.any():
        raise ValueError("table is empty: at least one trial is needed")
    return counts


def check_features(name: str, features: ArrayLike) -> np.ndarray:
    """Return features as a finite matrix of floats, or say what is wrong with them."""
    array = as_array(name, features, float, ndim=2, expected="one row per trial and one column per feature")
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds NaN or infinite values, first at {first_place(~np.isfinite(array))}; expected numbers: "
            "leave that trial out for all systems, or that feature for this one"
        )
    return array


def check_same_trials(name: str, n_trials: int, other: str, n_others: int) -> None:
    """Refuse features of two systems that are not of the same trials."""
    if n_trials != n_others:
        raise ValueError(
            f"{name} has {n_trials} trials, {other} has {n_others}: give the same trials, in the same order"
        )


def check_enough_trials(name: str, n_trials: int, *, least: int = 2) -> None:
    """Refuse features of fewer trials than can be compared."""
    if n_trials < least:
        raise ValueError(f"{name} has {n_trials} trials; expected at least {least}: give the features of more trials")


def first_place(where: np.ndarray) -> tuple[int, ...]:
    """Return the first place of an array at which something is so."""
    return tuple(np.argwhere(where)[0].tolist())


def check_square(
    name: str,
    matrix: ArrayLike,
    wanted: str = "a square matrix: one row and one column per system",
    dtype: type | None = float,
    kinds: str = "",
) -> np.ndarray:
    """Return a square matrix, in which values may be missing, or say what is wrong with it."""
    array = as_array(name, matrix, dtype, ndim=2, expected=wanted, kinds=kinds)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} has shape {array.shape}; expected {wanted}")
    return array


def check_matrices(matrix_a: ArrayLike, matrix_b: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of two measures for all pairs of the same systems, or say what is wrong with them."""
    matrices = in_one_order({"matrix_a": matrix_a, "matrix_b": matrix_b})
    a, b = (_off_diagonal(name, in_order_of_rows(name, matrix)) for name, matrix in matrices.items())
    if a.shape != b.shape:
        raise ValueError(f"matrix_a is {a.shape}, matrix_b {b.shape}; expected two square ones of one size")
    return a, b


def _off_diagonal(name: str, matrix: Any) -> np.ndarray:
    """Return a symmetric matrix with 1 on the diagonal, which plays no part."""
    array = check_square(name, matrix).copy()
    if len(array) < 2:
        raise ValueError(f"{name} is of one system; expected two at least")
    np.fill_diagonal(array, 1)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinite values at {first_place(~np.isfinite(array))}")
    differs = ~np.isclose(array, array.T, rtol=1e-6, atol=1e-9)
    if differs.any():
        i, j = first_place(differs)
        raise ValueError(
            f"{name} is not symmetric: {array[i, j]:g} at {(i, j)}, {array[j, i]:g} at {(j, i)}; expected one value "
            "per pair of systems"
        )
    return array


def check_triplets(name: str, triplets: ArrayLike, n_objects: int) -> np.ndarray:
    """Return triplets as whole numbers, or say what is wrong with them."""
    wanted = "a row per triplet, with the numbers of three objects each, the rows of the features"
    array = as_array(name, triplets, ndim=2, kinds="iu", expected=wanted)
    if array.shape[1] != 3:
        raise ValueError(f"{name} has shape {array.shape}; expected {wanted}")
    outside = (array < 0) | (array >= n_objects)
    if outside.any():
        raise ValueError(f"{name} holds object {array[outside][0]}; expected 0 to {n_objects - 1}, the rows of X")
    twice = (array == np.roll(array, 1, axis=1)).any(axis=1)
    if twice.any():
        raise ValueError(f"{name} has an object twice in row {twice.argmax()}; each triplet is of three objects")
    return array.astype(np.int64)


# ---- confidences -----------------------------------------------------------------------------------------------------


EXACT = 1e-5  # sums of single precision, a thousand classes
MOST_ROUNDED = 0.05  # no rounding that leaves the values of use loses or gains more


def check_confidences(name: str, confidences: ArrayLike) -> np.ndarray:
    """Return confidences as floats, one probability distribution per trial, or say what is wrong with them.

    Rows whose sums miss one by no more than rounding may do are divided by their sum, with a warning that says so.
    """
    array = as_array(name, confidences, float, ndim=2, expected="one row per trial and one column per class")
    sums = array.sum(axis=1)
    # Whatever is not a number is in the sum of its row, too.
    is_right = (array >= 0).all(axis=1) & (np.abs(sums - 1) <= MOST_ROUNDED)
    if not is_right.all():
        trial = int(is_right.argmin())
        raise ValueError(
            f"{name} is not a probability distribution at trial {trial}: its values are {array[trial].min():.6g} to "
            f"{array[trial].max():.6g} and sum to {sums[trial]:.6g}, expected 1; leave out trials with NaN, divide "
            "percentages by 100 and counts by their sum, and apply a softmax to logits"
        )
    if np.abs(sums - 1).max() > EXACT:
        warnings.warn(
            f"{name} was rounded: its rows sum to {sums.min():.4g} to {sums.max():.4g}, not to 1; each was divided by "
            "its sum (give unrounded probabilities to avoid this)",
            stacklevel=4,
        )
        array = array / sums[:, None]
    return array


def check_confidences_of_two(p_a: Any, p_b: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the confidences of two systems, trial beside trial and class beside class."""
    p_a, p_b = in_one_order({"p_a": p_a, "p_b": p_b}).values()
    if hasattr(p_a, "columns") and hasattr(p_b, "columns") and not p_a.columns.equals(p_b.columns):
        check_same_names("p_b", p_b.columns, "p_a", p_a.columns, "class")
        p_b = p_b[p_a.columns]
    p_a, p_b = check_confidences("p_a", p_a), check_confidences("p_b", p_b)
    if p_a.shape != p_b.shape:
        raise ValueError(f"p_b has shape {p_b.shape}, p_a has {p_a.shape}: give the same trials and classes")
    return p_a, p_b


def check_truth_of_confidences(y_true: Any, p_a: Any, p_b: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true classes as places among the columns of confidences, and the confidences."""
    y_true, p_a, p_b = in_one_order({"y_true": y_true, "p_a": p_a, "p_b": p_b}).values()
    frame = next((p for p in (p_a, p_b) if hasattr(p, "columns")), None)
    p_a, p_b = check_confidences_of_two(p_a, p_b)
    if frame is not None and np.ndim(y_true) == 1:
        labels = as_array("y_true", y_true).tolist()
        places = ids_of_labels({label: label for label in labels}, frame.columns.tolist(), lambda _: "y_true")
        y_true = [places[label] for label in labels]
    y_true = check_labels("y_true", y_true, n_classes=p_a.shape[1])
    check_same_trials("p_a", len(p_a), "y_true", len(y_true))
    return y_true, p_a, p_b


# ---- clusters --------------------------------------------------------------------------------------------------------


# Clusters are worth as many as equal ones would be.
FEWEST_CLUSTERS, ENOUGH_CLUSTERS = 3, 10


def check_clusters(clusters: Any, n_trials: int, index: Any = None) -> tuple[np.ndarray, ...]:
    """Return the clusters of trials as numbers, or say what is wrong with them."""
    numbered = [number_clusters(labels) for labels in check_cluster_labels(clusters, n_trials, index)]
    return tuple(codes for codes in numbered if codes.max() + 1 < n_trials)


def check_one_factor(n_factors: int) -> None:
    """Refuse two factors where whole clusters are exchanged."""
    if n_factors > 1:
        raise ValueError(
            f"clusters has {n_factors} factors; expected one: answers are exchanged by cluster, so give the factor "
            "whose clusters are fewer, or use difference_interval, which takes two"
        )


def check_cluster_labels(clusters: Any, n_trials: int, index: Any = None, name: str = "clusters") -> list[list]:
    """Return what trials share, label by label, or say what is wrong with it."""
    factors = _factors(name, clusters, index)
    if len(factors) not in (1, 2):
        raise ValueError(f"{name} has {len(factors)} factors; expected one, or two that cross: keep what matters most")
    return [_labels(name, factor, n_trials, index) for factor in factors]


def number_clusters(labels: list) -> np.ndarray:
    """Give labels numbers in the order in which they come, or refuse too few."""
    seen: dict[Any, int] = {}
    codes = np.array([seen.setdefault(label, len(seen)) for label in labels])
    worth = round(equal_clusters(codes), 1)
    if worth < FEWEST_CLUSTERS:
        raise ValueError(
            f"clusters has {len(seen)} different labels, worth {worth} of equal size; expected at least "
            f"{FEWEST_CLUSTERS}: fewer do not show how much other material would move a value"
        )
    return codes


def equal_clusters(codes: np.ndarray, amounts: np.ndarray | None = None) -> Any:
    """Return how many clusters of equal size are worth as much, by trials, or by amounts of each where that is fewer.

    It is the inverse of the sum of squared shares. Amounts have a row per trial; each column has a number of its own.
    """
    shares = np.bincount(codes) / len(codes)
    by_trials = 1 / (shares @ shares)
    if amounts is None:
        return by_trials
    sums = sums_of_clusters(amounts.reshape(len(codes), -1), codes)
    total, squares = sums.sum(axis=0), (sums**2).sum(axis=0)
    worth = np.divide(total**2, squares, out=np.full(total.shape, np.inf), where=squares > 0)
    return np.minimum(worth, by_trials).reshape(amounts.shape[1:])


def sums_of_clusters(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Add up each column over the trials of each cluster."""
    return np.stack([np.bincount(codes, column) for column in columns.T], axis=1)


def warn_of_few_clusters(factors: Iterable[np.ndarray]) -> None:
    """Warn the caller of a public function, which has asked ``erralign.inference.clusters`` for its clusters."""
    worth = min(map(equal_clusters, factors))
    if worth < ENOUGH_CLUSTERS:
        warnings.warn(
            f"clusters are worth {worth:.1f} of equal size: with fewer than {ENOUGH_CLUSTERS}, intervals are very wide "
            "and p-values large; collect more material, or say that the result is about this material",
            stacklevel=5,
        )


def _factors(name: str, clusters: Any, index: Any) -> list[Any]:
    """Return one array of labels per factor."""
    names = [clusters] if isinstance(clusters, str) else clusters
    if isinstance(names, list | tuple) and len(names) <= 2 and all(isinstance(level, str) for level in names):
        return [_level(name, level, index) for level in names]
    if hasattr(clusters, "iloc"):
        labelled = clusters
        if index is not None and not clusters.index.equals(index):
            labelled = clusters.iloc[places_in(name, clusters.index, index, "; give each one label, by the same index")]
        return [labelled[column] for column in labelled] if hasattr(labelled, "columns") else [labelled]
    if isinstance(clusters, list | tuple) and len(clusters) and np.ndim(clusters[0]):
        return list(clusters)
    return [clusters]


def _level(name: str, level: str, index: Any) -> Any:
    levels = [] if index is None else [level_name for level_name in index.names if level_name is not None]
    if level not in levels:
        has = f"their index has {', '.join(map(repr, levels))}" if levels else "the trials have no named index"
        raise ValueError(f"{name} names the level {level!r}, but {has}: name a level, or give one label per trial")
    return index.get_level_values(level)


def _labels(name: str, factor: Any, n_trials: int, index: Any) -> list:
    values = np.asarray(factor)
    if values.ndim != 1:
        raise ValueError(f"{name} has shape {values.shape}; expected one label per trial, or two such arrays")
    if len(values) != n_trials:
        raise ValueError(f"{name} has {len(values)} labels for {n_trials} trials: give one per trial, in that order")
    labels = values.tolist()
    missing = (place for place, label in enumerate(labels) if is_missing(label))
    place = None if values.dtype.kind in "iubUS" else next(missing, None)
    if place is not None:
        trial = place if index is None else index.tolist()[place]
        raise ValueError(f"{name} has no label at trial {trial!r}; a trial that shares nothing gets one of its own")
    return labels
